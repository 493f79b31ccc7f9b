/* ensemble.c -- examples: a program that has MPI and communicators of its own, and OpenMP: two groups of
 * processes solve a system each at the same time.
 *
 *     $ mpirun -np 4 --oversubscribe ./ensemble
 *     group 0, 2 processes: shift 0.1, converged, mean of x 10.0000
 *     group 1, 2 processes: shift 0.2, converged, mean of x 5.0000
 *
 * Products and vector operations use the threads that OMP_NUM_THREADS allows; MPI_THREAD_FUNNELED is enough
 * for them. */
#include <psb_linsolve.h>
#include <mpi.h>
#include <stdio.h>

enum { MINE = 100000 }; /* rows of a process */

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* Solve (-1 2+shift -1) x = b on a ring, by the processes of comm; return the mean of x in *mean. */
static psb_outcome solve(MPI_Comm comm, double shift, double *mean)
{
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *x, *b;
    psb_solve_result res;
    double *values;

    must(psb_init_comm(&ctxt, comm)); /* which is duplicated */
    must(psb_cdall_nl(&desc, ctxt, MINE));
    must(psb_spall(&a, desc, 3 * MINE));
    const psb_lpk n = psb_cd_global_rows(desc);
    for (psb_ipk l = 0; l < MINE; l++) {
        const psb_lpk i = psb_loc_to_glob(desc, l), row[] = { i, i, i };
        const psb_lpk col[] = { i, (i + 1) % n, (i + n - 1) % n };
        const double val[] = { 2 + shift, -1, -1 };
        must(psb_spins(3, row, col, val, a));
    }
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD));
    must(psb_vects_like(a, &x, &b));

    /* the program's own loop over a vector's elements; calls of the library are made outside of parallel
     * regions */
    must(psb_host_write(b, &values));
#pragma omp parallel for
    for (psb_ipk l = 0; l < MINE; l++)
        values[l] = l % 2 ? 0.5 : 1.5;

    must(psb_solve(a, b, x, "cg, tol=1e-10, prec=diag", &res));
    must(psb_geasum(x, mean));
    *mean /= (double)n;

    psb_gefree(x);
    psb_gefree(b);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_exit(ctxt); /* MPI goes on, since the program initialised it */
    return res.outcome;
}

int main(int argc, char **argv)
{
    int me, provided, of_group, members;
    double mean;
    MPI_Comm group;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int mine = me % 2;
    MPI_Comm_split(MPI_COMM_WORLD, mine, me, &group);
    MPI_Comm_rank(group, &of_group);
    MPI_Comm_size(group, &members);

    const double shift = 0.1 * (mine + 1);
    const psb_outcome outcome = solve(group, shift, &mean);

    /* the first process of each group, one after the other */
    for (int g = 0; g < 2; g++) {
        if (g == mine && of_group == 0) {
            printf("group %d, %d processes: shift %.1f, %s, mean of x %.4f\n", g, members, shift,
                   psb_outcome_name(outcome), mean);
            fflush(stdout);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&group);
    MPI_Finalize();
    return outcome != PSB_CONVERGED;
}
