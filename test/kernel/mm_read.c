/* mm_read.c -- test/kernel: time for all processes together to read a Matrix Market file into a matrix
 * that is ready for psb_cdasb and psb_spasb: mm_read FILE [TIMES].  read.sh compares it with SciPy. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "psb_format.h"
#include "psb_util.h"

static double slowest(psb_ctxt *ctxt, double mine)
{
    double all;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, psb_comm_of(ctxt));
    return all;
}

/* Returns the peak memory of the process that has the largest, MiB. */
static double peak(psb_ctxt *ctxt)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return slowest(ctxt, (double)u.ru_maxrss / 1024);
}

/* Read and assemble once; store the seconds of each. */
static psb_err once(psb_ctxt *ctxt, const char *path, double *read, double *assemble)
{
    psb_dspmat *a = NULL;
    psb_desc *row = NULL, *col = NULL;
    PSB_TRY(psb_barrier(ctxt));
    double begun = psb_wtime();
    PSB_TRY(psb_d_mm_mat_read(&a, &row, &col, ctxt, path));
    *read = psb_wtime() - begun;
    PSB_TRY(psb_cdasb(row));
    if (col != row)
        PSB_TRY(psb_cdasb(col));
    PSB_TRY(psb_spasb(a, &psb_d_csr_mold.mat, PSB_DUPL_ADD));
    *assemble = psb_wtime() - begun - *read;
    psb_spfree(a);
    if (col != row)
        psb_cdfree(col);
    psb_cdfree(row);
    return PSB_OK;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    int me, np, times = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || psb_init(&ctxt) != PSB_OK) {
        fprintf(stderr, "usage: mm_read FILE [TIMES]\n");
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    double before = peak(ctxt);
    for (int i = 0; i < times; i++) {
        double read = 0, assemble = 0;
        if (once(ctxt, argv[1], &read, &assemble) != PSB_OK) {
            psb_print_errmsg();
            return EXIT_FAILURE;
        }
        read = slowest(ctxt, read);
        assemble = slowest(ctxt, assemble);
        double most = peak(ctxt);
        if (me == 0)
            printf("processes %d read %.4f assemble %.4f peak_MiB %.1f at_start_MiB %.1f\n", np, read,
                   assemble, most, before);
    }
    psb_exit(ctxt);
    return EXIT_SUCCESS;
}
