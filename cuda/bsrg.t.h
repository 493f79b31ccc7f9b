/* bsrg.t.h -- room: cuda.  BSR whose arrays have their second copy on the device. */
extern const struct X(bsr_mat) X(bsrg_mold); /* what is smallest, by columns, limit 8 */
