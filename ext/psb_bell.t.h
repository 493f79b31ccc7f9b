/* psb_bell.t.h -- ext: Blocked-ELL: BSR (psb_bsr.t.h) whose block rows are padded to the same number
 * of blocks. */
extern const struct X(bsr_mat) X(bell_mold); /* smallest block size, by columns, limit 8 */
