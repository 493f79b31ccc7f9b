/* psb_hlg.t.h -- room: cuda/formats.  HLL whose arrays have their second copy on the device; sorted, if the mold says so;
 * and ELL, which is HLL of one hack. */
struct X(hlg_mat) {
    union {
        struct X(mat) mat;
        struct X(hll_mat) hll;
    };
    psb_ipk scattered;     /* see locality.h; found out by the first product there */
    unsigned long seen_at; /* changes of hll.ja then */
};
extern const struct X(hlg_mat) X(hlg_mold); /* hack 32, limit 8 */
extern const struct X(hlg_mat) X(elg_mold); /* limit 8 */

/* The slots csmm_dev and csmv_fused_dev of both. */
PSB_MUST_CHECK psb_err X(hlg_csmm_dev)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y);
PSB_MUST_CHECK psb_err X(hlg_fused_dev)(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                        const struct X(vec_epilogue) *t, double *sum);

/* The conversions of both. */
extern const struct X(conversions) X(hlg_conversions);
