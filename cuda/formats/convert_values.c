/* convert_values.c -- room: cuda/formats.  Values refilled, scaled, and read off the diagonal where they are. */
#include "gpu_formats.h"
#include "psb_type.h"

/* Arrays of a as steps are told. */
static psb_err open_on_device(struct X(mat) *a, int change, struct psb_convert *q)
{
    const struct X(mat_ops) *is = X(host_format)(a);
    return is == X(csr_mold).mat.ops   ? X(csr_on_device)((struct X(csr_mat) *)a, change, &q->to)
           : is == X(hll_mold).mat.ops ? X(hll_on_device)((struct X(hll_mat) *)a, change, &q->to)
                                       : X(hdia_on_device)((struct X(hdia_mat) *)a, change, &q->dia);
}

static struct psb_dual *values_of(struct X(mat) *a)
{
    const struct X(mat_ops) *is = X(host_format)(a);
    return is == X(csr_mold).mat.ops   ? &((struct X(csr_mat) *)a)->val
           : is == X(hll_mold).mat.ops ? &((struct X(hll_mat) *)a)->val
                                       : &((struct X(hdia_mat) *)a)->val;
}

static psb_err diag_on_device(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    struct psb_convert q = { .n = n, .ones = ones };
    struct psb_dual own = { 0 };
    PSB_TRY(open_on_device(a, 0, &q));
    psb_err e = X(move_on_device)(&own, a->on, n, sizeof *d, NULL, "a diagonal", &q.d);
    if (e == PSB_OK)
        e = X(step)(a->on, PSB_STEP_DIAGONAL, &q);
    if (e == PSB_OK)
        e = psb_get(a->on, d, q.d, own.bytes, own.name);
    psb_dual_free(&own);
    return e;
}

/* Where there is no room for that the host does it. */
psb_err X(device_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    if (!X(is_on_device)(a))
        return X(walk_diag)(a, n, ones, d);
    psb_expect_errors(1);
    const psb_err e = diag_on_device(a, n, ones, d);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(walk_diag)(a, n, ones, d);
}

/* Values are not touched before there is room for the factors. */
static psb_err scale_on_device(struct X(mat) *a, T s, const T *left, const T *right)
{
    const psb_epk n = left ? a->nrows : right ? a->ncols : 0;
    struct psb_convert q = { .by = &s };
    struct psb_dual own = { 0 };
    void *by = NULL;
    psb_err e = PSB_OK;
    if (n > 0)
        e = X(move_on_device)(&own, a->on, n, sizeof s, left ? left : right, "factors", &by);
    q.left = left ? by : NULL;
    q.right = left ? NULL : by;
    if (e == PSB_OK)
        e = open_on_device(a, 1, &q);
    if (e == PSB_OK)
        e = X(step)(a->on, PSB_STEP_SCALE, &q);
    psb_dual_free(&own);
    return e;
}

psb_err X(device_scale)(struct X(mat) *a, T s, const T *left, const T *right)
{
    if (!X(is_on_device)(a))
        return X(walk_scale)(a, s, left, right);
    psb_expect_errors(1);
    const psb_err e = scale_on_device(a, s, left, right);
    psb_expect_errors(0);
    PSB_CHECK(e == PSB_OK || e == PSB_ENOMEM, e, "%s could not be scaled on the device", X(mat_get_fmt)(a));
    return e == PSB_OK ? e : X(walk_scale)(a, s, left, right);
}

psb_err X(device_zero)(struct X(mat) *a)
{
    struct psb_convert q = { .bytes = values_of(a)->bytes };
    if (!X(is_on_device)(a))
        return X(host_format)(a)->zero_vals(a);
    if (q.bytes == 0)
        return PSB_OK;
    PSB_TRY(open_on_device(a, 1, &q));
    return X(step)(a->on, PSB_STEP_ZERO, &q);
}

/* --- entries put in ---------------------------------------------------------------------------------------
 */

/* What is there while entries are. */
struct batch {
    struct psb_dual ia, ja, val, place, order;
};

/* Do values change there?  Few entries at a time are quicker put on the host, once its copy is there. */
static int is_worth(struct X(mat) *a, psb_epk nz)
{
    return a->on && values_of(a)->valid & PSB_DEV && nz >= psb_cuda_convert_from(-1);
}

/* q's entries find their places; *missing: the first that has none, or -1. */
static psb_err find_on_device(struct X(mat) *a, struct psb_convert *q, const psb_ipk *ia, const psb_ipk *ja,
                          struct batch *b, psb_epk *missing)
{
    const struct psb_device *on = a->on;
    psb_epk found[PSB_FOUND];
    PSB_TRY(open_on_device(a, 0, q));
    PSB_TRY(X(move_on_device)(&b->ia, on, q->nz, sizeof *ia, ia, "rows of entries", &q->ia));
    PSB_TRY(X(move_on_device)(&b->ja, on, q->nz, sizeof *ja, ja, "columns of entries", &q->ja));
    PSB_TRY(X(move_on_device)(&b->place, on, q->nz, sizeof *q->place, NULL, "places of entries", &q->place));
    PSB_TRY(X(step_found)(on, PSB_STEP_FIND, q, found));
    *missing = found[0];
    if (found[0] >= 0 || found[1] == 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(&b->order, on, q->nz, sizeof *q->order, NULL, "the order of entries", &q->order));
    q->widest = (psb_epk)(values_of(a)->bytes / sizeof(T));
    return X(step)(on, PSB_STEP_BY_PLACE, q);
}

static psb_err put_on_device(struct X(mat) *a, struct psb_convert *q, const psb_ipk *ia, const psb_ipk *ja,
                         const T *val, struct batch *b, psb_epk *missing)
{
    PSB_TRY(find_on_device(a, q, ia, ja, b, missing));
    if (!val || *missing >= 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(&b->val, a->on, q->nz, sizeof *val, val, "values of entries", &q->val));
    PSB_TRY(open_on_device(a, 1, q));
    return X(step)(a->on, PSB_STEP_PUT, q);
}

/* Where there is no room for the batch the host does it. */
psb_err X(device_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl)
{
    struct psb_convert q = { .nz = nz, .overwrite = dupl != PSB_DUPL_ADD };
    struct batch b = { .ia = { 0 } };
    psb_epk k = -1;
    if (!is_worth(a, nz))
        return X(host_format)(a)->csput(a, nz, ia, ja, val, dupl);
    psb_expect_errors(1);
    psb_err e = put_on_device(a, &q, ia, ja, val, &b, &k);
    psb_expect_errors(0);
    psb_dual_free(&b.ia);
    psb_dual_free(&b.ja);
    psb_dual_free(&b.val);
    psb_dual_free(&b.place);
    psb_dual_free(&b.order);
    if (e != PSB_OK)
        return X(host_format)(a)->csput(a, nz, ia, ja, val, dupl);
    PSB_CHECK(k < 0, PSB_EARG, PSB_NO_ENTRY, k, ia[k], ja[k]);
    return PSB_OK;
}
