/* poisson.c -- examples: Poisson's equation on the unit square, five-point differences, solved by conjugate
 * gradients; and the same on a GPU, by one word: the name of a format.
 *
 *     $ mpirun -np 2 ./poisson
 *     CSR: converged after 78 iterations, u(1/2, 1/2) = 0.062500
 *     $ mpirun -np 2 ./poisson hlg
 *     HLG: converged after 78 iterations, u(1/2, 1/2) = 0.062500
 *
 * -(u_xx + u_yy) = 2 x (1 - x) + 2 y (1 - y), whose solution u = x (1 - x) y (1 - y) the differences
 * represent exactly. Where there is no GPU the formats for GPUs compute on the host. */
#include <psb_cuda.h>
#include <psb_linsolve.h>
#include <psb_util.h>
#include <stdio.h>

enum { N = 63 }; /* points inside an edge */
static const double h = 1.0 / (N + 1);

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* Insert the equation of point i, h^2 times. */
static void insert(psb_lpk i, psb_dspmat *a, psb_dvect *b)
{
    const psb_lpk column = i % N, line = i / N;
    const double x = (double)(column + 1) * h, y = (double)(line + 1) * h;
    const double f = 2 * h * h * (x * (1 - x) + y * (1 - y));
    psb_lpk row[5] = { i, i, i, i, i }, col[5] = { i };
    double val[5] = { 4, -1, -1, -1, -1 };
    psb_epk k = 1;
    if (column > 0)
        col[k++] = i - 1;
    if (column < N - 1)
        col[k++] = i + 1;
    if (line > 0)
        col[k++] = i - N;
    if (line < N - 1)
        col[k++] = i + N;
    must(psb_spins(k, row, col, val, a));
    must(psb_geins(1, &i, &f, b, PSB_DUPL_OVERWRITE));
}

int main(int argc, char **argv)
{
    const psb_lpk n = (psb_lpk)N * N, middle = n / 2;
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *b, *u;
    psb_solve_result res;

    must(psb_init(&ctxt));
    must(psb_cuda_init(ctxt)); /* a GPU for each process, if there are any; all formats by their names */
    must(psb_part_blocks(ctxt, n, &desc));
    must(psb_spall(&a, desc, 5 * psb_cd_local_rows(desc)));
    must(psb_geall(&b, desc));
    for (psb_ipk l = 0; l < psb_cd_local_rows(desc); l++)
        insert(psb_loc_to_glob(desc, l), a, b);
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name(argc > 1 ? argv[1] : "csr"), PSB_DUPL_ADD));
    must(psb_geasb(b, &psb_vect_cuda));
    must(psb_geall(&u, desc));
    must(psb_geasb(u, &psb_vect_cuda));

    must(psb_solve(a, b, u, "cg, tol=1e-9, prec=bjac(ic0)", &res));

    /* the process that owns the point in the middle prints */
    if (psb_is_owned(desc, middle)) {
        double value;
        must(psb_getelem(u, middle, &value));
        printf("%s: %s after %d iterations, u(1/2, 1/2) = %.6f\n", psb_sp_fmt(a),
               psb_outcome_name(res.outcome), res.iterations, value);
    }

    psb_gefree(u);
    psb_gefree(b);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_cuda_exit();
    psb_exit(ctxt);
    return res.outcome != PSB_CONVERGED;
}
