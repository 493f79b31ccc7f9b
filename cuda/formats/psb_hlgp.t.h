/* psb_hlgp.t.h -- room: cuda/formats.  HLL on the device with its columns packed (see psb_packed.h), made by the first
 * product there; the host's copy is HLL's. */
struct X(hlgp_mat) {
    union {
        struct X(mat) mat;
        struct X(hll_mat) hll; /* any hack; rows stay where they are */
    };
    int narrow; /* 1: values in single precision there, products and sums as the scalar is; or 0 */
    struct psb_packed packed;
    struct psb_dual val;                /* PSB_STRIP of each slot: T, or T in single precision */
    unsigned long packed_at, values_at; /* changes of hll.ja and hll.val that these are as of */
};
extern const struct X(hlgp_mat) X(hlgp_mold); /* hack 32, limit 2, for what is padded is read; not narrow */
