/* psb_hlgp.t.h -- cuda/formats: HLL with packed columns (see psb_packed.h) on the device, made by the
 * first product there; the host copy is that of HLL. */
struct X(hlgp_mat) {
    union {
        struct X(mat) mat;
        struct X(hll_mat) hll; /* any hack; rows are not sorted */
    };
    int narrow; /* 1: device values in single precision, products and sums in the scalar's; or 0 */
    struct psb_packed packed;
    struct psb_dual val;                /* PSB_STRIP elements per slot: T, or T in single precision */
    unsigned long packed_at, values_at; /* hll.ja.changes, hll.val.changes at that time */
};
extern const struct X(hlgp_mat) X(hlgp_mold); /* hack 32; limit 2, since padding is read; not narrow */
