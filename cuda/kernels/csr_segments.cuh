/* csr_segments.cuh -- room: cuda/kernels.  Sums of the rows of a tile of CSR, in which every thread adds
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
 * LOADED neighbours at a time, of all entries of their warp.  After every 128 bytes there are 16 bytes of
 * padding, so that neither stores of neighbouring vectors nor loads of EACH products by each thread have bank
 * conflicts. */
template <class T>
struct segments {
    enum {
        THREADS = size<T>::THREADS,
        ROOM = PSB_TILE_ROOM(sizeof(T), PSB_TILES_SEGMENTED),
        EACH = PSB_TILE_SHARE(sizeof(T)),
        V = WIDEST<T>,
        VECTORS = EACH / V,
        LOADED = AT_ONCE<T>,
        LOADS = EACH / LOADED,
        WARPS = THREADS / 32,
        LINE = 128 / sizeof(T),
        SIZE = ROOM + ROOM / LINE * V
    };
    static __device__ __forceinline__ int place(int i)
    {
        return i + i / LINE * V;
    }
};

/* Store the products of the V entries from `first`, first + 32 V, ... on.  All loads of the matrix are issued
 * before the loads of x. */
template <class T>
static __device__ __forceinline__ void multiply_vectors(const tile<T> &t, const T *x, int first, T *all)
{
    using S = segments<T>;
    constexpr int V = S::LOADED, STEP = 32 * V;
    vec<psb_ipk, V> j[S::LOADS];
    vec<T, V> v[S::LOADS];
#pragma unroll
    for (int u = 0; u < S::LOADS; u++)
        if (first + u * STEP < t.end) {
            j[u] = passing(reinterpret_cast<const vec<psb_ipk, V> *>(t.ja + first + u * STEP), t.policy);
            v[u] = passing(reinterpret_cast<const vec<T, V> *>(t.val + first + u * STEP), t.policy);
        }
#pragma unroll
    for (int u = 0; u < S::LOADS; u++)
        if (first + u * STEP < t.end) {
#pragma unroll
            for (int c = 0; c < V; c++)
                v[u].v[c] = mul(v[u].v[c], kept(x + j[u].v[c]));
            *reinterpret_cast<vec<T, V> *>(all + S::place(first + u * STEP)) = v[u];
        }
}

/* Store the products of all entries that the threads of this warp add. */
template <class T>
static __device__ __forceinline__ void multiply_warp(const tile<T> &t, const T *x, T *all)
{
    using S = segments<T>;
    const int first = threadIdx.x / 32 * 32 * S::EACH + threadIdx.x % 32 * S::LOADED;
    if (t.whole)
        multiply_vectors(t, x, first, all);
    else
        for (int u = 0; u < S::EACH; u++) {
            const int i = first + u / S::LOADED * 32 * S::LOADED + u % S::LOADED;
            if (i >= t.skip && i < t.end)
                all[S::place(i)] = mul(t.val[i], x[t.ja[i]]);
        }
    __syncwarp();
}

/* The sums of a thread's products: before its first start, all of them if there is none; from its last start
 * on. */
template <class T>
struct open_sums {
    T before, from_last;
};

/* Add the products of this thread; starts: bit k says that a row starts with the k-th of them. */
template <class T>
static __device__ __forceinline__ open_sums<T> sum_own(T *all, unsigned starts, int last)
{
    using S = segments<T>;
    const int mine = threadIdx.x * S::EACH;
    open_sums<T> s = { zero<T>(), zero<T>() };
#pragma unroll
    for (int u = S::VECTORS - 1; u >= 0; u--) {
        const vec<T, S::V> p = *reinterpret_cast<const vec<T, S::V> *>(all + S::place(mine + u * S::V));
#pragma unroll
        for (int c = S::V - 1; c >= 0; c--) {
            const int k = u * S::V + c;
            s.before = add(s.before, p.v[c]);
            if (starts >> k & 1) {
                if (k == last)
                    s.from_last = s.before;
                else
                    all[S::place(mine + k)] = s.before;
                s.before = zero<T>();
            }
        }
    }
    return s;
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
    __shared__ uint4 before_[(S::WARPS * sizeof(T) + 15) / 16];
    __shared__ bool has_start[S::WARPS];
    T *before = reinterpret_cast<T *>(before_);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, last = 31 - __clz(starts);
    open_sums<T> s = sum_own(all, starts, last);
    const unsigned lanes = __ballot_sync(~0u, starts != 0), from_here = lanes >> lane;
    s.before = join_lanes(s.before, from_here, lane);
    if (lane == 0) {
        before[warp] = s.before;
        has_start[warp] = lanes != 0;
    }
    const T next = from_down(s.before, 1, 32);
    __syncthreads();
    if (starts) {
        if (lane < 31)
            s.from_last = add(s.from_last, next);
        for (int w = warp + 1; from_here >> 1 == 0 && w < S::WARPS; w++) {
            s.from_last = add(s.from_last, before[w]);
            if (has_start[w])
                break;
        }
        all[S::place(threadIdx.x * S::EACH + last)] = s.from_last;
    }
    __syncthreads();
}
#endif
