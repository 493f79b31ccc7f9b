/* triangle_kernels.cu -- cuda/kernels: triangular solves in one launch: rows in the order of their
 * levels wait for the rows that they need (waiting.cuh).  A row is solved by a thread, or, if it is long, by
 * a warp, whose lanes read its x.  Every row adds its entries in the order in which the host
 * adds them, with the host's roundings, so the results have the host's bits.
 *
 * The solution is kept by places, in the order of levels: neighbouring threads then need neighbouring
 * elements.  A warp that is far ahead of the solution waits for one element only, so that many waiting warps
 * do not occupy the caches. */
#include "tables.cuh"
#include "load.cuh"
#include "rounded.cuh"
#include "waiting.cuh"

typedef unsigned long long number;

enum { WARP = 32, THREADS = 128 };

/* Set from, to to the entries off the diagonal of row i, at a place, and return the sum of those on it; 1 if
 * unit. */
template <class T>
static __device__ __forceinline__ T split_row(const psb_dev_triangle &a, psb_ipk place, psb_ipk i,
                                              psb_epk &from, psb_epk &to)
{
    const T *val = (const T *)a.val;
    T diagonal = zero<T>();
    from = kept(a.irp + i);
    to = kept(a.irp + i + 1);
    if (a.unit)
        return from_real<T>(1);
    while (from < to && kept(a.column + (a.upper ? from : to - 1)) == place)
        diagonal = rounded::add(diagonal, kept(val + (a.upper ? from++ : --to)));
    return diagonal;
}

namespace
{
/* The arguments of a solve; w: the solution by places, all bits 1 at first. */
template <class T>
struct solve {
    psb_dev_triangle a;
    psb_ipk k;
    T alpha, beta;
    const T *x, *left, *right;
    T *y, *w;
    number *taken;
    int lead;
};

/* Column c of the row at a place: its sum so far, and the entries that are still to be added, from `at` on,
 * `step` apart. */
template <class T>
struct row {
    psb_ipk i, c;
    int step;
    psb_epk at, left;
    T *x; /* where its solution is stored for other rows */
    T sum;
    rounded::quotients<T> by_diagonal;

    __device__ __forceinline__ row(const solve<T> &q, psb_epk item)
        : row(q, item, (psb_ipk)(q.k == 1 ? item : item / q.k))
    {
    }
    __device__ __forceinline__ row(const solve<T> &q, psb_epk item, psb_ipk place)
        : i(kept(q.a.order + place)), c((psb_ipk)(item - (psb_epk)place * q.k)), step(q.a.upper ? -1 : 1),
          x(q.w + item), sum(q.x[(psb_epk)i * q.k + c]), by_diagonal(split_row<T>(q.a, place, i, at, left))
    {
        left -= at;
        if (q.a.upper)
            at += left - 1;
        if (q.right)
            sum = rounded::mul(kept(q.right + i), sum);
    }
    __device__ __forceinline__ void advance(int n)
    {
        at += n * step;
        left -= n;
    }
};
} // namespace

/* Store the solution of a row, whose sum is complete, and return what other rows read. */
template <class T>
static __device__ __forceinline__ T finish(const solve<T> &q, const row<T> &r)
{
    T s = q.a.unit ? r.sum : r.by_diagonal.of(r.sum);
    const T set = as_set(s);
    post(r.x, set);
    T *y = q.y + (psb_epk)r.i * q.k + r.c;
    if (q.left)
        s = rounded::mul(kept(q.left + r.i), s);
    if (!is_one(q.alpha))
        s = rounded::mul(q.alpha, s);
    *y = is_zero(q.beta) ? s : rounded::add(s, rounded::mul(q.beta, *y));
    return set;
}

/* Wait until the row `lead` places before `place`, the last that this warp needs, is solved; not if that is
 * in the chunk of this warp, whose first item is given. */
template <class T>
static __device__ __forceinline__ void wait_near(const solve<T> &q, psb_ipk place, psb_epk first)
{
    for (int by = WARP / 2; by > 0; by /= 2)
        place = max(place, __shfl_xor_sync(~0u, place, by));
    const psb_epk item = ((psb_epk)place - q.lead) * q.k;
    if (item >= 0 && item + q.k <= first)
        while (is_unset(peek(q.w + item)))
            ;
}

/* A warp adds the next entries of a row, at most SOLVE_PIECE, to its sum, up to the first one whose x is not
 * known; returns how many.  All lanes have the same r.at, r.left and r.c.  product: shared memory of this
 * warp. */
template <class T>
static __device__ __forceinline__ int add_by_warp(const solve<T> &q, const row<T> &r, T &sum, T *product)
{
    constexpr int EACH = SOLVE_PIECE / WARP;
    const int lane = threadIdx.x % WARP, n = r.left < SOLVE_PIECE ? (int)r.left : SOLVE_PIECE;
    const T *from[EACH];
    T val[EACH], x[EACH];
    int known = n;
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int e = u * WARP + lane;
        from[u] = q.w;
        val[u] = x[u] = zero<T>();
        if (e < n) {
            from[u] += (psb_epk)kept(q.a.column + r.at + e * r.step) * q.k + r.c;
            val[u] = kept((const T *)q.a.val + r.at + e * r.step);
            x[u] = unset<T>::value();
        }
    }
#pragma unroll
    for (int u = 0; u < EACH; u++)
        reload<false>(x[u], from[u]);
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const unsigned late = __ballot_sync(~0u, is_unset(x[u]));
        if (late)
            known = min(known, u * WARP + __ffs(late) - 1);
        product[u * WARP + lane] = rounded::mul(val[u], x[u]);
    }
    __syncwarp();
#pragma unroll 8
    for (int e = 0; e < known; e++)
        sum = rounded::sub(sum, product[e]);
    __syncwarp();
    return known;
}

/* --- a thread solves a row ------------------------------------------------------------------------------ */

/* The next AT_ONCE entries of a row, and where their x will be; entries beyond its end are 0, times 0. */
template <class T, int AT_ONCE>
struct some_entries {
    const T *x[AT_ONCE];
    T val[AT_ONCE];
    int n;

    /* own: the x of this warp's items, from `first` on; not used unless INSIDE */
    template <bool INSIDE>
    __device__ __forceinline__ void load(const solve<T> &q, row<T> &r, const T *own, psb_epk first)
    {
        n = r.left < AT_ONCE ? (int)r.left : AT_ONCE;
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            x[u] = q.w;
            val[u] = zero<T>();
            if (u < n) {
                const psb_epk item = (psb_epk)kept(q.a.column + r.at + u * r.step) * q.k + r.c;
                x[u] = INSIDE && item >= first ? own + (item - first) : q.w + item;
                val[u] = kept((const T *)q.a.val + r.at + u * r.step);
            }
        }
        r.advance(n);
    }
};

/* The x of some entries, as far as they are known. */
template <class T, int AT_ONCE>
struct some_x {
    T x[AT_ONCE];

    __device__ __forceinline__ void forget(int n)
    {
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            x[u] = u < n ? unset<T>::value() : zero<T>();
    }
    /* Are all known? */
    template <bool INSIDE>
    __device__ __forceinline__ bool read(const some_entries<T, AT_ONCE> &e)
    {
        bool all = true;
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            reload<INSIDE>(x[u], e.x[u]);
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            all &= !is_unset(x[u]);
        return all;
    }
    __device__ __forceinline__ T subtract(T sum, const some_entries<T, AT_ONCE> &e) const
    {
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            sum = rounded::sub(sum, rounded::mul(e.val[u], x[u]));
        return sum;
    }
};

/* The warp adds entries to the row of the first lane that has a rest. */
template <class T>
static __device__ __forceinline__ void add_to_first(const solve<T> &q, row<T> &r, psb_epk &rest, T *product)
{
    const unsigned all = __ballot_sync(~0u, rest > 0);
    if (!all)
        return;
    const int owner = __ffs(all) - 1;
    row<T> its = r;
    its.at = __shfl_sync(~0u, r.at, owner);
    its.left = __shfl_sync(~0u, rest, owner);
    its.c = __shfl_sync(~0u, r.c, owner);
    its.sum = from_lane(r.sum, owner);
    const int n = add_by_warp(q, its, its.sum, product);
    if ((int)(threadIdx.x % WARP) == owner) {
        r.at += n * r.step;
        r.sum = its.sum;
        rest -= n;
    }
}

/* Solve the row of each lane that is `open`; the warp adds the entries of long ones together.  INSIDE: rows
 * of the warp may need each other, and pass their x on through shared memory, own.  The next entries are
 * loaded before those at hand are waited for. */
template <bool INSIDE, int AT_ONCE, class T>
static __device__ __forceinline__ void solve_chunk(const solve<T> &q, row<T> &r, bool open, psb_ipk last,
                                                   T *own, T *product, psb_epk first)
{
    const int lane = threadIdx.x % WARP;
    some_entries<T, AT_ONCE> e, ahead;
    some_x<T, AT_ONCE> x;
    psb_epk rest = open && r.left > SOLVE_LONG_ROW ? r.left : 0; /* entries that the warp adds */
    const bool some_long = __any_sync(~0u, rest > 0);
    if (rest > 0)
        r.left = 0;
    e.template load<INSIDE>(q, r, own, first);
    ahead.template load<INSIDE>(q, r, own, first);
    x.forget(e.n);
    if (INSIDE)
        own[lane] = unset<T>::value();
    wait_near(q, last, first);
    while (__any_sync(~0u, open)) {
        if (INSIDE)
            __syncwarp();
        if (some_long)
            add_to_first(q, r, rest, product);
        bool ready = x.template read<INSIDE>(e) && open && rest == 0;
        if (ready) {
            r.sum = x.subtract(r.sum, e);
            if (ahead.n > 0) {
                ready = false;
                e = ahead;
                x.forget(e.n);
                ahead.template load<INSIDE>(q, r, own, first);
            }
        }
        if (INSIDE)
            __syncwarp();
        if (ready) {
            const T solved = finish(q, r);
            if (INSIDE)
                own[lane] = solved;
            open = false;
        }
    }
}

template <int AT_ONCE, class T>
static __global__ void __launch_bounds__(THREADS, SOLVE_BLOCKS)
    solve_by_threads(const __grid_constant__ solve<T> q)
{
    __shared__ T solved[THREADS], products[THREADS / WARP][SOLVE_PIECE];
    const int warp = threadIdx.x / WARP;
    T *own = solved + warp * WARP;
    const psb_epk all = (psb_epk)q.a.n * q.k;
    for (psb_epk first; (first = next_chunk(q.taken) * WARP) < all;) {
        const psb_epk item = first + threadIdx.x % WARP;
        const bool open = item < all;
        row<T> r(q, open ? item : first);
        const psb_ipk last = r.left > 0 ? kept(q.a.column + r.at + (r.left - 1) * r.step) : 0;
        if (__any_sync(~0u, ((psb_epk)last + 1) * q.k > first))
            solve_chunk<true, AT_ONCE>(q, r, open, last, own, products[warp], first);
        else
            solve_chunk<false, AT_ONCE>(q, r, open, last, own, products[warp], first);
    }
}

/* --- a warp solves a row -------------------------------------------------------------------------------- */

template <class T>
static __global__ void __launch_bounds__(THREADS) solve_by_warps(const __grid_constant__ solve<T> q)
{
    __shared__ T products[THREADS / WARP][SOLVE_PIECE];
    const psb_epk all = (psb_epk)q.a.n * q.k;
    for (psb_epk item; (item = next_chunk(q.taken)) < all;) {
        row<T> r(q, item);
        wait_near(q, r.left > 0 ? kept(q.a.column + r.at + (r.left - 1) * r.step) : 0, item);
        while (r.left > 0)
            r.advance(add_by_warp(q, r, r.sum, products[threadIdx.x / WARP]));
        if (threadIdx.x % WARP == 0)
            finish(q, r);
    }
}

/* --- launches ------------------------------------------------------------------------------------------- */

template <class T>
static int run(const solve<T> &q, int warps, cudaStream_t stream)
{
    constexpr int FEW = sizeof(T) == 16 ? 2 : 4;
    const bool is_long = q.a.rows == PSB_ROWS_LONG;
    const psb_epk all = (psb_epk)q.a.n * q.k, chunks = is_long ? all : (all + WARP - 1) / WARP;
    if (warps == 0)
        warps = (is_long ? SOLVE_BLOCKS_OF_ROWS : SOLVE_BLOCKS) * THREADS / WARP;
    const unsigned blocks = waiting_blocks(chunks, warps, THREADS);
    if (all == 0)
        return cudaSuccess;
    const int e = cudaMemsetAsync(q.a.work, PSB_UNSET_BYTE, PSB_SOLVE_HEAD + all * sizeof(T), stream);
    if (e != cudaSuccess)
        return e;
    if (q.a.rows == PSB_ROWS_SHORT)
        solve_by_threads<FEW><<<blocks, THREADS, 0, stream>>>(q);
    else if (q.a.rows == PSB_ROWS_MEDIUM)
        solve_by_threads<2 * FEW><<<blocks, THREADS, 0, stream>>>(q);
    else
        solve_by_warps<<<blocks, THREADS, 0, stream>>>(q);
    return cudaGetLastError();
}

/* --- the diagonal --------------------------------------------------------------------------------------- */

template <class T>
static __global__ void __launch_bounds__(THREADS)
    find_zero(const __grid_constant__ psb_dev_triangle a, psb_epk *found)
{
    for (psb_epk p = blockIdx.x * (psb_epk)THREADS + threadIdx.x; p < a.n;
         p += gridDim.x * (psb_epk)THREADS) {
        const psb_ipk i = a.order[p];
        psb_epk from, to;
        if (is_zero(split_row<T>(a, (psb_ipk)p, i, from, to)))
            atomicMin((number *)found, (number)i);
    }
}

/* --- the table ------------------------------------------------------------------------------------------ */

template <class T>
static psb_err check_diagonal(const psb_dev_triangle *a, psb_epk *found)
{
    static const char what[] = "diagonal of a triangle";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0xff, PSB_FOUND * sizeof *found, stream()), what));
    if (a->n > 0)
        find_zero<T><<<(a->n - 1) / THREADS + 1, THREADS, 0, stream()>>>(*a, found);
    return psb_cudart_ok(cudaGetLastError(), what);
}

/* Q: X(solve_args) */
template <class T, class Q>
static psb_err solve_triangle(const psb_dev_triangle *a, const Q *q)
{
    const struct psb_solve_choice &c = psb_solve_choice;
    T *w = (T *)((char *)a->work + PSB_SOLVE_HEAD);
    const solve<T> s = { *a,
                         q->k,
                         on_gpu(q->alpha),
                         on_gpu(q->beta),
                         on_gpu(q->x),
                         on_gpu(q->left),
                         on_gpu(q->right),
                         on_gpu(q->y),
                         w,
                         (number *)a->work,
                         c.lead ? c.lead : SOLVE_LEAD };
    return psb_cudart_ok(run(s, c.warps, stream()), "triangular solve");
}

template <class K, class T>
constexpr K triangle_kernels()
{
    return { check_diagonal<dev<T>>, solve_triangle<dev<T>> };
}
PSB_CUDA_TABLES(triangle_kernels)
