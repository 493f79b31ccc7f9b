/* colour.c -- base/spmat: colours of the rows of a distributed graph.
 *
 * Greedy colouring takes the rows in some order and gives each the smallest colour that no neighbour has.  A
 * row can be coloured as soon as its neighbours that precede it are (Jones, Plassmann, "A parallel graph
 * coloring heuristic", SIAM J. Sci. Comput. 14, 1993): a round colours all such rows of a process and
 * exchanges the colours of the halo, and the colours are those of one process.  Two orders are tried: by
 * ascending global number, and by descending degree first (Welsh, Powell, "An upper bound for the chromatic
 * number of a graph", Computer Journal 10, 1967), which mostly gives fewer colours for irregular graphs. Both
 * keep the regular colours of grids, which random priorities destroy; in return, a grid divided in slabs
 * takes as many rounds as there are slabs. */
#include "clique.h"
#include "colour.h"
#include "coll.h"
#include "psb_alloc.h"
#include <limits.h>
#include <stdlib.h>

/* The neighbours of row i, and perhaps i itself, are ja[k], ptr[i] <= k < ptr[i+1], in local numbers; of all
 * local columns the degree and the global number.  by_degree: the order. */
struct graph {
    psb_desc *d;
    psb_ipk n;
    const psb_epk *ptr;
    const psb_ipk *ja;
    struct psb_i_vect *degree;
    const psb_ipk *deg;
    psb_lpk *glob;
    bool by_degree;
};

static void free_graph(struct graph *g)
{
    psb_i_gefree(g->degree);
    psb_free(g->glob);
}

static psb_err set_degrees(struct graph *g)
{
    const psb_ipk all = psb_cd_local_cols(g->d);
    psb_ipk *deg;
    PSB_TRY(psb_alloc(&g->glob, (size_t)all, sizeof *g->glob, "graph"));
    PSB_TRY(psb_i_host_update(g->degree, &deg));
    for (psb_ipk i = 0; i < g->n; i++)
        deg[i] = (psb_ipk)(g->ptr[i + 1] - g->ptr[i]);
    for (psb_ipk j = 0; j < all; j++)
        g->glob[j] = psb_loc_to_glob(g->d, j);
    return PSB_OK;
}

static psb_err open_graph(struct graph *g)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(g->d), psb_i_geall(&g->degree, g->d)));
    PSB_TRY(psb_i_geasb(g->degree, NULL));
    PSB_TRY(psb_agree(psb_cd_ctxt(g->d), set_degrees(g)));
    psb_err e = psb_i_halo(g->degree, 'N');
    PSB_THEN(e, psb_i_host_read(g->degree, &g->deg));
    return psb_agree(psb_cd_ctxt(g->d), e);
}

/* A row in the order of colouring. */
struct turn {
    psb_ipk row, degree;
    psb_lpk glob;
};

static int compare_turns(const void *a_, const void *b_)
{
    const struct turn *a = a_, *b = b_;
    if (a->degree != b->degree)
        return a->degree > b->degree ? -1 : 1;
    return (a->glob > b->glob) - (a->glob < b->glob);
}

static bool precedes(const struct graph *g, psb_ipk i, psb_ipk j)
{
    if (g->by_degree && g->deg[i] != g->deg[j])
        return g->deg[i] > g->deg[j];
    return g->glob[i] < g->glob[j];
}

/* row[0..n) = the rows owned, in the order of colouring. */
static psb_err order_rows(const struct graph *g, psb_ipk *row)
{
    struct turn *t;
    bool ordered = true;
    for (psb_ipk i = 0; i < g->n; i++) {
        row[i] = i;
        ordered = ordered && (i == 0 || precedes(g, i - 1, i));
    }
    if (ordered)
        return PSB_OK;
    PSB_TRY(psb_alloc(&t, (size_t)g->n, sizeof *t, "order of rows"));
    for (psb_ipk i = 0; i < g->n; i++)
        t[i] = (struct turn){ i, g->by_degree ? g->deg[i] : 0, g->glob[i] };
    qsort(t, (size_t)g->n, sizeof *t, compare_turns);
    for (psb_ipk i = 0; i < g->n; i++)
        row[i] = t[i].row;
    psb_free(t);
    return PSB_OK;
}

/* Let taken[c] = i for the colours c of row i's neighbours, as far as i may have them; false if one that
 * precedes i has no colour yet.  Colours do not change, so that marks of an earlier round are still right. */
static bool mark_taken(const struct graph *g, psb_ipk i, const psb_ipk *colour, psb_ipk *taken)
{
    for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
        const psb_ipk j = g->ja[k];
        if (colour[j] >= 0 && colour[j] <= g->deg[i])
            taken[colour[j]] = i;
        else if (colour[j] < 0 && j != i && precedes(g, j, i))
            return false;
    }
    return true;
}

/* Colour the rows of row[0..n) that can be; the others, whose number is returned, move to the front. */
static psb_ipk colour_round(const struct graph *g, psb_ipk n, psb_ipk *row, psb_ipk *colour, psb_ipk *taken)
{
    psb_ipk left = 0;
    for (psb_ipk k = 0; k < n; k++) {
        const psb_ipk i = row[k];
        psb_ipk c = 0;
        if (!mark_taken(g, i, colour, taken)) {
            row[left++] = i;
            continue;
        }
        while (taken[c] == i)
            c++;
        colour[i] = c;
    }
    return left;
}

/* Memory for rounds: the colours with their halo, the rows left, marks for `most` colours. */
struct rounds {
    struct psb_i_vect *v;
    psb_ipk *row, *taken, most;
};

static void close_rounds(struct rounds *r)
{
    psb_i_gefree(r->v);
    psb_free(r->row);
    psb_free(r->taken);
}

static psb_err open_rounds(const struct graph *g, struct rounds *r)
{
    r->most = 1;
    for (psb_ipk i = 0; i < g->n; i++)
        r->most = g->deg[i] + 2 > r->most ? g->deg[i] + 2 : r->most;
    psb_err e = psb_alloc(&r->row, (size_t)g->n, sizeof *r->row, "order of rows");
    PSB_THEN(e, psb_alloc(&r->taken, (size_t)r->most, sizeof *r->taken, "colours"));
    PSB_THEN(e, psb_i_geall(&r->v, g->d));
    PSB_TRY(psb_agree(psb_cd_ctxt(g->d), e));
    return psb_i_geasb(r->v, NULL);
}

/* Colour all rows; *ncolours = the number of colours on all processes. */
static psb_err colour_graph(const struct graph *g, const struct rounds *r, int *ncolours)
{
    psb_lpk left;
    psb_ipk n = g->n, *colour;
    for (psb_ipk c = 0; c < r->most; c++) /* marks of another order are wrong */
        r->taken[c] = -1;
    psb_err e = order_rows(g, r->row);
    PSB_THEN(e, psb_i_set_scal(-1, r->v));
    for (;;) {
        PSB_THEN(e, psb_i_host_update(r->v, &colour));
        if (e == PSB_OK)
            left = n = colour_round(g, n, r->row, colour, r->taken);
        PSB_TRY(psb_reduce(psb_cd_ctxt(g->d), PSB_SUM, PSB_KIND_OF(&left), 1, &left, e));
        if (left == 0)
            break;
        e = psb_i_halo(r->v, 'N');
    }
    *ncolours = 0;
    for (psb_ipk i = 0; i < g->n; i++)
        *ncolours = colour[i] >= *ncolours ? colour[i] + 1 : *ncolours;
    return psb_reduce(psb_cd_ctxt(g->d), PSB_MAX, PSB_KIND_OF(ncolours), 1, ncolours, PSB_OK);
}

/* Of the two orders the colours are kept if they are fewer; by number first.  There are not fewer than 2, but
 * for a graph without edges, nor than rows of a clique. */
psb_err psb_colour_graph(psb_desc *d, const psb_epk *ptr, const psb_ipk *ja, psb_ipk *rows, int *ncolours)
{
    struct graph g = { .d = d, .n = psb_cd_local_rows(d), .ptr = ptr, .ja = ja };
    struct rounds r = { 0 };
    int n, least = psb_clique(g.n, ptr, ja);
    *ncolours = INT_MAX;
    psb_err e = open_graph(&g);
    PSB_THEN(e, open_rounds(&g, &r));
    PSB_THEN(e, psb_max(psb_cd_ctxt(d), 1, &least, -1));
    for (int by = 0; by < 2 && *ncolours > 2 && *ncolours > least && e == PSB_OK; by++) {
        g.by_degree = by == 1;
        e = colour_graph(&g, &r, &n);
        if (e == PSB_OK && n < *ncolours) {
            e = psb_agree(psb_cd_ctxt(g.d), psb_i_get_vect(r.v, g.n, rows));
            *ncolours = n;
        }
    }
    close_rounds(&r);
    free_graph(&g);
    return PSB_PASS(psb_agree(psb_cd_ctxt(d), e));
}

psb_err psb_colour_rows(struct psb_s_spmat *s, psb_desc *d, int distance, psb_ipk *rows, int *ncolours)
{
    struct psb_s_spmat *square = NULL;
    struct psb_s_compressed l;
    struct psb_s_mat *made = NULL;
    PSB_TRY(psb_cdasb(d));
    PSB_TRY(psb_s_spasb(s, &psb_s_csr_mold.mat, PSB_DUPL_ADD));
    if (distance == 2)
        PSB_TRY(psb_s_spspmm(s, s, NULL, &square));
    struct psb_s_spmat *const of = square ? square : s;
    psb_err e = psb_agree(psb_cd_ctxt(d), psb_s_sp_joined(of, &l, &made));
    PSB_THEN(e, psb_colour_graph(of->col, l.ptr, l.idx, rows, ncolours));
    psb_s_mat_free(made);
    psb_s_spfree(square);
    return PSB_PASS(e);
}
