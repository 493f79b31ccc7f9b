/* ldu_kernels.cu -- cuda/kernels: incomplete factors in one launch: rows in the order of their levels
 * wait for the values of other rows (waiting.cuh); or, in a sweep, read those of the sweep before.  A group
 * of lanes computes a row, one entry of another row each.  Every element of a row is changed by the host's
 * operations in the host's order, with its roundings, so the results have the host's bits. */
#include <limits>
#include "convert_steps.cuh"
#include "load.cuh"
#include "rounded.cuh"
#include "waiting.cuh"

typedef unsigned long long number;

enum { ROW_THREADS = 128 };

template <class R>
constexpr R EPSILON = std::numeric_limits<R>::epsilon();

/* |a|, or for a complex number the largest modulus of its parts. */
template <class R>
static __device__ __forceinline__ R size_of(R a)
{
    return a < 0 ? -a : a;
}
template <class R>
static __device__ __forceinline__ R size_of(pair<R> a)
{
    return fmax(size_of(a.re), size_of(a.im));
}
template <class R>
static __device__ __forceinline__ R imaginary(R)
{
    return 0;
}
template <class R>
static __device__ __forceinline__ R imaginary(pair<R> a)
{
    return size_of(a.im);
}

template <class T>
static __device__ __forceinline__ T inverse_of(T d)
{
    return rounded::quotients<T>(d).of(from_real<T>(1));
}

/* The place of column j in cols[from .. n), which ascend, or -1. */
static __device__ __forceinline__ int place_of(const psb_ipk *cols, int from, int n, psb_ipk j)
{
    int end = n;
    while (from < end) {
        const int middle = (from + end) / 2;
        if (cols[middle] < j)
            from = middle + 1;
        else
            end = middle;
    }
    return from < n && cols[from] == j ? from : -1;
}

namespace
{
/* A row of A in the making, by the lanes of a group. */
template <int G, class T>
struct row {
    psb_ipk i;
    int n, nl, lane; /* entries that are used; those below the diagonal; of the group */
    const psb_ipk *cols;
    const T *val;
    T *w;

    __device__ __forceinline__ row(const psb_dev_ldu &a, psb_ipk at, T *own, psb_ipk *own_cols)
        : i(at), lane(threadIdx.x % G)
    {
        const psb_epk first = kept(a.a_irp + i);
        nl = (int)(kept(a.l_irp + i + 1) - kept(a.l_irp + i));
        n = a.cholesky ? nl + 1 : (int)(kept(a.a_irp + i + 1) - first);
        cols = a.a_ja + first;
        val = (const T *)a.a_val + first;
        const bool fits = n <= LDU_SHARED * G;
        w = fits ? own : (T *)a.row + first;
        for (int k = lane; k < n; k += G) {
            w[k] = kept(val + k);
            if (fits)
                own_cols[k] = kept(cols + k);
        }
        if (fits)
            cols = own_cols;
    }
    __device__ real_of<T> largest() const
    {
        real_of<T> most = 0;
        for (int k = 0; k < n; k++) {
            const real_of<T> v = size_of(kept(val + k));
            most = v > most || v != v ? v : most;
        }
        return most;
    }
};

/* The rows that the rows below the diagonal of a row are made from, one after the other: a lane knows every
 * G-th of them.  Entry 0 is the inverse of the pivot, the others are the entries of U or L. */
template <int G, class T>
struct others {
    const psb_epk *irp;
    psb_ipk c;          /* of this lane: row, */
    psb_epk first, end; /* and its entries */
    int k, at;          /* of the group: the row at hand, and the first entry that is still to be used */

    template <class Row>
    __device__ __forceinline__ others(const psb_epk *of, const Row &r) : irp(of), k(0), at(0)
    {
        open(r);
    }
    template <class Row>
    __device__ __forceinline__ void open(const Row &r)
    {
        c = 0;
        first = end = 0;
        if (k + r.lane < r.nl) {
            c = r.cols[k + r.lane];
            first = kept(irp + c);
            end = kept(irp + c + 1);
        }
    }
    /* The group has used its entries; returns whether those were the last ones of row k. */
    template <class Row>
    __device__ __forceinline__ bool advance(const Row &r, int n)
    {
        at += G;
        if (at <= n)
            return false;
        at = 0;
        if (++k % G == 0)
            open(r);
        return true;
    }
};
} // namespace

/* Report a pivot that is an error, or may be one, and one that was replaced. */
static __device__ void report(const psb_dev_ldu &a, psb_ipk i, bool bad, bool boosted)
{
    if (bad)
        atomicMin((number *)a.found, (number)i);
    if (boosted)
        atomicAdd((number *)a.found + 1, 1ull);
}

/* d, or the bound that replaces it in its direction. */
template <int G, class T>
static __device__ __forceinline__ T boost(const psb_dev_ldu &a, const row<G, T> &r, T d, bool &boosted)
{
    boosted = false;
    if (!(a.tiny > 0))
        return d;
    using R = real_of<T>;
    const R bound = rounded::mul((R)a.tiny, r.largest()), size = size_of(d);
    boosted = bound > 0 && size <= bound;
    return !boosted ? d : from_real<T>(size == 0 || a.cholesky || real(d) > 0 ? bound : -bound);
}

/* Was the square of the modulus of a complex pivot, by which it was inverted, out of range?  The host scales
 * it. */
template <class R>
static __device__ __forceinline__ bool square_overflows(R)
{
    return false;
}
template <class R>
static __device__ __forceinline__ bool square_overflows(pair<R> inv)
{
    return !rounded::is_moderate(size_of(inv));
}

/* --- ILU(0) --------------------------------------------------------------------------------------------- */

template <int G, class T>
static __device__ __forceinline__ void finish_ilu(const psb_dev_ldu &a, const row<G, T> &r)
{
    bool boosted;
    const T inv = inverse_of(boost(a, r, r.w[r.nl], boosted));
    T *u = (T *)a.u + kept(a.u_irp + r.i);
    if (r.lane == 0) {
        post((T *)a.inv + r.i, as_set(inv));
        report(a, r.i, is_zero(inv) || !is_finite(inv) || square_overflows(inv), boosted);
    }
    for (int k = r.nl + 1 + r.lane; k < r.n; k += G)
        post(u + (k - r.nl - 1), as_set(rounded::mul(r.w[k], inv)));
}

/* The rows of the groups of a warp, as far as they are open. */
template <bool WAITS, int G, class T>
static __device__ __forceinline__ void ilu_chunk(const psb_dev_ldu &a, const row<G, T> &r, bool open)
{
    const T *u = (const T *)(WAITS ? a.u : a.known), *inv = (const T *)(WAITS ? a.inv : a.known_inv),
            *x = inv;
    T *l = (T *)a.l + kept(a.l_irp + r.i);
    const int group = threadIdx.x % WARP / G * G;
    const unsigned mask = (~0u >> (WARP - G)) << group;
    others<G, T> o(a.u_irp, r);
    int place = -1;
    bool fresh = true, mine = false;
    while (__any_sync(~0u, open)) {
        const int from = group + o.k % G;
        const psb_ipk c = __shfl_sync(~0u, o.c, from);
        const psb_epk first = __shfl_sync(~0u, o.first, from);
        const int n = (int)(__shfl_sync(~0u, o.end, from) - first), e = o.at + r.lane;
        if (open && fresh) {
            mine = o.k < r.nl && e <= n;
            x = e == 0 ? inv + c : u + first + e - 1;
            place = mine && e > 0 ? place_of(r.cols, o.k + 1, r.n, kept(a.u_ja + first + e - 1)) : -1;
            mine &= e == 0 || place >= 0;
            fresh = false;
        }
        const T v = open && mine ? peek(x) : zero<T>();
        const unsigned late = __ballot_sync(~0u, WAITS && open && mine && is_unset(v));
        if (open && o.k < r.nl && !(late & mask)) {
            const T m = r.w[o.k];
            if (mine && e == 0)
                l[o.k] = rounded::mul(m, v);
            else if (mine)
                r.w[place] = rounded::sub(r.w[place], rounded::mul(m, v));
            o.advance(r, n);
            fresh = true;
        }
        __syncwarp();
        if (open && o.k == r.nl) {
            finish_ilu(a, r);
            open = false;
        }
    }
}

/* --- IC(0) ---------------------------------------------------------------------------------------------- */

template <int G, class T>
static __device__ __forceinline__ void finish_ic(const psb_dev_ldu &a, const row<G, T> &r, real_of<T> d)
{
    using R = real_of<T>;
    bool boosted;
    d = real(boost(a, r, from_real<T>(d), boosted));
    const R part = imaginary(kept(r.val + r.nl));
    const bool bad = !(d > 0 && is_finite(d)) || (part != 0 && !(part <= 2 * EPSILON<R> * r.largest()));
    if (r.lane == 0) {
        post((T *)a.inv + r.i, as_set(from_real<T>(inverse_of(d))));
        report(a, r.i, bad, boosted);
    }
}

/* sum minus the products of those lanes of the group that are `used`, in their order.  All lanes of the warp
 * must call this: its groups take the same turns.  mask: G bits. */
template <int G, class T>
static __device__ __forceinline__ T subtract_in_order(T sum, unsigned used, T product, int group,
                                                      unsigned mask)
{
    unsigned any = used;
    for (int by = G; by < WARP; by *= 2)
        any |= any >> by;
    for (any &= mask; any; any &= any - 1) {
        const int t = __ffs(any) - 1;
        const T p = from_lane(product, group + t);
        if (used >> (group + t) & 1)
            sum = rounded::sub(sum, p);
    }
    return sum;
}

template <bool WAITS, int G, class T>
static __device__ __forceinline__ void ic_chunk(const psb_dev_ldu &a, const row<G, T> &r, bool open)
{
    const T *known = (const T *)(WAITS ? a.l : a.known), *inv = (const T *)(WAITS ? a.inv : a.known_inv),
            *x = inv;
    T *l = (T *)a.l + kept(a.l_irp + r.i);
    const int group = threadIdx.x % WARP / G * G;
    const unsigned mask = ~0u >> (WARP - G);
    others<G, T> o(a.l_irp, r);
    int place = -1;
    bool fresh = true, mine = false;
    T sum = r.w[0], pivot = zero<T>();
    real_of<T> d = real(r.w[r.nl]);
    while (__any_sync(~0u, open)) {
        const int from = group + o.k % G;
        const psb_ipk c = __shfl_sync(~0u, o.c, from);
        const psb_epk end = __shfl_sync(~0u, o.end, from);
        const int n = (int)(end - __shfl_sync(~0u, o.first, from)), e = o.at + r.lane;
        if (open && fresh) {
            mine = o.k < r.nl && e <= n;
            x = e == 0 ? inv + c : known + end - e;
            place = mine && e > 0 ? place_of(r.cols, 0, o.k, kept(a.l_ja + end - e)) : -1;
            mine &= e == 0 || place >= 0;
            fresh = false;
        }
        const T v = open && mine ? peek(x) : zero<T>();
        const unsigned late = __ballot_sync(~0u, WAITS && open && mine && is_unset(v));
        const bool ready = open && !(late >> group & mask);
        const T product = ready && place >= 0 ? rounded::mul(r.w[place], conjugate(v)) : zero<T>();
        sum = subtract_in_order<G>(sum, __ballot_sync(~0u, ready && place >= 0), product, group, mask);
        const T v0 = from_lane(v, group);
        if (ready && o.k < r.nl) {
            const int k = o.k;
            pivot = o.at == 0 ? v0 : pivot;
            fresh = true;
            if (o.advance(r, n)) {
                const T value = rounded::mul(sum, pivot);
                d = rounded::sub(d, real(rounded::mul(value, conjugate(sum))));
                if (r.lane == 0) {
                    r.w[k] = sum;
                    post(l + k, as_set(value));
                }
                sum = r.w[k + 1];
            }
        }
        if (open && o.k == r.nl) {
            finish_ic(a, r, d);
            open = false;
        }
        __syncwarp();
    }
}

/* --- launches ------------------------------------------------------------------------------------------- */

template <bool CHOLESKY, bool WAITS, int G, class T>
static __global__ void __launch_bounds__(ROW_THREADS) all_rows(const __grid_constant__ psb_dev_ldu a)
{
    __shared__ T w[ROW_THREADS * LDU_SHARED];
    __shared__ psb_ipk cols[ROW_THREADS * LDU_SHARED];
    const int group = threadIdx.x / G;
    for (psb_epk first; (first = next_chunk((number *)a.found + 2) * (WARP / G)) < a.n;) {
        const psb_epk item = first + threadIdx.x % WARP / G;
        const bool open = item < a.n;
        const psb_ipk at = (psb_ipk)(open ? item : first);
        T *own = w + group * LDU_SHARED * G;
        const row<G, T> r(a, WAITS ? kept(a.order + at) : at, own, cols + group * LDU_SHARED * G);
        __syncwarp();
        if constexpr (CHOLESKY)
            ic_chunk<WAITS>(a, r, open);
        else
            ilu_chunk<WAITS>(a, r, open);
    }
}

template <bool CHOLESKY, bool WAITS, class T>
static int launch(const psb_dev_ldu &a, cudaStream_t stream)
{
    static void (*const kernel_of[])(
        const psb_dev_ldu) = { all_rows<CHOLESKY, WAITS, 4, T>, all_rows<CHOLESKY, WAITS, 8, T>,
                               all_rows<CHOLESKY, WAITS, 16, T>, all_rows<CHOLESKY, WAITS, 32, T> };
    const psb_epk chunks = ((psb_epk)a.n + WARP / a.lanes - 1) / (WARP / a.lanes);
    const int warps = psb_ldu_choice.warps ? psb_ldu_choice.warps : LDU_WARPS;
    int i = 0;
    while (i < 3 && 4 << i < a.lanes)
        i++;
    kernel_of[i]<<<waiting_blocks(chunks, warps, ROW_THREADS), ROW_THREADS, 0, stream>>>(a);
    return cudaGetLastError();
}

/* The values for which rows wait are set as not stored before. */
template <class T>
static int run(const psb_dev_ldu &a, cudaStream_t stream)
{
    int e = cudaMemsetAsync(a.found, PSB_UNSET_BYTE, 3 * sizeof *a.found, stream);
    if (e == cudaSuccess && !a.known)
        e = cudaMemsetAsync(a.inv, PSB_UNSET_BYTE, a.n * sizeof(T), stream);
    if (e == cudaSuccess && !a.known)
        e = cudaMemsetAsync(a.cholesky ? a.l : a.u, PSB_UNSET_BYTE, (size_t)a.nnz * sizeof(T), stream);
    if (e != cudaSuccess)
        return e;
    return a.cholesky ? (a.known ? launch<true, false, T> : launch<true, true, T>)(a, stream)
                      : (a.known ? launch<false, false, T> : launch<false, true, T>)(a, stream);
}

/* --- patterns: comparison with those of A --------------------------------------------------------------- */

enum { SHARERS = 8, MOST_BLOCKS = 1024 }; /* threads that compare a row; warps share a counter */

static __device__ bool same_columns(const psb_ipk *a, const psb_ipk *b, psb_epk n)
{
    bool same = true;
    for (psb_epk k = threadIdx.x % SHARERS; k < n; k += SHARERS)
        same &= a[k] == b[k];
    return same;
}

/* As far as this lane sees. */
static __device__ bool same_row(const psb_dev_ldu &a, psb_ipk i, psb_epk n)
{
    const psb_epk nl = a.l_irp[i + 1] - a.l_irp[i];
    const psb_ipk *ja = a.a_ja + a.a_irp[i];
    if (n <= nl || ja[nl] != i || !same_columns(ja, a.l_ja + a.l_irp[i], nl))
        return false;
    return a.cholesky || (a.u_irp[i + 1] - a.u_irp[i] == n - nl - 1 &&
                          same_columns(ja + nl + 1, a.u_ja + a.u_irp[i], n - nl - 1));
}

static __global__ void __launch_bounds__(THREADS) compare_rows(const __grid_constant__ psb_dev_ldu a)
{
    psb_epk longest = -1;
    for (psb_epk at = my_place(); at < (psb_epk)a.n * SHARERS; at += all_places()) {
        const psb_epk i = at / SHARERS;
        const psb_epk n = a.a_irp[i + 1] - a.a_irp[i];
        longest = max(longest, n);
        if (!same_row(a, (psb_ipk)i, n))
            atomicMin((number *)a.found, (number)i);
    }
    for (int by = WARP / 2; by > 0; by /= 2)
        longest = max(longest, __shfl_xor_sync(~0u, longest, by));
    if (threadIdx.x % WARP == 0 && longest >= 0)
        atomicMax((long long *)a.found + 1, (long long)longest);
}

/* --- the table ------------------------------------------------------------------------------------------ */

static psb_err compare(const psb_dev_ldu *a)
{
    static const char what[] = "patterns of factors";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(a->found, 0xff, PSB_FOUND * sizeof *a->found, stream()), what));
    const unsigned blocks = min(blocks_for((psb_epk)a->n * SHARERS), (unsigned)MOST_BLOCKS);
    if (a->n > 0)
        compare_rows<<<blocks, THREADS, 0, stream()>>>(*a);
    return psb_cudart_ok(cudaGetLastError(), what);
}

template <class T>
static psb_err values(const psb_dev_ldu *a)
{
    return psb_cudart_ok(run<T>(*a, stream()), "values of factors");
}

static psb_err set_to_zero(size_t bytes, void *p)
{
    return psb_cudart_ok(cudaMemsetAsync(p, 0, bytes, stream()), "values of a sweep");
}

template <class K, class T>
constexpr K ldu_kernels()
{
    return { compare, values<dev<T>>, set_to_zero };
}
PSB_CUDA_TABLES(ldu_kernels)
