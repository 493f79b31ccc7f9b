/* ic.c -- linsolve: IC(0), and the values of incomplete Cholesky factors L D L^H in any pattern, row
 * by row; only the lower triangle of A is read.  Source: Saad, "Iterative methods for sparse linear systems",
 * 2003, section 10.3.2, for the pattern; the recurrence is that of Cholesky factors by rows. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* w_c = (l D)_c = a_ic - sum_e (l D)_e conj(L_ce) for the columns c of row i in ascending order; return
 * a_ii - sum_c |w_c|^2 / D_c.  Columns e before the first one of the row contribute nothing. */
static R eliminate_cholesky_row(const struct X(ldu) *f, psb_ipk i, R d, T *w)
{
    const struct X(compressed) l = f->lower;
    for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++) {
        const psb_ipk c = l.idx[k], first = l.idx[l.ptr[i]];
        T sum = w[c];
        for (psb_epk e = l.ptr[c + 1] - 1; e >= l.ptr[c] && l.idx[e] >= first; e--)
            sum -= w[l.idx[e]] * CONJ(f->known[e]);
        w[c] = sum;
        l.val[k] = sum * f->known_inv[c];
        d -= RE(l.val[k] * CONJ(sum));
    }
    return d;
}

static psb_err positive_pivot(struct X(ldu) *f, psb_ipk i, R d, R imaginary, R most)
{
    R bound;
    PSB_CHECK((isfinite((double)d) && isfinite((double)most)) || f->between, PSB_EPIVOT,
              "row %" PRId64 " has the pivot %g; expected finite numbers", X(ldu_row)(f, i), (double)d);
    PSB_CHECK(imaginary <= 10 * EPS * most || f->between, PSB_EPIVOT,
              "row %" PRId64
              " has a diagonal entry with imaginary part %g: the matrix is not positive definite",
              X(ldu_row)(f, i), (double)imaginary);
    if (X(ldu_is_tiny)(f, d < 0 ? -d : d, most, &bound)) {
        d = bound;
        f->boosted++;
    }
    PSB_CHECK(d > 0 || f->between, PSB_EPIVOT,
              "row %" PRId64
              " has the pivot %g; expected a positive one: the matrix is not positive definite, "
              "or it has no incomplete Cholesky factors in this pattern",
              X(ldu_row)(f, i), (double)d);
    f->inv[i] = 1 / d;
    PSB_CHECK(isfinite((double)RE(f->inv[i])) || f->between, PSB_EPIVOT,
              "row %" PRId64 " has the pivot %g, whose inverse overflows", X(ldu_row)(f, i), (double)d);
    return PSB_OK;
}

/* w is 0 before and after each row. */
static psb_err make_cholesky_rows(struct X(ldu) *f, T *w)
{
    const struct X(compressed) *a = &f->a, *l = &f->lower;
    for (psb_ipk i = 0; i < f->n; i++) {
        const psb_epk first = a->ptr[i], diag = X(diagonal_of)(a, i);
        const bool has = diag < a->ptr[i + 1] && a->idx[diag] == i;
        const R most = X(largest_modulus)(diag - first + has, a->val + first);
        const T d = has ? a->val[diag] : 0;
        for (psb_epk k = first; k < diag; k++)
            w[a->idx[k]] = a->val[k];
        const R pivot = eliminate_cholesky_row(f, i, RE(d), w), imaginary = IM(d);
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            w[l->idx[k]] = 0;
        PSB_TRY(positive_pivot(f, i, pivot, imaginary < 0 ? -imaginary : imaginary, most));
    }
    return PSB_OK;
}

psb_err X(ldl_values)(struct X(ldu) *f)
{
    return PSB_PASS(X(ldu_passes)(f, make_cholesky_rows));
}

static psb_err ic0_pattern(struct X(ldu) *f)
{
    return X(ldu_pattern_of_a)(f, true);
}

const struct X(factor_kind)
    X(factor_ic0) = { .pattern = ic0_pattern, .values = X(ldl_values), .on_dev = true };
