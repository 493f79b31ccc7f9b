/* scan.cuh -- cuda/kernels: prefix sums, by CUB. */
#ifndef PSB_SCAN_CUH
#define PSB_SCAN_CUH
#include <cub/cub.cuh>
#include "arena.cuh"
#include "tables.cuh"

/* Before version 3, CUB counts in int: the host does larger conversions. */
static bool too_many(psb_epk n)
{
    return CUB_VERSION < 300000 && n > INT32_MAX;
}

/* Replace a[0..n) by its inclusive prefix sums. */
static int sum_up(psb_epk *a, psb_epk n, arena &d)
{
    size_t bytes = 0;
    if (too_many(n))
        return cudaErrorNotSupported;
    const cudaError_t e = cub::DeviceScan::InclusiveSum(nullptr, bytes, a, a, n, stream());
    void *own = d.allocate<char>((psb_epk)bytes);
    if (e != cudaSuccess || !d.at || n == 0)
        return e;
    return cub::DeviceScan::InclusiveSum(own, bytes, a, a, n, stream());
}
#endif
