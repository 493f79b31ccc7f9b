/* psb_hybg.t.h -- cuda/formats: HYB with a second copy of its arrays on the device. */
extern const struct X(hyb_mat) X(hybg_mold); /* PSB_HYB_AUTO, limit 8 */
