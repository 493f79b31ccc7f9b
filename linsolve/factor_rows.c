/* factor_rows.c -- linsolve: incomplete factors in the making: patterns, rows of unknown length, passes,
 * pivots. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"
#include "factor_inside.t.h"

/* In CSR, or in the format of A on its device. */
static psb_err make_triangle(const struct X(ldu) *f, psb_epk nnz, struct X(mat) **t, struct X(compressed) *l)
{
    if (!f->on_dev)
        return X(csr_make)(f->n, f->n, nnz, t, l);
    PSB_TRY(X(mat_new)(f->on_dev, f->n, f->n, nnz, t));
    (*t)->is.state = PSB_MAT_ASB;
    l->n = l->m = f->n;
    return X(compressed_new)(*t, l);
}

psb_err X(ldu_make)(struct X(ldu) *f, psb_epk nl, psb_epk nu, bool cholesky)
{
    PSB_TRY(make_triangle(f, nl, &f->l, &f->lower));
    return PSB_PASS(cholesky ? PSB_OK : make_triangle(f, nu, &f->u, &f->upper));
}

psb_err X(ldu_pattern_of_a)(struct X(ldu) *f, bool cholesky)
{
    const struct X(compressed) *a = &f->a;
    struct X(compressed) *l = &f->lower, *u = &f->upper;
    psb_epk nl = 0, nu = 0;
    for (psb_ipk i = 0; i < f->n; i++) {
        const psb_epk k = X(diagonal_of)(a, i);
        PSB_CHECK(k < a->ptr[i + 1] && a->idx[k] == i, PSB_EPIVOT,
                  "row %" PRId64 " has no entry on the diagonal; expected one", X(ldu_row)(f, i));
        nl += k - a->ptr[i];
        nu += a->ptr[i + 1] - k - 1;
    }
    PSB_TRY(X(ldu_make)(f, nl, cholesky ? 0 : nu, cholesky));
    l->ptr[0] = nl = nu = 0;
    if (!cholesky)
        u->ptr[0] = 0;
    for (psb_ipk i = 0; i < f->n; i++) {
        psb_epk k = a->ptr[i];
        for (; a->idx[k] < i; k++)
            l->idx[nl++] = a->idx[k];
        l->ptr[i + 1] = nl;
        if (cholesky)
            continue;
        for (k++; k < a->ptr[i + 1]; k++)
            u->idx[nu++] = a->idx[k];
        u->ptr[i + 1] = nu;
    }
    return PSB_OK;
}

/* --- rows of unknown length ----------------------------------------------------------------------------- */

static psb_err resize_rows(struct X(growing) *g, psb_epk capacity)
{
    const size_t n = (size_t)capacity;
    PSB_TRY(psb_resize(&g->idx, n, sizeof *g->idx, "columns of factors"));
    if (g->with & GROWING_LEVELS)
        PSB_TRY(psb_resize(&g->level, n, sizeof *g->level, "levels of fill"));
    if (g->with & GROWING_VALUES)
        PSB_TRY(psb_resize(&g->val, n, sizeof *g->val, "values of factors"));
    g->capacity = capacity;
    return PSB_OK;
}

psb_err X(growing_begin)(struct X(growing) *g, psb_ipk n, psb_epk nnz, unsigned with)
{
    *g = (struct X(growing)){ .with = with };
    PSB_TRY(psb_alloc(&g->ptr, (size_t)n + 1, sizeof *g->ptr, "rows of factors"));
    g->ptr[0] = 0;
    return PSB_PASS(resize_rows(g, nnz + 1));
}

psb_err X(growing_need)(struct X(growing) *g, psb_epk more)
{
    if (g->nnz + more <= g->capacity)
        return PSB_OK;
    return PSB_PASS(resize_rows(g, g->nnz + more + g->capacity / 2));
}

void X(growing_free)(struct X(growing) *g)
{
    psb_free(g->ptr);
    psb_free(g->idx);
    psb_free(g->level);
    psb_free(g->val);
}

static void copy_rows(const struct X(growing) *from, psb_ipk n, struct X(compressed) *to)
{
    const size_t nnz = (size_t)from->nnz;
    X(compressed_copy)(to->ptr, from->ptr, (size_t)n + 1, sizeof *to->ptr);
    X(compressed_copy)(to->idx, from->idx, nnz, sizeof *to->idx);
    if (from->val)
        X(compressed_copy)(to->val, from->val, nnz, sizeof *to->val);
}

psb_err X(growing_end)(const struct X(growing) *l, const struct X(growing) *u, struct X(ldu) *f)
{
    PSB_TRY(X(ldu_make)(f, l->nnz, u ? u->nnz : 0, !u));
    copy_rows(l, f->n, &f->lower);
    if (u)
        copy_rows(u, f->n, &f->upper);
    return PSB_OK;
}

void X(list_row)(const struct X(compressed) *a, psb_ipk i, bool upper, psb_ipk *next)
{
    psb_ipk last = a->n;
    next[last] = a->n;
    for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1] && (upper || a->idx[k] < i); k++)
        last = X(list_insert)(next, last, a->idx[k]);
    X(list_insert)(next, a->n, i);
}

/* --- a row in the making -------------------------------------------------------------------------------- */

psb_err X(work_row_open)(struct X(work_row) *s, psb_ipk n)
{
    *s = (struct X(work_row)){ .n = n };
    PSB_TRY(psb_alloc(&s->next, (size_t)n + 1, sizeof *s->next, "columns of a row"));
    PSB_TRY(psb_alloc_zero(&s->w, (size_t)n, sizeof *s->w, "elements of a row"));
    PSB_TRY(psb_alloc(&s->size, (size_t)n, sizeof *s->size, "moduli of a row"));
    return PSB_OK;
}

void X(work_row_free)(struct X(work_row) *s)
{
    psb_free(s->next);
    psb_free(s->w);
    psb_free(s->size);
}

/* Return the k-th largest of v[0..n), 1 <= k <= n; v is reordered.  Source: Hoare, "Algorithm 65: find", CACM
 * 4, 1961. */
static R kth_largest(R *v, psb_ipk n, psb_ipk k)
{
    psb_ipk lo = 0, hi = n - 1;
    while (lo < hi) {
        const R pivot = v[lo + (hi - lo) / 2];
        psb_ipk i = lo, j = hi;
        while (i <= j) {
            for (; v[i] > pivot; i++) {
            }
            for (; v[j] < pivot; j--) {
            }
            if (i <= j) {
                const R t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        if (k - 1 <= j)
            hi = j;
        else if (k - 1 >= i)
            lo = i;
        else
            break;
    }
    return v[k - 1];
}

psb_err X(keep_largest)(const struct X(work_row) *s, psb_ipk first, psb_ipk end, psb_epk most, R drop,
                        T factor, struct X(growing) *g)
{
    psb_epk n = 0, larger = 0;
    for (psb_ipk c = first; c < end; c = s->next[c])
        if (X(modulus)(s->w[c]) >= drop)
            s->size[n++] = X(modulus)(s->w[c]);
    if (most < n) {
        drop = most > 0 ? kth_largest(s->size, (psb_ipk)n, (psb_ipk)most) : (R)INFINITY;
        n = most;
    }
    PSB_TRY(X(growing_need)(g, n));
    for (psb_ipk c = first; c < end; c = s->next[c])
        larger += X(modulus)(s->w[c]) > drop;
    psb_epk equal = n - larger;
    for (psb_ipk c = first; c < end; c = s->next[c]) {
        const R size = X(modulus)(s->w[c]);
        if (size > drop || (size == drop && equal-- > 0)) {
            g->idx[g->nnz] = c;
            g->val[g->nnz++] = s->w[c] * factor;
        }
    }
    return PSB_OK;
}

/* --- passes over the rows ------------------------------------------------------------------------------- */

/* Sweeps write to f's own values and to `other`, all 0 at first, in turns; the last one to f's own. */
psb_err X(ldu_passes)(struct X(ldu) *f, psb_err (*pass)(struct X(ldu) *f, T *w))
{
    struct X(compressed) *read = f->upper.ptr ? &f->upper : &f->lower; /* whose values rows read */
    const size_t nnz = (size_t)read->ptr[f->n], n = (size_t)f->n;
    const int sweeps = f->o->sweeps < f->n ? f->o->sweeps : f->n; /* n of them give the exact factors */
    T *w, *other = NULL;
    PSB_TRY(psb_alloc_zero(&w, n, sizeof *w, "row of factors"));
    psb_err e = sweeps ? psb_alloc_zero(&other, nnz + n, sizeof *other, "values of a sweep") : PSB_OK;
    T *const val[2] = { read->val, other }, *const inv[2] = { f->inv,
                                                              sweeps && e == PSB_OK ? other + nnz : NULL };
    if (sweeps) {
        memset(val[0], 0, nnz * sizeof(T));
        memset(inv[0], 0, n * sizeof(T));
    }
    for (int left = sweeps ? sweeps - 1 : 0; left >= 0 && e == PSB_OK; left--) {
        const int to = left % 2, from = sweeps ? 1 - to : to;
        read->val = val[to];
        f->inv = inv[to];
        f->known = val[from];
        f->known_inv = inv[from];
        f->between = left > 0;
        f->boosted = 0;
        e = pass(f, w);
    }
    read->val = val[0];
    f->inv = inv[0];
    psb_free(other);
    psb_free(w);
    return PSB_PASS(e);
}

/* --- pivots --------------------------------------------------------------------------------------------- */

psb_lpk X(ldu_row)(const struct X(ldu) *f, psb_ipk i)
{
    const psb_lpk g = f->rows ? psb_loc_to_glob(f->rows, i) : -1;
    return g >= 0 ? g : i;
}

R X(largest_modulus)(psb_epk n, const T *val)
{
    R most = 0;
    for (psb_epk k = 0; k < n; k++) {
        R v = ABS(val[k]);
        most = v > most || v != v ? v : most;
    }
    return most;
}

psb_err X(ldu_pivot)(struct X(ldu) *f, psb_ipk i, T d)
{
    const psb_epk first = f->a.ptr[i];
    const R size = ABS(d), most = X(largest_modulus)(f->a.ptr[i + 1] - first, f->a.val + first);
    R bound;
    PSB_CHECK(isfinite((double)size) || f->between, PSB_EPIVOT,
              "row %" PRId64 " has a pivot of modulus %g; expected a finite number", X(ldu_row)(f, i),
              (double)size);
    if (X(ldu_is_tiny)(f, size, most, &bound)) {
        d = size == 0 ? bound : d / size * bound;
        f->boosted++;
    }
    PSB_CHECK(d != 0 || f->between, PSB_EPIVOT,
              "row %" PRId64 " has the pivot 0; expected another one, or the option tiny, which replaces it",
              X(ldu_row)(f, i));
    f->inv[i] = X(quotient)(1, d);
    PSB_CHECK(isfinite((double)ABS(f->inv[i])) || f->between, PSB_EPIVOT,
              "row %" PRId64 " has a pivot of modulus %g, whose inverse overflows", X(ldu_row)(f, i),
              (double)ABS(d));
    return PSB_OK;
}
