/* psb_elg.t.h -- cuda/formats: ELL with a second copy of its arrays on the device: HLG (psb_hlg.t.h)
 * with a single hack. */
extern const struct X(hlg_mat) X(elg_mold); /* limit 8 */
