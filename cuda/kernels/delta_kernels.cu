/* delta_kernels.cu -- room: cuda/kernels.  Columns of CSR's tiles in 16 bits (see stored.h). */
#include "launchers.h"

constexpr int THREADS = 256, MOST = UINT16_MAX;

/* Block t makes the deltas of tile t. */
static __global__ void __launch_bounds__(THREADS)
    find_deltas(const __grid_constant__ psb_csr_dev a, psb_ipk *base, uint16_t *delta, psb_epk *found)
{
    __shared__ psb_ipk low, high;
    const psb_epk t = blockIdx.x, first = a.tile[t].first, from = first / 4 * 4, end = a.tile[t + 1].first;
    const psb_epk at = PSB_DELTA_PLACE(t, first), room = PSB_DELTA_PLACE(t + 1, end) - at;
    if (threadIdx.x == 0) {
        low = INT32_MAX;
        high = 0;
    }
    __syncthreads();
    psb_ipk my_low = INT32_MAX, my_high = 0;
    for (psb_epk k = first + threadIdx.x; k < end; k += THREADS) {
        my_low = min(my_low, a.ja[k]);
        my_high = max(my_high, a.ja[k]);
    }
    atomicMin(&low, my_low);
    atomicMax(&high, my_high);
    __syncthreads();
    const psb_ipk begin = low < high ? low : high; /* high: the tile is empty */
    const bool is_near = high - begin <= MOST;
    for (psb_epk k = threadIdx.x; k < room; k += THREADS) {
        const bool is_entry = from + k >= first && from + k < end;
        delta[at + k] = is_near && is_entry ? (uint16_t)(a.ja[from + k] - begin) : 0;
    }
    if (threadIdx.x == 0) {
        base[t] = is_near ? begin : -1;
        if (is_near)
            atomicAdd((unsigned long long *)found, (unsigned long long)(end - first));
    }
}

extern "C" int psb_csr_deltas_dev(const struct psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found,
                                  void *stream)
{
    const cudaError_t e = cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, (cudaStream_t)stream);
    if (e == cudaSuccess && a->ntiles > 0)
        find_deltas<<<(unsigned)a->ntiles, THREADS, 0, (cudaStream_t)stream>>>(*a, base, delta, found);
    return e == cudaSuccess ? cudaGetLastError() : e;
}
