/* ell_doors.t.cuh -- room: cuda.  The CUDA side of ell_doors.t.h. */
extern "C" int X(ell_csmm_dev)(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja,
                               const void *val, psb_ipk k, const void *alpha, const void *x, const void *beta,
                               void *y, void *stream)
{
    const psb_epk n = (psb_epk)nrows * k;
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    if (n > 0 && k == 1)
        ell_csmv<<<blocks, THREADS, 0, (cudaStream_t)stream>>>(
            nrows, ld, irn, ja, (const D *)val, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y);
    else if (n > 0)
        ell_csmm<<<blocks, THREADS, 0, (cudaStream_t)stream>>>(
            nrows, ld, irn, ja, (const D *)val, k, given<D>(alpha), (const D *)x, given<D>(beta), (D *)y);
    return cudaGetLastError();
}
