/* level_kernels.cu -- cuda/kernels: rows by level: see levels.h.  A thread finds the level of a row,
 * in the order of a solve, as soon as it knows those of the rows that it depends on; CUB sorts the rows.  The
 * results do not depend on the order in which threads run. */
#include <cub/cub.cuh>
#include "arena.cuh"
#include "convert_steps.cuh"
#include "levels.h"
#include "waiting.cuh"

typedef unsigned long long word;

/* --- levels --------------------------------------------------------------------------------------------- */

/* Row p in the order of a solve, and the place of row i in it. */
static __device__ __forceinline__ psb_ipk row_at(psb_ipk n, bool upper, psb_epk p)
{
    return (psb_ipk)(upper ? n - 1 - p : p);
}

namespace
{
/* The level of a row as far as it is known.  The rows that it depends on come in the order of a solve; the
 * pattern is that of a triangle, so only its diagonal is left out. */
struct level_so_far {
    const psb_ipk *ja;
    psb_epk at, end;
    psb_ipk n, j; /* j: the row whose level comes next, or -1 */
    int step, most;

    __device__ level_so_far(const psb_pattern &a, bool upper, psb_ipk i)
        : ja(a.ja), at(a.irp[i]), end(a.irp[i + 1]), n(a.n), step(upper ? -1 : 1), most(0)
    {
        if (upper) {
            const psb_epk first = at;
            at = end - 1;
            end = first - 1;
        }
        while (at != end && ja[end - step] == i) /* the diagonal may have duplicates */
            end -= step;
        read();
    }
    __device__ __forceinline__ void read()
    {
        j = at == end ? -1 : ja[at];
    }
    /* The place of row j in the order of a solve; -1 without a row. */
    __device__ __forceinline__ psb_epk place() const
    {
        return j < 0 ? -1 : row_at(n, step < 0, j);
    }
    /* Does no other row come after row j? */
    __device__ __forceinline__ bool is_last() const
    {
        return j >= 0 && at + step == end;
    }
    /* Take the level of row j. */
    __device__ __forceinline__ void add(int level)
    {
        most = max(most, level + 1);
        at += step;
        read();
    }
};
} // namespace

/* The level of the row of this lane, or -1 if it is not known yet.  Lanes whose row waits for nothing but the
 * row before it form chains, whose levels all lanes find together. */
static __device__ __forceinline__ int level_in_chain(const level_so_far &l, psb_epk first, int known)
{
    const int lane = threadIdx.x % WARP;
    const bool linked = known < 0 && lane > 0 && l.is_last() && l.place() == first + lane - 1;
    const unsigned ready = __ballot_sync(~0u, known >= 0 || l.j < 0 || linked),
                   heads = __ballot_sync(~0u, !linked), to_here = ~0u >> (WARP - 1 - lane);
    const int head = WARP - 1 - __clz(heads & to_here);
    int most = known >= 0 ? known : l.most;
    for (int by = 1; by < WARP; by *= 2) {
        const int its = __shfl_up_sync(~0u, most, by);
        if (lane - by >= head)
            most = max(most, its + by);
    }
    const unsigned chain = to_here & (~0u << head);
    return (ready & chain) == chain ? most : -1;
}

/* The lanes of a warp take consecutive rows.  They read the levels of other rows from memory, and pass their
 * own on by shuffles, as long as that completes any. */
static __device__ void levels_of_warp(const psb_pattern &a, bool upper, psb_epk first, psb_ipk *level)
{
    const int lane = threadIdx.x % WARP;
    const bool is_row = first + lane < a.n;
    const psb_ipk i = row_at(a.n, upper, is_row ? first + lane : first);
    level_so_far l(a, upper, i);
    int known = -1; /* the level of row i, once it is */
    bool news = true;
    while (__any_sync(~0u, known < 0)) {
        if (l.j >= 0 && l.place() < first) {
            const int its = peek(level + l.j);
            if (!is_unset(its)) {
                l.add(its);
                news = true;
            }
        }
        while (__any_sync(~0u, news)) {
            const bool waited = known < 0;
            known = level_in_chain(l, first, known);
            news = waited && known >= 0;
            if (news && is_row)
                post(level + i, known);
            const psb_epk p = l.place();
            const bool inside = known < 0 && p >= first;
            const int its = __shfl_sync(~0u, known, inside ? (int)(p - first) : lane);
            if (inside && its >= 0) {
                l.add(its);
                news = true;
            }
        }
    }
}

static __global__ void __launch_bounds__(THREADS)
    find_levels(const __grid_constant__ psb_pattern a, int upper, psb_ipk *level, word *taken)
{
    for (psb_epk first; (first = next_chunk(taken) * WARP) < a.n;)
        levels_of_warp(a, upper, first, level);
}

static __global__ void count_up(psb_ipk n, psb_ipk *to)
{
    for (psb_epk i = my_place(); i < n; i += all_places())
        to[i] = (psb_ipk)i;
}

static int order_rows(const psb_pattern &a, int upper, psb_ipk *order, psb_ipk *place, arena &d)
{
    const psb_ipk n = a.n;
    word *taken = d.allocate<word>(1);
    psb_ipk *level = d.allocate<psb_ipk>(n), *sorted = d.allocate<psb_ipk>(n);
    const size_t to_unset = (const char *)sorted - (const char *)taken;
    cub::DoubleBuffer<psb_ipk> keys(level, sorted), rows(order, place);
    size_t bytes = 0;
    int e = cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, rows, n, 0, psb_bits_of(n), stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at || n == 0)
        return e;
    e = cudaMemsetAsync(taken, PSB_UNSET_BYTE, to_unset, stream());
    if (e != cudaSuccess)
        return e;
    const psb_epk chunks = ((psb_epk)n + WARP - 1) / WARP;
    find_levels<<<waiting_blocks(chunks, LEVEL_WARPS, THREADS), THREADS, 0, stream()>>>(a, upper, level,
                                                                                        taken);
    count_up<<<blocks_for(n), THREADS, 0, stream()>>>(n, order);
    e = cub::DeviceRadixSort::SortPairs(own, bytes, keys, rows, n, 0, psb_bits_of(n), stream());
    if (e == cudaSuccess && rows.Current() != order)
        e = cudaMemcpyAsync(order, place, n * sizeof *order, cudaMemcpyDeviceToDevice, stream());
    if (e != cudaSuccess)
        return e;
    invert<<<blocks_for(n), THREADS, 0, stream()>>>(n, order, place);
    return cudaGetLastError();
}

static psb_err order_by_level(const struct psb_pattern *a, int upper, psb_ipk *order, psb_ipk *place)
{
    return with_memory("levels of rows", [=](arena &d) { return order_rows(*a, upper, order, place, d); });
}

/* --- columns, checks ------------------------------------------------------------------------------------ */

static __global__ void rename_columns(psb_epk nnz, const psb_ipk *__restrict__ ja,
                                      const psb_ipk *__restrict__ place, psb_ipk *__restrict__ to)
{
    for (psb_epk e = my_place(); e < nnz; e += all_places())
        to[e] = place[ja[e]];
}

static psb_err rename_all(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to)
{
    if (nnz > 0)
        rename_columns<<<blocks_for(nnz), THREADS, 0, stream()>>>(nnz, ja, place, to);
    return psb_cudart_ok(cudaGetLastError(), "places of columns");
}

static __global__ void check_rows(const __grid_constant__ psb_pattern a, int upper, int unit, psb_epk *found)
{
    for (psb_epk i = my_place(); i < a.n; i += all_places()) {
        const psb_epk first = a.irp[i], end = a.irp[i + 1];
        const psb_ipk outer = first < end ? a.ja[upper ? first : end - 1] : -1;
        if ((outer >= 0 && (upper ? outer < i : outer > i)) || (unit != 0) == (outer == i))
            atomicMin((word *)found, (word)i);
    }
}

static psb_err check_triangle(const struct psb_pattern *a, int upper, int unit, psb_epk *found)
{
    static const char what[] = "check of a triangle";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0xff, PSB_FOUND * sizeof *found, stream()), what));
    if (a->n > 0)
        check_rows<<<blocks_for(a->n), THREADS, 0, stream()>>>(*a, upper, unit, found);
    return psb_cudart_ok(cudaGetLastError(), what);
}

const struct psb_level_steps psb_level_steps_cuda = { order_by_level, rename_all, check_triangle };
