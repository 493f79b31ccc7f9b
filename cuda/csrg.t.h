/* csrg.t.h -- room: cuda.  CSR whose arrays have their second copy on the device, and what products there are
 * planned with, which the first one makes: it stays until the pattern goes. */
struct X(csrg_mat) {
    union {
        struct X(mat) mat;
        struct X(csr_mat) csr;
    };
    psb_ipk vendor; /* who multiplies: 0 PSBC's kernels; 1 cuSPARSE, for fewer than 2^31 entries */
    struct psb_csr_plan plan;
    unsigned long planned_at; /* changes of csr.irp */
    struct psb_dual part; /* T, for each part of a long row as many as a product had columns; device only */
    struct psb_vendor *foreign;
};
extern const struct X(csrg_mat) X(csrg_mold);
