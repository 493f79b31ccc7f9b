/* epilogue.cuh -- cuda/kernels: writing a row of a product, and its epilogue in the same pass: a sum
 * of two vectors, and dot products, which are summed over the threads of a block and then, by a second
 * kernel, over the blocks, in an order that depends only on the launch configuration. */
#ifndef PSB_EPILOGUE_CUH
#define PSB_EPILOGUE_CUH
#include "dev_arrays.h"
#include "gpu_tuning.h"
#include "psb_cuda_device.h"
#include "psb_device.h"
#include "tables.cuh"
#include "lanes.cuh"
#include "load.cuh"
#include "overlap.cuh"
#include "steps.cuh"

/* The type in which conj(a) b is summed: one double if T is real, two if it is complex. */
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
    static __device__ __forceinline__ double stored(const double *from)
    {
        return from[0];
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
    static __device__ __forceinline__ pair<double> stored(const double *from)
    {
        return { from[0], from[1] };
    }
};

/* The empty epilogue.  `sums`: the partial sums of a thread.  KEEPS_SHARE: products with this epilogue keep a
 * share of the matrix in the second-level cache (load.cuh); with dot products they are slower if they do
 * (docs/decisions). */
template <class T>
struct no_epilogue {
    enum { KEEPS_SHARE = 1 };
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

/* What C gives for an epilogue: X(vec_epilogue), and 2 PSB_MOST_DOTS numbers for each block of threads. */
template <class E>
struct epilogue_of_c {
    const E &t;
    double *partial;
};

/* The epilogue with at most MOST dot products.  Each of the `blocks` blocks of threads stores its sums in
 * `partial`; the sums of one dot product are contiguous.  Each factor of a dot product is
 * y, z, or the array `left` or `right` (ELSEWHERE). */
template <class T, int MOST>
struct epilogue {
    using S = typename summed<T>::type;
    struct sums {
        S of[MOST];
    };
    enum { KEEPS_SHARE = 0 };
    enum { ELSEWHERE, IS_Y, IS_Z, IS_U };

    T gamma, delta, *z;
    const T *gamma_by, *delta_by; /* not used in fused products */
    const T *d, *from;
    T *u;
    bool drop;
    int ndots;
    const T *left[MOST], *right[MOST];
    unsigned char left_is[MOST], right_is[MOST];
    S *partial, *slice;
    psb_epk blocks;
    unsigned *arrived;
    double *sum;

    template <class E>
    epilogue(const epilogue_of_c<E> &c, const T *y, psb_epk blocks_)
        : gamma(on_gpu(c.t.gamma.value)), delta(on_gpu(c.t.delta.value)), z(on_gpu(c.t.z)),
          gamma_by(on_gpu(c.t.gamma.by)), delta_by(on_gpu(c.t.delta.by)), d(on_gpu(c.t.d)),
          from(c.t.from ? on_gpu(c.t.from) : y), u(on_gpu(c.t.u)), drop(c.t.drop), ndots(c.t.ndots), left(),
          right(), left_is(), right_is(), partial((S *)c.partial), slice((S *)psb_cudart_scratch()->slice),
          blocks(blocks_), arrived(psb_cudart_scratch()->arrived),
          sum(c.t.stay ? c.t.stay : psb_cudart_scratch()->sum)
    {
        for (int i = 0; i < ndots; i++) {
            left[i] = on_gpu(c.t.left[i]);
            right[i] = on_gpu(c.t.right[i]);
            left_is[i] = what(left[i], y);
            right_is[i] = what(right[i], y);
        }
    }

    unsigned char what(const T *factor, const T *y) const
    {
        return factor == y ? IS_Y : z && factor == z ? IS_Z : u && factor == u ? IS_U : ELSEWHERE;
    }

    /* f = elements i, i + step, ... of a factor of a dot product, those whose `mine` is set. */
    template <int N>
    static __device__ __forceinline__ void load(T (&f)[N], unsigned char is, const T *from, psb_epk i,
                                                int step, const bool (&mine)[N], const T (&v)[N],
                                                const T (&w)[N], const T (&by)[N])
    {
#pragma unroll
        for (int u = 0; u < N; u++)
            f[u] = is == IS_Y   ? v[u]
                   : is == IS_Z ? w[u]
                   : is == IS_U ? by[u]
                   : mine[u]    ? from[i + u * step]
                                : zero<T>();
    }

    /* Rows i, i + step, ... of y, z and the dot products; all loads are issued before the first result is
     * used. */
    template <int N>
    __device__ __forceinline__ void rows(T alpha, const T (&of)[N], T beta, T *y, psb_epk i, int step,
                                         const bool (&mine)[N], sums &s) const
    {
        T v[N], w[N], by[N], l[MOST][N], r[MOST][N];
        const bool old_y = !is_zero(beta), old_z = z && !is_zero(delta);
#pragma unroll
        for (int u = 0; u < N; u++) {
            v[u] = old_y && mine[u] ? from[i + u * step] : zero<T>();
            w[u] = old_z && mine[u] ? z[i + u * step] : zero<T>();
            by[u] = this->u && mine[u] ? d[i + u * step] : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < N; u++) {
            v[u] = old_y ? mad(beta, v[u], mul(alpha, of[u])) : mul(alpha, of[u]);
            w[u] = combined(gamma, v[u], delta, w[u]);
            by[u] = mul(by[u], z ? w[u] : v[u]);
        }
#pragma unroll
        for (int d = 0; d < MOST; d++)
            if (d < ndots) {
                load(l[d], left_is[d], left[d], i, step, mine, v, w, by);
                load(r[d], right_is[d], right[d], i, step, mine, v, w, by);
            }
#pragma unroll
        for (int u = 0; u < N; u++)
            if (mine[u]) {
                if (!drop)
                    y[i + u * step] = v[u];
                if (z)
                    z[i + u * step] = w[u];
                if (this->u)
                    this->u[i + u * step] = by[u];
#pragma unroll
                for (int d = 0; d < MOST; d++)
                    if (d < ndots)
                        s.of[d] = add(s.of[d], summed<T>::of(l[d][u], r[d][u]));
            }
    }

    __device__ __forceinline__ void row(T alpha, T of, T beta, T *y, psb_epk i, sums &s) const
    {
        rows<1>(alpha, { of }, beta, y, i, 0, { true }, s);
    }

    /* Store the sums of this block, number `place` of `blocks`.  All threads of the block must call this. */
    template <int THREADS>
    __device__ __forceinline__ void leave(const sums &s, psb_epk place) const
    {
        enum { WARPS = THREADS / 32 };
        __shared__ S all[WARPS][MOST];
        if (ndots == 0)
            return;
#pragma unroll
        for (int d = 0; d < MOST; d++)
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

template <class T>
using all_dots = epilogue<T, PSB_MOST_DOTS>;

/* Where the sums of dot products go: in two parts to `sum`, or to scalars, which the steps may use. */
template <class T, class Q>
struct results {
    double *sum;
    T *to[PSB_MOST_DOTS];
    Q steps;

    template <class S>
    __device__ __forceinline__ void store(S s, int i) const
    {
        if (to[0])
            *to[i] = as<T>::from(s);
        else
            summed<T>::store(s, sum + 2 * i);
    }
};

/* The sums of n blocks for each dot product, those of one dot product contiguous. */
template <class S>
struct block_sums {
    const S *of_block;
    psb_epk n;
};

/* Dot product blockIdx.y: the sum over the blocks of two kernels, of which the first may be none.  Each of
 * SUM_SLICES blocks sums a share of them and stores it in `slice`; the last block to arrive, of all dot
 * products, adds the slices, always in the same order, and resets `arrived` to 0. */
enum { SLICE_THREADS = 256 };

template <class T, class S, class Q>
static __global__ void __launch_bounds__(SLICE_THREADS)
    sum_of_blocks(block_sums<S> first, block_sums<S> last, S *slice, unsigned *arrived,
                  const __grid_constant__ results<T, Q> res)
{
    const psb_epk n = first.n + last.n, begin = n * blockIdx.x / SUM_SLICES,
                  end = n * (blockIdx.x + 1) / SUM_SLICES;
    let_next_start();
    await_previous();
    S s = zero<S>();
    first.of_block += blockIdx.y * first.n;
    last.of_block += blockIdx.y * last.n - first.n;
#pragma unroll 4
    for (psb_epk i = begin + threadIdx.x; i < end; i += SLICE_THREADS)
        s = add(s, i < first.n ? first.of_block[i] : last.of_block[i]);
    s = sum_threads<SLICE_THREADS>(s);
    if (threadIdx.x >= 32)
        return;
    bool is_last = false;
    if (threadIdx.x == 0) {
        slice[blockIdx.y * SUM_SLICES + blockIdx.x] = s;
        __threadfence();
        is_last = atomicAdd(arrived, 1) == gridDim.x * gridDim.y - 1;
    }
    if (!__shfl_sync(~0u, is_last, 0))
        return;
    __threadfence();
    __syncwarp();
    for (int d = 0; d < gridDim.y; d++) {
        s = zero<S>();
        for (int i = threadIdx.x; i < SUM_SLICES; i += 32)
            s = add(s, fresh(slice + d * SUM_SLICES + i));
        s = sum_lanes(s, 32);
        if (threadIdx.x == 0)
            res.store(s, d);
    }
    if (threadIdx.x == 0) {
        do_steps<T>(res.steps);
        *arrived = 0;
    }
}

/* Add the sums of `blocks` blocks for each dot product, or keep them for the call with the last part. */
template <class E, class T, int MOST>
static void add_blocks(const E &c, const epilogue<T, MOST> &t, psb_epk blocks, cudaStream_t stream)
{
    using S = typename summed<T>::type;
    using Q = decltype(c.steps);
    results<T, Q> res = { t.sum, {}, c.steps };
    block_sums<S> first = { nullptr, 0 };
    if (c.part == PSB_SUM_FIRST) {
        *c.kept = { t.partial, blocks };
        return;
    }
    if (c.part == PSB_SUM_LAST)
        first = { (const S *)c.kept->of_block, c.kept->blocks };
    for (int i = 0; i < t.ndots; i++)
        res.to[i] = on_gpu(c.to[i]);
    if (!res.to[0])
        res.steps.n = 0;
    launch_early(sum_of_blocks<T, S, Q>, dim3(SUM_SLICES, t.ndots), SLICE_THREADS, stream, first,
                 block_sums<S>{ t.partial, blocks }, t.slice, t.arrived, res);
}

/* launch(epilogue) launches kernels of `blocks` blocks in total; then the sums of these blocks are added.
 * Epilogues with at most one dot product, the most frequent ones, have kernels of their own, which need fewer
 * registers. */
template <int MOST, class E, class T, class F>
static int launch_with(const epilogue_of_c<E> &c, const T *y, psb_epk blocks, cudaStream_t stream, F launch)
{
    const epilogue<T, MOST> t(c, y, blocks);
    launch(t);
    if (t.ndots > 0)
        add_blocks(c.t, t, blocks, stream);
    return cudaGetLastError();
}

template <class E, class T, class F>
static int with_epilogue(const epilogue_of_c<E> &c, const T *y, psb_epk blocks, cudaStream_t stream, F launch)
{
    return c.t.ndots <= 1 ? launch_with<1>(c, y, blocks, stream, launch)
                          : launch_with<PSB_MOST_DOTS>(c, y, blocks, stream, launch);
}

/* Check `code`, returned by a launch, and wait for the sums of the dot products, if there are any and they do
 * not stay on the device. */
template <class E>
static psb_err read_sums(int code, const char *what, const E &t, double *sum)
{
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    const size_t bytes = 2 * (size_t)t.ndots * sizeof *sum;
    PSB_TRY(psb_cudart_ok(code, what));
    if (bytes == 0 || t.stay || t.to[0])
        return PSB_OK;
    PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, bytes, "scalar: fused dot products"));
    memcpy(sum, s->host, bytes);
    return PSB_OK;
}

/* The entry `fused` of a table: calls the function `fused_product` for A in CUDA, which returns a
 * cudaError_t. */
template <class A, class T, class E>
static psb_err fused(const A *a, T alpha, const T *x, T beta, T *y, const E *t, double *partial, double *sum)
{
    const epilogue_of_c<E> c = { *t, partial };
    return read_sums(fused_product(*a, on_gpu(alpha), on_gpu(x), on_gpu(beta), on_gpu(y), c, stream()),
                     "fused product", *t, sum);
}

/* The table of a format whose kernels are these two. */
template <class K>
constexpr K product_and_fused()
{
    K k = {};
    k.csmm = csmm;
    k.fused = fused;
    return k;
}
#endif
