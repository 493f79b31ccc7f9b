/* psb_hlg.t.h -- cuda/formats: HLL with a second copy of its arrays on the device; sorted, if the
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
