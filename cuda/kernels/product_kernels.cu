/* product_kernels.cu -- cuda/kernels: products of two matrices in CSR: see multiply.c.  A group of threads
 * makes a row of C, with a hash table in shared memory: first the number of its columns, then the row.
 * Values are added in the order of the entries of the row of A: the group takes several of them at once, a
 * few threads each, which add their products in turns; columns are distinct in a row of B.  So results have
 * the host's bits. */
#include <cub/cub.cuh>
#include "algebra.h"
#include "arena.cuh"
#include "convert_steps.cuh"
#include "load.cuh"
#include "rounded.cuh"
#include "scan.cuh"

typedef unsigned long long number;

static const char product[] = "product on the device";

/* A place of a table without a column: columns are smaller, and the sort puts it last. */
constexpr psb_ipk EMPTY = INT32_MAX;

/* --- groups of threads ---------------------------------------------------------------------------------- */

/* A group of G threads: part of a warp, or a block.  Groups of a warp take the same turns. */
template <int G>
static __device__ __forceinline__ void join()
{
    if constexpr (G <= WARP)
        __syncwarp();
    else
        __syncthreads();
}

/* Does any group of the warp go on?  All threads of a block agree anyway. */
template <int G>
static __device__ __forceinline__ bool any_group(bool on)
{
    return G <= WARP ? __any_sync(~0u, on) : on;
}

template <int G>
static __device__ __forceinline__ int largest_of_groups(int n)
{
    for (int by = WARP / 2; G < WARP && by > 0; by /= 2)
        n = max(n, __shfl_xor_sync(~0u, n, by));
    return n;
}

/* Threads of a block for groups of G, each with a table of 1 << BITS places of `bytes` bytes: at most 48 KB.
 */
static __host__ __device__ constexpr int threads_for(int g, int bits, int bytes)
{
    int threads = g < 128 ? 128 : g;
    while (threads > g && threads > WARP && (threads / g << bits) * bytes > 48 << 10)
        threads /= 2;
    return threads;
}

/* --- tables --------------------------------------------------------------------------------------------- */

/* Where the search for column j begins: the product with the golden ratio also spreads columns that differ by
 * powers of 2 (Knuth, "The art of computer programming", vol. 3, section 6.4). */
template <int BITS>
static __device__ __forceinline__ unsigned home_of(psb_ipk j)
{
    return (unsigned)j * 2654435769u >> (32 - BITS);
}

/* Insert column j, for which the table has a place; returns that; *added: was it empty? */
template <int BITS>
static __device__ __forceinline__ int insert(psb_ipk *table, psb_ipk j, bool *added = nullptr)
{
    for (unsigned s = home_of<BITS>(j);; s = (s + 1) & ((1u << BITS) - 1)) {
        const psb_ipk was = atomicCAS(table + s, EMPTY, j);
        if (was != EMPTY && was != j)
            continue;
        if (added)
            *added = was == EMPTY;
        return (int)s;
    }
}

/* The place of column j, or -1; one place at least is empty. */
template <int BITS>
static __device__ __forceinline__ int find(const psb_ipk *table, psb_ipk j)
{
    for (unsigned s = home_of<BITS>(j);; s = (s + 1) & ((1u << BITS) - 1))
        if (table[s] == j || table[s] == EMPTY)
            return table[s] == j ? (int)s : -1;
}

template <int G, int BITS>
static __device__ __forceinline__ void clear(psb_ipk *table)
{
    for (int s = threadIdx.x % G; s < 1 << BITS; s += G)
        table[s] = EMPTY;
}

/* Threads of a group of g that share a row of B; in a block for wide rows more, since rows of B may be wide.
 */
static __device__ __forceinline__ int lanes_for(const psb_dev_product &p, int g)
{
    return g == THREADS ? 64 : min(p.lanes, g);
}

/* Call visit(column) for the products of row i by this thread, one of g, in no order. */
template <class F>
static __device__ __forceinline__ void each_product(const psb_dev_product &p, psb_ipk i, int g, F visit)
{
    const int w = lanes_for(p, g), lane = threadIdx.x % g;
    const psb_epk end = kept(p.a.off + i + 1);
    for (psb_epk k = kept(p.a.off + i) + lane / w; k < end; k += g / w) {
        const psb_ipk r = kept(p.a.ja + k);
        const psb_epk last = kept(p.b.off + r + 1);
        for (psb_epk e = kept(p.b.off + r) + lane % w; e < last; e += w)
            visit(kept(p.b.ja + e));
    }
}

/* Sort list[0 .. n), n a power of 2, by the threads of the group.  Method: Batcher, "Sorting networks and
 * their applications", AFIPS 1968: the bitonic sorter. */
template <int G>
static __device__ __forceinline__ void sort(psb_ipk *list, int n)
{
    for (int run = 2; run <= n; run *= 2)
        for (int by = run / 2; by > 0; by /= 2) {
            for (int q = threadIdx.x % G; q < n / 2; q += G) {
                const int lo = 2 * q - (q & (by - 1)), hi = lo + by;
                const psb_ipk x = list[lo], y = list[hi];
                if (x > y != ((lo & run) != 0)) {
                    list[lo] = y;
                    list[hi] = x;
                }
            }
            join<G>();
        }
}

/* --- the rows of a class -------------------------------------------------------------------------------- */

/* Some of the rows of C. */
struct row_list {
    const psb_ipk *row;
    psb_epk n;
};

/* The row of this thread's group, of G threads; -1 if there is none. */
template <int G>
static __device__ __forceinline__ psb_ipk own_row(const row_list &l)
{
    const psb_epk at = (psb_epk)blockIdx.x * (blockDim.x / G) + threadIdx.x / G;
    return at < l.n ? l.row[at] : -1;
}

extern __shared__ __align__(16) char shared[];

/* c.off[i + 1] = the number of entries of row i. */
template <int G, int BITS>
static __global__ void __launch_bounds__(threads_for(G, BITS, 4))
    count_rows(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l)
{
    constexpr int GROUPS = threads_for(G, BITS, 4) / G;
    __shared__ int all[GROUPS];
    const int group = threadIdx.x / G;
    psb_ipk *table = (psb_ipk *)shared + (group << BITS);
    const psb_ipk i = own_row<G>(l);
    int n = 0;
    clear<G, BITS>(table);
    if (threadIdx.x % G == 0)
        all[group] = 0;
    join<G>();
    if (i >= 0)
        each_product(p, i, G, [&](psb_ipk j) {
            bool added;
            insert<BITS>(table, j, &added);
            n += added;
        });
    if (n > 0)
        atomicAdd(all + group, n);
    join<G>();
    if (i >= 0 && threadIdx.x % G == 0)
        p.c.off[i + 1] = all[group];
}

/* -0, which changes no number that is added to it. */
template <class R>
static __device__ __forceinline__ void set_negative_zero(R &v)
{
    v = (R)-0.0;
}
template <class R>
static __device__ __forceinline__ void set_negative_zero(pair<R> &v)
{
    v = { (R)-0.0, (R)-0.0 };
}

/* Add the products of row i to val, at place_of(column), in the order of the entries of A.  i < 0: take part
 * in the turns.  Returns whether all columns have a place: it is -1 for one that has none. */
template <int G, class T, class F>
static __device__ __forceinline__ bool add_products(const psb_dev_product &p, psb_ipk i, T *val, F place_of)
{
    const int w = lanes_for(p, G), part = threadIdx.x % G / w, parts = G / w, lane = threadIdx.x % w;
    const psb_epk first = i < 0 ? 0 : kept(p.a.off + i), n = i < 0 ? 0 : kept(p.a.off + i + 1) - first;
    const T *a = (const T *)p.a.val + first, *b = (const T *)p.b.val;
    bool all = true;
    for (psb_epk k = part; any_group<G>(k - part < n); k += parts) {
        T x = zero<T>(), v = zero<T>();
        psb_epk e = 0, end = 0;
        int s = -1;
        if (k < n) {
            const psb_ipk r = kept(p.a.ja + first + k);
            e = kept(p.b.off + r) + lane;
            end = kept(p.b.off + r + 1);
            x = kept(a + k);
            if (e < end) {
                v = rounded::mul(x, kept(b + e));
                s = place_of(kept(p.b.ja + e));
            }
        }
        for (int turn = 0; turn < parts; turn++) {
            while (turn == part && e < end) {
                if (s >= 0)
                    val[s] = rounded::add(val[s], v);
                all &= s >= 0;
                e += w;
                if (e < end) {
                    v = rounded::mul(x, kept(b + e));
                    s = place_of(kept(p.b.ja + e));
                }
            }
            join<G>();
        }
    }
    return all;
}

/* The columns of row i, in order, and its values. */
template <int G, int BITS, class T>
static __global__ void __launch_bounds__(threads_for(G, BITS, 8 + sizeof(T)))
    row_entries(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l)
{
    constexpr int GROUPS = threads_for(G, BITS, 8 + sizeof(T)) / G;
    __shared__ int all[GROUPS];
    const int group = threadIdx.x / G, lane = threadIdx.x % G;
    T *val = (T *)shared + (group << BITS);
    psb_ipk *table = (psb_ipk *)((T *)shared + (GROUPS << BITS)) + (group << BITS),
            *list = table + (GROUPS << BITS);
    const psb_ipk i = own_row<G>(l);
    clear<G, BITS>(table);
    for (int s = lane; s < 1 << BITS; s += G)
        set_negative_zero(val[s]);
    if (lane == 0)
        all[group] = 0;
    join<G>();
    add_products<G>(p, i, val, [&](psb_ipk j) { return insert<BITS>(table, j); });
    join<G>();
    for (int s = lane; s < 1 << BITS; s += G)
        if (table[s] != EMPTY)
            list[atomicAdd(all + group, 1)] = table[s];
    join<G>();
    const int n = all[group], most = largest_of_groups<G>(n);
    int length = 1;
    while (length < most)
        length *= 2;
    for (int s = n + lane; s < length; s += G)
        list[s] = EMPTY;
    join<G>();
    sort<G>(list, length);
    for (int s = lane; i >= 0 && s < n; s += G) {
        p.c.ja[p.c.off[i] + s] = list[s];
        ((T *)p.c.val)[p.c.off[i] + s] = val[find<BITS>(table, list[s])];
    }
}

/* The values of row i, whose columns are known. */
template <int G, int BITS, class T>
static __global__ void __launch_bounds__(threads_for(G, BITS, 4 + sizeof(T)))
    row_values(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l)
{
    constexpr int GROUPS = threads_for(G, BITS, 4 + sizeof(T)) / G;
    const int group = threadIdx.x / G, lane = threadIdx.x % G;
    T *val = (T *)shared + (group << BITS);
    psb_ipk *table = (psb_ipk *)((T *)shared + (GROUPS << BITS)) + (group << BITS);
    const psb_ipk i = own_row<G>(l);
    const psb_epk first = i < 0 ? 0 : p.c.off[i];
    const int n = i < 0 ? 0 : (int)(p.c.off[i + 1] - first);
    clear<G, BITS>(table);
    for (int s = lane; s < 1 << BITS; s += G)
        set_negative_zero(val[s]);
    join<G>();
    for (int k = lane; k < n; k += G)
        insert<BITS>(table, p.c.ja[first + k]);
    join<G>();
    if (!add_products<G>(p, i, val, [&](psb_ipk j) { return find<BITS>(table, j); }))
        p.found[PSB_OBSTACLE] = 1;
    for (int k = lane; k < n; k += G)
        ((T *)p.c.val)[first + k] = val[find<BITS>(table, p.c.ja[first + k])];
}

/* --- launches by class ---------------------------------------------------------------------------------- */

static row_list rows_of(const psb_dev_product &p, int k)
{
    return { p.row + psb_class_begins(p.size, k), p.size[k] };
}

/* Launch a kernel for the rows of class k, with tables of places of `bytes` bytes. */
template <int G, int BITS>
static int launch_class(void (*kernel)(psb_dev_product, row_list), const psb_dev_product &p, int k, int bytes)
{
    const int threads = threads_for(G, BITS, bytes), groups = threads / G, memory = (groups << BITS) * bytes;
    const row_list l = rows_of(p, k);
    if (l.n == 0)
        return cudaSuccess;
    if (memory > 40 << 10) { /* with what the kernel declares, more than it gets without asking */
        const int e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
        if (e != cudaSuccess)
            return e;
    }
    kernel<<<(unsigned)((l.n + groups - 1) / groups), threads, (size_t)memory, stream()>>>(p, l);
    return cudaGetLastError();
}

static int count_tables(const psb_dev_product &p)
{
    int e = launch_class<8, 6>(count_rows<8, 6>, p, 1, 4);
    e = e ? e : launch_class<32, 8>(count_rows<32, 8>, p, 2, 4);
    e = e ? e : launch_class<32, 10>(count_rows<32, 10>, p, 3, 4);
    e = e ? e : launch_class<128, 12>(count_rows<128, 12>, p, 4, 4);
    return e ? e : launch_class<512, 14>(count_rows<512, 14>, p, 5, 4);
}

/* --- classes -------------------------------------------------------------------------------------------- */

static __device__ __forceinline__ psb_epk products_of(const psb_dev_product &p, psb_epk i, int lane, int step)
{
    psb_epk n = 0;
    for (psb_epk k = p.a.off[i] + lane; k < p.a.off[i + 1]; k += step) {
        const psb_ipk r = p.a.ja[k];
        n += p.b.off[r + 1] - p.b.off[r];
    }
    return n;
}

/* c.off[i + 1] = the products of row i, at most the columns of C. */
static __global__ void __launch_bounds__(THREADS) bound_rows(const __grid_constant__ psb_dev_product p)
{
    const psb_epk all = ((psb_epk)p.c.m * LANES + WARP - 1) / WARP * WARP;
    for (psb_epk at = my_place(); at < all; at += all_places()) {
        const psb_epk i = at / LANES;
        psb_epk n = i < p.c.m ? products_of(p, i, (int)(at % LANES), LANES) : 0;
        for (int by = LANES / 2; by > 0; by /= 2)
            n += __shfl_xor_sync(~0u, n, by);
        if (i < p.c.m && at % LANES == 0)
            p.c.off[i + 1] = n < p.n ? n : p.n;
    }
}

static __global__ void __launch_bounds__(THREADS) find_twice(const __grid_constant__ psb_dev_product p)
{
    const psb_epk all = (psb_epk)p.b.m * LANES;
    for (psb_epk at = my_place(); at < all; at += all_places()) {
        const psb_epk r = at / LANES;
        for (psb_epk e = p.b.off[r] + 1 + at % LANES; e < p.b.off[r + 1]; e += LANES)
            if (p.b.ja[e - 1] == p.b.ja[e])
                p.found[PSB_OBSTACLE] = 1;
    }
}

/* The class of row i by c.off[i + 1], or by the difference of the row pointers if they are summed. */
static __device__ __forceinline__ int class_of(const psb_dev_product &p, psb_epk i, bool summed)
{
    const psb_epk n = p.c.off[i + 1] - (summed ? p.c.off[i] : 0);
    int k = 0;
    while (n > p.limit[k])
        k++;
    return k;
}

static __global__ void __launch_bounds__(THREADS)
    count_classes(const __grid_constant__ psb_dev_product p, bool summed)
{
    __shared__ int n[PSB_ROW_CLASSES];
    if (threadIdx.x < PSB_ROW_CLASSES)
        n[threadIdx.x] = 0;
    __syncthreads();
    for (psb_epk i = my_place(); i < p.c.m; i += all_places())
        atomicAdd(n + class_of(p, i, summed), 1);
    __syncthreads();
    if (threadIdx.x < PSB_ROW_CLASSES && n[threadIdx.x] > 0)
        atomicAdd((number *)p.found + PSB_OF_CLASSES + threadIdx.x, (number)n[threadIdx.x]);
}

/* p.row: the order of rows in a class is that of the blocks, which changes no result. */
static __global__ void __launch_bounds__(THREADS)
    list_classes(const __grid_constant__ psb_dev_product p, bool summed)
{
    __shared__ int n[PSB_ROW_CLASSES];
    __shared__ psb_epk begin[PSB_ROW_CLASSES];
    const int t = threadIdx.x;
    for (psb_epk first = (psb_epk)blockIdx.x * THREADS; first < p.c.m; first += all_places()) {
        if (t < PSB_ROW_CLASSES)
            n[t] = 0;
        __syncthreads();
        const int k = first + t < p.c.m ? class_of(p, first + t, summed) : 0;
        const int own = k > 0 ? atomicAdd(n + k, 1) : 0;
        __syncthreads();
        if (t > 0 && t < PSB_ROW_CLASSES) {
            begin[t] = (psb_epk)atomicAdd((number *)p.found + PSB_OWN + t, (number)n[t]);
            for (int c = 1; c < t; c++)
                begin[t] += p.found[PSB_OF_CLASSES + c];
        }
        __syncthreads();
        if (k > 0)
            p.row[begin[k] + own] = (psb_ipk)(first + t);
    }
}

static int clear_product(const psb_dev_product &p)
{
    return cudaMemsetAsync(p.found, 0, PSB_PRODUCT_FOUND * sizeof *p.found, stream());
}

static int sort_by_class(const psb_dev_product &p, bool summed)
{
    if (p.c.m == 0)
        return cudaSuccess;
    count_classes<<<blocks_for(p.c.m, 8 * THREADS), THREADS, 0, stream()>>>(p, summed);
    list_classes<<<blocks_for(p.c.m), THREADS, 0, stream()>>>(p, summed);
    return cudaGetLastError();
}

static psb_err product_bound(const psb_dev_product *p)
{
    int e = clear_product(*p);
    if (e == cudaSuccess && p->b.m > 0)
        find_twice<<<blocks_for((psb_epk)p->b.m * LANES), THREADS, 0, stream()>>>(*p);
    if (e == cudaSuccess && p->c.m > 0)
        bound_rows<<<blocks_for((psb_epk)p->c.m * LANES), THREADS, 0, stream()>>>(*p);
    e = e ? e : cudaGetLastError();
    return psb_cudart_ok(e ? e : sort_by_class(*p, false), product);
}

static psb_err product_classify(const psb_dev_product *p)
{
    const int e = clear_product(*p);
    return psb_cudart_ok(e ? e : sort_by_class(*p, true), product);
}

/* --- wide rows ------------------------------------------------------------------------------------------ */

/* A block for each row, with a bit for each column and, for values, a number (Gustavson, "Two fast algorithms
 * for sparse matrices", ACM TOMS 4, 1978).  All bits are 0 before and after. */
enum {
    WIDE_BLOCKS = 264,
    WIDE_BYTES = 256 << 20
}; /* at most: they fill a GPU; of all blocks but the first */

struct wide_memory {
    unsigned *bits;
    psb_epk words; /* of a block */
    void *val;
};

static __device__ __forceinline__ unsigned bit_of(psb_ipk j)
{
    return 1u << j % 32;
}

/* The entries of wide rows. */
static __global__ void __launch_bounds__(THREADS)
    count_wide(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l,
               const __grid_constant__ wide_memory w)
{
    __shared__ int all;
    unsigned *own = w.bits + blockIdx.x * w.words;
    for (psb_epk at = blockIdx.x; at < l.n; at += gridDim.x) {
        const psb_ipk i = l.row[at];
        int n = 0;
        if (threadIdx.x == 0)
            all = 0;
        __syncthreads();
        each_product(p, i, THREADS,
                     [&](psb_ipk j) { n += !(atomicOr(own + j / 32, bit_of(j)) & bit_of(j)); });
        atomicAdd(&all, n);
        __syncthreads();
        if (threadIdx.x == 0)
            p.c.off[i + 1] = all;
        each_product(p, i, THREADS, [&](psb_ipk j) { own[j / 32] = 0; });
        __syncthreads();
    }
}

/* Their columns, in order. */
static __global__ void __launch_bounds__(THREADS)
    list_wide(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l,
              const __grid_constant__ wide_memory w)
{
    using sums = cub::BlockScan<int, THREADS>;
    __shared__ typename sums::TempStorage of_sums;
    unsigned *own = w.bits + blockIdx.x * w.words;
    for (psb_epk at = blockIdx.x; at < l.n; at += gridDim.x) {
        psb_ipk *to = p.c.ja + p.c.off[l.row[at]];
        each_product(p, l.row[at], THREADS, [&](psb_ipk j) { atomicOr(own + j / 32, bit_of(j)); });
        __syncthreads();
        for (psb_epk first = 0; first < w.words; first += THREADS) {
            const psb_epk k = first + threadIdx.x;
            unsigned word = k < w.words ? fresh(own + k) : 0;
            int before, sum;
            sums(of_sums).ExclusiveSum(__popc(word), before, sum);
            if (word)
                own[k] = 0;
            for (psb_ipk *next = to + before; word; word &= word - 1)
                *next++ = (psb_ipk)(k * 32 + __ffs(word) - 1);
            to += sum;
            __syncthreads();
        }
    }
}

/* Their values. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    wide_values(const __grid_constant__ psb_dev_product p, const __grid_constant__ row_list l,
                const __grid_constant__ wide_memory w)
{
    unsigned *own = w.bits + blockIdx.x * w.words;
    T *sum = (T *)w.val + blockIdx.x * (psb_epk)p.n;
    for (psb_epk at = blockIdx.x; at < l.n; at += gridDim.x) {
        const psb_ipk i = l.row[at];
        const psb_epk first = p.c.off[i], end = p.c.off[i + 1];
        for (psb_epk k = first + threadIdx.x; k < end; k += THREADS) {
            atomicOr(own + p.c.ja[k] / 32, bit_of(p.c.ja[k]));
            set_negative_zero(sum[p.c.ja[k]]);
        }
        __syncthreads();
        if (!add_products<THREADS>(p, i, sum,
                                   [&](psb_ipk j) { return fresh(own + j / 32) & bit_of(j) ? j : -1; }))
            p.found[PSB_OBSTACLE] = 1;
        __syncthreads();
        for (psb_epk k = first + threadIdx.x; k < end; k += THREADS) {
            ((T *)p.c.val)[k] = sum[p.c.ja[k]];
            own[p.c.ja[k] / 32] = 0;
        }
        __syncthreads();
    }
}

/* Launch a kernel for the wide rows, with `bytes` bytes for the number of a column; in fewer blocks if memory
 * lacks. */
static psb_err launch_wide(void (*kernel)(psb_dev_product, row_list, wide_memory), const psb_dev_product &p,
                           size_t bytes)
{
    const row_list l = rows_of(p, PSB_WIDE);
    if (l.n == 0)
        return PSB_OK;
    const psb_epk words = ((psb_epk)p.n + 31) / 32, fit = WIDE_BYTES / (4 * words + p.n * (psb_epk)bytes),
                  most = l.n < WIDE_BLOCKS ? l.n : WIDE_BLOCKS;
    psb_err e = PSB_ENOMEM;
    for (psb_epk n = most < fit ? most : fit > 0 ? fit : 1; n > 0 && e == PSB_ENOMEM; n /= 2)
        e = with_memory(product, [=](arena &d) -> int {
            const wide_memory w = { d.allocate<unsigned>(n * words), words,
                                    d.allocate<char>(n * p.n * (psb_epk)bytes) };
            if (!d.at)
                return cudaSuccess;
            const int failed = cudaMemsetAsync(w.bits, 0, (size_t)(n * words) * sizeof *w.bits, stream());
            if (failed == cudaSuccess)
                kernel<<<(unsigned)n, THREADS, 0, stream()>>>(p, l, w);
            return failed ? failed : cudaGetLastError();
        });
    return e;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* found[PSB_OF_ENTRIES] and the classes of the rows, from the summed row pointers. */
static int classify_entries(psb_dev_product p, const psb_epk *limit)
{
    for (int k = 0; k < PSB_ROW_CLASSES; k++)
        p.limit[k] = limit[k];
    int e = clear_product(p);
    e = e ? e : sort_by_class(p, true);
    return e ? e
             : cudaMemcpyAsync(p.found + PSB_OF_ENTRIES, p.c.off + p.c.m, sizeof *p.found,
                               cudaMemcpyDeviceToDevice, stream());
}

static psb_err product_count(const psb_dev_product *p, const psb_epk *limit)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(p->c.off, 0, sizeof *p->c.off, stream()), product));
    PSB_TRY(psb_cudart_ok(count_tables(*p), product));
    PSB_TRY(launch_wide(count_wide, *p, 0));
    PSB_TRY(with_memory(product, [=](arena &d) { return sum_up(p->c.off + 1, p->c.m, d); }));
    return psb_cudart_ok(classify_entries(*p, limit), product);
}

template <class T>
static psb_err product_entries(const psb_dev_product *p)
{
    constexpr int bytes = 8 + sizeof(T), BITS = sizeof(T) > 8 ? 11 : 12;
    int e = launch_class<8, 6>(row_entries<8, 6, T>, *p, 1, bytes);
    e = e ? e : launch_class<32, 8>(row_entries<32, 8, T>, *p, 2, bytes);
    e = e ? e : launch_class<32, 10>(row_entries<32, 10, T>, *p, 3, bytes);
    e = e ? e : launch_class<128, BITS>(row_entries<128, BITS, T>, *p, 4, bytes);
    PSB_TRY(psb_cudart_ok(e, product));
    PSB_TRY(launch_wide(list_wide, *p, 0));
    return launch_wide(wide_values<T>, *p, sizeof(T));
}

template <class T>
static psb_err product_values(const psb_dev_product *p)
{
    constexpr int bytes = 4 + sizeof(T), BITS = sizeof(T) > 8 ? 11 : 12;
    int e = launch_class<8, 6>(row_values<8, 6, T>, *p, 1, bytes);
    e = e ? e : launch_class<32, 8>(row_values<32, 8, T>, *p, 2, bytes);
    e = e ? e : launch_class<32, 10>(row_values<32, 10, T>, *p, 3, bytes);
    e = e ? e : launch_class<128, BITS>(row_values<128, BITS, T>, *p, 4, bytes);
    PSB_TRY(psb_cudart_ok(e, product));
    return launch_wide(wide_values<T>, *p, sizeof(T));
}

/* --- the table ------------------------------------------------------------------------------------------ */

template <class K, class T>
constexpr K product_steps()
{
    K k = {};
    k.bound = product_bound;
    k.count = product_count;
    k.classify = product_classify;
    k.entries = product_entries<dev<T>>;
    k.values = product_values<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(product_steps)
