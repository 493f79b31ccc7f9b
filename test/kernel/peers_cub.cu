/* peers_cub.cu -- test/kernel: the product of CUB, in CSR by the merge path (Merrill and Garland,
 * "Merge-Based Parallel Sparse Matrix-Vector Multiplication", SC16).  CCCL 3.0, which CUDA 13 has, is without
 * it: there CUB 2.0 to 2.2 needs the class that launches kernels, and no launches from kernels. */
#define CUB_DISABLE_CDP
#define CUB_IGNORE_DEPRECATED_API
#define THRUST_IGNORE_CUB_VERSION_CHECK
#include "peers_cub.h"
#include <thrust/detail/config.h>
#include <thrust/version.h>

#if THRUST_VERSION >= 300000
THRUST_NAMESPACE_BEGIN
namespace cuda_cub
{
namespace launcher
{
struct triple_chevron {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    triple_chevron(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
        : grid(grid), block(block), shared(shared), stream(stream)
    {
    }

    template <class Kernel, class... Arguments>
    cudaError_t doit(Kernel kernel, const Arguments &...arguments) const
    {
        kernel<<<grid, block, shared, stream>>>(arguments...);
        return cudaPeekAtLastError();
    }
};
} // namespace launcher
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif

#include <cub/device/device_spmv.cuh>
#include <thrust/complex.h>

template <class T>
static cudaError_t multiply(const cub_product *p, void *buffer, size_t *bytes, cudaStream_t stream)
{
    return cub::DeviceSpmv::CsrMV(buffer, *bytes, static_cast<const T *>(p->val), p->irp, p->ja,
                                  static_cast<const T *>(p->x), static_cast<T *>(p->y), p->m, p->n, p->nnz,
                                  stream);
}

cudaError_t cub_spmv(const cub_product *p, char scalar, void *buffer, size_t *bytes, cudaStream_t stream)
{
    switch (scalar) {
    case 's':
        return multiply<float>(p, buffer, bytes, stream);
    case 'd':
        return multiply<double>(p, buffer, bytes, stream);
    case 'c':
        return multiply<thrust::complex<float>>(p, buffer, bytes, stream);
    default:
        return multiply<thrust::complex<double>>(p, buffer, bytes, stream);
    }
}
