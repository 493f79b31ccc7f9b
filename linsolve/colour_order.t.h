/* colour_order.t.h -- linsolve: the rows of a matrix in the order of their colours, on a descriptor of their
 * own. */
#ifndef COLOUR_ORDER_T_H
#define COLOUR_ORDER_T_H
#include "spmat.h"

/* Row i of desc is local row to[i] of the matrix, and local row j is row from[j]; desc has the halo of the
 * matrix, in the same order.  Colour c has the rows start[c] .. start[c+1]-1 of desc. */
struct psb_colour_order {
    psb_desc *desc;
    int ncolours;
    psb_ipk *start;
    struct psb_dual to, from;
};

/* Set q, which is empty, for the matrix a.  After an error the caller frees q.  Collective. */
PSB_MUST_CHECK psb_err X(colour_order_bld)(const struct X(spmat) *a, struct psb_colour_order *q);

/* The rows of a matrix in an order: own over the columns here, in compressed rows; row k of halo is row
 * bnd[k], ascending. */
struct X(ordered_rows) {
    struct X(mat) *own, *halo;
    psb_ipk *bnd;
};

/* Set r, which is empty, for the matrix a and an order q of it; free what it holds.  Local. */
PSB_MUST_CHECK psb_err X(order_rows)(const struct X(spmat) *a, const struct psb_colour_order *q,
                                     struct X(ordered_rows) *r);
void X(ordered_rows_free)(struct X(ordered_rows) *r);

/* *rows = a in compressed rows where it is, or NULL if it is so itself; freed by the caller.  Local. */
PSB_MUST_CHECK psb_err X(compressed_there)(const struct X(mat) *a, struct X(mat) **rows);

/* *own = the rows and columns here of a in the order q, in compressed rows.  Local. */
PSB_MUST_CHECK psb_err X(order_own)(const struct X(spmat) *a, const struct psb_colour_order *q,
                                    struct X(mat) **own);

/* *b = a in the order q, on q->desc, which must outlive it.  Collective. */
PSB_MUST_CHECK psb_err X(sp_ordered)(const struct X(spmat) *a, const struct psb_colour_order *q,
                                     struct X(spmat) **b);

/* to[i] = from[row[i]] for the rows owned, where row is one of the lists of an order.  Local. */
PSB_MUST_CHECK psb_err X(permute_rows)(struct psb_dual *row, const struct X(vect) *from, struct X(vect) *to);

/* The bytes of q; free what it holds.  Local. */
static inline size_t psb_colour_order_bytes(const struct psb_colour_order *q)
{
    return q->desc ? psb_cd_bytes(q->desc) + q->to.bytes + q->from.bytes : 0;
}
static inline void psb_colour_order_free(struct psb_colour_order *q)
{
    psb_cdfree(q->desc);
    psb_free(q->start);
    psb_dual_free(&q->to);
    psb_dual_free(&q->from);
}
#endif
