/* dns_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for dense matrices. */
extern "C" int X(dns_csmm_dev)(const struct psb_dev_dense *a, psb_ipk k, const void *alpha, const void *x,
                               const void *beta, void *y, void *stream)
{
    const psb_epk n = (psb_epk)a->m * (k == 1 ? WARP : k);
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    const D by = given<D>(alpha), keep = given<D>(beta);
    if (n > 0 && k == 1)
        launch_early(dns_csmv<D>, blocks, THREADS, (cudaStream_t)stream, *a, by, (const D *)x, keep, (D *)y);
    else if (n > 0)
        launch_early(dns_csmm<D>, blocks, THREADS, (cudaStream_t)stream, *a, k, by, (const D *)x, keep,
                     (D *)y);
    return cudaGetLastError();
}
