/* tail.cuh -- room: cuda.  The end of a row of a product, and what follows it in the same pass: a sum of two
 * vectors, and dot products, whose parts are summed over a block of threads and then, by a second kernel,
 * over the blocks: in an order that depends on the launch alone. */
#ifndef PSB_TAIL_CUH
#define PSB_TAIL_CUH
#include "dev_arrays.h"
#include "lanes.cuh"
#include "load.cuh"

/* What conj(a) b is summed in: a number, or two. */
template <class T>
struct summed {
    using type = double;
    static __device__ __forceinline__ double of(T a, T b)
    {
        return dotted(a, b).re;
    }
    static __device__ __forceinline__ void store(double s, double *to)
    {
        to[0] = s;
        to[1] = 0;
    }
};
template <class R>
struct summed<pair<R>> {
    using type = pair<double>;
    static __device__ __forceinline__ pair<double> of(pair<R> a, pair<R> b)
    {
        return dotted(a, b);
    }
    static __device__ __forceinline__ void store(pair<double> s, double *to)
    {
        to[0] = s.re;
        to[1] = s.im;
    }
};

/* Nothing follows.  `sums` are a thread's; SUMS: there may be some. */
template <class T>
struct no_tail {
    enum { SUMS = 0 };
    struct sums {
    };
    __device__ __forceinline__ void row(T alpha, T sum, T beta, T *y, psb_epk i, sums &) const
    {
        put(alpha, sum, beta, y + i);
    }
    template <int N>
    __device__ __forceinline__ void rows(T alpha, const T (&of)[N], T beta, T *y, psb_epk i, int step,
                                         const bool (&mine)[N], sums &) const
    {
#pragma unroll
        for (int u = 0; u < N; u++)
            if (mine[u])
                put(alpha, of[u], beta, y + i + u * step);
    }
    template <int THREADS>
    __device__ __forceinline__ void leave(const sums &, psb_epk) const
    {
    }
};

/* As in psb_dev_tail; `blocks` of threads leave their sums, all of one product side by side.  A factor is y,
 * z, or lies where left or right says. */
template <class T>
struct tail {
    using S = typename summed<T>::type;
    struct sums {
        S of[PSB_MOST_DOTS];
    };
    enum { SUMS = 1 };
    enum { ELSEWHERE, IS_Y, IS_Z };

    T gamma, delta, *z;
    int ndots;
    const T *left[PSB_MOST_DOTS], *right[PSB_MOST_DOTS];
    unsigned char left_is[PSB_MOST_DOTS], right_is[PSB_MOST_DOTS];
    S *partial;
    psb_epk blocks;
    double *sum;

    tail(const psb_dev_tail &t, const T *y, psb_epk blocks_)
        : gamma(given<T>(t.gamma)), delta(given<T>(t.delta)), z((T *)t.z), ndots(t.ndots), left(), right(),
          left_is(), right_is(), partial((S *)t.partial), blocks(blocks_), sum(t.sum)
    {
        for (int d = 0; d < ndots; d++) {
            left[d] = (const T *)t.left[d];
            right[d] = (const T *)t.right[d];
            left_is[d] = what(left[d], y);
            right_is[d] = what(right[d], y);
        }
    }

    unsigned char what(const T *factor, const T *y) const
    {
        return factor == y ? IS_Y : z && factor == z ? IS_Z : ELSEWHERE;
    }

    /* f = elements i, i + step, ... of a factor, those that are `mine`. */
    template <int N>
    static __device__ __forceinline__ void load(T (&f)[N], unsigned char is, const T *from, psb_epk i,
                                                int step, const bool (&mine)[N], const T (&v)[N],
                                                const T (&w)[N])
    {
#pragma unroll
        for (int u = 0; u < N; u++)
            f[u] = is == IS_Y ? v[u] : is == IS_Z ? w[u] : mine[u] ? from[i + u * step] : zero<T>();
    }

    /* Rows i, i + step, ... of y, of z, of the products; all that is read is on its way before it is used. */
    template <int N>
    __device__ __forceinline__ void rows(T alpha, const T (&of)[N], T beta, T *y, psb_epk i, int step,
                                         const bool (&mine)[N], sums &s) const
    {
        T v[N], w[N], l[PSB_MOST_DOTS][N], r[PSB_MOST_DOTS][N];
        const bool old_y = !is_zero(beta), old_z = z && !is_zero(delta);
#pragma unroll
        for (int u = 0; u < N; u++) {
            v[u] = old_y && mine[u] ? y[i + u * step] : zero<T>();
            w[u] = old_z && mine[u] ? z[i + u * step] : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < N; u++) {
            v[u] = old_y ? mad(beta, v[u], mul(alpha, of[u])) : mul(alpha, of[u]);
            w[u] = combined(gamma, v[u], delta, w[u]);
        }
#pragma unroll
        for (int d = 0; d < PSB_MOST_DOTS; d++)
            if (d < ndots) {
                load(l[d], left_is[d], left[d], i, step, mine, v, w);
                load(r[d], right_is[d], right[d], i, step, mine, v, w);
            }
#pragma unroll
        for (int u = 0; u < N; u++)
            if (mine[u]) {
                y[i + u * step] = v[u];
                if (z)
                    z[i + u * step] = w[u];
#pragma unroll
                for (int d = 0; d < PSB_MOST_DOTS; d++)
                    if (d < ndots)
                        s.of[d] = add(s.of[d], summed<T>::of(l[d][u], r[d][u]));
            }
    }

    __device__ __forceinline__ void row(T alpha, T of, T beta, T *y, psb_epk i, sums &s) const
    {
        rows<1>(alpha, { of }, beta, y, i, 0, { true }, s);
    }

    /* All threads of the block, which is number `place` of `blocks`. */
    template <int THREADS>
    __device__ __forceinline__ void leave(const sums &s, psb_epk place) const
    {
        enum { WARPS = THREADS / 32 };
        __shared__ S all[WARPS][PSB_MOST_DOTS];
        if (ndots == 0)
            return;
#pragma unroll
        for (int d = 0; d < PSB_MOST_DOTS; d++)
            if (d < ndots) {
                const S of_warp = sum_lanes(s.of[d], 32);
                if (threadIdx.x % 32 == 0)
                    all[threadIdx.x / 32][d] = of_warp;
            }
        __syncthreads();
        if (threadIdx.x < ndots) {
            S of_block = all[0][threadIdx.x];
            for (int w = 1; w < WARPS; w++)
                of_block = add(of_block, all[w][threadIdx.x]);
            partial[threadIdx.x * blocks + place] = of_block;
        }
    }
};

/* Work of n pieces: a block does one, or, where blocks leave sums, one in as many as there are blocks, so
 * that it leaves them once: at the end of each piece a warp would wait for them. */
template <class E, class F>
static __device__ __forceinline__ void each_piece(psb_epk n, F work)
{
    if constexpr (E::SUMS)
        for (psb_epk i = blockIdx.x; i < n; i += gridDim.x)
            work(i);
    else
        work((psb_epk)blockIdx.x);
}

/* Blocks of a kernel with sums, for n pieces: as many as the GPU runs at once. */
template <class K>
static unsigned at_once(K *kernel, int threads, psb_epk n)
{
    int gpu = 0, each = 0, many = 0;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&many, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0);
    const psb_epk most = each > 0 ? (psb_epk)each * many : 1;
    return (unsigned)(n < most ? n : most);
}

/* Product blockIdx.x: the sum of what n blocks left. */
template <class T, class S>
static __global__ void __launch_bounds__(1024) sum_of_blocks(psb_epk n, const S *partial, double *sum)
{
    __shared__ S all[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    S s = zero<S>();
    partial += blockIdx.x * n;
#pragma unroll 8
    for (psb_epk i = threadIdx.x; i < n; i += 1024)
        s = add(s, partial[i]);
    s = sum_lanes(s, 32);
    if (lane == 0)
        all[warp] = s;
    __syncthreads();
    if (warp > 0)
        return;
    s = sum_lanes(all[lane], 32);
    if (lane == 0)
        summed<T>::store(s, sum + 2 * blockIdx.x);
}

/* Behind the kernels whose blocks left theirs. */
template <class T>
static int sum_up(const tail<T> &t, cudaStream_t stream)
{
    if (t.ndots > 0)
        sum_of_blocks<T><<<(unsigned)t.ndots, 1024, 0, stream>>>(t.blocks, t.partial, t.sum);
    return cudaGetLastError();
}
#endif
