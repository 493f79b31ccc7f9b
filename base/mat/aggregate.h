/* aggregate.h -- base/mat: the steps by which rows of a graph are put together in aggregates, for one row at
 * a time: the same on the host and, in CUDA, on a device.  PSB_EVERYWHERE: how they are declared.
 *
 * Roots are a maximal set of rows no two of which are within two edges of each other.  In each round a row
 * becomes a root if its key is the largest within two edges, and is out if a root is there.  A row next to a
 * root is taken.  Then roots of the second kind are found in the same manner among the rows that are not
 * taken, if most of their neighbours are not, by paths through rows that are not taken.  Keys are random
 * numbers by the row alone: no order of work, and no distribution of the rows, changes the result.  Sources:
 * Bell, Dalton, Olson, "Exposing fine-grained parallelism in algebraic multigrid methods", SIAM J. Sci.
 * Comput. 34, 2012; Kelley, Rajamanickam, "Parallel, portable algorithms for distance-2 maximal independent
 * set and graph coarsening", IPDPS 2022. */
#ifndef PSB_AGGREGATE_H
#define PSB_AGGREGATE_H
#include <stdbool.h>
#include "pattern_term.h"

/* The neighbours of row i are idx[k], ptr[i] <= k < ptr[i + 1], below n; i may be one of them, which changes
 * nothing.  name[i]: the number of row i that its key is made of, NULL: i. */
struct psb_graph {
    psb_ipk n;
    const psb_epk *ptr;
    const psb_ipk *idx;
    const psb_lpk *name;
};

/* Keys: 0 of a row that is out, 1 of one that is taken, then those of the undecided, and of roots of the
 * second and of the first kind. */
#define PSB_ROOT       INT64_MAX
#define PSB_ROOT_LATER (INT64_MAX - 1)

/* The key of row i as long as it is undecided; rows have different ones if their numbers are below 2^40. */
PSB_EVERYWHERE psb_lpk psb_row_key(const struct psb_graph *graph, psb_ipk i)
{
    const psb_lpk g = graph->name ? graph->name[i] : i;
    const psb_lpk random = (psb_lpk)(psb_pattern_term((psb_ipk)(g >> 32), (psb_ipk)g) >> 42);
    return 2 + (random << 40 | (g & (((psb_lpk)1 << 40) - 1)));
}

/* Can a row with this number still change in the rounds that find roots of the kind `root`? */
PSB_EVERYWHERE bool psb_row_is_open(psb_lpk key, psb_lpk root)
{
    return key > 1 && key < root;
}

/* The first key of row i: 0 if it has no other entries, even from n on. */
PSB_EVERYWHERE psb_lpk psb_row_begin(const struct psb_graph *g, psb_ipk i)
{
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->idx[k] != i)
            return psb_row_key(g, i);
    return 0;
}

/* The largest v of row i and its neighbours, or one of them that is `enough`. */
PSB_EVERYWHERE psb_lpk psb_row_most(const struct psb_graph *g, psb_ipk i, const psb_lpk *v, psb_lpk enough)
{
    psb_lpk most = v[i];
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1] && most < enough; k++)
        if (g->idx[k] < g->n && v[g->idx[k]] > most)
            most = v[g->idx[k]];
    return most;
}

/* The first half of a round: the largest key next to row i, 0 for a row through which no path leads.  hop: of
 * the round before, at first 2. */
PSB_EVERYWHERE psb_lpk psb_row_hop(const struct psb_graph *g, psb_ipk i, psb_lpk root, const psb_lpk *key,
                                   psb_lpk hop)
{
    if (!psb_row_is_open(hop, root))
        return hop;
    return key[i] == 1 || key[i] > root ? 0 : psb_row_most(g, i, key, root);
}

/* The second half: the new key of row i. */
PSB_EVERYWHERE psb_lpk psb_row_decide(const struct psb_graph *g, psb_ipk i, psb_lpk root, psb_lpk key,
                                      const psb_lpk *hop)
{
    if (!psb_row_is_open(key, root))
        return key;
    const psb_lpk most = psb_row_most(g, i, hop, root);
    return most == key ? root : most >= root ? 0 : key;
}

/* After the rounds for the first kind: the key of row i, taken or not. */
PSB_EVERYWHERE psb_lpk psb_row_taken(const struct psb_graph *g, psb_ipk i, const psb_lpk *key)
{
    return key[i] == PSB_ROOT ? PSB_ROOT : psb_row_most(g, i, key, PSB_ROOT) == PSB_ROOT;
}

/* After that: its key for the rounds for the second kind, if three quarters of its neighbours are not taken.
 * By fewer, aggregates of the next levels become small; by more, those of this level are far apart. */
PSB_EVERYWHERE psb_lpk psb_row_again(const struct psb_graph *g, psb_ipk i, const psb_lpk *key)
{
    psb_epk all = 0, left = 0;
    if (key[i] != 0)
        return key[i];
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->idx[k] < g->n && g->idx[k] != i) {
            all++;
            left += key[g->idx[k]] == 0;
        }
    return left > 0 && 4 * left >= 3 * all ? psb_row_key(g, i) : 0;
}

/* The aggregate of row i, -1 if neither it nor a neighbour is a root; number[j]: that of root j, plus 1. */
PSB_EVERYWHERE psb_lpk psb_row_nearest(const struct psb_graph *g, psb_ipk i, const psb_lpk *key,
                                       const psb_lpk *number)
{
    const psb_lpk enough = key[i] < PSB_ROOT_LATER ? PSB_ROOT : PSB_ROOT_LATER;
    psb_lpk most = key[i];
    psb_ipk root = i;
    for (psb_epk k = g->ptr[i]; most < enough && k < g->ptr[i + 1]; k++)
        if (g->idx[k] < g->n && key[g->idx[k]] > most) {
            root = g->idx[k];
            most = key[root];
        }
    return most >= PSB_ROOT_LATER ? number[root] - 1 : -1;
}

/* The passes over all rows.  BEGIN; OPEN, then rounds of HOP and DECIDE; TAKEN, AGAIN; rounds as before;
 * NEAREST, JOIN. */
enum psb_row_pass {
    PSB_ROWS_BEGIN,
    PSB_ROWS_OPEN,
    PSB_ROWS_HOP,
    PSB_ROWS_DECIDE,
    PSB_ROWS_TAKEN,
    PSB_ROWS_AGAIN,
    PSB_ROWS_NEAREST,
    PSB_ROWS_JOIN
};

/* What a pass but the last computes for to[i], from numbers of all rows and, in rounds, to[i] itself. */
PSB_EVERYWHERE psb_lpk psb_row_result(enum psb_row_pass what, const struct psb_graph *g, psb_ipk i,
                                      psb_lpk root, const psb_lpk *from, const psb_lpk *number,
                                      const psb_lpk *to)
{
    switch (what) {
    case PSB_ROWS_BEGIN:
        return psb_row_begin(g, i);
    case PSB_ROWS_OPEN:
        return 2;
    case PSB_ROWS_HOP:
        return psb_row_hop(g, i, root, from, to[i]);
    case PSB_ROWS_DECIDE:
        return psb_row_decide(g, i, root, to[i], from);
    case PSB_ROWS_TAKEN:
        return psb_row_taken(g, i, from);
    case PSB_ROWS_AGAIN:
        return psb_row_again(g, i, from);
    default:
        return psb_row_nearest(g, i, from, number);
    }
}

/* The last pass: a row without aggregate joins the one to which it is coupled most: of a longer row one
 * neighbour counts, else the sum over those in an aggregate. */
enum { PSB_JOINS_BY_SUM = 512 };
#endif
