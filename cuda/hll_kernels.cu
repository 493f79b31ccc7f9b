/* hll_kernels.cu -- room: cuda.  y = alpha A x + beta y, A in HLL or ELL: a thread a row, so that a warp
 * reads consecutive entries of each stored column. */
#include "psb_names.h"
#include "doors.h"
#include "load.cuh"

enum { THREADS = 128, AHEAD = 4 };

/* Where the row of rank r begins. */
static __device__ __forceinline__ psb_epk first_of(const psb_hll_dev &a, psb_ipk r)
{
    return a.off ? a.off[(unsigned)r / (unsigned)a.rows] + (unsigned)r % (unsigned)a.rows : r;
}

/* What loads are like where a warp's columns lie together, and where they are scattered: there the matrix
 * makes room for x.  LEAST: entries that are worth a batch; where it is AHEAD the rest is a case of its own.
 */
namespace
{
struct together {
    enum { LEAST = AHEAD };
    __device__ together()
    {
    }
    template <class S>
    __device__ S entry(const S *p) const
    {
        return kept(p);
    }
    template <class S>
    __device__ S of_x(const S *p) const
    {
        return kept(p);
    }
};

struct apart {
    enum { LEAST = 1 };
    const uint64_t first = leaves_first(), last = leaves_last();
    template <class S>
    __device__ S entry(const S *p) const
    {
        return passing(p, first);
    }
    template <class S>
    __device__ S of_x(const S *p) const
    {
        return passing(p, last);
    }
};
} // namespace

/* n of up to AHEAD entries of a row, all loaded before the first is used, so that their latencies overlap;
 * others are not loaded, and not multiplied, so that padding touches nothing. */
template <class L, class T>
static __device__ __forceinline__ T add_entries(const L &load, const psb_ipk *ja, const T *val, psb_epk step,
                                                int n, const T *x, T sum)
{
    psb_ipk j[AHEAD];
    T v[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < n) {
            j[u] = load.entry(ja + u * step);
            v[u] = load.entry(val + u * step);
        }
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < n)
            sum = mad(v[u], load.of_x(x + j[u]), sum);
    return sum;
}

template <class L, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmv(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    if (r >= a.nrows)
        return;
    const L load;
    const psb_epk at = first_of(a, (psb_ipk)r), step = a.rows;
    const psb_ipk *ja = a.ja + at;
    const T *val = (const T *)a.val + at;
    int n = a.irn[r];
    T sum = zero<T>();
    for (; n >= L::LEAST; n -= AHEAD, ja += AHEAD * step, val += AHEAD * step)
        sum = add_entries(load, ja, val, step, L::LEAST < AHEAD ? n : AHEAD, x, sum);
    sum = add_entries(load, ja, val, step, n, x, sum);
    finish(alpha, sum, beta, y + (a.row ? a.row[r] : r));
}

/* k columns: a thread has N times V of a row, the threads of a row side by side. */
template <int N, int V, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmm(psb_hll_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk at = (psb_epk)blockIdx.x * THREADS + threadIdx.x, r = at / shares;
    if (r >= a.nrows)
        return;
    const int c = (int)(at % shares) * N * V, n = a.irn[r];
    const psb_epk first = first_of(a, (psb_ipk)r), step = a.rows;
    const psb_ipk *ja = a.ja + first;
    const T *val = (const T *)a.val + first;
    vec<T, V> sum[N] = {};
    for (int l = 0; l < n; l += AHEAD, ja += AHEAD * step, val += AHEAD * step) {
        psb_ipk j[AHEAD];
        T v[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (l + u < n) {
                j[u] = kept(ja + u * step);
                v[u] = kept(val + u * step);
            }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (l + u < n)
                add_columns<N, V>(v[u], x + (psb_epk)j[u] * k + c, k - c, sum);
    }
    y += (psb_epk)(a.row ? a.row[r] : r) * k + c;
#pragma unroll
    for (int i = 0; i < N; i++)
        if (c + i * V < k)
            finish(alpha, sum[i], beta, y + i * V);
}

template <int N, int V, class T>
static void run_many(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    const psb_epk n = (psb_epk)a.nrows * ((k + N * V - 1) / (N * V));
    hll_csmm<N, V><<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(a, k, alpha, x, beta, y);
}

template <class T>
static int run(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    constexpr int V = WIDEST<T>;
    if (a.nrows == 0 || k == 0)
        return cudaSuccess;
    if (k == 1)
        (a.scattered
             ? hll_csmv<apart, T>
             : hll_csmv<together,
                        T>)<<<(unsigned)((a.nrows + (psb_epk)THREADS - 1) / THREADS), THREADS, 0, stream>>>(
            a, alpha, x, beta, y);
    else if (!fits<V>(k, x, y))
        run_many<1, 1>(a, k, alpha, x, beta, y, stream);
    else if (k == V)
        run_many<1, V>(a, k, alpha, x, beta, y, stream);
    else
        run_many<2, V>(a, k, alpha, x, beta, y, stream);
    return cudaGetLastError();
}

#define PSB_TEMPLATE "hll_doors.t.cuh"
#include "psb_each_type.h"
