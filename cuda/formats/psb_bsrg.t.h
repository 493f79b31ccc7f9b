/* psb_bsrg.t.h -- room: cuda/formats.  BSR whose arrays have their second copy on the device; blocks of one entry are
 * CSR, and multiplied as that. */
struct X(bsrg_mat) {
    union {
        struct X(mat) mat;
        struct X(bsr_mat) bsr;
    };
    struct X(tiled) tiled;
};
extern const struct X(bsrg_mat) X(bsrg_mold); /* what is smallest, by columns, limit 8 */
