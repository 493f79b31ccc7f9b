/* colour_order.c -- linsolve: the rows of a matrix in the order of their colours. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "prec_inside.t.h"
#include "colour_order.t.h"

/* --- the order of colours ------------------------------------------------------------------------------- */

/* w[c m + d] += the number of entries of colour d in rows of colour c. */
static void count_couplings(const struct X(coo_mat) *all, const psb_ipk *colour, int m, psb_lpk *w)
{
    for (psb_epk k = 0; k < all->mat.nnz; k++)
        w[colour[all->ja[k]] + (size_t)m * (size_t)colour[all->ia[k]]]++;
}

/* rank[c] = the place of colour c in the sweeps: each comes after the one that it is coupled to most,
 * beginning with colour 0.  On the grid of 27 points, whose greedy colours are the parities of the
 * coordinates, opposite corners of a cell follow each other: symmetric sweeps then need a tenth fewer
 * iterations than by ascending colours.  Colours keep their order if there are more than MOST_CHAINED. */
enum { MOST_CHAINED = 64 };
static psb_err chain_colours(psb_ctxt *ctxt, const struct X(coo_mat) *all, const psb_ipk *colour, int m,
                             int *rank, psb_err e)
{
    psb_lpk *w = NULL;
    const size_t size = m <= MOST_CHAINED ? (size_t)m * (size_t)m : 0;
    PSB_THEN(e, psb_alloc_zero(&w, size, sizeof *w, "couplings of colours"));
    if (e == PSB_OK && size > 0)
        count_couplings(all, colour, m, w);
    e = psb_reduce(ctxt, PSB_SUM, PSB_KIND_OF(w), (psb_epk)size, w, e);
    for (int c = 0; e == PSB_OK && c < m; c++)
        rank[c] = size > 0 && c > 0 ? -1 : c;
    for (int place = 1, last = 0; e == PSB_OK && size > 0 && place < m; place++) {
        int next = -1;
        for (int c = 0; c < m; c++)
            if (rank[c] < 0 && (next < 0 || w[last * m + c] > w[last * m + next]))
                next = c;
        rank[next] = place;
        last = next;
    }
    psb_free(w);
    return e;
}

/* --- rows in the order of colours ----------------------------------------------------------------------- */

/* Set start, to and from for the colours of the rows here, colour c being number rank[c], and vl[i] to the
 * global number of row i of q->desc. */
static psb_err sort_by_colour(const psb_desc *d, const psb_ipk *colour, const int *rank,
                              struct psb_colour_order *q, psb_lpk *vl)
{
    const psb_ipk n = psb_cd_local_rows(d);
    psb_ipk *to, *from;
    PSB_TRY(psb_alloc_zero(&q->start, (size_t)q->ncolours + 2, sizeof *q->start, "rows of colours"));
    PSB_TRY(psb_dual_init(&q->to, (size_t)n, sizeof *to, NULL, "order of colours"));
    PSB_TRY(psb_dual_init(&q->from, (size_t)n, sizeof *from, NULL, "order of colours"));
    PSB_TRY(psb_dual_write(&q->to, PSB_HOST, &to));
    PSB_TRY(psb_dual_write(&q->from, PSB_HOST, &from));
    for (psb_ipk i = 0; i < n; i++)
        q->start[rank[colour[i]] + 2]++;
    for (int c = 0; c < q->ncolours; c++)
        q->start[c + 2] += q->start[c + 1];
    for (psb_ipk i = 0; i < n; i++) { /* start[c + 1] moves from the first row of colour c to its end */
        const psb_ipk at = q->start[rank[colour[i]] + 1]++;
        to[at] = i;
        from[i] = at;
        vl[at] = psb_loc_to_glob(d, i);
    }
    return PSB_OK;
}

/* Let q->desc use the halo of the columns of a: halo indices are in the same order there. */
static psb_err use_halo(const psb_desc *columns, psb_desc *d)
{
    const psb_ipk n = psb_cd_local_rows(columns), m = psb_cd_local_cols(columns) - n;
    psb_lpk *g;
    PSB_TRY(psb_alloc(&g, (size_t)m, sizeof *g, "halo"));
    for (psb_ipk j = 0; j < m; j++)
        g[j] = psb_loc_to_glob(columns, n + j);
    const psb_err e = psb_cdins(d, m, NULL, g);
    psb_free(g);
    return e;
}

psb_err X(colour_order_bld)(const struct X(spmat) *a, const struct X(coo_mat) *all,
                            struct psb_colour_order *q)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct psb_i_vect *colours = NULL;
    const psb_ipk *colour = NULL;
    psb_lpk *vl = NULL;
    int *rank = NULL;
    PSB_TRY(X(sp_colour)(a, 1, &colours, &q->ncolours));
    psb_err e = psb_i_host_read(colours, &colour);
    PSB_THEN(e, psb_alloc(&vl, (size_t)a->ad->nrows, sizeof *vl, "order of colours"));
    PSB_THEN(e, psb_alloc(&rank, (size_t)q->ncolours, sizeof *rank, "order of colours"));
    e = chain_colours(ctxt, all, colour, q->ncolours, rank, e);
    PSB_THEN(e, sort_by_colour(a->row, colour, rank, q, vl));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_cdall_vl(&q->desc, ctxt, a->ad->nrows, vl));
    psb_i_gefree(colours);
    psb_free(vl);
    psb_free(rank);
    PSB_TRY(e);
    PSB_TRY(psb_agree(ctxt, use_halo(a->col, q->desc)));
    return PSB_PASS(psb_cdasb(q->desc));
}

psb_err X(permute_rows)(struct psb_dual *row, const struct X(vect) *from, struct X(vect) *to)
{
    const enum psb_side s = X(vect_side)(from, to);
    const struct psb_device *on = s == PSB_DEV ? to->v.on : NULL;
    const psb_ipk *idx;
    const T *v;
    T *w;
    if (on)
        PSB_TRY(psb_dual_move(row, on));
    PSB_TRY(psb_dual_read(row, s, &idx));
    PSB_TRY(psb_dual_read(&from->v, s, &v));
    PSB_TRY(X(vect_open)(to, s, 1, &w));
    return PSB_PASS(X(vec)(s, on)->gth(X(vect_owned)(to), idx, to->ncols, v, w));
}
