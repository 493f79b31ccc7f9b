/* packed_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of format_launchers.t.h for packed columns. */
extern "C" int X(packed_csmm_dev)(const struct psb_packed_dev *a, psb_ipk k, const void *alpha, const void *x,
                                  const void *beta, void *y, void *stream)
{
    return a->narrow
               ? run<narrow<D>>(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y,
                                (cudaStream_t)stream)
               : run<D>(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, (cudaStream_t)stream);
}

extern "C" int X(packed_fused_dev)(const struct psb_packed_dev *a, const void *alpha, const void *x,
                                   const void *beta, void *y, const struct psb_dev_epilogue *t, void *stream)
{
    const D by = given<D>(alpha), keep = given<D>(beta);
    return a->narrow ? run_fused<narrow<D>>(*a, by, (const D *)x, keep, (D *)y, *t, (cudaStream_t)stream)
                     : run_fused<D>(*a, by, (const D *)x, keep, (D *)y, *t, (cudaStream_t)stream);
}
