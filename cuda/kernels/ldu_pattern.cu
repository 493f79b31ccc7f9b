/* ldu_pattern.cu -- room: cuda/kernels.  Patterns of incomplete factors: comparison with those of A. */
#include "convert_steps.cuh"
#include "ldu_launch.h"

typedef unsigned long long word;

enum { SHARERS = 8, BLOCKS = 1024 }; /* threads that compare a row; blocks at most: warps share a counter */

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
            atomicMin((word *)a.found, (word)i);
    }
    for (int by = WARP / 2; by > 0; by /= 2)
        longest = max(longest, __shfl_xor_sync(~0u, longest, by));
    if (threadIdx.x % WARP == 0 && longest >= 0)
        atomicMax((long long *)a.found + 1, (long long)longest);
}

extern "C" int psb_ldu_compare_dev(const struct psb_dev_ldu *a, void *stream)
{
    const int e = cudaMemsetAsync(a->found, 0xff, PSB_FOUND * sizeof *a->found, (cudaStream_t)stream);
    if (e != cudaSuccess || a->n == 0)
        return e;
    const unsigned blocks = min(blocks_for((psb_epk)a->n * SHARERS), (unsigned)BLOCKS);
    compare_rows<<<blocks, THREADS, 0, (cudaStream_t)stream>>>(*a);
    return cudaGetLastError();
}

extern "C" int psb_ldu_zero_dev(void *p, size_t bytes, void *stream)
{
    return cudaMemsetAsync(p, 0, bytes, (cudaStream_t)stream);
}
