/* vect_access.c -- base/vect: vectors: queries and access to elements. */
#include "vect.h"
#include <string.h>
#include "psb_type.h"

/* --- inside ------------------------------------------------------------------------------------------- */

psb_ipk X(vect_owned)(const struct X(vect) *x)
{
    return x->desc ? psb_cd_local_rows(x->desc) : x->n;
}

psb_err X(vect_check_idle)(const struct X(vect) *v)
{
    PSB_CHECK(v->exchange == PSB_IDLE, PSB_ESTATE,
              "the halo of the vector is being exchanged; expected psb_halo_end before");
    return PSB_OK;
}

psb_err X(vect_check_distributed)(const struct X(vect) *v, const char *name)
{
    PSB_CHECK(psb_is_live(v) && v->desc, PSB_EARG, "argument %s is %s; expected a distributed vector", name,
              psb_is_live(v) ? "local" : psb_handle_state(v));
    return PSB_OK;
}

psb_err X(vect_open)(struct X(vect) *y, enum psb_side s, int all, T **p)
{
    int halo = y->n > X(vect_owned)(y); /* the halo keeps its values, so they must be current */
    int write = all && (!halo || (y->v.valid & s));
    PSB_TRY(X(vect_check_idle)(y));
    return PSB_PASS(write ? psb_dual_write(&y->v, s, p) : psb_dual_update(&y->v, s, p));
}

enum psb_side X(vect_side)(const struct X(vect) *x, const struct X(vect) *y)
{
    return x->v.on && x->v.on == y->v.on ? PSB_DEV : PSB_HOST;
}

static size_t row_bytes(const struct X(vect) *x)
{
    return (size_t)x->ncols * sizeof(T);
}

/* --- queries ------------------------------------------------------------------------------------------ */

psb_ipk X(vect_get_nrows)(const struct X(vect) *x)
{
    return x ? x->n : 0;
}

int X(vect_get_ncols)(const struct X(vect) *x)
{
    return x ? x->ncols : 0;
}

size_t X(vect_sizeof)(const struct X(vect) *x)
{
    return x ? x->v.bytes : 0;
}

int X(vect_is_host)(const struct X(vect) *x)
{
    return x && (x->v.valid == PSB_HOST || x->v.valid == PSB_ZEROS);
}

int X(vect_is_dev)(const struct X(vect) *x)
{
    return x && x->v.valid == PSB_DEV;
}

int X(vect_is_sync)(const struct X(vect) *x)
{
    return x && x->v.valid == (PSB_HOST | PSB_DEV);
}

psb_err X(vect_sync)(const struct X(vect) *x)
{
    const T *p;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    return PSB_PASS(x->v.on ? psb_dual_read(&x->v, PSB_DEV, &p) : PSB_OK);
}

/* --- elements ----------------------------------------------------------------------------------------- */

psb_err X(set_scal)(T a, struct X(vect) *x)
{
    T *p;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_TRY(X(vect_check_idle)(x));
    enum psb_side s = X(vect_side)(x, x);
    PSB_TRY(psb_dual_write(&x->v, s, &p));
    return PSB_PASS(X(vec)(s, x->v.on)->fill((psb_epk)x->n * x->ncols, a, p));
}

psb_err X(vect_zero)(struct X(vect) *x)
{
    return PSB_PASS(X(set_scal)(0, x));
}

static psb_err row_of(const struct X(vect) *x, psb_ipk i, T *val)
{
    const T *p;
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    memcpy(val, p + (size_t)i * (size_t)x->ncols, row_bytes(x));
    return PSB_OK;
}

psb_err X(getelem)(const struct X(vect) *x, psb_lpk g, T *val)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_NEED(val, "where to store the element");
    PSB_CHECK(psb_is_owned(x->desc, g), PSB_EARG,
              "argument g is %" PRId64 "; expected a row owned here, %" PRId64 " <= g < %" PRId64, g,
              (psb_lpk)psb_index_base(), psb_cd_global_rows(x->desc) + psb_index_base());
    return PSB_PASS(row_of(x, psb_glob_to_loc(x->desc, g), val));
}

psb_err X(vect_get_entry)(const struct X(vect) *x, psb_ipk i, T *val)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED(val, "where to store the element");
    PSB_CHECK(i >= 0 && i < x->n, PSB_EARG, "argument i is %d; expected 0 <= i < %d", i, x->n);
    return PSB_PASS(row_of(x, i, val));
}

static psb_err check_count(const struct X(vect) *x, psb_ipk n, const void *p, const char *name)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_CHECK(n >= 0 && n <= x->n, PSB_EARG, "argument n is %d; expected 0 <= n <= %d", n, x->n);
    PSB_CHECK(p || n == 0, PSB_EARG, "argument %s is NULL; expected an array of %d rows", name, n);
    return PSB_OK;
}

psb_err X(get_vect)(const struct X(vect) *x, psb_ipk n, T *to)
{
    const T *p;
    PSB_TRY(check_count(x, n, to, "to"));
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    if (n)
        memcpy(to, p, (size_t)n * row_bytes(x));
    return PSB_OK;
}

psb_err X(set_vect)(struct X(vect) *x, psb_ipk n, const T *from)
{
    T *p;
    PSB_TRY(check_count(x, n, from, "from"));
    PSB_TRY(X(vect_open)(x, PSB_HOST, n == x->n, &p));
    if (n)
        memcpy(p, from, (size_t)n * row_bytes(x));
    return PSB_OK;
}

/* --- rows by a list ----------------------------------------------------------------------------------- */

static psb_err check_list(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, const void *buf)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_CHECK(n == 0 || (idx && buf), PSB_EARG, "argument %s is NULL; expected %d of them",
              idx ? "buf" : "idx", n);
    for (psb_ipk i = 0; i < n; i++)
        PSB_CHECK(idx[i] >= 0 && idx[i] < x->n, PSB_EARG, "argument idx[%d] is %d; expected 0 <= idx < %d", i,
                  idx[i], x->n);
    return PSB_OK;
}

psb_err X(vect_gth)(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, T *buf)
{
    const T *p;
    PSB_TRY(check_list(x, n, idx, buf));
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &p));
    return PSB_PASS(X(vec_host).gth(n, idx, x->ncols, p, buf));
}

psb_err X(vect_sct)(psb_ipk n, const psb_ipk *idx, const T *buf, T beta, struct X(vect) *x)
{
    T *p;
    PSB_TRY(check_list(x, n, idx, buf));
    PSB_TRY(X(vect_open)(x, PSB_HOST, 0, &p));
    for (psb_ipk i = 0; i < n; i++) { /* sequential: an index may occur twice */
        T *to = p + (size_t)idx[i] * (size_t)x->ncols;
        const T *from = buf + (size_t)i * (size_t)x->ncols;
        for (int j = 0; j < x->ncols; j++)
            to[j] = beta == 0 ? from[j] : beta * to[j] + from[j];
    }
    return PSB_OK;
}

/* --- addresses ---------------------------------------------------------------------------------------- */

static psb_err check_access(const struct X(vect) *x, const void *p)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED(p, "where to store the address");
    return PSB_OK;
}

static psb_err check_change(const struct X(vect) *x, const void *p)
{
    PSB_TRY(check_access(x, p));
    return X(vect_check_idle)(x);
}

/* The address of the copy on side s, for one use of psb_dual. */
/* clang-format off */
#define ADDRESS(name, constant, check, use, s) psb_err X(name)(constant struct X(vect) *x, constant T **p) \
    { PSB_TRY(check(x, p)); return PSB_PASS(use(&x->v, s, p)); }
/* clang-format on */
ADDRESS(host_read, const, check_access, psb_dual_read, PSB_HOST)
ADDRESS(host_write, , check_change, psb_dual_write, PSB_HOST)
ADDRESS(host_update, , check_change, psb_dual_update, PSB_HOST)
ADDRESS(device_read, const, check_access, psb_dual_read, PSB_DEV)
ADDRESS(device_write, , check_change, psb_dual_write, PSB_DEV)
ADDRESS(device_update, , check_change, psb_dual_update, PSB_DEV)
