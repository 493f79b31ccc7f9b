/* shared_memory.h -- base/device: blocks of device memory for exchanges, which processes of a host may
 * share.
 *
 * A shared block that is given back is not freed, since other processes may keep it mapped: it serves later
 * takers.  A block of another process is mapped once.  All is released when the device is closed. */
#ifndef PSB_SHARED_MEMORY_H
#define PSB_SHARED_MEMORY_H
#include "psb_device.h"
#include "psb_onesided.h"

/* What names a block to other processes; no two blocks have the same pid and serial number. */
struct psb_shared_name {
    struct psb_shared_handle handle;
    long pid, serial;
    size_t bytes;
};

struct psb_shared_block {
    void *p;
    struct psb_shared_name name;
    const struct psb_device *on;
    bool used, lost, is_private;
    struct psb_shared_block *next;
};

/* *out = a block of at least `bytes` bytes on device `on`, which has one-sided exchanges.  Local. */
PSB_MUST_CHECK psb_err psb_shared_take(const struct psb_device *on, size_t bytes,
                                       struct psb_shared_block **out);

/* *out = a block of `bytes` bytes on device `on` for this process alone.  Local. */
PSB_MUST_CHECK psb_err psb_private_take(const struct psb_device *on, size_t bytes,
                                        struct psb_shared_block **out);

/* Give a block back, which no kernel uses any more; NULL is fine.  Local. */
void psb_shared_give(struct psb_shared_block *block);

/* Give up a block that another process may still write: it has no later takers.  NULL is fine.  Local. */
void psb_shared_lose(struct psb_shared_block *block);

/* *p = where the block of another process of the host is mapped here.  PSB_EDEVICE if device `on` cannot
 * reach it.  Local. */
PSB_MUST_CHECK psb_err psb_shared_map(const struct psb_device *on, const struct psb_shared_name *name,
                                      void **p);

/* Unmap and free all blocks of device `on`, which may be NULL.  The address of a block that is still taken
 * becomes NULL.  Local. */
void psb_shared_close(const struct psb_device *on);
#endif
