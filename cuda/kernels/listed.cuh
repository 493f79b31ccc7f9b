/* listed.cuh -- cuda/kernels: y[rows[i]] += alpha (A x)_i for few short rows of CSR, as those of a halo.  A
 * thread takes a row.  The kernel starts beside the last blocks of the product before it, loads its entries,
 * waits itself for the rows of x that neighbours store, and reads y when that product has ended. */
#ifndef PSB_LISTED_CUH
#define PSB_LISTED_CUH
#include "add_rows.cuh"
#include "await.cuh"
#include "overlap.cuh"

namespace listed
{
constexpr int THREADS = SUMMED_ROWS;

template <class F, class T>
static __global__ void __launch_bounds__(THREADS)
    add_listed(const psb_dev_compressed a, T alpha, const T *x, T *y, const psb_arrival wait,
               const __grid_constant__ F end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    const T *val = (const T *)a.val;
    typename F::sums s = {};
    psb_ipk row = -1, j[LISTED_AHEAD];
    psb_epk from = 0, to = 0;
    T v[LISTED_AHEAD], sum = zero<T>();
    if (wait.n == 0)
        await_previous(); /* which may have stored x or the matrix */
    if (r < a.m) {
        from = a.off[r];
        to = a.off[r + 1];
        row = end.at[r];
    }
#pragma unroll
    for (int u = 0; u < LISTED_AHEAD; u++)
        if (from + u < to) {
            j[u] = a.ja[from + u];
            v[u] = val[from + u];
        }
    if (wait.n > 0)
        await_in_kernel(wait);
    let_next_start(); /* not before: its blocks could leave no space for the put */
#pragma unroll
    for (int u = 0; u < LISTED_AHEAD; u++)
        if (from + u < to)
            sum = mad(v[u], fresh(x + j[u]), sum);
    for (psb_epk i = from + LISTED_AHEAD; i < to; i++)
        sum = mad(val[i], fresh(x + a.ja[i]), sum);
    await_previous();
    if (row >= 0)
        end.add_to(alpha, sum, y, row, s);
    end.template leave<THREADS>(s, blockIdx.x);
}

/* Blocks that wait fill at most half of the GPU, so that a put beside them can run. */
static bool may_wait(unsigned grid)
{
    return (psb_epk)grid * THREADS <= resident_threads() / 2;
}

/* a.m > 0; wait: NULL, or by NULL, if x is there. */
template <class T, class F>
static int add_rows(const psb_dev_compressed &a, T alpha, const T *x, T *y, const psb_awaited *wait,
                    const F &end)
{
    const unsigned grid = (unsigned)((a.m + THREADS - 1) / THREADS);
    psb_arrival inside = {};
    if (wait && wait->by && may_wait(grid))
        inside = wait->job;
    else if (psb_await(wait) != PSB_OK)
        return cudaErrorLaunchFailure;
    return launch_early(add_listed<F, T>, grid, THREADS, stream(), a, alpha, x, y, inside, end);
}

/* After the launch of a kernel that waits for *wait, and for the put of this process, unless there is nothing
 * to wait for.  If the launch failed, another kernel waits, so that the exchange comes to its end. */
static psb_err launched(int code, const psb_awaited *wait, const char *what)
{
    const psb_err e = psb_cudart_ok(code, what);
    if (e == PSB_OK)
        return wait && wait->by ? psb_cudart_joined(wait->job.counts) : PSB_OK;
    (void)!psb_await(wait);
    return e;
}

/* The entry `add_short`; t: NULL or X(vec_epilogue). */
template <class T, class E>
static psb_err add_short(const psb_dev_compressed *a, T alpha, const T *x, const psb_awaited *wait,
                         const psb_ipk *rows, T *y, const E *t, double *partial)
{
    using D = dev<T>;
    int code = cudaSuccess, sums = cudaSuccess;
    const auto run = [&](const auto &end) {
        code = add_rows(*a, on_gpu(alpha), on_gpu(x), on_gpu(y), wait, end);
    };
    if (t)
        sums = with_epilogue(epilogue_of_c<E>{ *t, partial }, (const D *)on_gpu(y),
                             (a->m + THREADS - 1) / THREADS, stream(),
                             [&](const auto &e) { run(add_with_dots(e, rows)); });
    else
        run(add_to_rows<D>(rows));
    return launched(code != cudaSuccess ? code : sums, wait, t ? "fused product" : "product");
}
} // namespace listed
#endif
