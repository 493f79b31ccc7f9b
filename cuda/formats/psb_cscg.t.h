/* psb_cscg.t.h -- cuda/formats: CSC with a second copy of its arrays on the device, where products use the
 * copies in CSRG of the matrix, and of its transpose, that it keeps. */
extern const struct X(csc_mat) X(cscg_mold);
