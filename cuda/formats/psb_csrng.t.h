/* psb_csrng.t.h -- cuda/formats: CSRNG: CSRN whose arrays have a second copy on the device.  Read by C and
 * CUDA.  Products with op T and C, and solves, there use copies in CSRG.  So do the columns of other
 * processes: they are not rounded, unless psb_spasb2 gives this mold for them too. */
extern const struct X(csrn_mat) X(csrng_mold); /* PSB_VALUES_EXACT, most infinite */
/* CSRNG with values of one kind, by name: CSRNG-INT8, CSRNG-HALF, CSRNG-BFLOAT16, CSRNG-SINGLE; most
 * infinite. */
extern const struct X(csrn_mat) X(csrng_int8_mold), X(csrng_half_mold), X(csrng_bfloat16_mold),
    X(csrng_single_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

/* y = alpha A x + beta y, k columns stored by rows; beta == 0 does not read y. */
struct X(csrn_kernels) {
    psb_err (*csmm)(const struct X(csrn_rows) *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
};
extern const struct X(csrn_kernels) X(csrn_kernels_fake), X(csrn_kernels_cuda);
