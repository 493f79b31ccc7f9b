/* dual.c -- base/device: an array with two copies: the only file that changes `valid`. */
#include "psb_dual.h"
#include "psb_transfer.h"
#include "psb_alloc.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "tuning.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static _Thread_local enum psb_owner owner_now;
static atomic_llong held[PSB_OWNERS][2], most_held[PSB_OWNERS][2]; /* bytes: on the host, on devices */

enum psb_owner psb_dual_owner(enum psb_owner owner)
{
    const enum psb_owner was = owner_now;
    owner_now = owner;
    return was;
}

long long psb_dual_most(enum psb_owner owner, enum psb_side s)
{
    return most_held[owner][s == PSB_DEV];
}

/* The copy of d on side s has come (1) or goes (-1). */
static void count_memory(const struct psb_dual *d, enum psb_side s, int times)
{
    const long long bytes = times * (long long)d->bytes;
    const long long now = atomic_fetch_add(&held[d->owner][s == PSB_DEV], bytes) + bytes;
    long long most = most_held[d->owner][s == PSB_DEV];
    while (now > most && !atomic_compare_exchange_weak(&most_held[d->owner][s == PSB_DEV], &most, now))
        continue;
}

static psb_err check_given(const struct psb_dual *d)
{
    PSB_NEED(d, "an array");
    return PSB_OK;
}

psb_err psb_dual_init(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                      const char *name)
{
    PSB_TRY(check_given(d));
    PSB_CHECK(!size || n <= SIZE_MAX / size, PSB_ENOMEM, "no memory for %s: %zu elements of %zu bytes", name,
              n, size);
    *d = (struct psb_dual){ .bytes = n * size, .size = size, .on = on, .name = name, .owner = owner_now };
    return PSB_OK;
}

void psb_dual_adopt(struct psb_dual *d, void *host)
{
    d->host = host;
    d->borrowed = 0;
    if (host)
        count_memory(d, PSB_HOST, 1);
    d->valid = PSB_HOST;
    d->changes++;
}

void psb_dual_zeros(struct psb_dual *d)
{
    d->valid = PSB_ZEROS;
    d->changes++;
}

void psb_dual_swap(struct psb_dual *d, struct psb_dual *e)
{
    const struct psb_dual was = *d;
    *d = *e;
    *e = was;
    e->changes = d->changes + 1;
    d->changes = was.changes + 1;
    e->name = d->name;
    d->name = was.name;
}

void psb_dual_borrow(struct psb_dual *d, enum psb_side s, void *memory)
{
    *(s == PSB_HOST ? &d->host : &d->dev) = memory;
    d->borrowed = memory ? s : 0;
    d->valid = s;
    d->changes++;
}

psb_err psb_dual_check(const struct psb_device *on, const char *name, const void *p, size_t size)
{
    PSB_CHECK(!on || (uintptr_t)p % size == 0, PSB_EARG,
              "argument %s is at address %p; expected a multiple of %zu", name, p, size);
    return PSB_OK;
}

psb_err psb_dual_lend(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                      const char *name, enum psb_side s, const void *memory)
{
    PSB_TRY(psb_dual_init(d, n, size, on, name));
    psb_dual_borrow(d, s, (void *)memory);
    return PSB_OK;
}

/* Allocate the copy on side s unless it exists. */
static psb_err allocate_copy(struct psb_dual *d, enum psb_side s)
{
    const size_t size = d->size ? d->size : 1;
    PSB_CHECK(s == PSB_HOST || d->on, PSB_ESTATE, "%s has no device copy; expected an array on a device",
              d->name);
    if (s == PSB_DEV ? d->dev : d->host)
        return PSB_OK;
    PSB_TRY(s == PSB_DEV ? psb_device_take(d->on, &d->dev, d->bytes, d->name)
                         : psb_alloc(&d->host, d->bytes / size, size, d->name));
    count_memory(d, s, 1);
    return PSB_OK;
}

static void unpin(struct psb_dual *d)
{
    if (d->pinned)
        d->on->unpin(d->host);
    d->pinned = false;
    d->transfers = 0;
}

static void free_host(struct psb_dual *d)
{
    unpin(d);
    if (d->host && !(d->borrowed & PSB_HOST)) {
        psb_free(d->host);
        count_memory(d, PSB_HOST, -1);
    }
    d->host = NULL;
    d->borrowed &= ~(unsigned)PSB_HOST;
}

/* The share of a thread in zeros on the host: the pages are first touched by the thread that will use them.
 */
static void zero_share(void *dual, int t, int p)
{
    const struct psb_dual *d = dual;
    psb_epk from, to;
    psb_thread_range((psb_epk)(d->bytes / d->size), t, p, &from, &to);
    memset((char *)d->host + (size_t)from * d->size, 0, (size_t)(to - from) * d->size);
}

/* Fill the copy on side s with zeros, the values of d. */
static psb_err fill_zeros(struct psb_dual *d, enum psb_side s)
{
    if (d->bytes && s == PSB_DEV)
        PSB_TRY(d->on->zero(d->dev, d->bytes));
    else if (d->bytes)
        psb_team(psb_threads((psb_epk)(d->bytes / d->size)), zero_share, d);
    d->valid = s;
    return PSB_OK;
}

/* Make the copy on side s valid. */
static psb_err bring(struct psb_dual *d, enum psb_side s)
{
    PSB_CHECK(d->valid, PSB_ESTATE, "%s holds no values yet; expected a write before", d->name);
    PSB_TRY(allocate_copy(d, s));
    if (d->valid & s)
        return PSB_OK;
    if (d->valid == PSB_ZEROS)
        return fill_zeros(d, s);
    if (d->transfers < PSB_PIN_AFTER && ++d->transfers == PSB_PIN_AFTER && !(d->borrowed & PSB_HOST) &&
        d->bytes >= PSB_PIN_BYTES)
        d->pinned = d->on->pin(d->host, d->bytes);
    PSB_TRY(s == PSB_DEV ? psb_put(d->on, d->dev, d->host, d->bytes, d->name)
                         : psb_get(d->on, d->host, d->dev, d->bytes, d->name));
    d->valid |= s;
    return PSB_OK;
}

static psb_err check_access(const struct psb_dual *d, enum psb_side s, const void *out)
{
    PSB_TRY(check_given(d));
    PSB_CHECK(s == PSB_HOST || s == PSB_DEV, PSB_EARG, "argument s is %d; expected PSB_HOST or PSB_DEV",
              (int)s);
    PSB_CHECK(out, PSB_EARG, "argument out is NULL; expected where to store the address of %s", d->name);
    return PSB_OK;
}

static void hand_out(const struct psb_dual *d, enum psb_side s, void *out)
{
    memcpy(out, s == PSB_HOST ? &d->host : &d->dev, sizeof(void *));
}

psb_err psb_dual_read(const struct psb_dual *d, enum psb_side s, void *out)
{
    PSB_TRY(check_access(d, s, out));
    PSB_TRY(bring((struct psb_dual *)d, s));
    hand_out(d, s, out);
    return PSB_OK;
}

psb_err psb_dual_write(struct psb_dual *d, enum psb_side s, void *out)
{
    PSB_TRY(check_access(d, s, out));
    PSB_TRY(allocate_copy(d, s));
    d->valid = s;
    d->changes++;
    hand_out(d, s, out);
    return PSB_OK;
}

psb_err psb_dual_update(struct psb_dual *d, enum psb_side s, void *out)
{
    PSB_TRY(check_access(d, s, out));
    PSB_TRY(bring(d, s));
    d->valid = s;
    d->changes++;
    hand_out(d, s, out);
    return PSB_OK;
}

static void free_dev(struct psb_dual *d)
{
    if (d->dev && !(d->borrowed & PSB_DEV)) {
        psb_device_give(d->on, d->dev, d->bytes);
        count_memory(d, PSB_DEV, -1);
    }
    d->dev = NULL;
    d->borrowed &= ~(unsigned)PSB_DEV;
}

void psb_dual_undo(struct psb_dual *d, enum psb_side s, unsigned was)
{
    const unsigned elsewhere = was & ~(unsigned)s;
    if (!elsewhere)
        return;
    d->valid = elsewhere;
    /* Else a graph could capture that the zeros are filled in, and each launch would clear d. */
    if (elsewhere == PSB_ZEROS && d->borrowed != PSB_DEV)
        free_dev(d);
}

psb_err psb_dual_move(struct psb_dual *d, const struct psb_device *on)
{
    PSB_TRY(check_given(d));
    if (d->on == on)
        return PSB_OK;
    if (d->valid & PSB_DEV)
        PSB_TRY(bring(d, PSB_HOST));
    unpin(d);
    free_dev(d);
    d->on = on;
    d->valid &= ~(unsigned)PSB_DEV;
    return PSB_OK;
}

void psb_dual_drop(struct psb_dual *d, enum psb_side s)
{
    if (!(d->valid & ~(unsigned)s))
        return;
    if (s == PSB_DEV)
        free_dev(d);
    else
        free_host(d);
    d->valid &= ~(unsigned)s;
}

void psb_dual_free(struct psb_dual *d)
{
    free_host(d);
    free_dev(d);
    d->valid = 0;
}
