/* psb_csrg.t.h -- cuda/formats: CSR with a second copy of its arrays on the device, and the plan of
 * products, which the first product makes and which is valid until the pattern changes.  It also stores the
 * columns of tiles that span at most 2^16 in 16 bits on the device, if these tiles have at least half of all
 * entries and there is memory.  If they have all, products need no other columns: the device's copy of ja is
 * freed unless it is the only one. */
struct X(tiled) {
    struct psb_csr_plan plan;
    unsigned long planned_at;    /* the changes of irp and ja until then */
    struct psb_dual base, delta; /* device only: as in psb_csr_dev; empty if there are no deltas */
    int tried_deltas;            /* they were made, or are not worth it */
    int all_deltas;              /* all tiles have deltas */
    struct psb_dual part; /* T, device only: sums of parts of long rows, k each for products of k columns */
};

struct psb_vendor;
struct psb_dev_solve;
struct X(csrg_mat) {
    union {
        struct X(mat) mat;
        struct X(csr_mat) csr;
    };
    psb_ipk vendor; /* products by: 0 kernels of PSBC; 1 cuSPARSE, for fewer than 2^31 entries */
    struct X(tiled) tiled;
    psb_epk longest;          /* of the lengths of rows, for products that are added; 0: not known */
    unsigned long longest_at; /* csr.irp.changes at that time */
    struct psb_vendor *foreign;
    unsigned long foreign_at;    /* the changes of csr.irp and csr.ja until then */
    struct psb_dev_solve *solve; /* of solves with a as a triangle on the device; or NULL */
};
extern const struct X(csrg_mat) X(csrg_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* cssm of the table `dev`.  Local. */
PSB_MUST_CHECK psb_err X(csrg_cssm_dev)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                        char side, const T *d, bool by_cols);
/* *order = the rows of a, a triangle, by level, in device memory.  Local. */
PSB_MUST_CHECK psb_err X(csrg_rows_by_level)(struct X(csrg_mat) *a, const psb_ipk **order);
/* factor of it.  Local. */
PSB_MUST_CHECK psb_err X(csrg_factor_dev)(struct X(mat) *a, struct X(dev_ldu) *f);
/* csmv_add of it.  Local. */
PSB_MUST_CHECK psb_err X(csrg_add_dev)(T alpha, struct X(mat) *a, const T *x, const struct psb_awaited *wait,
                                       const psb_ipk *rows, T *y, const struct X(vec_epilogue) *t);
/* Free the plan of solves; its bytes.  Local. */
void X(csrg_solve_free)(struct X(csrg_mat) *a);
size_t X(csrg_solve_bytes)(const struct X(csrg_mat) *a);

/* The arrays of an m x n matrix in CSR. */
struct X(csr_arrays) {
    psb_ipk m, n;
    psb_epk nnz;
    const struct psb_device *on;
    struct psb_dual *irp, *ja, *val;
};

/* *d, all zeros, = the arguments of products of a on its device with k columns.  t, zeros at first, is made
 * again if the pattern has changed.  PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(tiled_open)(struct X(tiled) *t, const struct X(csr_arrays) *a, psb_ipk k,
                                     struct psb_csr_dev *d);
void X(tiled_free)(struct X(tiled) *t);

/* tiled_open for a. */
PSB_MUST_CHECK psb_err X(csrg_open)(struct X(csrg_mat) *a, psb_ipk k, struct psb_csr_dev *d);

/* Bytes of one copy. */
size_t X(tiled_bytes)(const struct X(tiled) *t);
