/* device_fake.c -- room: cuda.  Host memory in disguise, NaN where nobody wrote: a device for tests, and
 * the reference for the other one. */
#include "psb_cuda.h"
#include <string.h>

static psb_err fake_alloc(void **p, size_t n)
{
    PSB_TRY(psb_alloc(p, n, 1, "fake device"));
    memset(*p, 0xff, n); /* all ones is a NaN: what nobody wrote shows */
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

const struct psb_device psb_device_fake = {
    .name = "fake",
    .alloc = fake_alloc,
    .free = psb_free,
    .alloc_host = fake_alloc,
    .free_host = psb_free,
    .put = fake_copy,
    .get = fake_copy,
    .put_async = fake_copy,
    .get_async = fake_copy,
    .mark = fake_mark,
    .wait = fake_wait,
    .unmark = fake_unmark,
    .sync = fake_sync,
    .psb_s_vec = &psb_s_vec_host,
    .psb_d_vec = &psb_d_vec_host,
    .psb_c_vec = &psb_c_vec_host,
    .psb_z_vec = &psb_z_vec_host,
    .psb_s_kernels = &psb_s_kernels_fake,
    .psb_d_kernels = &psb_d_kernels_fake,
    .psb_c_kernels = &psb_c_kernels_fake,
    .psb_z_kernels = &psb_z_kernels_fake,
};
