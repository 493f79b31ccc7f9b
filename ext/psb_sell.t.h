/* psb_sell.t.h -- ext: SELL-C-sigma: HLL (psb_hll.t.h) with hacks of the height of a vector and rows
 * sorted by length. */
extern const struct X(hll_mat) X(sell_mold); /* hack 8, sort 1024, limit 8 */
