/* other.c -- room: test.  A second device: host memory too, but it counts, and it fails when told. */
#include "other.h"
#include <stdlib.h>
#include <string.h>

int other_blocks, other_fails_in;

static psb_err told(psb_err code, const char *what)
{
    if (other_fails_in > 0 && --other_fails_in == 0)
        return PSB_FAIL(code, "the device failed in %s, as it was told", what);
    return PSB_OK;
}

static psb_err new_block(void **p, size_t n)
{
    PSB_TRY(told(PSB_ENOMEM, "alloc"));
    *p = malloc(n + 1);
    if (!*p)
        return PSB_FAIL(PSB_ENOMEM, "%zu bytes", n);
    memset(*p, 0xff, n); /* what nobody wrote shows */
    other_blocks++;
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
    other_blocks -= p != NULL;
}

static psb_err copy(void *to, const void *from, size_t n)
{
    PSB_TRY(told(PSB_EDEVICE, "copy"));
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
    return told(PSB_EDEVICE, "wait");
}

static void unmark(void *event)
{
    (void)event;
}

static psb_err sync_all(void)
{
    return PSB_OK;
}

const struct psb_device other = {
    .name = "other",
    .alloc = new_dev_block,
    .free = free_block,
    .alloc_host = new_block,
    .free_host = free_block,
    .put = copy,
    .get = copy,
    .put_async = copy,
    .get_async = copy,
    .mark = mark,
    .wait = wait_for,
    .unmark = unmark,
    .sync = sync_all,
    .psb_s_vec = &psb_s_vec_host,
    .psb_d_vec = &psb_d_vec_host,
    .psb_c_vec = &psb_c_vec_host,
    .psb_z_vec = &psb_z_vec_host,
};

static const struct psb_device *where(void)
{
    return &other;
}

const struct psb_vmold other_vect = { .name = "other", .device = where };
