/* gpu.h -- room: cuda/device.  What this room asks of the CUDA runtime: answered by gpu_cuda.c, or by
 * gpu_none.c in a build without nvcc. */
#ifndef PSB_GPU_H
#define PSB_GPU_H
#include "psb_dual.h"

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

/* GPUs this process sees, 0 where there is none, or no driver. */
int psb_cudart_count(void);

/* The GPU as a psb_device. */
extern const struct psb_device psb_device_cuda;

/* Open GPU number `number`.  PSB_EDEVICE. */
psb_err psb_cudart_open(int number);
void psb_cudart_close(void);

/* Questions about the open GPU. */
psb_err psb_cudart_ask(int number, enum psb_cudart_question q, int *out);
psb_err psb_cudart_name(int number, char *out, size_t len);
psb_err psb_cudart_copy_time(size_t bytes, int reps, double *seconds);

/* The slots of psb_device for the open GPU; psb_cudart_range_push and psb_cudart_range_pop do nothing in a
 * build without NVTX, or where no profiler runs. */
psb_err psb_cudart_alloc(void **p, size_t bytes, const char *what);
void psb_cudart_free(void *p);
psb_err psb_cudart_alloc_host(void **p, size_t bytes);
void psb_cudart_free_host(void *p);
psb_err psb_cudart_put(void *dev, const void *host, size_t bytes);
psb_err psb_cudart_get(void *host, const void *dev, size_t bytes);
psb_err psb_cudart_put_async(void *dev, const void *host, size_t bytes);
psb_err psb_cudart_get_async(void *host, const void *dev, size_t bytes);
psb_err psb_cudart_mark(void **event);
psb_err psb_cudart_wait(void *event);
void psb_cudart_unmark(void *event);
psb_err psb_cudart_sync(void);
void psb_cudart_range_push(const char *of, const char *what);
void psb_cudart_range_pop(void);

/* The stream in use, a cudaStream_t; another one, after waiting for the work of the old. */
void *psb_cudart_stream(void);
psb_err psb_cudart_set_stream(void *stream);

/* Room for reductions of PSB_GPU_COLUMNS columns at a time: `partial`, what PSB_GPU_PARTIALS blocks found,
 * and `sum`, the results, on the device, `host` where they arrive; two numbers each. */
enum { PSB_GPU_PARTIALS = 512, PSB_GPU_COLUMNS = 256 };
struct psb_cudart_scratch {
    double *partial, *sum, *host;
    double *slice;     /* see psb_dev_epilogue */
    unsigned *arrived; /* PSB_MOST_DOTS zeros */
};
const struct psb_cudart_scratch *psb_cudart_scratch(void);

/* Is it worth copying in pieces: is it long, and not pinned, and is there memory for the pieces?  If so,
 * copies that have happened on return; what CUDA answers.  The pieces stay until psb_cudart_stage_close. */
int psb_cudart_stages(const void *host, size_t bytes);
int psb_cudart_stage_put(void *dev, const void *host, size_t bytes, void *stream);
int psb_cudart_stage_get(void *host, const void *dev, size_t bytes, void *stream);
void psb_cudart_stage_close(void);

/* PSB_ENOMEM: a device has no `bytes` for `what`, but so many unused of all. */
psb_err psb_no_device_memory(const char *what, size_t bytes, size_t unused, size_t all);

/* PSB_OK where a launch returned 0 (cudaSuccess); else PSB_EDEVICE, or PSB_ENOTIMPL for what is not
 * supported, `what` and CUDA's words. */
psb_err psb_cudart_ok(int code, const char *what);
#endif
