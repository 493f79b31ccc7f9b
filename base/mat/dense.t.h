/* dense.t.h -- base/mat: the layout of dense arrays. */
#ifndef PSB_DENSE_INSIDE_H
#define PSB_DENSE_INSIDE_H

/* PSB_EARG unless d, ld and order describe an m x n array.  Local. */
PSB_MUST_CHECK psb_err X(dense_check)(psb_lpk m, psb_lpk n, const void *d, psb_epk ld, enum psb_order order);

/* Return the place of element (i, j).  Local. */
static inline psb_epk X(dense_at)(psb_lpk i, psb_lpk j, psb_epk ld, enum psb_order order)
{
    return order == PSB_BY_ROWS ? i * ld + j : j * ld + i;
}
#endif
