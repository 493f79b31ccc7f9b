/* psb_hlg.t.h -- room: cuda/formats.  HLL with a second copy of its arrays on the device; sorted, if the
 * mold's `sort` is set. */
struct X(hlg_mat) {
    union {
        struct X(mat) mat;
        struct X(hll_mat) hll;
    };
    psb_ipk scattered;     /* see locality.h; set by the first product on the device */
    unsigned long seen_at; /* hll.ja.changes at that time */
};
extern const struct X(hlg_mat) X(hlg_mold); /* hack 32, limit 8 */

/* The slots csmm_dev and csmv_fused_dev of HLG and ELG. */
PSB_MUST_CHECK psb_err X(hlg_csmm_dev)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y);
PSB_MUST_CHECK psb_err X(hlg_fused_dev)(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                        const struct X(vec_epilogue) *t, double *sum);

/* The conversions of HLG and ELG. */
extern const struct X(conversions) X(hlg_conversions);
