/* band.cuh -- cuda/kernels: banded systems and sparse vectors: a thread solves a system for a right-hand
 * side, neighbouring threads neighbouring systems. */
#ifndef PSB_BAND_CUH
#define PSB_BAND_CUH
#include "grid.cuh"
#include "load.cuh"
#include "psb_vec_ops.h"
#include "rounded.cuh"
#include "tables.cuh"

namespace band
{
/* As X(quotient). */
template <class R>
static __device__ __forceinline__ R over(R a, R b)
{
    return rounded::div(a, b);
}
template <class R>
static __device__ pair<R> over(pair<R> a, pair<R> b)
{
    constexpr int MOST = sizeof(R) == sizeof(float) ? 128 : 1024;
    const double re = fabs((double)b.re), im = fabs((double)b.im), most = re > im ? re : im;
    if (most > 0 && !isinf(most)) {
        int e;
        frexp(most, &e);
        const R unit = (R)ldexp(1.0, e > 2 - MOST ? -e : MOST - 2);
        a = { rounded::mul(a.re, unit), rounded::mul(a.im, unit) };
        b = { rounded::mul(b.re, unit), rounded::mul(b.im, unit) };
    }
    const R square = rounded::add(rounded::mul(b.re, b.re), rounded::mul(b.im, b.im));
    return { rounded::div(rounded::add(rounded::mul(a.re, b.re), rounded::mul(a.im, b.im)), square),
             rounded::div(rounded::sub(rounded::mul(a.im, b.re), rounded::mul(a.re, b.im)), square) };
}

template <class R>
static __device__ __forceinline__ R size(R a)
{
    return fabs(a);
}
template <class R>
static __device__ __forceinline__ R size(pair<R> a)
{
    return rounded::add((R)fabs(a.re), (R)fabs(a.im));
}

#define BAND_EVERYWHERE static __device__ __forceinline__
#define BAND_ZERO       T()
template <class T>
struct elimination {
    BAND_EVERYWHERE T band_plus(T a, T b)
    {
        return rounded::add(a, b);
    }
    BAND_EVERYWHERE T band_minus(T a, T f, T b)
    {
        return rounded::sub(a, rounded::mul(f, b));
    }
    BAND_EVERYWHERE T band_over(T a, T b)
    {
        return over(a, b);
    }
    BAND_EVERYWHERE real_of<T> band_size(T a)
    {
        return size(a);
    }
    BAND_EVERYWHERE bool band_is_zero(T a)
    {
        return is_zero(a);
    }
    BAND_EVERYWHERE T band_read(const T *p)
    {
        return kept(p);
    }
    BAND_EVERYWHERE T band_times(T a, T b)
    {
        return rounded::mul(a, b);
    }
    BAND_EVERYWHERE T band_conjugate(T a)
    {
        return conjugate(a);
    }
    BAND_EVERYWHERE T band_real(double a)
    {
        return from_real<T>((real_of<T>)a);
    }
    BAND_EVERYWHERE bool band_less(T a, T b)
    {
        return real(a) < real(b);
    }
#include "band_steps.h"
#include "sparse_steps.h"
#include "strided_steps.h"
};

template <class T>
struct arrays {
    const T *diag[2 * PSB_MOST_WIDTH + 1];
    T *x, *u; /* u: element e of the triangle of system s is at e `systems` + s */
    unsigned long long *bad;
};

/* Constants that the compiler sees let the window of a thread be in registers. */
template <bool PIVOT, bool PERIODIC>
static __device__ __forceinline__ void fix(psb_band &b)
{
    b.pivot = PIVOT;
    b.periodic = PERIODIC;
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static __global__ void __launch_bounds__(THREADS) down(psb_band b, const __grid_constant__ arrays<T> q)
{
    const psb_epk turns = (psb_epk)b.systems * b.nrhs, step = (psb_epk)gridDim.x * THREADS;
    fix<PIVOT, PERIODIC>(b);
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < turns; i += step) {
        const psb_epk s = i % b.systems, at = s * b.system;
        const T *diag[2 * PSB_MOST_WIDTH + 1];
        for (int d = 0; d <= (PERIODIC ? W : 2 * W); d++)
            diag[d] = q.diag[d] + at;
        const psb_epk row = elimination<T>::band_down(&b, W, diag, q.x + at + i / b.systems * b.rhs,
                                                      i < b.systems ? q.u + s : nullptr, b.systems);
        if (row >= 0)
            atomicMin(q.bad, (unsigned long long)(s * b.n + row));
    }
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static __global__ void __launch_bounds__(THREADS) up(psb_band b, const __grid_constant__ arrays<T> q)
{
    const psb_epk turns = (psb_epk)b.systems * b.nrhs, step = (psb_epk)gridDim.x * THREADS;
    fix<PIVOT, PERIODIC>(b);
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < turns; i += step) {
        const psb_epk s = i % b.systems;
        elimination<T>::band_up(&b, W, q.u + s, b.systems, q.x + s * b.system + i / b.systems * b.rhs);
    }
}

template <int W, bool PIVOT, bool PERIODIC, class T>
static int launch(const psb_band &b, const arrays<T> &q)
{
    const int many = blocks((psb_epk)b.systems * b.nrhs, THREADS);
    down<W, PIVOT, PERIODIC, T><<<many, THREADS, 0, stream()>>>(b, q);
    up<W, PIVOT, PERIODIC, T><<<many, THREADS, 0, stream()>>>(b, q);
    return cudaGetLastError();
}

template <int W, bool PERIODIC, class T>
static int start(const psb_band &b, const arrays<T> &q)
{
    return b.pivot ? launch<W, true, PERIODIC>(b, q) : launch<W, false, PERIODIC>(b, q);
}

template <class T>
static int solve(const psb_band &b, const arrays<T> &q)
{
    const int e = cudaMemsetAsync(q.bad, 0xff, sizeof *q.bad, stream());
    if (e != cudaSuccess)
        return e;
    if (b.periodic)
        return b.width == 1 ? start<2, true>(b, q) : start<4, true>(b, q);
    return b.width == 1 ? start<1, false>(b, q) : start<2, false>(b, q);
}

/* --- sparse vectors ------------------------------------------------------------------------------------ */

/* The element of the dense vector in place k; it is in range if it is below n. */
static __device__ __forceinline__ unsigned long long element_at(const psb_sparse &v, psb_epk k)
{
    return (unsigned long long)((psb_epk)v.idx[k] - v.base);
}

/* found[0]: the first index out of range; last[i]: one of the places of element i. */
static __global__ void __launch_bounds__(THREADS)
    find_places(const __grid_constant__ psb_sparse v, psb_ipk *last, unsigned long long *found)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < v.nnz; k += step) {
        const unsigned long long i = element_at(v, k);
        if (i >= (unsigned long long)v.n)
            atomicMin(found, (unsigned long long)k);
        else if (last)
            last[i] = (psb_ipk)k;
    }
}

/* found[1] = 1 if an element has several places. */
static __global__ void __launch_bounds__(THREADS)
    find_twice(const __grid_constant__ psb_sparse v, const psb_ipk *last, unsigned long long *found)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < v.nnz; k += step) {
        const unsigned long long i = element_at(v, k);
        if (i < (unsigned long long)v.n && last[i] != k)
            found[1] = 1;
    }
}

static int check(const psb_sparse &v, psb_ipk *last, unsigned long long *found)
{
    int e = cudaMemsetAsync(found, 0xff, sizeof *found, stream());
    if (e == cudaSuccess)
        e = cudaMemsetAsync(found + 1, 0, sizeof *found, stream());
    if (e != cudaSuccess)
        return e;
    find_places<<<blocks(v.nnz, THREADS), THREADS, 0, stream()>>>(v, last, found);
    if (last)
        find_twice<<<blocks(v.nnz, THREADS), THREADS, 0, stream()>>>(v, last, found);
    return cudaGetLastError();
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    operate(psb_sparse_kind kind, psb_ipk n, int base, const psb_ipk *__restrict__ idx, T a, T s, T *val,
            T *y)
{
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    T none = T();
    for (psb_epk k = (psb_epk)blockIdx.x * THREADS + threadIdx.x; k < n; k += step)
        elimination<T>::sparse_element(kind, a, s, val && idx ? val + k : &none,
                                       y + (idx ? (psb_epk)idx[k] - base : k));
}
} // namespace band

namespace entry
{
static psb_err sparse_check(const psb_sparse *v, bool distinct, psb_epk found[2])
{
    constexpr size_t FIRST = 256; /* bytes before the places */
    static const char what[] = "places of a sparse vector";
    const size_t bytes = FIRST + (distinct ? (size_t)v->n * sizeof(psb_ipk) : 0);
    char *own = nullptr;
    if (v->nnz == 0) {
        found[0] = -1;
        found[1] = 0;
        return PSB_OK;
    }
    PSB_TRY(psb_device_take(&psb_device_cuda, (void **)&own, bytes, what));
    psb_err e = psb_cudart_ok(
        band::check(*v, distinct ? (psb_ipk *)(own + FIRST) : nullptr, (unsigned long long *)own), what);
    PSB_THEN(e, psb_get(&psb_device_cuda, found, own, 2 * sizeof *found, what));
    psb_device_give(&psb_device_cuda, own, bytes);
    return e;
}

/* S: X(vec_sparse) */
template <class T, class S>
static psb_err sparse(const S *q)
{
    if (q->n > 0)
        band::operate<<<blocks(q->n, THREADS), THREADS, 0, stream()>>>(
            q->kind, q->n, q->base, q->idx, on_gpu(q->a), on_gpu(q->s), on_gpu(q->val), on_gpu(q->y));
    return psb_cudart_ok(cudaGetLastError(), "sparse vectors");
}

template <class T>
static psb_err band(const psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    constexpr size_t FIRST = 256; /* bytes before the triangles */
    static const char what[] = "banded systems";
    const int w = b->periodic ? 2 * b->width : b->width, keep = (b->pivot ? 2 : 1) * w + 1;
    const size_t bytes = FIRST + (size_t)b->n * (size_t)keep * (size_t)b->systems * sizeof *x;
    band::arrays<dev<T>> q = {};
    void *own = nullptr;
    PSB_TRY(psb_device_take(&psb_device_cuda, &own, bytes, what));
    for (int d = 0; d <= 2 * b->width; d++)
        q.diag[d] = on_gpu(diag[d]);
    q.x = on_gpu(x);
    q.u = (dev<T> *)((char *)own + FIRST);
    q.bad = (unsigned long long *)own;
    psb_err e = psb_cudart_ok(band::solve(*b, q), what);
    PSB_THEN(e, psb_get(&psb_device_cuda, bad, own, sizeof *bad, what));
    psb_device_give(&psb_device_cuda, own, bytes);
    return e;
}
} // namespace entry
#endif
