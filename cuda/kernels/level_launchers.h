/* level_launchers.h -- room: cuda/kernels.  The launchers of the steps in levels.h, which C calls and CUDA
 * implements; each returns a cudaError_t, and queues its work on the cudaStream_t `stream`. */
#ifndef PSB_LEVEL_LAUNCHERS_H
#define PSB_LEVEL_LAUNCHERS_H
#include "convert_launch.h"
#include "levels.h"
PSB_BEGIN_C
/* If room->at is NULL, only set the size of the memory that the step needs. */
int psb_levels_order_dev(const struct psb_pattern *a, int upper, psb_ipk *order, psb_ipk *place,
                         struct psb_step_room *room, void *stream);
int psb_levels_rename_dev(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to, void *stream);
int psb_levels_check_dev(const struct psb_pattern *a, int upper, int unit, psb_epk *found, void *stream);
PSB_END_C
#endif
