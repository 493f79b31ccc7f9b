/* psb_dual.h -- room: base/device.  One array, two copies: host and device.
 *
 * `valid` says which copies hold the current values.  It changes in dual.c and nowhere else.
 * Ask for what you mean to do and you get a pointer that is good:
 *
 *   read    current values, the other copy stays good
 *   write   you will overwrite everything: nothing is copied, the other copy goes stale
 *   update  current values, then you change some: the other copy goes stale */
#ifndef PSB_DUAL_H
#define PSB_DUAL_H
#include "psb_err.h"
#include <stddef.h>

enum psb_side { PSB_HOST = 1, PSB_DEV = 2 }; /* bits of `valid` */

/* Tables of functions that work where a device's memory is, one a scalar: vector operations (vec_ops.t.h)
 * and the kernels of formats, which only the room that has both the device and the formats looks into. */
struct psb_s_vec_ops;
struct psb_d_vec_ops;
struct psb_c_vec_ops;
struct psb_z_vec_ops;
struct psb_s_kernels;
struct psb_d_kernels;
struct psb_c_kernels;
struct psb_z_kernels;

/* Who owns the far side.  Copies and kernels are ordered by one stream; `put` and `get` return when the
 * host may use its side again; put_async and get_async return at once, and `wait` for a later `mark` says
 * when. */
struct psb_device {
    const char *name;
    psb_err (*alloc)(void **p, size_t bytes, const char *what); /* `what` names it in the error */
    void (*free)(void *p);
    psb_err (*alloc_host)(void **p, size_t bytes); /* host memory that travels fast */
    void (*free_host)(void *p);
    psb_err (*put)(void *dev, const void *host, size_t bytes);
    psb_err (*get)(void *host, const void *dev, size_t bytes);
    psb_err (*put_async)(void *dev, const void *host, size_t bytes);
    psb_err (*get_async)(void *host, const void *dev, size_t bytes);
    psb_err (*mark)(void **event); /* made at first use, *event == NULL */
    psb_err (*wait)(void *event);
    void (*unmark)(void *event);
    psb_err (*sync)(void);
    void (*range_push)(const char *of, const char *what); /* of its profiler: see psb_trace.h; or NULL */
    void (*range_pop)(void);
    const struct psb_s_vec_ops *psb_s_vec;
    const struct psb_d_vec_ops *psb_d_vec;
    const struct psb_c_vec_ops *psb_c_vec;
    const struct psb_z_vec_ops *psb_z_vec;
    const struct psb_s_kernels *psb_s_kernels;
    const struct psb_d_kernels *psb_d_kernels;
    const struct psb_c_kernels *psb_c_kernels;
    const struct psb_z_kernels *psb_z_kernels;
};

struct psb_dual {
    void *host, *dev;
    size_t bytes, size; /* of the array, of an element */
    unsigned valid;
    unsigned long changes;       /* how often it was given out to be written */
    int pinned;                  /* its host side travels: take it from on->alloc_host */
    int borrowed;                /* its host side is somebody else's */
    const struct psb_device *on; /* NULL: it lives on the host alone */
    const char *name;            /* for errors and for the log of transfers */
};

/* An array of n elements of `size` bytes, nothing allocated and nothing valid yet.  PSB_ENOMEM where
 * n * size overflows.  What d held before must have been freed.  Local. */
PSB_MUST_CHECK psb_err psb_dual_init(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                                     const char *name);

/* d, as psb_dual_init left it, takes what stands at `host`, memory of psb_alloc, for its values, and frees it
 * in the end.  Local. */
void psb_dual_adopt(struct psb_dual *d, void *host);

/* The same of anybody's memory, which is never freed here, and must stay until d is freed: d writes there
 * what it is given to write, and NULL will do where d has no elements.  Local. */
void psb_dual_borrow(struct psb_dual *d, void *host);

/* Store in the pointer at `out` the address of the copy on side s, good for what the name says (see
 * above).  PSB_ESTATE where nothing was ever written (read, update) or side PSB_DEV is asked of an array
 * without a device; PSB_EARG, PSB_ENOMEM, PSB_EDEVICE; on error both copies are as they were.  Local. */
PSB_MUST_CHECK psb_err psb_dual_read(struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_write(struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_update(struct psb_dual *d, enum psb_side s, void *out);

/* What was to be written on side s, or updated, was not, for an error: the copy elsewhere is good again if it
 * was, by what d->valid was before.  Local. */
void psb_dual_undo(struct psb_dual *d, enum psb_side s, unsigned was);

/* Put *d on another device (NULL: on the host alone), its values kept.  Local. */
PSB_MUST_CHECK psb_err psb_dual_move(struct psb_dual *d, const struct psb_device *on);

/* Release both copies; d is as psb_dual_init left it.  Local. */
void psb_dual_free(struct psb_dual *d);

/* --- transfers: counted, and named in the log where PSB_LOG=transfers ---------------------------- */

struct psb_transfers {
    long long puts, gets;           /* how many, host to device and back */
    long long put_bytes, get_bytes; /* and how much */
};

/* Copy through `on`, counted under `cause` (a constant string).  PSB_EARG where a pointer is NULL and there
 * is something to copy.  Local. */
PSB_MUST_CHECK psb_err psb_put(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_get(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_put_async(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                                     const char *cause);
PSB_MUST_CHECK psb_err psb_get_async(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                                     const char *cause);

/* Count under `cause` a transfer that a device made itself, a reduction's scalar say.  Local. */
void psb_count_get(size_t bytes, const char *cause);

/* What has travelled since the process began, or since psb_transfers_reset: in all (cause NULL), or for
 * one cause.  Local. */
struct psb_transfers psb_transfers(const char *cause);
void psb_transfers_reset(void);

/* The i-th cause met since then, NULL past the last.  Local. */
const char *psb_transfers_cause(int i);
#endif
