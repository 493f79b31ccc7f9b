/* csc.c -- room: base/mat.  Compressed columns: CSR of the transposed matrix. */
#include "psb_base.h"
#include "psb_type.h"

static psb_err open_columns(struct X(mat) *a_, struct X(compressed) *l)
{
    struct X(csc_mat) *a = (struct X(csc_mat) *)a_;
    l->n = a_->ncols;
    l->m = a_->nrows;
    return X(compressed_read)(&a->icp, &a->ia, &a->val, l);
}

static psb_err make_columns(struct X(mat) *a_, struct X(compressed) *l)
{
    static const char *const names[] = { "CSC column pointers", "CSC rows", "CSC values" };
    struct X(csc_mat) *a = (struct X(csc_mat) *)a_;
    l->n = a_->ncols;
    l->m = a_->nrows;
    return X(compressed_make)(&a->icp, &a->ia, &a->val, a_->nnz, a_->on, names, l);
}

static int arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(csc_mat) *a = (struct X(csc_mat) *)a_;
    list[0] = &a->icp;
    list[1] = &a->ia;
    list[2] = &a->val;
    return 3;
}

static enum psb_order order(const struct X(mat) *a)
{
    (void)a;
    return PSB_BY_COLS;
}

/* --- conversions ------------------------------------------------------------------------------------ */

static psb_err build(struct X(mat) *a, const struct X(compressed) *rows)
{
    struct X(compressed) to;
    PSB_TRY(make_columns(a, &to));
    return X(compressed_transpose)(rows, &to);
}

static psb_err to_coo(struct X(mat) *a, struct X(coo_mat) *b)
{
    struct X(compressed) from, to = { a->nrows, a->ncols, NULL, NULL, NULL };
    PSB_TRY(open_columns(a, &from));
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

static psb_err copy(struct X(mat) *a, struct X(mat) *b)
{
    struct X(compressed) to, from;
    PSB_TRY(open_columns(b, &from));
    PSB_TRY(make_columns(a, &to));
    X(compressed_copy)(to.ptr, from.ptr, (size_t)from.n + 1, sizeof *to.ptr);
    X(compressed_copy)(to.idx, from.idx, (size_t)b->nnz, sizeof *to.idx);
    X(compressed_copy)(to.val, from.val, (size_t)b->nnz, sizeof *to.val);
    return PSB_OK;
}

/* --- entries ---------------------------------------------------------------------------------------- */

static psb_err walk(struct X(mat) *a, int change, X(visit) *visit, void *job)
{
    struct X(compressed) l;
    PSB_TRY(open_columns(a, &l));
    return X(compressed_walk)(&l, &((struct X(csc_mat) *)a)->val, change, 1, visit, job);
}

static psb_err get_diag(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    struct X(compressed) l;
    PSB_TRY(open_columns(a, &l));
    X(compressed_diag)(&l, n, ones, d);
    return PSB_OK;
}

static psb_err scale(struct X(mat) *a, T s, const T *left, const T *right)
{
    struct X(compressed) l;
    PSB_TRY(open_columns(a, &l));
    return X(compressed_scale)(&l, &((struct X(csc_mat) *)a)->val, s, right, left);
}

static psb_err zero_vals(struct X(mat) *a)
{
    return X(zero_values)(&((struct X(csc_mat) *)a)->val);
}

static psb_err csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl)
{
    struct X(compressed) l;
    PSB_TRY(open_columns(a, &l));
    return X(compressed_put)(&l, &((struct X(csc_mat) *)a)->val, nz, ia, ja, val, dupl, 1);
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(compressed) l;
    PSB_TRY(open_columns(a, &l));
    return X(compressed_csmm)(&l, k, alpha, x, beta, y, trans == 'N', trans == 'C');
}

static psb_err cssm(struct X(mat) *a, psb_ipk k, T *x, char trans)
{
    struct X(compressed) l;
    struct X(triangle) t = { !a->is.upper, a->is.unit, trans == 'N', trans == 'C', 1 };
    PSB_TRY(open_columns(a, &l));
    return X(compressed_solve)(&l, t, k, x);
}

static const struct X(mat_ops) ops = {
    .super = &X(root_mold),
    .fmt = "CSC",
    .size = sizeof(struct X(csc_mat)),
    .arrays = arrays,
    .order = order,
    .build = build,
    .to_coo = to_coo,
    .copy = copy,
    .walk = walk,
    .get_diag = get_diag,
    .scale = scale,
    .zero_vals = zero_vals,
    .csput = csput,
    .csmm = csmm,
    .cssm = cssm,
};

const struct X(csc_mat) X(csc_mold) = { .mat.ops = &ops };
