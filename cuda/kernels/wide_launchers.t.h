/* wide_launchers.t.h -- room: cuda/kernels.  The launchers between C and CUDA for diagonals, blocks, dense
 * matrices, triplets, triangles and factors; see vec_launchers.t.h.  `scratch`: `bytes` of device memory that
 * no other kernel uses until the launched ones end. */
int X(hdia_csmm_dev)(const struct psb_dev_diagonals *a, psb_ipk k, const void *alpha, const void *x,
                     const void *beta, void *y, void *stream);
int X(bsr_csmm_dev)(const struct psb_dev_blocks *a, psb_ipk k, const void *alpha, const void *x,
                    const void *beta, void *y, void *stream);
int X(dns_csmm_dev)(const struct psb_dev_dense *a, psb_ipk k, const void *alpha, const void *x,
                    const void *beta, void *y, void *stream);
int X(coo_add_dev)(const struct psb_dev_triplets *a, psb_ipk k, const void *alpha, const void *x, void *y,
                   void *scratch, size_t bytes, void *stream);
int X(triangle_diagonal_dev)(const struct psb_dev_triangle *a, psb_epk *found, void *stream);
int X(triangle_solve_dev)(const struct psb_dev_triangle *a, psb_ipk k, const void *alpha, const void *x,
                          const void *left, const void *right, const void *beta, void *y, void *stream);
int X(ldu_values_dev)(const struct psb_dev_ldu *a, void *stream);
