/* dia_doors.t.cuh -- room: cuda.  The CUDA side of wide_doors.t.h for diagonals. */
extern "C" int X(hdia_csmm_dev)(const struct psb_dev_diagonals *a, psb_ipk k, const void *alpha,
                                const void *x, const void *beta, void *y, void *stream)
{
    const psb_epk n = (psb_epk)a->m * k;
    const D by = given<D>(alpha), keep = given<D>(beta);
    if (n > 0 && k == 1)
        run_one(*a, by, (const D *)x, keep, (D *)y, no_tail<D>(), (cudaStream_t)stream);
    else if (n > 0)
        hdia_csmm<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)stream>>>(
            *a, k, by, (const D *)x, keep, (D *)y);
    return cudaGetLastError();
}

extern "C" int X(hdia_fused_dev)(const struct psb_dev_diagonals *a, const void *alpha, const void *x,
                                 const void *beta, void *y, const struct psb_dev_tail *t, void *stream)
{
    return run_fused(*a, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y, *t, (cudaStream_t)stream);
}
