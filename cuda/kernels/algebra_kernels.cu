/* algebra_kernels.cu -- cuda/kernels: sums, transposes and parts of matrices in CSR.  LANES lanes share a
 * row; the place of an entry follows from searches and from the ballots of its group, so no thread waits for
 * another, and results have the host's bits. */
#include <cub/cub.cuh>
#include "algebra.h"
#include "arena.cuh"
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "pattern_term.h"
#include "convert_steps.cuh"
#include "load.cuh"
#include "rounded.cuh"
#include "scan.cuh"

typedef unsigned long long number;

static const char algebra[] = "sparse algebra on the device";

/* --- groups of LANES lanes ------------------------------------------------------------------------------ */

/* The bits of this lane's group among those of the warp, all lanes of which must call this. */
static __device__ __forceinline__ unsigned ballot_of_group(bool is)
{
    const unsigned first = threadIdx.x % WARP / LANES * LANES;
    return __ballot_sync(~0u, is) >> first & ((1u << LANES) - 1);
}

/* Those of the lanes before this one. */
static __device__ __forceinline__ int count_before(unsigned ballot)
{
    return __popc(ballot & ((1u << threadIdx.x % LANES) - 1));
}

static __device__ __forceinline__ psb_epk sum_of_group(psb_epk n)
{
    for (int by = LANES / 2; by > 0; by /= 2)
        n += __shfl_xor_sync(~0u, n, by);
    return n;
}

/* The entries of row i; none if i is not below m. */
struct span {
    psb_epk at, n;
};
static __device__ __forceinline__ span row_of(const psb_dev_compressed &l, psb_epk i, psb_epk m)
{
    const psb_epk at = i < m ? kept(l.off + i) : 0;
    return { at, i < m ? kept(l.off + i + 1) - at : 0 };
}

/* Call visit(i) with the row of this lane's group, for all rows, and also for rows from m on, so that all
 * lanes of a warp make the same number of calls. */
template <class F>
static __device__ __forceinline__ void each_row(psb_epk m, F visit)
{
    const psb_epk all = (m * LANES + WARP - 1) / WARP * WARP;
    for (psb_epk at = my_place(); at < all; at += all_places())
        visit(at / LANES);
}

/* Store the length n of row i; the lengths are summed later. */
static __device__ __forceinline__ void store_length(const psb_dev_compressed &c, psb_epk i, psb_epk n)
{
    if (i < c.m && threadIdx.x % LANES == 0)
        c.off[i + 1] = n;
}

/* The row pointers from the lengths of rows in off[1..m]; found[0] is the last one. */
static psb_err sum_rows_up(const psb_dev_compressed &c, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(c.off, 0, sizeof *c.off, stream()), algebra));
    PSB_TRY(with_memory(algebra, [=](arena &d) { return sum_up(c.off + 1, c.m, d); }));
    return psb_cudart_ok(
        cudaMemcpyAsync(found, c.off + c.m, sizeof *found, cudaMemcpyDeviceToDevice, stream()), algebra);
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* The first of the n columns that is not below j; often it is number `guess`. */
static __device__ __forceinline__ psb_epk place_in(const psb_ipk *ja, psb_epk n, psb_epk guess, psb_ipk j)
{
    return guess < n && kept(ja + guess) == j ? guess : first_from(ja, 1, n, j);
}

static __device__ __forceinline__ bool is_at(const psb_ipk *ja, psb_epk n, psb_epk at, psb_ipk j)
{
    return at < n && kept(ja + at) == j;
}

/* The lengths of the rows of C, and whether a row of A or B has a column twice. */
static __global__ void __launch_bounds__(THREADS)
    sum_lengths(const __grid_constant__ psb_dev_sum s, psb_epk *found)
{
    const int lane = threadIdx.x % LANES;
    each_row(s.c.m, [&](psb_epk i) {
        const span a = row_of(s.a, i, s.c.m), b = row_of(s.b, i, s.c.m);
        const psb_ipk *ja = s.a.ja + a.at, *jb = s.b.ja + b.at;
        psb_epk both = 0;
        bool twice = false;
        for (psb_epk k = lane; k < a.n; k += LANES) {
            const psb_ipk j = kept(ja + k);
            twice |= k > 0 && kept(ja + k - 1) == j;
            both += is_at(jb, b.n, place_in(jb, b.n, k, j), j);
        }
        for (psb_epk k = lane + 1; k < b.n; k += LANES)
            twice |= kept(jb + k - 1) == kept(jb + k);
        if (twice)
            found[1] = 1;
        store_length(s.c, i, a.n + b.n - sum_of_group(both));
    });
}

/* factor v, where a factor of 0 makes 0 of anything */
template <class T>
static __device__ __forceinline__ T times(T factor, T v)
{
    return is_zero(factor) ? zero<T>() : rounded::mul(factor, v);
}

/* Before entry k of A in a row of C are the k entries of A, and those of B with smaller columns, less those
 * that both have; and the same for an entry of B. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    sum_entries(const __grid_constant__ psb_dev_sum s, T alpha, T beta)
{
    const int lane = threadIdx.x % LANES;
    each_row(s.c.m, [&](psb_epk i) {
        const span a = row_of(s.a, i, s.c.m), b = row_of(s.b, i, s.c.m);
        const psb_ipk *ja = s.a.ja + a.at, *jb = s.b.ja + b.at;
        const T *va = (const T *)s.a.val + a.at, *vb = (const T *)s.b.val + b.at;
        const psb_epk to = i < s.c.m ? kept(s.c.off + i) : 0;
        psb_epk both = 0;
        for (psb_epk k = lane; __any_sync(~0u, k - lane < a.n); k += LANES) {
            const psb_ipk j = k < a.n ? kept(ja + k) : 0;
            const psb_epk q = k < a.n ? place_in(jb, b.n, k, j) : 0;
            const bool is = k < a.n && is_at(jb, b.n, q, j);
            const unsigned mask = ballot_of_group(is);
            if (k < a.n) {
                const psb_epk at = to + k + q - both - count_before(mask);
                const T v = times(alpha, kept(va + k));
                s.c.ja[at] = j;
                ((T *)s.c.val)[at] = is ? rounded::add(v, times(beta, kept(vb + q))) : v;
            }
            both += __popc(mask);
        }
        both = 0;
        for (psb_epk k = lane; __any_sync(~0u, k - lane < b.n); k += LANES) {
            const psb_ipk j = k < b.n ? kept(jb + k) : 0;
            const psb_epk q = k < b.n ? place_in(ja, a.n, k, j) : 0;
            const bool is = k < b.n && is_at(ja, a.n, q, j);
            const unsigned mask = ballot_of_group(is);
            if (k < b.n && !is) {
                const psb_epk at = to + k + q - both - count_before(mask);
                s.c.ja[at] = j;
                ((T *)s.c.val)[at] = times(beta, kept(vb + k));
            }
            both += __popc(mask);
        }
    });
}

static psb_err sum_rows(const psb_dev_sum *s, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    if (s->c.m > 0)
        sum_lengths<<<blocks_for((psb_epk)s->c.m * LANES), THREADS, 0, stream()>>>(*s, found);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), algebra));
    return sum_rows_up(s->c, found);
}

template <class T>
static psb_err sum(const psb_dev_sum *s)
{
    if (s->c.m > 0)
        sum_entries<T><<<blocks_for((psb_epk)s->c.m * LANES), THREADS, 0, stream()>>>(*s, given<T>(s->alpha),
                                                                                      given<T>(s->beta));
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- parts ---------------------------------------------------------------------------------------------- */

/* The entries of the row of A that becomes row i of C. */
static __device__ __forceinline__ span source_of(const psb_dev_part &p, psb_epk i)
{
    const psb_epk from = i + p.di;
    return row_of(p.a, from, i < p.c.m && from >= p.imin && from < p.imax ? from + 1 : 0);
}

static __device__ __forceinline__ bool belongs(const psb_dev_part &p, psb_epk i, psb_ipk j)
{
    const psb_epk far = j - (i + p.di);
    return j >= p.jmin && j < p.jmax && far >= p.low && far <= p.high && !(far == 0 && p.no_diagonal);
}

static __global__ void __launch_bounds__(THREADS) part_lengths(const __grid_constant__ psb_dev_part p)
{
    each_row(p.c.m, [&](psb_epk i) {
        const span a = source_of(p, i);
        psb_epk n = 0;
        for (psb_epk k = threadIdx.x % LANES; k < a.n; k += LANES)
            n += belongs(p, i, kept(p.a.ja + a.at + k));
        store_length(p.c, i, sum_of_group(n));
    });
}

template <class T>
static __global__ void __launch_bounds__(THREADS) part_entries(const __grid_constant__ psb_dev_part p)
{
    const int lane = threadIdx.x % LANES;
    each_row(p.c.m, [&](psb_epk i) {
        const span a = source_of(p, i);
        psb_epk to = i < p.c.m ? kept(p.c.off + i) : 0;
        for (psb_epk k = lane; __any_sync(~0u, k - lane < a.n); k += LANES) {
            const psb_ipk j = k < a.n ? kept(p.a.ja + a.at + k) : 0;
            const bool is = k < a.n && belongs(p, i, j);
            const unsigned mask = ballot_of_group(is);
            if (is) {
                p.c.ja[to + count_before(mask)] = j - p.dj;
                ((T *)p.c.val)[to + count_before(mask)] = kept((const T *)p.a.val + a.at + k);
            }
            to += __popc(mask);
        }
    });
}

static psb_err part_rows(const psb_dev_part *p, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    if (p->c.m > 0)
        part_lengths<<<blocks_for((psb_epk)p->c.m * LANES), THREADS, 0, stream()>>>(*p);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), algebra));
    return sum_rows_up(p->c, found);
}

template <class T>
static psb_err part(const psb_dev_part *p)
{
    if (p->c.m > 0)
        part_entries<T><<<blocks_for((psb_epk)p->c.m * LANES), THREADS, 0, stream()>>>(*p);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- transposes ----------------------------------------------------------------------------------------- */

/* row[k], source[k] = the row of entry k, and k. */
static __global__ void __launch_bounds__(THREADS)
    number_entries(const __grid_constant__ psb_dev_compressed a, psb_ipk *row, unsigned *source)
{
    each_row(a.m, [&](psb_epk i) {
        const span l = row_of(a, i, a.m);
        for (psb_epk k = threadIdx.x % LANES; k < l.n; k += LANES) {
            row[l.at + k] = (psb_ipk)i;
            source[l.at + k] = (unsigned)(l.at + k);
        }
    });
}

/* Row pointers of nz entries ordered by rows: the thread of an entry writes those of the rows from the one
 * after its predecessor's to its own. */
static __global__ void __launch_bounds__(THREADS)
    mark_rows(psb_ipk m, psb_epk nz, const psb_ipk *__restrict__ row, psb_epk *off)
{
    for (psb_epk k = my_place(); k <= nz; k += all_places()) {
        const psb_epk last = k < nz ? row[k] : m;
        for (psb_epk i = k > 0 ? (psb_epk)row[k - 1] + 1 : 0; i <= last; i++)
            off[i] = k;
    }
}

template <bool CONJUGATE, class T>
static __global__ void __launch_bounds__(THREADS)
    move_entries(psb_epk nz, const psb_ipk *__restrict__ row, const unsigned *__restrict__ source,
                 const T *__restrict__ val, const __grid_constant__ psb_dev_compressed t)
{
    for (psb_epk k = my_place(); k < nz; k += all_places()) {
        const unsigned from = source[k];
        const T v = kept(val + from);
        t.ja[k] = kept(row + from);
        ((T *)t.val)[k] = CONJUGATE ? conjugate(v) : v;
    }
}

/* Sort the entries by columns, stably. */
template <class T>
static int transpose_entries(const psb_dev_compressed &a, psb_epk nz, bool conjugate,
                             const psb_dev_compressed &t, arena &d)
{
    psb_ipk *row = d.allocate<psb_ipk>(nz), *column = d.allocate<psb_ipk>(nz);
    unsigned *source = d.allocate<unsigned>(nz), *sorted = d.allocate<unsigned>(nz);
    const int bits = psb_bits_of(t.m > 2 ? t.m - 1 : 1);
    size_t bytes = 0;
    if (nz > INT32_MAX)
        return cudaErrorNotSupported;
    int e = cub::DeviceRadixSort::SortPairs(nullptr, bytes, a.ja, column, source, sorted, (int)nz, 0, bits,
                                            stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at)
        return e;
    if (nz > 0) {
        number_entries<<<blocks_for((psb_epk)a.m * LANES), THREADS, 0, stream()>>>(a, row, source);
        e = cub::DeviceRadixSort::SortPairs(own, bytes, a.ja, column, source, sorted, (int)nz, 0, bits,
                                            stream());
        if (e != cudaSuccess)
            return e;
        (conjugate ? move_entries<true, T>
                   : move_entries<false, T>)<<<blocks_for(nz), THREADS, 0, stream()>>>(nz, row, sorted,
                                                                                       (const T *)a.val, t);
    }
    mark_rows<<<blocks_for(nz + 1), THREADS, 0, stream()>>>(t.m, nz, column, t.off);
    return cudaGetLastError();
}

template <class T>
static psb_err transpose(const psb_dev_compressed *a, psb_epk nz, bool conjugate, const psb_dev_compressed *t)
{
    return with_memory(algebra, [=](arena &d) { return transpose_entries<T>(*a, nz, conjugate, *t, d); });
}

/* --- patterns ------------------------------------------------------------------------------------------- */

/* Add the terms of all entries to *sum, in any order: whole numbers have the same sum. */
static __global__ void __launch_bounds__(THREADS)
    add_pattern(const __grid_constant__ psb_dev_compressed a, number *sum)
{
    number mine = 0;
    each_row(a.m, [&](psb_epk i) {
        const span l = row_of(a, i, a.m);
        for (psb_epk k = threadIdx.x % LANES; k < l.n; k += LANES)
            mine += psb_pattern_term((psb_ipk)i, kept(a.ja + l.at + k));
    });
    for (int by = WARP / 2; by > 0; by /= 2)
        mine += __shfl_xor_sync(~0u, mine, by);
    if (threadIdx.x % WARP == 0)
        atomicAdd(sum, mine);
}

static psb_err pattern_sum(const psb_dev_compressed *a, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    if (a->m > 0)
        add_pattern<<<blocks_for((psb_epk)a->m * LANES), THREADS, 0, stream()>>>(*a, (number *)found);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- the table ------------------------------------------------------------------------------------------ */

template <class K, class T>
constexpr K algebra_steps()
{
    return { sum_rows, sum<dev<T>>, part_rows, part<dev<T>>, transpose<dev<T>>, pattern_sum };
}
PSB_CUDA_TABLES(algebra_steps)
