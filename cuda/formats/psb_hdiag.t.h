/* psb_hdiag.t.h -- cuda/formats: HDIA with a second copy of its arrays on the device. */
extern const struct X(hdia_mat) X(hdiag_mold); /* hack 128, limit 8 */
