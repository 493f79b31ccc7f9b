/* dense.c -- base/mat: matrices of dense arrays, and back. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_type.h"
#include "dense.t.h"

psb_err X(dense_check)(psb_lpk m, psb_lpk n, const void *d, psb_epk ld, enum psb_order order)
{
    PSB_CHECK(order == PSB_BY_ROWS || order == PSB_BY_COLS, PSB_EARG,
              "argument order is %d; expected PSB_BY_ROWS or PSB_BY_COLS", (int)order);
    const psb_lpk line = order == PSB_BY_ROWS ? n : m;
    PSB_CHECK(ld >= line, PSB_EARG, "argument ld is %" PRId64 "; expected >= %" PRId64, ld, line);
    PSB_CHECK(d || m == 0 || n == 0, PSB_EARG,
              "argument d is NULL; expected %" PRId64 " x %" PRId64 " elements", m, n);
    return PSB_OK;
}

static psb_err check_dense(psb_ipk m, psb_ipk n, const T *d, psb_epk ld, enum psb_order order, R t,
                           struct X(mat) *const *a)
{
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %d; expected a number of rows >= 0", m);
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected a number of columns >= 0", n);
    PSB_TRY(X(dense_check)(m, n, d, ld, order));
    PSB_CHECK(t >= 0, PSB_EARG, "argument t is %g; expected a threshold >= 0", (double)t);
    PSB_NEED(a, "where to store the matrix");
    return PSB_OK;
}

psb_err X(mat_from_dense)(psb_ipk m, psb_ipk n, const T *d, psb_epk ld, enum psb_order order, R t,
                          const struct X(mat) *mold, struct X(mat) **a)
{
    struct X(mat) *new;
    psb_epk nz = 0;
    PSB_TRY(check_dense(m, n, d, ld, order, t, a));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < n; j++)
            nz += !(ABS(d[X(dense_at)(i, j, ld, order)]) <= t);
    PSB_TRY(X(mat_all)(m, n, nz, &new));
    struct X(coo_mat) *const c = (struct X(coo_mat) *)new;
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < n; j++) {
            const T v = d[X(dense_at)(i, j, ld, order)];
            if (ABS(v) <= t)
                continue;
            c->ia[new->nnz] = i;
            c->ja[new->nnz] = j;
            c->val[new->nnz++] = v;
        }
    psb_err e = X(mat_asb)(new, PSB_DUPL_ERROR);
    PSB_THEN(e, X(mat_cscnv)(&new, mold ? mold : &X(csr_mold).mat));
    if (e == PSB_OK)
        *a = new;
    else
        X(mat_free)(new);
    return PSB_PASS(e);
}

psb_err X(mat_to_dense)(const struct X(mat) *a, T *d, psb_epk ld, enum psb_order order)
{
    struct X(coo_mat) *c;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(dense_check)(a->nrows, a->ncols, d, ld, order));
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &c));
    for (psb_ipk i = 0; i < a->nrows; i++)
        for (psb_ipk j = 0; j < a->ncols; j++)
            d[X(dense_at)(i, j, ld, order)] = 0;
    for (psb_epk k = 0; k < c->mat.nnz; k++)
        d[X(dense_at)(c->ia[k], c->ja[k], ld, order)] += c->val[k];
    X(mat_free)(&c->mat);
    return PSB_OK;
}
