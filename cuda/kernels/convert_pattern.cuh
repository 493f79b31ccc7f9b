/* convert_pattern.cuh -- cuda/kernels: steps of conversions that do not depend on the scalar: copies,
 * lengths, offsets, orders, the diagonals of hacks, places of entries.  Scans and sorts are those of CUB.
 * Threads combine their results by sums, maxima and minima of integers only, so results are bitwise
 * reproducible. */
#ifndef PSB_CONVERT_PATTERN_CUH
#define PSB_CONVERT_PATTERN_CUH
#include "locality.h"
#include "psb_hacks.h"
#include "convert_steps.cuh"
#include "scan.cuh"

typedef unsigned long long word;

static __device__ void add_to(psb_epk *p, psb_epk v)
{
    atomicAdd((word *)p, (word)v);
}

/* *p += the sum of v over the warp, all of whose threads take part. */
static __device__ void add_of_warp(psb_epk *p, psb_epk v)
{
    const unsigned sum = __reduce_add_sync(~0u, (unsigned)v);
    if (sum > 0 && threadIdx.x % WARP == 0)
        add_to(p, sum);
}

/* *p = max(*p, v); both are >= 0. */
static __device__ void raise_to(psb_epk *p, psb_epk v)
{
    atomicMax((word *)p, (word)v);
}

/* The largest v >= 0 of a warp; valid in lane 0. */
static __device__ psb_epk largest_of_warp(psb_epk v)
{
    for (int by = WARP / 2; by > 0; by /= 2) {
        const psb_epk other = __shfl_down_sync(~0u, v, by);
        v = other > v ? other : v;
    }
    return v;
}

static __device__ psb_epk sum_of_warp(psb_epk v)
{
    for (int by = WARP / 2; by > 0; by /= 2)
        v += __shfl_down_sync(~0u, v, by);
    return v;
}

static int clear_found(psb_epk *found)
{
    return cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream());
}

/* found[0] = *count */
static int copy_count(psb_epk *found, const psb_epk *count)
{
    return cudaMemcpyAsync(found, count, sizeof *count, cudaMemcpyDeviceToDevice, stream());
}

static psb_err coo_copy(void *to, const void *from, size_t bytes)
{
    return step_ended(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()));
}

/* --- rows ----------------------------------------------------------------------------------------------- */

static __global__ void row_begins(psb_ipk m, psb_epk nz, const psb_ipk *__restrict__ ia, psb_epk *off)
{
    for (psb_epk i = my_place(); i <= m; i += all_places())
        off[i] = first_from(ia, 1, nz, i);
}

static psb_err coo_row_begins(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off)
{
    row_begins<<<blocks_for((psb_epk)m + 1), THREADS, 0, stream()>>>(m, nz, ia, off);
    return step_ended(cudaGetLastError());
}

/* The number of entries of row i. */
static __device__ psb_epk length_of(const psb_dev_compressed &a, psb_epk i)
{
    return a.irn[a.rank ? a.rank[i] : i];
}
static __device__ psb_epk length_of(const psb_dev_hdia &a, psb_epk i)
{
    psb_epk n = 0;
    for (psb_epk h = i / a.rows, d = a.off[h]; d < a.off[h + 1]; d++)
        n += has(a, d, i % a.rows);
    return n;
}

/* The place in a.val of column j of row i in block q, or -1. */
static __device__ __forceinline__ psb_epk place_in_block(const psb_dev_bsr &a, psb_epk i, psb_epk q, int j)
{
    const int l = (int)(i % a.r), at = a.by_cols ? j * a.r + l : l * a.c + j, size = a.r * a.c;
    return a.full || a.bits[q * ((size + 7) / 8) + at / 8] >> at % 8 & 1 ? q * size + at : -1;
}
static __device__ psb_epk length_of(const psb_dev_bsr &a, psb_epk i)
{
    const psb_epk end = a.off[i / a.r + 1];
    psb_epk n = 0;
    for (psb_epk q = a.off[i / a.r]; q < end && a.ja[q] >= 0; q++)
        for (int j = 0; j < a.c; j++)
            n += place_in_block(a, i, q, j) >= 0;
    return n;
}

template <class M>
static __global__ void lengths(const __grid_constant__ M a, psb_ipk m, psb_epk *off)
{
    for (psb_epk i = my_place(); i < m; i += all_places()) {
        off[i + 1] = length_of(a, i);
        if (i == 0)
            off[0] = 0;
    }
}

/* The row pointers of a, HLL, HDIA or BSR, with m rows. */
template <class M>
static int sum_lengths(const M &a, psb_ipk m, psb_epk *off, arena &d)
{
    if (d.at && m == 0)
        return cudaMemsetAsync(off, 0, sizeof *off, stream());
    if (d.at)
        lengths<<<blocks_for(m), THREADS, 0, stream()>>>(a, m, off);
    const int e = cudaGetLastError();
    return e != cudaSuccess ? e : sum_up(off + 1, m, d);
}

template <class M>
static psb_err row_lengths(const M *a, const psb_dev_compressed *to)
{
    return with_memory(conversion, [=](arena &d) { return sum_lengths(*a, to->m, to->off, d); });
}

/* --- HLL ------------------------------------------------------------------------------------------------ */

enum { LONGEST = 1023, LENGTH_BITS = 10 };

/* Sort keys: the window, then decreasing length. */
static __global__ void rank_keys(const __grid_constant__ psb_dev_compressed from, psb_ipk window,
                                 uint64_t *__restrict__ key, psb_ipk *__restrict__ row)
{
    for (psb_epk i = my_place(); i < from.m; i += all_places()) {
        const psb_epk n = from.off[i + 1] - from.off[i];
        key[i] = (uint64_t)(i / window) << LENGTH_BITS | (uint64_t)(LONGEST - (n < LONGEST ? n : LONGEST));
        row[i] = (psb_ipk)i;
    }
}

static int find_ranks(const psb_dev_compressed &from, psb_ipk window, const psb_dev_compressed &to, arena &d)
{
    const psb_ipk m = from.m;
    const int bits = LENGTH_BITS + psb_bits_of((m - 1) / window);
    uint64_t *key = d.allocate<uint64_t>(m), *sorted = d.allocate<uint64_t>(m);
    psb_ipk *row = d.allocate<psb_ipk>(m);
    size_t bytes = 0;
    int e = cub::DeviceRadixSort::SortPairs(nullptr, bytes, key, sorted, row, to.row, m, 0, bits, stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at || m == 0)
        return e;
    rank_keys<<<blocks_for(m), THREADS, 0, stream()>>>(from, window, key, row);
    e = cub::DeviceRadixSort::SortPairs(own, bytes, key, sorted, row, to.row, m, 0, bits, stream());
    if (e != cudaSuccess)
        return e;
    invert<<<blocks_for(m), THREADS, 0, stream()>>>(m, to.row, to.rank);
    return cudaGetLastError();
}

static psb_err hll_ranks(const struct psb_dev_compressed *from, psb_ipk window,
                         const struct psb_dev_compressed *a)
{
    return with_memory(conversion, [=](arena &d) { return find_ranks(*from, window, *a, d); });
}

/* irn; off[h + 1] = the length of the longest row of hack h, 0 before.  All lanes of a warp take part. */
static __global__ void hack_widths(const __grid_constant__ psb_dev_compressed from, psb_ipk most,
                                   const __grid_constant__ psb_dev_compressed to)
{
    const psb_epk whole = ((psb_epk)to.m + WARP - 1) / WARP * WARP;
    for (psb_epk r = my_place(); r < whole; r += all_places()) {
        psb_epk n = 0, h = r / to.rows;
        if (r < to.m) {
            const psb_epk i = to.row ? to.row[r] : r;
            n = from.off[i + 1] - from.off[i];
            n = n < most ? n : most;
            to.irn[r] = (psb_ipk)n;
        }
        const psb_epk first = __shfl_sync(~0u, h, 0);
        if (__all_sync(~0u, h == first || r >= to.m)) {
            n = largest_of_warp(n);
            if (threadIdx.x % WARP == 0)
                raise_to(to.off + h + 1, n);
        } else if (r < to.m) {
            raise_to(to.off + h + 1, n);
        }
    }
}

static __global__ void hack_sizes(const __grid_constant__ psb_dev_compressed to, psb_epk *found)
{
    const psb_epk whole = ((psb_epk)to.nhacks + WARP - 1) / WARP * WARP;
    for (psb_epk h = my_place(); h < whole; h += all_places()) {
        psb_epk n = 0;
        if (h < to.nhacks) {
            n = to.off[h + 1];
            to.off[h + 1] = n * to.rows;
        }
        n = largest_of_warp(n);
        if (threadIdx.x % WARP == 0)
            raise_to(found + 1, n);
    }
}

static int find_widths(const psb_dev_compressed &from, psb_ipk most, const psb_dev_compressed &to,
                       psb_epk *found)
{
    const size_t bytes = ((size_t)to.nhacks + 1) * sizeof *to.off;
    int e = clear_found(found);
    if (e == cudaSuccess)
        e = cudaMemsetAsync(to.off, 0, bytes, stream());
    if (e != cudaSuccess || to.nhacks == 0)
        return e;
    hack_widths<<<blocks_for(to.m), THREADS, 0, stream()>>>(from, most, to);
    hack_sizes<<<blocks_for(to.nhacks), THREADS, 0, stream()>>>(to, found);
    return cudaGetLastError();
}

static int measure(const psb_dev_compressed &from, psb_ipk most, const psb_dev_compressed &to, psb_epk *found,
                   arena &d)
{
    int e = d.at ? find_widths(from, most, to, found) : cudaSuccess;
    if (e == cudaSuccess)
        e = sum_up(to.off + 1, to.nhacks, d);
    return e != cudaSuccess || !d.at ? e : copy_count(found, to.off + to.nhacks);
}

static psb_err hll_measure(const struct psb_dev_compressed *from, psb_ipk most,
                           const struct psb_dev_compressed *a, psb_epk *found)
{
    return with_memory(conversion, [=](arena &d) { return measure(*from, most, *a, found, d); });
}

/* --- locality: see locality.h ----------------------------------------------------------------------- */

enum { EACH = PSB_GROUP_ENTRIES / THREADS };

/* Block g counts the distinct sectors of x that the rows of group g read, by sorting them. */
static __global__ void __launch_bounds__(THREADS)
    count_sectors(const __grid_constant__ psb_dev_compressed a, psb_epk *found)
{
    typedef cub::BlockRadixSort<psb_ipk, THREADS, EACH> sort;
    __shared__ typename sort::TempStorage own;
    __shared__ psb_ipk sector[PSB_GROUP_ENTRIES];
    __shared__ psb_epk begin[PSB_GROUP_ROWS + 1];
    const psb_epk from = (psb_epk)a.m * blockIdx.x / PSB_GROUPS, lane = threadIdx.x;
    if (lane == 0) {
        begin[0] = 0;
        for (psb_epk i = 0; i < PSB_GROUP_ROWS; i++)
            begin[i + 1] = begin[i] + (from + i < a.m ? line_at(a, from + i).n : 0);
    }
    for (int k = threadIdx.x; k < PSB_GROUP_ENTRIES; k += THREADS)
        sector[k] = INT32_MAX;
    __syncthreads();
    for (psb_epk i = lane / WARP; i < PSB_GROUP_ROWS && from + i < a.m; i += THREADS / WARP) {
        const line r = line_at(a, from + i);
        for (psb_epk k = lane % WARP; k < r.n && begin[i] + k < PSB_GROUP_ENTRIES; k += WARP)
            sector[begin[i] + k] = a.ja[r.at + k * r.step] / PSB_SECTOR;
    }
    __syncthreads();
    psb_ipk mine[EACH];
    for (int k = 0; k < EACH; k++)
        mine[k] = sector[threadIdx.x * EACH + k];
    sort(own).Sort(mine);
    __syncthreads();
    for (int k = 0; k < EACH; k++)
        sector[threadIdx.x * EACH + k] = mine[k];
    __syncthreads();
    const psb_epk n = begin[PSB_GROUP_ROWS] < PSB_GROUP_ENTRIES ? begin[PSB_GROUP_ROWS] : PSB_GROUP_ENTRIES;
    psb_epk sectors = 0;
    for (int k = threadIdx.x; k < n; k += THREADS)
        sectors += k == 0 || sector[k] != sector[k - 1];
    sectors = sum_of_warp(sectors);
    if (lane % WARP == 0)
        add_to(found + 1, sectors);
    if (lane == 0) {
        add_to(found, n);
        add_to(found + 2, n > 0 ? sector[n - 1] - sector[0] : 0);
    }
}

static psb_err coo_locality(const struct psb_dev_compressed *a, psb_epk *found)
{
    PSB_TRY(step_ended(clear_found(found)));
    if (a->m > 0)
        count_sectors<<<PSB_GROUPS, THREADS, 0, stream()>>>(*a, found);
    return step_ended(cudaGetLastError());
}

/* --- diagonals of hacks ----------------------------------------------------------------------------- */

/* Does a row with the n columns ja have r + 1 or more entries in column j?  k: a guess of the position of the
 * last of these. */
static __device__ __forceinline__ bool has_column(const psb_ipk *ja, psb_epk n, psb_epk j, psb_epk r,
                                                  psb_epk k)
{
    if (k < n && k >= r && ja[k] == j && ja[k - r] == j)
        return true;
    k = first_from(ja, 1, n, j) + r;
    return k < n && ja[k] == j;
}

/* *rank = the rank of entry k of row i among duplicates.  Returns whether the previous row of the same hack
 * lacks an entry on this diagonal with this rank. */
static __device__ __forceinline__ bool is_new(const psb_dev_compressed &b, psb_epk rows, psb_epk i, psb_epk k,
                                              psb_epk *rank)
{
    const psb_ipk *ja = b.ja + b.off[i];
    const psb_epk r = *rank = rank_of(ja, 0, k);
    if (i % rows == 0)
        return true;
    const psb_epk before = b.off[i - 1];
    return !has_column(b.ja + before, b.off[i] - before, (psb_epk)ja[k] - 1, r, k);
}

/* place[i + 1] = number of new diagonals of row i, by LANES lanes per row.  All lanes of a warp take part. */
static __global__ void __launch_bounds__(THREADS)
    count_new(const __grid_constant__ psb_dev_compressed b, psb_epk rows, psb_epk *__restrict__ place,
              psb_epk *found)
{
    const psb_epk each = WARP / LANES, whole = ((psb_epk)b.m + each - 1) / each * each;
    const int lane = threadIdx.x % LANES;
    psb_epk most = 0;
    for (psb_epk i = my_place() / LANES; i < whole; i += all_places() / LANES) {
        const psb_epk n = i < b.m ? b.off[i + 1] - b.off[i] : 0;
        psb_epk count = 0, r;
        for (psb_epk k = lane; k < n; k += LANES) {
            count += is_new(b, rows, i, k, &r);
            most = r + 1 > most ? r + 1 : most;
        }
        for (int by = LANES / 2; by > 0; by /= 2)
            count += __shfl_down_sync(~0u, count, by, LANES);
        if (lane == 0 && i < b.m)
            place[i + 1] = count;
        if (lane == 0 && i == 0)
            place[0] = 0;
    }
    most = largest_of_warp(most);
    if (threadIdx.x % WARP == 0)
        raise_to(found + 1, most);
}

static int sum_new(const psb_dev_compressed &from, psb_epk rows, psb_epk *place, psb_epk *found, arena &d)
{
    const psb_ipk m = from.m;
    int e = d.at ? clear_found(found) : cudaSuccess;
    if (d.at && e == cudaSuccess && m == 0)
        return cudaMemsetAsync(place, 0, sizeof *place, stream());
    if (d.at && e == cudaSuccess) {
        count_new<<<blocks_for((psb_epk)m * LANES), THREADS, 0, stream()>>>(from, rows, place, found);
        e = cudaGetLastError();
    }
    if (e == cudaSuccess)
        e = sum_up(place + 1, m, d);
    return e != cudaSuccess || !d.at ? e : copy_count(found, place + m);
}

static psb_err hdia_count(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                          psb_epk *found)
{
    return with_memory(conversion, [=](arena &d) { return sum_new(*from, a->rows, place, found, d); });
}

/* Write the keys of the new diagonals of row i from key[place[i]] on; any order will do, since keys are
 * sorted later.  All lanes of a warp take part. */
static __global__ void __launch_bounds__(THREADS)
    list_new(const __grid_constant__ psb_dev_compressed b, psb_epk rows, const psb_epk *__restrict__ place,
             int dist_bits, int rank_bits, uint64_t *__restrict__ key)
{
    const psb_epk each = WARP / LANES, whole = ((psb_epk)b.m + each - 1) / each * each;
    const int lane = threadIdx.x % LANES, group = threadIdx.x % WARP / LANES * LANES;
    for (psb_epk i = my_place() / LANES; i < whole; i += all_places() / LANES) {
        const psb_epk from = i < b.m ? b.off[i] : 0, n = i < b.m ? b.off[i + 1] - from : 0;
        psb_epk to = i < b.m ? place[i] : 0;
        for (psb_epk base = 0; __any_sync(~0u, base < n); base += LANES) {
            const psb_epk k = base + lane;
            psb_epk r = 0;
            const bool is = k < n && is_new(b, rows, i, k, &r);
            const unsigned all = __ballot_sync(~0u, is) >> group & ((1u << LANES) - 1);
            if (is) {
                const uint64_t dist = (uint64_t)((psb_epk)b.ja[from + k] - i + b.m);
                key[to + __popc(all & ((1u << lane) - 1))] = ((uint64_t)(i / rows) << dist_bits | dist)
                                                                 << rank_bits |
                                                             (uint64_t)r;
            }
            to += __popc(all);
        }
    }
}

/* Copy the *found keys that are left. */
static __global__ void copy_keys(const psb_epk *found, const uint64_t *__restrict__ from,
                                 uint64_t *__restrict__ to)
{
    for (psb_epk k = my_place(); k < *found; k += all_places())
        to[k] = from[k];
}

static int collect(const psb_dev_compressed &from, const psb_dev_hdia &a, const psb_epk *place,
                   const psb_hdia_keys &keys, psb_epk *found, arena &d)
{
    const psb_epk n = keys.n;
    const int all = keys.dist_bits + keys.rank_bits + psb_bits_of(a.nhacks), bits = all < 64 ? all : 64;
    cub::DoubleBuffer<uint64_t> key(keys.key, d.allocate<uint64_t>(n));
    size_t sort = 0, unique = 0;
    int e = too_many(n) ? cudaErrorNotSupported
                        : cub::DeviceRadixSort::SortKeys(nullptr, sort, key, n, 0, bits, stream());
    if (e == cudaSuccess)
        e = cub::DeviceSelect::Unique(nullptr, unique, keys.key, keys.key, found, n, stream());
    const size_t bytes = sort > unique ? sort : unique;
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e == cudaSuccess && d.at)
        e = clear_found(found);
    if (e != cudaSuccess || !d.at || n == 0)
        return e;
    list_new<<<blocks_for((psb_epk)from.m * LANES), THREADS, 0, stream()>>>(
        from, a.rows, place, keys.dist_bits, keys.rank_bits, keys.key);
    sort = unique = bytes;
    e = cub::DeviceRadixSort::SortKeys(own, sort, key, n, 0, bits, stream());
    if (e == cudaSuccess)
        e = cub::DeviceSelect::Unique(own, unique, key.Current(), key.Alternate(), found, n, stream());
    if (e != cudaSuccess || key.Alternate() == keys.key)
        return e;
    copy_keys<<<blocks_for(n), THREADS, 0, stream()>>>(found, key.Alternate(), keys.key);
    return cudaGetLastError();
}

static psb_err hdia_collect(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a,
                            psb_epk *place, const struct psb_hdia_keys *keys, psb_epk *found)
{
    return with_memory(conversion, [=](arena &d) { return collect(*from, *a, place, *keys, found, d); });
}

/* off[h] = the first key of hack h. */
static __global__ void hacks_begin(psb_ipk nhacks, psb_epk n, const uint64_t *__restrict__ key, int shift,
                                   psb_epk *off)
{
    for (psb_epk h = my_place(); h <= nhacks; h += all_places())
        off[h] = first_not(n, [=](psb_epk k) { return (psb_epk)(key[k] >> shift) < h; });
}

static __global__ void distances(psb_epk n, const uint64_t *__restrict__ key, int rank_bits, uint64_t mask,
                                 psb_ipk m, psb_ipk *__restrict__ dist)
{
    for (psb_epk d = my_place(); d < n; d += all_places())
        dist[d] = (psb_ipk)((psb_epk)(key[d] >> rank_bits & mask) - m);
}

static psb_err hdia_list(const struct psb_hdia_keys *keys, const struct psb_dev_hdia *a)
{
    const uint64_t mask = (UINT64_C(1) << keys->dist_bits) - 1;
    hacks_begin<<<blocks_for((psb_epk)a->nhacks + 1), THREADS, 0, stream()>>>(
        a->nhacks, keys->n, keys->key, keys->dist_bits + keys->rank_bits, a->off);
    if (keys->n > 0)
        distances<<<blocks_for(keys->n), THREADS, 0, stream()>>>(keys->n, keys->key, keys->rank_bits, mask,
                                                                 a->m, a->dist);
    return step_ended(cudaGetLastError());
}

/* --- places ----------------------------------------------------------------------------------------- */

static __device__ psb_epk place_of(const psb_dev_compressed &a, psb_epk i, psb_epk j)
{
    const line r = line_of(a, i);
    const psb_epk k = first_from(a.ja + r.at, r.step, r.n, j), p = r.at + k * r.step;
    return k < r.n && a.ja[p] == j ? p : -1;
}
static __device__ psb_epk place_of(const psb_dev_hdia &a, psb_epk i, psb_epk j)
{
    const psb_epk h = i / a.rows, d = diagonal_from(a, h, j - i);
    return d < a.off[h + 1] && a.dist[d] == j - i && has(a, d, i % a.rows) ? d * a.rows + i % a.rows : -1;
}

template <class M>
static __global__ void find_places(const __grid_constant__ M a, const __grid_constant__ psb_find q)
{
    for (psb_epk k = my_place(); k < q.nz; k += all_places()) {
        const psb_epk p = q.place[k] = place_of(a, q.ia[k], q.ja[k]);
        if (p < 0)
            atomicMin((word *)q.found, (word)k);
    }
}

static __global__ void check_ascending(const __grid_constant__ psb_find q)
{
    for (psb_epk k = my_place() + 1; k < q.nz; k += all_places())
        if (q.place[k] <= q.place[k - 1])
            q.found[1] = 1;
}

template <class M>
static psb_err find_entries(const M *a, const psb_find *q)
{
    PSB_TRY(step_ended(clear_found(q->found)));
    PSB_TRY(step_ended(cudaMemsetAsync(q->found, 0xff, sizeof *q->found, stream())));
    if (q->nz > 0) {
        find_places<<<blocks_for(q->nz), THREADS, 0, stream()>>>(*a, *q);
        check_ascending<<<blocks_for(q->nz), THREADS, 0, stream()>>>(*q);
    }
    return step_ended(cudaGetLastError());
}

/* --- BSR ------------------------------------------------------------------------------------------------ */

/* LANES lanes per row. */
static __global__ void __launch_bounds__(THREADS)
    block_keys(const __grid_constant__ psb_dev_compressed b, const __grid_constant__ psb_dev_bsr a,
               psb_ipk *__restrict__ ia, psb_ipk *__restrict__ ja, psb_epk *found)
{
    psb_epk most = 0;
    for (psb_epk i = my_place() / LANES; i < b.m; i += all_places() / LANES) {
        const psb_epk from = b.off[i], n = b.off[i + 1] - from;
        for (psb_epk k = threadIdx.x % LANES; k < n; k += LANES) {
            const psb_epk r = rank_of(b.ja + from, 0, k);
            ia[from + k] = (psb_ipk)(i / a.r);
            ja[from + k] = (psb_ipk)((psb_epk)(b.ja[from + k] / a.c) * a.ranks + r);
            most = r + 1 > most ? r + 1 : most;
        }
    }
    most = largest_of_warp(most);
    if (threadIdx.x % WARP == 0)
        raise_to(found, most);
}

static psb_err bsr_keys(const struct psb_dev_compressed *from, const struct psb_dev_bsr *a, psb_ipk *ia,
                        psb_ipk *ja, psb_epk *found)
{
    PSB_TRY(step_ended(clear_found(found)));
    if (from->m > 0)
        block_keys<<<blocks_for((psb_epk)from->m * LANES), THREADS, 0, stream()>>>(*from, *a, ia, ja, found);
    return step_ended(cudaGetLastError());
}

/* --- orders ----------------------------------------------------------------------------------------- */

/* Sort keys: places; or, of entries, the row, then the column in col_bits. */
static __global__ void place_keys(psb_epk nz, const psb_epk *__restrict__ place, uint64_t *__restrict__ key,
                                  psb_epk *__restrict__ order)
{
    for (psb_epk k = my_place(); k < nz; k += all_places()) {
        key[k] = (uint64_t)place[k];
        order[k] = k;
    }
}

static __global__ void entry_keys(const __grid_constant__ psb_dev_triplets t, int col_bits,
                                  uint64_t *__restrict__ key, psb_epk *__restrict__ order)
{
    for (psb_epk k = my_place(); k < t.nz; k += all_places()) {
        key[k] = (uint64_t)t.ia[k] << col_bits | (uint64_t)t.ja[k];
        order[k] = k;
    }
}

/* order: a stable order of n keys of `bits` bits; set_keys(key, identity) launches what sets the keys and
 * identity[k] = k. */
template <class F>
static int sort_keys(psb_epk n, int bits, F set_keys, psb_epk *order, arena &d)
{
    uint64_t *key = d.allocate<uint64_t>(n), *sorted = d.allocate<uint64_t>(n);
    psb_epk *identity = d.allocate<psb_epk>(n);
    size_t bytes = 0;
    int e = too_many(n) ? cudaErrorNotSupported
                        : cub::DeviceRadixSort::SortPairs(nullptr, bytes, key, sorted, identity, order, n, 0,
                                                          bits, stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at || n == 0)
        return e;
    set_keys(key, identity);
    return cub::DeviceRadixSort::SortPairs(own, bytes, key, sorted, identity, order, n, 0, bits, stream());
}

static psb_err coo_order_by_place(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *order)
{
    const auto set_keys = [=](uint64_t *key, psb_epk *identity) {
        place_keys<<<blocks_for(nz), THREADS, 0, stream()>>>(nz, place, key, identity);
    };
    return with_memory(conversion,
                       [=](arena &d) { return sort_keys(nz, psb_bits_of(below), set_keys, order, d); });
}

static psb_err coo_order(const struct psb_dev_triplets *t, psb_ipk m, psb_ipk n, psb_epk *order)
{
    const int col_bits = psb_bits_of(n), bits = col_bits + psb_bits_of(m);
    const auto set_keys = [=](uint64_t *key, psb_epk *identity) {
        entry_keys<<<blocks_for(t->nz), THREADS, 0, stream()>>>(*t, col_bits, key, identity);
    };
    return with_memory(conversion, [=](arena &d) { return sort_keys(t->nz, bits, set_keys, order, d); });
}

static __global__ void count_disorder(psb_epk nz, const psb_ipk *__restrict__ ia,
                                      const psb_ipk *__restrict__ ja, psb_epk *found)
{
    psb_epk n = 0;
    for (psb_epk k = my_place() + 1; k < nz; k += all_places())
        n += ia[k - 1] > ia[k] || (ia[k - 1] == ia[k] && ja[k - 1] > ja[k]);
    add_of_warp(found, n);
}

static psb_err coo_disorder(const struct psb_dev_triplets *t, psb_epk *found)
{
    PSB_TRY(step_ended(clear_found(found)));
    if (t->nz > 1)
        count_disorder<<<blocks_for(t->nz, 8 * THREADS), THREADS, 0, stream()>>>(t->nz, t->ia, t->ja, found);
    return step_ended(cudaGetLastError());
}

/* found[0] is -1, and found[1] 0, before. */
static __global__ void split_entries(const __grid_constant__ psb_own_block q)
{
    psb_epk outside = 0;
    for (psb_epk k = my_place(); k < q.nz; k += all_places()) {
        const psb_lpk i = q.ia[k] - q.base, j = q.ja[k] - q.base;
        if (i < 0 || i >= q.rows || j < 0 || j >= q.cols)
            atomicMin((word *)q.found, (word)k);
        const bool own = i >= q.first_row && i - q.first_row < q.m && j >= q.first_col &&
                         j - q.first_col < q.n;
        q.i[k] = own ? (psb_ipk)(i - q.first_row) : q.m;
        q.j[k] = own ? (psb_ipk)(j - q.first_col) : 0;
        outside += !own;
    }
    add_of_warp(q.found + 1, outside);
}

static psb_err coo_split(const psb_own_block *q)
{
    PSB_TRY(step_ended(clear_found(q->found)));
    PSB_TRY(step_ended(cudaMemsetAsync(q->found, 0xff, sizeof *q->found, stream())));
    if (q->nz > 0)
        split_entries<<<blocks_for(q->nz), THREADS, 0, stream()>>>(*q);
    return step_ended(cudaGetLastError());
}

/* place[k + 1] = 1 if entry k, in `order`, is the first of its duplicates; else 0. */
static __global__ void mark_distinct(const __grid_constant__ psb_dev_triplets t, const psb_epk *order,
                                     psb_epk *place)
{
    for (psb_epk k = my_place(); k < t.nz; k += all_places()) {
        const psb_epk e = order ? order[k] : k, before = k == 0 ? e : order ? order[k - 1] : k - 1;
        place[k + 1] = k == 0 || t.ia[e] != t.ia[before] || t.ja[e] != t.ja[before];
        if (k == 0)
            place[0] = 0;
    }
}

static int count_distinct(const psb_dev_triplets &t, const psb_epk *order, psb_epk *place, psb_epk *found,
                          arena &d)
{
    int e = d.at ? clear_found(found) : cudaSuccess;
    if (d.at && e == cudaSuccess && t.nz == 0)
        return cudaMemsetAsync(place, 0, sizeof *place, stream());
    if (d.at && e == cudaSuccess) {
        mark_distinct<<<blocks_for(t.nz), THREADS, 0, stream()>>>(t, order, place);
        e = cudaGetLastError();
    }
    if (e == cudaSuccess)
        e = sum_up(place + 1, t.nz, d);
    return e != cudaSuccess || !d.at ? e : copy_count(found, place + t.nz);
}

static psb_err coo_distinct(const struct psb_dev_triplets *t, const psb_epk *order, psb_epk *place,
                            psb_epk *found)
{
    return with_memory(conversion, [=](arena &d) { return count_distinct(*t, order, place, found, d); });
}
#endif
