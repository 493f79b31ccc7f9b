/* dia_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for diagonals. */
extern "C" int X(hdia_csmm_dev)(const struct psb_dev_diagonals *a, psb_ipk k, const void *alpha,
                                const void *x, const void *beta, void *y, void *stream)
{
    if (a->m == 0 || k == 0)
        return cudaSuccess;
    return run(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, (cudaStream_t)stream);
}

extern "C" int X(hdia_fused_dev)(const struct psb_dev_diagonals *a, const void *alpha, const void *x,
                                 const void *beta, void *y, const struct psb_dev_epilogue *t, void *stream)
{
    return run_fused(*a, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, *t, (cudaStream_t)stream);
}
