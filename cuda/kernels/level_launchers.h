/* level_launchers.h -- room: cuda/kernels.  The steps in levels.h on a GPU, implemented in CUDA. */
#ifndef PSB_LEVEL_LAUNCHERS_H
#define PSB_LEVEL_LAUNCHERS_H
#include "levels.h"
PSB_BEGIN_C
psb_err psb_levels_order_cuda(const struct psb_pattern *a, int upper, psb_ipk *order, psb_ipk *place);
psb_err psb_levels_rename_cuda(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to);
psb_err psb_levels_check_cuda(const struct psb_pattern *a, int upper, int unit, psb_epk *found);
PSB_END_C
#endif
