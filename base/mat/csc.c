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
    .super = &X(root_mold),
    .fmt = "CSC",
    .size = sizeof(struct X(csc_mat)),
    .storage = { .arrays = X(compressed_slot_arrays),
                 .order = csc_order,
                 .build = csc_build,
                 .to_coo = csc_to_coo,
                 .copy = X(compressed_slot_copy) },
    .entries = { .walk = X(compressed_slot_walk),
                 .get_diag = X(compressed_slot_get_diag),
                 .scale = X(compressed_slot_scale),
                 .zero_vals = X(compressed_slot_zero_vals),
                 .csput = X(compressed_slot_csput) },
    .products = { .csmm = X(compressed_slot_csmm), .cssm = X(compressed_slot_cssm) },
};

const struct X(csc_mat) X(csc_mold) = { .mat.ops = &csc_ops };
