/* totals_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of totals_dev in vec_launchers.t.h. */
extern "C" int X(totals_dev)(const struct psb_dev_totals *t, void *stream)
{
    return launch_early(totals<D>, 1, 32, (cudaStream_t)stream, *t);
}
