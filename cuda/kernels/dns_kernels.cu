/* dns_kernels.cu -- cuda/kernels: y = alpha A x + beta y, A dense: one warp per row.  All elements are
 * multiplied; a sum that is not finite is computed again from the entries marked in the bit mask. */
#include "tables.cuh"
#include "load.cuh"
#include "lanes.cuh"
#include "overlap.cuh"

enum { THREADS = 256, WARP = 32 };

/* Columns first, first + step, ... of row i times a column of x, whose elements are k apart.  BITS: use only
 * the entries marked in the bit mask. */
template <class T, bool BITS>
__device__ __forceinline__ T part_of_row(const psb_dev_dense &a, psb_epk i, int first, int step, psb_ipk k,
                                         const T *x)
{
    const psb_epk words = ((psb_epk)a.n + 63) / 64, end = (psb_epk)a.layers * a.m;
    T sum = zero<T>();
    for (psb_epk row = i; row < end; row += a.m) {
        const T *v = (const T *)a.val + row * a.n;
#pragma unroll 4
        for (psb_epk j = first; j < a.n; j += step)
            if (!BITS || (a.bits[row * words + j / 64] >> j % 64 & 1))
                sum = mad(once(v + j), kept(x + j * k), sum);
    }
    return sum;
}

template <class T>
__global__ void __launch_bounds__(THREADS) dns_csmv(const __grid_constant__ psb_dev_dense a, T alpha,
                                                    const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const psb_epk i = ((psb_epk)blockIdx.x * THREADS + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP;
    start_in_order();
    if (i >= a.m)
        return;
    T sum = sum_lanes(part_of_row<T, false>(a, i, lane, WARP, 1, x), WARP);
    if (!is_finite(sum)) /* the same in all lanes */
        sum = sum_lanes(part_of_row<T, true>(a, i, lane, WARP, 1, x), WARP);
    if (lane == 0)
        put(alpha, sum, beta, y + i);
}

/* k columns: one thread per element of y. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    dns_csmm(const __grid_constant__ psb_dev_dense a, psb_ipk k, T alpha, const T *__restrict__ x, T beta,
             T *__restrict__ y)
{
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, i = place / k;
    start_in_order();
    if (i >= a.m)
        return;
    T sum = part_of_row<T, false>(a, i, 0, 1, k, x + place % k);
    if (!is_finite(sum))
        sum = part_of_row<T, true>(a, i, 0, 1, k, x + place % k);
    put(alpha, sum, beta, y + place);
}

template <class T>
static int product(const psb_dev_dense &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    const psb_epk n = (psb_epk)a.m * (k == 1 ? WARP : k);
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    if (n > 0 && k == 1)
        launch_early(dns_csmv<T>, blocks, THREADS, stream, a, alpha, x, beta, y);
    else if (n > 0)
        launch_early(dns_csmm<T>, blocks, THREADS, stream, a, k, alpha, x, beta, y);
    return cudaGetLastError();
}

template <class K, class T>
constexpr K dns_kernels()
{
    return { csmm };
}
PSB_CUDA_TABLES(dns_kernels)
