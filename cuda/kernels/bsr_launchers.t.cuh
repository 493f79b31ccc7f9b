/* bsr_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for blocks. */
extern "C" int X(bsr_csmm_dev)(const struct psb_dev_blocks *a, psb_ipk k, const void *alpha, const void *x,
                               const void *beta, void *y, void *stream)
{
    if (a->m == 0 || k == 0)
        return cudaSuccess;
    return run(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, (cudaStream_t)stream);
}
