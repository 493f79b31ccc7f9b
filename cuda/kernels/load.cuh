/* load.cuh -- cuda/kernels: loads from global memory with cache hints; the update of y at the end of
 * a row. */
#ifndef PSB_LOAD_CUH
#define PSB_LOAD_CUH
#include <string.h>
#include <type_traits>
#include "dev_arrays.h"
#include "gpu_tuning.h"
#include "overlap.cuh"
#include "scalar.cuh"

/* Unsigned words of the sizes that one load can have. */
template <int bytes>
struct word_of;
template <>
struct word_of<2> {
    using type = uint16_t;
};
template <>
struct word_of<4> {
    using type = unsigned;
};
template <>
struct word_of<8> {
    using type = uint2;
};
template <>
struct word_of<16> {
    using type = uint4;
};
template <class T>
using word = typename word_of<sizeof(T)>::type;

template <class T, class W>
__device__ __forceinline__ T from_word(W w)
{
    T v;
    memcpy(&v, &w, sizeof v);
    return v;
}

/* Load through the read-only cache.  A real number is loaded as a number: loaded as a word it needed a tenth
 * more registers. */
template <class T>
__device__ __forceinline__ T kept(const T *p)
{
    if constexpr (std::is_arithmetic<T>::value)
        return __ldg(p);
    else
        return from_word<T>(__ldg(reinterpret_cast<const word<T> *>(p)));
}

/* Load data that is used once: evicted first from the caches. */
template <class T>
__device__ __forceinline__ T once(const T *p)
{
    if constexpr (std::is_arithmetic<T>::value)
        return __ldcs(p);
    else
        return from_word<T>(__ldcs(reinterpret_cast<const word<T> *>(p)));
}

/* Load data that other blocks of this kernel wrote, past the first-level cache. */
template <class T>
__device__ __forceinline__ T fresh(const T *p)
{
    return from_word<T>(__ldcg(reinterpret_cast<const word<T> *>(p)));
}

/* The policy of loads of a matrix of which a share, 0 to 1, is to stay in the second-level cache from one
 * product to the next.  The rest is evicted first, because entries that are read once a product should
 * replace neither elements of x, which are read again in random order, nor that share.  PART: the share may
 * lie between 0 and 1; if not, only the two constant policies are compiled. */
template <bool PART>
__device__ __forceinline__ uint64_t policy_of(float share)
{
    uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
    if (share >= 1)
        asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
    else if (PART && share > 0)
        asm("createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 %0, %1;"
            : "=l"(policy)
            : "f"(share));
    else
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

/* The size in bytes of the second-level cache of the device in use. */
inline psb_epk cache_bytes()
{
    return gpu_attribute(cudaDevAttrL2CacheSize);
}

/* Does a matrix of nnz scalars T, with their columns in 32 bits, stay in the second-level cache?  Half of it
 * is left to vectors.  For fused products, in which all stays or nothing. */
template <class T>
bool stays_in_cache(psb_epk nnz)
{
    return nnz * (psb_epk)(sizeof(T) + sizeof(psb_ipk)) <= cache_bytes() / CACHE_FUSED;
}

/* The share of a matrix that should stay in the second-level cache: all of it if it and the vectors nearly
 * fit, else as much as fits in three tenths of the cache beside the vectors; but nothing if that is less than
 * a tenth of the matrix, since a part of it stays even if all is evicted first.  Measured: docs/decisions. */
inline float share_that_stays(const psb_moved &b)
{
    const double cache = (double)cache_bytes(), matrix = (double)b.matrix, vectors = (double)b.vectors;
    const double share = (CACHE_SHARE * cache - vectors) / matrix;
    return matrix + vectors <= CACHE_ALL * cache || share >= 1 ? 1 : share >= CACHE_LEAST ? (float)share : 0;
}

/* Load a word w with a policy through the first-level cache (L1), or past it.  The arguments of PSB_LOAD_TO:
 * the word's type, type and operands of the instruction, outputs. */
#if __CUDA_ARCH__ >= 800
/* clang-format off */
#define PSB_LD(l1, form, ...) \
    asm volatile("ld.global.nc" l1 ".L2::cache_hint." form : __VA_ARGS__ : "l"(p), "l"(policy))
#define PSB_LOAD_TO(W, ...) \
    template <bool L1> __device__ __forceinline__ void load_to(W &w, const W *p, uint64_t policy) \
    { if constexpr (L1) PSB_LD("", __VA_ARGS__); else PSB_LD(".L1::no_allocate", __VA_ARGS__); }
/* clang-format on */
PSB_LOAD_TO(uint16_t, "b16 %0, [%1], %2;", "=h"(w))
PSB_LOAD_TO(unsigned, "b32 %0, [%1], %2;", "=r"(w))
PSB_LOAD_TO(float, "f32 %0, [%1], %2;", "=f"(w))
PSB_LOAD_TO(double, "f64 %0, [%1], %2;", "=d"(w))
PSB_LOAD_TO(uint2, "v2.b32 {%0, %1}, [%2], %3;", "=r"(w.x), "=r"(w.y))
PSB_LOAD_TO(uint4, "v4.b32 {%0, %1, %2, %3}, [%4], %5;", "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w))
#undef PSB_LOAD_TO
#undef PSB_LD
#else
template <bool L1, class W>
__device__ __forceinline__ void load_to(W &w, const W *p, uint64_t)
{
    w = L1 ? __ldg(p) : __ldcs(p);
}
#endif

template <bool L1, class T>
__device__ __forceinline__ T load_with(uint64_t policy, const T *p)
{
    if constexpr (std::is_floating_point<T>::value) {
        T v;
        load_to<L1>(v, p, policy);
        return v;
    } else {
        word<T> w;
        load_to<L1>(w, reinterpret_cast<const word<T> *>(p), policy);
        return from_word<T>(w);
    }
}

/* Load through the read-only cache, into the second-level cache with the given policy. */
template <class T>
__device__ __forceinline__ T kept(const T *p, uint64_t policy)
{
    return load_with<true>(policy, p);
}

/* The same past the first-level cache. */
template <class T>
__device__ __forceinline__ T passing(const T *p, uint64_t policy)
{
    return load_with<false>(policy, p);
}

/* V consecutive scalars, read and written by one instruction if V * sizeof(T) is the size of a word. */
template <class T, int V>
struct alignas(V * sizeof(T)) vec {
    T v[V];
};

/* Scalars in 16 bytes, the widest load. */
template <class T>
constexpr int WIDEST = 16 / (int)sizeof(T);

/* Copy 16 bytes to shared memory, past registers and the first-level cache; arrived() waits for the copies of
 * this thread. */
__device__ __forceinline__ void fetch(uint4 *shared, const uint4 *global, uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(shared)), "l"(global), "l"(policy)
                 : "memory");
#else
    *shared = *global;
#endif
}

__device__ __forceinline__ void arrived()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* sum += v * x for N times V columns, of which only the first `left` exist. */
template <int N, int V, class T>
__device__ __forceinline__ void add_columns(T v, const T *x, int left, vec<T, V> (&sum)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (i * V < left) {
            const vec<T, V> w = kept(reinterpret_cast<const vec<T, V> *>(x + i * V));
#pragma unroll
            for (int c = 0; c < V; c++)
                sum[i].v[c] = mad(v, w.v[c], sum[i].v[c]);
        }
}

/* *y = alpha * sum + beta * *y; *y is not read if beta is 0. */
template <class T>
__device__ __forceinline__ void put(T alpha, T sum, T beta, T *y)
{
    sum = mul(alpha, sum);
    *y = is_zero(beta) ? sum : mad(beta, *y, sum);
}

template <class T, int V>
__device__ __forceinline__ void put(T alpha, vec<T, V> sum, T beta, T *y_)
{
    vec<T, V> *y = reinterpret_cast<vec<T, V> *>(y_), old;
    if (!is_zero(beta))
        old = *y;
#pragma unroll
    for (int i = 0; i < V; i++) {
        sum.v[i] = mul(alpha, sum.v[i]);
        if (!is_zero(beta))
            sum.v[i] = mad(beta, old.v[i], sum.v[i]);
    }
    *y = sum;
}

/* The same for N times V columns, of which only the first `left` exist. */
template <int N, int V, class T>
__device__ __forceinline__ void put_columns(T alpha, const vec<T, V> (&sum)[N], int left, T beta, T *y)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (i * V < left)
            put(alpha, sum[i], beta, y + i * V);
}

/* Replace each sum that is not finite by again(its column). */
template <int N, int V, class T, class F>
__device__ __forceinline__ void mend_columns(vec<T, V> (&sum)[N], int left, F again)
{
#pragma unroll
    for (int i = 0; i < N * V; i++)
        if (i < left && !is_finite(sum[i / V].v[i % V]))
            sum[i / V].v[i % V] = again(i);
}

/* Can x and y, k columns stored by rows, be read and written V elements at a time? */
template <int V, class T>
bool fits(psb_ipk k, const T *x, const T *y)
{
    return k % V == 0 && (uintptr_t)x % (V * sizeof(T)) == 0 && (uintptr_t)y % (V * sizeof(T)) == 0;
}

/* How k columns are divided: a thread computes N times V columns of a row. */
template <int N_, int V_>
struct width {
    enum { N = N_, V = V_ };
    /* threads for k columns */
    static psb_epk shares(psb_ipk k)
    {
        return ((psb_epk)k + N * V - 1) / (N * V);
    }
};

/* Call launch(width) for k columns: 16 or 32 bytes per thread if alignment allows loads of 16 bytes, else one
 * column. */
template <class T, class F>
void by_width(psb_ipk k, const T *x, const T *y, F launch)
{
    constexpr int V = WIDEST<T>;
    if (!fits<V>(k, x, y))
        launch(width<1, 1>());
    else if (k == V)
        launch(width<1, V>());
    else
        launch(width<2, V>());
}
#endif
