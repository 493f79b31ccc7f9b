/* psb_autog.t.h -- room: cuda/formats.  AUTOG: AUTO among the formats of the device, CSRG, HLG, HYBG, DIAG, HDIAG and
 * BSRG; where there is none, AUTO. */
extern const struct X(auto_mat) X(autog_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* The slots forecast: bytes and places of the host's format, and what products on an H200 took beside them.
 */
PSB_MUST_CHECK psb_err X(csrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hlg_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hybg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(diag_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hdiag_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                         struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(bsrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
