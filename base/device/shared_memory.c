/* shared_memory.c -- base/device: blocks of device memory for exchanges, which processes of a host may
 * share. */
#include "shared_memory.h"
#include "psb_alloc.h"
#include <string.h>
#include <unistd.h>

/* Memory of another process. */
struct mapping {
    const struct psb_device *on;
    struct psb_shared_name name;
    void *p;
    struct mapping *next;
};

static struct psb_shared_block *blocks;
static struct mapping *mappings;

static psb_err new_block(const struct psb_device *on, size_t bytes, bool is_private,
                         struct psb_shared_block **out)
{
    static long serial;
    struct psb_shared_block *b;
    PSB_TRY(psb_alloc_zero(&b, 1, sizeof *b, "shared memory"));
    psb_err e = is_private ? on->alloc(&b->p, bytes, "halo channel")
                           : on->onesided->share(&b->p, bytes, &b->name.handle);
    if (e != PSB_OK) {
        psb_free(b);
        return e;
    }
    b->on = on;
    b->is_private = is_private;
    b->name.pid = (long)getpid();
    b->name.serial = ++serial;
    b->name.bytes = bytes;
    b->next = blocks;
    *out = blocks = b;
    return PSB_OK;
}

psb_err psb_shared_take(const struct psb_device *on, size_t bytes, struct psb_shared_block **out)
{
    struct psb_shared_block *best = NULL;
    for (struct psb_shared_block *b = blocks; b; b = b->next)
        if (!b->used && !b->is_private && b->on == on && b->name.bytes >= bytes &&
            (!best || b->name.bytes < best->name.bytes))
            best = b;
    if (!best)
        PSB_TRY(new_block(on, bytes, false, &best));
    best->used = true;
    *out = best;
    return PSB_OK;
}

psb_err psb_private_take(const struct psb_device *on, size_t bytes, struct psb_shared_block **out)
{
    PSB_TRY(new_block(on, bytes, true, out));
    (*out)->used = true;
    return PSB_OK;
}

/* Free the memory of a block that is in the list. */
static void release(struct psb_shared_block *b)
{
    struct psb_shared_block **at = &blocks;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    if (b->is_private)
        b->on->free(b->p);
    else
        b->on->onesided->unshare(b->p, b->name.bytes);
    b->p = NULL;
}

/* Free the block if its device was closed or no other process can access it; return whether it was freed. */
static bool free_unshared(struct psb_shared_block *b)
{
    if (b->p && b->is_private)
        release(b);
    if (b->p)
        return false;
    psb_free(b);
    return true;
}

void psb_shared_give(struct psb_shared_block *block)
{
    if (block && !free_unshared(block))
        block->used = false;
}

void psb_shared_lose(struct psb_shared_block *block)
{
    if (block && !free_unshared(block))
        block->lost = true;
}

static struct mapping *find_mapping(const struct psb_device *on, const struct psb_shared_name *name)
{
    struct mapping *m = mappings;
    while (m && (m->on != on || m->name.pid != name->pid || m->name.serial != name->serial ||
                 memcmp(&m->name.handle, &name->handle, sizeof name->handle) != 0))
        m = m->next;
    return m;
}

psb_err psb_shared_map(const struct psb_device *on, const struct psb_shared_name *name, void **p)
{
    struct mapping *m = find_mapping(on, name);
    if (!m) {
        PSB_TRY(psb_alloc_zero(&m, 1, sizeof *m, "shared memory"));
        psb_err e = on->onesided->open(&name->handle, name->bytes, &m->p);
        if (e != PSB_OK) {
            psb_free(m);
            return PSB_PASS(e);
        }
        m->on = on;
        m->name = *name;
        m->next = mappings;
        mappings = m;
    }
    *p = m->p;
    return PSB_OK;
}

void psb_shared_close(const struct psb_device *on)
{
    if (!on)
        return;
    on->drain(); /* kernels may still use the memory */
    for (struct mapping **at = &mappings, *m = *at; m; m = *at) {
        if (m->on != on) {
            at = &m->next;
            continue;
        }
        on->onesided->close(m->p, m->name.bytes);
        *at = m->next;
        psb_free(m);
    }
    for (struct psb_shared_block *b = blocks, *next; b; b = next) {
        next = b->next;
        if (b->on != on)
            continue;
        release(b);
        if (!b->used || b->lost) /* else psb_shared_give frees it */
            psb_free(b);
    }
}
