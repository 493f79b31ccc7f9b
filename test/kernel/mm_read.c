/* mm_read.c -- test/kernel: time for all processes together to read a Matrix Market file into a matrix
 * that is ready for psb_cdasb and psb_spasb: mm_read FILE [TIMES].  read.sh compares it with SciPy. */
#include <stdlib.h>
#include <sys/resource.h>
#include "psb_format.h"
#include "psb_util.h"
#include "bench.h"

const char *const program = "mm_read";

/* Returns the peak memory of the process that has the largest, MiB. */
static double peak(psb_ctxt *ctxt)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return slowest(ctxt, (double)u.ru_maxrss / 1024);
}

/* Read and assemble once; store the seconds of each. */
static void read_once(psb_ctxt *ctxt, const char *path, double *read, double *assemble)
{
    psb_dspmat *a = NULL;
    psb_desc *row = NULL, *col = NULL;
    good(psb_barrier(ctxt), path);
    const double begun = psb_wtime();
    good(psb_d_mm_mat_read(&a, &row, &col, ctxt, path), path);
    *read = psb_wtime() - begun;
    good(psb_cdasb(row), path);
    if (col != row)
        good(psb_cdasb(col), path);
    good(psb_spasb(a, &psb_d_csr_mold.mat, PSB_DUPL_ADD), path);
    *assemble = psb_wtime() - begun - *read;
    psb_spfree(a);
    if (col != row)
        psb_cdfree(col);
    psb_cdfree(row);
}

int main(int argc, char **argv)
{
    const int times = argument(argc, argv, 2, 1, 1000, 5);
    int me, np;
    if (argc < 2)
        stop("usage", "mm_read FILE [TIMES]");
    psb_ctxt *ctxt = start(false);
    psb_info(ctxt, &me, &np);
    const double before = peak(ctxt);
    for (int i = 0; i < times; i++) {
        double read, assemble;
        read_once(ctxt, argv[1], &read, &assemble);
        read = slowest(ctxt, read);
        assemble = slowest(ctxt, assemble);
        const double most = peak(ctxt);
        if (me == 0)
            printf("processes %d read %.4f assemble %.4f peak_MiB %.1f at_start_MiB %.1f\n", np, read,
                   assemble, most, before);
    }
    finish(ctxt);
    return EXIT_SUCCESS;
}
