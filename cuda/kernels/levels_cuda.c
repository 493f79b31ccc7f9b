/* levels_cuda.c -- room: cuda/kernels.  The steps in levels.h on a GPU. */
#include "level_launchers.h"

const struct psb_level_steps psb_level_steps_cuda = {
    .order = psb_levels_order_cuda,
    .rename = psb_levels_rename_cuda,
    .check = psb_levels_check_cuda,
};
