/* gpu_cuda.c -- cuda/device: calls of the CUDA runtime: all of the library's cudaMalloc, and, with
 * gpu_staged.c, all of its cudaMemcpy. */
#include <cuda_runtime_api.h>
#include "psb_testing.h"
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include "psb_alloc.h"
#include "psb_pool.h"
#include "gpu.h"
#include "gpu_tuning.h"
#include "psb_vec_ops.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __has_include
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAVE_NVTX 1
#endif
#endif

/* Streams and buffers. */
struct lane {
    cudaStream_t stream, own;
    struct {
        cudaStream_t stream; /* of high priority */
        cudaEvent_t begin, end;
        bool forked;
        const void *by; /* who forked; NULL: several */
    } side;
    struct psb_cudart_scratch scratch;
    struct psb_cudart_staged staged;
};

static struct lane shared;                         /* by threads that have none of their own */
static _Thread_local struct lane of_thread, *mine; /* NULL: `shared` */

static struct lane *lane(void)
{
    return mine ? mine : &shared;
}

static cudaStream_t stream(void)
{
    return lane()->stream;
}

/* Messages are in the order of the shared stream. */
static psb_err await_messages(void)
{
    return mine ? PSB_OK : psb_nccl_wait();
}

static void settle_messages(void)
{
    if (!mine)
        psb_nccl_settle();
}

psb_err psb_cudart_ok(int code, const char *what)
{
    if (code == cudaSuccess)
        return PSB_OK;
    cudaGetLastError(); /* clear the error, which is reported here */
    return PSB_FAIL(code == cudaErrorNotSupported ? PSB_ENOTIMPL : PSB_EDEVICE, "%s: %s", what,
                    cudaGetErrorString((cudaError_t)code));
}

#define CUDA(call) PSB_TRY(psb_cudart_ok(call, #call))

/* --- memory and copies ------------------------------------------------------------------------------- */

/* With the memory that is kept, if there is none else. */
static bool allocate(void **p, size_t bytes)
{
    if (cudaMalloc(p, bytes) == cudaSuccess)
        return true;
    cudaGetLastError();
    psb_pool_trim(0);
    if (cudaMalloc(p, bytes) == cudaSuccess)
        return true;
    cudaGetLastError();
    return false;
}

psb_err psb_cudart_alloc(void **p, size_t bytes, const char *what)
{
    size_t unused = 0, all = 0;
    void *new = NULL;
    if (!psb_alloc_fails() && allocate(&new, bytes ? bytes : 1)) {
        *p = new;
        return PSB_OK;
    }
    cudaMemGetInfo(&unused, &all);
    return psb_no_device_memory(what, bytes, unused, all);
}

void psb_cudart_free(void *p)
{
    settle_messages(); /* cudaFree, and below, wait for the GPU */
    cudaFree(p);
}

/* All work of a thread is in the order of one stream, but what runs beside on the second one: later work waits
 * for that.  A graph that is being captured may use the memory whenever it is launched, so it is not kept. */
bool psb_cudart_keep(void *p, size_t bytes)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    (void)p, (void)bytes;
    if (!lane()->own)
        return false;
    if (cudaStreamIsCapturing(stream(), &status) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return status == cudaStreamCaptureStatusNone && psb_cudart_join() == PSB_OK;
}

psb_err psb_cudart_alloc_host(void **p, size_t bytes)
{
    void *new = NULL;
    if (!psb_alloc_fails() && cudaMallocHost(&new, bytes ? bytes : 1) == cudaSuccess) {
        *p = new;
        return PSB_OK;
    }
    cudaGetLastError();
    return PSB_FAIL(PSB_ENOMEM, "no pinned host memory: %zu bytes asked", bytes);
}

void psb_cudart_free_host(void *p)
{
    settle_messages();
    cudaFreeHost(p);
}

/* Memory that shares a page with pinned memory cannot be pinned. */
bool psb_cudart_pin(void *host, size_t bytes)
{
    if (bytes && cudaHostRegister(host, bytes, cudaHostRegisterDefault) == cudaSuccess)
        return true;
    cudaGetLastError();
    return false;
}

void psb_cudart_unpin(void *host)
{
    settle_messages(); /* as before cudaFreeHost */
    if (cudaHostUnregister(host) != cudaSuccess)
        cudaGetLastError();
}

psb_err psb_cudart_zero(void *dev, size_t bytes)
{
    return psb_cudart_ok(cudaMemsetAsync(dev, 0, bytes, stream()), "zeros on the device");
}

psb_err psb_cudart_put_async(void *dev, const void *host, size_t bytes)
{
    return psb_cudart_ok(cudaMemcpyAsync(dev, host, bytes, cudaMemcpyHostToDevice, stream()),
                         "copy to device");
}

psb_err psb_cudart_get_async(void *host, const void *dev, size_t bytes)
{
    return psb_cudart_ok(cudaMemcpyAsync(host, dev, bytes, cudaMemcpyDeviceToHost, stream()), "copy to host");
}

psb_err psb_cudart_sync(void)
{
    PSB_TRY(await_messages());
    return psb_cudart_ok(cudaStreamSynchronize(stream()), "work on the device");
}

void psb_cudart_drain(void)
{
    settle_messages();
    cudaStreamSynchronize(stream());
}

psb_err psb_cudart_put(void *dev, const void *host, size_t bytes)
{
    PSB_TRY(await_messages()); /* a copy of pageable memory may wait for the stream before it returns */
    if (psb_cudart_stages(host, bytes))
        return psb_cudart_ok(psb_cudart_stage_put(dev, host, bytes, stream()), "copy to device");
    PSB_TRY(psb_cudart_put_async(dev, host, bytes));
    return psb_cudart_sync();
}

psb_err psb_cudart_get(void *host, const void *dev, size_t bytes)
{
    PSB_TRY(await_messages());
    if (psb_cudart_stages(host, bytes))
        return psb_cudart_ok(psb_cudart_stage_get(host, dev, bytes, stream()), "copy to host");
    PSB_TRY(psb_cudart_get_async(host, dev, bytes));
    return psb_cudart_sync();
}

/* --- events ------------------------------------------------------------------------------------------ */

psb_err psb_cudart_mark(void **event)
{
    if (!*event)
        CUDA(cudaEventCreateWithFlags((cudaEvent_t *)event, cudaEventDisableTiming));
    return psb_cudart_ok(cudaEventRecord(*event, stream()), "event");
}

psb_err psb_cudart_wait(void *event)
{
    if (!event)
        return PSB_OK;
    PSB_TRY(await_messages());
    return psb_cudart_ok(cudaEventSynchronize(event), "work on the device");
}

void psb_cudart_unmark(void *event)
{
    if (event)
        cudaEventDestroy(event);
}

/* --- graphs --------------------------------------------------------------------------------------------- */

psb_err psb_cudart_poll(bool *idle)
{
    const cudaError_t code = cudaStreamQuery(stream());
    *idle = code == cudaSuccess;
    if (code != cudaErrorNotReady)
        return psb_cudart_ok(code, "work on the device");
    cudaGetLastError(); /* clear it */
    return PSB_OK;
}

/* Calls of other threads are not part of it. */
psb_err psb_cudart_capture(void)
{
    return psb_cudart_ok(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "capture");
}

psb_err psb_cudart_captured(void **graph)
{
    cudaGraph_t calls = NULL;
    cudaGraphExec_t run = NULL;
    cudaError_t code = cudaStreamEndCapture(stream(), &calls);
    if (code == cudaSuccess)
        code = cudaGraphInstantiateWithFlags(&run, calls, 0);
    if (calls)
        cudaGraphDestroy(calls);
    *graph = run;
    return psb_cudart_ok(code, "capture");
}

psb_err psb_cudart_launch(void *graph)
{
    return psb_cudart_ok(cudaGraphLaunch(graph, stream()), "graph");
}

void psb_cudart_free_graph(void *graph)
{
    cudaGraphExecDestroy(graph);
}

/* --- a second stream ---------------------------------------------------------------------------------- */

psb_err psb_cudart_fork(const void *by, void **second)
{
    struct lane *l = lane();
    CUDA(cudaEventRecord(l->side.begin, stream()));
    CUDA(cudaStreamWaitEvent(l->side.stream, l->side.begin, 0));
    l->side.by = l->side.forked && l->side.by != by ? NULL : by;
    l->side.forked = true;
    *second = l->side.stream;
    return PSB_OK;
}

psb_err psb_cudart_join(void)
{
    struct lane *l = lane();
    if (!l->side.forked)
        return PSB_OK;
    l->side.forked = false;
    CUDA(cudaEventRecord(l->side.end, l->side.stream));
    return psb_cudart_ok(cudaStreamWaitEvent(stream(), l->side.end, 0), "second stream");
}

psb_err psb_cudart_joined(const void *by)
{
    struct lane *l = lane();
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (!l->side.forked || l->side.by != by)
        return PSB_OK;
    CUDA(cudaStreamIsCapturing(stream(), &status));
    if (status != cudaStreamCaptureStatusNone)
        return psb_cudart_join();
    l->side.forked = false;
    return PSB_OK;
}

static psb_err open_side(struct lane *l)
{
    int least, greatest;
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA(cudaStreamCreateWithPriority(&l->side.stream, cudaStreamNonBlocking, greatest));
    CUDA(cudaEventCreateWithFlags(&l->side.begin, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&l->side.end, cudaEventDisableTiming));
    return PSB_OK;
}

static void close_side(struct lane *l)
{
    if (l->side.stream)
        cudaStreamDestroy(l->side.stream);
    psb_cudart_unmark(l->side.begin);
    psb_cudart_unmark(l->side.end);
}

/* --- ranges for a profiler ---------------------------------------------------------------------------- */

#ifdef HAVE_NVTX
static nvtxDomainHandle_t domain; /* NULL if no profiler is attached */

void psb_cudart_range_push(const char *of, const char *what)
{
    char name[64];
    nvtxEventAttributes_t e = { .version = NVTX_VERSION,
                                .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                .message.ascii = name };
    if (!domain)
        return;
    snprintf(name, sizeof name, "%s %s", of, what);
    nvtxDomainRangePushEx(domain, &e);
}

void psb_cudart_range_pop(void)
{
    if (domain)
        nvtxDomainRangePop(domain);
}

static void open_ranges(void)
{
    domain = nvtxDomainCreateA("PSBC");
}

static void close_ranges(void)
{
    if (domain)
        nvtxDomainDestroy(domain);
    domain = NULL;
}
#else
void psb_cudart_range_push(const char *of, const char *what)
{
    (void)of, (void)what;
}

void psb_cudart_range_pop(void)
{
}

static void open_ranges(void)
{
}

static void close_ranges(void)
{
}
#endif

/* --- the open GPU ------------------------------------------------------------------------------------- */

int psb_cudart_count(void)
{
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return n;
}

static psb_err open_lane(int number, struct lane *l)
{
    const size_t sums = 2 * VEC_COLUMNS * sizeof(double);
    struct psb_cudart_scratch *s = &l->scratch;
    CUDA(cudaSetDevice(number));
    CUDA(cudaStreamCreateWithFlags(&l->own, cudaStreamNonBlocking));
    PSB_TRY(open_side(l));
    CUDA(cudaMalloc((void **)&s->partial, VEC_BLOCKS * sums));
    CUDA(cudaMalloc((void **)&s->sum, sums));
    CUDA(cudaMallocHost((void **)&s->host, sums));
    CUDA(cudaMalloc((void **)&s->slice, 2 * sizeof(double) * SUM_SLICES * PSB_MOST_DOTS));
    CUDA(cudaMalloc((void **)&s->arrived, PSB_MOST_DOTS * sizeof *s->arrived));
    CUDA(cudaMemsetAsync(s->arrived, 0, PSB_MOST_DOTS * sizeof *s->arrived, l->own));
    l->stream = l->own;
    return PSB_OK;
}

static void close_lane(struct lane *l)
{
    if (l->own)
        cudaStreamDestroy(l->own);
    close_side(l);
    cudaFree(l->scratch.partial);
    cudaFree(l->scratch.sum);
    cudaFree(l->scratch.slice);
    cudaFree(l->scratch.arrived);
    cudaFreeHost(l->scratch.host);
    psb_cudart_stage_close(&l->staged);
    *l = (struct lane){ .stream = NULL };
}

psb_err psb_cudart_open(int number)
{
    psb_err e = open_lane(number, &shared);
    if (e != PSB_OK) {
        psb_cudart_close();
        return e;
    }
    open_ranges();
    return PSB_OK;
}

void psb_cudart_close(void)
{
    psb_nccl_close();
    close_lane(&shared);
    close_ranges();
}

psb_err psb_cudart_thread_open(int number)
{
    const psb_err e = open_lane(number, &of_thread);
    if (e == PSB_OK)
        mine = &of_thread;
    else
        close_lane(&of_thread);
    return e;
}

psb_err psb_cudart_thread_close(void)
{
    const psb_err e = psb_cudart_join(), f = psb_cudart_sync();
    close_lane(&of_thread);
    mine = NULL;
    return e != PSB_OK ? e : f;
}

const struct psb_cudart_scratch *psb_cudart_scratch(void)
{
    return &lane()->scratch;
}

struct psb_cudart_staged *psb_cudart_staged(void)
{
    return &lane()->staged;
}

void *psb_cudart_stream(void)
{
    return stream();
}

psb_err psb_cudart_set_stream(void *s)
{
    PSB_TRY(psb_cudart_sync()); /* work on the old stream must complete before work on the new one starts */
    lane()->stream = s ? s : lane()->own;
    return PSB_OK;
}

psb_err psb_cudart_ask(int number, enum psb_cudart_question q, int *out)
{
    static const enum cudaDeviceAttr attribute[PSB_GPU_QUESTIONS] = {
        [PSB_GPU_UVA] = cudaDevAttrUnifiedAddressing,
        [PSB_GPU_WARP_SIZE] = cudaDevAttrWarpSize,
        [PSB_GPU_MULTIPROCESSORS] = cudaDevAttrMultiProcessorCount,
        [PSB_GPU_THREADS_PER_MP] = cudaDevAttrMaxThreadsPerMultiProcessor,
        [PSB_GPU_REGISTERS_PER_BLOCK] = cudaDevAttrMaxRegistersPerBlock,
        [PSB_GPU_MEMORY_CLOCK] = cudaDevAttrMemoryClockRate,
        [PSB_GPU_BUS_WIDTH] = cudaDevAttrGlobalMemoryBusWidth,
    };
    return psb_cudart_ok(cudaDeviceGetAttribute(out, attribute[q], number), "attribute of the GPU");
}

void psb_cudart_versions(int *runtime, int *driver, int *nccl)
{
    *nccl = psb_nccl_version();
    *runtime = *driver = 0;
    if (cudaRuntimeGetVersion(runtime) != cudaSuccess || cudaDriverGetVersion(driver) != cudaSuccess)
        cudaGetLastError();
}

psb_err psb_cudart_name(int number, char *out, size_t len)
{
    struct cudaDeviceProp p;
    CUDA(cudaGetDeviceProperties(&p, number));
    snprintf(out, len, "%s", p.name);
    return PSB_OK;
}

/* Open MPI and MPICH say it when the program runs. */
const char *psb_cudart_mpi_obstacle(void)
{
    int yes = 0;
#if defined OPEN_MPI && defined MPIX_CUDA_AWARE_SUPPORT
    yes = MPIX_Query_cuda_support();
#elif defined MPIX_GPU_SUPPORT_CUDA
    yes = MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &yes) == MPI_SUCCESS && yes;
#endif
    return yes ? NULL : "this MPI does not say that it can access the memory of GPUs";
}

/* --- the copy bandwidth ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static psb_err one_copy(char *p, size_t bytes, cudaEvent_t begin, cudaEvent_t end, float *ms)
{
    CUDA(cudaEventRecord(begin, stream()));
    CUDA(cudaMemcpyAsync(p + bytes, p, bytes, cudaMemcpyDeviceToDevice, stream()));
    CUDA(cudaEventRecord(end, stream()));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(ms, begin, end));
    return PSB_OK;
}

psb_err psb_cudart_copy_time(size_t bytes, int reps, double *seconds)
{
    enum { MOST = 99, WARM = 3 };
    float ms[MOST + WARM];
    void *p = NULL;
    cudaEvent_t begin, end;
    reps = reps < 1 ? 1 : reps > MOST ? MOST : reps;
    PSB_TRY(psb_cudart_alloc(&p, 2 * bytes, "copies that are timed"));
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    psb_err e = psb_cudart_ok(cudaMemsetAsync(p, 1, 2 * bytes, stream()), "fill");
    for (int i = 0; i < reps + WARM && e == PSB_OK; i++)
        e = one_copy(p, bytes, begin, end, &ms[i]);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(p);
    PSB_TRY(e);
    qsort(ms + WARM, (size_t)reps, sizeof *ms, by_value);
    *seconds = 1e-3 * (double)ms[WARM + reps / 2];
    return PSB_OK;
}
