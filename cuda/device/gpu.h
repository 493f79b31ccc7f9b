/* gpu.h -- cuda/device: calls of the CUDA runtime, implemented by gpu_cuda.c, or by gpu_none.c in a
 * build without nvcc. */
#ifndef PSB_GPU_H
#define PSB_GPU_H
#include "psb_device.h"
#include "psb_onesided.h"
#include "psb_twosided.h"
#include "gpu_tuning.h"
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_cudart_question {
    PSB_GPU_UVA,
    PSB_GPU_WARP_SIZE,
    PSB_GPU_MULTIPROCESSORS,
    PSB_GPU_THREADS_PER_MP,
    PSB_GPU_REGISTERS_PER_BLOCK,
    PSB_GPU_MEMORY_CLOCK,
    PSB_GPU_BUS_WIDTH,
    PSB_GPU_QUESTIONS
};

/* Number of GPUs that this process sees; 0 if there is none, or no driver. */
int psb_cudart_count(void);

/* Store the versions of CUDA's runtime and driver, 1000 major + 10 minor, and of NCCL, 10000 major + 100
 * minor + patch; 0: none. */
void psb_cudart_versions(int *runtime, int *driver, int *nccl);

/* The GPU as a psb_device. */
extern const struct psb_device psb_device_cuda;

/* One-sided exchanges of the fake device, and of GPUs. */
extern const struct psb_onesided psb_onesided_fake, psb_onesided_cuda;

/* The one-sided exchanges of the fake device act as if the processes, in the order of their ranks, were on n
 * hosts, each with a device of its own; 0: as they are, with one device.  Local. */
void psb_fake_hosts(size_t n);

/* Messages of the fake device, and of GPUs. */
extern const struct psb_twosided psb_twosided_fake, psb_twosided_cuda;

/* Return the version of NCCL, 0 if it cannot be used. */
int psb_nccl_version(void);

/* End the groups of GPUs, before the GPU is closed. */
void psb_nccl_close(void);

/* Wait on the host for messages of GPUs that have been launched.  If some do not come within the time that
 * `exchange` was given, their group ends, so that the stream does not wait for them any longer, and
 * psb_nccl_wait returns PSB_EMPI, once; psb_nccl_settle leaves that to a later call. */
psb_err psb_nccl_wait(void);
void psb_nccl_settle(void);

/* Why MPI cannot access the memory of GPUs, or NULL. */
const char *psb_cudart_mpi_obstacle(void);

/* Open GPU number `number`.  PSB_EDEVICE if CUDA fails. */
psb_err psb_cudart_open(int number);
void psb_cudart_close(void);

/* psb_cudart_thread_open: this thread has streams and buffers of its own on that GPU, until
 * psb_cudart_thread_close, which waits for its work. */
psb_err psb_cudart_thread_open(int number);
psb_err psb_cudart_thread_close(void);

/* Properties of GPU `number`; the time of a copy of `bytes` within the memory of the open GPU. */
psb_err psb_cudart_ask(int number, enum psb_cudart_question q, int *out);
psb_err psb_cudart_name(int number, char *out, size_t len);
psb_err psb_cudart_copy_time(size_t bytes, int reps, double *seconds);

/* The functions of psb_device for the open GPU.  psb_cudart_range_push and psb_cudart_range_pop do nothing in
 * a build without NVTX, or if no profiler runs. */
psb_err psb_cudart_alloc(void **p, size_t bytes, const char *what);
void psb_cudart_free(void *p);
bool psb_cudart_keep(void *p, size_t bytes);
psb_err psb_cudart_alloc_host(void **p, size_t bytes);
void psb_cudart_free_host(void *p);
bool psb_cudart_pin(void *host, size_t bytes);
void psb_cudart_unpin(void *host);
psb_err psb_cudart_zero(void *dev, size_t bytes);
psb_err psb_cudart_put(void *dev, const void *host, size_t bytes);
psb_err psb_cudart_get(void *host, const void *dev, size_t bytes);
psb_err psb_cudart_put_async(void *dev, const void *host, size_t bytes);
psb_err psb_cudart_get_async(void *host, const void *dev, size_t bytes);
psb_err psb_cudart_poll(bool *idle);
psb_err psb_cudart_capture(void);
psb_err psb_cudart_captured(void **graph);
psb_err psb_cudart_launch(void *graph);
void psb_cudart_free_graph(void *graph);
psb_err psb_cudart_mark(void **event);
psb_err psb_cudart_wait(void *event);
void psb_cudart_unmark(void *event);
psb_err psb_cudart_sync(void);
void psb_cudart_drain(void);
void psb_cudart_range_push(const char *of, const char *what);
void psb_cudart_range_pop(void);

/* The stream in use, a cudaStream_t; use another (NULL: the library's own) after waiting for work on the old
 * one. */
void *psb_cudart_stream(void);
psb_err psb_cudart_set_stream(void *stream);

/* psb_cudart_fork: let *second, a stream of high priority, wait for the work so far; what `by` then launches
 * on it runs beside later work.  psb_cudart_join: later work waits for all that was launched there. */
psb_err psb_cudart_fork(const void *by, void **second);
psb_err psb_cudart_join(void);

/* Instead of psb_cudart_join after the launch of a kernel that itself waits for what `by` launched there:
 * only a capture has to be told of it.  If others launched work there too, the next psb_cudart_join waits. */
psb_err psb_cudart_joined(const void *by);

/* Buffers for reductions of up to VEC_COLUMNS columns at a time, two numbers per column: `partial`, the
 * results of VEC_BLOCKS blocks, and `sum`, the totals, on the device; `host`, pinned, for the copy of
 * `sum`. */
struct psb_cudart_scratch {
    double *partial, *sum, *host;
    double *slice;     /* 2 SUM_SLICES numbers for each of PSB_MOST_DOTS dot products */
    unsigned *arrived; /* PSB_MOST_DOTS zeros */
};
const struct psb_cudart_scratch *psb_cudart_scratch(void);

/* Pinned buffers of this thread's stream; events mark the end of the transfer of each. */
struct psb_cudart_staged {
    char *piece[STAGE_PIECES];
    void *done[STAGE_PIECES];
};
struct psb_cudart_staged *psb_cudart_staged(void);

/* psb_cudart_stages: should `bytes` at `host` be copied in pieces through pinned buffers?  Yes if the array
 * is long and not pinned, and there is memory for the buffers, which stay until psb_cudart_stage_close.
 * psb_cudart_stage_put, psb_cudart_stage_get: such copies, complete on return; they return a cudaError_t. */
bool psb_cudart_stages(const void *host, size_t bytes);
int psb_cudart_stage_put(void *dev, const void *host, size_t bytes, void *stream);
int psb_cudart_stage_get(void *host, const void *dev, size_t bytes, void *stream);
void psb_cudart_stage_close(struct psb_cudart_staged *s);

/* Report PSB_ENOMEM: a device with `unused` bytes free of `all` has no `bytes` for `what`. */
psb_err psb_no_device_memory(const char *what, size_t bytes, size_t unused, size_t all);

/* Convert a cudaError_t: PSB_OK for 0 (cudaSuccess), PSB_ENOTIMPL for cudaErrorNotSupported, else
 * PSB_EDEVICE; the message has `what` and CUDA's text. */
psb_err psb_cudart_ok(int code, const char *what);

/* Set the device in use; NULL: none.  Local. */
void psb_cuda_use(const struct psb_device *on);
PSB_END_C
#endif
