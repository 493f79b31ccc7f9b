/* coo_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for triplets. */
extern "C" int X(coo_add_dev)(const struct psb_dev_triplets *a, psb_ipk k, const void *alpha, const void *x,
                              void *y, void *scratch, size_t bytes, void *stream)
{
    if (a->nz == 0)
        return cudaSuccess;
    const cut q = cut_of(a->nz);
    const D by = given<D>(alpha);
    const unsigned blocks = (q.chunks + THREADS / WARP - 1) / (THREADS / WARP);
    const size_t fit = bytes / (q.chunks * sizeof(D));
    const psb_ipk most = fit < MOST_COLUMNS ? (psb_ipk)fit : MOST_COLUMNS;
    for (psb_ipk c = 0; c < k; c += most) {
        const dim3 grid(blocks, k - c < most ? k - c : most);
        launch_early(coo_chunks<D>, grid, THREADS, (cudaStream_t)stream, *a, q, k, by, (const D *)x + c,
                     (D *)y + c, (D *)scratch);
        launch_early(coo_heads<D>, grid, THREADS, (cudaStream_t)stream, *a, q, k, by, (const D *)scratch,
                     (D *)y + c);
    }
    return cudaGetLastError();
}
