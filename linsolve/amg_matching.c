/* amg_matching.c -- linsolve: aggregates of rows by pairwise matching, for multigrid.
 *
 * In each pass pairs of rows are chosen by descending weight 1 - 2 a_ij / (a_ii + a_jj), of equal ones by
 * ascending i, then j; the next pass has the pairs as rows, of the matrix P0^T A P0.  A pair taken is the
 * heaviest of all that touch it, so that the sum of the weights is at least half of the largest one.
 * Sources: D'Ambra, Filippone, Vassilevski, "BootCMatch: a software package for bootstrap AMG based on graph
 * weighted matching", ACM Trans. Math. Softw. 44, 2018, with w = 1; Preis, "Linear time 1/2-approximation
 * algorithm for maximum weighted matching in general graphs", STACS 1999. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <float.h>
#include <stdlib.h>
#include "psb_type.h"
#include "amg.t.h"

struct edge {
    double weight;
    psb_ipk i, j; /* i < j */
};

static int compare_edges(const void *a_, const void *b_)
{
    const struct edge *a = a_, *b = b_;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

static void real_diagonal(const struct X(compressed) *a, double *d)
{
    for (psb_ipk i = 0; i < a->n; i++) {
        d[i] = 0;
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; k++)
            if (a->idx[k] == i)
                d[i] += (double)RE(a->val[k]);
    }
}

/* The edges of positive weight between rows of a, with diagonal d, in the order of matching; returns how
 * many. */
static psb_epk list_edges(const struct X(compressed) *a, const double *d, struct edge *edge)
{
    psb_epk n = 0;
    for (psb_ipk i = 0; i < a->n; i++)
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; k++) {
            const psb_ipk j = a->idx[k];
            if (j == i || j >= a->n)
                continue;
            const double weight = 1 - 2 * (double)RE(a->val[k]) / (d[i] + d[j]);
            if (weight > 0 && weight <= DBL_MAX)
                edge[n++] = (struct edge){ weight, i < j ? i : j, i < j ? j : i };
        }
    qsort(edge, (size_t)n, sizeof *edge, compare_edges);
    return n;
}

/* mate[i] = the other row of the pair of row i, -1 if it is in none. */
static psb_err match_rows(const struct X(compressed) *a, psb_ipk *mate)
{
    double *d = NULL;
    struct edge *edge = NULL;
    psb_err e = psb_alloc(&d, (size_t)a->n, sizeof *d, "matching");
    PSB_THEN(e, psb_alloc(&edge, (size_t)a->ptr[a->n], sizeof *edge, "matching"));
    if (e == PSB_OK) {
        real_diagonal(a, d);
        const psb_epk n = list_edges(a, d, edge);
        for (psb_ipk i = 0; i < a->n; i++)
            mate[i] = -1;
        for (psb_epk k = 0; k < n; k++)
            if (mate[edge[k].i] < 0 && mate[edge[k].j] < 0) {
                mate[edge[k].i] = edge[k].j;
                mate[edge[k].j] = edge[k].i;
            }
    }
    psb_free(d);
    psb_free(edge);
    return e;
}

/* Has row i another entry than its diagonal? */
static bool is_coupled(const struct X(compressed) *a, psb_ipk i)
{
    for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; k++)
        if (a->idx[k] != i)
            return true;
    return false;
}

/* pair[i] = the number of the pair of row i, or of the row alone, in the order of their first rows; returns
 * how many there are.  In the first pass, rows without couplings get none. */
static psb_ipk number_pairs(const struct X(compressed) *a, bool first, const psb_ipk *mate, psb_ipk *pair)
{
    psb_ipk n = 0;
    for (psb_ipk i = 0; i < a->n; i++)
        if (mate[i] >= 0 && mate[i] < i)
            pair[i] = pair[mate[i]];
        else
            pair[i] = !first || is_coupled(a, i) ? n++ : -1;
    return n;
}

/* *to = P0^T A P0, in CSR: the sums of the entries of pairs, n of them. */
static psb_err contract_rows(const struct X(compressed) *a, const psb_ipk *pair, psb_ipk n,
                             struct X(mat) **to)
{
    struct X(mat) *c = NULL;
    psb_err e = X(mat_all)(n, n, a->ptr[a->n], &c);
    for (psb_ipk i = 0; i < a->n; i++)
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1] && e == PSB_OK; k++) {
            const psb_ipk j = a->idx[k];
            if (j < a->n && pair[i] >= 0 && pair[j] >= 0)
                e = X(coo_append)((struct X(coo_mat) *)c, 1, &pair[i], &pair[j], &a->val[k]);
        }
    PSB_THEN(e, X(mat_asb)(c, PSB_DUPL_ADD));
    PSB_THEN(e, X(mat_convert)(c, &X(csr_mold).mat, to));
    X(mat_free)(c);
    return e;
}

/* One pass over the rows a: of[i] becomes the pair of row of[i] < *n, and *n the number of pairs; *to: their
 * matrix, unless to is NULL.  work: two elements for each row. */
static psb_err match_pass(const struct X(compressed) *a, psb_ipk rows, bool first, psb_ipk *work, psb_lpk *of,
                          psb_ipk *n, struct X(mat) **to)
{
    psb_ipk *mate = work, *pair = work + a->n;
    PSB_TRY(match_rows(a, mate));
    *n = number_pairs(a, first, mate, pair);
    for (psb_ipk i = 0; i < rows; i++)
        of[i] = of[i] >= 0 ? pair[of[i]] : -1;
    return to ? contract_rows(a, pair, *n, to) : PSB_OK;
}

psb_err X(amg_matching)(const struct X(compressed) *a, int passes, psb_lpk *of, psb_ipk *n)
{
    struct X(compressed) l = *a;
    struct X(mat) *made = NULL;
    psb_ipk *work;
    PSB_TRY(psb_alloc(&work, 2 * (size_t)a->n, sizeof *work, "matching"));
    psb_err e = PSB_OK;
    for (psb_ipk i = 0; i < a->n; i++)
        of[i] = i;
    for (int pass = 0; pass < passes && e == PSB_OK; pass++) {
        struct X(mat) *next = NULL;
        e = match_pass(&l, a->n, pass == 0, work, of, n, pass + 1 < passes ? &next : NULL);
        X(mat_free)(made);
        made = next;
        if (made)
            PSB_THEN(e, X(compressed_open)(made, &l));
    }
    X(mat_free)(made);
    psb_free(work);
    return PSB_PASS(e);
}
