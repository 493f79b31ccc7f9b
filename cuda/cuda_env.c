/* cuda_env.c -- cuda: choose the device, and query its properties. */
#include "psb_cuda_format.h"
#include "base_inside.h"
#include "pool.h"
#include "gpu.h"
#include "shared_memory.h"
#include "per_device.h"
#include <stdint.h>

static bool ready;               /* psb_cuda_init has been called */
static int gpu = -1;             /* number of the GPU in use */
static _Thread_local bool begun; /* psb_cuda_thread_begin */

/* *gbs = the bandwidth of the memory of GPU `number`, GB/s: two transfers a clock. */
static psb_err ask_bandwidth(int number, double *gbs)
{
    int khz, bits;
    PSB_TRY(psb_cudart_ask(number, PSB_GPU_MEMORY_CLOCK, &khz));
    PSB_TRY(psb_cudart_ask(number, PSB_GPU_BUS_WIDTH, &bits));
    *gbs = 2e-6 * khz * bits / 8;
    return PSB_OK;
}

static psb_err open_gpu(int number)
{
    int n = psb_cudart_count();
    PSB_CHECK(n > 0, PSB_EDEVICE, "PSB_DEVICE is cuda, and there is no GPU, or no driver for it");
    PSB_CHECK(number < n, PSB_EARG, "argument device is %d; expected 0 <= device < %d", number, n);
    PSB_TRY(psb_cudart_open(number));
    psb_cuda_use(PSB_IF_CUDA(&psb_device_cuda));
    gpu = number;
    return PSB_OK;
}

/* Open the fake device; its memory is limited to PSB_FAKE_BYTES bytes, and it plays the devices of
 * PSB_FAKE_HOSTS hosts, if these are set. */
static psb_err open_fake(void)
{
    int64_t bytes = 0, hosts = 0;
    PSB_TRY(psb_env_count("PSB_FAKE_BYTES", "bytes", &bytes));
    PSB_TRY(psb_env_count("PSB_FAKE_HOSTS", "hosts", &hosts));
    psb_cuda_fake_limit((size_t)bytes);
    psb_fake_hosts((size_t)hosts);
    psb_cuda_use(&psb_device_fake);
    return PSB_OK;
}

/* The memory that is kept for later arrays. */
static psb_err set_pool(void)
{
    int64_t bytes = 0;
    PSB_TRY(psb_env_count("PSB_POOL_BYTES", "bytes", &bytes));
    if (bytes)
        psb_pool_limit((size_t)bytes);
    return PSB_OK;
}

/* Choose the device that PSB_DEVICE names; if it is not set, GPU `number` if there is one, else none. */
static psb_err choose_device(int number)
{
    static const char *const choices[] = { "cuda", "fake", "none" };
    int want = psb_cudart_count() > 0 ? 0 : 2;
    PSB_TRY(psb_env_choice("PSB_DEVICE", choices, 3, &want));
    PSB_TRY(set_pool());
    psb_cuda_use(NULL);
    gpu = -1;
    return want == 0 ? open_gpu(number) : want == 1 ? open_fake() : PSB_OK;
}

static psb_err register_formats(void)
{
    PSB_TRY(psb_ext_init());
    PSB_TRY(psb_s_cuda_register());
    PSB_TRY(psb_d_cuda_register());
    PSB_TRY(psb_c_cuda_register());
    return psb_z_cuda_register();
}

/* Rank of this process among those on its node. */
static int rank_on_node(psb_ctxt *ctxt)
{
    MPI_Comm node;
    int place = 0;
    MPI_Comm_split_type(psb_comm_of(ctxt), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    return place;
}

/* by_caller: the caller has chosen the device. */
static psb_err check_device(int device, bool by_caller)
{
    PSB_CHECK(device >= 0, PSB_EARG, "argument device is %d; expected >= 0", device);
    PSB_CHECK(!by_caller || gpu < 0 || device == gpu, PSB_EARG,
              "argument device is %d, and GPU %d is in use; expected that one, or psb_cuda_setDevice", device,
              gpu);
    return PSB_OK;
}

static psb_err init_and_agree(psb_ctxt *ctxt, int device, bool by_caller)
{
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_err e = register_formats();
    if (e == PSB_OK)
        e = check_device(device, by_caller);
    if (e == PSB_OK && !ready)
        e = choose_device(device);
    e = psb_agree(ctxt, e);
    if (e != PSB_OK && !ready)
        psb_cuda_exit();
    else
        ready = true;
    return PSB_PASS(e);
}

psb_err psb_cuda_init_device(psb_ctxt *ctxt, int device)
{
    return PSB_PASS(init_and_agree(ctxt, device, true));
}

psb_err psb_cuda_init(psb_ctxt *ctxt)
{
    PSB_TRY(psb_check_ctxt(ctxt));
    int n = psb_cudart_count(), place = rank_on_node(ctxt);
    return PSB_PASS(init_and_agree(ctxt, n > 0 ? place % n : 0, false));
}

void psb_cuda_exit(void)
{
    psb_shared_close(psb_cuda_device());
    psb_pool_trim(0);
    if (gpu >= 0)
        psb_cudart_close();
    psb_cuda_use(NULL);
    gpu = -1;
    ready = false;
}

psb_err psb_cuda_DeviceSync(void)
{
    const struct psb_device *on = psb_cuda_device();
    return PSB_PASS(on ? on->sync() : PSB_OK);
}

/* --- properties ------------------------------------------------------------------------------------- */

static psb_err check_gpu(const void *out)
{
    PSB_CHECK(ready, PSB_ESTATE, "psb_cuda_init has not been called");
    PSB_NEED(out, "where to store the answer");
    PSB_CHECK(gpu >= 0, PSB_EDEVICE, "no GPU is in use on this machine");
    return PSB_OK;
}

static psb_err ask_gpu(enum psb_cudart_question q, int *out)
{
    PSB_TRY(check_gpu(out));
    return psb_cudart_ask(gpu, q, out);
}

psb_err psb_cuda_getDeviceCount(int *out)
{
    PSB_TRY(check_gpu(out));
    *out = psb_cudart_count();
    return PSB_OK;
}

psb_err psb_cuda_getDevice(int *out)
{
    PSB_TRY(check_gpu(out));
    *out = gpu;
    return PSB_OK;
}

psb_err psb_cuda_setDevice(int device)
{
    PSB_TRY(check_gpu(&device));
    PSB_CHECK(device >= 0 && device < psb_cudart_count(), PSB_EARG,
              "argument device is %d; expected 0 <= device < %d", device, psb_cudart_count());
    psb_shared_close(psb_cuda_device());
    psb_pool_trim(0);
    psb_cudart_close();
    psb_cuda_use(NULL);
    gpu = -1;
    return PSB_PASS(open_gpu(device));
}

psb_err psb_cuda_DeviceHasUVA(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_UVA, out));
}

psb_err psb_cuda_WarpSize(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_WARP_SIZE, out));
}

psb_err psb_cuda_MultiProcessors(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_MULTIPROCESSORS, out));
}

psb_err psb_cuda_MaxThreadsPerMP(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_THREADS_PER_MP, out));
}

psb_err psb_cuda_MaxRegistersPerBlock(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_REGISTERS_PER_BLOCK, out));
}

psb_err psb_cuda_MemoryClockRate(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_MEMORY_CLOCK, out));
}

psb_err psb_cuda_MemoryBusWidth(int *out)
{
    return PSB_PASS(ask_gpu(PSB_GPU_BUS_WIDTH, out));
}

psb_err psb_cuda_MemoryPeakBandwidth(double *out)
{
    double gbs;
    PSB_TRY(check_gpu(out));
    PSB_TRY(ask_bandwidth(gpu, &gbs));
    *out = 1000 * gbs;
    return PSB_OK;
}

psb_err psb_cuda_DeviceName(char *out, size_t len)
{
    PSB_TRY(check_gpu(out));
    return PSB_PASS(psb_cudart_name(gpu, out, len));
}

psb_err psb_cuda_copy_time(size_t bytes, int reps, double *seconds)
{
    PSB_TRY(check_gpu(seconds));
    return PSB_PASS(psb_cudart_copy_time(bytes, reps, seconds));
}

void *psb_cuda_stream(void)
{
    return gpu >= 0 ? psb_cudart_stream() : NULL;
}

psb_err psb_cuda_set_stream(void *stream)
{
    PSB_TRY(check_gpu(&stream));
    return PSB_PASS(psb_cudart_set_stream(stream));
}

psb_err psb_cuda_thread_begin(void)
{
    PSB_CHECK(ready, PSB_ESTATE, "psb_cuda_init has not been called");
    PSB_CHECK(!begun, PSB_ESTATE, "this thread has begun already; expected psb_cuda_thread_end before");
    PSB_TRY(gpu >= 0 ? psb_cudart_thread_open(gpu) : PSB_OK);
    psb_pool_of_thread(true);
    begun = true;
    return PSB_OK;
}

psb_err psb_cuda_thread_end(void)
{
    PSB_CHECK(begun, PSB_ESTATE, "this thread has not begun; expected psb_cuda_thread_begin before");
    const psb_err e = gpu >= 0 ? psb_cudart_thread_close() : PSB_OK;
    psb_pool_of_thread(false);
    begun = false;
    return PSB_PASS(e);
}
