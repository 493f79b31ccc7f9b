/* check_device_queries.c -- test: programs with a device: queries, long transfers,
 * settings of the fake device, names of the older guide. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "check_device.h"

/* --- GPU queries --- */

static psb_err (*const question[])(int *) = {
    psb_cuda_getDeviceCount, psb_cuda_getDevice,       psb_cuda_DeviceHasUVA,
    psb_cuda_WarpSize,       psb_cuda_MultiProcessors, psb_cuda_MaxThreadsPerMP,
    psb_cuda_MemoryBusWidth, psb_cuda_MemoryClockRate, psb_cuda_MaxRegistersPerBlock,
};
enum { QUESTIONS = sizeof question / sizeof *question, COPIED = 1 << 29 }; /* larger than a cache */

static void all_fail(psb_err e, const char *text)
{
    double d = 0;
    int n = 0;
    char name[20];
    for (int q = 0; q < QUESTIONS; q++)
        FAILS(question[q](&n), e, text);
    FAILS(psb_cuda_MemoryPeakBandwidth(&d), e, text);
    FAILS(psb_cuda_copy_time(1 << 20, 1, &d), e, text);
    FAILS(psb_cuda_DeviceName(name, sizeof name), e, text);
    FAILS(psb_cuda_setDevice(0), e, text);
    FAILS(psb_cuda_set_stream(NULL), e, text);
    ck_assert_ptr_null(psb_cuda_stream());
}

static void all_answer(void)
{
    double peak, seconds;
    int n, count;
    char name[8];
    for (int q = 0; q < QUESTIONS; q++) {
        OK(question[q](&n));
        ck_assert_int_ge(n, question[q] == psb_cuda_getDevice ? 0 : 1);
        FAILS(question[q](NULL), PSB_EARG, "argument out is NULL");
    }
    OK(psb_cuda_WarpSize(&n));
    ck_assert_int_eq(n, 32);
    OK(psb_cuda_MemoryPeakBandwidth(&peak));
    OK(psb_cuda_copy_time(COPIED, 3, &seconds));
    ck_assert_double_lt(2.0 * COPIED / seconds, 1e6 * peak);
    OK(psb_cuda_DeviceName(name, sizeof name));
    ck_assert_uint_gt(strlen(name), 0);
    OK(psb_cuda_getDeviceCount(&count));
    FAILS(psb_cuda_setDevice(count), PSB_EARG, "expected 0 <= device < ");
    OK(psb_cuda_set_stream(NULL));
    ck_assert_ptr_nonnull(psb_cuda_stream());
}

TEST(gpu_queries)
{
    psb_cuda_exit();
    all_fail(PSB_ESTATE, "psb_cuda_init has not been called");
    OK(psb_cuda_init(ctxt));
    if (!psb_cuda_device() || device_is_fake())
        all_fail(PSB_EDEVICE, "no GPU is in use on this machine");
    else
        all_answer();
}

/* --- long transfers --- */

/* In several pieces, and part of a piece. */
TEST(long_transfers)
{
    const size_t n = ((size_t)9 << 20) + 777;
    struct psb_dual d;
    uint32_t *p;
    const uint32_t *q;
    void *on_device;
    if (!psb_cuda_device())
        return;
    OK(psb_dual_init(&d, n, sizeof *p, psb_cuda_device(), "a long array"));
    OK(psb_dual_write(&d, PSB_HOST, &p));
    for (size_t i = 0; i < n; i++)
        p[i] = (uint32_t)i * 2654435761u;
    OK(psb_dual_update(&d, PSB_DEV, &on_device));
    memset(d.host, 0, d.bytes);
    OK(psb_dual_read(&d, PSB_HOST, &q));
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(q[i], (uint32_t)i * 2654435761u);
    psb_dual_free(&d);
}

/* --- settings of the fake device --- */

/* PSB_FAKE_BYTES is read when the device is chosen. */
TEST(fake_device_memory)
{
    static const char *const wrong[] = { "0", "-1", " 5", "many", "12k", "99999999999999999999999" };
    if (!device_is_fake())
        return;
    for (int k = 0; k < 6; k++) {
        psb_cuda_exit();
        setenv("PSB_FAKE_BYTES", wrong[k], 1);
        FAILS(psb_cuda_init(ctxt), PSB_EARG, "PSB_FAKE_BYTES is \"%s\"; expected a number of bytes >= 1",
              wrong[k]);
        ck_assert_ptr_null(psb_cuda_device());
    }
    setenv("PSB_FAKE_BYTES", "100", 1);
    OK(psb_cuda_init(ctxt));
    OK(use_on_device(100, "an array"));
    FAILS(use_on_device(101, "an array"), PSB_ENOMEM, "an array: 101 bytes asked, 100 free of 100");
    psb_cuda_exit();
    unsetenv("PSB_FAKE_BYTES");
    OK(psb_cuda_init(ctxt));
    OK(use_on_device(101, "an array"));
}

/* PSB_POOL_BYTES limits the memory that is kept, which is freed when the device is closed. */
TEST(memory_kept)
{
    if (!device_is_fake())
        return;
    psb_cuda_exit();
    const size_t was = psb_pool_limit(0);
    setenv("PSB_POOL_BYTES", "many", 1);
    FAILS(psb_cuda_init(ctxt), PSB_EARG, "PSB_POOL_BYTES is \"many\"; expected a number of bytes >= 1");
    setenv("PSB_POOL_BYTES", "150", 1);
    OK(psb_cuda_init(ctxt));
    OK(use_on_device(100, "an array"));
    ck_assert_uint_eq(psb_pool_trim(SIZE_MAX), 100);
    OK(use_on_device(60, "an array"));
    OK(use_on_device(151, "an array"));
    ck_assert_uint_eq(psb_pool_trim(SIZE_MAX), 60);
    psb_cuda_exit();
    ck_assert_uint_eq(psb_pool_trim(SIZE_MAX), 0);
    unsetenv("PSB_POOL_BYTES");
    ck_assert_uint_eq(psb_pool_limit(was), 150);
    OK(psb_cuda_init(ctxt));
}

/* PSB_FAKE_HOSTS too: with it each process has a device of its own. */
TEST(fake_hosts)
{
    char one[32], other[32];
    unsigned long long host, same;
    if (!device_is_fake())
        return;
    OK(psb_cuda_device()->onesided->identify(one, &host));
    psb_cuda_exit();
    setenv("PSB_FAKE_HOSTS", "0", 1);
    FAILS(psb_cuda_init(ctxt), PSB_EARG, "PSB_FAKE_HOSTS is \"0\"; expected a number of hosts >= 1");
    setenv("PSB_FAKE_HOSTS", "7", 1);
    OK(psb_cuda_init(ctxt));
    OK(psb_cuda_device()->onesided->identify(other, &same));
    ck_assert(memcmp(one, other, sizeof one) != 0 && host == same);
    psb_cuda_exit();
    unsetenv("PSB_FAKE_HOSTS");
    OK(psb_cuda_init(ctxt));
    OK(psb_cuda_device()->onesided->identify(other, &same));
    ck_assert(memcmp(one, other, sizeof one) == 0 && host == same);
}

/* --- names of the older guide --- */

typedef void call(void);

#define NAMES(name) #name, (call *)psb_gpu_##name, (call *)psb_cuda_##name
static const struct {
    const char *name;
    call *gpu, *cuda;
} calls[] = {
    { NAMES(init) },
    { NAMES(init_device) },
    { NAMES(exit) },
    { NAMES(device) },
    { NAMES(getDeviceCount) },
    { NAMES(getDevice) },
    { NAMES(setDevice) },
    { NAMES(DeviceHasUVA) },
    { NAMES(WarpSize) },
    { NAMES(MultiProcessors) },
    { NAMES(MaxThreadsPerMP) },
    { NAMES(MaxRegistersPerBlock) },
    { NAMES(MemoryClockRate) },
    { NAMES(MemoryBusWidth) },
    { NAMES(MemoryPeakBandwidth) },
    { NAMES(DeviceName) },
    { NAMES(DeviceSync) },
    { NAMES(copy_time) },
    { NAMES(stream) },
    { NAMES(set_stream) },
    { NAMES(fake_limit) },
};

TEST(older_names)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ck_assert_msg(calls[i].gpu == calls[i].cuda, "psb_gpu_%s is another function", calls[i].name);
}

void add_device_queries(TCase *c)
{
    ck_add_tests(c, gpu_queries, long_transfers, fake_device_memory, memory_kept, fake_hosts, older_names);
}
