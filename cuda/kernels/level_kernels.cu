/* level_kernels.cu -- room: cuda/kernels.  Rows by level: see levels.h.  A thread finds the level of a row,
 * in the order of a solve, as soon as it knows those of the rows that it depends on; CUB sorts the rows.  The
 * results do not depend on the order in which threads run. */
#include <cub/cub.cuh>
#include "arena.cuh"
#include "convert_steps.cuh"
#include "level_launchers.h"
#include "waiting.cuh"

typedef unsigned long long word;

enum { WARPS = 64 }; /* on a multiprocessor */

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
        if (at != end && ja[end - step] == i)
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
    /* Take the level of row j. */
    __device__ __forceinline__ void add(int level)
    {
        most = max(most, level + 1);
        at += step;
        read();
    }
};
} // namespace

/* Take the levels of rows before `first`, which other warps find. */
static __device__ __forceinline__ void take_others(level_so_far &l, psb_epk first, const psb_ipk *level)
{
    for (bool waits = true; __any_sync(~0u, waits);) {
        waits = l.j >= 0 && l.place() < first;
        if (waits) {
            const int its = peek(level + l.j);
            if (!is_unset(its))
                l.add(its);
        }
    }
}

/* The level of the row of this lane, if each row of the warp depends at most on the one before it: `chained`.
 */
static __device__ __forceinline__ int level_in_chain(int most, bool chained)
{
    for (int by = 1; by < WARP; by *= 2) {
        const int its = __shfl_up_sync(~0u, most, by);
        const bool goes_on = __shfl_up_sync(~0u, chained, by);
        if (chained)
            most = max(most, its + by);
        chained = chained && goes_on;
    }
    return most;
}

/* The level of the row of this lane, if all the rows that it still depends on are of this warp. */
static __device__ __forceinline__ int level_in_warp(level_so_far &l, psb_epk first)
{
    int known = -1;
    while (__any_sync(~0u, known < 0)) {
        if (l.j < 0)
            known = l.most;
        const int its = __shfl_sync(~0u, known, l.j < 0 ? 0 : (int)(l.place() - first));
        if (l.j >= 0 && its >= 0)
            l.add(its);
    }
    return known;
}

/* The lanes of a warp take consecutive rows. */
static __device__ void levels_of_warp(const psb_pattern &a, bool upper, psb_epk first, psb_ipk *level)
{
    const int lane = threadIdx.x % WARP;
    const bool open = first + lane < a.n;
    const psb_ipk i = row_at(a.n, upper, open ? first + lane : first);
    level_so_far l(a, upper, i);
    take_others(l, first, level);
    const bool chained = lane > 0 && l.place() == first + lane - 1, last = l.at + l.step == l.end;
    const bool simple = l.j < 0 || (chained && last);
    const int known = __all_sync(~0u, simple) ? level_in_chain(l.most, chained) : level_in_warp(l, first);
    if (open)
        post(level + i, known);
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
    find_levels<<<waiting_blocks(chunks, WARPS, THREADS), THREADS, 0, stream()>>>(a, upper, level, taken);
    count_up<<<blocks_for(n), THREADS, 0, stream()>>>(n, order);
    e = cub::DeviceRadixSort::SortPairs(own, bytes, keys, rows, n, 0, psb_bits_of(n), stream());
    if (e == cudaSuccess && rows.Current() != order)
        e = cudaMemcpyAsync(order, place, n * sizeof *order, cudaMemcpyDeviceToDevice, stream());
    if (e != cudaSuccess)
        return e;
    invert<<<blocks_for(n), THREADS, 0, stream()>>>(n, order, place);
    return cudaGetLastError();
}

extern "C" psb_err psb_levels_order_cuda(const struct psb_pattern *a, int upper, psb_ipk *order,
                                         psb_ipk *place)
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

extern "C" psb_err psb_levels_rename_cuda(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to)
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

extern "C" psb_err psb_levels_check_cuda(const struct psb_pattern *a, int upper, int unit, psb_epk *found)
{
    static const char what[] = "check of a triangle";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0xff, PSB_FOUND * sizeof *found, stream()), what));
    if (a->n > 0)
        check_rows<<<blocks_for(a->n), THREADS, 0, stream()>>>(*a, upper, unit, found);
    return psb_cudart_ok(cudaGetLastError(), what);
}
