/* gpu_clock.c -- test/kernel: times on the GPU, measured with its events. */
#include "psb_cuda.h"
#include <math.h>
#ifdef WITH_CUSPARSE
#include <cuda_runtime_api.h>
#endif
#include "psb_type.h"
#include "gpu_spmv.h"

double X(copy_bandwidth)(void)
{
    const size_t half = (size_t)1 << 30;
    double seconds;
    if (!psb_cuda_stream())
        return NAN;
    good(psb_cuda_copy_time(half, REPS, &seconds), "copies");
    return 2 * (double)half / seconds;
}

static psb_err multiply(const struct problem *p, const struct runner *r)
{
    for (int i = 0; i < opt.batch; i++)
        PSB_TRY(r->kind->product(p, r->a));
    return PSB_OK;
}

/* Without a GPU: times by the host's clock. */
static psb_err by_the_host(const struct problem *p, const struct runner *r, double *t)
{
    for (int i = -1; i < REPS; i++) {
        const double begun = psb_wtime();
        PSB_TRY(multiply(p, r));
        PSB_TRY(psb_cuda_DeviceSync());
        if (i >= 0)
            t[i] = (psb_wtime() - begun) / opt.batch;
    }
    return PSB_OK;
}

#ifdef WITH_CUSPARSE
static cudaEvent_t event[REPS + 1];

static psb_err ok(cudaError_t e)
{
    PSB_CHECK(e == cudaSuccess, PSB_EDEVICE, "%s", cudaGetErrorString(e));
    return PSB_OK;
}

/* Times from events between any two batches of products. */
static psb_err by_events(const struct problem *p, const struct runner *r, double *t)
{
    const cudaStream_t stream = psb_cuda_stream();
    for (int i = 0; i <= REPS; i++)
        if (!event[i])
            PSB_TRY(ok(cudaEventCreate(&event[i])));
    for (int i = -WARM; i < REPS; i++) {
        PSB_TRY(multiply(p, r));
        if (i >= -1)
            PSB_TRY(ok(cudaEventRecord(event[i + 1], stream)));
    }
    PSB_TRY(ok(cudaEventSynchronize(event[REPS])));
    for (int i = 0; i < REPS; i++) {
        float ms;
        PSB_TRY(ok(cudaEventElapsedTime(&ms, event[i], event[i + 1])));
        t[i] = 1e-3 * (double)ms / opt.batch;
    }
    return PSB_OK;
}
#endif

psb_err X(time_products)(const struct problem *p, const struct runner *r, double *t)
{
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        return by_events(p, r, t);
#endif
    return by_the_host(p, r, t);
}
