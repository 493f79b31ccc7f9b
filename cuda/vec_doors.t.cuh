/* vec_doors.t.cuh -- room: cuda.  The CUDA side of vec_doors.t.h. */
extern "C" int X(fill_dev)(psb_epk n, const void *a, void *x, void *stream)
{
    if (n > 0)
        fill<<<blocks(n), THREADS, 0, (cudaStream_t)stream>>>(n, *(const D *)a, (D *)x);
    return cudaGetLastError();
}

extern "C" int X(axpby_dev)(psb_epk n, const void *alpha, const void *x, const void *beta, void *y,
                            void *stream)
{
    if (n > 0)
        axpby<<<blocks(n), THREADS, 0, (cudaStream_t)stream>>>(n, *(const D *)alpha, (const D *)x,
                                                               *(const D *)beta, (D *)y);
    return cudaGetLastError();
}

extern "C" int X(dot_dev)(psb_ipk n, int k, const void *x, const void *y, double *partial, double *sum,
                          void *stream)
{
    return dot(n, k, (const D *)x, (const D *)y, partial, sum, (cudaStream_t)stream);
}

extern "C" int X(sumsq_dev)(psb_ipk n, int k, const void *x, double *partial, double *sum, void *stream)
{
    return dot(n, k, (const D *)x, (const D *)x, partial, sum, (cudaStream_t)stream);
}

extern "C" int X(gth_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *x, void *buf, void *stream)
{
    if (n > 0)
        gth<<<blocks((psb_epk)n * k), THREADS, 0, (cudaStream_t)stream>>>(n, idx, k, (const D *)x, (D *)buf);
    return cudaGetLastError();
}

extern "C" int X(sct_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *buf, void *y, void *stream)
{
    if (n > 0)
        sct<<<blocks((psb_epk)n * k), THREADS, 0, (cudaStream_t)stream>>>(n, idx, k, (const D *)buf, (D *)y);
    return cudaGetLastError();
}
