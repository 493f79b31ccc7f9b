/* ldu_kernels.cu -- cuda/kernels: incomplete factors in one launch: rows in the order of their levels
 * wait for the values of other rows (waiting.cuh); or, in a sweep, read those of the sweep before.  A group
 * of lanes, or a block of threads where rows are long, computes a row, one entry of another row each.  Every
 * element of a row is changed by the host's operations in the host's order, with its roundings, so the
 * results have the host's bits. */
#define PSB_EVERYWHERE static __host__ __device__ inline
#include <limits>
#include "convert_steps.cuh"
#include "load.cuh"
#include "pattern_term.h"
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

/* The first place in cols[from .. n), which ascend, of column j or of one behind it; n: there is none. */
static __device__ __forceinline__ int first_not_before(const psb_ipk *cols, int from, int n, psb_ipk j)
{
    int end = n;
    while (from < end) {
        const int middle = (from + end) / 2;
        if (cols[middle] < j)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The place of column j there, or -1. */
static __device__ __forceinline__ int place_of(const psb_ipk *cols, int from, int n, psb_ipk j)
{
    const int at = first_not_before(cols, from, n, j);
    return at < n && cols[at] == j ? at : -1;
}

/* The entries of a row for which G lanes have shared memory: psb_ldu_fits. */
template <int G>
constexpr int FITS = G *(G > WARP ? LDU_SHARED_BLOCK : LDU_SHARED);

/* Of the warp that has the group, or of the block that is one. */
template <int G>
static __device__ __forceinline__ void sync_group()
{
    if constexpr (G > WARP)
        __syncthreads();
    else
        __syncwarp();
}

namespace
{
/* A row in the making, by the lanes of a group: its columns in the order of L, D and U, and its elements, at
 * first those of A. */
template <int G, class T>
struct row {
    psb_ipk i;
    int n, nl, lane; /* entries; those below the diagonal; of the group */
    psb_ipk *cols;
    T *w;
    const T *val; /* of A: nval elements that are used */
    int nval;

    /* All lanes of the warp, or of the block, must call this. */
    __device__ __forceinline__ row(const psb_dev_ldu &a, psb_ipk at, T *own, psb_ipk *own_cols)
        : i(at), lane(threadIdx.x % G)
    {
        const psb_epk first = kept(a.a_irp + i), l = kept(a.l_irp + i),
                      u = a.cholesky ? 0 : kept(a.u_irp + i);
        const psb_ipk *ja = a.a_ja + first;
        nl = (int)(kept(a.l_irp + i + 1) - l);
        n = nl + 1 + (a.cholesky ? 0 : (int)(kept(a.u_irp + i + 1) - u));
        nval = (int)(kept(a.a_irp + i + 1) - first);
        if (a.cholesky)
            nval = first_not_before(ja, 0, nval, i + 1);
        val = (const T *)a.a_val + first;
        const bool fits = n <= FITS<G>, filled = nval < n;
        w = fits ? own : (T *)a.row + (l + u + i);
        cols = fits ? own_cols : a.row_ja + (l + u + i);
        for (int k = lane; k < n; k += G) {
            cols[k] = k < nl ? kept(a.l_ja + l + k) : k == nl ? i : kept(a.u_ja + u + (k - nl - 1));
            w[k] = filled ? zero<T>() : kept(val + k);
        }
        sync_group<G>();
        for (int k = lane; filled && k < nval; k += G) {
            const int place = place_of(cols, 0, n, kept(ja + k));
            if (place >= 0)
                w[place] = kept(val + k);
        }
        sync_group<G>();
    }
    __device__ real_of<T> largest() const
    {
        real_of<T> most = 0;
        for (int k = 0; k < nval; k++) {
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

/* An entry of row k of the others, by which a lane changes the element at `place`; or the inverse of its
 * pivot. */
template <class T>
struct entry {
    const T *x; /* NULL: there is none */
    T v;        /* *x, as far as it was known */
    int k, place;
    psb_ipk j; /* its column if place is SEARCHED */
};
enum { PIVOT = -1, SEARCHED = -2 };

/* The entry of this lane in row c of U, n entries from `first` on, at the place of o.  Most places are
 * searched in the row; but where that is much shorter, its columns are searched in row c.  *many: entries to
 * be used. */
template <int G, class T>
static __device__ __forceinline__ entry<T> entry_of(const psb_ipk *u_ja, const T *u, const T *inv,
                                                    const row<G, T> &r, const others<G, T> &o, psb_ipk c,
                                                    psb_epk first, int n, int *many)
{
    entry<T> s = { NULL, zero<T>(), o.k, PIVOT, 0 };
    const int left = r.n - o.k - 1, e = o.at + r.lane;
    const bool reversed = n / LDU_SEARCH > left;
    *many = reversed ? left : n;
    if (o.k >= r.nl || e > *many)
        return s;
    if (e == 0) {
        s.x = inv + c;
    } else if (reversed) {
        s.place = o.k + e;
        const int at = place_of(u_ja + first, 0, n, r.cols[s.place]);
        s.x = at < 0 ? NULL : u + first + at;
    } else {
        s.place = SEARCHED;
        s.j = kept(u_ja + first + (e - 1));
        s.x = u + first + (e - 1);
    }
    if (s.x)
        s.v = peek(s.x);
    return s;
}

template <int G, class T>
static __device__ __forceinline__ void find_place(const row<G, T> &r, entry<T> &s)
{
    if (s.place != SEARCHED)
        return;
    s.place = place_of(r.cols, s.k + 1, r.n, s.j);
    s.x = s.place < 0 ? NULL : s.x;
}

/* The rows of the groups of a warp, as far as they are open.  The entries after those at hand are loaded
 * ahead, and their places searched where these are waited for. */
template <bool WAITS, int G, class T>
static __device__ __forceinline__ void ilu_chunk(const psb_dev_ldu &a, const row<G, T> &r, bool open)
{
    const T *u = (const T *)(WAITS ? a.u : a.known), *inv = (const T *)(WAITS ? a.inv : a.known_inv);
    T *l = (T *)a.l + kept(a.l_irp + r.i);
    const int group = threadIdx.x % WARP / G * G;
    const unsigned mask = (~0u >> (WARP - G)) << group;
    others<G, T> o(a.u_irp, r);
    entry<T> s, next = { NULL, zero<T>(), -1, PIVOT, 0 };
    bool fresh = true;
    while (__any_sync(~0u, open)) {
        const int from = group + o.k % G;
        const psb_ipk c = __shfl_sync(~0u, o.c, from);
        const psb_epk first = __shfl_sync(~0u, o.first, from);
        const int n = (int)(__shfl_sync(~0u, o.end, from) - first);
        if (open && fresh) {
            int many;
            s = next;
            next = entry_of(a.u_ja, u, inv, r, o, c, first, n, &many);
            o.advance(r, many);
            find_place(r, s);
            fresh = false;
        }
        const bool waits = WAITS && open && s.x && is_unset(s.v);
        if (waits)
            s.v = peek(s.x);
        const unsigned late = __ballot_sync(~0u, waits && is_unset(s.v));
        if (open && s.k < r.nl && !(late & mask)) {
            if (s.x) {
                const T m = r.w[s.k];
                if (s.place == PIVOT)
                    l[s.k] = rounded::mul(m, s.v);
                else
                    r.w[s.place] = rounded::sub(r.w[s.place], rounded::mul(m, s.v));
            }
            fresh = true;
        } else if (open) {
            find_place(r, next);
        }
        __syncwarp();
        if (open && s.k == r.nl) {
            finish_ilu(a, r);
            open = false;
        }
    }
}

/* --- ILU(0), a row by a block --------------------------------------------------------------------------- */

template <bool WAITS, class T>
static __device__ __forceinline__ T arrived(const T *x, T v)
{
    while (WAITS && is_unset(v))
        v = peek(x);
    return v;
}

/* Row c of U, and its entry of this lane. */
template <class T>
struct source {
    psb_epk first;
    int n;
    psb_ipk j;
    T v;

    template <class Row>
    __device__ __forceinline__ void open(const psb_epk *irp, const Row &r, int k)
    {
        first = 0;
        n = 0;
        if (k >= r.nl)
            return;
        first = kept(irp + r.cols[k]);
        n = (int)(kept(irp + r.cols[k] + 1) - first);
    }
    __device__ __forceinline__ void load(const psb_ipk *ja, const T *u, int lane)
    {
        if (lane >= n)
            return;
        j = kept(ja + first + lane);
        v = peek(u + first + lane);
    }
};

/* Subtract m times row k of the others. */
template <bool WAITS, int G, class T>
static __device__ __forceinline__ void subtract_source(const psb_ipk *u_ja, const T *u, const row<G, T> &r,
                                                       int k, const source<T> &c)
{
    const T m = r.w[k];
    if (c.n / LDU_SEARCH > r.n - k - 1) {
        for (int place = k + 1 + r.lane; place < r.n; place += G) {
            const int at = place_of(u_ja + c.first, 0, c.n, r.cols[place]);
            if (at >= 0) {
                const T *x = u + c.first + at;
                r.w[place] = rounded::sub(r.w[place], rounded::mul(m, arrived<WAITS>(x, peek(x))));
            }
        }
        return;
    }
    for (int e = r.lane; e < c.n; e += G) {
        const T *x = u + c.first + e, v = e == r.lane ? c.v : peek(x);
        const int place = place_of(r.cols, k + 1, r.n, e == r.lane ? c.j : kept(u_ja + c.first + e));
        if (place >= 0)
            r.w[place] = rounded::sub(r.w[place], rounded::mul(m, arrived<WAITS>(x, v)));
    }
}

/* The entries of the next row of the others are loaded ahead, and the length of that after it. */
template <bool WAITS, int G, class T>
static __device__ __forceinline__ void ilu_by_block(const psb_dev_ldu &a, const row<G, T> &r)
{
    const T *u = (const T *)(WAITS ? a.u : a.known), *inv = (const T *)(WAITS ? a.inv : a.known_inv);
    T *l = (T *)a.l + kept(a.l_irp + r.i);
    source<T> c, next, after;
    c.open(a.u_irp, r, 0);
    c.load(a.u_ja, u, r.lane);
    next.open(a.u_irp, r, 1);
    for (int k = 0; k < r.nl; k++) {
        after.open(a.u_irp, r, k + 2);
        next.load(a.u_ja, u, r.lane);
        subtract_source<WAITS>(a.u_ja, u, r, k, c);
        c = next;
        next = after;
        __syncthreads();
    }
    finish_ilu(a, r);
    for (int k = r.lane; k < r.nl; k += G) {
        const T *x = inv + r.cols[k];
        l[k] = rounded::mul(r.w[k], arrived<WAITS>(x, peek(x)));
    }
}

/* --- IC(0) ---------------------------------------------------------------------------------------------- */

template <int G, class T>
static __device__ __forceinline__ void finish_ic(const psb_dev_ldu &a, const row<G, T> &r, real_of<T> d)
{
    using R = real_of<T>;
    bool boosted;
    d = real(boost(a, r, from_real<T>(d), boosted));
    const R part = imaginary(r.w[r.nl]);
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
    T sum = r.w[0], pivot = zero<T>(), v = pivot;
    real_of<T> d = real(r.w[r.nl]);
    while (__any_sync(~0u, open)) {
        const int from = group + o.k % G;
        const psb_ipk c = __shfl_sync(~0u, o.c, from);
        const psb_epk end = __shfl_sync(~0u, o.end, from);
        const int n = (int)(end - __shfl_sync(~0u, o.first, from)), e = o.at + r.lane;
        if (open && fresh) {
            mine = o.k < r.nl && e <= n;
            x = e == 0 ? inv + c : known + end - e;
            v = mine ? peek(x) : zero<T>();
            place = mine && e > 0 ? place_of(r.cols, 0, o.k, kept(a.l_ja + end - e)) : -1;
            mine &= e == 0 || place >= 0;
            fresh = false;
        } else if (WAITS && open && mine && is_unset(v)) {
            v = peek(x);
        }
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
    __shared__ T w[ROW_THREADS / G * FITS<G>];
    __shared__ psb_ipk cols[ROW_THREADS / G * FITS<G>];
    const int group = threadIdx.x / G;
    for (psb_epk first; (first = next_chunk((number *)a.found + 2) * (WARP / G)) < a.n;) {
        const psb_epk item = first + threadIdx.x % WARP / G;
        const bool open = item < a.n;
        const psb_ipk at = (psb_ipk)(open ? item : first);
        const row<G, T> r(a, WAITS ? kept(a.order + at) : at, w + group * FITS<G>, cols + group * FITS<G>);
        if constexpr (CHOLESKY)
            ic_chunk<WAITS>(a, r, open);
        else
            ilu_chunk<WAITS>(a, r, open);
    }
}

/* A block computes a row of ILU. */
template <bool WAITS, int G, class T>
static __global__ void __launch_bounds__(G) long_rows(const __grid_constant__ psb_dev_ldu a)
{
    __shared__ T w[FITS<G>];
    __shared__ psb_ipk cols[FITS<G>];
    __shared__ psb_epk item;
    for (;;) {
        if (threadIdx.x == 0)
            item = (psb_epk)(atomicAdd((number *)a.found + 2, 1ull) + 1);
        __syncthreads();
        const psb_epk at = item;
        if (at >= a.n)
            return;
        const row<G, T> r(a, WAITS ? kept(a.order + at) : (psb_ipk)at, w, cols);
        ilu_by_block<WAITS>(a, r);
        __syncthreads();
    }
}

template <bool CHOLESKY, bool WAITS, class T>
static int launch(const psb_dev_ldu &a, cudaStream_t stream)
{
    static void (*const kernel_of[])(const psb_dev_ldu) = {
        all_rows<CHOLESKY, WAITS, 4, T>,  all_rows<CHOLESKY, WAITS, 8, T>, all_rows<CHOLESKY, WAITS, 16, T>,
        all_rows<CHOLESKY, WAITS, 32, T>, long_rows<WAITS, 64, T>,         long_rows<WAITS, 128, T>
    };
    const int most = CHOLESKY ? 3 : 5, each = a.lanes < WARP ? WARP / a.lanes : 1;
    const int threads = a.lanes > WARP ? a.lanes : ROW_THREADS;
    const int warps = psb_ldu_choice.warps ? psb_ldu_choice.warps : LDU_WARPS;
    /* chunks of a warp, so that there is a block for each row */
    const psb_epk chunks = ((psb_epk)a.n + each - 1) / each * (a.lanes > WARP ? a.lanes / WARP : 1);
    int i = 0;
    while (i < most && 4 << i < a.lanes)
        i++;
    kernel_of[i]<<<waiting_blocks(chunks, warps, threads), threads, 0, stream>>>(a);
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

/* --- the pattern of A ----------------------------------------------------------------------------------- */

enum { SHARERS = 8, MOST_BLOCKS = 1024 }; /* threads that read a row; warps share the results */

static __global__ void __launch_bounds__(THREADS) hash_rows(const __grid_constant__ psb_dev_ldu a)
{
    psb_epk longest = 0;
    number hash = 0;
    for (psb_epk at = my_place(); at < (psb_epk)a.n * SHARERS; at += all_places()) {
        const psb_epk i = at / SHARERS, end = a.a_irp[i + 1];
        const psb_epk nu = a.cholesky ? 0 : a.u_irp[i + 1] - a.u_irp[i];
        longest = max(longest, a.l_irp[i + 1] - a.l_irp[i] + 1 + nu);
        for (psb_epk k = a.a_irp[i] + threadIdx.x % SHARERS; k < end; k += SHARERS)
            hash += psb_pattern_term((psb_ipk)i, a.a_ja[k]);
    }
    for (int by = WARP / 2; by > 0; by /= 2) {
        longest = max(longest, __shfl_xor_sync(~0u, longest, by));
        hash += __shfl_xor_sync(~0u, hash, by);
    }
    if (threadIdx.x % WARP == 0) {
        atomicAdd((number *)a.found, hash);
        atomicMax((long long *)a.found + 1, (long long)longest);
    }
}

/* --- the table ------------------------------------------------------------------------------------------ */

static psb_err hash_pattern(const psb_dev_ldu *a)
{
    static const char what[] = "pattern of a matrix to factor";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(a->found, 0, PSB_FOUND * sizeof *a->found, stream()), what));
    const unsigned blocks = min(blocks_for((psb_epk)a->n * SHARERS), (unsigned)MOST_BLOCKS);
    if (a->n > 0)
        hash_rows<<<blocks, THREADS, 0, stream()>>>(*a);
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
    return { hash_pattern, values<dev<T>>, set_to_zero };
}
PSB_CUDA_TABLES(ldu_kernels)
