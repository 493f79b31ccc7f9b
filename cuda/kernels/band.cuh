/* band.cuh -- cuda/kernels: banded systems and sparse vectors: a thread eliminates a system with a right-hand
 * side from one of its ends, neighbouring threads neighbouring systems; or, of long systems, a part of one. */
#ifndef PSB_BAND_CUH
#define PSB_BAND_CUH
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "band_parts.h"
#include "grid.cuh"
#include "load.cuh"
#include "psb_vec_ops.h"
#include "rounded.cuh"
#include "tables.cuh"

namespace band
{
template <class R>
static __device__ __forceinline__ R over(R a, R b)
{
    return rounded::div(a, b);
}
template <class R>
static __device__ __forceinline__ pair<R> plain_over(pair<R> a, pair<R> b)
{
    const R square = rounded::add(rounded::mul(b.re, b.re), rounded::mul(b.im, b.im));
    return { rounded::div(rounded::add(rounded::mul(a.re, b.re), rounded::mul(a.im, b.im)), square),
             rounded::div(rounded::sub(rounded::mul(a.im, b.re), rounded::mul(a.re, b.im)), square) };
}
template <class R>
static __device__ __noinline__ pair<R> careful_over(pair<R> a, pair<R> b)
{
    constexpr int MOST = sizeof(R) == sizeof(float) ? 128 : 1024;
    const double re = fabs((double)b.re), im = fabs((double)b.im), most = re > im ? re : im;
    if (most > 0 && !isinf(most)) {
        int e;
        frexp(most, &e);
        const R unit = (R)ldexp(1.0, e > 2 - MOST ? -e : MOST - 2);
        a = { rounded::mul(a.re, unit), rounded::mul(a.im, unit) };
        b = { rounded::mul(b.re, unit), rounded::mul(b.im, unit) };
    }
    return plain_over(a, b);
}
template <class R>
static __device__ __noinline__ R careful_over(R a, R b)
{
    return rounded::div(a, b);
}
/* As band_is_moderate and band_over on the host. */
template <class R>
static __device__ __forceinline__ bool is_moderate(R a)
{
    constexpr R HIGH = sizeof(R) == sizeof(float) ? (R)0x1p32 : (R)0x1p256;
    const R most = fabs(a);
    return most == 0 || (most > 1 / HIGH && most < HIGH);
}
template <class R>
static __device__ __forceinline__ bool is_moderate(pair<R> a)
{
    const R re = fabs(a.re), im = fabs(a.im);
    return is_moderate(re > im ? re : im);
}
template <class R>
static __device__ __forceinline__ pair<R> over(pair<R> a, pair<R> b)
{
    return is_moderate(a) && is_moderate(b) ? plain_over(a, b) : careful_over(a, b);
}

template <class R>
static __device__ __forceinline__ R inverse(R a)
{
    return rounded::inverse(a);
}
template <class R>
static __device__ __forceinline__ pair<R> inverse(pair<R> a)
{
    const R by = rounded::inverse(rounded::add(rounded::mul(a.re, a.re), rounded::mul(a.im, a.im)));
    return { rounded::mul(a.re, by), -rounded::mul(a.im, by) };
}

template <class R>
static __device__ __forceinline__ R size(R a)
{
    return fabs(a);
}
template <class R>
static __device__ __forceinline__ R size(pair<R> a)
{
    return rounded::add((R)fabs(a.re), (R)fabs(a.im));
}

/* As band_logarithm on the host. */
static __device__ __forceinline__ int logarithm(float a)
{
    return __float_as_int(a) & INT32_MAX;
}
static __device__ __forceinline__ int logarithm(double a)
{
    return __double2hiint(a) & INT32_MAX;
}
template <class R>
static __device__ __forceinline__ int logarithm(pair<R> a)
{
    return max(logarithm(a.re), logarithm(a.im));
}

/* Copy an element to shared memory; arrived() waits for it. */
template <class T>
static __device__ __forceinline__ void fetch_element(T *shared, const T *global)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(shared)), "l"(global), "n"((int)sizeof(T))
                 : "memory");
#else
    *shared = *global;
#endif
}

#define BAND_EVERYWHERE static __device__ __forceinline__
#define BAND_ZERO       T()
template <class T>
struct elimination {
    BAND_EVERYWHERE T band_plus(T a, T b)
    {
        return rounded::add(a, b);
    }
    BAND_EVERYWHERE T band_minus(T a, T f, T b)
    {
        return rounded::sub(a, rounded::mul(f, b));
    }
    BAND_EVERYWHERE T band_over(T a, T b)
    {
        return over(a, b);
    }
    BAND_EVERYWHERE T band_careful_over(T a, T b)
    {
        return careful_over(a, b);
    }
    BAND_EVERYWHERE T band_inverse(T a)
    {
        return inverse(a);
    }
    BAND_EVERYWHERE bool band_is_moderate(T a)
    {
        return is_moderate(a);
    }
    BAND_EVERYWHERE real_of<T> band_size(T a)
    {
        return size(a);
    }
    BAND_EVERYWHERE bool band_is_zero(T a)
    {
        return is_zero(a);
    }
    BAND_EVERYWHERE T band_read(const T *p)
    {
        return kept(p);
    }
    BAND_EVERYWHERE int band_logarithm(T a)
    {
        return logarithm(a);
    }
    BAND_EVERYWHERE void band_ask(T *shared, const T *global)
    {
        fetch_element(shared, global);
    }
    /* The copies asked for since the last call are a group; all but the last BAND_RING - 1 groups arrive. */
    BAND_EVERYWHERE void band_asked()
    {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    }
    BAND_EVERYWHERE void band_arrived()
    {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_group %0;" : : "n"(BAND_RING - 1) : "memory");
#endif
    }
    BAND_EVERYWHERE T band_times(T a, T b)
    {
        return rounded::mul(a, b);
    }
    BAND_EVERYWHERE T band_conjugate(T a)
    {
        return conjugate(a);
    }
    BAND_EVERYWHERE T band_real(double a)
    {
        return from_real<T>((real_of<T>)a);
    }
    BAND_EVERYWHERE bool band_less(T a, T b)
    {
        return real(a) < real(b);
    }
#include "band_steps.h"
#include "part_steps.h"
#include "sparse_steps.h"
#include "strided_steps.h"
};

template <class T>
struct arrays {
    const T *diag[2 * PSB_MOST_WIDTH + 1];
    T *x, *u; /* u: element e of the triangle of system s is at e `systems` + s */
    unsigned long long *bad;
};

/* Constants that the compiler sees let the window of a thread be in registers. */
template <bool PIVOT, bool PERIODIC>
static __device__ __forceinline__ void fix(psb_band &b)
{
    b.pivot = PIVOT;
    b.periodic = PERIODIC;
}

template <class T>
static __device__ __forceinline__ void note_row(const psb_band &b, const arrays<T> &q, psb_epk pair,
                                                psb_epk row)
{
    if (row >= 0)
        atomicMin(q.bad, (unsigned long long)(pair % b.systems * b.n + row));
}

/* A block has threads for SIDE_SYSTEMS pairs of a system and a right-hand side, or less, and after them, for
 * their other ends if b has two sides, as many again. */
constexpr int SIDE_SYSTEMS = 32, SIDE_THREADS = 2 * SIDE_SYSTEMS;

/* Pairs from which on blocks of SIDE_SYSTEMS are as many as multiprocessors. */
constexpr int MANY_PAIRS = 8192;

template <class T>
using side_of = typename elimination<T>::band_side;

/* The side of a pair that this thread has, without its arrays u and v; ring: of the block. */
template <int W, bool PERIODIC, class T>
static __device__ __forceinline__ side_of<T> own_side(const psb_band &b, const arrays<T> &q, psb_epk pair,
                                                      int side, T *ring)
{
    const psb_epk at = pair % b.systems * b.system;
    const T *diag[2 * PSB_MOST_WIDTH + 1];
    for (int d = 0; d <= (PERIODIC ? W : 2 * W); d++)
        diag[d] = q.diag[d] + at;
    side_of<T> s = elimination<T>::band_side_of(&b, W, PERIODIC ? 0 : side, diag,
                                                q.x + at + pair / b.systems * b.rhs);
    s.ring = ring + threadIdx.x;
    s.ring_step = blockDim.x;
    return s;
}

/* Eliminate the unknowns of a side, and find those between the sides: `next` has them in its order.  All
 * threads of a block call it; those without a pair are not `there`. */
template <int W, bool PERIODIC, class T>
static __device__ __forceinline__ void to_middle(const psb_band &b, const arrays<T> &q, psb_epk pair,
                                                 bool there, int systems, T *ring, const side_of<T> &s,
                                                 T *next)
{
    using steps = elimination<T>;
    const bool two = !PERIODIC && systems < blockDim.x;
    if (there) {
        T a[steps::BAND_MOST + 1][2 * steps::BAND_MOST + 1], y[steps::BAND_MOST + 1];
        const psb_epk k = steps::band_down(&s, W, a, y);
        note_row(b, q, pair, k < 0 ? -1 : steps::band_number(&s, k));
        if (two)
            steps::band_put_rest(W, a, y, s.ring, s.ring_step);
    }
    __syncthreads();
    if constexpr (!PERIODIC)
        if (there && two) {
            T z[2 * W];
            const T *const top = ring + threadIdx.x % systems;
            const int bad = steps::band_meet(W, b.pivot, top, top + systems, blockDim.x, z);
            note_row(b, q, pair, bad < 0 || s.side ? -1 : s.rows + bad);
            steps::band_take_middle(&s, W, z, next);
        }
    __syncthreads();
}

/* The triangle and the right-hand side between are in shared memory: arrays are read once, and x written
 * once. */
template <int W, bool PIVOT, bool PERIODIC, class T>
static __global__ void __launch_bounds__(SIDE_THREADS)
    near(psb_band b, const __grid_constant__ arrays<T> q, int systems, int ring)
{
    extern __shared__ __align__(16) char shared[];
    using steps = elimination<T>;
    fix<PIVOT, PERIODIC>(b);
    const psb_epk pairs = (psb_epk)b.systems * b.nrhs;
    const int side = threadIdx.x / systems, keep = band_kept(W, PIVOT);
    for (psb_epk i = (psb_epk)blockIdx.x * systems; i < pairs; i += (psb_epk)gridDim.x * systems) {
        const psb_epk pair = i + threadIdx.x % systems;
        T next[2 * steps::BAND_MOST] = {};
        side_of<T> s = own_side<W, PERIODIC>(b, q, pair, side, (T *)shared);
        s.u = s.ring + ring * (int)blockDim.x;
        s.v = s.u + (int)s.rows * keep * (int)blockDim.x;
        s.u_step = s.v_step = blockDim.x;
        to_middle<W, PERIODIC>(b, q, pair, pair < pairs, systems, (T *)shared, s, next);
        if (pair < pairs)
            steps::band_up(&s, W, false, next);
    }
}

/* A side of which the triangle is in q.u, and the right-hand side in x. */
template <int W, bool PIVOT, bool PERIODIC, class T>
static __device__ __forceinline__ side_of<T> far_side(const psb_band &b, const arrays<T> &q, psb_epk pair,
                                                      int side, T *ring)
{
    side_of<T> s = own_side<W, PERIODIC>(b, q, pair, side, ring);
    s.u = q.u + (side ? band_rows_of(&b, W, 0) * band_kept(W, PIVOT) * b.systems : 0) + pair % b.systems;
    s.u_step = b.systems;
    s.v = s.x;
    s.v_step = s.b.row;
    return s;
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static __global__ void __launch_bounds__(SIDE_THREADS)
    down(psb_band b, const __grid_constant__ arrays<T> q, int systems)
{
    extern __shared__ __align__(16) char shared[];
    fix<PIVOT, PERIODIC>(b);
    const psb_epk pairs = (psb_epk)b.systems * b.nrhs;
    for (psb_epk i = (psb_epk)blockIdx.x * systems; i < pairs; i += (psb_epk)gridDim.x * systems) {
        const psb_epk pair = i + threadIdx.x % systems;
        T next[2 * elimination<T>::BAND_MOST];
        side_of<T> s = far_side<W, PIVOT, PERIODIC>(b, q, pair, threadIdx.x / systems, (T *)shared);
        if (pair >= b.systems)
            s.u = nullptr;
        to_middle<W, PERIODIC>(b, q, pair, pair < pairs, systems, (T *)shared, s, next);
    }
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static __global__ void __launch_bounds__(SIDE_THREADS)
    up(psb_band b, const __grid_constant__ arrays<T> q, int systems)
{
    extern __shared__ __align__(16) char shared[];
    fix<PIVOT, PERIODIC>(b);
    const psb_epk pairs = (psb_epk)b.systems * b.nrhs;
    for (psb_epk i = (psb_epk)blockIdx.x * systems; i < pairs; i += (psb_epk)gridDim.x * systems) {
        const psb_epk pair = i + threadIdx.x % systems;
        if (pair >= pairs)
            continue;
        T next[2 * elimination<T>::BAND_MOST] = {};
        const side_of<T> s = far_side<W, PIVOT, PERIODIC>(b, q, pair, threadIdx.x / systems, (T *)shared);
        for (int j = 0; !PERIODIC && blockDim.x > systems && j < 2 * W; j++)
            next[j] = s.x[(s.rows + j) * s.b.row];
        elimination<T>::band_up(&s, W, true, next);
    }
}

/* Elements of a ring; bytes of shared memory for a pair of which all is there, with elements of `size` bytes.
 */
static inline int ring_elements(const psb_band &b)
{
    return elimination<float>::BAND_RING * (2 * b.width + 2);
}

static inline psb_epk near_bytes(const psb_band &b, int size)
{
    const int w = band_width(&b);
    return size * band_sides(&b) * (ring_elements(b) + band_rows_of(&b, w, 1) * (band_kept(w, b.pivot) + 1));
}

/* The pairs of a block whose triangles are in shared memory, or 0 if too few fit to keep the memory busy.  As
 * many as possible, up to ENOUGH, are in a multiprocessor; those of a block have 64 neighbouring bytes at
 * least.  FEW: bytes of a row of the pairs, on all sides.  Systems whose neighbours are other systems are
 * slower so, unless they are tridiagonal and SHORT (measured from 64 to 512 rows). */
static inline int near_systems(const psb_band &b, int size)
{
    constexpr int ENOUGH = 128, FEW = 256, MOST_BLOCKS = 32, RESERVED = 1024, SHORT = 64;
    const psb_epk all = gpu_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const psb_epk block = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    psb_epk most = 0;
    int best = 0;
    if (b.row != 1 && (b.width > 1 || b.n > SHORT))
        return 0;
    for (int m = SIDE_SYSTEMS; m * size >= 64; m /= 2) {
        const psb_epk bytes = m * near_bytes(b, size);
        psb_epk fit = bytes > block ? 0 : all / (bytes + RESERVED);
        fit = m * (fit < MOST_BLOCKS ? fit : MOST_BLOCKS);
        fit = fit < ENOUGH ? fit : ENOUGH;
        if (fit > most) {
            most = fit;
            best = m;
        }
    }
    return most * band_sides(&b) * size >= FEW ? best : 0;
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static int launch(const psb_band &b, const arrays<T> &q)
{
    const psb_epk pairs = (psb_epk)b.systems * b.nrhs;
    const int sides = band_sides(&b), m = near_systems(b, sizeof(T));
    if (m > 0) {
        const int bytes = m * (int)near_bytes(b, sizeof(T));
        const auto kernel = near<W, PIVOT, PERIODIC, T>;
        int e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        e = e ? e
              : cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared);
        if (e != cudaSuccess)
            return e;
        kernel<<<blocks(pairs, m), m * sides, bytes, stream()>>>(b, q, m, ring_elements(b));
        return cudaGetLastError();
    }
    const int some = pairs < MANY_PAIRS ? SIDE_SYSTEMS / 4 : SIDE_SYSTEMS, threads = some * sides;
    const int keep = band_kept(W, PIVOT) + 1, row = keep > 2 * b.width + 2 ? keep : 2 * b.width + 2;
    const int many = blocks(pairs, some), ring = threads * elimination<T>::BAND_RING * row * (int)sizeof(T);
    int e = cudaFuncSetAttribute(down<W, PIVOT, PERIODIC, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 ring);
    e = e ? e
          : cudaFuncSetAttribute(up<W, PIVOT, PERIODIC, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 ring);
    if (e != cudaSuccess)
        return e;
    down<W, PIVOT, PERIODIC, T><<<many, threads, ring, stream()>>>(b, q, some);
    up<W, PIVOT, PERIODIC, T><<<many, threads, ring, stream()>>>(b, q, some);
    return cudaGetLastError();
}

template <int W, bool PERIODIC, class T>
static int start(const psb_band &b, const arrays<T> &q)
{
    return b.pivot ? launch<W, true, PERIODIC>(b, q) : launch<W, false, PERIODIC>(b, q);
}

/* --- long systems: see part_steps.h --------------------------------------------------------------------- */

/* Parts of a block of threads, one a thread.  A block of threads does all further levels of a pair if there
 * are few pairs and the level has few blocks: else launches cost more than they save. */
constexpr int PARTS = 32, PART_TILE = PARTS * PART_ROWS, FEW_PAIRS = 256, FEW_BLOCKS = 4096;

template <class T>
struct divided {
    band_parts p;
    const T *diag[3];
    T *x, *store;
    unsigned long long *bad;
};

template <class T>
static __device__ void note_pivot(const divided<T> &q, psb_epk pair, psb_epk row)
{
    if (row >= 0)
        atomicMin(q.bad, (unsigned long long)(pair % q.p.b.systems * q.p.b.n + row));
}

/* Row i of a system with diagonals diag and right-hand sides x, to t[0], t[PART_TILE], ... */
template <class T>
static __device__ __forceinline__ void fetch_row(const psb_band &b, const T *const *diag, const T *x,
                                                 psb_epk i, T *t)
{
    for (int d = 0; d < 3; d++)
        if (elimination<T>::part_is_beside(&b, i, d))
            t[d * PART_TILE] = T();
        else
            fetch_element(t + d * PART_TILE, diag[d] + i * b.row);
    fetch_element(t + 3 * PART_TILE, x + i * b.row);
}

/* Reduce parts to blocks of level 0, or, if KNOWN, solve them.  The rows pass through shared memory, where
 * those of a thread are neighbours; neighbouring threads read rows of one system, or of different ones. */
template <bool PIVOT, bool KNOWN, class T>
static __global__ void __launch_bounds__(PARTS) inner_rows(const __grid_constant__ divided<T> q)
{
    using steps = elimination<T>;
    __shared__ T tile[4 * PART_TILE];
    const band_parts &p = q.p;
    const psb_band &b = p.b;
    const int lane = threadIdx.x, by = p.across ? 1 : PARTS;
    const psb_epk parts = p.blocks[0], along = p.across ? p.pairs : parts,
                  tiles = (along + PARTS - 1) / PARTS;
    const psb_epk all = tiles * (p.across ? parts : p.pairs);
    T *const own = tile + lane * PART_ROWS, *const mine = p.across ? own : tile + lane;
    for (psb_epk i = blockIdx.x; i < all; i += gridDim.x) {
        const psb_epk near = i % tiles * PARTS + lane, far = i / tiles;
        const psb_epk pair = p.across ? near : far, k = p.across ? far : near;
        const psb_epk at = pair % b.systems * b.system, end = p.across && near >= along ? 0 : b.n;
        const psb_epk first = p.across ? k * PART_ROWS : i % tiles * PART_TILE + lane;
        const T *const diag[3] = { q.diag[0] + at, q.diag[1] + at, q.diag[2] + at };
        T *const x = q.x + (at + pair / b.systems * b.rhs);
#pragma unroll 4
        for (int e = 0; e < PART_ROWS; e++)
            if (first + e * by < end)
                fetch_row(b, diag, x, first + e * by, mine + e * by);
        arrived();
        __syncthreads();
        if (near < along) {
            const psb_epk left = b.n - k * PART_ROWS;
            const int m = left < PART_ROWS ? (int)left : PART_ROWS;
            if (KNOWN) {
                T ends[4];
                steps::part_ends(&p, 0, pair, k, q.store, ends);
                steps::part_solve(PIVOT, m, own, PART_TILE, ends);
            } else {
                T block[PART_BLOCK];
                const int bad = steps::part_reduce(PIVOT, m, own, PART_TILE, block);
                steps::part_put(&p, 0, pair, k, block, q.store);
                note_pivot(q, pair, bad < 0 ? -1 : k * PART_ROWS + bad);
            }
        }
        __syncthreads();
        for (int e = 0; KNOWN && e < PART_ROWS; e++)
            if (first + e * by < end)
                x[(first + e * by) * b.row] = mine[e * by + 3 * PART_TILE];
        __syncthreads();
    }
}

/* A thread joins a group of blocks of a level, or, if BACK, finds their unknowns. */
template <bool PIVOT, bool BACK, class T>
static __device__ __forceinline__ void join_group(const divided<T> &q, int level, psb_epk pair, psb_epk g)
{
    if (BACK)
        elimination<T>::part_back(&q.p, level, pair, g, q.store);
    else
        note_pivot(q, pair, elimination<T>::part_join(PIVOT, &q.p, level, pair, g, q.store));
}

template <bool PIVOT, bool BACK, class T>
static __global__ void __launch_bounds__(THREADS) join_level(const __grid_constant__ divided<T> q, int level)
{
    const psb_epk groups = q.p.blocks[level + 1], all = groups * q.p.pairs;
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < all; i += step)
        join_group<PIVOT, BACK>(q, level, q.p.across ? i % q.p.pairs : i / groups,
                                q.p.across ? i / q.p.pairs : i % groups);
}

/* A block of threads does the levels from `level` on of a pair; one thread the last one. */
template <bool PIVOT, class T>
static __global__ void __launch_bounds__(THREADS) join_rest(const __grid_constant__ divided<T> q, int level)
{
    const int top = q.p.levels - 1;
    for (psb_epk pair = blockIdx.x; pair < q.p.pairs; pair += gridDim.x) {
        for (int l = level; l < top; l++) {
            for (psb_epk g = threadIdx.x; g < q.p.blocks[l + 1]; g += THREADS)
                join_group<PIVOT, false>(q, l, pair, g);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            note_pivot(q, pair, elimination<T>::part_top(PIVOT, &q.p, pair, q.store));
        __syncthreads();
        for (int l = top - 1; l >= level; l--) {
            for (psb_epk g = threadIdx.x; g < q.p.blocks[l + 1]; g += THREADS)
                join_group<PIVOT, true>(q, l, pair, g);
            __syncthreads();
        }
    }
}

template <bool PIVOT, class T>
static int launch_parts(const divided<T> &q)
{
    const band_parts &p = q.p;
    const psb_epk along = p.across ? p.pairs : p.blocks[0], others = p.across ? p.blocks[0] : p.pairs;
    const int tiles = blocks((along + PARTS - 1) / PARTS * others, 1), top = p.levels - 1;
    int rest = 0;
    while (rest < top && (p.pairs > FEW_PAIRS || p.blocks[rest] > FEW_BLOCKS))
        rest++;
    const int some = rest < top ? THREADS : 32;
    inner_rows<PIVOT, false, T><<<tiles, PARTS, 0, stream()>>>(q);
    for (int l = 0; l < rest; l++)
        join_level<PIVOT, false, T>
            <<<blocks(p.blocks[l + 1] * p.pairs, THREADS), THREADS, 0, stream()>>>(q, l);
    join_rest<PIVOT, T><<<blocks(p.pairs, 1), some, 0, stream()>>>(q, rest);
    for (int l = rest - 1; l >= 0; l--)
        join_level<PIVOT, true, T>
            <<<blocks(p.blocks[l + 1] * p.pairs, THREADS), THREADS, 0, stream()>>>(q, l);
    inner_rows<PIVOT, true, T><<<tiles, PARTS, 0, stream()>>>(q);
    return cudaGetLastError();
}

template <class T>
static int solve_parts(const band_parts &p, const arrays<T> &q)
{
    const divided<T> parts = { p, { q.diag[0], q.diag[1], q.diag[2] }, q.x, q.u, q.bad };
    return p.b.pivot ? launch_parts<true>(parts) : launch_parts<false>(parts);
}

template <class T>
static int solve(const psb_band &b, const arrays<T> &q)
{
    if (b.periodic)
        return b.width == 1 ? start<2, true>(b, q) : start<4, true>(b, q);
    return b.width == 1 ? start<1, false>(b, q) : start<2, false>(b, q);
}

/* --- sparse vectors ------------------------------------------------------------------------------------ */

/* The element of the dense vector in place k; it is in range if it is below n. */
static __device__ __forceinline__ unsigned long long element_at(const psb_sparse &v, psb_epk k)
{
    return (unsigned long long)((psb_epk)v.idx[k] - v.base);
}

/* found[0]: the first index out of range; found[1] = 1 if indices do not ascend. */
static __global__ void __launch_bounds__(THREADS)
    find_wrong(const __grid_constant__ psb_sparse v, unsigned long long *found)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < v.nnz; k += step) {
        if (element_at(v, k) >= (unsigned long long)v.n)
            atomicMin(found, (unsigned long long)k);
        if (k > 0 && v.idx[k - 1] >= v.idx[k])
            found[1] = 1;
    }
}

/* last[i]: one of the places of element i. */
static __global__ void __launch_bounds__(THREADS)
    find_places(const __grid_constant__ psb_sparse v, psb_ipk *last)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < v.nnz; k += step)
        last[element_at(v, k)] = (psb_ipk)k;
}

/* found[1] = 1 if an element has several places. */
static __global__ void __launch_bounds__(THREADS)
    find_twice(const __grid_constant__ psb_sparse v, const psb_ipk *last, unsigned long long *found)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < v.nnz; k += step)
        if (last[element_at(v, k)] != k)
            found[1] = 1;
}

/* Without `last`: both numbers of `found`; with it the second one, of a list whose indices are in range. */
static int check(const psb_sparse &v, psb_ipk *last, unsigned long long *found)
{
    const int many = blocks(v.nnz, THREADS);
    int e = last ? cudaSuccess : cudaMemsetAsync(found, 0xff, sizeof *found, stream());
    if (e == cudaSuccess)
        e = cudaMemsetAsync(found + 1, 0, sizeof *found, stream());
    if (e != cudaSuccess)
        return e;
    if (last) {
        find_places<<<many, THREADS, 0, stream()>>>(v, last);
        find_twice<<<many, THREADS, 0, stream()>>>(v, last, found);
    } else
        find_wrong<<<many, THREADS, 0, stream()>>>(v, found);
    return cudaGetLastError();
}

/* What an operation reads and writes. */
static constexpr __host__ __device__ bool reads_dense(psb_sparse_kind kind)
{
    return kind != PSB_SV_SCATTER;
}
static constexpr __host__ __device__ bool writes_dense(psb_sparse_kind kind)
{
    return kind != PSB_SV_GATHER && kind != PSB_SV_CONJUGATES;
}
static constexpr __host__ __device__ bool reads_sparse(psb_sparse_kind kind)
{
    return kind == PSB_SV_SCATTER || kind == PSB_SV_ADD || kind == PSB_SV_ROTATE;
}
static constexpr __host__ __device__ bool writes_sparse(psb_sparse_kind kind)
{
    return !writes_dense(kind) || kind == PSB_SV_TAKE || kind == PSB_SV_ROTATE;
}

/* A thread loads BATCH elements before it uses one. */
constexpr int BATCH = 4;

template <psb_sparse_kind KIND, class T>
static __global__ void __launch_bounds__(THREADS)
    operate(psb_ipk n, int base, const psb_ipk *__restrict__ idx, T a, T s, T *val, T *y)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS * BATCH;
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS * BATCH + threadIdx.x; i < n; i += step) {
        psb_epk at[BATCH];
        T v[BATCH], w[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const psb_epk k = i + u * THREADS;
            at[u] = k < n && KIND != PSB_SV_SCALE ? (psb_epk)once(idx + k) - base : k;
            v[u] = k < n && reads_sparse(KIND) ? once(val + k) : T();
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            w[u] = i + u * THREADS < n && reads_dense(KIND) ? y[at[u]] : T();
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const psb_epk k = i + u * THREADS;
            elimination<T>::sparse_element(KIND, a, s, &v[u], &w[u]);
            if (k < n && writes_sparse(KIND))
                val[k] = v[u];
            if (k < n && writes_dense(KIND))
                y[at[u]] = w[u];
        }
    }
}

template <psb_sparse_kind KIND, class T>
static void start_on(psb_ipk n, int base, const psb_ipk *idx, T a, T s, T *val, T *y)
{
    operate<KIND><<<blocks(n, THREADS * BATCH), THREADS, 0, stream()>>>(n, base, idx, a, s, val, y);
}

/* By a warp: the first index of an ascending list that is at least `least`, or the number of indices. */
static __device__ psb_epk first_from(psb_epk least, psb_epk n, const psb_ipk *idx)
{
    psb_epk from = 0, to = n;
    while (from < to) {
        const psb_epk step = (to - from + 31) / 32, at = from + (threadIdx.x % 32 + 1) * step - 1;
        const psb_epk below = __popc(__ballot_sync(0xffffffff, at < to && idx[at] < least));
        const psb_epk end = from + (below + 1) * step - 1;
        from += below * step;
        to = end < to ? end : to;
    }
    return from;
}

/* y = s y, then y[idx[k] - base] += a val[k], of an ascending list: a block has a tile of y in shared
 * memory, 16 BATCH bytes a thread, and finds its part of the list. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    scale_and_add(psb_ipk n, psb_ipk len, int base, const psb_ipk *__restrict__ idx, T a, T s,
                  const T *__restrict__ val, T *y)
{
    constexpr int EACH = 16 * BATCH / (int)sizeof(T), TILE = THREADS * EACH;
    __shared__ T tile[TILE];
    __shared__ psb_epk bound[2];
    using steps = elimination<T>;
    for (psb_epk first = (psb_epk)blockIdx.x * TILE; first < len; first += (psb_epk)gridDim.x * TILE) {
        T *const own = y + first;
        const int many = (int)(len - first < TILE ? len - first : TILE);
        if (threadIdx.x < 64) {
            const psb_epk at = first_from(first + base + (threadIdx.x / 32 ? many : 0), n, idx);
            if (threadIdx.x % 32 == 0)
                bound[threadIdx.x / 32] = at;
        }
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            const int e = threadIdx.x + u * THREADS;
            tile[e] = e < many && !is_zero(s) ? steps::band_times(s, once(own + e)) : T();
        }
        __syncthreads();
        const psb_epk end = bound[1];
#pragma unroll 4
        for (psb_epk k = bound[0] + threadIdx.x; k < end; k += THREADS) {
            T *const to = tile + ((psb_epk)once(idx + k) - base - first);
            *to = steps::band_plus(*to, steps::band_times(a, once(val + k)));
        }
        __syncthreads();
        for (int e = threadIdx.x; e < many; e += THREADS)
            own[e] = tile[e];
        __syncthreads();
    }
}

template <class T>
static void start(psb_sparse_kind kind, psb_ipk n, psb_ipk len, int base, const psb_ipk *idx, T a, T s,
                  T *val, T *y)
{
    constexpr int TILE = 16 * BATCH / (int)sizeof(T) * THREADS;
    switch (kind) {
    case PSB_SV_GATHER:
        return start_on<PSB_SV_GATHER>(n, base, idx, a, s, val, y);
    case PSB_SV_CONJUGATES:
        return start_on<PSB_SV_CONJUGATES>(n, base, idx, a, s, val, y);
    case PSB_SV_TAKE:
        return start_on<PSB_SV_TAKE>(n, base, idx, a, s, val, y);
    case PSB_SV_SCATTER:
        return start_on<PSB_SV_SCATTER>(n, base, idx, a, s, val, y);
    case PSB_SV_ADD:
        return start_on<PSB_SV_ADD>(n, base, idx, a, s, val, y);
    case PSB_SV_SCALE:
        return start_on<PSB_SV_SCALE>(n, base, idx, a, s, val, y);
    case PSB_SV_ROTATE:
        return start_on<PSB_SV_ROTATE>(n, base, idx, a, s, val, y);
    case PSB_SV_SCALE_AND_ADD:
        scale_and_add<<<blocks(len, TILE), THREADS, 0, stream()>>>(n, len, base, idx, a, s, val, y);
    }
}
} // namespace band

namespace entry
{
/* found: of band::check, with an array of n places or 0. */
static psb_err sparse_look(const psb_sparse *v, size_t n, psb_epk found[2])
{
    constexpr size_t FIRST = 256; /* bytes before the places */
    static const char what[] = "places of a sparse vector";
    const size_t bytes = FIRST + n * sizeof(psb_ipk);
    char *own = nullptr;
    PSB_TRY(psb_device_take(&psb_device_cuda, (void **)&own, bytes, what));
    psb_err e = psb_cudart_ok(
        band::check(*v, n > 0 ? (psb_ipk *)(own + FIRST) : nullptr, (unsigned long long *)own), what);
    psb_epk got[2];
    PSB_THEN(e, psb_get(&psb_device_cuda, got, own, sizeof got, what));
    psb_device_give(&psb_device_cuda, own, bytes);
    if (e == PSB_OK && n == 0)
        found[0] = got[0];
    if (e == PSB_OK)
        found[1] = got[1];
    return e;
}

static psb_err sparse_check(const psb_sparse *v, bool distinct, psb_epk *wrong, psb_sparse_order *order)
{
    psb_epk found[2] = { -1, 0 };
    if (v->nnz > 0)
        PSB_TRY(sparse_look(v, 0, found));
    *wrong = found[0];
    *order = found[1] ? PSB_SV_ANY : PSB_SV_ASCENDING;
    if (!distinct || found[0] >= 0 || !found[1])
        return PSB_OK;
    PSB_TRY(sparse_look(v, (size_t)v->n, found));
    *order = found[1] ? PSB_SV_ANY : PSB_SV_DISTINCT;
    return PSB_OK;
}

/* S: X(vec_sparse) */
template <class T, class S>
static psb_err sparse(const S *q)
{
    if (q->n > 0)
        band::start(q->kind, q->n, q->len, q->base, q->idx, on_gpu(q->a), on_gpu(q->s), on_gpu(q->val),
                    on_gpu(q->y));
    return psb_cudart_ok(cudaGetLastError(), "sparse vectors");
}

template <class T>
static psb_err band(const psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    constexpr size_t FIRST = 256; /* bytes before the triangles */
    static const char what[] = "banded systems";
    const bool in_parts = band_has_parts(b);
    const size_t keep = (size_t)band_kept(band_width(b), b->pivot);
    band_parts p;
    band_divide(b, &p);
    const size_t elements = in_parts                            ? (size_t)p.len
                            : band::near_systems(*b, sizeof *x) ? 0
                                                                : (size_t)b->n * keep * (size_t)b->systems;
    const size_t bytes = FIRST + elements * sizeof *x;
    band::arrays<dev<T>> q = {};
    void *own = nullptr;
    PSB_TRY(psb_device_take(&psb_device_cuda, &own, bytes, what));
    for (int d = 0; d <= 2 * b->width; d++)
        q.diag[d] = on_gpu(diag[d]);
    q.x = on_gpu(x);
    q.u = (dev<T> *)((char *)own + FIRST);
    q.bad = (unsigned long long *)own;
    psb_err e = psb_cudart_ok(cudaMemsetAsync(q.bad, 0xff, sizeof *q.bad, stream()), what);
    PSB_THEN(e, psb_cudart_ok(in_parts ? band::solve_parts(p, q) : band::solve(*b, q), what));
    PSB_THEN(e, psb_get(&psb_device_cuda, bad, own, sizeof *bad, what));
    psb_device_give(&psb_device_cuda, own, bytes);
    return e;
}
} // namespace entry
#endif
