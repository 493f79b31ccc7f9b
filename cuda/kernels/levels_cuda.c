/* levels_cuda.c -- room: cuda/kernels.  The steps in levels.h on a GPU. */
#include "psb_cuda_device.h"
#include "gpu.h"
#include "level_launchers.h"

static psb_err order(const struct psb_pattern *a, int upper, psb_ipk *to, psb_ipk *place)
{
    static const char what[] = "levels of rows";
    const struct psb_device *on = psb_cuda_device();
    struct psb_step_room room = { 0 };
    void *stream = psb_cudart_stream(), *own = NULL;
    PSB_TRY(psb_cudart_ok(psb_levels_order_dev(a, upper, to, place, &room, stream), what));
    PSB_TRY(on->alloc(&own, room.bytes, what));
    room.at = own;
    psb_err e = psb_cudart_ok(psb_levels_order_dev(a, upper, to, place, &room, stream), what);
    on->free(own);
    return e;
}

static psb_err rename_columns(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to)
{
    return psb_cudart_ok(psb_levels_rename_dev(nnz, ja, place, to, psb_cudart_stream()), "places of columns");
}

static psb_err check(const struct psb_pattern *a, int upper, int unit, psb_epk *found)
{
    return psb_cudart_ok(psb_levels_check_dev(a, upper, unit, found, psb_cudart_stream()),
                         "check of a triangle");
}

const struct psb_level_steps psb_level_steps_cuda = { order, rename_columns, check };
