/* psb_ell.t.h -- room: ext.  ELLPACK: every row padded to the same width, entry k of row i at val[i + k*rows];
 * HLL (psb_hll.t.h) whose only hack has all rows. */
extern const struct X(hll_mat) X(ell_mold); /* hack 0, limit 8 */
