/* order.c -- util: orders of the vertices of a graph: reverse Cuthill-McKee, by colours. */
#include "graph.h"
#include "psb_order.h"
#include "psb_alloc.h"
#include <string.h>

/* --- graphs --------------------------------------------------------------------------------------------- */

static psb_err check_pattern(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx)
{
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected a number of vertices >= 0", n);
    PSB_CHECK(ptr, PSB_EARG, "argument ptr is NULL; expected %d offsets", n);
    PSB_CHECK(ptr[0] >= 0, PSB_EARG, "argument ptr[0] is %" PRId64 "; expected >= 0", ptr[0]);
    for (psb_ipk i = 0; i < n; i++)
        PSB_CHECK(ptr[i] <= ptr[i + 1], PSB_EARG,
                  "argument ptr[%d] is %" PRId64 " and ptr[%d] is %" PRId64 "; expected that ptr ascends", i,
                  ptr[i], i + 1, ptr[i + 1]);
    PSB_CHECK(idx || ptr[n] == ptr[0], PSB_EARG, "argument idx is NULL; expected %" PRId64 " columns",
              ptr[n] - ptr[0]);
    for (psb_epk k = ptr[0]; k < ptr[n]; k++)
        PSB_CHECK(idx[k] >= 0 && idx[k] < n, PSB_EARG,
                  "argument idx[%" PRId64 "] is %d; expected 0 <= idx < %d", k, idx[k], n);
    return PSB_OK;
}

/* Offsets of lists from their lengths: before, start[i + 1] is the length of list i. */
static void add_lengths(psb_ipk n, psb_epk *start)
{
    for (psb_ipk i = 0; i < n; i++)
        start[i + 1] += start[i];
}

/* Lists were filled by start[i]++: each offset has become the next one. */
static void step_back(psb_ipk n, psb_epk *start)
{
    for (psb_ipk i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Each entry off the diagonal joins two vertices, in both directions. */
static void join_vertices(struct psb_graph *g, const psb_epk *ptr, const psb_ipk *idx)
{
    for (psb_ipk i = 0; i < g->n; i++)
        for (psb_epk k = ptr[i]; k < ptr[i + 1]; k++)
            if (idx[k] != i) {
                g->start[i + 1]++;
                g->start[idx[k] + 1]++;
            }
    add_lengths(g->n, g->start);
    for (psb_ipk i = 0; i < g->n; i++)
        for (psb_epk k = ptr[i]; k < ptr[i + 1]; k++)
            if (idx[k] != i) {
                g->adj[g->start[i]++] = idx[k];
                g->adj[g->start[idx[k]]++] = i;
            }
    step_back(g->n, g->start);
}

/* Keep each neighbour once; mark[j] == i: j is in the list of i already. */
static void remove_repeated(struct psb_graph *g, psb_ipk *mark)
{
    psb_epk kept = 0, from = 0;
    for (psb_ipk i = 0; i < g->n; i++)
        mark[i] = -1;
    for (psb_ipk i = 0; i < g->n; i++) {
        const psb_epk end = g->start[i + 1];
        for (psb_epk k = from; k < end; k++)
            if (mark[g->adj[k]] != i) {
                mark[g->adj[k]] = i;
                g->adj[kept++] = g->adj[k];
            }
        from = end;
        g->start[i + 1] = kept;
    }
}

psb_err psb_graph_make(struct psb_graph *g, psb_ipk n, const psb_epk *ptr, const psb_ipk *idx,
                       const psb_ipk *perm)
{
    psb_ipk *mark;
    *g = (struct psb_graph){ .n = n };
    PSB_TRY(check_pattern(n, ptr, idx));
    PSB_CHECK(perm || n == 0, PSB_EARG, "argument perm is NULL; expected an array of %d numbers", n);
    PSB_TRY(psb_alloc(&mark, (size_t)n, sizeof *mark, "marks"));
    psb_err e = psb_alloc_zero(&g->start, (size_t)n + 1, sizeof *g->start, "graph");
    PSB_THEN(e, psb_alloc(&g->adj, 2 * (size_t)(ptr[n] - ptr[0]), sizeof *g->adj, "graph"));
    if (e == PSB_OK) {
        join_vertices(g, ptr, idx);
        remove_repeated(g, mark);
    } else {
        psb_graph_free(g);
    }
    psb_free(mark);
    return PSB_PASS(e);
}

void psb_graph_free(struct psb_graph *g)
{
    psb_free(g->start);
    psb_free(g->adj);
    *g = (struct psb_graph){ 0 };
}

/* --- reverse Cuthill-McKee ------------------------------------------------------------------------------ */

static psb_epk degree(const struct psb_graph *g, psb_ipk i)
{
    return g->start[i + 1] - g->start[i];
}

/* list = the vertices by degree, then by number; n + 1 counts at `count`, which are 0. */
static void sort_by_degree(const struct psb_graph *g, psb_epk *count, psb_ipk *list)
{
    for (psb_ipk i = 0; i < g->n; i++)
        count[degree(g, i) + 1]++; /* < n */
    add_lengths(g->n, count);
    for (psb_ipk i = 0; i < g->n; i++)
        list[count[degree(g, i)]++] = i;
}

/* Sort all lists of neighbours as the vertices are in `list`: the graph is its own transpose, so each vertex
 * in turn is put at the end of its neighbours' lists.  next: n + 1 elements of scratch. */
static psb_err sort_neighbours(struct psb_graph *g, const psb_ipk *list, psb_epk *next)
{
    psb_ipk *sorted;
    PSB_TRY(psb_alloc(&sorted, (size_t)g->start[g->n], sizeof *sorted, "graph"));
    memcpy(next, g->start, ((size_t)g->n + 1) * sizeof *next);
    for (psb_ipk l = 0; l < g->n; l++)
        for (psb_epk k = g->start[list[l]]; k < g->start[list[l] + 1]; k++)
            sorted[next[g->adj[k]]++] = list[l];
    psb_free(g->adj);
    g->adj = sorted;
    return PSB_OK;
}

/* The levels of a search: their number, all vertices, the first vertex of the last level. */
struct levels {
    psb_ipk n, size, last;
};

/* Breadth first from `root`: queue = the vertices reached; their marks become `stamp`. */
static struct levels search(const struct psb_graph *g, psb_ipk root, psb_ipk stamp, psb_ipk *mark,
                            psb_ipk *queue)
{
    struct levels s = { .size = 1 };
    psb_ipk from = 0;
    queue[0] = root;
    mark[root] = stamp;
    for (psb_ipk end = 1; from < end; end = s.size) {
        s.last = from;
        s.n++;
        for (; from < end; from++)
            for (psb_epk k = g->start[queue[from]]; k < g->start[queue[from] + 1]; k++)
                if (mark[g->adj[k]] != stamp) {
                    mark[g->adj[k]] = stamp;
                    queue[s.size++] = g->adj[k];
                }
    }
    return s;
}

/* queue = the Cuthill-McKee order, which is that of a search from a vertex at the rim of its component: from
 * one of least degree in the last level of the search before, until there are no more levels.  Lists of
 * neighbours, and `list`, are sorted by degree; mark: zeros. */
static void cuthill_mckee(const struct psb_graph *g, const psb_ipk *list, psb_ipk *mark, psb_ipk *queue)
{
    psb_ipk done = 0, stamp = 0;
    for (psb_ipk l = 0; l < g->n; l++) {
        struct levels s = { .n = 1 };
        psb_ipk root = list[l], before;
        if (mark[root])
            continue;
        do {
            before = s.n;
            s = search(g, root, ++stamp, mark, queue + done);
            root = queue[done + s.last];
            for (psb_ipk i = s.last + 1; i < s.size; i++)
                if (degree(g, queue[done + i]) < degree(g, root))
                    root = queue[done + i];
        } while (s.n > before);
        done += s.size;
    }
}

psb_err psb_order_rcm(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm)
{
    struct psb_graph g;
    psb_ipk *list = NULL, *mark = NULL, *queue = NULL;
    psb_epk *count = NULL;
    PSB_TRY(psb_graph_make(&g, n, ptr, idx, perm));
    psb_err e = psb_alloc(&list, (size_t)n, sizeof *list, "vertices by degree");
    PSB_THEN(e, psb_alloc_zero(&mark, (size_t)n, sizeof *mark, "marks"));
    PSB_THEN(e, psb_alloc(&queue, (size_t)n, sizeof *queue, "vertices reached"));
    PSB_THEN(e, psb_alloc_zero(&count, (size_t)n + 1, sizeof *count, "degrees"));
    if (e == PSB_OK) {
        sort_by_degree(&g, count, list);
        e = sort_neighbours(&g, list, count);
    }
    if (e == PSB_OK) {
        cuthill_mckee(&g, list, mark, queue);
        for (psb_ipk k = 0; k < n; k++)
            perm[queue[k]] = n - 1 - k;
    }
    psb_free(list);
    psb_free(mark);
    psb_free(queue);
    psb_free(count);
    psb_graph_free(&g);
    return PSB_PASS(e);
}

/* --- by colours ----------------------------------------------------------------------------------------- */

psb_err psb_order_colours(psb_ipk n, const psb_ipk *colour, psb_ipk *perm)
{
    psb_epk *next;
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected a number of vertices >= 0", n);
    PSB_CHECK(n == 0 || (colour && perm), PSB_EARG, "argument %s is NULL; expected an array of %d",
              colour ? "perm" : "colour", n);
    for (psb_ipk i = 0; i < n; i++)
        PSB_CHECK(colour[i] >= 0 && colour[i] < n, PSB_EARG,
                  "argument colour[%d] is %d; expected 0 <= colour < %d", i, colour[i], n);
    PSB_TRY(psb_alloc_zero(&next, (size_t)n + 1, sizeof *next, "colours"));
    for (psb_ipk i = 0; i < n; i++)
        next[colour[i] + 1]++;
    add_lengths(n, next);
    for (psb_ipk i = 0; i < n; i++)
        perm[i] = (psb_ipk)next[colour[i]]++;
    psb_free(next);
    return PSB_OK;
}
