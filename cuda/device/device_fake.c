/* device_fake.c -- cuda/device: a device for tests, and the reference for a GPU: its memory is host
 * memory at other addresses, initially filled with NaN. */
#include "psb_format.h"
#include "psb_cuda_device.h"
#include "psb_pool.h"
#include "gpu.h"
#include "per_device.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { HEAD = 64 }; /* bytes before a block, for its size */

static size_t limit; /* bytes; 0: no limit */
static atomic_size_t used;

void psb_cuda_fake_limit(size_t bytes)
{
    psb_pool_trim(0);
    limit = bytes;
}

static psb_err fill_new(void **p, size_t n, const char *what)
{
    PSB_TRY(psb_alloc(p, n, 1, what));
    memset(*p, 0xff, n); /* all bits 1 is a NaN, so that results show reads of unwritten memory */
    return PSB_OK;
}

static psb_err fake_alloc_host(void **p, size_t n)
{
    return fill_new(p, n, "fake device");
}

static psb_err fake_alloc(void **p, size_t n, const char *what)
{
    const size_t most = limit ? limit : SIZE_MAX - HEAD;
    void *block;
    size_t now = used;
    if (now > most || n > most - now) {
        psb_pool_trim(0);
        now = used;
    }
    const size_t unused = most > now ? most - now : 0;
    if (n > unused)
        return psb_no_device_memory(what, n, unused, most);
    PSB_TRY(fill_new(&block, HEAD + (n > 0 ? n : 1), what)); /* so that *p lies inside the block */
    memcpy(block, &n, sizeof n);
    used += n;
    *p = (char *)block + HEAD;
    return PSB_OK;
}

static void fake_free(void *p)
{
    size_t n;
    if (!p)
        return;
    memcpy(&n, (char *)p - HEAD, sizeof n);
    used -= n;
    psb_free((char *)p - HEAD);
}

/* As if new. */
static bool fake_keep(void *p, size_t n)
{
    memset(p, 0xff, n);
    return true;
}

static bool fake_pin(void *host, size_t n)
{
    (void)host;
    (void)n;
    return true;
}

static void fake_unpin(void *host)
{
    (void)host;
}

static psb_err fake_zero(void *dev, size_t n)
{
    memset(dev, 0, n);
    return PSB_OK;
}

static psb_err fake_copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return PSB_OK;
}

static psb_err fake_mark(void **event)
{
    (void)event;
    return PSB_OK;
}

static psb_err fake_wait(void *event)
{
    (void)event;
    return PSB_OK;
}

static void fake_unmark(void *event)
{
    (void)event;
}

static psb_err fake_sync(void)
{
    return PSB_OK;
}

/* MPI can access its memory. */
static const char *no_obstacle(void)
{
    return NULL;
}

static void fake_drain(void)
{
}

const struct psb_device psb_device_fake = {
    .name = "fake",
    .kind = PSB_DEVICE_FAKE,
    .alloc = fake_alloc,
    .free = fake_free,
    .keep = fake_keep,
    .alloc_host = fake_alloc_host,
    .free_host = psb_free,
    .pin = fake_pin,
    .unpin = fake_unpin,
    .zero = fake_zero,
    .put = fake_copy,
    .get = fake_copy,
    .put_async = fake_copy,
    .get_async = fake_copy,
    .mark = fake_mark,
    .wait = fake_wait,
    .unmark = fake_unmark,
    .sync = fake_sync,
    .drain = fake_drain,
    .onesided = &psb_onesided_fake,
    .twosided = &psb_twosided_fake,
    .mpi_obstacle = no_obstacle,
    .psb_s_vec = &psb_s_vec_host,
    .psb_d_vec = &psb_d_vec_host,
    .psb_c_vec = &psb_c_vec_host,
    .psb_z_vec = &psb_z_vec_host,
};
