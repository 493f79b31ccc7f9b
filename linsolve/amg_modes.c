/* amg_modes.c -- linsolve: prolongators of multigrid for several near-null vectors, and for nodes of several
 * unknowns.
 *
 * Nodes are put together in aggregates by the matrix of the sums of moduli of their blocks.  On each
 * aggregate the vectors are Q R: the columns of Q are those of the tentative prolongator P0, and the rows of
 * R are the vectors of the next level, whose nodes are the aggregates.  P = P0 - omega D^-1 A P0, unfiltered,
 * so that P has in its range what A takes to 0.  Source: Vanek, Mandel, Brezina, "Algebraic multigrid by
 * smoothed aggregation for second and fourth order elliptic problems", Computing 56, 1996. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <inttypes.h>
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "quotient.t.h"
#include "amg.t.h"

void X(amg_modes_free)(struct X(amg_modes) *q)
{
    psb_free(q->v);
    psb_free(q->first);
    *q = (struct X(amg_modes)){ 0 };
}

/* --- the finest level ----------------------------------------------------------------------------------- */

static psb_err alloc_modes(psb_ipk rows, psb_ipk nodes, int m, struct X(amg_modes) *q)
{
    q->nodes = nodes;
    q->m = m;
    PSB_TRY(psb_alloc(&q->first, (size_t)nodes + 1, sizeof *q->first, "nodes"));
    return psb_alloc_zero(&q->v, (size_t)rows * (size_t)m, sizeof *q->v, "near-null vectors");
}

psb_err X(amg_modes_open)(const struct X(prec) *p, struct X(amg_modes) *q)
{
    const struct X(nullspace) *near = p->near;
    PSB_CHECK(
        !near || psb_is_live(near), PSB_EARG,
        "the near-null space of the preconditioner is freed; expected it to outlive the preconditioner");
    const int unknowns = p->options.unknowns ? p->options.unknowns : near ? near->unknowns : 1;
    const psb_ipk n = psb_cd_local_rows(p->desc);
    PSB_CHECK(n % unknowns == 0, PSB_EARG,
              "a process has %" PRId64 " rows; expected a multiple of option unknowns, which is %d",
              (int64_t)n, unknowns);
    PSB_CHECK(!near || psb_cd_same_rows(near->desc, p->desc), PSB_EARG,
              "the near-null space is on another descriptor than the matrix; expected the same one");
    if (!near && unknowns == 1)
        return PSB_OK;
    PSB_TRY(alloc_modes(n, n / unknowns, near ? near->n : unknowns, q));
    q->single = unknowns == 1;
    for (psb_ipk k = 0; k <= q->nodes; k++)
        q->first[k] = k * unknowns;
    for (psb_ipk i = 0; i < n && !near; i++)
        q->v[(size_t)i * (size_t)q->m + (size_t)(i % unknowns)] = 1;
    for (int j = 0; near && j < q->m; j++) {
        const T *v;
        PSB_TRY(X(host_read)(near->v[j], &v));
        for (psb_ipk i = 0; i < n; i++)
            q->v[(size_t)i * (size_t)q->m + (size_t)j] = v[i];
    }
    return PSB_OK;
}

/* --- the matrix of nodes -------------------------------------------------------------------------------- */

/* Create *s, of ones: which node a row belongs to. */
static psb_err rows_to_nodes(const struct X(spmat) *a, const struct X(amg_modes) *q, psb_desc *nodes,
                             struct X(spmat) **s)
{
    const T one = 1;
    struct X(mat) *c = NULL;
    const psb_ipk n = psb_cd_local_rows(a->row);
    psb_err e = X(mat_all)(n, psb_cd_local_cols(nodes), n, &c);
    for (psb_ipk k = 0; k < q->nodes && e == PSB_OK; k++)
        for (psb_ipk i = q->first[k]; i < q->first[k + 1] && e == PSB_OK; i++)
            e = X(coo_append)((struct X(coo_mat) *)c, 1, &i, &k, &one);
    PSB_THEN(e, X(sp_of_rows)(a->row, nodes, (struct X(coo_mat) *)c, &X(csr_mold).mat, &X(csr_mold).mat, s));
    X(mat_free)(c);
    return e;
}

/* Create *moduli, of the moduli of the entries of a. */
static psb_err moduli_of(const struct X(spmat) *a, struct X(spmat) **moduli)
{
    struct X(coo_mat) *c = NULL;
    psb_err e = X(sp_rows)(a, &c);
    for (psb_epk k = 0; e == PSB_OK && k < c->mat.nnz; k++)
        c->val[k] = ABS(c->val[k]);
    PSB_THEN(e, X(sp_of_rows)(a->row, a->col, c, &X(csr_mold).mat, &X(csr_mold).mat, moduli));
    X(mat_free)((struct X(mat) *)c);
    return e;
}

/* Create *nodal, of the sums of moduli of the blocks of a. */
static psb_err nodal_matrix(const struct X(spmat) *a, const struct X(amg_modes) *q, struct X(spmat) **nodal)
{
    psb_desc *nodes = NULL;
    struct X(spmat) *s = NULL, *moduli = NULL;
    psb_err e = X(amg_new_rows)(a->row, q->nodes, &nodes);
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row),
                      X(first_error)(rows_to_nodes(a, q, nodes, &s), moduli_of(a, &moduli)));
    PSB_THEN(e, X(sprap)(NULL, moduli, s, NULL, nodal));
    X(spfree)(s);
    X(spfree)(moduli);
    psb_cdfree(nodes);
    return e;
}

/* Set of[k] to the aggregate of node k, below 0 if it has none, and *n to their number. */
static psb_err aggregate_nodes(const struct X(spmat) *a, double theta, const struct X(amg_modes) *q,
                               psb_lpk *of, psb_ipk *n)
{
    struct X(spmat) *nodal = NULL;
    if (q->single)
        return X(amg_aggregates)(a, theta, of, n);
    PSB_TRY(nodal_matrix(a, q, &nodal));
    const psb_err e = X(amg_aggregates)(nodal, theta, of, n);
    X(spfree)(nodal);
    return e;
}

/* --- Q R on an aggregate -------------------------------------------------------------------------------- */

/* The rows of an aggregate and, in v, the vectors there by columns, which become those of Q; r: R by rows. */
struct modes_part {
    psb_ipk n;
    int m, rank;
    psb_ipk *row;
    T *v, *r;
};

static R norm_of_mode(psb_ipk n, const T *v)
{
    double sum = 0, largest = 0;
    for (psb_ipk i = 0; i < n; i++)
        largest = fmax(largest, (double)ABS(v[i]));
    for (psb_ipk i = 0; i < n && largest > 0; i++)
        sum += (double)ABS(v[i]) / largest * ((double)ABS(v[i]) / largest);
    return (R)(largest * sqrt(sum));
}

/* Subtract from v its part in the unit vector q, and add the coefficient to *c. */
static void subtract_mode(psb_ipk n, const T *q, T *v, T *c)
{
    T sum = 0;
    for (psb_ipk i = 0; i < n; i++)
        sum += CONJ(q[i]) * v[i];
    for (psb_ipk i = 0; i < n; i++)
        v[i] -= sum * q[i];
    *c += sum;
}

/* Modified Gram-Schmidt, twice: a vector of which but rounding errors are left gives no column. */
static void orthonormalise_modes(struct modes_part *g)
{
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    g->rank = 0;
    memset(g->r, 0, m * m * sizeof *g->r);
    for (size_t j = 0; j < m; j++) {
        T *v = g->v + j * n, *to = g->v + (size_t)g->rank * n;
        const R before = norm_of_mode(g->n, v);
        for (size_t i = 0; i < 2 * (size_t)g->rank; i++)
            subtract_mode(g->n, g->v + i % (size_t)g->rank * n, v, &g->r[i % (size_t)g->rank * m + j]);
        const R left = norm_of_mode(g->n, v);
        if (g->rank == g->n || !(left > 100 * (R)EPS * before))
            continue;
        g->r[(size_t)g->rank++ * m + j] = left;
        for (size_t i = 0; i < n; i++)
            to[i] = v[i] / left;
    }
}

/* --- prolongators --------------------------------------------------------------------------------------- */

/* The nodes of aggregate c are list[ptr[c] .. ptr[c + 1]). */
static psb_err list_nodes(psb_ipk nodes, const psb_lpk *of, psb_ipk n, psb_ipk **ptr, psb_ipk **list)
{
    PSB_TRY(psb_alloc_zero(ptr, (size_t)n + 2, sizeof **ptr, "aggregates"));
    PSB_TRY(psb_alloc(list, (size_t)nodes, sizeof **list, "aggregates"));
    for (psb_ipk k = 0; k < nodes; k++)
        if (of[k] >= 0)
            (*ptr)[of[k] + 2]++;
    for (psb_ipk c = 0; c < n; c++)
        (*ptr)[c + 2] += (*ptr)[c + 1];
    for (psb_ipk k = 0; k < nodes; k++)
        if (of[k] >= 0)
            (*list)[(*ptr)[of[k] + 1]++] = k;
    return PSB_OK;
}

/* The rows of these nodes, and the vectors there. */
static void gather_modes(const struct X(amg_modes) *q, psb_ipk nodes, const psb_ipk *node,
                         struct modes_part *g)
{
    g->n = 0;
    for (psb_ipk k = 0; k < nodes; k++)
        for (psb_ipk i = q->first[node[k]]; i < q->first[node[k] + 1]; i++)
            g->row[g->n++] = i;
    for (int j = 0; j < q->m; j++)
        for (psb_ipk i = 0; i < g->n; i++)
            g->v[(size_t)j * (size_t)g->n + (size_t)i] = q->v[(size_t)g->row[i] * (size_t)q->m + (size_t)j];
}

/* Append the entries of Q, in columns from `first` on. */
static psb_err append_modes(const struct modes_part *g, psb_ipk first, struct X(mat) *c)
{
    for (psb_ipk j = 0; j < g->rank; j++)
        for (psb_ipk i = 0; i < g->n; i++) {
            const T *v = &g->v[(size_t)j * (size_t)g->n + (size_t)i];
            if (*v != 0)
                PSB_TRY(X(coo_append)((struct X(coo_mat) *)c, 1, &g->row[i], &(psb_ipk){ first + j }, v));
        }
    return PSB_OK;
}

/* The entries of P0, and the vectors of the next level, which has n nodes; g: workspace. */
static psb_err fill_tentative(const struct X(amg_modes) *q, psb_ipk n, const psb_ipk *ptr,
                              const psb_ipk *list, struct modes_part *g, struct X(mat) *c,
                              struct X(amg_modes) *next)
{
    const size_t m = (size_t)q->m;
    next->first[0] = 0;
    for (psb_ipk k = 0; k < n; k++) {
        gather_modes(q, ptr[k + 1] - ptr[k], list + ptr[k], g);
        orthonormalise_modes(g);
        PSB_TRY(append_modes(g, next->first[k], c));
        memcpy(next->v + (size_t)next->first[k] * m, g->r, (size_t)g->rank * m * sizeof *g->r);
        next->first[k + 1] = next->first[k] + g->rank;
    }
    c->ncols = next->first[n];
    return PSB_OK;
}

static psb_err tentative_entries(const struct X(amg_modes) *q, psb_ipk rows, const psb_lpk *of, psb_ipk n,
                                 struct X(mat) **c, struct X(amg_modes) *next)
{
    struct modes_part g = { .m = q->m };
    const size_t m = (size_t)q->m;
    psb_ipk *ptr = NULL, *list = NULL;
    psb_err e = list_nodes(q->nodes, of, n, &ptr, &list);
    PSB_THEN(e, alloc_modes(n * q->m, n, q->m, next));
    PSB_THEN(e, psb_alloc(&g.row, (size_t)rows, sizeof *g.row, "aggregate"));
    PSB_THEN(e, psb_alloc(&g.v, (size_t)rows * m, sizeof *g.v, "aggregate"));
    PSB_THEN(e, psb_alloc(&g.r, m * m, sizeof *g.r, "aggregate"));
    PSB_THEN(e, X(mat_all)(rows, n * q->m, (psb_epk)rows * q->m, c));
    PSB_THEN(e, fill_tentative(q, n, ptr, list, &g, *c, next));
    next->single = q->single && q->m == 1;
    psb_free(ptr);
    psb_free(list);
    psb_free(g.row);
    psb_free(g.v);
    psb_free(g.r);
    return e;
}

/* Create *p0, and the vectors of the next level, whose nodes are the n aggregates. */
static psb_err tentative_of_modes(const struct X(spmat) *a, const struct X(amg_modes) *q, const psb_lpk *of,
                                  psb_ipk n, struct X(spmat) **p0, struct X(amg_modes) *next)
{
    struct X(mat) *c = NULL;
    psb_desc *coarse = NULL;
    psb_err e = psb_agree(psb_cd_ctxt(a->row),
                          tentative_entries(q, psb_cd_local_rows(a->row), of, n, &c, next));
    PSB_THEN(e, X(amg_new_rows)(a->row, next->first[n], &coarse));
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(a->row), X(sp_of_rows)(a->row, coarse, (struct X(coo_mat) *)c,
                                                         &X(csr_mold).mat, &X(csr_mold).mat, p0));
    X(mat_free)(c);
    psb_cdfree(coarse);
    return e;
}

/* w = -omega / diagonal of a. */
static psb_err smoothing_factors(const struct X(spmat) *a, R omega, struct X(vect) *w)
{
    T *d;
    PSB_TRY(X(sp_get_diag)(a, w));
    PSB_TRY(X(host_update)(w, &d));
    for (psb_ipk i = 0; i < psb_cd_local_rows(a->row); i++)
        d[i] = X(quotient)(-omega, d[i]);
    return PSB_OK;
}

/* Create *p = P0 - omega D^-1 A P0. */
static psb_err smooth_modes(const struct X(spmat) *a, R omega, const struct X(spmat) *p0, struct X(spmat) **p)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct X(vect) *w = NULL;
    psb_err e = psb_agree(ctxt, X(geall)(&w, a->row));
    PSB_THEN(e, X(geasb)(w, NULL));
    if (e == PSB_OK)
        e = psb_agree(ctxt, smoothing_factors(a, omega, w));
    PSB_THEN(e, X(spspmm)(a, p0, NULL, p));
    PSB_THEN(e, X(spscalv)(w, *p, 'L'));
    PSB_THEN(e, X(spaxpby)(1, p0, 1, *p));
    X(gefree)(w);
    return e;
}

psb_err X(amg_modes_prolongator)(const struct X(spmat) *a, double theta, R omega, struct X(amg_modes) *q,
                                 struct X(spmat) **p)
{
    struct X(amg_modes) next = { 0 };
    struct X(spmat) *p0 = NULL, *new = NULL;
    psb_lpk *of = NULL;
    psb_ipk n = 0;
    psb_err e = psb_agree(psb_cd_ctxt(a->row),
                          psb_alloc(&of, 3 * (size_t)q->nodes, sizeof *of, "aggregates"));
    PSB_THEN(e, aggregate_nodes(a, theta, q, of, &n));
    PSB_THEN(e, tentative_of_modes(a, q, of, n, &p0, &next));
    if (e == PSB_OK && X(amg_is_next)(a->row, p0->col)) {
        if (omega == 0) {
            new = p0;
            p0 = NULL;
        } else {
            e = smooth_modes(a, omega, p0, &new);
        }
    }
    X(spfree)(p0);
    psb_free(of);
    if (e != PSB_OK) {
        X(spfree)(new);
        X(amg_modes_free)(&next);
        return PSB_PASS(e);
    }
    X(amg_modes_free)(q);
    *q = next;
    *p = new;
    return PSB_OK;
}
