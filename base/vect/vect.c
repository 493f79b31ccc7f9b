/* vect.c -- base/vect: vectors: creation, insertion, assembly, copies. */
#include "vect.h"
#include "channel.h"
#include "desc.h"
#include "coll.h"
#include "remote.h"
#include <string.h>
#include "psb_type.h"

/* The device of the mold, unless it has no operations on vectors of this type. */
static const struct psb_device *device_of(const struct psb_vmold *mold)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    return on && on->X(vec) ? on : NULL;
}

/* An array of n rows of k zeros, without memory. */
static psb_err zero_array(struct psb_dual *d, psb_ipk n, int k, const struct psb_device *on)
{
    PSB_TRY(psb_dual_init(d, (size_t)n * (size_t)k, sizeof(T), on, "vector"));
    d->owner = d->owner == PSB_OF_MATRICES ? PSB_OF_VECTORS : d->owner;
    psb_dual_zeros(d);
    return PSB_OK;
}

/* Without a device, its memory now: the caller learns here that there is none, and threads may read it. */
static psb_err fill_on_host(const struct psb_dual *d)
{
    const T *p;
    return d->on ? PSB_OK : psb_dual_read(d, PSB_HOST, &p);
}

/* --- creation ------------------------------------------------------------------------------------------ */

/* *x = new, or, after an error, free it. */
static psb_err hand_over(struct X(vect) *new, psb_err e, struct X(vect) **x)
{
    if (e == PSB_OK)
        *x = new;
    else
        X(gefree)(new);
    return e;
}

static psb_err new_vector(struct X(vect) **x, psb_ipk n, int k, const struct psb_device *on)
{
    struct X(vect) *new;
    PSB_NEED(x, "where to store the vector");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_CHECK(k >= 1, PSB_EARG, "argument k is %d; expected at least one column", k);
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "vector"));
    new->n = n;
    new->ncols = k;
    new->state = PSB_ASSEMBLED;
    psb_err e = zero_array(&new->v, n, k, on);
    return hand_over(new, e, x);
}

psb_err X(vect_new_n)(struct X(vect) **x, psb_ipk n, int k, const struct psb_vmold *mold)
{
    struct X(vect) *new;
    PSB_NEED(x, "where to store the vector");
    PSB_TRY(new_vector(&new, n, k, device_of(mold)));
    psb_err e = fill_on_host(&new->v);
    return PSB_PASS(hand_over(new, e, x));
}

psb_err X(vect_new)(struct X(vect) **x, psb_ipk n, const struct psb_vmold *mold)
{
    return PSB_PASS(X(vect_new_n)(x, n, 1, mold));
}

psb_err X(vect_bld)(struct X(vect) **x, psb_ipk n, int k, const T *from, const struct psb_vmold *mold)
{
    struct X(vect) *new;
    PSB_NEED(x, "where to store the vector");
    PSB_CHECK(from || n <= 0, PSB_EARG, "argument from is NULL; expected %d rows", n);
    PSB_TRY(X(vect_new_n)(&new, n, k, mold));
    psb_err e = X(set_vect)(new, n, from);
    return PSB_PASS(hand_over(new, e, x));
}

psb_err X(geall_n)(struct X(vect) **x, psb_desc *desc, int k)
{
    struct X(vect) *new;
    PSB_NEED(x, "where to store the vector");
    PSB_NEED_HANDLE(desc, "a descriptor");
    PSB_TRY(new_vector(&new, psb_cd_local_rows(desc), k, NULL));
    psb_err e = psb_desc_hold(desc, "desc");
    new->desc = e == PSB_OK ? desc : NULL;
    new->state = PSB_BUILD;
    return PSB_PASS(hand_over(new, e, x));
}

psb_err X(geall)(struct X(vect) **x, psb_desc *desc)
{
    return PSB_PASS(X(geall_n)(x, desc, 1));
}

/* --- insertion ---------------------------------------------------------------------------------------- */

static void put_row(T *to, const T *from, int k, enum psb_dupl dupl)
{
    for (int j = 0; j < k; j++)
        to[j] = dupl == PSB_DUPL_ADD ? to[j] + from[j] : from[j];
}

psb_err X(vect_check_dupl)(enum psb_dupl dupl)
{
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE, PSB_EARG,
              "argument dupl is %d; expected PSB_DUPL_ADD or PSB_DUPL_OVERWRITE", (int)dupl);
    return PSB_OK;
}

psb_err X(geins)(psb_epk n, const psb_lpk *irw, const T *val, struct X(vect) *x, enum psb_dupl dupl)
{
    T *p;
    psb_epk far;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_CHECK(x->desc && (x->state == PSB_BUILD || x->reopened), PSB_ESTATE,
              "the vector is %s; expected state BUILD", x->desc ? "assembled" : "a local one");
    PSB_TRY(X(vect_check_idle)(x));
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected >= 0", n);
    PSB_CHECK(n == 0 || (irw && val), PSB_EARG, "argument %s is NULL; expected %" PRId64 " rows",
              irw ? "val" : "irw", n);
    PSB_TRY(X(vect_check_dupl)(dupl));
    far = 0;
    for (psb_epk i = 0; i < n; i++) {
        if (psb_map_g2l(x->desc->map, psb_from_0(irw[i])) >= 0)
            continue;
        PSB_TRY(psb_desc_check_one(x->desc, i, irw[i], "irw"));
        PSB_TRY(psb_remote_refuse(x->remote_mode, i, irw[i], "irw", "psb_ge_set_remote"));
        ++far;
    }
    PSB_TRY(psb_dual_update(&x->v, PSB_HOST, &p));
    if (x->remote && far)
        PSB_TRY(X(vect_keep_remote)(x, n, irw, val, dupl, far));
    else
        x->dropped += far;
    for (psb_epk i = 0; i < n; i++) {
        psb_ipk row = psb_map_g2l(x->desc->map, irw[i] - psb_index_base());
        if (row >= 0)
            put_row(p + (size_t)row * (size_t)x->ncols, val + i * x->ncols, x->ncols, dupl);
    }
    return PSB_OK;
}

/* --- assembly ----------------------------------------------------------------------------------------- */

/* Move the values of x to an array that also holds the halo, on device `on`. */
static psb_err grow_vector(struct X(vect) *x, const struct psb_device *on)
{
    const T *old;
    T *p;
    struct psb_dual d = { 0 };
    psb_ipk n = psb_cd_local_cols(x->desc);
    if (x->v.borrowed) /* by psb_ge_wrap, halo included */
        return PSB_OK;
    psb_err e = zero_array(&d, n, x->ncols, on);
    if (e == PSB_OK && x->v.valid != PSB_ZEROS) {
        e = psb_dual_read(&x->v, PSB_HOST, &old);
        PSB_THEN(e, psb_dual_update(&d, PSB_HOST, &p));
        if (e == PSB_OK)
            memcpy(p, old, (size_t)x->n * (size_t)x->ncols * sizeof *p);
    }
    PSB_THEN(e, fill_on_host(&d));
    if (e != PSB_OK) {
        psb_dual_free(&d);
        return e;
    }
    psb_dual_free(&x->v);
    x->v = d;
    x->n = n;
    return PSB_OK;
}

/* Agree on errors and the number of columns; *remote = 1 if a process keeps elements for others, *device = 1
 * if one has a device. */
static psb_err agree_on_vector(const struct X(vect) *x, const struct psb_device *on, psb_err err, int *remote,
                               int *device)
{
    int k[4] = { x->ncols, -x->ncols, x->remote != NULL, on != NULL };
    PSB_TRY(psb_reduce(psb_cd_ctxt(x->desc), PSB_MAX, PSB_KIND_i, 4, k, err));
    *remote = k[2] != 0;
    *device = k[3] != 0;
    PSB_CHECK(k[0] == -k[1], PSB_EARG,
              "the vector has %d columns here, %d on one process and %d on another; expected as many on all",
              x->ncols, k[0], -k[1]);
    return PSB_OK;
}

/* Choose how rows of x are exchanged by plan h of its descriptor, if that has no channel, or one for hosts
 * and a process has a device, or one for shorter rows, or one on a device that was closed.  All processes
 * make the same decisions, since they assemble the same vectors. */
static psb_err choose_transport(const struct X(vect) *x, struct psb_halo *h, const struct psb_device *on,
                                int device)
{
    const size_t row = (size_t)x->ncols * sizeof(T);
    psb_channel_drop_closed(h);
    h->row = row > h->row ? row : h->row;
    if (h->channel && h->row > psb_channel_row(h->channel))
        PSB_TRY(psb_channel_lengthen(psb_cd_ctxt(x->desc), h, h->row));
    if (h->settled || (h->transport && !device))
        return PSB_OK;
    PSB_TRY(
        psb_channel_make(psb_cd_ctxt(x->desc), h, h->row, on, device ? PSB_CHANNEL_ANY : PSB_CHANNEL_HOSTS));
    h->settled = device;
    if (device)
        psb_transport_log(psb_cd_ctxt(x->desc), h);
    return PSB_OK;
}

/* For the halo, and for rows with several owners, if any process has some. */
static psb_err choose_transports(const struct X(vect) *x, const struct psb_device *on, int device)
{
    psb_desc *d = x->desc;
    PSB_TRY(choose_transport(x, psb_desc_halo(d), on, device));
    if (!d->map->several)
        return PSB_OK;
    d->overlap.plan.what = "rows of several owners";
    return choose_transport(x, &d->overlap.plan, on, device);
}

psb_err X(geasb_on)(struct X(vect) *x, const struct psb_device *on)
{
    int remote, device;
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    psb_err e = PSB_OK;
    if (x->reopened) { /* by psb_gereinit */
        PSB_TRY(agree_on_vector(x, x->v.on, X(vect_check_idle)(x), &remote, &device));
        if (remote)
            PSB_TRY(X(vect_fetch_remote)(x));
        X(vect_drop_remote)(x);
        x->reopened = 0;
        return PSB_OK;
    }
    if (x->state != PSB_BUILD)
        e = PSB_FAIL(PSB_ESTATE, "the vector is assembled already; expected state BUILD");
    else if (psb_cd_state(x->desc) != PSB_ASSEMBLED)
        e = PSB_FAIL(PSB_ESTATE, "the descriptor is not assembled; expected psb_cdasb before psb_geasb");
    PSB_TRY(agree_on_vector(x, on, e, &remote, &device));
    PSB_TRY(choose_transports(x, on, device));
    if (remote)
        PSB_TRY(X(vect_fetch_remote)(x));
    PSB_TRY(psb_agree(psb_cd_ctxt(x->desc), grow_vector(x, on)));
    X(vect_drop_remote)(x);
    x->state = PSB_ASSEMBLED;
    psb_desc_add_dependent(x->desc, 1);
    return PSB_OK;
}

psb_err X(geasb)(struct X(vect) *x, const struct psb_vmold *mold)
{
    return PSB_PASS(X(geasb_on)(x, device_of(mold)));
}

static psb_err check_memory(const psb_desc *desc, int k, const struct psb_vmold *mold, psb_epk n,
                            const T *memory)
{
    const psb_ipk rows = psb_cd_local_cols(desc);
    PSB_CHECK(psb_cd_state(desc) == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before psb_ge_wrap");
    PSB_CHECK(device_of(mold) || !mold || !mold->device || !mold->device(), PSB_ENOTIMPL,
              "argument mold is %s, which has no vectors of integers; expected one of the host", mold->name);
    PSB_CHECK(k >= 1, PSB_EARG, "argument k is %d; expected at least one column", k);
    PSB_CHECK(n >= (psb_epk)rows * k, PSB_EARG,
              "argument n is %" PRId64 "; expected at least %" PRId64
              " elements: %d columns of %d rows owned and %d of the halo",
              n, (psb_epk)rows * k, k, psb_cd_local_rows(desc), rows - psb_cd_local_rows(desc));
    PSB_CHECK(memory || n == 0, PSB_EARG, "argument memory is NULL; expected %" PRId64 " elements", n);
    return psb_dual_check(device_of(mold), "memory", memory, sizeof(T));
}

/* *x = a vector in state BUILD, whose array, halo included, is memory of the caller. */
static psb_err vector_over(struct X(vect) **x, psb_desc *desc, int k, const struct psb_device *on, T *memory)
{
    PSB_TRY(X(geall_n)(x, desc, k));
    const psb_ipk n = (*x)->n = psb_cd_local_cols(desc);
    return psb_dual_lend(&(*x)->v, (size_t)n * (size_t)k, sizeof(T), on, "vector", on ? PSB_DEV : PSB_HOST,
                         memory);
}

psb_err X(ge_wrap)(struct X(vect) **x, psb_desc *desc, int k, const struct psb_vmold *mold, psb_epk n,
                   T *memory)
{
    struct X(vect) *new = NULL;
    PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = x ? check_memory(desc, k, mold, n, memory)
                  : PSB_FAIL(PSB_EARG, "argument x is NULL; expected where to store the vector");
    PSB_THEN(e, vector_over(&new, desc, k, device_of(mold), memory));
    e = psb_agree(psb_cd_ctxt(desc), e);
    PSB_THEN(e, X(geasb_on)(new, device_of(mold)));
    return PSB_PASS(hand_over(new, e, x));
}

psb_err X(gereinit)(struct X(vect) *x, int clear)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(X(vect_check_idle)(x));
    if (clear) {
        PSB_TRY(X(vect_zero)(x));
        X(vect_drop_remote)(x);
    }
    const int was = x->reopened;
    x->reopened = x->state == PSB_ASSEMBLED;
    psb_err e = x->remote_mode == PSB_REMOTE_SEND ? X(ge_set_remote)(x, PSB_REMOTE_SEND) : PSB_OK;
    if (e != PSB_OK)
        x->reopened = was;
    return PSB_PASS(e);
}

/* --- copy, move, free -------------------------------------------------------------------------------- */

/* Copy the values of x to the new vector y, which holds zeros. */
static psb_err copy_into(struct X(vect) *y, const struct X(vect) *x)
{
    const T *from;
    T *to;
    enum psb_side s = x->v.valid & PSB_DEV ? PSB_DEV : PSB_HOST;
    if (x->v.valid != PSB_ZEROS) {
        PSB_TRY(psb_dual_read(&x->v, s, &from));
        PSB_TRY(psb_dual_write(&y->v, s, &to));
        PSB_TRY(X(vec)(s, x->v.on)->axpby((psb_epk)x->n * x->ncols, 1, from, 0, to));
    }
    return psb_remote_copy(&y->remote, x->remote);
}

/* Local vectors have no descriptor. */
static bool same_rows(const struct X(vect) *x, const struct X(vect) *y)
{
    if (x->desc || y->desc)
        return psb_cd_same_rows(x->desc, y->desc);
    return X(vect_owned)(x) == X(vect_owned)(y);
}

psb_err X(vect_copy)(const struct X(vect) *x, struct X(vect) *y)
{
    const T *from;
    T *to;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED_HANDLE(y, "a vector");
    PSB_CHECK(x->state == PSB_ASSEMBLED && y->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before",
              x->state == PSB_ASSEMBLED ? "y" : "x");
    PSB_CHECK(
        same_rows(x, y) && x->ncols == y->ncols, PSB_EARG,
        "arguments x (%d rows, columns: %d) and y (%d, %d) differ in rows or columns; expected the same rows",
        X(vect_owned)(x), x->ncols, X(vect_owned)(y), y->ncols);
    enum psb_side s = X(vect_side)(x, y);
    PSB_TRY(psb_dual_read(&x->v, s, &from));
    PSB_TRY(X(vect_open)(y, s, 1, &to));
    return PSB_PASS(X(vec)(s, x->v.on)->axpby((psb_epk)X(vect_owned)(x) * x->ncols, 1, from, 0, to));
}

/* list[i] = the local number in x of owned row i of y. */
static psb_err rows_by_global_index(const struct X(vect) *x, const struct X(vect) *y, psb_ipk *list)
{
    const psb_ipk n = X(vect_owned)(y);
    for (psb_ipk i = 0; i < n; i++) {
        const psb_lpk g = psb_loc_to_glob(y->desc, i);
        list[i] = psb_is_owned(x->desc, g) ? psb_glob_to_loc(x->desc, g) : -1;
        PSB_CHECK(list[i] >= 0, PSB_EARG,
                  "argument y owns row %" PRId64 ", which x does not; expected the same rows", g);
    }
    return PSB_OK;
}

static psb_err copy_by_list(const struct X(vect) *x, struct psb_dual *list, struct X(vect) *y)
{
    psb_ipk *rows;
    const psb_ipk *on_side;
    const T *from;
    T *to;
    const enum psb_side s = X(vect_side)(x, y);
    PSB_TRY(psb_dual_init(list, (size_t)X(vect_owned)(y), sizeof *rows, x->v.on, "listed rows"));
    PSB_TRY(psb_dual_write(list, PSB_HOST, &rows));
    PSB_TRY(rows_by_global_index(x, y, rows));
    PSB_TRY(psb_dual_read(list, s, &on_side));
    PSB_TRY(psb_dual_read(&x->v, s, &from));
    PSB_TRY(X(vect_open)(y, s, 1, &to));
    return X(vec)(s, x->v.on)->gth(X(vect_owned)(y), on_side, x->ncols, from, to);
}

psb_err X(vect_renum)(const struct X(vect) *x, struct X(vect) *y)
{
    struct psb_dual list = { 0 };
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(X(vect_check_distributed)(y, "y"));
    PSB_CHECK(x->state == PSB_ASSEMBLED && y->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before",
              x->state == PSB_ASSEMBLED ? "y" : "x");
    PSB_CHECK(x != y, PSB_EARG, "argument y is x; expected another vector");
    PSB_CHECK(
        X(vect_owned)(x) == X(vect_owned)(y) && x->ncols == y->ncols, PSB_EARG,
        "arguments x (%d rows, columns: %d) and y (%d, %d) differ in rows or columns; expected the same",
        X(vect_owned)(x), x->ncols, X(vect_owned)(y), y->ncols);
    psb_err e = copy_by_list(x, &list, y);
    psb_dual_free(&list);
    return PSB_PASS(e);
}

/* *y = a vector of zeros, without memory, that is else like x. */
static psb_err zeros_like(const struct X(vect) *x, struct X(vect) **y)
{
    struct X(vect) *new;
    PSB_TRY(X(vect_check_idle)(x));
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "vector"));
    psb_err e = x->desc ? psb_desc_hold(x->desc, "x") : PSB_OK;
    new->desc = e == PSB_OK ? x->desc : NULL;
    new->state = x->state;
    if (x->state == PSB_ASSEMBLED)
        psb_desc_add_dependent(new->desc, 1);
    new->n = x->n;
    new->ncols = x->ncols;
    new->remote_mode = x->remote_mode;
    new->reopened = x->reopened;
    PSB_THEN(e, zero_array(&new->v, x->n, x->ncols, x->v.on));
    return hand_over(new, e, y);
}

psb_err X(vect_clone)(const struct X(vect) *x, struct X(vect) **y)
{
    struct X(vect) *new;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED(y, "where to store the vector");
    PSB_TRY(zeros_like(x, &new));
    return PSB_PASS(hand_over(new, copy_into(new, x), y));
}

psb_err X(vect_like)(const struct X(vect) *x, struct X(vect) **y)
{
    struct X(vect) *new;
    T *p;
    PSB_TRY(zeros_like(x, &new));
    psb_err e = psb_dual_write(&new->v, x->v.on ? PSB_DEV : PSB_HOST, &p);
    psb_dual_zeros(&new->v);
    return PSB_PASS(hand_over(new, e, y));
}

psb_err X(vect_cnv)(struct X(vect) *x, const struct psb_vmold *mold)
{
    const struct psb_device *on = device_of(mold);
    PSB_NEED_HANDLE(x, "a vector");
    PSB_TRY(X(vect_check_idle)(x));
    if (x->v.on == on)
        return PSB_OK;
    PSB_TRY(psb_dual_move(&x->v, on));
    return PSB_PASS(fill_on_host(&x->v));
}

void X(gefree)(struct X(vect) *x)
{
    if (!psb_may_free(x, __func__))
        return;
    if (x->state == PSB_ASSEMBLED)
        psb_desc_add_dependent(x->desc, -1);
    X(vect_abandon)(x);
    X(vect_drop_remote)(x);
    psb_dual_free(&x->v);
    if (x->release)
        x->release(x->held);
    psb_desc_release(x->desc);
    psb_retire(x, sizeof *x);
}
