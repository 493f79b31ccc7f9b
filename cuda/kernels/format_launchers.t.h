/* format_launchers.t.h -- room: cuda/kernels.  The launchers between C and CUDA for formats; see
 * vec_launchers.t.h. */
int X(hll_csmm_dev)(const struct psb_hll_dev *a, psb_ipk k, const void *alpha, const void *x,
                    const void *beta, void *y, void *stream);
int X(packed_csmm_dev)(const struct psb_packed_dev *a, psb_ipk k, const void *alpha, const void *x,
                       const void *beta, void *y, void *stream);
int X(csr_csmm_dev)(const struct psb_csr_dev *a, psb_ipk k, const void *alpha, const void *x,
                    const void *beta, void *y, void *stream);
/* y[rows[i]] += alpha (A x)_i. */
int X(csr_add_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x, const psb_ipk *rows,
                   void *y, void *stream);
/* A product of one column and its epilogue. */
int X(hll_fused_dev)(const struct psb_hll_dev *a, const void *alpha, const void *x, const void *beta, void *y,
                     const struct psb_dev_epilogue *t, void *stream);
int X(packed_fused_dev)(const struct psb_packed_dev *a, const void *alpha, const void *x, const void *beta,
                        void *y, const struct psb_dev_epilogue *t, void *stream);
int X(csr_add_fused_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x, const psb_ipk *rows,
                         void *y, const struct psb_dev_epilogue *t, void *stream);
/* csr_add_dev and csr_add_fused_dev for few short rows; *wait: before x is read (NULL: x is there). */
int X(csr_add_short_dev)(const struct psb_dev_compressed *a, const void *alpha, const void *x,
                         const struct psb_arrival *wait, const psb_ipk *rows, void *y, void *stream);
int X(csr_add_short_fused_dev)(const struct psb_dev_compressed *a, const void *alpha, const void *x,
                               const struct psb_arrival *wait, const psb_ipk *rows, void *y,
                               const struct psb_dev_epilogue *t, void *stream);
int X(csr_fused_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x, const void *beta, void *y,
                     const struct psb_dev_epilogue *t, void *stream);
int X(hdia_fused_dev)(const struct psb_dev_diagonals *a, const void *alpha, const void *x, const void *beta,
                      void *y, const struct psb_dev_epilogue *t, void *stream);
