/* first_product.c -- examples: y = A x for a tridiagonal matrix whose rows are distributed over the
 * processes.
 *
 *     $ mpirun -np 2 ./first_product
 *     CSR, 8 rows: y = 1 0 0 0 0 0 0 1
 *
 * Every process inserts the rows that it owns, by global indices.  psb_cdasb finds out which elements of x it
 * needs from others, and psb_spmv exchanges them. */
#include <psb_base.h>
#include <stdio.h>
#include <stdlib.h>

enum { MINE = 4 }; /* rows of a process */

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

int main(void)
{
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *x, *y;
    double *all = NULL;
    int me;

    /* the processes, and who owns which rows */
    must(psb_init(&ctxt));
    psb_info(ctxt, &me, NULL);
    must(psb_cdall_nl(&desc, ctxt, MINE));
    const psb_lpk n = psb_cd_global_rows(desc);

    /* row i: -1 2 -1, without what is left of the first column and right of the last */
    must(psb_spall(&a, desc, 3 * MINE));
    for (psb_ipk l = 0; l < MINE; l++) {
        const psb_lpk i = psb_loc_to_glob(desc, l), row[] = { i, i, i }, col[] = { i - 1, i, i + 1 };
        const double val[] = { -1, 2, -1 };
        const int first = i == 0, last = i == n - 1;
        must(psb_spins(3 - first - last, row + first, col + first, val + first, a));
    }
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD));

    /* y = A x with x = 1 */
    must(psb_vects_like(a, &x, &y));
    must(psb_set_scal(1, x));
    must(psb_spmv(1, a, x, 0, y, 'N'));
    if (me == 0)
        all = malloc((size_t)n * sizeof *all);
    must(psb_gather(y, all, 0));
    if (me == 0) {
        printf("%s, %lld rows: y =", psb_sp_fmt(a), (long long)n);
        for (psb_lpk i = 0; i < n; i++)
            printf(" %g", all[i]);
        printf("\n");
        free(all);
    }

    psb_gefree(x);
    psb_gefree(y);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_exit(ctxt);
    return 0;
}
