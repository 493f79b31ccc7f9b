/* csr_segments.cuh -- cuda/kernels: sums of the rows of a tile of CSR, in which every thread adds
 * equally many products, however long the rows are.
 *
 * The bits of psb_csr_plan.h say where rows start.  The sum of a row is stored in the place of its first
 * product: a thread stores the sums of rows that end before its last start; to the sum from its last start on
 * it adds what the following lanes, and the following warps, have before their first start.  After Blelloch,
 * Heroux and Zagha, "Segmented operations for sparse matrix computation on vector multiprocessors",
 * CMU-CS-93-173, 1993. */
#ifndef PSB_CSR_SEGMENTS_CUH
#define PSB_CSR_SEGMENTS_CUH
#include "csr_tile.cuh"
#include "lanes.cuh"

/* The products of a tile in shared memory: EACH for a thread, which adds them in vectors of V; lanes multiply
 * V neighbours at a time, of all entries of their warp.  After every 128 bytes there are 16 bytes of
 * padding, so that neither stores of neighbouring vectors nor loads of EACH products by each thread have bank
 * conflicts.  Places are unsigned, so that those of a thread differ by constants. */
template <class T>
struct segments {
    enum {
        THREADS = size<T>::THREADS,
        CAPACITY = PSB_TILE_CAPACITY(sizeof(T), PSB_TILES_SEGMENTED),
        EACH = PSB_TILE_SHARE(sizeof(T)),
        V = WIDEST<T>,
        VECTORS = EACH / V,
        STEP = 32 * V,
        WARPS = THREADS / 32,
        LINE = 128 / sizeof(T),
        SIZE = CAPACITY + CAPACITY / LINE * V
    };
    static_assert(STEP % LINE == 0 && LINE % EACH == 0, "places of a thread differ by constants");
    static __device__ __forceinline__ constexpr unsigned place(unsigned i)
    {
        return i + i / LINE * V;
    }
    /* The place of the first product that this thread adds; the others follow. */
    static __device__ __forceinline__ unsigned mine()
    {
        return threadIdx.x * EACH + threadIdx.x * EACH / LINE * V;
    }
};

/* Store the products of V entries each from `first`, first + STEP, ... on.  All loads of the matrix are
 * issued before the loads of x.  ALL: all these entries are in the tile; else the last ones of the tile stand
 * for those after it. */
template <bool ALL, class C, class T>
static __device__ __forceinline__ void multiply_vectors(const tile<T> &t, const C *ja, const T *x,
                                                        unsigned first, T *all)
{
    using S = segments<T>;
    constexpr int V = S::V;
    const int most = (t.end - 1) / V * V - (int)first; /* from `first` to the last ones */
    const T *val = t.val + first;
    ja += first;
    vec<C, V> j[S::VECTORS];
    vec<T, V> v[S::VECTORS];
#pragma unroll
    for (int u = 0; u < S::VECTORS; u++) {
        const int i = ALL || u * S::STEP < most ? u * S::STEP : most;
        j[u] = passing(reinterpret_cast<const vec<C, V> *>(ja + i), t.policy);
        v[u] = passing(reinterpret_cast<const vec<T, V> *>(val + i), t.policy);
    }
#pragma unroll
    for (int u = 0; u < S::VECTORS; u++)
#pragma unroll
        for (int c = 0; c < V; c++)
            v[u].v[c] = mul(v[u].v[c], kept(x + j[u].v[c]));
    T *to = all + S::place(first);
#pragma unroll
    for (int u = 0; u < S::VECTORS; u++)
        *reinterpret_cast<vec<T, V> *>(to + S::place(u * S::STEP)) = v[u];
}

/* Store the products of all entries that the threads of this warp add; their columns are ja. */
template <class C, class T>
static __device__ __forceinline__ void multiply_entries(const tile<T> &t, const C *ja, const T *x, T *all)
{
    using S = segments<T>;
    const unsigned lane = threadIdx.x % 32, from = threadIdx.x / 32 * 32 * S::EACH, to = from + 32 * S::EACH;
    const unsigned end = t.end, first = from + lane * S::V;
    if (t.whole && to <= end)
        multiply_vectors<true>(t, ja, x, first, all);
    else if (t.whole && from < end)
        multiply_vectors<false>(t, ja, x, first, all);
    else
#pragma unroll 1
        for (unsigned i = from + lane; i < to && i < end; i += 32)
            if (i >= (unsigned)t.skip)
                all[S::place(i)] = mul(t.val[i], x[ja[i]]);
}

template <class T>
static __device__ __forceinline__ void multiply_warp(const tile<T> &t, const T *x, T *all)
{
    with_columns(t, x, 1, [&](auto *ja, const T *from) { multiply_entries(t, ja, from, all); });
    __syncwarp();
}

/* Add the products of this thread, in `own`; starts: bit k says that a row starts with the k-th of them.
 * There the sum from the start up to the next one, or to the last product, is stored.  Returns the sum before
 * the first start, of all products if there is none. */
template <class T>
static __device__ __forceinline__ T sum_own(T *own, unsigned starts)
{
    using S = segments<T>;
    vec<T, S::V> p[S::VECTORS], *at = reinterpret_cast<vec<T, S::V> *>(own);
    T sum = zero<T>();
#pragma unroll
    for (int u = 0; u < S::VECTORS; u++)
        p[u] = at[u];
#pragma unroll
    for (int k = S::EACH - 1; k >= 0; k--) {
        T &q = p[k / S::V].v[k % S::V];
        q = add(sum, q);
        sum = starts >> k & 1 ? zero<T>() : q;
    }
    if (starts)
#pragma unroll
        for (int u = 0; u < S::VECTORS; u++)
            at[u] = p[u];
    return sum;
}

/* The sum of `before` over this lane and the following ones up to the first that has a start, or to the last
 * lane; from_here: bit l says that the l-th lane from this one on has a start. */
template <class T>
static __device__ __forceinline__ T join_lanes(T before, unsigned from_here, int lane)
{
    const int last = from_here ? __ffs(from_here) - 1 : 31 - lane;
    for (int o = 1; o < 32 && __any_sync(~0u, o <= last); o *= 2) {
        const T next = from_down(before, o, 32);
        if (o <= last)
            before = add(before, next);
    }
    return before;
}

/* Sum the rows of the tile whose products are stored; all threads call this.  After it the sum of a row is in
 * the place of its first product. */
template <class T>
static __device__ __forceinline__ void sum_segments(T *all, unsigned starts)
{
    using S = segments<T>;
    __shared__ uint4 sums_[(S::WARPS * sizeof(T) + 15) / 16];
    __shared__ bool has_start[S::WARPS];
    T *sums = reinterpret_cast<T *>(sums_), *own = all + S::mine();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T before = sum_own(own, starts);
    const unsigned lanes = __ballot_sync(~0u, starts != 0), from_here = lanes >> lane;
    before = join_lanes(before, from_here, lane);
    if (lane == 0) {
        sums[warp] = before;
        has_start[warp] = lanes != 0;
    }
    T next = from_down(before, 1, 32);
    __syncthreads();
    if (starts) {
        next = lane < 31 ? next : zero<T>();
        for (int w = warp + 1; from_here >> 1 == 0 && w < S::WARPS; w++) {
            next = add(next, sums[w]);
            if (has_start[w])
                break;
        }
        T *last = own + (31 - __clz(starts));
        *last = add(*last, next);
    }
    __syncthreads();
}
#endif
