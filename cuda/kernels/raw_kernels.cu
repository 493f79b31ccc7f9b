/* raw_kernels.cu -- cuda/kernels: checks and places of arrays of other libraries.  The first bad element is a
 * minimum of integers, so it is the same in every run. */
#include "rounded.cuh"
#include "convert_steps.cuh"

typedef unsigned long long word;

/* found[0] = -1, the largest unsigned number, and found[1] = 0. */
static psb_err clear_bad(psb_epk *found)
{
    PSB_TRY(step_ended(cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream())));
    return step_ended(cudaMemsetAsync(found, 0xff, sizeof *found, stream()));
}

static __global__ void __launch_bounds__(THREADS)
    find_first_bad(const __grid_constant__ psb_raw_check c, psb_epk *found)
{
    for (psb_epk k = my_place(); k < c.n; k += all_places())
        if (psb_raw_is_bad(&c, k))
            atomicMin((word *)found, (word)k);
}

static psb_err raw_first_bad(const psb_raw_check *c, psb_epk *found)
{
    PSB_TRY(clear_bad(found));
    if (c->n > 0)
        find_first_bad<<<blocks_for(c->n), THREADS, 0, stream()>>>(*c, found);
    return step_ended(cudaGetLastError());
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    find_raw_places(const __grid_constant__ psb_raw_dev q, psb_epk n, psb_ipk *__restrict__ ia,
                    psb_ipk *__restrict__ ja, psb_epk *found)
{
    psb_epk pads = 0;
    for (psb_epk p = my_place(); p < n; p += all_places()) {
        psb_epk i = -1, j = -1;
        const psb_raw_kind kind = psb_raw_kind_of(&q, p, is_zero(((const T *)q.val)[p]), &i, &j);
        ia[p] = kind == PSB_RAW_PADDING ? q.r.m : psb_raw_short(i);
        ja[p] = kind == PSB_RAW_PADDING ? 0 : psb_raw_short(j);
        pads += kind == PSB_RAW_PADDING;
        if (kind == PSB_RAW_BAD)
            atomicMin((word *)found, (word)p);
    }
    if (pads > 0)
        atomicAdd((word *)(found + 1), (word)pads);
}

template <class T>
static psb_err raw_places(const psb_raw_dev *q, psb_epk n, psb_ipk *ia, psb_ipk *ja, psb_epk *found)
{
    PSB_TRY(clear_bad(found));
    if (n > 0)
        find_raw_places<T><<<blocks_for(n), THREADS, 0, stream()>>>(*q, n, ia, ja, found);
    return step_ended(cudaGetLastError());
}

static __global__ void __launch_bounds__(THREADS)
    widen(psb_epk n, const int32_t *__restrict__ from, psb_epk *__restrict__ to)
{
    for (psb_epk k = my_place(); k < n; k += all_places())
        to[k] = from[k];
}

static psb_err raw_widen(psb_epk n, const int32_t *from, psb_epk *to)
{
    if (n > 0)
        widen<<<blocks_for(n), THREADS, 0, stream()>>>(n, from, to);
    return step_ended(cudaGetLastError());
}

template <class K, class T>
constexpr K raw_steps()
{
    K k = {};
    k.first_bad = raw_first_bad;
    k.places = raw_places<dev<T>>;
    k.widen = raw_widen;
    return k;
}
PSB_CUDA_TABLES(raw_steps)
