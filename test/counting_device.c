/* counting_device.c -- test: A simulated device in host memory that counts its blocks and fails on
 * request. */
#include "counting_device.h"
#include <stdlib.h>
#include <string.h>

int counting_device_blocks, counting_device_pinned, counting_device_fails_in;

static psb_err fail_if_requested(psb_err code, const char *what)
{
    if (counting_device_fails_in > 0 && --counting_device_fails_in == 0)
        return PSB_FAIL(code, "the device failed in %s, as requested", what);
    return PSB_OK;
}

static psb_err new_block(void **p, size_t n)
{
    PSB_TRY(fail_if_requested(PSB_ENOMEM, "alloc"));
    *p = malloc(n + 1);
    if (!*p)
        return PSB_FAIL(PSB_ENOMEM, "%zu bytes", n);
    memset(*p, 0xff, n); /* NaN: reading unwritten memory is noticed */
    counting_device_blocks++;
    return PSB_OK;
}

static psb_err new_dev_block(void **p, size_t n, const char *what)
{
    (void)what;
    return new_block(p, n);
}

static void free_block(void *p)
{
    free(p);
    counting_device_blocks -= p != NULL;
}

static bool pin(void *host, size_t n)
{
    (void)host;
    counting_device_pinned += n > 0;
    return n > 0;
}

static void unpin(void *host)
{
    (void)host;
    counting_device_pinned--;
}

static psb_err zero(void *dev, size_t n)
{
    PSB_TRY(fail_if_requested(PSB_EDEVICE, "zero"));
    memset(dev, 0, n);
    return PSB_OK;
}

static psb_err copy(void *to, const void *from, size_t n)
{
    PSB_TRY(fail_if_requested(PSB_EDEVICE, "copy"));
    memcpy(to, from, n);
    return PSB_OK;
}

static psb_err mark(void **event)
{
    (void)event;
    return PSB_OK;
}

static psb_err wait_for(void *event)
{
    (void)event;
    return fail_if_requested(PSB_EDEVICE, "wait");
}

static void unmark(void *event)
{
    (void)event;
}

static psb_err sync_all(void)
{
    return PSB_OK;
}

static void drain(void)
{
}

/* MPI can access memory of the host. */
static const char *no_obstacle(void)
{
    return NULL;
}

const struct psb_device counting_device = {
    .name = "counting",
    .alloc = new_dev_block,
    .free = free_block,
    .alloc_host = new_block,
    .free_host = free_block,
    .pin = pin,
    .unpin = unpin,
    .zero = zero,
    .put = copy,
    .get = copy,
    .put_async = copy,
    .get_async = copy,
    .mark = mark,
    .wait = wait_for,
    .unmark = unmark,
    .sync = sync_all,
    .drain = drain,
    .mpi_obstacle = no_obstacle,
    .psb_s_vec = &psb_s_vec_host,
    .psb_d_vec = &psb_d_vec_host,
    .psb_c_vec = &psb_c_vec_host,
    .psb_z_vec = &psb_z_vec_host,
};

static const struct psb_device *where(void)
{
    return &counting_device;
}

const struct psb_vmold counting_device_vect = { .name = "counting", .device = where };
