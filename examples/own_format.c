/* own_format.c -- examples: a format of one's own: a matrix whose entries are all 1, as the matrix of a
 * graph, stores no values.
 *
 *     $ mpirun -np 2 ./own_format
 *     ONES: 22560 bytes, CSR: 38944; walks of 10 steps from a node: 1024
 *
 * The format can be made from ordered triplets, converted back into them, and multiply; all else it inherits.
 * docs/adding-a-format.md explains the slots, and how one source serves all four scalars. */
#include <psb_format.h>
#include <psb_util.h>
#include <stdio.h>

enum { NODES = 1024 };

struct ones {
    struct psb_d_mat mat;  /* first, so that a pointer to one is a pointer to the other */
    struct psb_dual first; /* psb_epk, rows + 1: where each row begins */
    struct psb_dual col;   /* psb_ipk, entries */
};

static int arrays(struct psb_d_mat *a_, struct psb_dual **list)
{
    struct ones *a = (struct ones *)a_;
    list[0] = &a->first;
    list[1] = &a->col;
    return 2;
}

static psb_err from_coo(struct psb_d_mat *a_, const struct psb_d_coo_mat *b)
{
    struct ones *a = (struct ones *)a_;
    const size_t rows = (size_t)a_->nrows, n = (size_t)b->mat.nnz;
    psb_epk *first, k;
    psb_ipk *col;
    for (k = 0; k < b->mat.nnz; k++)
        PSB_CHECK(b->val[k] == 1, PSB_EARG, "ONES: an entry is %g; expected 1", b->val[k]);
    PSB_TRY(psb_dual_init(&a->first, rows + 1, sizeof *first, NULL, "ONES rows"));
    PSB_TRY(psb_dual_init(&a->col, n, sizeof *col, NULL, "ONES columns"));
    PSB_TRY(psb_dual_write(&a->first, PSB_HOST, &first));
    PSB_TRY(psb_dual_write(&a->col, PSB_HOST, &col));
    k = 0;
    for (psb_ipk i = 0; i < a_->nrows; i++)
        for (first[i] = k; k < b->mat.nnz && b->ia[k] == i; k++)
            col[k] = b->ja[k];
    first[a_->nrows] = k;
    return PSB_OK;
}

static psb_err to_coo(struct psb_d_mat *a_, struct psb_d_coo_mat *b)
{
    const struct ones *a = (const struct ones *)a_;
    const psb_epk *first;
    const psb_ipk *col;
    const double one = 1;
    PSB_TRY(psb_dual_read(&a->first, PSB_HOST, &first));
    PSB_TRY(psb_dual_read(&a->col, PSB_HOST, &col));
    for (psb_ipk i = 0; i < a_->nrows; i++)
        for (psb_epk k = first[i]; k < first[i + 1]; k++)
            PSB_TRY(psb_d_coo_append(b, 1, &i, &col[k], &one));
    return PSB_OK;
}

/* y = alpha op(A) x + beta y; with the transpose as a format without products does it. */
static psb_err multiply(double alpha, struct psb_d_mat *a_, const double *x, double beta, double *y,
                        char trans)
{
    const struct ones *a = (const struct ones *)a_;
    const psb_epk *first;
    const psb_ipk *col;
    PSB_TRY(psb_dual_read(&a->first, PSB_HOST, &first));
    PSB_TRY(psb_dual_read(&a->col, PSB_HOST, &col));
    if (trans != 'N')
        return psb_d_root_mold.ops->products.csmv(alpha, a_, x, beta, y, trans);
    for (psb_ipk i = 0; i < a_->nrows; i++) {
        double sum = 0;
        for (psb_epk k = first[i]; k < first[i + 1]; k++)
            sum += x[col[k]];
        y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
    }
    return PSB_OK;
}

static const struct psb_d_mat_ops ops = {
    .super = &psb_d_root_mold,
    .fmt = "ONES",
    .size = sizeof(struct ones),
    .storage = { .arrays = arrays, .from_coo = from_coo, .to_coo = to_coo },
    .products = { .csmv = multiply },
};
static const struct ones mold = { .mat.ops = &ops };

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
    double walks;
    long long bytes[2]; /* CSR, ONES */
    int me;

    must(psb_init(&ctxt));
    must(psb_mat_register(&mold.mat));
    psb_info(ctxt, &me, NULL);
    must(psb_part_blocks(ctxt, NODES, &desc));
    must(psb_spall(&a, desc, 2 * psb_cd_local_rows(desc)));
    for (psb_ipk l = 0; l < psb_cd_local_rows(desc); l++) {
        const psb_lpk i = psb_loc_to_glob(desc, l), row[] = { i, i };
        const psb_lpk to[] = { 2 * i % NODES, 2 * i % NODES + 1 };
        const double ones[] = { 1, 1 };
        must(psb_spins(2, row, to, ones, a));
    }
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD));
    bytes[0] = (long long)psb_sp_bytes(a);
    must(psb_spcnv(a, psb_d_mat_by_name("ones")));
    bytes[1] = (long long)psb_sp_bytes(a);
    must(psb_sum(ctxt, 2, bytes, 0));

    must(psb_vects_like(a, &x, &y));
    must(psb_set_scal(1, x));
    for (int step = 0; step < 10; step++) {
        must(psb_spmv(1, a, x, 0, y, 'N'));
        must(psb_geaxpby(1, y, 0, x));
    }
    must(psb_geamax(x, &walks));
    if (me == 0)
        printf("%s: %lld bytes, CSR: %lld; walks of 10 steps from a node: %g\n", psb_sp_fmt(a), bytes[1],
               bytes[0], walks);

    psb_gefree(x);
    psb_gefree(y);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_exit(ctxt);
    return 0;
}
