/* colour.c -- base/spmat: colours of the rows of a distributed graph.
 *
 * The largest-degree-first method of Welsh and Powell, "An upper bound for the chromatic number of a graph",
 * Computer Journal 10 (1967): rows are taken by descending degree, those of one degree by ascending global
 * number, and each gets the smallest colour that no neighbour has.  A row can be coloured as soon as its
 * neighbours that precede it are (Jones, Plassmann, "A parallel graph coloring heuristic", SIAM J. Sci.
 * Comput. 14, 1993): a round colours all such rows of a process and exchanges the colours of the halo.  The
 * colours are those of one process.  Ties by global number keep the regular colours of grids, which random
 * priorities destroy; a grid divided in slabs takes as many rounds as there are slabs. */
#include "colour.h"
#include "coll.h"
#include "psb_alloc.h"
#include <stdlib.h>

/* The neighbours of row i, and i itself, are idx[k], ptr[i] <= k < ptr[i+1], in local numbers; of all local
 * columns the degree and the global number. */
struct graph {
    psb_desc *d;
    psb_ipk n;
    psb_epk *ptr;
    struct psb_s_coo_mat *edges;
    struct psb_i_vect *degree;
    const psb_ipk *deg;
    psb_lpk *glob;
};

static void free_graph(struct graph *g)
{
    psb_free(g->ptr);
    psb_s_mat_free((struct psb_s_mat *)g->edges);
    psb_i_gefree(g->degree);
    psb_free(g->glob);
}

static psb_err set_degrees(struct graph *g)
{
    const psb_ipk all = psb_cd_local_cols(g->d);
    psb_ipk *deg;
    PSB_TRY(psb_alloc(&g->ptr, (size_t)g->n + 1, sizeof *g->ptr, "graph"));
    PSB_TRY(psb_alloc(&g->glob, (size_t)all, sizeof *g->glob, "graph"));
    PSB_TRY(psb_i_host_update(g->degree, &deg));
    psb_s_compressed_count(g->n, g->edges->mat.nnz, g->edges->ia, g->ptr);
    for (psb_ipk i = 0; i < g->n; i++)
        deg[i] = (psb_ipk)(g->ptr[i + 1] - g->ptr[i]);
    for (psb_ipk j = 0; j < all; j++)
        g->glob[j] = psb_loc_to_glob(g->d, j);
    return PSB_OK;
}

static psb_err open_graph(const struct psb_s_spmat *s, struct graph *g)
{
    g->d = s->col;
    g->n = psb_cd_local_rows(g->d);
    psb_err e = psb_s_sp_rows(s, &g->edges);
    PSB_THEN(e, psb_i_geall(&g->degree, g->d));
    PSB_TRY(psb_agree(psb_cd_ctxt(g->d), e));
    PSB_TRY(psb_i_geasb(g->degree, NULL));
    PSB_TRY(psb_agree(psb_cd_ctxt(g->d), set_degrees(g)));
    PSB_TRY(psb_i_halo(g->degree, 'N'));
    return psb_i_host_read(g->degree, &g->deg);
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
    return g->deg[i] > g->deg[j] || (g->deg[i] == g->deg[j] && g->glob[i] < g->glob[j]);
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
        t[i] = (struct turn){ i, g->deg[i], g->glob[i] };
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
        const psb_ipk j = g->edges->ja[k];
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

/* Space for a round: the rows in their order, and marks for colours up to the largest degree. */
static psb_err open_rounds(const struct graph *g, psb_ipk **row, psb_ipk **taken)
{
    psb_ipk most = 0;
    for (psb_ipk i = 0; i < g->n; i++)
        most = g->deg[i] > most ? g->deg[i] : most;
    PSB_TRY(psb_alloc(row, (size_t)g->n, sizeof **row, "order of rows"));
    PSB_TRY(psb_alloc(taken, (size_t)most + 2, sizeof **taken, "colours"));
    for (psb_ipk c = 0; c < most + 2; c++)
        (*taken)[c] = -1;
    return order_rows(g, *row);
}

/* Colour all rows: v, on g's descriptor, is -1 before.  e: an error of this process. */
static psb_err colour_graph(const struct graph *g, struct psb_i_vect *v, psb_ipk *row, psb_ipk *taken,
                            psb_err e)
{
    psb_lpk left;
    psb_ipk n = g->n, *colour;
    for (;;) {
        PSB_THEN(e, psb_i_host_update(v, &colour));
        if (e == PSB_OK)
            left = n = colour_round(g, n, row, colour, taken);
        PSB_TRY(psb_reduce(psb_cd_ctxt(g->d), PSB_SUM, PSB_KIND_OF(&left), 1, &left, e));
        if (left == 0)
            return PSB_OK;
        e = psb_i_halo(v, 'N');
    }
}

static psb_err colour_matrix(const struct psb_s_spmat *s, psb_ipk *rows, int *ncolours)
{
    struct graph g = { 0 };
    struct psb_i_vect *v = NULL;
    psb_ipk *row = NULL, *taken = NULL;
    psb_ctxt *ctxt = psb_cd_ctxt(s->col);
    psb_err e = open_graph(s, &g);
    PSB_THEN(e, psb_i_geall(&v, s->col));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_i_geasb(v, NULL));
    if (e == PSB_OK) {
        e = open_rounds(&g, &row, &taken);
        PSB_THEN(e, psb_i_set_scal(-1, v));
        e = colour_graph(&g, v, row, taken, e);
        PSB_THEN(e, psb_i_get_vect(v, g.n, rows));
    }
    *ncolours = 0;
    for (psb_ipk i = 0; e == PSB_OK && i < g.n; i++)
        *ncolours = rows[i] >= *ncolours ? rows[i] + 1 : *ncolours;
    psb_free(row);
    psb_free(taken);
    psb_i_gefree(v);
    free_graph(&g);
    return psb_reduce(ctxt, PSB_MAX, PSB_KIND_OF(ncolours), 1, ncolours, e);
}

psb_err psb_colour_rows(struct psb_s_spmat *s, psb_desc *d, int distance, psb_ipk *rows, int *ncolours)
{
    struct psb_s_spmat *square = NULL;
    PSB_TRY(psb_cdasb(d));
    PSB_TRY(psb_s_spasb(s, &psb_s_csr_mold.mat, PSB_DUPL_ADD));
    if (distance == 2)
        PSB_TRY(psb_s_spspmm(s, s, NULL, &square));
    const psb_err e = colour_matrix(square ? square : s, rows, ncolours);
    psb_s_spfree(square);
    return PSB_PASS(e);
}
