/* ell_doors.t.cuh -- room: cuda.  The CUDA side of ell_doors.t.h. */
extern "C" int X(ell_csmv_dev)(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja,
                               const void *val, const void *alpha, const void *x, const void *beta, void *y,
                               void *stream)
{
    if (nrows > 0)
        ell_csmv<<<(unsigned)(((psb_epk)nrows + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)stream>>>(
            nrows, ld, irn, ja, (const D *)val, *(const D *)alpha, (const D *)x, *(const D *)beta, (D *)y);
    return cudaGetLastError();
}
