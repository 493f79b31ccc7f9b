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

static psb_err check_list(const struct X(vect) *x, psb_epk n, const psb_ipk *idx, const void *buf,
                          const char *buf_name)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected >= 0", n);
    PSB_CHECK(n == 0 || (idx && buf), PSB_EARG, "argument %s is NULL; expected %" PRId64 " of them",
              idx ? buf_name : "idx", n);
    for (psb_epk i = 0; i < n; i++)
        PSB_CHECK(idx[i] >= 0 && idx[i] < x->n, PSB_EARG,
                  "argument idx[%" PRId64 "] is %d; expected 0 <= idx < %d", i, idx[i], x->n);
    return PSB_OK;
}

/* Make *d an array of n rows of `size` bytes whose host copy is the caller's array at `host`, for the device
 * of x. */
static psb_err lend(const struct X(vect) *x, psb_epk n, size_t size, const void *host, struct psb_dual *d)
{
    return psb_dual_lend(d, (size_t)n, size, x->v.on, "listed rows", PSB_HOST, host);
}

/* The values of x are on its device alone, where a list of n rows is then used; one row is not worth it,
 * since callers ask for one after the other. */
static bool only_on_device(const struct X(vect) *x, psb_epk n)
{
    return n > 1 && n <= INT32_MAX && x->v.valid == PSB_DEV;
}

/* buf = the listed rows, gathered on the side where x is; they stay there if buf has that device. */
static psb_err gather_list(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, struct psb_dual *buf)
{
    struct psb_dual list;
    const psb_ipk *on_side;
    const T *p;
    T *to;
    const enum psb_side s = only_on_device(x, n) && buf->on == x->v.on ? PSB_DEV : PSB_HOST;
    PSB_TRY(psb_dual_read(&x->v, s, &p));
    PSB_TRY(lend(x, n, sizeof *idx, idx, &list));
    psb_err e = psb_dual_read(&list, s, &on_side);
    PSB_THEN(e, (psb_epk)buf->bytes == (psb_epk)n * x->ncols * (psb_epk)sizeof(T)
                    ? psb_dual_write(buf, s, &to)
                    : psb_dual_update(buf, s, &to));
    PSB_THEN(e, X(vec)(s, x->v.on)->gth(n, on_side, x->ncols, p, to));
    psb_dual_free(&list);
    return e;
}

psb_err X(vect_gth)(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, T *buf)
{
    struct psb_dual rows;
    const T *p;
    PSB_TRY(check_list(x, n, idx, buf, "buf"));
    PSB_TRY(lend(x, n, row_bytes(x), buf, &rows));
    psb_err e = gather_list(x, n, idx, &rows);
    PSB_THEN(e, psb_dual_read(&rows, PSB_HOST, &p));
    psb_dual_free(&rows);
    return PSB_PASS(e);
}

/* A list in turns, for a device, which takes the rows of a list in any order: turn t has the entries whose
 * index occurs t times before.  Its indices are row[start[t]] .. row[start[t+1]-1], their places in the list
 * from[...]; lists: row, then from. */
enum { MOST_TURNS = 32 };
struct turns {
    int n; /* 0: more than MOST_TURNS */
    psb_ipk start[MOST_TURNS + 1];
    struct psb_dual lists;
};

/* Put the entries into the lists.  count: for each row, used for those listed. */
static void fill_turns(psb_ipk n, const psb_ipk *idx, const psb_ipk *start, psb_ipk *count, psb_ipk *row,
                       psb_ipk *from)
{
    psb_ipk next[MOST_TURNS];
    memcpy(next, start, sizeof next);
    for (psb_ipk i = 0; i < n; i++)
        count[idx[i]] = 0;
    for (psb_ipk i = 0; i < n; i++) {
        const psb_ipk at = next[count[idx[i]]++]++;
        row[at] = idx[i];
        from[at] = i;
    }
}

static psb_err divide_list(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, struct turns *t)
{
    psb_ipk *count, *row;
    PSB_TRY(psb_dual_init(&t->lists, 2 * (size_t)n, sizeof *row, x->v.on, "listed rows"));
    PSB_TRY(psb_alloc(&count, (size_t)x->n, sizeof *count, "listed rows"));
    psb_ipk i = 0;
    for (psb_ipk k = 0; k < n; k++) /* not all rows: the list may be short */
        count[idx[k]] = 0;
    for (int turn; i < n && (turn = count[idx[i]]++) < MOST_TURNS; i++) {
        t->start[turn + 1]++;
        t->n = turn < t->n ? t->n : turn + 1;
    }
    psb_err e = PSB_OK;
    if (i < n) {
        t->n = 0;
    } else if ((e = psb_dual_write(&t->lists, PSB_HOST, &row)) == PSB_OK) {
        for (int turn = 0; turn < MOST_TURNS; turn++)
            t->start[turn + 1] += t->start[turn];
        fill_turns(n, idx, t->start, count, row, row + n);
    }
    psb_free(count);
    return e;
}

/* On the device of x; buf has the rows there or on the host. */
static psb_err scatter_on_device(psb_ipk n, const struct turns *t, const struct psb_dual *buf, T beta,
                                 struct X(vect) *x)
{
    struct psb_dual scratch;
    const psb_ipk *row;
    const T *from;
    T *of_turn = NULL, *p;
    const bool once = t->n == 1;
    PSB_TRY(psb_dual_init(&scratch, once ? 0 : (size_t)t->start[1], row_bytes(x), x->v.on, "listed rows"));
    psb_err e = psb_dual_read(&t->lists, PSB_DEV, &row);
    PSB_THEN(e, psb_dual_read(buf, PSB_DEV, &from));
    PSB_THEN(e, once ? PSB_OK : psb_dual_write(&scratch, PSB_DEV, &of_turn));
    PSB_THEN(e, X(vect_open)(x, PSB_DEV, 0, &p));
    for (int turn = 0; turn < t->n && e == PSB_OK; turn++) {
        const struct X(vec_ops) *const ops = X(vec)(PSB_DEV, x->v.on);
        const psb_ipk at = t->start[turn], m = t->start[turn + 1] - at;
        e = once ? PSB_OK : ops->gth(m, row + n + at, x->ncols, from, of_turn);
        PSB_THEN(e, ops->scatter(m, row + at, x->ncols, once ? from : of_turn, beta, p));
    }
    psb_dual_free(&scratch);
    return e;
}

static psb_err scatter_on_host(psb_epk n, const psb_ipk *idx, const struct psb_dual *buf, T beta,
                               struct X(vect) *x)
{
    const T *from;
    T *p;
    PSB_TRY(psb_dual_read(buf, PSB_HOST, &from));
    PSB_TRY(X(vect_open)(x, PSB_HOST, 0, &p));
    for (psb_epk i = 0; i < n; i++, from += x->ncols) { /* sequential: an index may occur twice */
        T *const to = p + (size_t)idx[i] * (size_t)x->ncols;
        for (int j = 0; j < x->ncols; j++)
            to[j] = beta == 0 ? from[j] : beta * to[j] + from[j];
    }
    return PSB_OK;
}

/* Row idx[i] of x = beta times itself plus row i of buf; on the device if x is only there, and buf can be. */
static psb_err scatter_list(psb_epk n, const psb_ipk *idx, const struct psb_dual *buf, T beta,
                            struct X(vect) *x)
{
    struct turns t = { 0 };
    psb_err e = PSB_OK;
    PSB_TRY(X(vect_check_idle)(x));
    if (only_on_device(x, n) && X(vec)(PSB_DEV, x->v.on)->scatter && buf->on == x->v.on)
        e = divide_list(x, (psb_ipk)n, idx, &t);
    PSB_THEN(e, t.n > 0 ? scatter_on_device((psb_ipk)n, &t, buf, beta, x)
                        : scatter_on_host(n, idx, buf, beta, x));
    psb_dual_free(&t.lists);
    return e;
}

/* The rows of a list from the caller's array. */
static psb_err put_list(psb_epk n, const psb_ipk *idx, const T *buf, T beta, struct X(vect) *x)
{
    struct psb_dual rows;
    PSB_TRY(lend(x, n, row_bytes(x), buf, &rows));
    psb_err e = scatter_list(n, idx, &rows, beta, x);
    psb_dual_free(&rows);
    return e;
}

psb_err X(vect_sct)(psb_ipk n, const psb_ipk *idx, const T *buf, T beta, struct X(vect) *x)
{
    PSB_TRY(check_list(x, n, idx, buf, "buf"));
    return PSB_PASS(put_list(n, idx, buf, beta, x));
}

psb_err X(vect_ins)(psb_epk n, const psb_ipk *idx, const T *val, struct X(vect) *x, enum psb_dupl dupl)
{
    PSB_TRY(check_list(x, n, idx, val, "val"));
    PSB_TRY(X(vect_check_dupl)(dupl));
    return PSB_PASS(put_list(n, idx, val, dupl == PSB_DUPL_ADD, x));
}

/* --- lists in integer vectors --------------------------------------------------------------------------- */

/* *list, *n: the elements of idx; buf has a row for each. */
static psb_err open_list(const struct X(vect) *x, const struct psb_i_vect *idx, const struct X(vect) *buf,
                         const psb_ipk **list, psb_ipk *n)
{
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED_HANDLE(idx, "a vector of local rows");
    PSB_NEED_HANDLE(buf, "a vector");
    PSB_CHECK(idx->ncols == 1, PSB_EARG, "argument idx has %d columns; expected one", idx->ncols);
    *n = psb_i_vect_owned(idx);
    PSB_CHECK(buf->ncols == x->ncols && buf->n >= *n, PSB_EARG,
              "argument buf has %d rows, columns: %d; expected at least %d rows, columns: %d", buf->n,
              buf->ncols, *n, x->ncols);
    PSB_CHECK(buf != x, PSB_EARG, "argument buf is x; expected another vector");
    PSB_TRY(psb_dual_read(&idx->v, PSB_HOST, list));
    return check_list(x, *n, *list, buf, "buf");
}

psb_err X(vect_gthv)(const struct X(vect) *x, const struct psb_i_vect *idx, struct X(vect) *buf)
{
    const psb_ipk *list;
    psb_ipk n;
    PSB_TRY(open_list(x, idx, buf, &list, &n));
    PSB_TRY(X(vect_check_idle)(buf));
    return PSB_PASS(gather_list(x, n, list, &buf->v));
}

psb_err X(vect_sctv)(const struct psb_i_vect *idx, const struct X(vect) *buf, T beta, struct X(vect) *x)
{
    const psb_ipk *list;
    psb_ipk n;
    PSB_TRY(open_list(x, idx, buf, &list, &n));
    return PSB_PASS(scatter_list(n, list, &buf->v, beta, x));
}

/* --- lists of global rows ------------------------------------------------------------------------------- */

/* *idx = the local numbers of rows g[0..n), which must be owned here. */
static psb_err local_rows(const struct X(vect) *x, psb_epk n, const psb_lpk *g, const void *val,
                          psb_ipk **idx)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_CHECK(n >= 0 && n <= INT32_MAX, PSB_EARG, "argument n is %" PRId64 "; expected 0 <= n < 2^31", n);
    PSB_CHECK(n == 0 || (g && val), PSB_EARG, "argument %s is NULL; expected %" PRId64 " of them",
              g ? "val" : "g", n);
    for (psb_epk i = 0; i < n; i++)
        PSB_CHECK(psb_is_owned(x->desc, g[i]), PSB_EARG,
                  "argument g[%" PRId64 "] is %" PRId64 "; expected a row owned here", i, g[i]);
    PSB_TRY(psb_alloc(idx, (size_t)n, sizeof **idx, "listed rows"));
    return psb_glob_to_loc_n(x->desc, n, g, *idx);
}

psb_err X(getelems)(const struct X(vect) *x, psb_epk n, const psb_lpk *g, T *val)
{
    psb_ipk *idx = NULL;
    psb_err e = local_rows(x, n, g, val, &idx);
    PSB_THEN(e, X(vect_gth)(x, (psb_ipk)n, idx, val));
    psb_free(idx);
    return PSB_PASS(e);
}

psb_err X(setelems)(psb_epk n, const psb_lpk *g, const T *val, struct X(vect) *x, enum psb_dupl dupl)
{
    psb_ipk *idx = NULL;
    psb_err e = local_rows(x, n, g, val, &idx);
    PSB_THEN(e, X(vect_ins)(n, idx, val, x, dupl));
    psb_free(idx);
    return PSB_PASS(e);
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
