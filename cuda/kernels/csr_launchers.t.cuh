/* csr_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of format_launchers.t.h. */
extern "C" int X(csr_csmm_dev)(const struct psb_csr_dev *a, psb_ipk k, const void *alpha, const void *x,
                               const void *beta, void *y, void *stream)
{
    return run(*a, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, (cudaStream_t)stream);
}

extern "C" int X(csr_add_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x,
                              const psb_ipk *rows, void *y, void *stream)
{
    return run_add(*a, given<D>(alpha), (const D *)x, rows, (D *)y, (cudaStream_t)stream);
}

extern "C" int X(csr_add_fused_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x,
                                    const psb_ipk *rows, void *y, const struct psb_dev_epilogue *t,
                                    void *stream)
{
    return run_add_fused(*a, given<D>(alpha), (const D *)x, rows, (D *)y, *t, (cudaStream_t)stream);
}

extern "C" int X(csr_fused_dev)(const struct psb_csr_dev *a, const void *alpha, const void *x,
                                const void *beta, void *y, const struct psb_dev_epilogue *t, void *stream)
{
    return run_fused(*a, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, *t, (cudaStream_t)stream);
}
