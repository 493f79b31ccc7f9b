/* vec_launchers.t.h -- room: cuda/kernels.  Launchers, called by C, of the kernels for vectors.  Scalars are
 * passed by address, so that no complex type is passed by value between C and CUDA; `stream` is a
 * cudaStream_t. Each function returns a cudaError_t. */
/* Element-wise operation `what`: x, y, w are read, NULL counts as 0; u (by upd_xyz only) and z are written.
 * f: the factors, four scalars. */
int X(each_dev)(enum psb_each what, psb_epk n, const void *f, const void *x, const void *y, const void *w,
                void *u, void *z, void *stream);
/* Reduction `what` over n rows, k elements apart, of the first m columns, m <= PSB_GPU_COLUMNS.  sum: two
 * numbers per column for dot products, one for all others; partial: see gpu.h; both on the device. */
int X(over_dev)(enum psb_over what, psb_ipk n, int k, int m, const void *x, const void *y, const void *z,
                double *partial, double *sum, void *stream);
/* The epilogue for n elements of y; `partial` has room for PSB_GPU_PARTIALS blocks. */
int X(epilogue_dev)(psb_ipk n, const void *y, const struct psb_dev_epilogue *t, void *stream);
/* m <= PSB_MOST_SUMS sums; see psb_vec_ops.t.h. */
int X(axpbys_dev)(psb_epk n, int m, const struct psb_dev_axpby *t, void *stream);
/* n rows of k columns, column j with the factors alpha[j], beta[j]; beta NULL: all 0. */
int X(axpby_cols_dev)(psb_ipk n, int k, const void *alpha, const void *x, const void *beta, void *y,
                      void *stream);
int X(totals_dev)(const struct psb_dev_totals *t, void *stream);
int X(gth_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *x, void *buf, void *stream);
int X(join_owners_dev)(const struct psb_dev_owners *t, void *stream);
int X(scatter_add_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *buf, void *y, void *stream);
