/* ilu.c -- room: linsolve.  ILU(0) and MILU(0), and the values of ILU in any pattern.  Source: Saad,
 * "Iterative methods for sparse linear systems", 2003, sections 10.3.2 and 10.3.5; row by row, with a dense
 * row as work space. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* --- pattern of A --------------------------------------------------------------------------------------- */

/* Split row i at its diagonal entry: count the entries below it and above it. */
static psb_err count(const struct X(ldu) *f, psb_ipk i, psb_epk *nl, psb_epk *nu)
{
    const struct X(compressed) *a = &f->a;
    psb_epk k = a->ptr[i];
    while (k < a->ptr[i + 1] && a->idx[k] < i)
        k++;
    PSB_TRY(X(ldu_need_diagonal)(f, i, k));
    *nl += k - a->ptr[i];
    *nu += a->ptr[i + 1] - k - 1;
    return PSB_OK;
}

/* The entries of A below its diagonal are those of L, those above it those of U. */
static psb_err pattern(struct X(ldu) *f)
{
    const struct X(compressed) *a = &f->a;
    struct X(compressed) *l = &f->lower, *u = &f->upper;
    psb_epk nl = 0, nu = 0;
    for (psb_ipk i = 0; i < f->n; i++)
        PSB_TRY(count(f, i, &nl, &nu));
    PSB_TRY(X(ldu_make)(f, nl, nu, 0));
    nl = nu = 0;
    for (psb_ipk i = 0; i < f->n; i++) {
        psb_epk k = a->ptr[i];
        l->ptr[i] = nl;
        u->ptr[i] = nu;
        for (; a->idx[k] < i; k++)
            l->idx[nl++] = a->idx[k];
        for (k++; k < a->ptr[i + 1]; k++)
            u->idx[nu++] = a->idx[k];
    }
    l->ptr[f->n] = nl;
    u->ptr[f->n] = nu;
    return PSB_OK;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* w = row i of A, on the pattern of L, D and U. */
static void load(const struct X(compressed) *a, struct X(compressed) l, struct X(compressed) u, psb_ipk i,
                 T *w)
{
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
        w[l.idx[k]] = 0;
    for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
        w[u.idx[k]] = 0;
    w[i] = 0;
    for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; k++)
        w[a->idx[k]] = a->val[k];
}

/* The same where L, D and U have the pattern of A: its columns need not be read. */
static void load_without_fill(const struct X(compressed) *a, struct X(compressed) l, struct X(compressed) u,
                              psb_ipk i, T *w)
{
    const T *val = a->val + a->ptr[i];
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
        w[l.idx[k]] = *val++;
    w[i] = *val++;
    for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
        w[u.idx[k]] = *val++;
}

/* Eliminate the entries of L in row i from left to right: w = w - (l_k d_k) U_k; val and inv are the values
 * of U and of the inverse of D.  Elements of w outside of the pattern change too, but are set before they are
 * used. */
static void eliminate(struct X(compressed) l, struct X(compressed) u, const T *val, const T *inv, psb_ipk i,
                      T *w)
{
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++) {
        const psb_ipk c = l.idx[k];
        const T m = w[c];
        l.val[k] = m * inv[c];
        for (psb_epk e = u.ptr[c]; e < u.ptr[c + 1]; e++)
            w[u.idx[e]] -= m * val[e];
    }
}

/* The same, with what falls outside of the pattern added to the diagonal; in[j] is i for the columns of row
 * i. */
static void eliminate_modified(struct X(compressed) l, struct X(compressed) u, const T *inv, psb_ipk i, T *w,
                               psb_ipk *in)
{
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
        in[l.idx[k]] = i;
    for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
        in[u.idx[k]] = i;
    in[i] = i;
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++) {
        const psb_ipk c = l.idx[k];
        const T m = w[c];
        l.val[k] = m * inv[c];
        for (psb_epk e = u.ptr[c]; e < u.ptr[c + 1]; e++)
            w[in[u.idx[e]] == i ? u.idx[e] : i] -= m * u.val[e];
    }
}

/* inv_i = 1 / w_i, and row i of U, scaled by it. */
static psb_err store(struct X(ldu) *f, psb_ipk i, const T *w)
{
    const struct X(compressed) u = f->upper;
    PSB_TRY(X(ldu_invert)(f, i, w[i]));
    const T inv = f->inv[i];
    for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
        u.val[k] = w[u.idx[k]] * inv;
    return PSB_OK;
}

/* in: as for eliminate_modified; NULL: not modified. */
static psb_err all_rows(struct X(ldu) *f, T *w, psb_ipk *in)
{
    const psb_ipk n = f->n;
    const int fill = f->lower.ptr[n] + f->upper.ptr[n] + n != f->a.ptr[n];
    for (psb_ipk i = 0; i < n; i++) {
        if (fill)
            load(&f->a, f->lower, f->upper, i, w);
        else
            load_without_fill(&f->a, f->lower, f->upper, i, w);
        if (in)
            eliminate_modified(f->lower, f->upper, f->inv, i, w, in);
        else
            eliminate(f->lower, f->upper, f->known, f->known_inv, i, w);
        PSB_TRY(store(f, i, w));
    }
    return PSB_OK;
}

static psb_err unmodified(struct X(ldu) *f, T *w)
{
    return all_rows(f, w, NULL);
}

psb_err X(ldu_values)(struct X(ldu) *f)
{
    return PSB_PASS(X(ldu_passes)(f, unmodified));
}

static psb_err modified_values(struct X(ldu) *f)
{
    T *w;
    psb_ipk *in = NULL;
    PSB_TRY(psb_alloc_zero(&w, (size_t)f->n, sizeof *w, "row of factors"));
    psb_err e = psb_alloc(&in, (size_t)f->n, sizeof *in, "columns of a row");
    for (psb_ipk i = 0; i < f->n && e == PSB_OK; i++)
        in[i] = -1;
    if (e == PSB_OK)
        e = all_rows(f, w, in);
    psb_free(in);
    psb_free(w);
    return e;
}

const struct X(factor_kind) X(factor_ilu0) = { .pattern = pattern, .values = X(ldu_values), .on_dev = 1 };
const struct X(factor_kind) X(factor_milu0) = { .pattern = pattern, .values = modified_values };
