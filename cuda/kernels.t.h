/* kernels.t.h -- room: cuda.  What formats compute where a device's memory is: one table a device.
 * Every pointer but alpha and beta lies there; alpha != 0; beta == 0 does not read y. */
struct X(kernels) {
    /* y = alpha A x + beta y, k columns by rows, A in ELL (see ell.t.h) */
    psb_err (*ell_csmm)(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const T *val,
                        psb_ipk k, T alpha, const T *x, T beta, T *y);
};
extern const struct X(kernels) X(kernels_fake);
