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
constexpr int MOST_COUPLED = 64, COUNTING_BLOCKS = 1024; /* colours and blocks where couplings are counted */

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

/* --- selections ----------------------------------------------------------------------------------------- */

/* The entries of the row of A that becomes row i of C. */
static __device__ __forceinline__ span selected_of(const psb_dev_selection &s, psb_epk i)
{
    const psb_epk from = i < s.c.m ? s.rows ? (psb_epk)kept(s.rows + i) : i : 0;
    return row_of(s.a, from, i < s.c.m ? from + 1 : 0);
}

static __device__ __forceinline__ psb_ipk selected_place(const psb_dev_selection &s, psb_epk k)
{
    const psb_ipk j = kept(s.a.ja + k);
    return s.place ? kept(s.place + j) : j;
}

static __global__ void __launch_bounds__(THREADS)
    select_lengths(const __grid_constant__ psb_dev_selection s, psb_epk *found)
{
    each_row(s.c.m, [&](psb_epk i) {
        const span a = selected_of(s, i);
        psb_epk n = 0;
        for (psb_epk k = threadIdx.x % LANES; k < a.n; k += LANES)
            n += selected_place(s, a.at + k) >= 0;
        if (s.place && a.n > PSB_SELECTED)
            found[1] = 1;
        store_length(s.c, i, sum_of_group(n));
    });
}

/* Before an entry are those with smaller places, and those before it with the same one. */
template <class T>
static __global__ void __launch_bounds__(THREADS) select_entries(const __grid_constant__ psb_dev_selection s)
{
    each_row(s.c.m, [&](psb_epk i) {
        const span a = selected_of(s, i);
        const psb_epk to = i < s.c.m ? kept(s.c.off + i) : 0;
        for (psb_epk k = threadIdx.x % LANES; k < a.n; k += LANES) {
            const psb_ipk j = selected_place(s, a.at + k);
            psb_epk before = s.place ? 0 : k;
            for (psb_epk q = 0; s.place && q < a.n; q++) {
                const psb_ipk other = selected_place(s, a.at + q);
                before += other >= 0 && (other < j || (other == j && q < k));
            }
            if (j < 0)
                continue;
            s.c.ja[to + before] = j;
            ((T *)s.c.val)[to + before] = kept((const T *)s.a.val + a.at + k);
        }
    });
}

static psb_err select_rows(const psb_dev_selection *s, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    if (s->c.m > 0)
        select_lengths<<<blocks_for((psb_epk)s->c.m * LANES), THREADS, 0, stream()>>>(*s, found);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), algebra));
    return sum_rows_up(s->c, found);
}

template <class T>
static psb_err selected(const psb_dev_selection *s)
{
    if (s->c.m > 0)
        select_entries<T><<<blocks_for((psb_epk)s->c.m * LANES), THREADS, 0, stream()>>>(*s);
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

/* --- entries below a threshold -------------------------------------------------------------------------- */

/* The rank of an entry of modulus m; NaN comes first. */
static __device__ __forceinline__ number rank_by(double m)
{
    return ~((number)__double_as_longlong(m) & INT64_MAX);
}

/* The entries of row i of A. */
template <class T>
struct ranked_row {
    const psb_ipk *ja;
    const T *val;
    psb_epk i, n;
    bool diagonal;

    __device__ ranked_row(const psb_dev_pruned &p, psb_epk row) : i(row), diagonal(p.diagonal)
    {
        const span s = row_of(p.a, row, p.a.m);
        ja = p.a.ja + s.at;
        val = (const T *)p.a.val + s.at;
        n = s.n;
    }
    __device__ __forceinline__ bool is_open(psb_epk k) const
    {
        return !diagonal || kept(ja + k) != i;
    }
    __device__ __forceinline__ number rank(psb_epk k) const
    {
        return rank_by(modulus(kept(val + k)));
    }
    /* The number of open entries of a rank below r, counted by the group. */
    __device__ __forceinline__ psb_epk below(number r) const
    {
        psb_epk sum = 0;
        for (psb_epk k = threadIdx.x % LANES; k < n; k += LANES)
            sum += is_open(k) && rank(k) < r;
        return sum_of_group(sum);
    }
};

/* The modulus of the last entry on the diagonal, or 0; the 2-norm of a row, as the host computes it, by each
 * thread. */
template <class R, class T>
static __device__ R diagonal_of(const ranked_row<T> &l)
{
    psb_epk k = first_from(l.ja, 1, l.n, l.i + 1);
    return k > 0 && kept(l.ja + k - 1) == l.i ? (R)modulus(kept(l.val + k - 1)) : 0;
}
template <class R, class T>
static __device__ R norm_of(const ranked_row<T> &l)
{
    R most = 0, sum = 0;
    for (psb_epk k = 0; k < l.n; k++) {
        const R m = (R)modulus(kept(l.val + k));
        most = m > most || m != m ? m : most;
    }
    for (psb_epk k = 0; k < l.n && most > 0; k++) {
        const R q = rounded::div((R)modulus(kept(l.val + k)), most);
        sum = rounded::add(sum, rounded::mul(q, q));
    }
    return most > 0 && sum == sum ? rounded::mul(most, (R)__dsqrt_rn((double)sum)) : most;
}

/* The largest rank below which fewer than `most` >= 1 open entries are, bit by bit.  All lanes of the warp
 * call this. */
template <class T>
static __device__ number bound_of_count(const ranked_row<T> &l, psb_epk most)
{
    number bound = 1ull << 63;
    for (int bit = 62; bit >= 0; bit--) {
        const number next = bound | 1ull << bit;
        bound = l.below(next) < most ? next : bound;
    }
    return bound;
}

/* The same for any `most`: bound and ties. */
template <class T>
static __device__ void count_off(const ranked_row<T> &l, psb_epk most, number *bound, psb_epk *ties)
{
    if (!__any_sync(~0u, most < l.n))
        return;
    const number b = bound_of_count(l, most > 0 ? most : 1);
    const psb_epk before = l.below(b);
    if (most < l.n) {
        *bound = most > 0 ? b : 0;
        *ties = most > 0 ? most - before : 0;
    }
}

/* The modulus above which entries stay. */
template <class R, class T>
static __device__ R least_of(const ranked_row<T> &l, int rule, R t)
{
    if (rule == PSB_PRUNE_VALUE || !(t > 0))
        return t;
    return rounded::mul(t, rule == PSB_PRUNE_ROW ? norm_of<R>(l) : diagonal_of<R>(l));
}

template <class T, class R>
static __global__ void __launch_bounds__(THREADS)
    set_bounds(const __grid_constant__ psb_dev_pruned p, int rule, R t)
{
    each_row(p.a.m, [&](psb_epk i) {
        const ranked_row<T> l(p, i);
        number bound = ~0ull; /* and all ties: all stay */
        psb_epk ties = INT64_MAX;
        if (rule == PSB_PRUNE_COUNT) {
            count_off(l, (double)t < (double)l.n ? (psb_epk)t : l.n, &bound, &ties);
        } else {
            const R least = least_of(l, rule, t);
            bound = least == least ? rank_by((double)least) : bound;
            ties = least == least ? 0 : ties;
        }
        if (i < p.a.m && threadIdx.x % LANES == 0) {
            p.bound[i] = bound;
            p.ties[i] = ties;
        }
    });
}

template <class T, class R>
static psb_err bounds(const psb_dev_pruned *p, enum psb_prune rule, R t)
{
    if (p->a.m > 0)
        set_bounds<T, R><<<blocks_for((psb_epk)p->a.m * LANES), THREADS, 0, stream()>>>(*p, rule, t);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* equal[i] = the open entries of row i of rank `bound`. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    count_equal(const __grid_constant__ psb_dev_pruned p, number bound, psb_epk *equal)
{
    each_row(p.a.m, [&](psb_epk i) {
        const ranked_row<T> l(p, i);
        psb_epk n = 0;
        for (psb_epk k = threadIdx.x % LANES; k < l.n; k += LANES)
            n += l.is_open(k) && l.rank(k) == bound;
        n = sum_of_group(n);
        if (i < p.a.m && threadIdx.x % LANES == 0)
            equal[i] = n;
    });
}

/* equal: its prefix sums. */
static __global__ void __launch_bounds__(THREADS)
    share_ties(const __grid_constant__ psb_dev_pruned p, number bound, psb_epk left, const psb_epk *equal)
{
    for (psb_epk i = my_place(); i < p.a.m; i += all_places()) {
        const psb_epk before = i > 0 ? equal[i - 1] : 0;
        p.bound[i] = bound;
        p.ties[i] = before < left ? left - before : 0;
    }
}

template <class T>
static int share_rows(const psb_dev_pruned &p, number bound, psb_epk left, arena &d)
{
    psb_epk *equal = d.allocate<psb_epk>(p.a.m);
    if (d.at && p.a.m > 0)
        count_equal<T><<<blocks_for((psb_epk)p.a.m * LANES), THREADS, 0, stream()>>>(p, bound, equal);
    const int e = sum_up(equal, p.a.m, d);
    if (e != cudaSuccess || !d.at || p.a.m == 0)
        return e;
    share_ties<<<blocks_for(p.a.m), THREADS, 0, stream()>>>(p, bound, left, equal);
    return cudaGetLastError();
}

template <class T>
static psb_err share(const psb_dev_pruned *p, uint64_t bound, psb_epk left)
{
    return with_memory(algebra, [=](arena &d) { return share_rows<T>(*p, bound, left, d); });
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    count_ranks(const __grid_constant__ psb_dev_pruned p, int shift, number begin, number *count)
{
    __shared__ unsigned n[256];
    n[threadIdx.x] = 0;
    __syncthreads();
    each_row(p.a.m, [&](psb_epk i) {
        const ranked_row<T> l(p, i);
        for (psb_epk k = threadIdx.x % LANES; k < l.n; k += LANES)
            if (l.is_open(k) && (shift == 56 || l.rank(k) >> (shift + 8) == begin))
                atomicAdd(n + (l.rank(k) >> shift & 255), 1u);
    });
    __syncthreads();
    if (n[threadIdx.x] > 0)
        atomicAdd(count + threadIdx.x, (number)n[threadIdx.x]);
}

template <class T>
static psb_err ranks(const psb_dev_pruned *p, int shift, uint64_t begin, psb_epk *count)
{
    static_assert(THREADS == 256, "a thread for each byte");
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(count, 0, 256 * sizeof *count, stream()), algebra));
    if (p->a.m > 0)
        count_ranks<T><<<blocks_for((psb_epk)p->a.m * LANES), THREADS, 0, stream()>>>(*p, shift, begin,
                                                                                      (number *)count);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* Call put(at, k) for the entries k of the row that stay, at = 0, 1, ...; returns their number.  All lanes of
 * the warp call this. */
template <class T, class F>
static __device__ __forceinline__ psb_epk each_kept(const psb_dev_pruned &p, const ranked_row<T> &l, F put)
{
    const bool is_row = l.i < p.a.m;
    const number bound = is_row ? kept((const unsigned long long *)p.bound + l.i) : 0;
    const psb_epk ties = is_row ? kept(p.ties + l.i) : 0;
    psb_epk at = 0, equal = 0;
    for (psb_epk k = threadIdx.x % LANES; __any_sync(~0u, k - threadIdx.x % LANES < l.n); k += LANES) {
        const bool open = k < l.n && l.is_open(k);
        const number r = open ? l.rank(k) : 0;
        const unsigned tied = ballot_of_group(open && r == bound);
        const bool stays = open ? r < bound || (r == bound && equal + count_before(tied) < ties) : k < l.n;
        const unsigned all = ballot_of_group(stays);
        if (stays)
            put(at + count_before(all), k);
        at += __popc(all);
        equal += __popc(tied);
    }
    return at;
}

template <class T>
static __global__ void __launch_bounds__(THREADS) prune_lengths(const __grid_constant__ psb_dev_pruned p)
{
    each_row(p.a.m, [&](psb_epk i) {
        store_length(p.c, i, each_kept(p, ranked_row<T>(p, i), [](psb_epk, psb_epk) {}));
    });
}

template <class T>
static __global__ void __launch_bounds__(THREADS) prune_entries(const __grid_constant__ psb_dev_pruned p)
{
    each_row(p.a.m, [&](psb_epk i) {
        const ranked_row<T> l(p, i);
        const psb_epk to = i < p.a.m ? kept(p.c.off + i) : 0;
        each_kept(p, l, [&](psb_epk at, psb_epk k) {
            p.c.ja[to + at] = kept(l.ja + k);
            ((T *)p.c.val)[to + at] = kept(l.val + k);
        });
    });
}

template <class T>
static psb_err prune_rows(const psb_dev_pruned *p, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    if (p->c.m > 0)
        prune_lengths<T><<<blocks_for((psb_epk)p->c.m * LANES), THREADS, 0, stream()>>>(*p);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), algebra));
    return sum_rows_up(p->c, found);
}

template <class T>
static psb_err prune(const psb_dev_pruned *p)
{
    if (p->c.m > 0)
        prune_entries<T><<<blocks_for((psb_epk)p->c.m * LANES), THREADS, 0, stream()>>>(*p);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- masks ---------------------------------------------------------------------------------------------- */

/* Sums that the host begins with 0 are never -0. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    mask_entries(const __grid_constant__ psb_dev_sum s, psb_epk *found)
{
    each_row(s.c.m, [&](psb_epk i) {
        const span a = row_of(s.a, i, s.c.m), b = row_of(s.b, i, s.c.m);
        const psb_ipk *ja = s.a.ja + a.at, *jb = s.b.ja + b.at;
        if (i < s.c.m && threadIdx.x % LANES == 0)
            s.c.off[i + 1] = b.at + b.n;
        for (psb_epk k = threadIdx.x % LANES; k < b.n; k += LANES) {
            const psb_ipk j = kept(jb + k);
            const psb_epk q = place_in(ja, a.n, k, j);
            if (k > 0 && kept(jb + k - 1) == j)
                found[0] = 1;
            s.c.ja[b.at + k] = j;
            ((T *)s.c.val)[b.at + k] = is_at(ja, a.n, q, j)
                                           ? rounded::add(zero<T>(), kept((const T *)s.a.val + a.at + q))
                                           : zero<T>();
        }
    });
}

template <class T>
static psb_err masked(const psb_dev_sum *s, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(s->c.off, 0, sizeof *s->c.off, stream()), algebra));
    if (s->c.m > 0)
        mask_entries<T><<<blocks_for((psb_epk)s->c.m * LANES), THREADS, 0, stream()>>>(*s, found);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- Kronecker products --------------------------------------------------------------------------------- */

/* Row i of A becomes k rows of C. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    multiply_by_block(const __grid_constant__ psb_dev_compressed a, psb_ipk k, psb_ipk l,
                      const T *__restrict__ block, const __grid_constant__ psb_dev_compressed c,
                      psb_epk *found)
{
    each_row(a.m, [&](psb_epk i) {
        const span s = row_of(a, i, a.m);
        const psb_epk length = s.n * l, to = s.at * k * l;
        for (psb_epk r = threadIdx.x % LANES; i < a.m && r < k; r += LANES)
            c.off[i * k + r + 1] = to + (r + 1) * length;
        for (psb_epk e = threadIdx.x % LANES + 1; e < s.n; e += LANES)
            if (kept(a.ja + s.at + e - 1) == kept(a.ja + s.at + e))
                found[0] = 1;
        for (psb_epk q = threadIdx.x % LANES; q < length * k; q += LANES) {
            const psb_epk r = q / length, e = s.at + q % length / l;
            const psb_ipk column = (psb_ipk)(q % length % l);
            c.ja[to + q] = kept(a.ja + e) * l + column;
            ((T *)c.val)[to + q] = rounded::mul(kept((const T *)a.val + e), kept(block + r * l + column));
        }
    });
}

template <class T>
static psb_err kron(const psb_dev_compressed *a, psb_ipk k, psb_ipk l, const void *block,
                    const psb_dev_compressed *c, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), algebra));
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(c->off, 0, sizeof *c->off, stream()), algebra));
    if (a->m > 0)
        multiply_by_block<T><<<blocks_for((psb_epk)a->m * LANES), THREADS, 0, stream()>>>(
            *a, k, l, (const T *)block, *c, found);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- couplings of colours ------------------------------------------------------------------------------- */

/* Blocks count in shared memory, and add whole numbers, so that their order does not matter. */
static __global__ void __launch_bounds__(THREADS)
    add_couplings(const __grid_constant__ psb_dev_compressed a, const psb_ipk *colour, int m, number *w)
{
    __shared__ number own[MOST_COUPLED * MOST_COUPLED];
    for (int k = threadIdx.x; k < m * m; k += THREADS)
        own[k] = 0;
    __syncthreads();
    each_row(a.m, [&](psb_epk i) {
        const span l = row_of(a, i, a.m);
        const int row = i < a.m ? kept(colour + i) * m : 0;
        for (psb_epk k = threadIdx.x % LANES; k < l.n; k += LANES)
            atomicAdd(own + row + kept(colour + kept(a.ja + l.at + k)), 1);
    });
    __syncthreads();
    for (int k = threadIdx.x; k < m * m; k += THREADS)
        if (own[k] > 0)
            atomicAdd(w + k, own[k]);
}

static psb_err couplings(const psb_dev_compressed *a, const psb_ipk *colour, int m, psb_epk *w)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(w, 0, (size_t)m * m * sizeof *w, stream()), algebra));
    const int each = blocks_for((psb_epk)a->m * LANES), n = each < COUNTING_BLOCKS ? each : COUNTING_BLOCKS;
    if (a->m > 0)
        add_couplings<<<n, THREADS, 0, stream()>>>(*a, colour, m, (number *)w);
    return psb_cudart_ok(cudaGetLastError(), algebra);
}

/* --- the table ------------------------------------------------------------------------------------------ */

template <class K, class T>
constexpr K algebra_steps()
{
    return { sum_rows,          sum<dev<T>>,   part_rows,          part<dev<T>>,
             transpose<dev<T>>, pattern_sum,   psb_colours_cuda,   bounds<dev<T>, real_of<dev<T>>>,
             share<dev<T>>,     ranks<dev<T>>, prune_rows<dev<T>>, prune<dev<T>>,
             masked<dev<T>>,    kron<dev<T>>,  select_rows,        selected<dev<T>>,
             couplings };
}
PSB_CUDA_TABLES(algebra_steps)
