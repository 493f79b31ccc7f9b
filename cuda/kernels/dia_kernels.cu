/* dia_kernels.cu -- cuda/kernels: y = alpha A x + beta y, A in hacked diagonals.  A thread computes
 * several rows, 32 rows apart, so that a warp reads consecutive values and consecutive elements of x, and
 * loads several diagonals at once.  Padding is stored as 0 and is multiplied; a sum that is not finite is
 * computed again from the entries marked in the bit mask. */
#include "epilogue.cuh"
#include "overlap.cuh"

enum { THREADS = 128, WARP = 32 };
static_assert((int)THREADS >= (int)SUMMED_ROWS, "there is space for the sums of all blocks");

/* rows_of: rows of a thread, 32 bytes of values of a diagonal (16 in single precision).  AHEAD: diagonals
 * loaded at once. */
template <class T>
constexpr int rows_of()
{
    return sizeof(T) > 4 ? (int)(32 / sizeof(T)) : 4;
}
template <class T>
constexpr int AHEAD = DIAGONALS_AT_ONCE(sizeof(T));

/* Row i times a column of x, whose elements are k apart, using only the entries marked in the bit mask. */
template <class T>
__device__ __forceinline__ T by_bits(const psb_dev_diagonals &a, psb_ipk i, psb_ipk k, const T *x)
{
    const psb_epk h = i / a.rows, at = i % a.rows, words = (a.rows + 63) / 64;
    T sum = zero<T>();
    for (psb_epk d = a.off[h]; d < a.off[h + 1]; d++)
        if (a.bits[d * words + at / 64] >> at % 64 & 1)
            sum = mad(((const T *)a.val)[d * a.rows + at], x[((psb_epk)i + a.dist[d]) * k], sum);
    return sum;
}

/* A value, with the policy if the product keeps a share of the matrix in the cache. */
template <class E, class T>
__device__ __forceinline__ T value(const T *v, uint64_t policy)
{
    if constexpr (E::KEEPS_SHARE)
        return passing(v, policy);
    else
        return once(v);
}

/* sum[r] += the products of row first + WARP * r; the ROWS rows are in one hack.  Columns are compared with
 * a.n as unsigned numbers, so that negative ones are out of range too; no sum of a row and a distance wraps
 * into range. */
template <class E, int ROWS, class T>
__device__ __forceinline__ void sum_diagonals(const psb_dev_diagonals &a, psb_epk first, const T *x,
                                              const bool (&mine)[ROWS], T (&sum)[ROWS])
{
    const uint64_t policy = policy_of<E::KEEPS_SHARE>(a.stays);
    const psb_epk h = a.nhacks == 1 ? 0 : (unsigned)first / (unsigned)a.rows, end = kept(a.off + h + 1);
    psb_epk d = kept(a.off + h);
    const T *v = (const T *)a.val + d * a.rows + (first - h * a.rows);
    for (; d < end; d += AHEAD<T>, v += AHEAD<T> * a.rows) {
        T e[AHEAD<T>][ROWS], f[AHEAD<T>][ROWS];
#pragma unroll
        for (int u = 0; u < AHEAD<T>; u++)
            if (d + u < end) {
                const unsigned j = (unsigned)first + (unsigned)kept(a.dist + d + u);
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    e[u][r] = mine[r] ? value<E>(v + u * a.rows + WARP * r, policy) : zero<T>();
                    f[u][r] = mine[r] && j + WARP * r < (unsigned)a.n ? kept(x + (j + WARP * r)) : zero<T>();
                }
            }
#pragma unroll
        for (int u = 0; u < AHEAD<T>; u++)
            if (d + u < end) {
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] = mad(e[u][r], f[u][r], sum[r]);
            }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (mine[r] && !is_finite(sum[r]))
            sum[r] = by_bits(a, (psb_ipk)(first + WARP * r), 1, x);
}

/* E: the epilogue. */
template <int ROWS, class E, class T>
__global__ void __launch_bounds__(THREADS)
    hdia_csmv(const __grid_constant__ psb_dev_diagonals a, T alpha, const T *__restrict__ x, T beta,
              T *__restrict__ y, const __grid_constant__ E end)
{
    const psb_epk warp = ((psb_epk)blockIdx.x * THREADS + threadIdx.x) / WARP;
    const psb_epk first = warp * WARP * ROWS + threadIdx.x % WARP;
    typename E::sums s = {};
    start_in_order();
    if (first < a.m) {
        T sum[ROWS];
        bool mine[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            sum[r] = zero<T>();
            mine[r] = first + WARP * r < a.m;
        }
        sum_diagonals<E>(a, first, x, mine, sum);
        end.rows(alpha, sum, beta, y, first, WARP, mine, s);
    }
    end.template leave<THREADS>(s, blockIdx.x);
}

/* k columns: a thread computes N times V columns of a row; the threads of a row are consecutive. */
template <int N, int V, class T>
__global__ void __launch_bounds__(THREADS)
    hdia_csmm(const __grid_constant__ psb_dev_diagonals a, psb_ipk k, T alpha, const T *__restrict__ x,
              T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, i = place / shares;
    start_in_order();
    if (i >= a.m)
        return;
    const int c = (int)(place % shares) * N * V;
    const psb_epk h = (unsigned)i / (unsigned)a.rows, end = kept(a.off + h + 1);
    const T *val = (const T *)a.val + (i - h * a.rows);
    vec<T, V> sum[N] = {};
    for (psb_epk d = kept(a.off + h); d < end; d += AHEAD<T>) {
        unsigned j[AHEAD<T>];
        T v[AHEAD<T>];
#pragma unroll
        for (int u = 0; u < AHEAD<T>; u++)
            if (d + u < end) {
                j[u] = (unsigned)i + (unsigned)kept(a.dist + d + u);
                v[u] = kept(val + (d + u) * a.rows);
            }
#pragma unroll
        for (int u = 0; u < AHEAD<T>; u++)
            if (d + u < end && j[u] < (unsigned)a.n)
                add_columns<N, V>(v[u], x + (psb_epk)j[u] * k + c, k - c, sum);
    }
    mend_columns(sum, k - c, [&](int l) { return by_bits(a, (psb_ipk)i, k, x + c + l); });
    put_columns(alpha, sum, k - c, beta, y + i * k + c);
}

static unsigned blocks(const psb_dev_diagonals &a, int rows)
{
    const psb_epk each = (psb_epk)THREADS * rows;
    return (unsigned)((a.m + each - 1) / each);
}

/* Rows of a thread, chosen so that the rows of a warp are in one hack. */
template <class T>
static int rows_per_thread(const psb_dev_diagonals &a)
{
    return a.nhacks == 1 || a.rows % (WARP * rows_of<T>()) == 0 ? rows_of<T>() : 1;
}

/* One column; a.m > 0. */
template <class E, class T>
static void run_one(psb_dev_diagonals a, T alpha, const T *x, T beta, T *y, const E &end, cudaStream_t stream)
{
    const int rows = rows_per_thread<T>(a);
    a.stays = share_that_stays(a.moved);
    auto *kernel = rows > 1 ? hdia_csmv<rows_of<T>(), E, T> : hdia_csmv<1, E, T>;
    launch_early(kernel, blocks(a, rows), THREADS, stream, a, alpha, x, beta, y, end);
}

template <class T, class E>
static int fused_product(const psb_dev_diagonals &a, T alpha, const T *x, T beta, T *y,
                         const epilogue_of_c<E> &c, cudaStream_t stream)
{
    return with_epilogue(c, y, blocks(a, rows_per_thread<T>(a)), stream,
                         [&](const auto &t) { run_one(a, alpha, x, beta, y, t, stream); });
}

template <class T>
static int product(const psb_dev_diagonals &a, psb_ipk k, T alpha, const T *x, T beta, T *y,
                   cudaStream_t stream)
{
    if (a.m == 0 || k == 0)
        return cudaSuccess;
    if (k == 1)
        run_one(a, alpha, x, beta, y, no_epilogue<T>(), stream);
    else
        by_width(k, x, y, [&](auto w) {
            using W = decltype(w);
            const psb_epk n = W::shares(k) * a.m;
            launch_early(hdia_csmm<W::N, W::V, T>, (unsigned)((n + THREADS - 1) / THREADS), THREADS, stream,
                         a, k, alpha, x, beta, y);
        });
    return cudaGetLastError();
}

template <class K, class T>
constexpr K hdia_kernels()
{
    return product_and_fused<K>();
}
PSB_CUDA_TABLES(hdia_kernels)
