/* psb_bsrg.t.h -- cuda/formats: BSR with a second copy of its arrays on the device.  Blocks of one
 * entry are multiplied as CSR. */
struct X(bsrg_mat) {
    union {
        struct X(mat) mat;
        struct X(bsr_mat) bsr;
    };
    struct X(tiled) tiled;
};
extern const struct X(bsrg_mat) X(bsrg_mold); /* smallest block size, by columns, limit 8 */
