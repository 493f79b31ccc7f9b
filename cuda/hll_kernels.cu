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

/* --- columns, as they are and packed; they begin with those of a row ---------------------------------------
 */

namespace
{
struct plain {
    const psb_ipk *ja;
    psb_epk step;
    __device__ plain(const psb_hll_dev &a, psb_epk, psb_epk at) : ja(a.ja + at), step(a.rows)
    {
    }
    template <class L>
    __device__ void get(const L &load, int n, psb_ipk (&j)[AHEAD]) const
    {
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                j[u] = load.entry(ja + u * step);
    }
    __device__ void skip()
    {
        ja += AHEAD * step;
    }
};

/* A hack is a multiple of a warp, so threads of a warp read the same slots. */
struct packed {
    const psb_slot *slot;
    const unsigned char *bytes;
    unsigned rows, lane;
    __device__ packed(const psb_hll_dev &a, psb_epk r, psb_epk)
        : rows((unsigned)a.rows), lane((unsigned)r % (unsigned)a.rows)
    {
        const unsigned h = (unsigned)r / rows;
        slot = a.slot + a.off[h] / rows;
        bytes = a.bytes + a.start[h] * rows;
    }
    template <class L>
    __device__ void get(const L &load, int n, psb_ipk (&j)[AHEAD]) const
    {
        psb_slot s[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                s[u] = kept(slot + u);
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                j[u] = s[u].base + (psb_ipk)(lane + distance(load, s[u]));
    }
    template <class L>
    __device__ unsigned distance(const L &load, psb_slot s) const
    {
        const unsigned char *d = bytes + (psb_epk)(s.at_code >> 2) * rows;
        switch (s.at_code & 3) {
        case 0:
            return 0;
        case 1:
            return __ldg(d + lane);
        case 2:
            return __ldg(reinterpret_cast<const unsigned short *>(d) + lane);
        default:
            return load.entry(reinterpret_cast<const unsigned *>(d) + lane);
        }
    }
    __device__ void skip()
    {
        slot += AHEAD;
    }
};
} // namespace

/* n of up to AHEAD entries of a row, all loaded before the first is used, so that their latencies overlap;
 * others are not loaded, and not multiplied, so that padding touches nothing. */
template <class L, class C, class S, class T>
static __device__ __forceinline__ T add_entries(const L &load, const C &column, const S *val, psb_epk step,
                                                int n, const T *x, T sum)
{
    psb_ipk j[AHEAD];
    S v[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < n)
            v[u] = load.entry(val + u * step);
    column.get(load, n, j);
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < n)
            sum = mad(as<T>::from(v[u]), load.of_x(x + j[u]), sum);
    return sum;
}

/* C: plain or packed; S: what values are stored as. */
template <class L, class C, class S, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmv(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    if (r >= a.nrows)
        return;
    const L load;
    const psb_epk at = first_of(a, (psb_ipk)r), step = a.rows;
    C column(a, r, at);
    const S *val = (const S *)a.val + at;
    int n = a.irn[r];
    T sum = zero<T>();
    for (; n >= L::LEAST; n -= AHEAD, column.skip(), val += AHEAD * step)
        sum = add_entries(load, column, val, step, L::LEAST < AHEAD ? n : AHEAD, x, sum);
    sum = add_entries(load, column, val, step, n, x, sum);
    finish(alpha, sum, beta, y + (a.row ? a.row[r] : r));
}

/* k columns: a thread has N times V of a row, the threads of a row side by side. */
template <class C, class S, int N, int V, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmm(psb_hll_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, r = place / shares;
    if (r >= a.nrows)
        return;
    const together load;
    const int c = (int)(place % shares) * N * V;
    const psb_epk at = first_of(a, (psb_ipk)r), step = a.rows;
    C column(a, r, at);
    const S *val = (const S *)a.val + at;
    vec<T, V> sum[N] = {};
    for (int n = a.irn[r]; n > 0; n -= AHEAD, column.skip(), val += AHEAD * step) {
        psb_ipk j[AHEAD];
        S v[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                v[u] = kept(val + u * step);
        column.get(load, n, j);
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                add_columns<N, V>(as<T>::from(v[u]), x + (psb_epk)j[u] * k + c, k - c, sum);
    }
    y += (psb_epk)(a.row ? a.row[r] : r) * k + c;
#pragma unroll
    for (int i = 0; i < N; i++)
        if (c + i * V < k)
            finish(alpha, sum[i], beta, y + i * V);
}

static unsigned blocks(psb_epk n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

template <class C, class S, int N, int V, class T>
static void run_many(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    const psb_epk n = (psb_epk)a.nrows * ((k + N * V - 1) / (N * V));
    hll_csmm<C, S, N, V><<<blocks(n), THREADS, 0, stream>>>(a, k, alpha, x, beta, y);
}

template <class C, class S, class T>
static void run_as(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    constexpr int V = WIDEST<T>;
    if (k == 1 && a.scattered)
        hll_csmv<apart, C, S><<<blocks(a.nrows), THREADS, 0, stream>>>(a, alpha, x, beta, y);
    else if (k == 1)
        hll_csmv<together, C, S><<<blocks(a.nrows), THREADS, 0, stream>>>(a, alpha, x, beta, y);
    else if (!fits<V>(k, x, y))
        run_many<C, S, 1, 1>(a, k, alpha, x, beta, y, stream);
    else if (k == V)
        run_many<C, S, 1, V>(a, k, alpha, x, beta, y, stream);
    else
        run_many<C, S, 2, V>(a, k, alpha, x, beta, y, stream);
}

template <class T>
static int run(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (a.nrows == 0 || k == 0)
        return cudaSuccess;
    if (a.ja)
        run_as<plain, T>(a, k, alpha, x, beta, y, stream);
    else if (!a.narrow)
        run_as<packed, T>(a, k, alpha, x, beta, y, stream);
    else
        run_as<packed, narrow<T>>(a, k, alpha, x, beta, y, stream);
    return cudaGetLastError();
}

#define PSB_TEMPLATE "hll_doors.t.cuh"
#include "psb_each_type.h"
