/* aggregate_kernels.cu -- cuda/kernels: smoothing matrices and aggregates of rows in CSR, a thread for each
 * row, by the functions of aggregate.h and with every operation rounded: results have the host's bits. */
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "aggregate.h"
#include "algebra.h"
#include "arena.cuh"
#include "convert_steps.cuh"
#include "load.cuh"
#include "rounded.cuh"
#include "scan.cuh"

static const char setup[] = "multigrid on the device";

/* Row pointers and their sum, from the numbers in off[1..m]. */
static psb_err add_lengths(psb_ipk m, psb_epk *off, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(off, 0, sizeof *off, stream()), setup));
    PSB_TRY(with_memory(setup, [=](arena &d) { return sum_up(off + 1, m, d); }));
    return psb_cudart_ok(cudaMemcpyAsync(found, off + m, sizeof *found, cudaMemcpyDeviceToDevice, stream()),
                         setup);
}

/* --- the smoothing matrix ------------------------------------------------------------------------------- */

/* |v| as the host computes it. */
template <class R>
static __device__ __forceinline__ double modulus_of(R v)
{
    return fabs((double)v);
}
template <class R>
static __device__ __forceinline__ double modulus_of(pair<R> v)
{
    const double re = fabs((double)v.re), im = fabs((double)v.im), most = re > im ? re : im;
    const double share = most > 0 ? rounded::div(re > im ? im : re, most) : 0;
    return rounded::mul(most, __dsqrt_rn(rounded::add(1.0, rounded::mul(share, share))));
}

/* The number of entries of row i of S, whose columns are stored in idx unless that is NULL. */
template <class T>
static __device__ psb_epk couplings_of(const psb_dev_smoothing &q, psb_epk i, psb_ipk *idx)
{
    const T *d = (const T *)q.d, *val = (const T *)q.a.val;
    const double own = __dsqrt_rn(modulus_of(kept(d + i)));
    psb_epk n = 0;
    for (psb_epk k = q.a.off[i]; k < q.a.off[i + 1]; k++) {
        const psb_ipk j = q.a.ja[k];
        if (j != i) {
            const double other = __dsqrt_rn(modulus_of(kept(d + j)));
            if (!(modulus_of(kept(val + k)) > rounded::mul(q.theta, rounded::mul(own, other))))
                continue;
        }
        if (idx)
            idx[n] = j;
        n++;
    }
    return n;
}

template <class T>
static __global__ void __launch_bounds__(THREADS) count_couplings(const __grid_constant__ psb_dev_smoothing q)
{
    for (psb_epk i = my_place(); i < q.a.m; i += all_places())
        q.s.off[i + 1] = couplings_of<T>(q, i, nullptr);
}

template <class T>
static __global__ void __launch_bounds__(THREADS) store_couplings(const __grid_constant__ psb_dev_smoothing q)
{
    for (psb_epk i = my_place(); i < q.a.m; i += all_places())
        couplings_of<T>(q, i, q.s.ja + q.s.off[i]);
}

/* Row i of F has the element d on the diagonal. */
template <class T>
static __device__ T lumped_diagonal(const psb_dev_smoothing &q, psb_epk i)
{
    const psb_epk end = q.s.off[i + 1];
    const T own = kept((const T *)q.d + i);
    psb_epk e = q.s.off[i];
    T d = zero<T>();
    for (psb_epk k = q.a.off[i]; k < q.a.off[i + 1]; k++) {
        const psb_ipk j = q.a.ja[k];
        const bool is_kept = e < end && q.s.ja[e] == j;
        if (!is_kept || j == i)
            d = rounded::add(d, kept((const T *)q.a.val + k));
        e += is_kept;
    }
    return modulus_of(d) > rounded::mul(0.1, modulus_of(own)) ? d : own;
}

template <class R>
static __device__ __forceinline__ R scaled(R by, R v)
{
    return rounded::mul(by, v);
}
template <class R>
static __device__ __forceinline__ pair<R> scaled(R by, pair<R> v)
{
    return { rounded::mul(by, v.re), rounded::mul(by, v.im) };
}

/* The power of two that brings a complex divisor near to 1, and changes no bit of other quotients: see
 * quotient.t.h. */
template <class R>
static __device__ R unit_of(R)
{
    return 1;
}
template <class R>
static __device__ R unit_of(pair<R> d)
{
    const int most_exponent = sizeof(R) == sizeof(float) ? FLT_MAX_EXP : DBL_MAX_EXP;
    const R re = fabs(d.re), im = fabs(d.im), most = re > im ? re : im;
    int e;
    if (!(most > 0) || isinf(most))
        return 1;
    frexp(most, &e);
    return ldexp((R)1, e > 2 - most_exponent ? -e : most_exponent - 2);
}

template <class T>
static __global__ void __launch_bounds__(THREADS) smoothing_rows(const __grid_constant__ psb_dev_smoothing q)
{
    const real_of<T> omega = (real_of<T>)q.omega;
    T *val = (T *)q.s.val;
    for (psb_epk i = my_place(); i < q.a.m; i += all_places()) {
        const T d = lumped_diagonal<T>(q, i);
        const real_of<T> unit = unit_of(d);
        const rounded::quotients<T> by(scaled(unit, d));
        psb_epk e = q.s.off[i];
        for (psb_epk k = q.a.off[i]; k < q.a.off[i + 1] && e < q.s.off[i + 1]; k++) {
            const psb_ipk j = q.a.ja[k];
            if (q.s.ja[e] != j)
                continue;
            val[e++] = j == i ? from_real<T>(rounded::sub((real_of<T>)1, omega))
                              : scaled(-omega, by.of(scaled(unit, kept((const T *)q.a.val + k))));
        }
    }
}

template <class T>
static psb_err lengths(const psb_dev_smoothing *q, psb_epk *found)
{
    if (q->a.m > 0)
        count_couplings<T><<<blocks_for(q->a.m), THREADS, 0, stream()>>>(*q);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), setup));
    return add_lengths(q->a.m, q->s.off, found);
}

template <class T>
static psb_err pattern(const psb_dev_smoothing *q)
{
    if (q->a.m > 0)
        store_couplings<T><<<blocks_for(q->a.m), THREADS, 0, stream()>>>(*q);
    return psb_cudart_ok(cudaGetLastError(), setup);
}

template <class T>
static psb_err values(const psb_dev_smoothing *q)
{
    if (q->a.m > 0)
        smoothing_rows<T><<<blocks_for(q->a.m), THREADS, 0, stream()>>>(*q);
    return psb_cudart_ok(cudaGetLastError(), setup);
}

/* --- aggregates ----------------------------------------------------------------------------------------- */

/* A thread of pass DECIDE stores a 1 if its row is open; all store the same. */
template <psb_row_pass WHAT>
static __global__ void __launch_bounds__(THREADS)
    row_results(const __grid_constant__ psb_dev_rows q, psb_epk *found)
{
    const psb_graph g = { q.s.m, q.s.off, q.s.ja, nullptr };
    bool open = false;
    for (psb_epk i = my_place(); i < q.s.m; i += all_places()) {
        const psb_lpk v = psb_row_result(WHAT, &g, (psb_ipk)i, q.root, q.from, q.number, q.to);
        q.to[i] = v;
        open |= WHAT == PSB_ROWS_DECIDE && psb_row_is_open(v, q.root);
    }
    if (open)
        *found = 1;
}

template <class R>
static __device__ __forceinline__ double weight_of(R v)
{
    return fabs((double)v);
}
template <class R>
static __device__ __forceinline__ double weight_of(pair<R> v)
{
    return rounded::add(fabs((double)v.re), fabs((double)v.im));
}

/* How much a row, entries from .. end - 1, is coupled to the aggregate of its entry k. */
template <class T>
static __device__ double coupling_of(const psb_dev_rows &q, psb_epk from, psb_epk end, psb_epk k)
{
    const T *val = (const T *)q.s.val;
    const psb_lpk of = q.from[q.s.ja[k]];
    double sum = 0;
    if (end - from > PSB_JOINS_BY_SUM)
        return weight_of(kept(val + k));
    for (psb_epk e = from; e < end; e++)
        if (q.s.ja[e] < q.s.m && q.from[q.s.ja[e]] == of)
            sum = rounded::add(sum, weight_of(kept(val + e)));
    return sum;
}

template <class T>
static __global__ void __launch_bounds__(THREADS) join_rows(const __grid_constant__ psb_dev_rows q)
{
    for (psb_epk i = my_place(); i < q.s.m; i += all_places()) {
        const psb_epk from = q.s.off[i], end = q.s.off[i + 1];
        const psb_lpk own = q.from[i];
        psb_lpk best = own;
        double most = 0;
        for (psb_epk k = from; own < 0 && k < end; k++) {
            const psb_lpk other = q.s.ja[k] < q.s.m ? q.from[q.s.ja[k]] : -1;
            const double sum = other >= 0 ? coupling_of<T>(q, from, end, k) : 0;
            if (sum > most) {
                most = sum;
                best = other;
            }
        }
        q.to[i] = best;
    }
}

template <class T>
static psb_err pass(int what, const psb_dev_rows *q, psb_epk *found)
{
    static void (*const kernels[])(psb_dev_rows,
                                   psb_epk *) = { row_results<PSB_ROWS_BEGIN>,  row_results<PSB_ROWS_OPEN>,
                                                  row_results<PSB_ROWS_HOP>,    row_results<PSB_ROWS_DECIDE>,
                                                  row_results<PSB_ROWS_TAKEN>,  row_results<PSB_ROWS_AGAIN>,
                                                  row_results<PSB_ROWS_NEAREST> };
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), setup));
    if (q->s.m > 0 && what == PSB_ROWS_JOIN)
        join_rows<T><<<blocks_for(q->s.m), THREADS, 0, stream()>>>(*q);
    else if (q->s.m > 0)
        kernels[what]<<<blocks_for(q->s.m), THREADS, 0, stream()>>>(*q, found);
    return psb_cudart_ok(cudaGetLastError(), setup);
}

static __global__ void __launch_bounds__(THREADS)
    mark_roots(psb_ipk m, const psb_lpk *__restrict__ key, psb_lpk *__restrict__ number)
{
    for (psb_epk i = my_place(); i < m; i += all_places())
        number[i] = key[i] >= PSB_ROOT_LATER;
}

static psb_err number_roots(psb_ipk m, const psb_lpk *key, psb_lpk *number, psb_epk *found)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream()), setup));
    if (m == 0)
        return PSB_OK;
    mark_roots<<<blocks_for(m), THREADS, 0, stream()>>>(m, key, number);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), setup));
    PSB_TRY(with_memory(setup, [=](arena &d) { return sum_up(number, m, d); }));
    return psb_cudart_ok(
        cudaMemcpyAsync(found, number + m - 1, sizeof *found, cudaMemcpyDeviceToDevice, stream()), setup);
}

/* --- tentative prolongators ----------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS)
    count_ones(psb_ipk m, const psb_lpk *__restrict__ of, psb_epk *__restrict__ off)
{
    for (psb_epk i = my_place(); i < m; i += all_places())
        off[i + 1] = of[i] >= 0;
}

static psb_err begin(psb_ipk m, const psb_lpk *of, psb_epk *off, psb_epk *found)
{
    if (m > 0)
        count_ones<<<blocks_for(m), THREADS, 0, stream()>>>(m, of, off);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), setup));
    return add_lengths(m, off, found);
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    store_ones(psb_ipk m, const psb_lpk *__restrict__ of, const __grid_constant__ psb_dev_compressed p0)
{
    for (psb_epk i = my_place(); i < m; i += all_places())
        if (of[i] >= 0) {
            p0.ja[p0.off[i]] = (psb_ipk)of[i];
            ((T *)p0.val)[p0.off[i]] = from_real<T>(1);
        }
}

template <class T>
static psb_err ones(psb_ipk m, const psb_lpk *of, const psb_dev_compressed *p0)
{
    if (m > 0)
        store_ones<T><<<blocks_for(m), THREADS, 0, stream()>>>(m, of, *p0);
    return psb_cudart_ok(cudaGetLastError(), setup);
}

/* --- the table ------------------------------------------------------------------------------------------ */

template <class K, class T>
constexpr K aggregate_steps()
{
    return {
        lengths<dev<T>>, pattern<dev<T>>, values<dev<T>>, pass<dev<T>>, number_roots, begin, ones<dev<T>>
    };
}
PSB_CUDA_TABLES(aggregate_steps)
