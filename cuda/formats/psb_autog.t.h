/* psb_autog.t.h -- room: cuda/formats.  AUTOG: AUTO among the device formats CSRG, HLG, HYBG, DIAG, HDIAG and
 * BSRG; without a device, AUTO. */
extern const struct X(auto_mat) X(autog_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* The slots `forecast`: bytes and places of the host format, and additional times of products measured on an
 * H200. */
PSB_MUST_CHECK psb_err X(csrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hlg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                       struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hybg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(diag_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(hdiag_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                         struct psb_forecast *f);
PSB_MUST_CHECK psb_err X(bsrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                        struct psb_forecast *f);

/* The slot `device_cost` of formats like HLG. */
void X(hlg_cost)(const struct X(mat) *a, psb_epk widest, struct psb_forecast *f);
