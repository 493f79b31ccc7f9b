/* ilut.c -- room: linsolve.  ILUT: fill by size, with two thresholds.  Source: Saad, "ILUT: a dual threshold
 * incomplete LU factorization", Numer. Linear Algebra Appl. 1, 1994. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* The current row, and the rows before it. */
struct sizes {
    psb_ipk n;
    psb_ipk *next; /* the columns of the row: see list_insert */
    T *w;          /* its elements; 0 in other columns */
    R *size;       /* work space for moduli */
    struct X(growing) l, u;
};

/* The modulus of an element; NaN counts as infinite. */
static R modulus(T v)
{
    const R size = ABS(v);
    return size == size ? size : (R)INFINITY;
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

/* --- one row -------------------------------------------------------------------------------------------- */

/* Set the list and w to row i of A; return `drop` times the 2-norm of the row.  *left and *right are its
 * entries on each side of the diagonal. */
static R load(struct sizes *s, const struct X(compressed) *a, psb_ipk i, double drop, psb_epk *left,
              psb_epk *right)
{
    const psb_epk first = a->ptr[i], n = a->ptr[i + 1] - first;
    const R most = X(largest_modulus)(n, a->val + first);
    R sum = 0;
    *left = *right = 0;
    X(list_row)(a, i, 1, s->next);
    for (psb_epk k = first; k < first + n; k++) {
        const R v = most > 0 ? ABS(a->val[k]) / most : 0;
        s->w[a->idx[k]] = a->val[k];
        sum += v * v;
        *left += a->idx[k] < i;
        *right += a->idx[k] > i;
    }
    return (R)(drop * sqrt((double)sum)) * most;
}

/* Eliminate the columns left of the diagonal, but for those whose element of L is below `drop`. */
static void eliminate(struct sizes *s, psb_ipk i, const T *inv, R drop)
{
    T *w = s->w;
    for (psb_ipk c = s->next[s->n]; c < i; c = s->next[c]) {
        const T m = w[c];
        psb_ipk from = c;
        w[c] = m * inv[c];
        if (modulus(w[c]) < drop) {
            w[c] = 0;
            continue;
        }
        for (psb_epk e = s->u.ptr[c]; e < s->u.ptr[c + 1]; e++) {
            from = X(list_insert)(s->next, from, s->u.idx[e]);
            w[from] -= m * s->u.val[e];
        }
    }
}

/* Append to g the elements of the row in columns first <= c < end, times `factor`, that are not below `drop`:
 * the `most` largest of them, and of equal ones the first. */
static psb_err keep(struct sizes *s, struct X(growing) *g, psb_ipk first, psb_ipk end, psb_epk most, R drop,
                    T factor)
{
    psb_epk n = 0, larger = 0;
    for (psb_ipk c = first; c < end; c = s->next[c])
        if (modulus(s->w[c]) >= drop)
            s->size[n++] = modulus(s->w[c]);
    if (most < n) {
        drop = most > 0 ? kth_largest(s->size, (psb_ipk)n, (psb_ipk)most) : (R)INFINITY;
        n = most;
    }
    PSB_TRY(X(growing_need)(g, n));
    for (psb_ipk c = first; c < end; c = s->next[c])
        larger += modulus(s->w[c]) > drop;
    psb_epk equal = n - larger;
    for (psb_ipk c = first; c < end; c = s->next[c]) {
        const R size = modulus(s->w[c]);
        if (size > drop || (size == drop && equal-- > 0)) {
            g->idx[g->nnz] = c;
            g->val[g->nnz++] = s->w[c] * factor;
        }
    }
    return PSB_OK;
}

static psb_err one_row(struct sizes *s, psb_ipk i, struct X(ldu) *f)
{
    psb_epk left, right;
    const R drop = load(s, &f->a, i, f->o->drop, &left, &right);
    eliminate(s, i, f->inv, drop);
    PSB_TRY(X(ldu_pivot)(f, i, s->w[i]));
    PSB_TRY(keep(s, &s->l, s->next[s->n], i, left + f->o->fill, drop, 1));
    PSB_TRY(keep(s, &s->u, s->next[i], s->n, right + f->o->fill, drop, f->inv[i]));
    s->l.ptr[i + 1] = s->l.nnz;
    s->u.ptr[i + 1] = s->u.nnz;
    for (psb_ipk c = s->next[s->n]; c < s->n; c = s->next[c])
        s->w[c] = 0;
    return PSB_OK;
}

static psb_err make_rows(struct sizes *s, struct X(ldu) *f)
{
    PSB_TRY(psb_alloc(&s->next, (size_t)s->n + 1, sizeof *s->next, "columns of a row"));
    PSB_TRY(psb_alloc_zero(&s->w, (size_t)s->n, sizeof *s->w, "row of factors"));
    PSB_TRY(psb_alloc(&s->size, (size_t)s->n, sizeof *s->size, "moduli of a row"));
    PSB_TRY(X(growing_begin)(&s->l, s->n, f->a.ptr[s->n], GROWING_VALUES));
    PSB_TRY(X(growing_begin)(&s->u, s->n, f->a.ptr[s->n], GROWING_VALUES));
    for (psb_ipk i = 0; i < s->n; i++)
        PSB_TRY(one_row(s, i, f));
    return X(growing_end)(&s->l, &s->u, f);
}

static psb_err make(struct X(ldu) *f)
{
    struct sizes s = { .n = f->n };
    psb_err e = make_rows(&s, f);
    psb_free(s.next);
    psb_free(s.w);
    psb_free(s.size);
    X(growing_free)(&s.l);
    X(growing_free)(&s.u);
    return e;
}

const struct X(factor_kind) X(factor_ilut) = { .pattern = make };
