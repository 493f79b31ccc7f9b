/* rows_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of the rows in vec_launchers.t.h. */
extern "C" int X(gth_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *x, void *buf, void *stream)
{
    if (n > 0)
        launch_early(gth<D>, blocks((psb_epk)n * k, THREADS), THREADS, (cudaStream_t)stream, n, idx, k,
                     (const D *)x, (D *)buf);
    return cudaGetLastError();
}

extern "C" int X(scatter_add_dev)(psb_ipk n, const psb_ipk *idx, int k, const void *buf, void *y,
                                  void *stream)
{
    if (n > 0)
        launch_early(scatter_add<D>, blocks((psb_epk)n * k, THREADS), THREADS, (cudaStream_t)stream, n, idx,
                     k, (const D *)buf, (D *)y);
    return cudaGetLastError();
}

extern "C" int X(join_owners_dev)(const struct psb_dev_owners *t, void *stream)
{
    const psb_epk all = (psb_epk)t->n * t->k;
    if (all > 0)
        launch_early(join_owners<D>, blocks(all, THREADS), THREADS, (cudaStream_t)stream, *t);
    return cudaGetLastError();
}
