/* psb_hdiag.t.h -- room: cuda/formats.  HDIA with a second copy of its arrays on the device. */
extern const struct X(hdia_mat) X(hdiag_mold); /* hack 128, limit 8 */

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* The slots csmm_dev and csmv_fused_dev, for any number of hacks. */
PSB_MUST_CHECK psb_err X(hdiag_csmm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y);
PSB_MUST_CHECK psb_err X(hdiag_fused)(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                      const struct X(vec_epilogue) *t, double *sum);

/* The conversions of HDIAG and DIAG. */
extern const struct X(conversions) X(hdiag_conversions);
