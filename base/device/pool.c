/* pool.c -- base/device: memory of devices that is kept for later arrays. */
#include "psb_device.h"
#include "psb_pool.h"
#include "psb_testing.h"
#include "tuning.h"
#include <string.h>

struct piece {
    const struct psb_device *on;
    void *p;
    size_t bytes; /* > 0 */
};

static struct {
    struct piece piece[PSB_POOL_PIECES]; /* the oldest first */
    int n;
    size_t bytes, most;
} pool = { .most = (size_t)PSB_POOL_GIB << 30 };

static struct piece remove_piece(int i)
{
    const struct piece was = pool.piece[i];
    pool.bytes -= was.bytes;
    pool.n--;
    memmove(&pool.piece[i], &pool.piece[i + 1], (size_t)(pool.n - i) * sizeof was);
    return was;
}

static void free_oldest(void)
{
    const struct piece was = remove_piece(0);
    was.on->free(was.p);
}

size_t psb_pool_trim(size_t most)
{
    while (pool.bytes > most)
        free_oldest();
    return pool.bytes;
}

size_t psb_pool_limit(size_t bytes)
{
    const size_t before = pool.most;
    pool.most = bytes;
    psb_pool_trim(bytes);
    return before;
}

psb_err psb_device_take(const struct psb_device *on, void **p, size_t bytes, const char *what)
{
    int i = pool.n - 1;
    while (i >= 0 && (pool.piece[i].on != on || pool.piece[i].bytes != bytes))
        i--;
    if (i < 0)
        return PSB_PASS(on->alloc(p, bytes, what));
    PSB_CHECK(!psb_alloc_fails(), PSB_ENOMEM, "no device memory for %s: %zu bytes asked", what, bytes);
    *p = remove_piece(i).p;
    return PSB_OK;
}

void psb_device_give(const struct psb_device *on, void *p, size_t bytes)
{
    if (!bytes || bytes > pool.most || !on->keep || !on->keep(p, bytes)) {
        on->free(p);
        return;
    }
    psb_pool_trim(pool.most - bytes);
    if (pool.n == PSB_POOL_PIECES)
        free_oldest();
    pool.piece[pool.n++] = (struct piece){ on, p, bytes };
    pool.bytes += bytes;
}
