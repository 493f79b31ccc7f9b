/* psb_hybg.t.h -- room: cuda/formats.  HYB whose arrays have their second copy on the device. */
extern const struct X(hyb_mat) X(hybg_mold); /* PSB_HYB_AUTO, limit 8 */
