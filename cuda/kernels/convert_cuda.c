/* convert_cuda.c -- room: cuda/kernels.  The steps of conversions on a GPU, with the room they take for themselves.
 */
#include "kernels.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "gpu.h"
#include "psb_type.h"

psb_err X(step_cuda)(enum psb_step s, const struct psb_convert *q)
{
    static const char what[] = "conversion on the device";
    const struct psb_device *on = psb_cuda_device();
    struct psb_step_room room = { 0 };
    void *own = NULL;
    PSB_TRY(psb_gpu_ok(X(step_dev)(s, q, &room, psb_gpu_stream()), what));
    if (room.bytes > 0)
        PSB_TRY(on->alloc(&own, room.bytes, "room for a conversion"));
    room.at = own ? own : &room; /* no step looks at room that it did not ask for */
    psb_err e = psb_gpu_ok(X(step_dev)(s, q, &room, psb_gpu_stream()), what);
    if (own)
        on->free(own);
    return e;
}
