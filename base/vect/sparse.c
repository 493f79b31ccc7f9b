/* sparse.c -- base/vect: sparse vectors and dense ones in arrays. */
#include "vect.h"
#include "places.h"
#include "psb_type.h"

/* The arrays of a call on device `on`, NULL: on the host. */
struct sparse_arrays {
    const struct psb_device *on;
    enum psb_side at;
    enum psb_sparse_order order;
    struct psb_dual idx, val, y;
};

static psb_err check_arrays(const psb_sparse *v, const T *val, const T *y)
{
    PSB_TRY(psb_sparse_members(v));
    PSB_CHECK(v->nnz == 0 || val, PSB_EARG, "argument val is NULL; expected %d elements", v->nnz);
    PSB_CHECK(v->n == 0 || y, PSB_EARG, "argument y is NULL; expected %d elements", v->n);
    return PSB_OK;
}

static void close_sparse(struct sparse_arrays *q)
{
    psb_dual_free(&q->idx);
    psb_dual_free(&q->val);
    psb_dual_free(&q->y);
}

/* Check the list, where it is; *s: the side on which to compute; `distinct`: a device needs distinct ones. */
static psb_err check_list_of(const psb_sparse *v, bool distinct, struct sparse_arrays *q, enum psb_side *s)
{
    *s = X(vec)(q->at, q->on)->sparse ? q->at : PSB_HOST;
    q->order = v->order;
    if (v->order == PSB_SV_UNCHECKED)
        PSB_TRY(psb_sparse_list(v, distinct && *s == PSB_DEV, &q->idx, &q->order));
    if (distinct && q->order == PSB_SV_ANY)
        *s = PSB_HOST;
    return PSB_OK;
}

static psb_err open_sparse(const psb_sparse *v, const T *val, const T *y, bool distinct,
                           const struct psb_vmold *mold, struct sparse_arrays *q, enum psb_side *s)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    *q = (struct sparse_arrays){ .on = on, .at = on ? PSB_DEV : PSB_HOST };
    PSB_TRY(check_arrays(v, val, y));
    PSB_TRY(psb_dual_check(on, "v->idx", v->idx, sizeof *v->idx));
    PSB_TRY(psb_dual_check(on, "val", val, sizeof *val));
    PSB_TRY(psb_dual_check(on, "y", y, sizeof *y));
    PSB_TRY(psb_dual_lend(&q->idx, (size_t)v->nnz, sizeof *v->idx, on, "indices", q->at, v->idx));
    PSB_TRY(psb_dual_lend(&q->val, (size_t)v->nnz, sizeof *val, on, "sparse elements", q->at, val));
    PSB_TRY(psb_dual_lend(&q->y, (size_t)v->n, sizeof *y, on, "dense elements", q->at, y));
    return check_list_of(v, distinct, q, s);
}

/* Replace the two operations of t by one.  Returns how many there are. */
static int join_both(struct X(vec_sparse) *t)
{
    *t = (struct X(vec_sparse)){ .kind = PSB_SV_SCALE_AND_ADD, .a = t[1].a, .s = t->a };
    return 1;
}

/* Make the operations t[0..m) on side s.  Both vectors may change. */
static psb_err operate(const psb_sparse *v, struct sparse_arrays *q, enum psb_side s, int m,
                       struct X(vec_sparse) *t)
{
    const psb_ipk *idx = NULL;
    T *val = NULL, *y = NULL;
    if (v->nnz > 0) {
        PSB_TRY(psb_dual_read(&q->idx, s, &idx));
        PSB_TRY(psb_dual_update(&q->val, s, &val));
    }
    if (v->n > 0)
        PSB_TRY(psb_dual_update(&q->y, s, &y));
    for (int k = 0; k < m; k++) {
        const bool all = t[k].kind == PSB_SV_SCALE;
        t[k].n = all ? v->n : v->nnz;
        t[k].len = v->n;
        t[k].base = v->base;
        t[k].idx = all ? NULL : idx;
        t[k].val = val;
        t[k].y = y;
        PSB_TRY(all && t[k].a == 0 ? X(vec)(s, q->on)->fill(v->n, 0, y) : X(vec)(s, q->on)->sparse(&t[k]));
    }
    if (v->nnz > 0)
        PSB_TRY(psb_dual_read(&q->val, q->at, &val));
    return v->n > 0 ? psb_dual_read(&q->y, q->at, &y) : PSB_OK;
}

/* Arrays that a call does not change are const in its declaration; no operation writes to them. */
static psb_err operate_on(const psb_sparse *v, const T *val, const T *y, const struct psb_vmold *mold,
                          bool distinct, int m, struct X(vec_sparse) *t)
{
    struct sparse_arrays q;
    enum psb_side s;
    psb_err e = open_sparse(v, val, y, distinct, mold, &q, &s);
    const bool joined = m == 2 && s == PSB_DEV && q.order == PSB_SV_ASCENDING && v->nnz > 0;
    PSB_THEN(e, operate(v, &q, s, joined ? join_both(t) : m, t));
    close_sparse(&q);
    return e;
}

psb_err X(sv_gather)(const psb_sparse *v, const T *y, T *val, const struct psb_vmold *mold)
{
    struct X(vec_sparse) t = { .kind = PSB_SV_GATHER };
    return PSB_PASS(operate_on(v, val, y, mold, false, 1, &t));
}

psb_err X(sv_take)(const psb_sparse *v, T *y, T *val, const struct psb_vmold *mold)
{
    struct X(vec_sparse) t = { .kind = PSB_SV_TAKE };
    return PSB_PASS(operate_on(v, val, y, mold, true, 1, &t));
}

psb_err X(sv_scatter)(const psb_sparse *v, const T *val, T *y, const struct psb_vmold *mold)
{
    struct X(vec_sparse) t = { .kind = PSB_SV_SCATTER };
    return PSB_PASS(operate_on(v, val, y, mold, true, 1, &t));
}

psb_err X(sv_axpby)(const psb_sparse *v, T alpha, const T *val, T beta, T *y, const struct psb_vmold *mold)
{
    struct X(vec_sparse) t[] = { { .kind = PSB_SV_SCALE, .a = beta }, { .kind = PSB_SV_ADD, .a = alpha } };
    const int first = beta == 1, m = 2 - first - (alpha == 0);
    return PSB_PASS(operate_on(v, val, y, mold, true, m, t + first));
}

psb_err X(sv_rot)(const psb_sparse *v, R c, T s, T *val, T *y, const struct psb_vmold *mold)
{
    struct X(vec_sparse) t = { .kind = PSB_SV_ROTATE, .a = c, .s = s };
    return PSB_PASS(operate_on(v, val, y, mold, true, 1, &t));
}

/* sum: the products of val and the elements of y in its places, as psb_?_vec_ops has them. */
static psb_err dot_on(const psb_sparse *v, struct sparse_arrays *q, enum psb_side s, bool conjugate,
                      double sum[2])
{
    const struct X(vec_ops) *const ops = X(vec)(s, q->on);
    struct X(vec_sparse) t = { .kind = conjugate ? PSB_SV_GATHER : PSB_SV_CONJUGATES,
                               .n = v->nnz,
                               .base = v->base };
    struct psb_dual found;
    const T *val, *y;
    PSB_TRY(psb_dual_init(&found, (size_t)v->nnz, sizeof *val, q->on, "gathered elements"));
    psb_err e = psb_dual_write(&found, s, &t.val);
    PSB_THEN(e, psb_dual_read(&q->idx, s, &t.idx));
    PSB_THEN(e, psb_dual_read(&q->val, s, &val));
    PSB_THEN(e, psb_dual_read(&q->y, s, &t.y));
    PSB_THEN(e, ops->sparse(&t));
    y = t.val;
    PSB_THEN(e, conjugate ? ops->dot(v->nnz, 1, val, y, sum) : ops->dot(v->nnz, 1, y, val, sum));
    psb_dual_free(&found);
    return e;
}

psb_err X(sv_dot)(const psb_sparse *v, const T *val, const T *y, int conj, T *dot,
                  const struct psb_vmold *mold)
{
    struct sparse_arrays q;
    enum psb_side s;
    double sum[2] = { 0 };
    PSB_NEED(dot, "where to store the result");
    psb_err e = open_sparse(v, val, y, false, mold, &q, &s);
    if (e == PSB_OK && v->nnz > 0)
        e = dot_on(v, &q, s, conj, sum);
    close_sparse(&q);
    if (e == PSB_OK)
        *dot = MAKE(sum[0], sum[1]);
    return PSB_PASS(e);
}
