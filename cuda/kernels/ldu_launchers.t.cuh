/* ldu_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for incomplete factors. */
extern "C" int X(ldu_values_dev)(const struct psb_dev_ldu *a, void *stream)
{
    return run<D>(*a, (cudaStream_t)stream);
}
