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

namespace
{
/* The rows that row i depends on, in ascending distance from the first row to be solved. */
struct needed {
    const psb_ipk *ja;
    psb_epk at, end;
    psb_ipk i;

    __device__ needed(const psb_pattern &a, bool upper, psb_ipk row)
        : ja(a.ja), at(upper ? a.irp[row + 1] - 1 : a.irp[row]), end(upper ? a.irp[row] - 1 : a.irp[row + 1]),
          i(row)
    {
    }
    /* the next one, or -1 */
    __device__ psb_ipk next(bool upper) const
    {
        if (at == end)
            return -1;
        const psb_ipk j = ja[at];
        return (upper ? j > i : j < i) ? j : -1;
    }
};
} // namespace

/* Row p in the order of a solve. */
static __device__ __forceinline__ psb_ipk row_at(psb_ipk n, bool upper, psb_epk p)
{
    return (psb_ipk)(upper ? n - 1 - p : p);
}

/* The level of a row as far as it is known: that of the rows it needs, in their order. */
namespace
{
struct level_so_far {
    needed rows;
    psb_ipk j; /* the row whose level comes next, or -1 */
    int most;

    __device__ level_so_far(const psb_pattern &a, bool upper, psb_ipk i)
        : rows(a, upper, i), j(rows.next(upper)), most(0)
    {
    }
    /* Take the level of row j. */
    __device__ void add(int level, bool upper)
    {
        most = max(most, level + 1);
        rows.at += upper ? -1 : 1;
        j = rows.next(upper);
    }
};
} // namespace

/* The lanes of a warp take consecutive rows.  They read the levels of other rows from memory, and pass their
 * own on by shuffles, as long as that completes any. */
static __device__ void levels_of_warp(const psb_pattern &a, bool upper, psb_epk first, psb_ipk *level)
{
    const int lane = threadIdx.x % WARP;
    bool open = first + lane < a.n;
    const psb_ipk i = row_at(a.n, upper, open ? first + lane : first);
    level_so_far l(a, upper, i);
    int known = -1; /* the level of row i, once it is */
    while (__any_sync(~0u, open)) {
        if (open && l.j >= 0 && row_at(a.n, upper, l.j) < first) {
            const int its = peek(level + l.j);
            if (!is_unset(its))
                l.add(its, upper);
        }
        for (bool moves = true; __any_sync(~0u, moves);) {
            const psb_epk p = l.j < 0 ? first + lane : row_at(a.n, upper, l.j);
            const int its = __shfl_sync(~0u, known, p >= first ? (int)(p - first) : lane);
            moves = open && l.j >= 0 && p >= first && its >= 0;
            if (moves)
                l.add(its, upper);
            if (open && l.j < 0) {
                known = l.most;
                post(level + i, known);
                open = false;
                moves = true;
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
