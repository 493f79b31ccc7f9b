/* convert_cuda.c -- room: cuda/kernels.  The steps of conversions on a GPU. */
#include "kernels.h"
#include "convert_pattern.h"
#include "launchers.h"
#include "psb_type.h"

const struct X(coo_steps) X(coo_steps_cuda) = {
    .copy = psb_coo_copy_cuda,
    .row_begins = psb_coo_row_begins_cuda,
    .disorder = psb_coo_disorder_cuda,
    .order = psb_coo_order_cuda,
    .order_by_place = psb_coo_order_by_place_cuda,
    .distinct = psb_coo_distinct_cuda,
    .merge = X(coo_merge_cuda),
    .gather = X(coo_gather_cuda),
    .locality = psb_coo_locality_cuda,
};

const struct X(compressed_steps) X(compressed_steps_cuda) = {
    .find = psb_compressed_find_cuda,
    .put = X(compressed_put_cuda),
    .diagonal = X(compressed_diagonal_cuda),
    .scale = X(compressed_scale_cuda),
    .zero = psb_compressed_zero_cuda,
};

const struct X(hll_steps) X(hll_steps_cuda) = {
    .ranks = psb_hll_ranks_cuda,
    .measure = psb_hll_measure_cuda,
    .fill = X(hll_fill_cuda),
    .row_lengths = psb_hll_row_lengths_cuda,
    .to_csr = X(hll_to_csr_cuda),
};

const struct X(hdia_steps) X(hdia_steps_cuda) = {
    .count = psb_hdia_count_cuda,
    .collect = psb_hdia_collect_cuda,
    .list = psb_hdia_list_cuda,
    .fill = X(hdia_fill_cuda),
    .row_lengths = psb_hdia_row_lengths_cuda,
    .to_csr = X(hdia_to_csr_cuda),
    .find = psb_hdia_find_cuda,
    .put = X(hdia_put_cuda),
    .diagonal = X(hdia_diagonal_cuda),
    .scale = X(hdia_scale_cuda),
    .zero = X(hdia_zero_cuda),
};
