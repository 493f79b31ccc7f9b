/* csc.c -- base/mat: compressed columns: CSR of the transposed matrix. */
#include "psb_format.h"
#include "psb_type.h"

static enum psb_order csc_order(const struct X(mat) *a)
{
    (void)a;
    return PSB_BY_COLS;
}

/* --- conversions ------------------------------------------------------------------------------------ */

static psb_err csc_build(struct X(mat) *a, const struct X(compressed) *rows)
{
    struct X(compressed) to;
    PSB_TRY(X(compressed_new)(a, &to));
    return X(compressed_transpose)(rows, &to);
}

static psb_err csc_to_coo(struct X(mat) *a, struct X(coo_mat) *b)
{
    struct X(compressed) from, to = { a->nrows, a->ncols, NULL, NULL, NULL };
    PSB_TRY(X(compressed_open)(a, &from));
    PSB_TRY(X(coo_reserve)(b, a->nnz));
    PSB_TRY(psb_alloc(&to.ptr, (size_t)to.n + 1, sizeof *to.ptr, "row pointers"));
    to.idx = b->ja;
    to.val = b->val;
    psb_err e = X(compressed_transpose)(&from, &to);
    if (e == PSB_OK)
        X(compressed_keys)(0, to.n, to.ptr, b->ia);
    psb_free(to.ptr);
    return e;
}

static const struct X(mat_ops) csc_ops = {
    .super = &X(compressed_mold),
    .fmt = "CSC",
    .size = sizeof(struct X(csc_mat)),
    .storage = { .order = csc_order, .build = csc_build, .to_coo = csc_to_coo },
};

const struct X(csc_mat) X(csc_mold) = { .mat.ops = &csc_ops };
