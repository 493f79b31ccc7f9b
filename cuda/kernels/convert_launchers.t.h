/* convert_launchers.t.h -- room: cuda/kernels.  The steps of conversions that move or change values, on a
 * GPU, implemented in CUDA: see kernels.t.h. */
psb_err X(coo_merge_cuda)(const struct psb_dev_triplets *t, const psb_epk *order, const psb_epk *place,
                          int overwrite, const struct psb_new_triplets *to);
psb_err X(coo_gather_cuda)(const struct psb_dev_triplets *t, const psb_epk *order,
                           const struct psb_new_triplets *to);
psb_err X(compressed_put_cuda)(const struct psb_dev_compressed *a, const struct psb_placed *q);
psb_err X(compressed_diagonal_cuda)(const struct psb_dev_compressed *a, const struct psb_diagonal *q);
psb_err X(compressed_scale_cuda)(const struct psb_dev_compressed *a, const struct psb_factors *q);
psb_err X(hll_fill_cuda)(const struct psb_dev_compressed *from, psb_epk widest,
                         const struct psb_dev_compressed *a);
psb_err X(hll_to_csr_cuda)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
psb_err X(hdia_fill_cuda)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a);
psb_err X(hdia_to_csr_cuda)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
psb_err X(hdia_put_cuda)(const struct psb_dev_hdia *a, const struct psb_placed *q);
psb_err X(hdia_diagonal_cuda)(const struct psb_dev_hdia *a, const struct psb_diagonal *q);
psb_err X(hdia_scale_cuda)(const struct psb_dev_hdia *a, const struct psb_factors *q);
psb_err X(hdia_zero_cuda)(const struct psb_dev_hdia *a, size_t bytes);
