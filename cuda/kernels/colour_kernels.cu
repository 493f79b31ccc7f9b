/* colour_kernels.cu -- cuda/kernels: greedy colours of the rows of a graph: see base/spmat/colour.c.  G lanes
 * find the colour of a row as soon as they know those of the neighbours that precede it in the order of
 * colouring: in its own warp by shuffles, of other rows from memory.  So the colours are those of the host,
 * whatever the order in which threads run. */
#include <cub/cub.cuh>
#include "algebra.h"
#include "arena.cuh"
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "clique.h"
#include "convert_steps.cuh"
#include "load.cuh"
#include "waiting.cuh"

typedef unsigned long long number;

/* Entries of a row, on average, up to which 1 and 8 lanes find its colour. */
enum { SHORT_ROWS = 32, LONG_ROWS = 128 };

namespace
{
/* A graph, the order in which its rows are coloured, and the place of each row in it; NULL: by number. */
struct graph {
    psb_dev_compressed a;
    const psb_ipk *order, *place;
};

/* The neighbours of a row, some of them, from k on: j, whose colour comes next, at its place; j < 0: none is
 * left.  taken: the set of the colours below 64 of those before. */
struct neighbours {
    psb_epk k, end, at;
    psb_ipk j;
    number taken;
};
} // namespace

/* Find the next neighbour that precedes place p. */
template <int G>
static __device__ __forceinline__ void find_next(const graph &g, psb_epk p, neighbours &s)
{
    for (s.j = -1; s.k < s.end && s.j < 0; s.k += G) {
        const psb_ipk j = kept(g.a.ja + s.k);
        s.at = g.place ? kept(g.place + j) : j;
        s.j = s.at < p ? j : -1;
    }
}

/* The lowest bit that no lane of the group has in `taken`; 64 if there is none. */
template <int G>
static __device__ __forceinline__ int lowest_free(number taken)
{
    for (int by = G / 2; by > 0; by /= 2)
        taken |= __shfl_xor_sync(~0u, taken, by);
    return ~taken ? __ffsll((long long)~taken) - 1 : 64;
}

/* The smallest free colour of row i, at place p, if `ready`: its neighbours before it have colours. */
template <int G>
static __device__ __forceinline__ int free_colour(const graph &g, psb_ipk i, psb_epk p, bool ready,
                                                  number taken, const psb_ipk *colour)
{
    int c = lowest_free<G>(taken);
    for (int base = 64; __any_sync(~0u, ready && c == base); base += 64) {
        const bool full = ready && c == base;
        __syncwarp(); /* colours of this warp are in memory */
        taken = 0;
        if (full) {
            neighbours s = { kept(g.a.off + i) + threadIdx.x % G, kept(g.a.off + i + 1) };
            for (find_next<G>(g, p, s); s.j >= 0; find_next<G>(g, p, s)) {
                const int its = peek(colour + s.j) - base;
                taken |= its >= 0 && its < 64 ? 1ull << its : 0;
            }
        }
        const int more = lowest_free<G>(taken);
        c += full ? more : 0;
    }
    return c;
}

/* Colour the rows at places first .. first + 32 / G - 1; returns this lane's colour, plus 1. */
template <int G>
static __device__ int colour_warp(const graph &g, psb_epk first, psb_ipk *colour)
{
    constexpr unsigned ones = G < WARP ? (1u << G % WARP) - 1 : ~0u;
    const int lane = threadIdx.x % WARP;
    const unsigned group = ones << lane / G * G;
    const psb_epk p = first + lane / G;
    const bool is_row = p < g.a.m;
    const psb_ipk i = !is_row ? 0 : g.order ? kept(g.order + p) : (psb_ipk)p;
    neighbours s = { 0, 0 };
    int known = is_row ? -1 : 0;
    if (is_row) {
        s.k = kept(g.a.off + i) + lane % G;
        s.end = kept(g.a.off + i + 1);
    }
    find_next<G>(g, p, s);
    while (__any_sync(~0u, known < 0)) {
        bool news = true;
        int its = s.j >= 0 && s.at < first ? peek(colour + s.j) : -1;
        while (news) {
            if (its >= 0) {
                s.taken |= its < 64 ? 1ull << its : 0;
                find_next<G>(g, p, s);
            }
            const bool ready = !(__ballot_sync(~0u, s.j >= 0) & group) && known < 0;
            news = __any_sync(~0u, ready);
            if (news) {
                const int c = free_colour<G>(g, i, p, ready, s.taken, colour);
                known = ready ? c : known;
                if (ready && lane % G == 0)
                    post(colour + i, c);
            }
            const bool inside = s.j >= 0 && s.at >= first;
            its = __shfl_sync(~0u, known, inside ? (int)(s.at - first) * G : lane);
            its = inside ? its : -1;
            news = __any_sync(~0u, its >= 0);
        }
    }
    return is_row ? known + 1 : 0;
}

template <int G>
static __global__ void __launch_bounds__(THREADS)
    colour_rows(const __grid_constant__ graph g, psb_ipk *colour, number *taken, psb_epk *found)
{
    int most = 0;
    for (psb_epk first; (first = next_chunk(taken) * (WARP / G)) < g.a.m;)
        most = max(most, colour_warp<G>(g, first, colour));
    if (most > peek(found))
        atomicMax((number *)found, (number)most);
}

/* found[1] = 1 if an entry (i, j) has no (j, i), or two. */
static __global__ void __launch_bounds__(THREADS)
    check_symmetry(const __grid_constant__ psb_dev_compressed a, psb_epk *found)
{
    for (psb_epk at = my_place(); at < (psb_epk)a.m * LANES; at += all_places()) {
        const psb_epk i = at / LANES, end = kept(a.off + i + 1);
        for (psb_epk k = kept(a.off + i) + at % LANES; k < end; k += LANES) {
            const psb_ipk j = kept(a.ja + k);
            const psb_epk from = kept(a.off + j), n = kept(a.off + j + 1) - from,
                          q = first_from(a.ja + from, 1, n, i);
            if (q == n || a.ja[from + q] != i || (q + 1 < n && a.ja[from + q + 1] == i))
                found[1] = 1;
        }
    }
}

/* found[2] = psb_clique of a. */
static __global__ void find_clique(const __grid_constant__ psb_dev_compressed a, psb_epk *found)
{
    found[2] = psb_clique(a.m, a.off, a.ja);
}

/* key[i] and row[i] for an order of rows by descending number of entries. */
static __global__ void __launch_bounds__(THREADS)
    set_keys(const __grid_constant__ psb_dev_compressed a, unsigned *key, psb_ipk *row)
{
    for (psb_epk i = my_place(); i < a.m; i += all_places()) {
        key[i] = (unsigned)(INT32_MAX - (a.off[i + 1] - a.off[i]));
        row[i] = (psb_ipk)i;
    }
}

static int order_by_degree(const psb_dev_compressed &a, graph *g, arena &d)
{
    unsigned *key = d.allocate<unsigned>(a.m), *sorted = d.allocate<unsigned>(a.m);
    psb_ipk *row = d.allocate<psb_ipk>(a.m), *order = d.allocate<psb_ipk>(a.m),
            *place = d.allocate<psb_ipk>(a.m);
    size_t bytes = 0;
    int e = cub::DeviceRadixSort::SortPairs(nullptr, bytes, key, sorted, row, order, a.m, 0, 31, stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at)
        return e;
    set_keys<<<blocks_for(a.m), THREADS, 0, stream()>>>(a, key, row);
    e = cub::DeviceRadixSort::SortPairs(own, bytes, key, sorted, row, order, a.m, 0, 31, stream());
    if (e != cudaSuccess)
        return e;
    invert<<<blocks_for(a.m), THREADS, 0, stream()>>>(a.m, (const psb_ipk *)order, place);
    g->order = order;
    g->place = place;
    return cudaGetLastError();
}

template <int G>
static void launch(const graph &g, psb_ipk *colour, number *taken, psb_epk *found)
{
    const psb_epk chunks = ((psb_epk)g.a.m * G + WARP - 1) / WARP;
    colour_rows<G>
        <<<waiting_blocks(chunks, LEVEL_WARPS, THREADS), THREADS, 0, stream()>>>(g, colour, taken, found);
}

static int colour_graph(const psb_dev_compressed &a, psb_epk nz, bool by_degree, psb_ipk *colour,
                        psb_epk *found, arena &d)
{
    graph g = { a, nullptr, nullptr };
    number *taken = d.allocate<number>(1);
    int e = by_degree ? order_by_degree(a, &g, d) : cudaSuccess;
    if (e != cudaSuccess || !d.at)
        return e;
    e = cudaMemsetAsync(taken, PSB_UNSET_BYTE, sizeof *taken, stream());
    e = e ? e : cudaMemsetAsync(colour, PSB_UNSET_BYTE, (size_t)a.m * sizeof *colour, stream());
    if (e != cudaSuccess)
        return e;
    find_clique<<<1, 1, 0, stream()>>>(a, found);
    check_symmetry<<<blocks_for((psb_epk)a.m * LANES), THREADS, 0, stream()>>>(a, found);
    if (nz <= (psb_epk)SHORT_ROWS * a.m)
        launch<1>(g, colour, taken, found);
    else if (nz <= (psb_epk)LONG_ROWS * a.m)
        launch<8>(g, colour, taken, found);
    else
        launch<32>(g, colour, taken, found);
    return cudaGetLastError();
}

psb_err psb_colours_cuda(const psb_dev_compressed *a, psb_epk nz, bool by_degree, psb_ipk *colour,
                         psb_epk *found)
{
    static const char what[] = "colours on the device";
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), what));
    if (a->m == 0)
        return PSB_OK;
    return with_memory(what, [=](arena &d) { return colour_graph(*a, nz, by_degree, colour, found, d); });
}
