/* gpu_spmv.c -- test/kernel: y = A x on one GPU: all formats, cuSPARSE, and the copy bandwidth of this
 * GPU, all measured in one run; --help says how. */
#include "psb_cuda.h"
#include <getopt.h>
#include <stdlib.h>
#include "psb_type.h"
#include "gpu_spmv.h"

/* --- the names of matrices and formats --- */

static void wrong_command(psb_err e, const char *option)
{
    if (e == PSB_OK)
        return;
    fprintf(stderr, "%s: %s%s\n", program, option, psb_errmsg());
    exit(2);
}

/* Check the names of formats; they are known once the device is initialised. */
static void check_formats(void)
{
    for (const char *s = opt.formats; s;)
        if (!X(format_at)(&s))
            wrong_command(PSB_EARG, "--formats: ");
}

/* --- the device --- */

static void start(psb_ctxt *ctxt)
{
    char name[256] = "the fake device: times mean nothing";
    int me, np;
    psb_info(ctxt, &me, &np);
    if (np > 1)
        good(PSB_FAIL(PSB_EARG, "there are %d processes; expected one", np), "MPI");
    good(psb_cuda_init(ctxt), "device");
    if (!psb_cuda_device())
        good(PSB_FAIL(PSB_EDEVICE, "there is no GPU; PSB_DEVICE=fake tries this program without"), "device");
    if (psb_cuda_stream())
        good(psb_cuda_DeviceName(name, sizeof name), "device");
    check_formats();
    printf("one %s, type %c", name, LETTER);
#ifdef WITH_CUSPARSE
    printf(", cuSPARSE %s", X(cusparse_version)());
#endif
    puts("");
}

/* --- one matrix --- */

/* Returns the number of wrong results; 1 if the matrix cannot be read. */
static int run(psb_ctxt *ctxt, const char *what)
{
    static struct field f;
    struct problem p;
    if (X(gpu_load)(&p, ctxt, what) != PSB_OK) {
        fprintf(stderr, "%s: %s: %s\n", program, what, psb_errmsg());
        return 1;
    }
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        X(gpu_enter_peers)(&f, &p);
#endif
    X(gpu_enter_ours)(&f, &p);
    X(gpu_measure)(&f, &p);
    int wrong = X(gpu_check)(&f, &p);
    X(gpu_report)(&f, &p);
    X(gpu_leave)(&f);
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        X(gpu_leave_peers)();
#endif
    X(gpu_unload)(&p);
    return wrong;
}

int X(gpu_spmv)(int argc, char **argv)
{
    psb_ctxt *ctxt;
    int wrong = 0;
    gpu_read_options(argc, argv);
    for (int i = optind; i < argc; i++)
        wrong_command(X(gpu_check_name)(argv[i]), "");
    good(psb_init(&ctxt), "MPI");
    start(ctxt);
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    psb_cuda_exit();
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
