/* hybg.cu -- cuda/formats: y += alpha A x, A in triplets ordered by rows; bitwise reproducible,
 * without atomics.  A warp processes a chunk of consecutive entries and sums each row in it by a segmented
 * scan (Blelloch, Heroux and Zagha, "Segmented operations for sparse matrix computation on vector
 * multiprocessors", 1993).  If a row spans several chunks, the first of them adds its part to y; each
 * of the others stores its part, called the chunk's head, for a second kernel, which adds the heads to y. */
#include "psb_cuda_format.h"
#include "tables.cuh"
#include "load.cuh"
#include "lanes.cuh"
#include "overlap.cuh"

enum { THREADS = 256, WARP = 32 };

/* How the triplets are divided: chunk w has up to `size` entries, from w * size on. */
struct cut {
    psb_epk size;
    int chunks;
};

static cut cut_of(psb_epk nz)
{
    const psb_epk least = COO_LEAST, share = ((nz + COO_CHUNKS - 1) / COO_CHUNKS + WARP - 1) / WARP * WARP;
    const psb_epk size = share > least ? share : least;
    return { size, (int)((nz + size - 1) / size) };
}

/* Does the row of entry lo, the first of a chunk, begin in an earlier chunk? */
static __device__ __forceinline__ bool goes_on(const psb_ipk *ia, psb_epk lo)
{
    return lo > 0 && kept(ia + lo - 1) == kept(ia + lo);
}

/* Segmented inclusive scan: the sum of this lane's value and the values of the same row in lower lanes. */
template <class T>
__device__ __forceinline__ T scan_row(T sum, psb_ipk row, int lane)
{
#pragma unroll
    for (int by = 1; by < WARP; by *= 2) {
        const T other = from_up(sum, by);
        const psb_ipk its = from_up(row, by);
        if (lane >= by && its == row)
            sum = add(other, sum);
    }
    return sum;
}

/* Column blockIdx.y of x and y, which have k columns; `heads` has q.chunks elements for each such column. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    coo_chunks(const __grid_constant__ psb_dev_triplets a, cut q, psb_ipk k, T alpha, const T *__restrict__ x,
               T *__restrict__ y, T *__restrict__ heads)
{
    const int w = (int)(((psb_epk)blockIdx.x * THREADS + threadIdx.x) / WARP), lane = threadIdx.x % WARP;
    start_in_order();
    if (w >= q.chunks)
        return;
    const psb_epk lo = w * q.size, hi = lo + q.size < a.nz ? lo + q.size : a.nz;
    const psb_ipk old = goes_on(a.ia, lo) ? kept(a.ia + lo)
                                          : -1; /* the row whose sum is this chunk's head; -1: none */
    psb_ipk row_before = -1;
    T before = zero<T>();
    x += blockIdx.y;
    y += blockIdx.y;
    for (psb_epk t = lo; t < hi; t += WARP) {
        const psb_epk e = t + lane;
        const psb_ipk row = e < hi ? kept(a.ia + e) : -1, beyond = e + 1 < hi ? kept(a.ia + e + 1) : -1;
        T sum = zero<T>();
        if (e < hi)
            sum = mul(once((const T *)a.val + e), kept(x + (psb_epk)once(a.ja + e) * k));
        sum = scan_row(sum, row, lane);
        if (row == row_before)
            sum = add(before, sum);
        if (row >= 0 && row != beyond) {
            if (row == old)
                heads[(psb_epk)blockIdx.y * q.chunks + w] = sum;
            else
                y[(psb_epk)row * k] = mad(alpha, sum, y[(psb_epk)row * k]);
        }
        row_before = from_lane(row, WARP - 1);
        before = from_lane(sum, WARP - 1);
    }
}

/* The first chunk that has a head of a row adds all heads of that row to y. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    coo_heads(const __grid_constant__ psb_dev_triplets a, cut q, psb_ipk k, T alpha,
              const T *__restrict__ heads, T *__restrict__ y)
{
    const int w = (int)(((psb_epk)blockIdx.x * THREADS + threadIdx.x) / WARP), lane = threadIdx.x % WARP;
    const psb_epk lo = w * q.size;
    start_in_order();
    if (w >= q.chunks || !goes_on(a.ia, lo))
        return;
    const psb_ipk row = kept(a.ia + lo);
    if (goes_on(a.ia, lo - q.size) && kept(a.ia + lo - q.size) == row)
        return;
    T sum = zero<T>();
    for (psb_epk v = w + lane; v < q.chunks && kept(a.ia + v * q.size) == row; v += WARP)
        sum = add(sum, kept(heads + (psb_epk)blockIdx.y * q.chunks + v));
    sum = sum_lanes(sum, WARP);
    if (lane == 0) {
        T *at = y + (psb_epk)row * k + blockIdx.y;
        *at = mad(alpha, sum, *at);
    }
}

/* k columns in the memory for reductions, as many at a time as it has space for. */
template <class T>
static psb_err add_product(const psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y)
{
    using D = dev<T>;
    if (a->nz == 0)
        return PSB_OK;
    const cut q = cut_of(a->nz);
    D *heads = (D *)psb_cudart_scratch()->partial;
    const unsigned blocks = (q.chunks + THREADS / WARP - 1) / (THREADS / WARP);
    const size_t fit = VEC_BLOCKS * VEC_COLUMNS * 2 * sizeof(double) / (q.chunks * sizeof(D));
    const psb_ipk most = fit < COO_COLUMNS ? (psb_ipk)fit : COO_COLUMNS;
    for (psb_ipk c = 0; c < k; c += most) {
        const dim3 grid(blocks, k - c < most ? k - c : most);
        launch_early(coo_chunks<D>, grid, THREADS, stream(), *a, q, k, on_gpu(alpha), on_gpu(x) + c,
                     on_gpu(y) + c, heads);
        launch_early(coo_heads<D>, grid, THREADS, stream(), *a, q, k, on_gpu(alpha), (const D *)heads,
                     on_gpu(y) + c);
    }
    return psb_cudart_ok(cudaGetLastError(), "product of triplets");
}

template <class K, class T>
constexpr K coo_kernels()
{
    return { add_product };
}
PSB_CUDA_TABLES(coo_kernels)
