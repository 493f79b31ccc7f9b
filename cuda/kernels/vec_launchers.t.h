/* vec_launchers.t.h -- room: cuda/kernels.  The launcher between C and CUDA for vectors: scalars cross by address, so that no
 * complex type crosses it by value; a cudaStream_t as what it points to.  Each returns a cudaError_t. */
/* Element by element: x, y, w are read, one that is NULL counts as 0; u (by upd_xyz) and z are written.
 * f: the factors, four scalars. */
int X(each_dev)(enum psb_each what, psb_epk n, const void *f, const void *x, const void *y, const void *w,
                void *u, void *z, void *stream);
/* Over n rows, k apart, of the first m columns, m <= PSB_GPU_COLUMNS; sum: two numbers a column of the dot
 * product, one of all others; partial: see gpu.h; both on the device. */
int X(over_dev)(enum psb_over what, psb_ipk n, int k, int m, const void *x, const void *y, const void *z,
                double *partial, double *sum, void *stream);
/* The epilogue of n elements of y; `partial` has room for PSB_GPU_PARTIALS blocks. */
int X(epilogue_dev)(psb_ipk n, const void *y, const struct psb_dev_epilogue *t, void *stream);
int X(gth_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *x, void *buf, void *stream);
int X(sct_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *buf, void *y, void *stream);
