/* psb_diag.t.h -- cuda/formats: DIA with a second copy of its arrays on the device. */
extern const struct X(hdia_mat) X(diag_mold); /* hack 0, limit 8 */
