/* bsr_kernels.cu -- cuda/kernels: y = alpha A x + beta y, A in blocks.  A few lanes process one
 * block row: each lane sums one row of several adjacent blocks, then the lanes' sums are added.  Padding is
 * stored as 0 and is multiplied; a sum that is not finite is computed again from the entries marked in the
 * bit mask. */
#include "tables.cuh"
#include "load.cuh"
#include "lanes.cuh"
#include "overlap.cuh"

enum { THREADS = 128 };

template <class T, int B>
constexpr int LANES_OF = BSR_LANES(B, sizeof(T));
template <class T, int B>
constexpr int AHEAD_OF = BSR_AHEAD(B, sizeof(T), !std::is_arithmetic<T>::value);

/* Row i times a column of x, whose elements are k apart, using only the entries marked in the bit mask. */
template <class T>
__device__ __forceinline__ T by_bits(const psb_dev_blocks &a, psb_ipk i, psb_ipk k, const T *x)
{
    const psb_epk size = a.r * a.c, bytes = (size + 7) / 8;
    const psb_ipk h = i / a.r, l = i % a.r;
    T sum = zero<T>();
    for (psb_epk b = a.off[h]; b < a.off[h + 1] && a.ja[b] >= 0; b++)
        for (psb_ipk j = 0; j < a.c; j++) {
            const psb_ipk at = a.by_cols ? j * a.r + l : l * a.c + j;
            if (a.bits[b * bytes + at / 8] >> at % 8 & 1)
                sum = mad(((const T *)a.val)[b * size + at], x[((psb_epk)a.ja[b] * a.c + j) * k], sum);
        }
    return sum;
}

template <class T>
__device__ __forceinline__ void put_row(const psb_dev_blocks &a, psb_epk i, T alpha, T sum, const T *x,
                                        T beta, T *y)
{
    if (i >= a.m)
        return;
    if (!a.full && !is_finite(sum))
        sum = by_bits(a, (psb_ipk)i, 1, x);
    put(alpha, sum, beta, y + i);
}

/* Sum over n consecutive groups of r lanes each; `lane` is this lane's number among them.  The first group
 * gets the result. */
template <class T>
__device__ __forceinline__ T add_groups(T sum, int lane, int r, int n, int lanes)
{
    for (int half; n > 1; n = half) {
        half = (n + 1) / 2;
        const T other = from_down(sum, r * half, lanes);
        if (lane < (n - half) * r)
            sum = add(sum, other);
    }
    return sum;
}

/* Element j of x; 0 if j >= n, which includes negative columns, because j is unsigned. */
template <class T>
__device__ __forceinline__ T element(const T *x, unsigned j, psb_ipk n)
{
    return j < (unsigned)n ? kept(x + j) : zero<T>();
}

/* Blocks of B x B, stored by columns.  2 x 2 blocks are loaded without a policy, with which large matrices
 * were slower (docs/decisions). */
template <class T, int B>
__global__ void __launch_bounds__(THREADS) bsr_square(const __grid_constant__ psb_dev_blocks a, T alpha,
                                                      const T *__restrict__ x, T beta, T *__restrict__ y)
{
    constexpr int LANES = LANES_OF<T, B>, AHEAD = AHEAD_OF<T, B>, GROUPS = LANES / B;
    const int lane = threadIdx.x % LANES, group = lane / B;
    const psb_epk h = ((psb_epk)blockIdx.x * THREADS + threadIdx.x) / LANES;
    const bool works = h < a.h && group < GROUPS;
    start_in_order();
    const uint64_t policy = policy_of<true>(a.stays);
    const psb_epk end = works ? kept(a.off + h + 1) : 0;
    T sum = zero<T>();
    for (psb_epk b = works ? kept(a.off + h) + group : 0; b < end; b += GROUPS * AHEAD) {
        T e[AHEAD][B], f[AHEAD][B];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (b + GROUPS * u < end) {
                const T *v = (const T *)a.val + (b + GROUPS * u) * (B * B) + lane % B;
                const unsigned j0 = (unsigned)kept(a.ja + b + GROUPS * u) * B;
#pragma unroll
                for (int j = 0; j < B; j++) {
                    e[u][j] = B == 2 ? kept(v + j * B) : kept(v + j * B, policy);
                    f[u][j] = element(x, j0 + j, a.n);
                }
            }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (b + GROUPS * u < end) {
#pragma unroll
                for (int j = 0; j < B; j++)
                    sum = mad(e[u][j], f[u][j], sum);
            }
    }
    sum = add_groups(sum, lane, B, GROUPS, LANES);
    if (lane < B && h < a.h)
        put_row(a, h * B + lane, alpha, sum, x, beta, y);
}

/* Blocks of any size, stored by columns or rows; LANES lanes per block row, at least the rows of a block. */
template <int LANES, class T>
__global__ void __launch_bounds__(THREADS) bsr_csmv(const __grid_constant__ psb_dev_blocks a, T alpha,
                                                    const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const int lane = threadIdx.x % LANES, group = lane / a.r, row = lane % a.r, groups = LANES / a.r;
    const int down = a.by_cols ? 1 : a.c, right = a.by_cols ? a.r : 1;
    const psb_epk h = ((psb_epk)blockIdx.x * THREADS + threadIdx.x) / LANES;
    const bool works = h < a.h && group < groups;
    start_in_order();
    const psb_epk end = works ? kept(a.off + h + 1) : 0;
    T sum = zero<T>();
    for (psb_epk b = works ? kept(a.off + h) + group : 0; b < end; b += groups) {
        const T *v = (const T *)a.val + b * (a.r * a.c) + row * down;
        const unsigned j0 = (unsigned)kept(a.ja + b) * (unsigned)a.c;
#pragma unroll 4
        for (int j = 0; j < a.c; j++)
            sum = mad(kept(v + j * right), element(x, j0 + j, a.n), sum);
    }
    sum = add_groups(sum, lane, a.r, groups, LANES);
    if (lane < a.r && h < a.h)
        put_row(a, h * a.r + lane, alpha, sum, x, beta, y);
}

/* k columns: a thread computes N times V columns of a row; the threads of a row are consecutive. */
template <int N, int V, class T>
__global__ void __launch_bounds__(THREADS)
    bsr_csmm(const __grid_constant__ psb_dev_blocks a, psb_ipk k, T alpha, const T *__restrict__ x, T beta,
             T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, i = place / shares;
    const int c = (int)(place % shares) * N * V;
    const int down = a.by_cols ? 1 : a.c, right = a.by_cols ? a.r : 1;
    start_in_order();
    if (i >= a.m)
        return;
    const psb_ipk h = (psb_ipk)i / a.r, row = (psb_ipk)i % a.r;
    const psb_epk end = kept(a.off + h + 1);
    vec<T, V> sum[N] = {};
    for (psb_epk b = kept(a.off + h); b < end; b++) {
        const T *v = (const T *)a.val + b * (a.r * a.c) + row * down;
        const unsigned j0 = (unsigned)kept(a.ja + b) * (unsigned)a.c;
#pragma unroll 4
        for (int j = 0; j < a.c; j++)
            if (j0 + j < (unsigned)a.n)
                add_columns<N, V>(kept(v + j * right), x + (psb_epk)(j0 + j) * k + c, k - c, sum);
    }
    if (!a.full)
        mend_columns(sum, k - c, [&](int l) { return by_bits(a, (psb_ipk)i, k, x + c + l); });
    put_columns(alpha, sum, k - c, beta, y + i * k + c);
}

template <class T, int B>
static void square(const psb_dev_blocks &given, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    psb_dev_blocks a = given;
    const psb_epk lanes = (psb_epk)a.h * LANES_OF<T, B>;
    a.stays = share_that_stays(a.moved);
    launch_early(bsr_square<T, B>, (unsigned)((lanes + THREADS - 1) / THREADS), THREADS, stream, a, alpha, x,
                 beta, y);
}

template <int LANES, class T>
static void any(const psb_dev_blocks &a, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(((psb_epk)a.h * LANES + THREADS - 1) / THREADS);
    launch_early(bsr_csmv<LANES, T>, blocks, THREADS, stream, a, alpha, x, beta, y);
}

/* One column. */
template <class T>
static void csmv(const psb_dev_blocks &a, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    using launcher = void(const psb_dev_blocks &, T, const T *, T, T *, cudaStream_t);
    static launcher *const of_square[] = { square<T, 2>, square<T, 3>, square<T, 4> };
    static launcher *const of_any[] = { any<4, T>, any<8, T>, any<16, T>, any<32, T> };
    int i = 0;
    while (4 << i < psb_lanes_of_blocks(a.r, a.blocks, a.h))
        i++;
    const bool square = psb_blocks_are_square(a.r, a.c, a.by_cols);
    (square ? of_square[a.r - 2] : of_any[i])(a, alpha, x, beta, y, stream);
}

template <class T>
static int product(const psb_dev_blocks &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (a.m == 0 || k == 0)
        return cudaSuccess;
    if (k == 1)
        csmv(a, alpha, x, beta, y, stream);
    else
        by_width(k, x, y, [&](auto w) {
            using W = decltype(w);
            const psb_epk n = W::shares(k) * a.m;
            launch_early(bsr_csmm<W::N, W::V, T>, (unsigned)((n + THREADS - 1) / THREADS), THREADS, stream, a,
                         k, alpha, x, beta, y);
        });
    return cudaGetLastError();
}

template <class K, class T>
constexpr K bsr_kernels()
{
    return { csmm };
}
PSB_CUDA_TABLES(bsr_kernels)
