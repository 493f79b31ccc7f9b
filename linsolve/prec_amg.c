/* prec_amg.c -- linsolve: algebraic multigrid.  Each level has the matrix P^H A P of the level before, whose
 * prolongator P is made in amg_aggregate.c; the coarsest is solved by its dense inverse (amg_inverse.c).  The
 * cycles are in amg_cycle.c. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <inttypes.h>
#include <stdio.h>
#include "coll.h"
#include "kr_column.h"
#include "psb_type.h"
#include "sp_mult.t.h"
#include "amg.t.h"

/* The vectors of a level. */
#define LEVEL_VECTORS(v) (v)->x, (v)->r, (v)->z, (v)->c, (v)->w, (v)->k[0], (v)->k[1], (v)->k[2], (v)->k[3]

static void free_amg(struct X(prec) *p)
{
    struct amg *q = p->data;
    for (struct amg_level *v = q->level; v && v < q->level + p->options.levels; v++) {
        struct X(vect) *const all[] = { LEVEL_VECTORS(v) };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            X(gefree)(all[i]);
        X(precfree)(v->smoother);
        X(spfree)(v->inverse);
        X(spfree)(v->p);
        X(spfree)(v->of.s);
        X(spfree)(v->of.p0);
        X(spfree)(v->rows);
        X(spfree)(v->made);
        psb_free(v->dots);
    }
    X(amg_modes_free)(&q->modes);
    psb_free(q->level);
    psb_free(q);
}

static size_t level_bytes(const struct amg_level *v)
{
    const struct X(vect) *const all[] = { LEVEL_VECTORS(v) };
    size_t sum = sizeof *v + X(sp_bytes)(v->made) + X(prec_bytes)(v->smoother) + X(sp_bytes)(v->inverse) +
                 X(sp_bytes)(v->p) + X(sp_bytes)(v->of.s) + X(sp_bytes)(v->of.p0) + X(sp_bytes)(v->rows);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sum += X(vect_sizeof)(all[i]);
    return sum;
}

static size_t amg_bytes(const struct X(prec) *p)
{
    const struct amg *q = p->data;
    size_t sum = sizeof *q;
    for (const struct amg_level *v = q->level; v < q->level + q->n; v++)
        sum += level_bytes(v);
    return sum;
}

static void settle_amg(const struct X(prec) *p)
{
    const struct amg *q = p->data;
    for (const struct amg_level *v = q->level; v < q->level + q->n; v++) {
        X(spmv_settle)(v->inverse ? v->inverse : v->a);
        if (v->smoother)
            X(prec_settle)(v->smoother);
        if (v->p)
            X(spmv_settle)(v->p);
    }
}

/* --- building ------------------------------------------------------------------------------------------- */

/* Convert a, which is in CSR, to the format of p's matrices or, if that refuses, to that of halos. */
static psb_err place_matrix(const struct X(prec) *p, struct X(spmat) *a)
{
    psb_expect_errors(1);
    const psb_err e = X(spcnv)(a, p->mold);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(spcnv)(a, X(mat_halo_mold)(p->mold));
}

/* Build *m, a preconditioner with options o, for a. */
static psb_err build_part(const struct X(prec) *p, const struct psb_prec_options *o, const struct X(spmat) *a,
                          struct X(prec) **m)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), X(precinit_opt)(m, o)));
    return X(precbld)(*m, a, p->asked, &p->where);
}

/* *most = the largest eigenvalue of D^-1 A, from the smoother if that has computed it. */
static psb_err largest_of(const struct X(prec) *p, const struct amg_level *v, double *most)
{
    struct psb_prec_options o = psb_prec_defaults;
    struct X(prec) *chebyshev = NULL;
    *most = X(prec_largest)(v->smoother);
    if (*most > 0)
        return PSB_OK;
    o.type = PSB_PREC_CHEBYSHEV;
    o.degree = 0;
    const psb_err e = build_part(p, &o, v->a, &chebyshev);
    if (e == PSB_OK)
        *most = X(prec_largest)(chebyshev);
    X(precfree)(chebyshev);
    return e;
}

/* Add the time since *since to a phase; *since = now. */
static void end_phase(struct amg *q, enum amg_phase phase, double *since)
{
    const double now = psb_wtime();
    q->seconds[phase] += now - *since;
    *since = now;
}

/* The number of processes that own rows of d. */
static psb_err owners_of(const psb_desc *d, int *n)
{
    *n = psb_cd_local_rows(d) > 0;
    return psb_sum(psb_cd_ctxt(d), 1, n, -1);
}

/* Let fewer processes own the columns of *prolongator, that is the next level, if they have fewer than
 * p->options.gather each. */
static psb_err gather_next(const struct X(prec) *p, struct X(spmat) **prolongator)
{
    const psb_desc *d = (*prolongator)->col;
    struct X(spmat) *new;
    const psb_lpk rows = psb_cd_global_rows(d);
    int owners;
    if (psb_cd_is_replicated(d))
        return PSB_OK;
    PSB_TRY(owners_of(d, &owners));
    if (owners <= 1 || rows >= (psb_lpk)owners * p->options.gather)
        return PSB_OK;
    const psb_lpk n = rows / p->options.gather;
    PSB_TRY(X(amg_gather)(*prolongator, n > 1 ? (int)n : 1, &new));
    X(spfree)(*prolongator);
    *prolongator = new;
    return PSB_OK;
}

/* Let v->rows be v->a, a level in a format of a device, in CSR there. */
static psb_err level_in_csr(struct amg_level *v)
{
    const struct X(spmat) *a = v->a;
    struct X(mat) *c;
    if (v->rows || !a->ad->on || X(mat_is_csr)(a->ad) || a->ah->nnz > 0)
        return PSB_OK;
    PSB_TRY(X(mat_convert)(a->ad, X(mat_halo_mold)(a->ad), &c));
    const psb_err e = X(sp_of_near)(a->row, a->col, &c, c, NULL, &v->rows);
    X(mat_free)(c);
    return e;
}

/* *to = a copy of a, a product, which can be computed anew in place of a. */
static psb_err inherit_product(struct X(spmat) *a, struct X(spmat) **to)
{
    PSB_TRY(X(sp_clone)(a, to));
    (*to)->plan = a->plan;
    a->plan = NULL;
    return PSB_OK;
}

/* d[i] = d[i] times 1 to 2: then a column whose elements cancel, as that of a rotation, has a sum. */
static psb_err vary_elements(struct X(vect) *d)
{
    T *v;
    PSB_TRY(X(host_update)(d, &v));
    for (psb_ipk i = 0; i < X(vect_owned)(d); i++)
        v[i] *= 1 + (R)(i % 97) / 97;
    return PSB_OK;
}

/* Add full[i] to the diagonal of `rows` where that, left[i], is but a rounding error of it. */
static psb_err fill_diagonal(const struct X(vect) *left, const struct X(vect) *full, struct X(spmat) *rows)
{
    const T *l, *f;
    PSB_TRY(X(host_read)(left, &l));
    PSB_TRY(X(host_read)(full, &f));
    for (psb_ipk i = 0; i < psb_cd_local_rows(rows->row); i++)
        if (ABS(l[i]) <= 100 * EPS * ABS(f[i]))
            PSB_TRY(X(sp_csput)(1, &i, &i, &f[i], rows, PSB_DUPL_ADD));
    return PSB_OK;
}

/* *needed = an element of `left`, the diagonal of P^H A P, is so far below the largest of it and of d, that
 * of A, that it may be a rounding error of P^H d, if columns of P have sums up to 1000.  w: a vector like
 * `left`. Collective. */
static psb_err look_for_cancellation(const struct X(vect) *d, const struct X(vect) *left, struct X(vect) *w,
                                     bool *needed)
{
    R most = 0, others = 0, inverse = 0;
    psb_err e = X(geamax_local)(d, &most);
    PSB_THEN(e, X(geamax_local)(left, &others));
    PSB_THEN(e, X(geinv)(left, w));
    PSB_THEN(e, X(geamax_local)(w, &inverse));
    R all[] = { most > others ? most : others, inverse };
    PSB_TRY(psb_reduce(psb_cd_ctxt(d->desc), PSB_MAX, PSB_KIND_OF(all), 2, all, e));
    *needed = !(all[0] * all[1] < (R)(1e-5 / (double)EPS));
    return PSB_OK;
}

/* Where but rounding errors are left of the diagonal of `rows`, P^H A P, since A takes the column of P to 0,
 * add the sum P^H d, d the diagonal of a: smoothers and the inverse then change x little there. */
static psb_err mend_diagonal(const struct X(prec) *q, const struct X(spmat) *a, const struct X(spmat) *p,
                             bool modes, struct X(spmat) *rows)
{
    struct X(vect) *d = NULL, *left = NULL, *inverse = NULL, *full = NULL;
    bool needed = false;
    psb_err e = X(prec_vect)(q, a->row, 1, &d);
    PSB_THEN(e, X(prec_vect)(q, rows->row, 1, &left));
    PSB_THEN(e, X(prec_vect)(q, rows->row, 1, &inverse));
    PSB_THEN(e, X(prec_vect)(q, p->col, 1, &full));
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row), X(first_error)(X(sp_get_diag)(a, d), X(sp_get_diag)(rows, left)));
    PSB_THEN(e, look_for_cancellation(d, left, inverse, &needed));
    if (e == PSB_OK && needed) { /* all processes: a product fails on some only */
        e = psb_agree(psb_cd_ctxt(a->row), modes ? vary_elements(d) : PSB_OK);
        PSB_THEN(e, X(spmv)(1, p, d, 0, full, 'C'));
        PSB_THEN(e, fill_diagonal(left, full, rows));
        e = psb_agree(psb_cd_ctxt(a->row), e);
    }
    X(gefree)(d);
    X(gefree)(left);
    X(gefree)(inverse);
    X(gefree)(full);
    return e;
}

/* Make the product `rows` of level v[1]. */
static psb_err multiply_level(const struct X(prec) *p, struct amg *q, struct amg_level *v, double *since)
{
    const struct X(spmat) *a = v->rows ? v->rows : v->a;
    PSB_TRY(X(sprap)(NULL, a, v->p, NULL, &v[1].rows));
    PSB_TRY(mend_diagonal(p, a, v->p, q->modes.m > 0, v[1].rows));
    end_phase(q, AMG_PRODUCTS, since);
    return PSB_OK;
}

/* Make P, and the product `rows` of level v[1], if it has few enough rows. */
static psb_err new_products(const struct X(prec) *p, struct amg *q, const struct X(spmat) *a, R omega,
                            struct amg_level *v, double *since)
{
    const double theta = ldexp(p->options.theta, 1 - q->n);
    PSB_TRY(q->modes.m > 0 ? X(amg_modes_prolongator)(a, theta, omega, &q->modes, &v->p)
                           : X(amg_prolongator)(a, &p->options, theta, omega, &v->of, &v->p));
    if (!v->p)
        return PSB_OK;
    if (q->modes.m == 0) /* near-null vectors stay where they are */
        PSB_TRY(gather_next(p, &v->p));
    end_phase(q, AMG_PROLONGATORS, since);
    PSB_TRY(multiply_level(p, q, v, since));
    PSB_TRY(place_matrix(p, v->p));
    end_phase(q, AMG_CONVERSIONS, since);
    return PSB_OK;
}

/* The same with those of `old`, a level of a matrix with the same pattern, and new values: old keeps what it
 * is applied with. */
static psb_err renew_products(const struct X(prec) *p, struct amg *q, const struct X(spmat) *a, R omega,
                              struct amg_level *v, struct amg_level *old, double *since)
{
    v->of = old->of;
    old->of = (struct X(amg_factors)){ NULL, NULL };
    psb_err e = inherit_product(old->p, &v->p);
    PSB_THEN(e, inherit_product(old[1].rows ? old[1].rows : old[1].made, &v[1].rows));
    PSB_TRY(psb_agree(psb_cd_ctxt(a->row), e));
    PSB_TRY(X(amg_prolongator_again)(a, omega, &v->of, v->p));
    end_phase(q, AMG_PROLONGATORS, since);
    PSB_TRY(X(sprap_again)(NULL, a, v->p, v[1].rows));
    PSB_TRY(mend_diagonal(p, a, v->p, false, v[1].rows));
    end_phase(q, AMG_PRODUCTS, since);
    return PSB_OK;
}

/* v->a of the product v->rows, in the format of p's matrices. */
static psb_err place_level(const struct X(prec) *p, struct amg_level *v)
{
    if (X(mat_is_csr)(p->mold)) {
        v->made = v->rows;
        v->rows = NULL;
    } else {
        PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), X(sp_clone)(v->rows, &v->made)));
    }
    v->a = v->made;
    return place_matrix(p, v->made);
}

/* Make level v[1] of v[0] by the caller's function, if that makes one. */
static psb_err coarsen_by_caller(const struct X(prec) *p, struct amg *q, struct amg_level *v, double *since)
{
    PSB_TRY(X(amg_ask)(p, q->n - 1, v->a, &v->p, &v[1].made));
    end_phase(q, AMG_PROLONGATORS, since);
    if (!v->p)
        return PSB_OK;
    PSB_TRY(place_matrix(p, v->p));
    if (!v[1].made) {
        PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), level_in_csr(v)));
        PSB_TRY(multiply_level(p, q, v, since));
        PSB_TRY(place_level(p, &v[1]));
    } else {
        v[1].a = v[1].made;
        PSB_TRY(place_matrix(p, v[1].made));
    }
    end_phase(q, AMG_CONVERSIONS, since);
    return PSB_OK;
}

/* Make level v[1] of v[0], if it has few enough rows; else v[0] is the last. */
static psb_err coarsen(const struct X(prec) *p, struct amg *q, struct amg_level *v, struct amg_level *old,
                       double *since)
{
    double most = 0;
    if (p->coarsen)
        return coarsen_by_caller(p, q, v, since);
    if (old && !old->p)
        return PSB_OK;
    if (!p->options.unsmoothed)
        PSB_TRY(largest_of(p, v, &most));
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), level_in_csr(v)));
    const struct X(spmat) *a = v->rows ? v->rows : v->a;
    const R omega = p->options.unsmoothed ? 0 : (R)(4 / (3 * most));
    PSB_TRY(old ? renew_products(p, q, a, omega, v, old, since) : new_products(p, q, a, omega, v, since));
    if (v->p)
        PSB_TRY(place_level(p, &v[1]));
    end_phase(q, AMG_CONVERSIONS, since);
    return PSB_OK;
}

static psb_err check_sums(const struct X(spmat) *a, struct X(vect) *sums)
{
    const T *sum;
    PSB_TRY(X(sp_arwsum)(a, sums));
    PSB_TRY(X(host_read)(sums, &sum));
    for (psb_ipk i = 0; i < psb_cd_local_rows(a->row); i++)
        PSB_CHECK(isfinite(ABS(sum[i])), PSB_EPIVOT, "row %" PRId64 " has an entry that is not finite",
                  psb_loc_to_glob(a->row, i));
    return PSB_OK;
}

/* PSB_EPIVOT if the matrix has a NaN or an infinity. */
static psb_err check_finite(const struct X(prec) *p, const struct X(spmat) *a)
{
    struct X(vect) *sums = NULL;
    psb_err e = X(prec_vect)(p, a->row, 1, &sums);
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row), check_sums(a, sums));
    X(gefree)(sums);
    return e;
}

/* old: a level of a matrix with the same pattern, or NULL. */
static psb_err build_level(const struct X(prec) *p, struct amg *q, struct amg_level *old)
{
    struct amg_level *v = &q->level[q->n++];
    struct psb_prec_options smoother;
    double since = psb_wtime();
    if (psb_cd_global_rows(v->a->row) <= p->options.coarse) {
        PSB_TRY(q->n == 1 ? check_finite(p, v->a) : PSB_OK);
        PSB_TRY(X(amg_inverse)(v->a, &v->inverse));
        PSB_TRY(place_matrix(p, v->inverse));
        end_phase(q, AMG_INVERSE, &since);
        return PSB_OK;
    }
    PSB_TRY(psb_smoother_parse(p->options.smoother, q->n - 1, &smoother));
    PSB_TRY(build_part(p, &smoother, v->a, &v->smoother));
    end_phase(q, AMG_SMOOTHERS, &since);
    return q->n < p->options.levels ? coarsen(p, q, v, old, &since) : PSB_OK;
}

static psb_err open_amg(struct X(prec) *p, const struct X(operator) *op)
{
    struct amg *q;
    PSB_TRY(X(prec_check_owners)(p));
    PSB_CHECK(op->a->col == p->desc, PSB_EARG,
              "argument a has its columns on another descriptor than its rows; expected the same one");
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    PSB_TRY(psb_alloc_zero(&q->level, (size_t)p->options.levels, sizeof *q->level, "levels"));
    q->level[0].a = op->a;
    PSB_TRY(X(amg_modes_open)(p, &q->modes));
    return X(sp_fingerprint)(op->a, &q->print);
}

/* *n = the levels of `old`, from the finest, whose products can be computed again: not those of which the
 * next level has near-null vectors or, unless the prolongator has no values to renew, is gathered.
 * Collective. */
static psb_err kept_levels(const struct X(prec) *p, const struct amg *old, int *n)
{
    const struct amg *q = p->data;
    const bool all = p->options.unsmoothed && q->modes.m == 0;
    *n = old && old->print == q->print ? old->n : 0;
    for (int l = 0; l < *n; l++)
        if (old->level[l].p && !all && !(old->level[l].of.s && old->level[l].p->plan))
            *n = l;
    return psb_reduce(psb_cd_ctxt(p->desc), PSB_MIN, PSB_KIND_i, 1, n, PSB_OK);
}

/* Return e, an error of the level that was built last, with a text that names what is wrong. */
static psb_err explain(const struct X(prec) *p, const struct amg *q, psb_err e)
{
    char text[300];
    if (e == PSB_EPIVOT)
        PSB_TRY(check_finite(p, q->level->a));
    if (e == PSB_OK || q->n == 1)
        return e;
    snprintf(text, sizeof text, "%s", psb_errtext());
    return PSB_FAIL(e, "level %d of multigrid: %s", q->n - 1, text);
}

static psb_err build_levels(struct X(prec) *p, const struct X(operator) *op, struct amg *old)
{
    int kept;
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), open_amg(p, op)));
    struct amg *q = p->data;
    PSB_TRY(kept_levels(p, old, &kept));
    do
        PSB_TRY(explain(p, q, build_level(p, q, q->n < kept ? &old->level[q->n] : NULL)));
    while (q->level[q->n - 1].p);
    X(amg_modes_free)(&q->modes);
    return PSB_OK;
}

static psb_err build_amg(struct X(prec) *p, const struct X(operator) *op)
{
    return build_levels(p, op, NULL);
}

/* New values in the same pattern: the aggregates, the patterns of all products and the couplings stay. */
static psb_err renew_amg(struct X(prec) *p, const struct X(operator) *op)
{
    struct X(prec) old = *p;
    p->data = NULL;
    const psb_err e = build_levels(p, op, old.data);
    struct X(prec) *drop = e == PSB_OK ? &old : p;
    if (drop->data)
        free_amg(drop);
    if (e != PSB_OK)
        p->data = old.data;
    return e;
}

/* What the view shows of a level, over all processes. */
struct level_view {
    psb_lpk rows;
    psb_epk sum[3]; /* entries, those of the prolongator, bytes */
    int owners;
};

static psb_err look_at_level(const struct amg_level *v, struct level_view *view)
{
    view->rows = psb_cd_global_rows(v->a->row);
    PSB_TRY(X(nnz)(v->a, &view->sum[0]));
    if (v->p)
        PSB_TRY(X(nnz)(v->p, &view->sum[1]));
    view->sum[2] = (psb_epk)level_bytes(v);
    PSB_TRY(psb_sum(psb_cd_ctxt(v->a->row), 1, &view->sum[2], -1));
    return owners_of(v->a->row, &view->owners);
}

static void print_level(const struct amg_level *v, int l, const struct level_view *view, FILE *to)
{
    fprintf(to, "    level %d: %" PRId64 " rows, %" PRId64 " entries, %s, ", l, view->rows, view->sum[0],
            X(sp_fmt)(v->a));
    if (v->p)
        fprintf(to, "prolongator of %" PRId64 ", ", view->sum[1]);
    fprintf(to, "%d process%s, %" PRId64 " bytes, %s\n", view->owners, view->owners == 1 ? "" : "es",
            view->sum[2], v->inverse ? "solved by its inverse" : psb_prec_name(v->smoother->options.type));
}

static void print_totals(const struct amg *q, const struct level_view *view, FILE *to)
{
    static const char *const phases[] = { "smoothers", "prolongators", "products", "conversions", "inverse" };
    double entries = 0, rows = 0;
    for (int l = 0; l < q->n; l++) {
        rows += (double)view[l].rows;
        entries += (double)view[l].sum[0];
    }
    fprintf(to, "    complexity: %.3f of entries, %.3f of rows\n",
            entries / (double)(view->sum[0] + !view->sum[0]), rows / (double)(view->rows + !view->rows));
    fprintf(to, "    seconds:");
    for (int i = 0; i < AMG_PHASES; i++)
        fprintf(to, " %.3g %s%s", q->seconds[i], phases[i], i < AMG_PHASES - 1 ? "," : "\n");
}

static psb_err view_amg(const struct X(prec) *p, FILE *to)
{
    const struct amg *q = p->data;
    struct level_view view[PSB_MOST_LEVELS] = { 0 };
    int me, np;
    psb_info(psb_cd_ctxt(p->desc), &me, &np);
    for (int l = 0; l < q->n; l++) {
        PSB_TRY(look_at_level(&q->level[l], &view[l]));
        if (me == 0)
            print_level(&q->level[l], l, &view[l], to);
    }
    if (me == 0)
        print_totals(q, view, to);
    return PSB_OK;
}

/* --- application ---------------------------------------------------------------------------------------- */

static psb_err conjugate(struct X(vect) *x)
{
    T *v;
    PSB_TRY(X(host_update)(x, &v));
    for (size_t i = 0; i < (size_t)X(vect_owned)(x) * (size_t)x->ncols; i++)
        v[i] = CONJ(v[i]);
    return PSB_OK;
}

/* op T is the conjugate of op C of the conjugate.  One short reduction first: a process that cannot take part
 * (decline_amg) then stops all, and none waits in the exchanges of the levels. */
static psb_err apply_amg(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    const bool turn = CPLX && trans == 'T';
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), PSB_OK));
    PSB_TRY(X(amg_vectors)(p, x->ncols));
    if (!turn)
        return X(amg_cycle)(p, x, y, trans == 'N' ? 'N' : 'C');
    psb_err e = X(geaxpby)(1, x, 0, y);
    e = X(first_error)(e, conjugate(y));
    e = X(first_error)(e, X(amg_cycle)(p, y, y, 'C'));
    return X(first_error)(e, conjugate(y));
}

static void decline_amg(const struct X(prec) *p, int k, char trans, psb_err e)
{
    (void)k, (void)trans;
    (void)!psb_agree(psb_cd_ctxt(p->desc), e);
}

const struct X(prec_ops) X(prec_amg) = { .build = build_amg,
                                         .renew = renew_amg,
                                         .apply = apply_amg,
                                         .decline = decline_amg,
                                         .settle = settle_amg,
                                         .bytes = amg_bytes,
                                         .view = view_amg,
                                         .free = free_amg,
                                         .entries = true };
