/* ilu.c -- linsolve: ILU(0) and MILU(0), and the values of ILU in any pattern.  Source: Saad,
 * "Iterative methods for sparse linear systems", 2003, sections 10.3.2 and 10.3.5; row by row, with a dense
 * row as work space. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* w = row i of A, on the pattern of L, D and U; without fill that is the pattern of A, whose columns need not
 * be read. */
static void load_row(const struct X(ldu) *f, psb_ipk i, bool fill, T *w)
{
    const struct X(compressed) a = f->a, l = f->lower, u = f->upper;
    const T *val = a.val + a.ptr[i];
    if (!fill) {
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
            w[l.idx[k]] = *val++;
        w[i] = *val++;
        for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
            w[u.idx[k]] = *val++;
        return;
    }
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
        w[l.idx[k]] = 0;
    for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
        w[u.idx[k]] = 0;
    w[i] = 0;
    for (psb_epk k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        w[a.idx[k]] = a.val[k];
}

/* Eliminate the entries of L in row i from left to right: w = w - (l_k d_k) U_k; val and inv are the values
 * of U and of the inverse of D.  Elements of w outside of the pattern change too, but are set before they are
 * used. */
static void eliminate_row(struct X(compressed) l, struct X(compressed) u, const T *val, const T *inv,
                          psb_ipk i, T *w)
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
static void eliminate_modified_row(struct X(compressed) l, struct X(compressed) u, const T *inv, psb_ipk i,
                                   T *w, psb_ipk *in)
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

/* in: as for eliminate_modified_row; NULL: not modified. */
static psb_err make_ldu_rows(struct X(ldu) *f, T *w, psb_ipk *in)
{
    const struct X(compressed) l = f->lower, u = f->upper;
    const bool fill = l.ptr[f->n] + u.ptr[f->n] + f->n != f->a.ptr[f->n];
    for (psb_ipk i = 0; i < f->n; i++) {
        load_row(f, i, fill, w);
        if (in)
            eliminate_modified_row(l, u, f->inv, i, w, in);
        else
            eliminate_row(l, u, f->known, f->known_inv, i, w);
        PSB_TRY(X(ldu_invert)(f, i, w[i]));
        const T inv = f->inv[i];
        for (psb_epk k = u.ptr[i]; k < u.ptr[i + 1]; k++)
            u.val[k] = w[u.idx[k]] * inv;
    }
    return PSB_OK;
}

static psb_err make_ilu_rows(struct X(ldu) *f, T *w)
{
    return make_ldu_rows(f, w, NULL);
}

psb_err X(ldu_values)(struct X(ldu) *f)
{
    return PSB_PASS(X(ldu_passes)(f, make_ilu_rows));
}

static psb_err milu_values(struct X(ldu) *f)
{
    T *w;
    psb_ipk *in = NULL;
    PSB_TRY(psb_alloc_zero(&w, (size_t)f->n, sizeof *w, "row of factors"));
    psb_err e = psb_alloc(&in, (size_t)f->n, sizeof *in, "columns of a row");
    for (psb_ipk i = 0; i < f->n && e == PSB_OK; i++)
        in[i] = -1;
    if (e == PSB_OK)
        e = make_ldu_rows(f, w, in);
    psb_free(in);
    psb_free(w);
    return e;
}

static psb_err ilu0_pattern(struct X(ldu) *f)
{
    return X(ldu_pattern_of_a)(f, false);
}

const struct X(factor_kind)
    X(factor_ilu0) = { .pattern = ilu0_pattern, .values = X(ldu_values), .on_dev = true };
const struct X(factor_kind) X(factor_milu0) = { .pattern = ilu0_pattern, .values = milu_values };
