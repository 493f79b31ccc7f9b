/* listed_kernels.cu -- room: cuda/kernels.  y[rows[i]] += alpha (A x)_i for few short rows of CSR, as those
 * of a halo: a thread takes a row.  The kernel starts beside the last blocks of the product before it, loads
 * its entries, waits itself for the rows of x that neighbours store, and reads y when that product has ended.
 */
#include "psb_scalar.h"
#include "launchers.h"
#include "add_rows.cuh"
#include "await.cuh"
#include "gpu.h"
#include "overlap.cuh"

constexpr int THREADS = PSB_SUMMED_ROWS, AHEAD = 4;

template <class F, class T>
static __global__ void __launch_bounds__(THREADS)
    add_listed(const psb_dev_compressed a, T alpha, const T *x, T *y, const psb_arrival wait,
               const __grid_constant__ F end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    const T *val = (const T *)a.val;
    typename F::sums s = {};
    psb_ipk row = -1, j[AHEAD];
    psb_epk from = 0, to = 0;
    T v[AHEAD], sum = zero<T>();
    if (wait.n == 0)
        await_previous(); /* which may have stored x or the matrix */
    if (r < a.m) {
        from = a.off[r];
        to = a.off[r + 1];
        row = end.at[r];
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (from + u < to) {
            j[u] = a.ja[from + u];
            v[u] = val[from + u];
        }
    if (wait.n > 0)
        await_in_kernel(wait);
    let_next_start(); /* not before: its blocks could leave no room for the put */
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (from + u < to)
            sum = mad(v[u], fresh(x + j[u]), sum);
    for (psb_epk i = from + AHEAD; i < to; i++)
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

/* a.m > 0; wait: NULL if x is there. */
template <class T, class F>
static int run(const psb_dev_compressed &a, T alpha, const T *x, T *y, const psb_arrival *wait, const F &end,
               cudaStream_t stream)
{
    const unsigned grid = (unsigned)((a.m + THREADS - 1) / THREADS);
    psb_arrival inside = {};
    if (wait && may_wait(grid))
        inside = *wait;
    else if (wait && psb_onesided_cuda.arrive(wait) != PSB_OK)
        return cudaErrorLaunchFailure;
    return launch_early(add_listed<F, T>, grid, THREADS, stream, a, alpha, x, y, inside, end);
}

#define PSB_TEMPLATE "listed_launchers.t.cuh"
#include "psb_each_type.h"
