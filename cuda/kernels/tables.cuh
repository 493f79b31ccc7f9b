/* tables.cuh -- cuda/kernels: tables of kernels whose entries are functions in CUDA.  C passes its scalars
 * and pointers to them; the kernels compute with the scalars of CUDA, which have the same bytes. */
#ifndef PSB_TABLES_CUH
#define PSB_TABLES_CUH
#include "kernels.h"
#include "gpu.h"
#include "scalar.cuh"

template <class T>
struct cuda_scalar {
    using type = T;
};
template <class R>
struct cuda_scalar<std::complex<R>> {
    using type = pair<R>;
};
template <class T>
using dev = typename cuda_scalar<T>::type;

template <class T>
static inline dev<T> on_gpu(T a)
{
    return given<dev<T>>(&a);
}
template <class T>
static inline const dev<T> *on_gpu(const T *p)
{
    return reinterpret_cast<const dev<T> *>(p);
}
template <class T>
static inline dev<T> *on_gpu(T *p)
{
    return reinterpret_cast<dev<T> *>(p);
}

static inline cudaStream_t stream()
{
    return (cudaStream_t)psb_cudart_stream();
}

/* The entry csmm of a table: calls the function `product` for A in CUDA, which returns a cudaError_t. */
template <class A, class T>
static psb_err csmm(const A *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(product(*a, k, on_gpu(alpha), on_gpu(x), on_gpu(beta), on_gpu(y), stream()),
                         "product");
}

/* PSB_CUDA_TABLES(NAME): the tables psb_s_NAME_cuda, psb_d_NAME_cuda, ..., each made by NAME<table, scalar of
 * C>(). */
#define PSB_CUDA_TABLE(s, name) \
    const psb_##s##_##name psb_##s##_##name##_cuda = name<psb_##s##_##name, PSB_SCALAR_##s>();
#define PSB_CUDA_TABLES(name) \
    PSB_CUDA_TABLE(s, name) PSB_CUDA_TABLE(d, name) PSB_CUDA_TABLE(c, name) PSB_CUDA_TABLE(z, name)
#endif
