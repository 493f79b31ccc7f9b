/* amg_aggregate.c -- linsolve: prolongators of multigrid by smoothed aggregation (Vanek, Mandel, Brezina,
 * "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems", Computing 56,
 * 1996).
 *
 * Rows i and j are coupled if |a_ij| > theta sqrt(|a_ii a_jj|).  Each process puts its coupled rows together
 * in aggregates, which are the rows of the next level.  The tentative prolongator P0 has a one for each row,
 * in the column of its aggregate; P = (I - omega D^-1 F) P0, where F is A with the entries of uncoupled rows
 * added to its diagonal D. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "amg.t.h"

/* The entries of the rows here in order, those of row i from ptr[i] on; couples[k]: of two different rows. */
struct amg_rows {
    psb_ipk n;
    struct X(coo_mat) *all;
    psb_epk *ptr;
    bool *couples;
    struct X(vect) *diag; /* with its halo */
};

static void free_amg_rows(struct amg_rows *g)
{
    X(mat_free)((struct X(mat) *)g->all);
    psb_free(g->ptr);
    psb_free(g->couples);
    X(gefree)(g->diag);
}

static psb_err read_amg_rows(const struct X(spmat) *a, struct amg_rows *g)
{
    PSB_TRY(X(sp_rows)(a, &g->all));
    g->n = g->all->mat.nrows;
    PSB_TRY(psb_alloc(&g->ptr, (size_t)g->n + 1, sizeof *g->ptr, "rows of a level"));
    PSB_TRY(psb_alloc(&g->couples, (size_t)g->all->mat.nnz, sizeof *g->couples, "couplings"));
    X(compressed_count)(g->n, g->all->mat.nnz, g->all->ia, g->ptr);
    return X(sp_get_diag)(a, g->diag);
}

static psb_err find_couplings(struct amg_rows *g, double theta)
{
    const struct X(coo_mat) *c = g->all;
    const T *d;
    PSB_TRY(X(host_read)(g->diag, &d));
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        const double size = sqrt((double)ABS(d[c->ia[k]])) * sqrt((double)ABS(d[c->ja[k]]));
        g->couples[k] = c->ia[k] != c->ja[k] && (double)ABS(c->val[k]) > theta * size;
    }
    return PSB_OK;
}

static psb_err open_amg_rows(const struct X(spmat) *a, double theta, struct amg_rows *g)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    PSB_TRY(psb_agree(ctxt, X(geall)(&g->diag, a->col)));
    PSB_TRY(X(geasb)(g->diag, NULL));
    psb_err e = psb_agree(ctxt, read_amg_rows(a, g));
    PSB_THEN(e, X(halo)(g->diag, 'N'));
    PSB_THEN(e, find_couplings(g, theta));
    return psb_agree(ctxt, e);
}

/* --- aggregates ----------------------------------------------------------------------------------------- */

/* of[i] = the aggregate of row i, below 0 while it has none. */
enum { ALONE = -1 };

/* Is row i coupled to rows here, and none of these or itself in an aggregate? */
static bool is_free(const struct amg_rows *g, psb_ipk i, const psb_ipk *of)
{
    bool coupled = false;
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->all->ja[k] < g->n && g->couples[k]) {
            if (of[g->all->ja[k]] != ALONE)
                return false;
            coupled = true;
        }
    return coupled && of[i] == ALONE;
}

/* Put row i, and the rows coupled to it that have no aggregate, in aggregate c. */
static void put_together(const struct amg_rows *g, psb_ipk i, psb_ipk c, psb_ipk *of)
{
    of[i] = c;
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
        const psb_ipk j = g->all->ja[k];
        if (j < g->n && of[j] == ALONE && g->couples[k])
            of[j] = c;
    }
}

/* The aggregate to which row i is coupled most, of those made before; ALONE if there is none. */
static psb_ipk nearest_aggregate(const struct amg_rows *g, psb_ipk i, const psb_ipk *of)
{
    psb_ipk best = ALONE;
    R most = 0;
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
        const psb_ipk j = g->all->ja[k];
        if (j < g->n && of[j] >= 0 && g->couples[k] && ABS(g->all->val[k]) > most) {
            most = ABS(g->all->val[k]);
            best = of[j];
        }
    }
    return best;
}

static bool is_coupled(const struct amg_rows *g, psb_ipk i)
{
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->couples[k])
            return true;
    return false;
}

/* Set of[0..n) and return the number of aggregates: neighbourhoods of rows that do not meet; the rows between
 * them, each to the nearest; what is left.  A row without couplings stays alone: smoothing solves it. */
static psb_ipk aggregate_rows(const struct amg_rows *g, psb_ipk *of)
{
    psb_ipk c = 0;
    for (psb_ipk i = 0; i < g->n; i++)
        of[i] = ALONE;
    for (psb_ipk i = 0; i < g->n; i++)
        if (is_free(g, i, of))
            put_together(g, i, c++, of);
    for (psb_ipk i = 0; i < g->n; i++) /* below ALONE until all have chosen: not to be chosen */
        if (of[i] == ALONE)
            of[i] = ALONE - 1 - nearest_aggregate(g, i, of);
    for (psb_ipk i = 0; i < g->n; i++)
        of[i] = of[i] < ALONE ? ALONE - 1 - of[i] : of[i];
    for (psb_ipk i = 0; i < g->n; i++)
        if (of[i] == ALONE && is_coupled(g, i))
            put_together(g, i, c++, of);
    return c;
}

/* --- prolongators --------------------------------------------------------------------------------------- */

/* Create *p0 for these aggregates, whose descriptor is `coarse`. */
static psb_err tentative(const struct X(spmat) *a, const struct amg_rows *g, const psb_ipk *of,
                         psb_desc *coarse, struct X(spmat) **p0)
{
    const T one = 1;
    struct X(mat) *c = NULL;
    psb_err e = X(mat_all)(g->n, psb_cd_local_cols(coarse), g->n, &c);
    for (psb_ipk i = 0; i < g->n && e == PSB_OK; i++)
        if (of[i] != ALONE)
            e = X(coo_append)((struct X(coo_mat) *)c, 1, &i, &of[i], &one);
    PSB_THEN(e,
             X(sp_of_rows)(a->row, coarse, (struct X(coo_mat) *)c, &X(csr_mold).mat, &X(csr_mold).mat, p0));
    X(mat_free)(c);
    return e;
}

/* Replace row i by that of I - omega D^-1 F, written from entry *to on. */
static void smoothing_row(struct amg_rows *g, const T *diag, R omega, psb_ipk i, psb_epk *to)
{
    struct X(coo_mat) *c = g->all;
    T d = 0;
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        d += g->couples[k] ? 0 : c->val[k];
    if (!(ABS(d) > (R)0.1 * ABS(diag[i])))
        d = diag[i];
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
        const bool coupled = g->couples[k];
        if (!coupled && c->ja[k] != i)
            continue;
        const T v = coupled ? -omega * (c->val[k] / d) : 1 - omega;
        c->ia[*to] = i;
        c->ja[*to] = c->ja[k];
        c->val[(*to)++] = v;
    }
}

/* Create *s = I - omega D^-1 F of the rows g, which are used up. */
static psb_err smoothing_matrix(const struct X(spmat) *a, R omega, struct amg_rows *g, struct X(spmat) **s)
{
    psb_epk nnz = 0;
    const T *d;
    PSB_TRY(X(host_read)(g->diag, &d));
    for (psb_ipk i = 0; i < g->n; i++)
        smoothing_row(g, d, omega, i, &nnz);
    g->all->mat.nnz = nnz;
    return X(sp_of_rows)(a->row, a->col, g->all, &X(csr_mold).mat, &X(csr_mold).mat, s);
}

psb_err X(amg_new_rows)(const psb_desc *fine, psb_ipk n, psb_desc **coarse)
{
    psb_ctxt *ctxt = psb_cd_ctxt(fine);
    PSB_TRY(psb_cd_is_replicated(fine) ? psb_cdall_repl(coarse, ctxt, n) : psb_cdall_nl(coarse, ctxt, n));
    return PSB_PASS(psb_cdasb(*coarse));
}

static psb_err make_prolongator(const struct X(spmat) *a, R omega, struct amg_rows *g, psb_ipk *of,
                                struct X(spmat) **p)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct X(spmat) *p0 = NULL, *s = NULL;
    psb_desc *coarse = NULL;
    psb_err e = X(amg_new_rows)(a->row, aggregate_rows(g, of), &coarse);
    if (e == PSB_OK)
        e = psb_agree(ctxt,
                      X(first_error)(tentative(a, g, of, coarse, &p0), smoothing_matrix(a, omega, g, &s)));
    PSB_THEN(e, X(spspmm)(s, p0, NULL, p));
    X(spfree)(p0);
    X(spfree)(s);
    psb_cdfree(coarse);
    return e;
}

psb_err X(amg_prolongator)(const struct X(spmat) *a, double theta, R omega, struct X(spmat) **p)
{
    struct amg_rows g = { 0 };
    psb_ipk *of = NULL;
    psb_err e = open_amg_rows(a, theta, &g);
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row), psb_alloc(&of, (size_t)g.n, sizeof *of, "aggregates"));
    PSB_THEN(e, make_prolongator(a, omega, &g, of, p));
    free_amg_rows(&g);
    psb_free(of);
    return PSB_PASS(e);
}

psb_err X(amg_aggregates)(const struct X(spmat) *a, double theta, psb_ipk *of, psb_ipk *n)
{
    struct amg_rows g = { 0 };
    const psb_err e = open_amg_rows(a, theta, &g);
    if (e == PSB_OK)
        *n = aggregate_rows(&g, of);
    free_amg_rows(&g);
    return PSB_PASS(e);
}
