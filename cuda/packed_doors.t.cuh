/* packed_doors.t.cuh -- room: cuda.  The CUDA side of format_doors.t.h for packed columns. */
extern "C" int X(packed_csmm_dev)(const struct psb_packed_dev *a, psb_ipk k, const void *alpha, const void *x,
                                  const void *beta, void *y, void *stream)
{
    return a->narrow
               ? run<narrow<D>>(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y,
                                (cudaStream_t)stream)
               : run<D>(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, (cudaStream_t)stream);
}
