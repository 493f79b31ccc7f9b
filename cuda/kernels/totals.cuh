/* totals.cuh -- cuda/kernels: sums over processes, with their exchange, in one kernel. */
#ifndef PSB_TOTALS_CUH
#define PSB_TOTALS_CUH
#include "await.cuh"
#include "epilogue.cuh"

/* The scalar with these real and imaginary parts. */
template <class T>
struct total {
    static __device__ T of(double re, double)
    {
        return re;
    }
};
template <class R>
struct total<pair<R>> {
    static __device__ pair<R> of(double re, double im)
    {
        return { (R)re, (R)im };
    }
};

/* Store the parts of this process at all others, a thread each, and wait for theirs; V: X(vec_totals). */
template <class V>
static __device__ void exchange_parts(const V &t)
{
    const psb_row_put &put = t.exchange.put;
    psb_channel_counts *counts = put.counts;
    const unsigned e = *(volatile unsigned *)&counts->put + 1;
    const unsigned due = *(volatile unsigned *)&counts->received + 1;
    __syncthreads(); /* all threads have read the counts */
    for (int k = threadIdx.x; k < put.n; k += blockDim.x) {
        const psb_peer &to = put.peer[k];
        double *row = (double *)(to.landing[e & 1] + (size_t)to.place * put.row);
        for (int i = 0; i < 2 * t.n; i++)
            row[i] = t.mine[i];
        __threadfence_system();
        store_release(to.flag[e & 1], PSB_FLAG(e, 0));
    }
    await_neighbours(t.exchange.arrival, due);
    if (threadIdx.x == 0) {
        counts->put = e;
        counts->received = due;
    }
    __syncthreads();
}

/* Thread i adds sum i of the rows of all processes, in rank order. */
template <class T, class V>
static __global__ void totals(const __grid_constant__ V t)
{
    const int i = threadIdx.x;
    double re = 0, im = 0;
    let_next_start();
    await_previous();
    if (t.exchange.by)
        exchange_parts(t);
    for (int k = 0; k <= t.count && i < t.n; k++) {
        const double *row = k == t.before ? t.mine : t.others + (psb_epk)(k < t.before ? k : k - 1) * t.width;
        re += fresh(row + 2 * i);
        im += fresh(row + 2 * i + 1);
    }
    if (i < t.n)
        *(T *)t.to[i] = total<T>::of(re, im);
    __syncthreads();
    if (i == 0)
        do_steps<T>(t.steps);
}

template <class T, class Q>
static __global__ void steps_alone(const __grid_constant__ Q q)
{
    start_in_order();
    do_steps<T>(q);
}

namespace entry
{
template <class T, class V>
static psb_err totals(const V *t)
{
    return psb_cudart_ok(launch_early(::totals<dev<T>, V>, 1, 32, stream(), *t), "sums over processes");
}

template <class T, class V>
static psb_err steps(const V *s)
{
    return psb_cudart_ok(launch_early(::steps_alone<dev<T>, V>, 1, 1, stream(), *s), "steps");
}
} // namespace entry
#endif
