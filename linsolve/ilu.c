/* ilu.c -- room: linsolve.  ILU(0) and MILU(0).  Source: Saad, "Iterative methods for sparse linear systems",
 * 2003, sections 10.3.2 and 10.3.5; row by row, with a dense row as work space. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"
#include "factor_inside.t.h"

/* --- pattern -------------------------------------------------------------------------------------------- */

/* The entry of row i on the diagonal, or the first one behind it. */
static psb_epk diagonal_of(const struct X(compressed) *a, psb_ipk i)
{
    psb_epk k = a->ptr[i];
    while (k < a->ptr[i + 1] && a->idx[k] < i)
        k++;
    return k;
}

static int has_diagonal(const struct X(compressed) *a, psb_ipk i, psb_epk k)
{
    return k < a->ptr[i + 1] && a->idx[k] == i;
}

/* The entries of A below its diagonal are those of L, those above it those of U. */
static psb_err pattern(const struct X(compressed) *a, const struct psb_factor_options *o, struct X(ldu) *f)
{
    psb_epk nl = 0, nu = 0;
    (void)o;
    for (psb_ipk i = 0; i < a->n; i++) {
        psb_epk k = diagonal_of(a, i);
        nl += k - a->ptr[i];
        nu += a->ptr[i + 1] - k - has_diagonal(a, i, k);
    }
    PSB_TRY(X(ldu_make)(f, nl, nu, 0));
    psb_epk l = 0, u = 0;
    for (psb_ipk i = 0; i < a->n; i++) {
        psb_epk k = diagonal_of(a, i), above = k + has_diagonal(a, i, k);
        f->lower.ptr[i] = l;
        f->upper.ptr[i] = u;
        for (psb_epk e = a->ptr[i]; e < k; e++)
            f->lower.idx[l++] = a->idx[e];
        for (psb_epk e = above; e < a->ptr[i + 1]; e++)
            f->upper.idx[u++] = a->idx[e];
    }
    f->lower.ptr[a->n] = l;
    f->upper.ptr[a->n] = u;
    return PSB_OK;
}

/* --- values --------------------------------------------------------------------------------------------- */

static psb_err check_diagonal(const struct X(compressed) *a, const psb_desc *rows, psb_ipk i)
{
    PSB_CHECK(has_diagonal(a, i, diagonal_of(a, i)), PSB_EPIVOT,
              "row %" PRId64 " has no entry on the diagonal; expected one", X(factor_row)(rows, i));
    return PSB_OK;
}

/* w = row i of A on the pattern of L and U; other elements of w are not used. */
static void load(const struct X(compressed) *a, const struct X(ldu) *f, psb_ipk i, T *w)
{
    const struct X(compressed) *l = &f->lower, *u = &f->upper;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
        w[l->idx[k]] = 0;
    for (psb_epk k = u->ptr[i]; k < u->ptr[i + 1]; k++)
        w[u->idx[k]] = 0;
    w[i] = 0;
    for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; k++)
        w[a->idx[k]] += a->val[k];
}

/* Eliminate the entries of L in row i from left to right: w = w - (l_k d_k) U_k.  Elements of w outside of
 * the pattern change too, but are set before they are used. */
static void eliminate(const struct X(ldu) *f, psb_ipk i, T *w)
{
    const struct X(compressed) *l = &f->lower, *u = &f->upper;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
        const psb_ipk c = l->idx[k];
        const T m = w[c];
        for (psb_epk e = u->ptr[c]; e < u->ptr[c + 1]; e++)
            w[u->idx[e]] -= m * u->val[e];
        l->val[k] = m * f->d[c];
    }
}

/* The same, with what falls outside of the pattern added to the diagonal; in[j] is i for the columns of row
 * i. */
static void eliminate_modified(const struct X(ldu) *f, psb_ipk i, T *w, psb_ipk *in)
{
    const struct X(compressed) *l = &f->lower, *u = &f->upper;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
        in[l->idx[k]] = i;
    for (psb_epk k = u->ptr[i]; k < u->ptr[i + 1]; k++)
        in[u->idx[k]] = i;
    in[i] = i;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
        const psb_ipk c = l->idx[k];
        const T m = w[c];
        for (psb_epk e = u->ptr[c]; e < u->ptr[c + 1]; e++)
            w[in[u->idx[e]] == i ? u->idx[e] : i] -= m * u->val[e];
        l->val[k] = m * f->d[c];
    }
}

/* d_i = 1 / w_i, and row i of U, scaled by it. */
static psb_err store(const struct X(compressed) *a, const struct psb_factor_options *o, const psb_desc *rows,
                     psb_ipk i, const T *w, struct X(ldu) *f)
{
    struct X(compressed) *u = &f->upper;
    const R most = X(factor_most)(a->ptr[i + 1] - a->ptr[i], a->val + a->ptr[i]);
    PSB_TRY(X(factor_pivot)(w[i], most, o, rows, i, f, &f->d[i]));
    for (psb_epk k = u->ptr[i]; k < u->ptr[i + 1]; k++)
        u->val[k] = w[u->idx[k]] * f->d[i];
    return PSB_OK;
}

static psb_err all_rows(const struct X(compressed) *a, const struct psb_factor_options *o,
                        const psb_desc *rows, struct X(ldu) *f, T *w, psb_ipk *in)
{
    for (psb_ipk i = 0; i < f->n; i++) {
        PSB_TRY(check_diagonal(a, rows, i));
        load(a, f, i, w);
        if (in)
            eliminate_modified(f, i, w, in);
        else
            eliminate(f, i, w);
        PSB_TRY(store(a, o, rows, i, w, f));
    }
    return PSB_OK;
}

static psb_err values(const struct X(compressed) *a, const struct psb_factor_options *o, const psb_desc *rows,
                      struct X(ldu) *f)
{
    T *w;
    PSB_TRY(psb_alloc_zero(&w, (size_t)f->n, sizeof *w, "row of factors"));
    psb_err e = all_rows(a, o, rows, f, w, NULL);
    psb_free(w);
    return e;
}

static psb_err modified_values(const struct X(compressed) *a, const struct psb_factor_options *o,
                               const psb_desc *rows, struct X(ldu) *f)
{
    T *w;
    psb_ipk *in = NULL;
    PSB_TRY(psb_alloc_zero(&w, (size_t)f->n, sizeof *w, "row of factors"));
    psb_err e = psb_alloc(&in, (size_t)f->n, sizeof *in, "columns of a row");
    for (psb_ipk i = 0; i < f->n && e == PSB_OK; i++)
        in[i] = -1;
    if (e == PSB_OK)
        e = all_rows(a, o, rows, f, w, in);
    psb_free(in);
    psb_free(w);
    return e;
}

const struct X(factor_kind) X(factor_ilu0) = { .pattern = pattern, .values = values };
const struct X(factor_kind) X(factor_milu0) = { .pattern = pattern, .values = modified_values };
