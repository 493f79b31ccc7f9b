/* colour_order.c -- linsolve: the rows of a matrix in the order of their colours. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "desc.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_type.h"
#include "prec_inside.t.h"
#include "colour_order.t.h"

/* --- the order of colours ------------------------------------------------------------------------------- */

/* w[c m + d] += the number of entries of colour d in rows of colour c, for a part of a matrix: its row i is
 * row rows[i], NULL: i, and its column j is column j + shift. */
static psb_err count_couplings(const struct X(mat) *part, const psb_ipk *rows, psb_ipk shift,
                               const psb_ipk *colour, int m, psb_lpk *w)
{
    struct X(compressed) l;
    struct X(mat) *made;
    PSB_TRY(X(csr_view)(part, &l, &made));
    for (psb_ipk i = 0; i < l.n; i++) {
        psb_lpk *const row = w + (size_t)m * (size_t)colour[rows ? rows[i] : i];
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
            row[colour[l.idx[k] + shift]]++;
    }
    X(mat_free)(made);
    return PSB_OK;
}

static psb_err count_all(const struct X(spmat) *a, struct psb_i_vect *colours, int m, psb_lpk *w)
{
    const psb_ipk *colour, *bnd;
    PSB_TRY(psb_i_host_read(colours, &colour));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(count_couplings(a->ah, bnd, a->ad->ncols, colour, m, w));
    if (PSB_DEVICE_DOES(a->ad, couplings)) {
        PSB_TRY(psb_dual_move(&colours->v, a->ad->on));
        const psb_err e = X(mat_dev)(a->ad)->storage->couplings(X(mat_mutable)(a->ad), &colours->v, m, w);
        if (e != PSB_ENOTIMPL)
            return e;
    }
    return count_couplings(a->ad, NULL, 0, colour, m, w);
}

/* rank[c] = the place of colour c in the sweeps: each comes after the one that it is coupled to most, in a
 * cycle that ends with colour 0.  On the grid of 27 points, whose greedy colours are the parities of the
 * coordinates, opposite corners of a cell follow each other: symmetric sweeps then need a tenth fewer
 * iterations than by ascending colours.  A symmetric sweep leaves no residual in the rows that it begins and
 * ends with: these must not be those of colour 0, the even points, to which multigrid restricts.  Colours
 * keep their order if there are more than MOST_CHAINED. */
enum { MOST_CHAINED = 64 };
static psb_err chain_colours(const struct X(spmat) *a, struct psb_i_vect *colours, int m, int *rank,
                             psb_err e)
{
    psb_lpk *w = NULL;
    const size_t size = m <= MOST_CHAINED ? (size_t)m * (size_t)m : 0;
    PSB_THEN(e, psb_alloc_zero(&w, size, sizeof *w, "couplings of colours"));
    if (size > 0)
        PSB_THEN(e, count_all(a, colours, m, w));
    e = psb_reduce(psb_cd_ctxt(a->row), PSB_SUM, PSB_KIND_OF(w), (psb_epk)size, w, e);
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
    for (int c = 0; e == PSB_OK && size > 0 && c < m; c++)
        rank[c] = (rank[c] + m - 1) % m;
    psb_free(w);
    return e;
}

/* --- rows in the order of colours ----------------------------------------------------------------------- */

/* Rows in the order of the ranks of their colours: at[t ncolours + c] counts the rows of rank c in the share
 * of thread t, and is then the place of the next of them. */
struct sorting {
    psb_ipk n, *at, *to, *from;
    const psb_ipk *colour;
    const int *rank;
    int ncolours;
};

static void count_ranks_part(void *job, int t, int p)
{
    const struct sorting *s = job;
    psb_epk i, end;
    psb_thread_range(s->n, t, p, &i, &end);
    for (; i < end; i++)
        s->at[(psb_epk)t * s->ncolours + s->rank[s->colour[i]]]++;
}

static void place_rows_part(void *job, int t, int p)
{
    const struct sorting *s = job;
    psb_epk i, end;
    psb_thread_range(s->n, t, p, &i, &end);
    for (; i < end; i++) {
        const psb_ipk at = s->at[(psb_epk)t * s->ncolours + s->rank[s->colour[i]]]++;
        s->to[at] = (psb_ipk)i;
        s->from[i] = at;
    }
}

/* Set start, to, from and desc for the colours of the rows here, colour c being number rank[c]. */
static psb_err sort_by_colour(const psb_desc *d, const psb_ipk *colour, const int *rank,
                              struct psb_colour_order *q)
{
    struct sorting s = { psb_cd_local_rows(d), NULL, NULL, NULL, colour, rank, q->ncolours };
    const int p = psb_threads(s.n);
    psb_ipk begin = 0;
    PSB_TRY(psb_alloc(&q->start, (size_t)q->ncolours + 1, sizeof *q->start, "rows of colours"));
    PSB_TRY(psb_dual_init(&q->to, (size_t)s.n, sizeof *s.to, NULL, "order of colours"));
    PSB_TRY(psb_dual_init(&q->from, (size_t)s.n, sizeof *s.from, NULL, "order of colours"));
    PSB_TRY(psb_dual_write(&q->to, PSB_HOST, &s.to));
    PSB_TRY(psb_dual_write(&q->from, PSB_HOST, &s.from));
    PSB_TRY(psb_alloc_zero(&s.at, (size_t)q->ncolours * (size_t)p, sizeof *s.at, "rows of colours"));
    psb_team(p, count_ranks_part, &s);
    for (int c = 0; c < q->ncolours; c++) {
        q->start[c] = begin;
        for (int t = 0; t < p; t++) {
            psb_ipk *at = &s.at[(psb_epk)t * q->ncolours + c], m = *at;
            *at = begin;
            begin += m;
        }
    }
    q->start[q->ncolours] = begin;
    psb_team(p, place_rows_part, &s);
    psb_free(s.at);
    return psb_desc_ordered(&q->desc, d, s.to, s.from);
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

psb_err X(colour_order_bld)(const struct X(spmat) *a, struct psb_colour_order *q)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct psb_i_vect *colours = NULL;
    const psb_ipk *colour = NULL;
    int *rank = NULL;
    PSB_TRY(X(sp_colour)(a, 1, &colours, &q->ncolours));
    psb_err e = psb_i_host_read(colours, &colour);
    PSB_THEN(e, psb_alloc(&rank, (size_t)q->ncolours, sizeof *rank, "order of colours"));
    e = chain_colours(a, colours, q->ncolours, rank, e);
    PSB_THEN(e, sort_by_colour(a->row, colour, rank, q));
    PSB_THEN(e, use_halo(a->col, q->desc));
    psb_i_gefree(colours);
    psb_free(rank);
    PSB_TRY(psb_agree(ctxt, e));
    return PSB_PASS(psb_cdasb(q->desc));
}

/* --- a matrix in an order ------------------------------------------------------------------------------- */

/* bnd, and list[k] = the row of ah that becomes row k. */
static psb_err order_boundary(const struct X(spmat) *a, const struct psb_colour_order *q, psb_ipk *bnd,
                              psb_ipk *list)
{
    const psb_ipk n = a->ad->nrows, nb = a->ah->nrows, *to, *old;
    psb_ipk *row, k = 0;
    if (nb == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&q->to, PSB_HOST, &to));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &old));
    PSB_TRY(psb_alloc(&row, (size_t)n, sizeof *row, "boundary rows"));
    for (psb_ipk i = 0; i < n; i++)
        row[i] = -1;
    for (psb_ipk i = 0; i < nb; i++)
        row[old[i]] = i;
    for (psb_ipk i = 0; i < n; i++)
        if (row[to[i]] >= 0) {
            bnd[k] = i;
            list[k++] = row[to[i]];
        }
    psb_free(row);
    return PSB_OK;
}

static psb_err order_halo(const struct X(spmat) *a, const struct psb_colour_order *q,
                          struct X(ordered_rows) *r)
{
    struct psb_dual rows;
    psb_ipk *list;
    PSB_TRY(psb_alloc(&r->bnd, (size_t)a->ah->nrows, sizeof *r->bnd, "boundary rows"));
    PSB_TRY(psb_dual_init(&rows, (size_t)a->ah->nrows, sizeof *list, a->ah->on, "boundary rows"));
    psb_err e = psb_dual_write(&rows, PSB_HOST, &list);
    PSB_THEN(e, order_boundary(a, q, r->bnd, list));
    PSB_THEN(e, X(mat_select)(a->ah, a->ah->nrows, &rows, a->ah->ncols, NULL, &r->halo));
    psb_dual_free(&rows);
    return e;
}

psb_err X(compressed_there)(const struct X(mat) *a, struct X(mat) **rows)
{
    const struct X(mat) *there = a->on ? X(mat_dev)(a)->transposed : NULL;
    *rows = NULL;
    if (X(mat_is_csr)(a))
        return PSB_OK;
    return PSB_PASS(X(mat_convert)(a, there ? there : &X(csr_mold).mat, rows));
}

psb_err X(order_own)(const struct X(spmat) *a, const struct psb_colour_order *q, struct X(mat) **own)
{
    const psb_ipk n = a->ad->nrows;
    const struct X(mat) *of = a->ad;
    struct psb_dual *to = (struct psb_dual *)&q->to, *from = (struct psb_dual *)&q->from;
    struct X(mat) *rows;
    if (of->on) {
        PSB_TRY(psb_dual_move(to, of->on));
        PSB_TRY(psb_dual_move(from, of->on));
    }
    psb_err e = X(compressed_there)(of, &rows);
    PSB_THEN(e, X(mat_select)(rows ? rows : of, n, to, n, from, own));
    X(mat_free)(rows);
    return PSB_PASS(e);
}

psb_err X(order_rows)(const struct X(spmat) *a, const struct psb_colour_order *q, struct X(ordered_rows) *r)
{
    PSB_TRY(X(order_own)(a, q, &r->own));
    return PSB_PASS(order_halo(a, q, r));
}

void X(ordered_rows_free)(struct X(ordered_rows) *r)
{
    X(mat_free)(r->own);
    X(mat_free)(r->halo);
    psb_free(r->bnd);
    *r = (struct X(ordered_rows)){ 0 };
}

psb_err X(sp_ordered)(const struct X(spmat) *a, const struct psb_colour_order *q, struct X(spmat) **b)
{
    struct X(ordered_rows) r = { 0 };
    psb_err e = psb_agree(psb_cd_ctxt(q->desc), X(order_rows)(a, q, &r));
    PSB_THEN(e, X(sp_of_local)(b, q->desc, q->desc, r.own, r.halo, a->ah->nrows, r.bnd));
    if (e == PSB_OK)
        r.own = r.halo = NULL;
    X(ordered_rows_free)(&r);
    return PSB_PASS(e);
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
