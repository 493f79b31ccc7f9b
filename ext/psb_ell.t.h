/* psb_ell.t.h -- ext: ELLPACK: every row is padded to the same width, entry k of row i is val[i +
 * k*rows]; this is HLL (psb_hll.t.h) with a single hack. */
extern const struct X(hll_mat) X(ell_mold); /* hack 0, limit 8 */
