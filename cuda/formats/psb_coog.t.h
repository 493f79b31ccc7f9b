/* psb_coog.t.h -- cuda/formats: triplets, ordered by rows, with a second copy of their arrays on the device:
 * the rest of HYB without entries in ELL. */
extern const struct X(hyb_mat) X(coog_mold); /* no limit */
