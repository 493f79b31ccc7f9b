/* convert_steps.cuh -- cuda/kernels: shared by the steps of conversions: errors, grids,
 * rows in CSR and HLL, searches, entries of diagonals. */
#ifndef PSB_CONVERT_STEPS_CUH
#define PSB_CONVERT_STEPS_CUH
#include "convert.h"
#include "gpu_tuning.h"
#include "tables.cuh"

constexpr int THREADS = 256, WARP = 32, LANES = STEP_LANES;

static const char conversion[] = "conversion on the device";

/* The error of a step that returned `code`, a cudaError_t. */
static inline psb_err step_ended(int code)
{
    return psb_cudart_ok(code, conversion);
}

static inline unsigned blocks_for(psb_epk n, int each = THREADS)
{
    const psb_epk most = 1 << 22, need = (n + each - 1) / each;
    return (unsigned)(need < most ? need : most);
}

/* The index of this thread, and the number of threads, for grid-stride loops. */
static __device__ __forceinline__ psb_epk my_place()
{
    return (psb_epk)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ psb_epk all_places()
{
    return (psb_epk)gridDim.x * blockDim.x;
}

/* inverse[order[k]] = k, k < n. */
template <class I>
static __global__ void invert(I n, const I *__restrict__ order, I *__restrict__ inverse)
{
    for (psb_epk k = my_place(); k < n; k += all_places())
        inverse[order[k]] = (I)k;
}

/* The n entries of a row, from `at` on, `step` apart. */
struct line {
    psb_epk at, n, step;
};

/* The row of rank r. */
static __device__ __forceinline__ line line_at(const psb_dev_compressed &l, psb_epk r)
{
    if (l.rows == 0)
        return { l.off[r], l.off[r + 1] - l.off[r], 1 };
    return { l.off[r / l.rows] + r % l.rows, l.irn[r], l.rows };
}
static __device__ __forceinline__ line line_of(const psb_dev_compressed &l, psb_epk i)
{
    return line_at(l, l.rank ? l.rank[i] : i);
}

/* The first k < n for which before(k) is false, or n; before(k) is true for all smaller k. */
template <class F>
static __device__ __forceinline__ psb_epk first_not(psb_epk n, F before)
{
    psb_epk lo = 0;
    while (lo < n) {
        const psb_epk mid = lo + (n - lo) / 2;
        if (before(mid))
            lo = mid + 1;
        else
            n = mid;
    }
    return lo;
}

/* The first of n ascending indices, `step` apart, that is not below j; n if all are below. */
static __device__ __forceinline__ psb_epk first_from(const psb_ipk *idx, psb_epk step, psb_epk n, psb_epk j)
{
    return first_not(n, [=](psb_epk k) { return idx[k * step] < j; });
}

/* Does row `at` of its hack have an entry on diagonal d? */
static __device__ __forceinline__ bool has(const psb_dev_hdia &a, psb_epk d, psb_epk at)
{
    return a.bits[d * a.words + at / 64] >> at % 64 & 1;
}

/* The first diagonal of hack h that is not below `dist`. */
static __device__ __forceinline__ psb_epk diagonal_from(const psb_dev_hdia &a, psb_epk h, psb_epk dist)
{
    const psb_epk from = a.off[h];
    return from + first_from(a.dist + from, 1, a.off[h + 1] - from, dist);
}

/* Rank of entry k, from 0, among the duplicates of its row, which begins at `from`. */
static __device__ __forceinline__ psb_epk rank_of(const psb_ipk *ja, psb_epk from, psb_epk k)
{
    psb_epk r = 0;
    while (k - r > from && ja[k - r - 1] == ja[k])
        r++;
    return r;
}
#endif
