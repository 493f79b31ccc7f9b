/* spmv_check.c -- tools: a reference product computed from triplets. */
#include "config.h"
#include "spmv_run.h"
#include "vect.h"
#include "psb_type.h"

enum { SUMS_CHUNK = 1 << 20 }; /* sums in one message */

/* An element of y: its value, the sum of the moduli of its terms, and the number of terms. */
struct psb_oracle_sum {
    long double re, im, modulus, terms;
};
enum { PARTS = 4 };

/* s += alpha a x.  For real types the imaginary parts are not computed, since 0 times infinity is not 0. */
static void add_term(struct psb_oracle_sum *s, T alpha, T a, T x)
{
    long double re = (long double)RE(a) * RE(x), im = 0;
    if (CPLX) {
        re -= (long double)IM(a) * IM(x);
        im = (long double)RE(a) * IM(x) + (long double)IM(a) * RE(x);
        s->im += RE(alpha) * im + IM(alpha) * re;
    }
    s->re += CPLX ? RE(alpha) * re - IM(alpha) * im : RE(alpha) * re;
    s->modulus += (long double)ABS(alpha) * ABS(a) * ABS(x);
    s->terms += 1;
}

/* Sums of products of entries of op(A). */
struct product_sums {
    struct psb_oracle_sum *s;
    char trans;
    T alpha;
    const T *x;
};

static psb_err add_products(void *arg, const struct X(triplets) *t)
{
    const struct product_sums *q = arg;
    for (psb_epk k = 0; k < t->nnz && q->alpha != 0; k++) {
        T a = q->trans == 'C' ? CONJ(t->val[k]) : t->val[k];
        psb_lpk to = q->trans == 'N' ? t->ia[k] : t->ja[k], from = q->trans == 'N' ? t->ja[k] : t->ia[k];
        add_term(&q->s[to], q->alpha, a, q->x[from]);
    }
    return PSB_OK;
}

/* Add beta times the elements of y that this process owns. */
static psb_err add_y(struct psb_oracle_sum *s, T beta, struct X(vect) *y)
{
    const T *py;
    PSB_TRY(X(host_read)(y, &py));
    for (psb_ipk l = 0; l < psb_cd_local_rows(y->desc) && beta != 0; l++)
        add_term(&s[psb_loc_to_glob(y->desc, l) - psb_index_base()], beta, 1, py[l]);
    return PSB_OK;
}

/* Sum the contributions of all processes on process 0. */
static psb_err reduce_sums(psb_ctxt *ctxt, struct psb_oracle_sum *s, psb_lpk n)
{
    int me;
    psb_info(ctxt, &me, NULL);
    for (psb_lpk done = 0; done < n; done += SUMS_CHUNK) {
        int count = PARTS * (int)(n - done < SUMS_CHUNK ? n - done : SUMS_CHUNK);
        PSB_MPI(MPI_Reduce(me == 0 ? MPI_IN_PLACE : s + done, me == 0 ? s + done : NULL, count,
                           MPI_LONG_DOUBLE, MPI_SUM, 0, psb_comm_of(ctxt)));
    }
    return PSB_OK;
}

static psb_err find_bound(psb_ctxt *ctxt, const struct psb_oracle_sum *s, psb_lpk n, double *bound)
{
    int me;
    psb_info(ctxt, &me, NULL);
    double terms = 0;
    for (psb_lpk i = 0; i < n && me == 0; i++)
        terms = s[i].terms > terms ? (double)s[i].terms : terms;
    *bound = (terms + 4) * EPS * (CPLX ? 4 : 1);
    return psb_bcast(ctxt, 1, bound, 0);
}

psb_err X(oracle_new)(struct X(oracle) *o, const struct X(entries) *from, const psb_desc *row, char trans,
                      T alpha, struct X(vect) *x, T beta, struct X(vect) *y)
{
    psb_ctxt *ctxt = psb_cd_ctxt(y->desc);
    psb_lpk nx = psb_cd_global_rows(x->desc), ny = psb_cd_global_rows(y->desc);
    struct psb_oracle_sum *s = NULL;
    T *all = NULL;
    psb_err e = psb_alloc_zero(&s, (size_t)ny, sizeof *s, "sums to check with");
    PSB_THEN(e, psb_alloc(&all, (size_t)nx, sizeof *all, "all of x, to check with"));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_agree(ctxt, X(gather)(x, all, -1)));
    if (e == PSB_OK)
        e = psb_agree(ctxt,
                      X(load_each)(from, row, add_products, &(struct product_sums){ s, trans, alpha, all }));
    PSB_THEN(e, psb_agree(ctxt, add_y(s, beta, y)));
    PSB_THEN(e, reduce_sums(ctxt, s, ny));
    PSB_THEN(e, find_bound(ctxt, s, ny, &o->bound));
    psb_free(all);
    o->sum = s;
    return e;
}

/* --- comparison --- */

static double relative_error(const struct psb_oracle_sum *s, T v)
{
    const long double smallest = sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN;
    const bool finite = isfinite(RE(v)) && isfinite(IM(v));
    if (!isfinite(s->re) || !isfinite(s->im)) {
        const bool same = isnan(s->re) ? isnan(RE(v)) : RE(v) == s->re;
        return (CPLX ? !finite : same) ? 0 : INFINITY;
    }
    if (!finite)
        return s->modulus > TMAX ? 0 : INFINITY;
    long double d = hypotl(RE(v) - s->re, IM(v) - s->im);
    return d <= smallest ? 0 : (double)(d / s->modulus);
}

psb_err X(oracle_error)(const struct X(oracle) *o, struct X(vect) *y, double *error)
{
    psb_ctxt *ctxt = psb_cd_ctxt(y->desc);
    psb_lpk n = psb_cd_global_rows(y->desc);
    double most = 0;
    T *all = NULL;
    int me;
    psb_info(ctxt, &me, NULL);
    psb_err e = me == 0 ? psb_alloc(&all, (size_t)n, sizeof *all, "all of y, to check") : PSB_OK;
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_agree(ctxt, X(gather)(y, all, 0)));
    for (psb_lpk i = 0; i < n && me == 0 && e == PSB_OK; i++)
        most = fmax(most, relative_error(&o->sum[i], all[i]));
    psb_free(all);
    PSB_TRY(e);
    *error = most;
    return psb_bcast(ctxt, 1, error, 0);
}

void X(oracle_free)(struct X(oracle) *o)
{
    psb_free(o->sum);
    o->sum = NULL;
}
