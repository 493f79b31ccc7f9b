/* host_spmv.c -- test/kernel: y = A x on the host: all formats, PETSc, LIBRSB, and the bandwidth of
 * this machine, all measured in one run; --help says how. */
#include "psb_ext.h"
#include "psb_rsb.h"
#include "psb_util.h"
#include <getopt.h>
#include <stdlib.h>
#include "psb_type.h"
#include "host_spmv.h"

static int most_threads(void)
{
    int most = 1;
    for (int t = 0; t < opt.nteams; t++)
        most = opt.team[t] > most ? opt.team[t] : most;
    return most;
}

/* Returns the number of wrong results. */
static int run(psb_ctxt *ctxt, const char *what)
{
    static struct field f;
    struct problem p;
    X(host_load)(&p, ctxt, what);
    if (p.np > 1)
        X(enter_spread)(&f, &p);
    else
        X(host_enter_ours)(&f, &p);
#ifdef WITH_PETSC
    X(enter_petsc)(&f, &p);
#endif
#ifdef WITH_RSB
    X(enter_rsb)(&f, &p);
#endif
    X(host_measure)(&f, &p);
    int wrong = X(host_check)(&f, &p);
    for (int t = 0; t < opt.nteams; t++)
        X(host_report)(&f, &p, t);
    X(host_leave)(&f);
    if (p.np > 1)
        X(leave_spread)();
    X(host_unload)(&p);
    return wrong;
}

int X(host_spmv)(int argc, char **argv)
{
    psb_ctxt *ctxt;
    int wrong = 0, me, np;
    host_read_options(argc, argv);
    good(psb_init(&ctxt), "MPI");
    psb_info(ctxt, &me, &np);
    opt.only |= np > 1;
    X(use_threads)(most_threads());
    good(psb_ext_init(), "formats");
    good(psb_rsb_init(), "formats");
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    psb_rsb_exit();
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
