/* psb_dual.h -- room: base/device.  An array with a copy on the host and a copy on a device.
 *
 * `valid` tells which copies hold the current values; only dual.c changes it.  The caller says how it will
 * use the array and gets a pointer to the copy on the side it works on:
 *
 *   read    the copy holds the current values; the other copy stays valid; the array may be const, since only
 *           its copies change
 *   write   the caller overwrites all elements: nothing is transferred, the other copy becomes invalid
 *   update  the copy holds the current values and the caller changes some: the other copy becomes invalid */
#ifndef PSB_DUAL_H
#define PSB_DUAL_H
#include "psb_err.h"
#include "psb_int.h"
#include <stddef.h>
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_side { PSB_HOST = 1, PSB_DEV = 2 }; /* bits of `valid` */

/* Dot products computed in one pass with a matrix product, and quotients of scalars after them, at most: see
 * psb_spmv_fused. */
enum { PSB_MOST_DOTS = 3, PSB_MOST_RATIOS = 2 };

/* Which rows the dot products of an epilogue cover: all, or, in two calls, some and then the rest. */
enum psb_sum_part { PSB_SUM_WHOLE, PSB_SUM_FIRST, PSB_SUM_LAST };

/* What a device keeps of the first rows' dot products: the sums of `blocks` blocks of threads. */
struct psb_kept_sums {
    const void *of_block;
    psb_epk blocks;
};

/* Sums of vectors computed in one pass, at most: see psb_geaxpbys. */
enum { PSB_MOST_SUMS = 2 };

struct psb_onesided; /* see psb_onesided.h */
struct psb_twosided; /* see psb_twosided.h */

/* Vector operations on a device's memory, one table for each scalar: see psb_vec_ops.t.h. */
struct psb_s_vec_ops;
struct psb_d_vec_ops;
struct psb_c_vec_ops;
struct psb_z_vec_ops;
struct psb_i_vec_ops;
struct psb_l_vec_ops;

/* The kinds of devices: an index into a format's tables of kernels. */
enum psb_device_kind { PSB_DEVICE_FAKE, PSB_DEVICE_CUDA, PSB_DEVICE_KINDS };

/* A device.  Copies and kernels run in the order of one stream.  `put` and `get` return when the host memory
 * may be used again; put_async and get_async return at once, and the host memory may be used again after
 * `wait` for an event recorded by a later `mark`. */
struct psb_device {
    const char *name;
    enum psb_device_kind kind;
    psb_err (*alloc)(void **p, size_t bytes, const char *what); /* `what` names the array in the error */
    void (*free)(void *p);
    psb_err (*alloc_host)(void **p, size_t bytes); /* pinned host memory, transferred fast */
    void (*free_host)(void *p);
    psb_err (*put)(void *dev, const void *host, size_t bytes);
    psb_err (*get)(void *host, const void *dev, size_t bytes);
    psb_err (*put_async)(void *dev, const void *host, size_t bytes);
    psb_err (*get_async)(void *host, const void *dev, size_t bytes);
    psb_err (*mark)(void **event); /* record; *event == NULL: create it first */
    psb_err (*wait)(void *event);
    void (*unmark)(void *event);
    psb_err (*sync)(void);
    /* Wait for all work, before memory that it may use is freed; errors are left to the next `sync`. */
    void (*drain)(void);
    void (*range_push)(const char *of, const char *what); /* profiler ranges (psb_trace.h), or NULL */
    void (*range_pop)(void);
    const struct psb_onesided *onesided; /* exchanges between devices of one host, or NULL */
    const struct psb_twosided *twosided; /* messages between devices, or NULL */
    /* Returns why MPI cannot access memory of the device, or NULL if it can; no function: it cannot. */
    const char *(*mpi_obstacle)(void);
    const struct psb_s_vec_ops *psb_s_vec;
    const struct psb_d_vec_ops *psb_d_vec;
    const struct psb_c_vec_ops *psb_c_vec;
    const struct psb_z_vec_ops *psb_z_vec;
    const struct psb_i_vec_ops *psb_i_vec; /* NULL: integer vectors stay on the host */
    const struct psb_l_vec_ops *psb_l_vec;
};

struct psb_dual {
    void *host, *dev;
    size_t bytes, size;          /* of the array; of an element */
    unsigned valid;              /* bits of enum psb_side */
    unsigned long changes;       /* number of write and update calls */
    int pinned;                  /* allocate the host copy by on->alloc_host */
    int borrowed;                /* the host copy is memory of the caller */
    const struct psb_device *on; /* NULL: the array is on the host only */
    const char *name;            /* in errors and in the log of transfers */
};

/* Initialise d to an array of n elements of `size` bytes, with nothing allocated and no valid copy.
 * PSB_ENOMEM if n * size overflows.  What d held before must have been freed.  Local. */
PSB_MUST_CHECK psb_err psb_dual_init(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                                     const char *name);

/* Make `host`, memory of psb_alloc that holds the values, the host copy of d, which is as psb_dual_init left
 * it or has borrowed `host`.  psb_dual_free frees `host`.  Local. */
void psb_dual_adopt(struct psb_dual *d, void *host);

/* Exchange the copies of d and e, arrays of the same size on the same device: each has the other's values.
 * Counts as a write to both.  Local. */
void psb_dual_swap(struct psb_dual *d, struct psb_dual *e);

/* As psb_dual_adopt for memory of the caller, which must stay allocated until d is freed and is not freed
 * here. Writes to the host copy of d go to `host`.  `host` may be NULL if d has no elements.  Local. */
void psb_dual_borrow(struct psb_dual *d, void *host);

/* Store in the pointer at `out` the address of the copy on side s, for the use that the name says (see
 * above). PSB_ESTATE if the array has no values yet (read, update), or if s is PSB_DEV and the array has no
 * device; PSB_EARG, PSB_ENOMEM, PSB_EDEVICE.  On error both copies are unchanged.  Local. */
PSB_MUST_CHECK psb_err psb_dual_read(const struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_write(struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_update(struct psb_dual *d, enum psb_side s, void *out);

/* Undo a failed write or update on side s: restore the other copy's validity from `was`, the value of
 * d->valid before the call.  Local. */
void psb_dual_undo(struct psb_dual *d, enum psb_side s, unsigned was);

/* Move *d to another device (NULL: to the host only); its values are kept.  Local. */
PSB_MUST_CHECK psb_err psb_dual_move(struct psb_dual *d, const struct psb_device *on);

/* Free the copy on side s if the other one is valid.  Local. */
void psb_dual_drop(struct psb_dual *d, enum psb_side s);

/* Free both copies; d is then as psb_dual_init left it.  Local. */
void psb_dual_free(struct psb_dual *d);

/* --- transfers: counted by cause, and logged if PSB_LOG contains "transfers" ----------------------- */

typedef struct psb_transfer_counts {
    long long puts, gets;           /* number of transfers, host to device and device to host */
    long long put_bytes, get_bytes; /* bytes transferred */
} psb_transfer_counts;

/* Copy `bytes` bytes by the function of device `on` and count the transfer under `cause`, a constant string.
 * PSB_EARG if a pointer is NULL and bytes > 0.  Local. */
PSB_MUST_CHECK psb_err psb_put(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_get(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_put_async(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                                     const char *cause);
PSB_MUST_CHECK psb_err psb_get_async(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                                     const char *cause);

/* Count under `cause` a transfer to the host that a device makes itself, e.g. of the result of a reduction.
 * Local. */
void psb_count_get(size_t bytes, const char *cause);

/* Return the transfers since the start of the process or the last psb_transfers_reset: all of them (cause
 * NULL), or those of one cause.  Local. */
struct psb_transfer_counts psb_transfers(const char *cause);
void psb_transfers_reset(void);

/* Return the i-th cause in order of first use since then, NULL past the last.  Local. */
const char *psb_transfers_cause(int i);
PSB_END_C
#endif
