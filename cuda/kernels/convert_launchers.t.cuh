/* convert_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of convert_launchers.t.h. */
extern "C" int X(step_dev)(enum psb_step s, const struct psb_convert *q, struct psb_step_room *room,
                           void *stream)
{
    if (!moves_values(s))
        return psb_pattern_dev(s, q, room, stream);
    return room->at ? run_step<D>(s, *q, (cudaStream_t)stream) : cudaSuccess;
}
