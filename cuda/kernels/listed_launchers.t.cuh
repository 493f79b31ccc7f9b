/* listed_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of format_launchers.t.h for listed rows. */
extern "C" int X(csr_add_short_dev)(const struct psb_dev_compressed *a, const void *alpha, const void *x,
                                    const struct psb_arrival *wait, const psb_ipk *rows, void *y,
                                    void *stream)
{
    return run(*a, given<D>(alpha), (const D *)x, (D *)y, wait, add_to_rows<D>(rows), (cudaStream_t)stream);
}

extern "C" int X(csr_add_short_fused_dev)(const struct psb_dev_compressed *a, const void *alpha,
                                          const void *x, const struct psb_arrival *wait, const psb_ipk *rows,
                                          void *y, const struct psb_dev_epilogue *t, void *stream)
{
    const cudaStream_t s = (cudaStream_t)stream;
    int code = cudaSuccess;
    const int sums = with_epilogue(*t, (const D *)y, (a->m + THREADS - 1) / THREADS, s, [&](const auto &e) {
        code = run(*a, given<D>(alpha), (const D *)x, (D *)y, wait, add_with_dots(e, rows), s);
    });
    return code != cudaSuccess ? code : sums;
}
