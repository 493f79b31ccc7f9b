/* bsr_doors.t.cuh -- room: cuda.  The CUDA side of wide_doors.t.h for blocks. */
extern "C" int X(bsr_csmm_dev)(const struct psb_dev_blocks *a, psb_ipk k, const void *alpha, const void *x,
                               const void *beta, void *y, void *stream)
{
    const psb_epk n = (psb_epk)a->m * k;
    const D by = given<D>(alpha), keep = given<D>(beta);
    if (n > 0 && k == 1)
        csmv(*a, by, (const D *)x, keep, (D *)y, (cudaStream_t)stream);
    else if (n > 0)
        bsr_csmm<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)stream>>>(
            *a, k, by, (const D *)x, keep, (D *)y);
    return cudaGetLastError();
}
