/* vect.c -- room: base.  Vectors: made, filled, looked at. */
#include "psb_base.h"
#include "comm.h"
#include <string.h>
#include "psb_type.h"

static const struct psb_device *device_of(const struct psb_vmold *mold)
{
    return mold && mold->device ? mold->device() : NULL;
}

/* An array of n zeros that travels. */
static psb_err zeros(struct psb_dual *d, psb_ipk n, const struct psb_device *on)
{
    T *p;
    PSB_TRY(psb_dual_init(d, (size_t)n, sizeof *p, on, "vector"));
    d->pinned = 1;
    PSB_TRY(psb_dual_write(d, PSB_HOST, &p));
    memset(p, 0, d->bytes);
    return PSB_OK;
}

psb_err X(vect_new)(struct X(vect) **x, psb_ipk n, const struct psb_vmold *mold)
{
    struct X(vect) *new;
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected where to store the vector");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "vector"));
    new->n = n;
    new->state = PSB_ASSEMBLED;
    psb_err e = zeros(&new->v, n, device_of(mold));
    if (e != PSB_OK) {
        X(gefree)(new);
        return e;
    }
    *x = new;
    return PSB_OK;
}

psb_err X(geall)(struct X(vect) **x, psb_desc *desc)
{
    struct X(vect) *new;
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected where to store the vector");
    PSB_CHECK(desc, PSB_EARG, "argument desc is NULL; expected a descriptor");
    PSB_TRY(X(vect_new)(&new, psb_cd_local_rows(desc), NULL));
    psb_err e = psb_desc_hold(desc, "desc");
    if (e != PSB_OK) {
        X(gefree)(new);
        return e;
    }
    new->desc = desc;
    new->state = PSB_BUILD;
    *x = new;
    return PSB_OK;
}

psb_err X(geins)(psb_epk n, const psb_lpk *irw, const T *val, struct X(vect) *x, enum psb_dupl dupl)
{
    T *p;
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected a vector");
    PSB_CHECK(x->desc && x->state == PSB_BUILD, PSB_ESTATE, "the vector is %s; expected state BUILD",
              x->desc ? "assembled" : "a local one");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected >= 0", n);
    PSB_CHECK(n == 0 || (irw && val), PSB_EARG, "argument %s is NULL", irw ? "val" : "irw");
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE, PSB_EARG,
              "argument dupl is %d; expected PSB_DUPL_ADD or PSB_DUPL_OVERWRITE", (int)dupl);
    psb_lpk m = psb_cd_global_rows(x->desc);
    for (psb_epk k = 0; k < n; k++)
        PSB_CHECK(irw[k] >= 0 && irw[k] < m, PSB_EARG,
                  "argument irw[%" PRId64 "] is %" PRId64 "; expected 0 <= irw < %" PRId64, k, irw[k], m);
    PSB_TRY(psb_dual_update(&x->v, PSB_HOST, &p));
    for (psb_epk k = 0; k < n; k++)
        if (psb_is_owned(x->desc, irw[k])) {
            psb_ipk i = psb_glob_to_loc(x->desc, irw[k]);
            p[i] = dupl == PSB_DUPL_ADD ? p[i] + val[k] : val[k];
        }
    return PSB_OK;
}

/* The values of x in an array with room for the halo, on device `on`. */
static psb_err grow(struct X(vect) *x, const struct psb_device *on)
{
    const T *old;
    T *p;
    struct psb_dual d = { 0 };
    psb_ipk n = psb_cd_local_cols(x->desc);
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &old));
    psb_comm_free(x->comm); /* of an attempt that failed elsewhere */
    x->comm = NULL;
    PSB_TRY(psb_comm_new(&x->comm, psb_desc_halo(x->desc), sizeof *p, on));
    psb_err e = zeros(&d, n, on);
    if (e == PSB_OK)
        e = psb_dual_update(&d, PSB_HOST, &p);
    if (e != PSB_OK) {
        psb_dual_free(&d);
        psb_comm_free(x->comm);
        x->comm = NULL;
        return e;
    }
    memcpy(p, old, (size_t)x->n * sizeof *p);
    psb_dual_free(&x->v);
    x->v = d;
    x->n = n;
    return PSB_OK;
}

psb_err X(geasb)(struct X(vect) *x, const struct psb_vmold *mold)
{
    PSB_CHECK(x && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              x ? "local" : "NULL");
    psb_err e = PSB_OK;
    if (x->state != PSB_BUILD)
        e = PSB_FAIL(PSB_ESTATE, "the vector is assembled already; expected state BUILD");
    else if (psb_cd_state(x->desc) != PSB_ASSEMBLED)
        e = PSB_FAIL(PSB_ESTATE, "the descriptor is not assembled; expected psb_cdasb before psb_geasb");
    else
        e = grow(x, device_of(mold));
    PSB_TRY(psb_agree(psb_cd_ctxt(x->desc), e));
    x->state = PSB_ASSEMBLED;
    return PSB_OK;
}

void X(gefree)(struct X(vect) *x)
{
    if (!x)
        return;
    psb_comm_free(x->comm);
    psb_dual_free(&x->v);
    psb_cdfree(x->desc);
    psb_free(x);
}

/* --- access ----------------------------------------------------------------------------------------- */

psb_err X(vect_open)(struct X(vect) *y, enum psb_side s, int all, T **p)
{
    int halo = y->desc && y->n > psb_cd_local_rows(y->desc); /* it is not overwritten: it must be current */
    int write = all && (!halo || (y->v.valid & s));
    return write ? psb_dual_write(&y->v, s, p) : psb_dual_update(&y->v, s, p);
}

enum psb_side X(vect_side)(const struct X(vect) *x, const struct X(vect) *y)
{
    return x->v.on && x->v.on == y->v.on ? PSB_DEV : PSB_HOST;
}

psb_err X(set_scal)(T a, struct X(vect) *x)
{
    T *p;
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected a vector");
    enum psb_side s = X(vect_side)(x, x);
    PSB_TRY(psb_dual_write(&x->v, s, &p));
    return X(vec)(s, x->v.on)->fill(x->n, a, p);
}

psb_err X(getelem)(struct X(vect) *x, psb_lpk g, T *val)
{
    const T *p;
    PSB_CHECK(x && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              x ? "local" : "NULL");
    PSB_CHECK(val, PSB_EARG, "argument val is NULL; expected where to store the element");
    PSB_CHECK(psb_is_owned(x->desc, g), PSB_EARG, "argument g is %" PRId64 "; expected a row owned here", g);
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    *val = p[psb_glob_to_loc(x->desc, g)];
    return PSB_OK;
}

static psb_err check_count(const struct X(vect) *x, psb_ipk n, const void *p)
{
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected a vector");
    PSB_CHECK(n >= 0 && n <= x->n, PSB_EARG, "argument n is %d; expected 0 <= n <= %d", n, x->n);
    PSB_CHECK(p || n == 0, PSB_EARG, "the array is NULL; expected one of %d elements", n);
    return PSB_OK;
}

static psb_err check_access(const struct X(vect) *x, const void *p)
{
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected a vector");
    PSB_CHECK(p, PSB_EARG, "argument p is NULL; expected where to store the address");
    return PSB_OK;
}

psb_err X(get_vect)(struct X(vect) *x, psb_ipk n, T *to)
{
    const T *p;
    PSB_TRY(check_count(x, n, to));
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    if (n)
        memcpy(to, p, (size_t)n * sizeof *to);
    return PSB_OK;
}

psb_err X(set_vect)(struct X(vect) *x, psb_ipk n, const T *from)
{
    T *p;
    PSB_TRY(check_count(x, n, from));
    PSB_TRY(X(vect_open)(x, PSB_HOST, n == x->n, &p));
    if (n)
        memcpy(p, from, (size_t)n * sizeof *p);
    return PSB_OK;
}

psb_err X(host_read)(struct X(vect) *x, const T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_read(&x->v, PSB_HOST, p);
}

psb_err X(host_write)(struct X(vect) *x, T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_write(&x->v, PSB_HOST, p);
}

psb_err X(host_update)(struct X(vect) *x, T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_update(&x->v, PSB_HOST, p);
}

psb_err X(device_read)(struct X(vect) *x, const T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_read(&x->v, PSB_DEV, p);
}

psb_err X(device_write)(struct X(vect) *x, T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_write(&x->v, PSB_DEV, p);
}

psb_err X(device_update)(struct X(vect) *x, T **p)
{
    PSB_TRY(check_access(x, p));
    return psb_dual_update(&x->v, PSB_DEV, p);
}
