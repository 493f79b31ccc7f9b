/* ilut.c -- linsolve: ILUT: fill by size, with two thresholds.  Source: Saad, "ILUT: a dual threshold
 * incomplete LU factorization", Numer. Linear Algebra Appl. 1, 1994. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* The current row, and the rows before it. */
struct ilut {
    struct X(work_row) row;
    struct X(growing) l, u;
};

/* Set the list and w to row i of A; return `drop` times the 2-norm of the row.  *left and *right are its
 * entries on each side of the diagonal. */
static R load_ilut_row(struct ilut *s, const struct X(compressed) *a, psb_ipk i, double drop, psb_epk *left,
                       psb_epk *right)
{
    const psb_epk first = a->ptr[i], n = a->ptr[i + 1] - first;
    const R most = X(largest_modulus)(n, a->val + first);
    R sum = 0;
    *left = *right = 0;
    X(list_row)(a, i, true, s->row.next);
    for (psb_epk k = first; k < first + n; k++) {
        const R v = most > 0 ? ABS(a->val[k]) / most : 0;
        s->row.w[a->idx[k]] = a->val[k];
        sum += v * v;
        *left += a->idx[k] < i;
        *right += a->idx[k] > i;
    }
    return (R)(drop * sqrt((double)sum)) * most;
}

/* Eliminate the columns left of the diagonal, but for those whose element of L D is below `drop`; w holds row
 * i of L D there, which has the unit of row i of A. */
static void eliminate_ilut_row(struct ilut *s, psb_ipk i, R drop)
{
    T *w = s->row.w;
    for (psb_ipk c = s->row.next[s->row.n]; c < i; c = s->row.next[c]) {
        const T m = w[c];
        psb_ipk from = c;
        if (X(modulus)(m) < drop) {
            w[c] = 0;
            continue;
        }
        for (psb_epk e = s->u.ptr[c]; e < s->u.ptr[c + 1]; e++) {
            from = X(list_insert)(s->row.next, from, s->u.idx[e]);
            w[from] -= m * s->u.val[e];
        }
    }
}

static psb_err make_ilut_row(struct ilut *s, psb_ipk i, struct X(ldu) *f)
{
    psb_epk left, right;
    const R drop = load_ilut_row(s, &f->a, i, f->o->drop, &left, &right);
    PSB_CHECK(isfinite((double)drop), PSB_EPIVOT,
              "row %" PRId64 " has entries that are not finite, or too large for the option drop",
              X(ldu_row)(f, i));
    eliminate_ilut_row(s, i, drop);
    PSB_TRY(X(ldu_invert)(f, i, s->row.w[i]));
    PSB_TRY(X(keep_largest)(&s->row, s->row.next[s->row.n], i, left + f->o->fill, drop, 1, &s->l));
    for (psb_epk k = s->l.ptr[i]; k < s->l.nnz; k++)
        s->l.val[k] *= f->inv[s->l.idx[k]];
    PSB_TRY(X(keep_largest)(&s->row, s->row.next[i], s->row.n, right + f->o->fill, drop, f->inv[i], &s->u));
    s->l.ptr[i + 1] = s->l.nnz;
    s->u.ptr[i + 1] = s->u.nnz;
    for (psb_ipk c = s->row.next[s->row.n]; c < s->row.n; c = s->row.next[c])
        s->row.w[c] = 0;
    return PSB_OK;
}

static psb_err make_ilut_rows(struct ilut *s, struct X(ldu) *f)
{
    PSB_TRY(X(work_row_open)(&s->row, f->n));
    PSB_TRY(X(growing_begin)(&s->l, s->row.n, f->a.ptr[s->row.n], GROWING_VALUES));
    PSB_TRY(X(growing_begin)(&s->u, s->row.n, f->a.ptr[s->row.n], GROWING_VALUES));
    for (psb_ipk i = 0; i < s->row.n; i++)
        PSB_TRY(make_ilut_row(s, i, f));
    return X(growing_end)(&s->l, &s->u, f);
}

static psb_err make_ilut(struct X(ldu) *f)
{
    struct ilut s = { .row = { .n = f->n } };
    psb_err e = make_ilut_rows(&s, f);
    X(work_row_free)(&s.row);
    X(growing_free)(&s.l);
    X(growing_free)(&s.u);
    return e;
}

const struct X(factor_kind) X(factor_ilut) = { .pattern = make_ilut };
