/* convert_values.c -- cuda/formats: insert, scale and zero values, and read the diagonal, on the
 * device. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_testing.h"
#include "psb_type.h"

/* Does the device change or read single values of a? */
static bool has_entries(const struct X(mat) *a)
{
    return X(is_on_device)(a) && X(conversions_of)(a)->entries;
}

static psb_err diag_on_device(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    const struct psb_diagonal q = { .n = n, .ones = ones, .d = d };
    return X(conversions_of)(a)->entries->diagonal(a, &q);
}

static psb_err diag_to_host(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    struct psb_dual own = { 0 };
    T *there;
    psb_err e = X(move_on_device)(&own, a->on, n, sizeof *d, NULL, "a diagonal", &there);
    PSB_THEN(e, diag_on_device(a, n, ones, there));
    PSB_THEN(e, psb_get(a->on, d, there, own.bytes, own.name));
    psb_dual_free(&own);
    return e;
}

/* If the device has not enough memory for the diagonal, the host computes it. */
psb_err X(device_diag)(struct X(mat) *a, psb_ipk n, int ones, enum psb_side s, T *d)
{
    if (!has_entries(a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    const psb_err e = (s == PSB_DEV ? diag_on_device : diag_to_host)(a, n, ones, d);
    psb_expect_errors(0);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* Factors are allocated before values are opened for writing. */
static psb_err scale_on_device(struct X(mat) *a, T s, const T *left, const T *right)
{
    const psb_epk n = left ? a->nrows : right ? a->ncols : 0;
    struct psb_factors q = { .by = &s };
    struct psb_dual own = { 0 };
    void *by = NULL;
    psb_err e = PSB_OK;
    if (n > 0)
        e = X(move_on_device)(&own, a->on, n, sizeof s, left ? left : right, "factors", &by);
    q.left = left ? by : NULL;
    q.right = left ? NULL : by;
    if (e == PSB_OK)
        e = X(conversions_of)(a)->entries->scale(a, &q);
    psb_dual_free(&own);
    return e;
}

psb_err X(device_scale)(struct X(mat) *a, T s, const T *left, const T *right)
{
    if (!has_entries(a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    const psb_err e = scale_on_device(a, s, left, right);
    psb_expect_errors(0);
    PSB_CHECK(e == PSB_OK || e == PSB_ENOMEM, e, "%s could not be scaled on the device", X(mat_get_fmt)(a));
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

psb_err X(device_zero)(struct X(mat) *a)
{
    if (!has_entries(a))
        return PSB_ENOTIMPL;
    return X(device_values)(a)->bytes > 0 ? X(conversions_of)(a)->entries->zero(a) : PSB_OK;
}

/* --- insertion of entries --------------------------------------------------------------------------- */

/* Does the device insert nz entries?  The host is faster for few, once it has a copy. */
static int is_worth_changing(struct X(mat) *a, psb_epk nz)
{
    return a->on && X(conversions_of)(a)->entries && X(device_values)(a)->valid & PSB_DEV &&
           nz >= psb_cuda_convert_from(-1);
}

/* Find the places of the entries q; *missing = the first entry without a place, or -1.  Set the places and
 * order of `put`. */
static psb_err find_on_device(struct X(mat) *a, struct psb_find *q, const psb_ipk *ia, const psb_ipk *ja,
                              struct X(sent) *b, struct psb_placed *put, psb_epk *missing)
{
    const struct psb_device *on = a->on;
    struct psb_dual d;
    psb_epk *order, found[PSB_FOUND] = { 0 };
    PSB_TRY(X(move_on_device)(&b->ia, on, q->nz, sizeof *ia, ia, "rows of entries", &q->ia));
    PSB_TRY(X(move_on_device)(&b->ja, on, q->nz, sizeof *ja, ja, "columns of entries", &q->ja));
    PSB_TRY(X(move_on_device)(&b->place, on, q->nz, sizeof *q->place, NULL, "places of entries", &q->place));
    PSB_TRY(X(found_open)(&d, on, &q->found));
    PSB_TRY(X(found_close)(&d, X(conversions_of)(a)->entries->find(a, q), found));
    put->place = q->place;
    *missing = found[0];
    if (found[0] >= 0 || found[1] == 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(&b->order, on, q->nz, sizeof *order, NULL, "the order of entries", &order));
    put->order = order;
    return X(coo_steps_of)(on)->order_by_place(q->nz, q->place,
                                               (psb_epk)(X(device_values)(a)->bytes / sizeof(T)), order);
}

static psb_err put_on_device(struct X(mat) *a, struct psb_placed *q, const psb_ipk *ia, const psb_ipk *ja,
                             const T *val, struct X(sent) *b, psb_epk *missing)
{
    struct psb_find f = { .nz = q->nz };
    PSB_TRY(find_on_device(a, &f, ia, ja, b, q, missing));
    if (!val || *missing >= 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(&b->val, a->on, q->nz, sizeof *val, val, "values of entries", &q->val));
    return X(conversions_of)(a)->entries->put(a, q);
}

/* If the device has not enough memory for the batch, the host inserts it. */
psb_err X(device_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                      enum psb_dupl dupl)
{
    struct psb_placed q = { .nz = nz, .overwrite = dupl != PSB_DUPL_ADD };
    struct X(sent) b = { .ia = { 0 } };
    psb_epk k = -1;
    if (!is_worth_changing(a, nz))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = put_on_device(a, &q, ia, ja, val, &b, &k);
    psb_expect_errors(0);
    if (X(sent_free)(&b, e) != PSB_OK)
        return PSB_ENOTIMPL;
    PSB_CHECK(k < 0, PSB_EARG, PSB_NO_ENTRY, k, ia[k], ja[k]);
    return PSB_OK;
}

/* --- values in CSR or HLL --------------------------------------------------------------------------- */

static psb_err dev_compressed_find(struct X(mat) *a, const struct psb_find *q)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(conversions_of)(a)->compressed(a, 0, &l));
    return PSB_KERNELS(X(compressed_steps), a->on)->find(&l, q);
}

static psb_err dev_compressed_put(struct X(mat) *a, const struct psb_placed *q)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(conversions_of)(a)->compressed(a, 1, &l));
    return PSB_KERNELS(X(compressed_steps), a->on)->put(&l, q);
}

static psb_err dev_compressed_diagonal(struct X(mat) *a, const struct psb_diagonal *q)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(conversions_of)(a)->compressed(a, 0, &l));
    return PSB_KERNELS(X(compressed_steps), a->on)->diagonal(&l, q);
}

static psb_err dev_compressed_scale(struct X(mat) *a, const struct psb_factors *q)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(conversions_of)(a)->compressed(a, 1, &l));
    return PSB_KERNELS(X(compressed_steps), a->on)->scale(&l, q);
}

static psb_err dev_compressed_zero(struct X(mat) *a)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(conversions_of)(a)->compressed(a, 1, &l));
    return PSB_KERNELS(X(compressed_steps), a->on)->zero(&l, X(device_values)(a)->bytes);
}

const struct X(dev_values) X(compressed_values) = {
    .find = dev_compressed_find,
    .put = dev_compressed_put,
    .diagonal = dev_compressed_diagonal,
    .scale = dev_compressed_scale,
    .zero = dev_compressed_zero,
};
