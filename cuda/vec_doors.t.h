/* vec_doors.t.h -- room: cuda.  The door between C and CUDA for vectors: scalars cross by address, so that no
 * complex type crosses it by value; a cudaStream_t as what it points to.  Each returns a cudaError_t. */
int X(fill_dev)(psb_epk n, const void *a, void *x, void *stream);
int X(axpby_dev)(psb_epk n, const void *alpha, const void *x, const void *beta, void *y, void *stream);
/* Of n elements, k apart.  sum[0], sum[1]: real and imaginary part; partial: PSB_GPU_PARTIALS pairs */
int X(dot_dev)(psb_ipk n, int k, const void *x, const void *y, double *partial, double *sum, void *stream);
int X(sumsq_dev)(psb_ipk n, int k, const void *x, double *partial, double *sum, void *stream);
int X(gth_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *x, void *buf, void *stream);
int X(sct_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *buf, void *y, void *stream);
