/* convert_pattern.h -- room: cuda/kernels.  The steps of conversions that do not depend on the scalar, on a
 * GPU, implemented in CUDA: see kernels.t.h. */
#ifndef PSB_CONVERT_PATTERN_H
#define PSB_CONVERT_PATTERN_H
#include "convert.h"
#include "dev_arrays.h"
#include "psb_lang.h"
PSB_BEGIN_C
psb_err psb_coo_copy_cuda(void *to, const void *from, size_t bytes);
psb_err psb_coo_row_begins_cuda(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off);
psb_err psb_coo_disorder_cuda(const struct psb_dev_triplets *t, psb_epk *found);
psb_err psb_coo_order_cuda(const struct psb_dev_triplets *t, psb_ipk m, psb_ipk n, psb_epk *order);
psb_err psb_coo_order_by_place_cuda(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *order);
psb_err psb_coo_distinct_cuda(const struct psb_dev_triplets *t, const psb_epk *order, psb_epk *place,
                              psb_epk *found);
psb_err psb_coo_locality_cuda(const struct psb_dev_compressed *a, psb_epk *found);
psb_err psb_compressed_find_cuda(const struct psb_dev_compressed *a, const struct psb_find *q);
psb_err psb_compressed_zero_cuda(const struct psb_dev_compressed *a, size_t bytes);
psb_err psb_hll_ranks_cuda(const struct psb_dev_compressed *from, psb_ipk window,
                           const struct psb_dev_compressed *a);
psb_err psb_hll_measure_cuda(const struct psb_dev_compressed *from, const struct psb_dev_compressed *a,
                             psb_epk *found);
psb_err psb_hll_row_lengths_cuda(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
psb_err psb_hdia_count_cuda(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a,
                            psb_epk *place, psb_epk *found);
psb_err psb_hdia_collect_cuda(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a,
                              psb_epk *place, const struct psb_hdia_keys *keys, psb_epk *found);
psb_err psb_hdia_list_cuda(const struct psb_hdia_keys *keys, const struct psb_dev_hdia *a);
psb_err psb_hdia_row_lengths_cuda(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
psb_err psb_hdia_find_cuda(const struct psb_dev_hdia *a, const struct psb_find *q);
PSB_END_C
#endif
