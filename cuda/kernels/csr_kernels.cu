/* csr_kernels.cu -- cuda/kernels: y = alpha A x + beta y, A in CSR, cut into tiles (psb_csr_plan.h): a
 * block copies the entries of a tile, or their products with x, to shared memory by coalesced loads, all
 * issued together, and sums its rows there. */
#include <atomic>
#include "add_rows.cuh"
#include "csr_tile.cuh"
#include "csr_segments.cuh"
#include "listed.cuh"
#include "overlap.cuh"
#include "vendor.h"

enum { WARP = 32 };

/* --- a tile ------------------------------------------------------------------------------------------- */

namespace
{
/* The entries of a tile in shared memory; i < n; C: the type of its columns. */
template <class C, class T>
struct entries {
    const C *ja;
    const T *val;
    const T *x;
    __device__ T add_to(T sum, int i) const
    {
        return mad(val[i], kept(x + ja[i]), sum);
    }
};

/* The products of a tile's entries in shared memory, padding after every 16, so that threads that read rows
 * whose lengths are a power of two use different banks. */
template <class T>
struct products {
    enum { CAPACITY = size<T>::SCATTERED_CAPACITY, SIZE = CAPACITY + CAPACITY / 16 * WIDEST<T> };
    const T *at;
    int skip;
    static __device__ int place(int i)
    {
        return i + i / 16 * WIDEST<T>;
    }
    __device__ T add_to(T sum, int i) const
    {
        return add(sum, at[place(i + skip)]);
    }
};
} // namespace

/* Copy n <= CAPACITY elements in words of 16 bytes; neighbouring threads copy neighbouring words. */
template <int THREADS, int CAPACITY, class T>
static __device__ __forceinline__ void fetch_all(uint4 *to, const T *from, int n, uint64_t policy)
{
    constexpr int EACH = 16 / sizeof(T);
    const uint4 *words = reinterpret_cast<const uint4 *>(from);
#pragma unroll
    for (int u = 0; u < CAPACITY / EACH / THREADS; u++) {
        const int i = u * THREADS + threadIdx.x;
        if (i * EACH < n)
            fetch(to + i, words + i, policy);
    }
}

/* Copy the tile's entries, with the columns `from`, to shared memory; `to` has space for CAPACITY of them. */
template <class C, class T>
static __device__ __forceinline__ entries<C, T> stage(const tile<T> &t, const C *from, const T *x, uint4 *to)
{
    constexpr int THREADS = size<T>::THREADS, CAPACITY = size<T>::CAPACITY;
    T *val = reinterpret_cast<T *>(to);
    C *ja = reinterpret_cast<C *>(val + CAPACITY);
    if (t.whole) {
        fetch_all<THREADS, CAPACITY>(reinterpret_cast<uint4 *>(ja), from, t.end, t.policy);
        fetch_all<THREADS, CAPACITY>(to, t.val, t.end, t.policy);
        arrived();
    } else
        for (int i = t.skip + threadIdx.x; i < t.end; i += THREADS) {
            ja[i] = from[i];
            val[i] = t.val[i];
        }
    __syncthreads();
    return { ja + t.skip, val + t.skip, x };
}

/* Store the products of the tile's entries with x in shared memory.  A thread issues all its loads of the
 * matrix before its loads of x. */
template <class T>
static __device__ __forceinline__ void multiply(const tile<T> &t, const T *x, T *all)
{
    using P = products<T>;
    constexpr int THREADS = size<T>::THREADS, EACH = P::CAPACITY / THREADS;
    psb_ipk j[EACH];
    T v[EACH];
    with_columns(t, x, 1, [&](auto *ja, const T *from) {
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            const int i = u * THREADS + threadIdx.x;
            if (i >= t.skip && i < t.end)
                j[u] = passing(ja + i, t.policy);
        }
        x = from;
    });
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int i = u * THREADS + threadIdx.x;
        if (i >= t.skip && i < t.end)
            v[u] = passing(t.val + i, t.policy);
    }
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int i = u * THREADS + threadIdx.x;
        if (i >= t.skip && i < t.end)
            all[P::place(i)] = mul(v[u], kept(x + j[u]));
    }
}

/* --- one column --------------------------------------------------------------------------------------- */

/* The sum of every `step`-th entry from i up to end; four are loaded at once. */
template <class T, class E>
static __device__ __forceinline__ T sum_entries(const E &e, int i, int end, int step)
{
    T sum = zero<T>();
    for (; i + 3 * step < end; i += 4 * step)
#pragma unroll
        for (int u = 0; u < 4; u++)
            sum = e.add_to(sum, i + u * step);
    for (; i < end; i += step)
        sum = e.add_to(sum, i);
    return sum;
}

template <class T, class E>
static __device__ __forceinline__ void sum_part(const E &e, int n, T *part)
{
    constexpr int THREADS = size<T>::THREADS;
    __shared__ uint4 sums_[THREADS / WARP * sizeof(T) / 16];
    T *sums = reinterpret_cast<T *>(sums_);
    T sum = sum_lanes(sum_entries<T>(e, threadIdx.x, n, THREADS), WARP);
    if (threadIdx.x % WARP == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < THREADS / WARP; i++)
        sum = add(sum, sums[i]);
    *part = sum;
}

/* The sums of the entries from, ... to - 1 of those lanes of a warp for which is_long holds, each by the
 * whole warp; `sum` for the others. */
template <class T, class E>
static __device__ __forceinline__ T sum_long(const E &e, bool is_long, int from, int to, T sum)
{
    const int mine = threadIdx.x % WARP;
    for (unsigned left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
        const int owner = __ffs(left) - 1;
        const int i = __shfl_sync(~0u, from, owner), end = __shfl_sync(~0u, to, owner);
        const T whole = sum_lanes(sum_entries<T>(e, i + mine, end, WARP), WARP);
        if (mine == owner)
            sum = whole;
    }
    return sum;
}

/* Each row has as many lanes as there are threads for, a power of two; a row of more than CSR_LONG_ROW
 * entries per lane is summed by a whole warp. */
template <class T, class E, class F>
static __device__ __forceinline__ void sum_rows(const psb_csr_dev &a, const tile<T> &t, const E &e, T alpha,
                                                T beta, T *y, const F &end, typename F::sums &s)
{
    const int share = size<T>::THREADS / t.rows, lanes = share >= WARP ? WARP : 1 << (31 - __clz(share));
    const int r = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    int from = 0, to = 0;
    if (r < t.rows)
        to = row_of(a, t, r, &from);
    const bool is_long = to - from > CSR_LONG_ROW * lanes && lanes < WARP;
    T sum = zero<T>();
    if (!is_long)
        sum = sum_entries<T>(e, from + lane, to, lanes);
    sum = sum_long(e, is_long && lane == 0, from, to, sum_lanes(sum, lanes));
    if (r < t.rows && lane == 0)
        end.row(alpha, sum, beta, y, t.row + r, s);
}

/* F: the epilogue, for rows that this tile completes. */
template <class T, class E, class F>
static __device__ __forceinline__ void sum_tile(const psb_csr_dev &a, const tile<T> &t, const E &e, T alpha,
                                                T beta, T *y, const F &end, typename F::sums &s)
{
    if (t.part >= 0)
        sum_part(e, t.n, (T *)a.part + t.part);
    else
        sum_rows(a, t, e, alpha, beta, y, end, s);
}

/* For matrices whose neighbouring rows have nearby columns: threads read x row by row, in storage order. */
template <class F, class T>
static __global__ void __launch_bounds__(size<T>::THREADS)
    csr_csmv(psb_csr_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
             const __grid_constant__ F end)
{
    __shared__ uint4 shared[size<T>::CAPACITY * (sizeof(T) + sizeof(psb_ipk)) / 16];
    start_in_order();
    const tile<T> t = tile_of<T, F::KEEPS_SHARE>(a, blockIdx.x);
    typename F::sums s = {};
    with_columns(t, x, 1, [&](auto *ja, const T *from) {
        sum_tile(a, t, stage(t, ja, from, shared), alpha, beta, y, end, s);
    });
    end.template leave<size<T>::THREADS>(s, blockIdx.x);
}

/* For scattered columns and rows alike in length, if values have 16 bytes: all threads load x at once. */
template <class F, class T>
static __global__ void __launch_bounds__(size<T>::THREADS)
    csr_csmv_scattered(psb_csr_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
                       const __grid_constant__ F end)
{
    __shared__ uint4 shared[products<T>::SIZE * sizeof(T) / 16];
    T *all = reinterpret_cast<T *>(shared);
    const psb_epk from = (psb_epk)blockIdx.x * CSR_TILES_OF_BLOCK, to = from + CSR_TILES_OF_BLOCK;
    start_in_order();
    typename F::sums s = {};
    for (psb_epk i = from; i < to && i < a.ntiles; i++) {
        const tile<T> t = tile_of<T, F::KEEPS_SHARE>(a, i);
        multiply(t, x, all);
        __syncthreads();
        sum_tile(a, t, products<T>{ all, t.skip }, alpha, beta, y, end, s);
        __syncthreads();
    }
    end.template leave<size<T>::THREADS>(s, blockIdx.x);
}

/* Blocks of the segmented kernel on a multiprocessor. */
template <class F, class T>
constexpr int RESIDENT = CSR_BLOCKS(sizeof(T), !std::is_arithmetic<T>::value,
                                    (std::is_same<F, no_epilogue<T>>::value));

/* For short rows, scattered columns, and rows of unlike length; if values have 4 bytes, for all matrices. */
template <class F, class T>
static __global__ void __launch_bounds__(size<T>::THREADS, RESIDENT<F, T>)
    csr_csmv_segmented(psb_csr_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
                       const __grid_constant__ F end)
{
    constexpr int THREADS = size<T>::THREADS;
    __shared__ uint4 shared[segments<T>::SIZE * sizeof(T) / 16];
    start_in_order();
    T *all = reinterpret_cast<T *>(shared);
    const tile<T> t = tile_of<T, F::KEEPS_SHARE>(a, blockIdx.x);
    const unsigned starts = a.starts[(psb_epk)blockIdx.x * THREADS + threadIdx.x];
    typename F::sums s = {};
    multiply_warp(t, x, all);
    int r = threadIdx.x, from = 0, to = r < t.rows ? row_of(a, t, r, &from) : 0; /* known when sums are */
    sum_segments(all, starts);
    if (t.part >= 0 && threadIdx.x == 0)
        ((T *)a.part)[t.part] = all[t.skip];
    while (r < t.rows && t.part < 0) {
        const T sum = to > from ? all[segments<T>::place(from + t.skip)] : zero<T>();
        end.row(alpha, sum, beta, y, t.row + r, s);
        r += THREADS;
        to = r < t.rows ? row_of(a, t, r, &from) : 0;
    }
    end.template leave<THREADS>(s, blockIdx.x);
}

/* --- several columns ---------------------------------------------------------------------------------- */

/* k sums of the entries from, ... to - 1 of a row; sums: shared memory, an element for each thread.  Threads
 * form groups: a thread of a group computes V columns, and group g sums every groups-th entry from the g-th
 * on.  store(c, sum): the sums of columns c .. c + V - 1. */
template <int V, class C, class T, class F>
static __device__ __forceinline__ void sum_together(const entries<C, T> &e, int from, int to, psb_ipk k,
                                                    vec<T, V> *sums, const F &store)
{
    constexpr int THREADS = size<T>::THREADS;
    const int shares = k / V, lanes = shares < THREADS ? shares : THREADS, groups = THREADS / lanes;
    const int group = threadIdx.x / lanes;
    for (int begin = 0; begin < shares; begin += lanes) {
        const int c = (begin + (int)threadIdx.x % lanes) * V;
        const bool mine = c < k && group < groups;
        vec<T, V> sum[1] = {};
#pragma unroll 4
        for (int i = mine ? from + group : to; i < to; i += groups)
            add_columns<1, V>(e.val[i], e.x + (psb_epk)e.ja[i] * k + c, V, sum);
        __syncthreads();
        sums[threadIdx.x] = sum[0];
        __syncthreads();
        if (mine && group == 0) {
            for (int g = 1; g < groups; g++)
                for (int i = 0; i < V; i++)
                    sum[0].v[i] = add(sum[0].v[i], sums[threadIdx.x + g * lanes].v[i]);
            store(c, sum[0]);
        }
    }
}

/* A thread computes V columns of a row; the threads of a row are consecutive.  Long rows are summed by all
 * threads together; sums: as in sum_together. */
template <int V, class C, class T>
static __device__ __forceinline__ void sum_many(const psb_csr_dev &a, const tile<T> &t,
                                                const entries<C, T> &e, psb_ipk k, T alpha, T beta, T *y,
                                                vec<T, V> *sums)
{
    __shared__ int nlong, long_row[size<T>::CAPACITY / CSR_SHARED_ROW];
    const int shares = k / V;
    if (threadIdx.x == 0)
        nlong = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < t.rows * shares; i += size<T>::THREADS) {
        const int r = i / shares, c = i % shares * V;
        int l, end = row_of(a, t, r, &l);
        if (end - l > CSR_SHARED_ROW) {
            if (c == 0)
                long_row[atomicAdd(&nlong, 1)] = r;
            continue;
        }
        vec<T, V> sum[1] = {};
#pragma unroll 4
        for (; l < end; l++)
            add_columns<1, V>(e.val[l], e.x + (psb_epk)e.ja[l] * k + c, V, sum);
        put(alpha, sum[0], beta, y + (psb_epk)(t.row + r) * k + c);
    }
    __syncthreads();
    for (int n = 0; n < nlong; n++) {
        int l, end = row_of(a, t, long_row[n], &l);
        T *const to = y + (psb_epk)(t.row + long_row[n]) * k;
        sum_together<V>(e, l, end, k, sums,
                        [&](int c, const vec<T, V> &sum) { put(alpha, sum, beta, to + c); });
    }
}

template <int V, class T>
static __global__ void __launch_bounds__(size<T>::THREADS)
    csr_csmm(psb_csr_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    __shared__ uint4 shared[size<T>::CAPACITY * (sizeof(T) + sizeof(psb_ipk)) / 16];
    __shared__ vec<T, V> sums[size<T>::THREADS];
    start_in_order();
    const tile<T> t = tile_of<T, false>(a, blockIdx.x);
    with_columns(t, x, k, [&](auto *ja, const T *from) {
        const auto e = stage(t, ja, from, shared);
        if (t.part >= 0) {
            T *const to = (T *)a.part + (psb_epk)t.part * k;
            sum_together<V>(e, 0, t.n, k, sums, [&](int c, const vec<T, V> &sum) {
                *reinterpret_cast<vec<T, V> *>(to + c) = sum;
            });
        } else
            sum_many<V>(a, t, e, k, alpha, beta, y, sums);
    });
}

/* --- long rows ---------------------------------------------------------------------------------------- */

/* The parts of split rows, in global memory. */
namespace
{
template <class T>
struct parts {
    const T *at;
    __device__ T add_to(T sum, int i) const
    {
        return add(sum, at[i]);
    }
};
} // namespace

/* Add the parts of split rows; CSR_SPLIT_LANES lanes have a row.  `before` blocks have summed tiles. */
template <class F, class T>
static __global__ void __launch_bounds__(CSR_SPLIT_THREADS)
    sum_split(psb_csr_dev a, T alpha, T beta, T *__restrict__ y, psb_epk before,
              const __grid_constant__ F end)
{
    const psb_epk i = ((psb_epk)blockIdx.x * CSR_SPLIT_THREADS + threadIdx.x) / CSR_SPLIT_LANES;
    start_in_order();
    const psb_split q = i < a.nsplit ? a.split[i] : psb_split{ 0, 0, 0 };
    typename F::sums s = {};
    const parts<T> all = { (const T *)a.part };
    const int lane = threadIdx.x % CSR_SPLIT_LANES;
    const bool is_long = q.to - q.from > CSR_LONG_ROW * CSR_SPLIT_LANES;
    T sum = zero<T>();
    if (!is_long)
        sum = sum_entries<T>(all, q.from + lane, q.to, CSR_SPLIT_LANES);
    sum = sum_long(all, is_long && lane == 0, q.from, q.to, sum_lanes(sum, CSR_SPLIT_LANES));
    if (i < a.nsplit && lane == 0)
        end.row(alpha, sum, beta, y, q.row, s);
    end.template leave<CSR_SPLIT_THREADS>(s, before + blockIdx.x);
}

/* The same for k columns, one thread per column. */
template <class T>
static __global__ void __launch_bounds__(WARP)
    sum_splits(psb_csr_dev a, psb_ipk k, T alpha, T beta, T *__restrict__ y)
{
    start_in_order();
    const psb_split q = a.split[blockIdx.x];
    const T *part = (const T *)a.part;
    T sum = zero<T>();
    y += (psb_epk)q.row * k;
    for (int c = threadIdx.x; c < k; c += WARP, sum = zero<T>()) {
        for (psb_epk i = q.from; i < q.to; i++)
            sum = add(sum, part[i * k + c]);
        put(alpha, sum, beta, y + c);
    }
}

/* The kernel for one column. */
template <class F, class T>
static auto kernel_of(enum psb_tiling tiling)
{
    auto *kernel = csr_csmv_segmented<F, T>;
    if constexpr (sizeof(T) > 4)
        if (tiling == PSB_TILES_COALESCED)
            kernel = csr_csmv<F, T>;
    if constexpr (sizeof(T) == 16)
        if (tiling == PSB_TILES_SCATTERED)
            kernel = csr_csmv_scattered<F, T>;
    return kernel;
}

/* Blocks of its grid, and of that of sum_split. */
static psb_epk blocks_of(const psb_csr_dev &a)
{
    return a.tiling == PSB_TILES_SCATTERED ? (a.ntiles + CSR_TILES_OF_BLOCK - 1) / CSR_TILES_OF_BLOCK
                                           : a.ntiles;
}
static psb_epk split_blocks_of(const psb_csr_dev &a)
{
    return ((psb_epk)a.nsplit * CSR_SPLIT_LANES + CSR_SPLIT_THREADS - 1) / CSR_SPLIT_THREADS;
}

/* Ask for so little shared memory, 64 KB, that more of the cache is left for x than the driver would leave;
 * or leave the choice to the driver (docs/decisions). */
template <class F>
static void split_cache(bool spread)
{
    static std::atomic<bool> is_small(false);
    if (is_small.exchange(spread) != spread)
        cudaFuncSetAttribute(csr_csmv_segmented<F, float>, cudaFuncAttributePreferredSharedMemoryCarveout,
                             spread ? (int)CSR_CARVEOUT : (int)cudaSharedmemCarveoutDefault);
}

/* A large product that starts early is slower, CG in lap7 200^3 by 2 %; it is supposed that blocks of the
 * kernel before it, which use no shared memory, still run where the cache must be divided anew. */
template <class T>
static bool starts_early(psb_epk blocks)
{
    return blocks * size<T>::THREADS <= 2 * resident_threads();
}

/* One column; a.ntiles > 0. */
template <class F, class T>
static void run_one(psb_csr_dev a, T alpha, const T *x, T beta, T *y, const F &end, cudaStream_t stream)
{
    const psb_epk blocks = blocks_of(a);
    a.stays = F::KEEPS_SHARE ? share_that_stays(a.moved) : stays_in_cache<T>(a.nnz);
    if constexpr (sizeof(T) == 4)
        split_cache<F>(a.spread);
    auto *kernel = kernel_of<F, T>(a.tiling);
    launch(starts_early<T>(blocks), kernel, (unsigned)blocks, size<T>::THREADS, stream, a, alpha, x, beta, y,
           end);
    if (a.nsplit > 0)
        launch_early(sum_split<F, T>, (unsigned)split_blocks_of(a), CSR_SPLIT_THREADS, stream, a, alpha, beta,
                     y, blocks, end);
}

template <class T, class E>
static int fused_product(const psb_csr_dev &a, T alpha, const T *x, T beta, T *y, const epilogue_of_c<E> &c,
                         cudaStream_t stream)
{
    return with_epilogue(c, y, blocks_of(a) + split_blocks_of(a), stream,
                         [&](const auto &t) { run_one(a, alpha, x, beta, y, t, stream); });
}

template <class T>
static int product(const psb_csr_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    constexpr int V = WIDEST<T>;
    const unsigned tiles = (unsigned)a.ntiles;
    if (tiles == 0 || k == 0)
        return cudaSuccess;
    if (k == 1)
        run_one(a, alpha, x, beta, y, no_epilogue<T>(), stream);
    else if (fits<V>(k, x, y))
        launch_early(csr_csmm<V, T>, tiles, size<T>::THREADS, stream, a, k, alpha, x, beta, y);
    else
        launch_early(csr_csmm<1, T>, tiles, size<T>::THREADS, stream, a, k, alpha, x, beta, y);
    if (a.nsplit > 0 && k > 1)
        launch_early(sum_splits<T>, (unsigned)a.nsplit, WARP, stream, a, k, alpha, beta, y);
    return cudaGetLastError();
}

/* The entry `add`; t: NULL or X(vec_epilogue). */
template <class T, class E>
static psb_err add_product(const psb_csr_dev *a, T alpha, const T *x, const psb_ipk *rows, T *y, const E *t,
                           double *partial)
{
    using D = dev<T>;
    const auto run = [&](const auto &end) {
        if (a->ntiles > 0) /* no beta */
            run_one(*a, on_gpu(alpha), on_gpu(x), on_gpu(alpha), on_gpu(y), end, stream());
    };
    if (!t) {
        run(add_to_rows<D>(rows));
        return psb_cudart_ok(cudaGetLastError(), "product");
    }
    const epilogue_of_c<E> c = { *t, partial };
    const psb_epk blocks = blocks_of(*a) + split_blocks_of(*a);
    const int code = with_epilogue(c, (const D *)on_gpu(y), blocks, stream(),
                                   [&](const auto &e) { run(add_with_dots(e, rows)); });
    return psb_cudart_ok(code, "fused product");
}

/* --- columns in 16 bits (see stored.h) ---------------------------------------------------------------- */

enum { DELTA_THREADS = 256 };

/* Block t makes the deltas of tile t. */
static __global__ void __launch_bounds__(DELTA_THREADS)
    find_deltas(const __grid_constant__ psb_csr_dev a, psb_ipk *base, uint16_t *delta, psb_epk *found)
{
    __shared__ psb_ipk low, high;
    const psb_epk t = blockIdx.x, first = a.tile[t].first, from = first / 4 * 4, end = a.tile[t + 1].first;
    const psb_epk at = PSB_DELTA_PLACE(t, first), places = PSB_DELTA_PLACE(t + 1, end) - at;
    if (threadIdx.x == 0) {
        low = INT32_MAX;
        high = 0;
    }
    __syncthreads();
    psb_ipk my_low = INT32_MAX, my_high = 0;
    for (psb_epk k = first + threadIdx.x; k < end; k += DELTA_THREADS) {
        my_low = min(my_low, a.ja[k]);
        my_high = max(my_high, a.ja[k]);
    }
    atomicMin(&low, my_low);
    atomicMax(&high, my_high);
    __syncthreads();
    const psb_ipk begin = low < high ? low : high; /* high: the tile is empty */
    const bool is_near = high - begin <= UINT16_MAX;
    for (psb_epk k = threadIdx.x; k < places; k += DELTA_THREADS) {
        const bool is_entry = from + k >= first && from + k < end;
        delta[at + k] = is_near && is_entry ? (uint16_t)(a.ja[from + k] - begin) : 0;
    }
    if (threadIdx.x == 0) {
        base[t] = is_near ? begin : -1;
        if (is_near)
            atomicAdd((unsigned long long *)found, (unsigned long long)(end - first));
    }
}

static psb_err deltas(const psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found)
{
    static const char what[] = "columns in 16 bits";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), what));
    if (a->ntiles > 0)
        find_deltas<<<(unsigned)a->ntiles, DELTA_THREADS, 0, stream()>>>(*a, base, delta, found);
    return psb_cudart_ok(cudaGetLastError(), what);
}

/* --- the table ---------------------------------------------------------------------------------------- */

template <class T>
static psb_err by_vendor(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                         const T *x, T beta, T *y)
{
    constexpr bool real = std::is_arithmetic<T>::value;
    constexpr char letter = sizeof(T) == 4 ? 's' : sizeof(T) == 16 ? 'z' : real ? 'd' : 'c';
    return psb_vendor_csmm(plan, letter, a, k, &alpha, x, &beta, y);
}

template <class K, class T>
constexpr K csr_kernels()
{
    K k = product_and_fused<K>();
    k.deltas = deltas;
    k.add = add_product;
    k.add_short = listed::add_short;
    k.vendor = by_vendor;
    return k;
}
PSB_CUDA_TABLES(csr_kernels)
