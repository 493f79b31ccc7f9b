/* amg_aggregate.c -- linsolve: prolongators of multigrid by smoothed aggregation (Vanek, Mandel, Brezina,
 * "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems", Computing 56,
 * 1996).
 *
 * Rows are put together in aggregates, which are the rows of the next level; the process of an aggregate's
 * root owns it.  The tentative prolongator P0 has a one for each row, in the column of its aggregate; P = S
 * P0, see aggregate.t.h.  A device that has the matrix makes S, P0 and P if no process has entries in columns
 * of others. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_testing.h"
#include "coll.h"
#include "psb_type.h"
#include "sp_mult.t.h"
#include "aggregate.t.h"
#include "amg.t.h"

/* S and P0, on `coarse`, in the making, in CSR; like: a matrix with the pattern of S, or NULL. */
struct transfer {
    const struct X(spmat) *a, *like;
    const struct psb_prec_options *o;
    double theta;
    R omega;
    struct X(vect) *diag; /* where a is, with its halo */
    struct X(mat) *s, *p0;
    psb_desc *coarse;
};

static psb_err open_transfer(struct transfer *t)
{
    psb_ctxt *ctxt = psb_cd_ctxt(t->a->row);
    const struct psb_vmold where = { .name = "diagonal", .device = X(mat_dev)(t->a->ad)->device };
    PSB_TRY(psb_agree(ctxt, X(geall)(&t->diag, t->a->col)));
    PSB_TRY(X(geasb)(t->diag, &where));
    PSB_TRY(psb_agree(ctxt, X(sp_get_diag)(t->a, t->diag)));
    return psb_agree(ctxt, X(halo)(t->diag, 'N'));
}

static void close_transfer(struct transfer *t)
{
    X(gefree)(t->diag);
    X(mat_free)(t->s);
    X(mat_free)(t->p0);
    psb_cdfree(t->coarse);
}

/* --- on the host ---------------------------------------------------------------------------------------- */

/* Create *s, with row pointers as ptr, columns as idx or, if that is NULL, to be written. */
static psb_err new_rows(struct X(smoothing) *q, const psb_epk *ptr, const psb_ipk *idx, struct X(mat) **s)
{
    PSB_TRY(X(csr_make)(q->a.n, q->a.m, ptr[q->a.n], s, &q->s));
    X(compressed_copy)(q->s.ptr, ptr, (size_t)q->a.n + 1, sizeof *ptr);
    if (idx)
        X(compressed_copy)(q->s.idx, idx, (size_t)ptr[q->a.n], sizeof *idx);
    return PSB_OK;
}

static psb_err smoothing_pattern(struct X(smoothing) *q, struct X(mat) **s)
{
    psb_epk *ptr;
    PSB_TRY(psb_alloc(&ptr, (size_t)q->a.n + 1, sizeof *ptr, "row pointers of a level"));
    q->s.ptr = ptr;
    X(smoothing_lengths)(q);
    const psb_err e = new_rows(q, ptr, NULL, s);
    psb_free(ptr);
    if (e == PSB_OK)
        X(smoothing_pattern)(q);
    return e;
}

static psb_err known_pattern(const struct X(spmat) *like, struct X(smoothing) *q, struct X(mat) **s)
{
    struct X(compressed) l;
    struct X(mat) *made;
    PSB_TRY(X(sp_joined)(like, &l, &made));
    const psb_err e = new_rows(q, l.ptr, l.idx, s);
    X(mat_free)(made);
    return e;
}

/* Create *p0 for aggregates that are n columns. */
static psb_err tentative_rows(psb_ipk rows, const psb_lpk *of, psb_ipk n, struct X(mat) **p0)
{
    struct X(compressed) l;
    psb_epk nnz = 0;
    for (psb_ipk i = 0; i < rows; i++)
        nnz += of[i] >= 0;
    PSB_TRY(X(csr_make)(rows, n, nnz, p0, &l));
    l.ptr[0] = 0;
    for (psb_ipk i = 0; i < rows; i++) {
        l.ptr[i + 1] = l.ptr[i] + (of[i] >= 0);
        if (of[i] >= 0) {
            l.idx[l.ptr[i]] = (psb_ipk)of[i];
            l.val[l.ptr[i]] = 1;
        }
    }
    return PSB_OK;
}

/* Aggregates of rows here alone. */
static psb_err aggregate_here(const struct X(compressed) *s, psb_lpk *of, psb_ipk *n)
{
    struct X(compressed) own = *s;
    own.m = own.n;
    return X(aggregate_rows)(&own, NULL, of, n);
}

static psb_err match_here(const struct transfer *t, psb_lpk *of, psb_ipk *n)
{
    struct X(compressed) l;
    struct X(mat) *made;
    PSB_TRY(X(sp_joined)(t->a, &l, &made));
    const psb_err e = X(amg_matching)(&l, t->o->passes, of, n);
    X(mat_free)(made);
    return e;
}

/* Make S; *s: its rows. */
static psb_err smooth_on_host(struct transfer *t, struct X(compressed) *s)
{
    struct X(smoothing) q = { .theta = t->theta, .omega = t->omega };
    struct X(mat) *made;
    PSB_TRY(X(sp_joined)(t->a, &q.a, &made));
    psb_err e = X(host_read)(t->diag, &q.d);
    PSB_THEN(e, t->like ? known_pattern(t->like, &q, &t->s) : smoothing_pattern(&q, &t->s));
    if (e == PSB_OK)
        X(smoothing_values)(&q);
    X(mat_free)(made);
    *s = q.s;
    return e;
}

/* Make P0 and its columns; coupled: the aggregates are those of all processes together. */
static psb_err aggregate_on_host(struct transfer *t, const struct X(compressed) *s, bool coupled)
{
    psb_ctxt *ctxt = psb_cd_ctxt(t->a->row);
    const bool matching = t->o->aggregation == PSB_AGGREGATION_MATCHING;
    psb_lpk *of = NULL;
    psb_ipk n;
    psb_err e = psb_agree(ctxt, psb_alloc(&of, 3 * (size_t)s->m, sizeof *of, "aggregates"));
    if (coupled) {
        PSB_THEN(e, X(amg_coupled)(t->a->col, s, of, &t->coarse));
    } else {
        PSB_THEN(e, psb_agree(ctxt, matching ? match_here(t, of, &n) : aggregate_here(s, of, &n)));
        PSB_THEN(e, X(amg_new_rows)(t->a->row, n, &t->coarse));
    }
    PSB_THEN(e, psb_agree(ctxt, tentative_rows(s->n, of, psb_cd_local_cols(t->coarse), &t->p0)));
    psb_free(of);
    return e;
}

static psb_err make_on_host(struct transfer *t, bool coupled)
{
    struct X(compressed) s;
    PSB_TRY(psb_agree(psb_cd_ctxt(t->a->row), smooth_on_host(t, &s)));
    return t->like ? PSB_OK : aggregate_on_host(t, &s, coupled);
}

static psb_err aggregates_of(struct transfer *t, psb_lpk *of, psb_ipk *n)
{
    struct X(compressed) s;
    PSB_TRY(smooth_on_host(t, &s));
    return aggregate_here(&s, of, n);
}

psb_err X(amg_aggregates)(const struct X(spmat) *a, double theta, psb_lpk *of, psb_ipk *n)
{
    struct transfer t = { .a = a, .theta = theta, .omega = 1 };
    psb_err e = open_transfer(&t);
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row), aggregates_of(&t, of, n));
    close_transfer(&t);
    return PSB_PASS(e);
}

/* --- on a device ---------------------------------------------------------------------------------------- */

static psb_err make_on_device(struct transfer *t)
{
    const struct X(mat_dev_storage) *by = X(mat_dev)(t->a->ad)->storage;
    const T *d;
    if (!t->like && t->o->aggregation == PSB_AGGREGATION_MATCHING) /* on the host alone */
        return PSB_ENOTIMPL;
    if (!by || !by->smoothing || !X(sp_is_near)(t->a) || t->diag->v.on != t->a->ad->on)
        return PSB_ENOTIMPL;
    PSB_TRY(psb_dual_read(&t->diag->v, PSB_DEV, &d));
    if (t->like)
        PSB_TRY(X(mat_clone)(t->like->ad, &t->s));
    PSB_TRY(by->smoothing(t->a->ad, d, t->theta, t->omega, &t->s));
    return t->like ? PSB_OK : by->aggregate(t->s, &t->p0);
}

/* Make S, and P0 unless the pattern is known, on the devices of all processes, or else on the host. */
static psb_err make_transfer(struct transfer *t)
{
    PSB_TRY(open_transfer(t));
    psb_expect_errors(1);
    bool q[2] = { make_on_device(t) != PSB_OK, !X(sp_is_near)(t->a) };
    psb_expect_errors(0);
    PSB_TRY(psb_reduce(psb_cd_ctxt(t->a->row), PSB_MAX, PSB_KIND_b, 2, q, PSB_OK));
    if (!q[0])
        return t->like ? PSB_OK : X(amg_new_rows)(t->a->row, t->p0->ncols, &t->coarse);
    X(mat_free)(t->s);
    X(mat_free)(t->p0);
    t->s = t->p0 = NULL;
    return make_on_host(t, q[1] && !t->like && t->o->aggregation == PSB_AGGREGATION_COUPLED);
}

/* --- prolongators --------------------------------------------------------------------------------------- */

/* Create *to of the rows *c, in their format. */
static psb_err distribute(psb_desc *row, psb_desc *col, struct X(mat) **c, struct X(spmat) **to)
{
    return psb_agree(psb_cd_ctxt(row), X(sp_of_near)(row, col, c, *c, NULL, to));
}

psb_err X(amg_new_rows)(const psb_desc *fine, psb_ipk n, psb_desc **coarse)
{
    psb_ctxt *ctxt = psb_cd_ctxt(fine);
    PSB_TRY(psb_cd_is_replicated(fine) ? psb_cdall_repl(coarse, ctxt, n) : psb_cdall_nl(coarse, ctxt, n));
    return PSB_PASS(psb_cdasb(*coarse));
}

bool X(amg_is_next)(const psb_desc *fine, const psb_desc *coarse)
{
    const psb_lpk n = coarse ? psb_cd_global_rows(coarse) : 0;
    return n > 0 && 8 * n <= 7 * psb_cd_global_rows(fine);
}

psb_err X(amg_prolongator)(const struct X(spmat) *a, const struct psb_prec_options *o, double theta, R omega,
                           struct X(amg_factors) *of, struct X(spmat) **p)
{
    struct transfer t = { .a = a, .o = o, .theta = theta, .omega = omega };
    psb_err e = make_transfer(&t);
    const bool next = X(amg_is_next)(a->row, t.coarse);
    if (next && omega == 0) {
        PSB_THEN(e, distribute(a->row, t.coarse, &t.p0, p));
    } else if (next) {
        PSB_THEN(e, distribute(a->row, a->col, &t.s, &of->s));
        PSB_THEN(e, distribute(a->row, t.coarse, &t.p0, &of->p0));
        PSB_THEN(e, X(spspmm)(of->s, of->p0, NULL, p));
    }
    close_transfer(&t);
    return PSB_PASS(e);
}

psb_err X(amg_prolongator_again)(const struct X(spmat) *a, R omega, const struct X(amg_factors) *of,
                                 struct X(spmat) *p)
{
    struct transfer t = { .a = a, .like = of->s, .omega = omega };
    struct X(spmat) *s = NULL;
    if (omega == 0)
        return PSB_OK;
    psb_err e = make_transfer(&t);
    PSB_THEN(e, distribute(a->row, a->col, &t.s, &s));
    PSB_THEN(e, X(spgemm_again)(1, s, of->p0, 0, NULL, p));
    X(spfree)(s);
    close_transfer(&t);
    return PSB_PASS(e);
}
