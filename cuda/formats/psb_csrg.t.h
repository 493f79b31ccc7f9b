/* psb_csrg.t.h -- room: cuda/formats.  CSR whose arrays have their second copy on the device, and the plan of
 * products, which the first product makes and which stays valid until the pattern changes. */
struct X(tiled) {
    struct psb_csr_plan plan;
    unsigned long planned_at; /* changes of irp */
    struct psb_dual part; /* T, for each part of a long row as many as a product had columns; device only */
};

struct psb_vendor;
struct X(csrg_mat) {
    union {
        struct X(mat) mat;
        struct X(csr_mat) csr;
    };
    psb_ipk vendor; /* who multiplies: 0 PSBC's kernels; 1 cuSPARSE, for fewer than 2^31 entries */
    struct X(tiled) tiled;
    struct psb_vendor *foreign;
    unsigned long foreign_at; /* changes of csr.irp */
};
extern const struct X(csrg_mat) X(csrg_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* m rows in CSR. */
struct X(csr_arrays) {
    psb_ipk m;
    psb_epk nnz;
    const struct psb_device *on;
    struct psb_dual *irp, *ja, *val;
};

/* *d, all zeros, becomes a on its device, for products of k columns; t, zeros at first, is made anew where
 * the pattern is.  PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(tiled_open)(struct X(tiled) *t, const struct X(csr_arrays) *a, psb_ipk k,
                                     struct psb_csr_dev *d);
void X(tiled_free)(struct X(tiled) *t);

/* Bytes of one copy. */
size_t X(tiled_bytes)(const struct X(tiled) *t);
