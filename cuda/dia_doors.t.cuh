/* dia_doors.t.cuh -- room: cuda.  The CUDA side of wide_doors.t.h for diagonals. */
extern "C" int X(hdia_csmm_dev)(const struct psb_dev_diagonals *a, psb_ipk k, const void *alpha,
                                const void *x, const void *beta, void *y, void *stream)
{
    const psb_epk n = (psb_epk)a->m * k;
    const D by = given<D>(alpha), keep = given<D>(beta);
    const bool whole = a->nhacks == 1 || a->rows % (WARP * rows_of<D>()) == 0; /* a warp's rows in one hack */
    if (n > 0 && k == 1 && whole)
        csmv<D, rows_of<D>()>(*a, by, (const D *)x, keep, (D *)y, (cudaStream_t)stream);
    else if (n > 0 && k == 1)
        csmv<D, 1>(*a, by, (const D *)x, keep, (D *)y, (cudaStream_t)stream);
    else if (n > 0)
        hdia_csmm<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)stream>>>(
            *a, k, by, (const D *)x, keep, (D *)y);
    return cudaGetLastError();
}
