/* pool.c -- base/device: memory of devices that is kept for later arrays. */
#include "psb_device.h"
#include "psb_pool.h"
#include "pool.h"
#include "psb_testing.h"
#include "tuning.h"
#include <stdatomic.h>
#include <string.h>

struct piece {
    const struct psb_device *on;
    void *p;
    size_t bytes;      /* > 0 */
    const void *order; /* of which thread's work: see psb_pool_of_thread */
};

static struct {
    struct piece piece[PSB_POOL_PIECES]; /* the oldest first */
    int n;
    size_t bytes, most;
    atomic_flag taken;
} pool = { .most = (size_t)PSB_POOL_GIB << 30, .taken = ATOMIC_FLAG_INIT };

static _Thread_local const void *order_now; /* NULL: that of the process */

static void lock_pool(void)
{
    while (atomic_flag_test_and_set_explicit(&pool.taken, memory_order_acquire))
        continue;
}

static void unlock_pool(void)
{
    atomic_flag_clear_explicit(&pool.taken, memory_order_release);
}

static struct piece remove_piece(int i)
{
    const struct piece was = pool.piece[i];
    pool.bytes -= was.bytes;
    pool.n--;
    memmove(&pool.piece[i], &pool.piece[i + 1], (size_t)(pool.n - i) * sizeof was);
    return was;
}

/* Free the oldest pieces until `most` bytes in n pieces are left; return the bytes. */
static size_t shrink(size_t most, int n)
{
    for (;;) {
        lock_pool();
        const bool some = pool.bytes > most || pool.n > n;
        const struct piece was = some ? remove_piece(0) : (struct piece){ .bytes = pool.bytes };
        unlock_pool();
        if (!some)
            return was.bytes;
        was.on->free(was.p);
    }
}

size_t psb_pool_trim(size_t most)
{
    return shrink(most, PSB_POOL_PIECES);
}

size_t psb_pool_limit(size_t bytes)
{
    lock_pool();
    const size_t before = pool.most;
    pool.most = bytes;
    unlock_pool();
    psb_pool_trim(bytes);
    return before;
}

void psb_pool_of_thread(bool own)
{
    lock_pool();
    for (int i = 0; i < pool.n && !own; i++)
        if (pool.piece[i].order == order_now)
            pool.piece[i].order = NULL;
    unlock_pool();
    order_now = own ? &order_now : NULL;
}

/* The newest piece of that size that this thread's work may use; without an address if there is none. */
static struct piece find_piece(const struct psb_device *on, size_t bytes)
{
    struct piece found = { .p = NULL };
    lock_pool();
    for (int i = pool.n - 1; i >= 0 && !found.p; i--)
        if (pool.piece[i].on == on && pool.piece[i].bytes == bytes && pool.piece[i].order == order_now)
            found = remove_piece(i);
    unlock_pool();
    return found;
}

psb_err psb_device_take(const struct psb_device *on, void **p, size_t bytes, const char *what)
{
    const struct piece found = find_piece(on, bytes);
    if (!found.p)
        return PSB_PASS(on->alloc(p, bytes, what));
    if (psb_alloc_fails()) {
        psb_device_give(on, found.p, bytes);
        return PSB_FAIL(PSB_ENOMEM, "no device memory for %s: %zu bytes asked", what, bytes);
    }
    *p = found.p;
    return PSB_OK;
}

void psb_device_give(const struct psb_device *on, void *p, size_t bytes)
{
    lock_pool();
    const size_t most = pool.most;
    unlock_pool();
    bool kept = bytes && bytes <= most && on->keep && on->keep(p, bytes);
    if (kept) {
        shrink(most - bytes, PSB_POOL_PIECES - 1);
        lock_pool();
        kept = pool.n < PSB_POOL_PIECES && pool.bytes + bytes <= pool.most;
        if (kept) {
            pool.piece[pool.n++] = (struct piece){ on, p, bytes, order_now };
            pool.bytes += bytes;
        }
        unlock_pool();
    }
    if (!kept)
        on->free(p);
}
