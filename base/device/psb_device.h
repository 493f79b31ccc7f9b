/* psb_device.h -- base/device: a device, as a table of functions, and copies from and to it. */
#ifndef PSB_DEVICE_H
#define PSB_DEVICE_H
#include "psb_err.h"
#include <stdbool.h>
#include <stddef.h>
#include "psb_lang.h"
#include "psb_vmold.h"
PSB_BEGIN_C

struct psb_onesided; /* see psb_onesided.h */
struct psb_twosided; /* see psb_twosided.h */

/* Vector operations on a device's memory, one table for each scalar: see psb_vec_ops.t.h. */
struct psb_s_vec_ops;
struct psb_d_vec_ops;
struct psb_c_vec_ops;
struct psb_z_vec_ops;
struct psb_i_vec_ops;
struct psb_l_vec_ops;

/* A device.  Copies and kernels run in the order of one stream.  `put` and `get` return when the host memory
 * may be used again; put_async and get_async return at once, and the host memory may be used again after
 * `wait` for an event recorded by a later `mark`. */
struct psb_device {
    const char *name;
    int kind; /* an index, for libraries that have tables of kernels for several kinds of devices */
    psb_err (*alloc)(void **p, size_t bytes, const char *what); /* `what` names the array in the error */
    void (*free)(void *p);
    /* Memory at p is kept for another array instead of being freed: let work that starts from now on come
     * after all that may use it now.  false: it has to be freed; NULL: always. */
    bool (*keep)(void *p, size_t bytes);
    psb_err (*alloc_host)(void **p, size_t bytes); /* pinned host memory, which the device can access too */
    void (*free_host)(void *p);
    /* Pin the pages of memory of psb_alloc, which stays where it is; return whether they are pinned. */
    bool (*pin)(void *host, size_t bytes);
    void (*unpin)(void *host);
    psb_err (*zero)(void *dev, size_t bytes); /* set the bytes to 0, in the order of the stream */
    psb_err (*put)(void *dev, const void *host, size_t bytes);
    psb_err (*get)(void *host, const void *dev, size_t bytes);
    psb_err (*put_async)(void *dev, const void *host, size_t bytes);
    psb_err (*get_async)(void *host, const void *dev, size_t bytes);
    psb_err (*mark)(void **event); /* record; *event == NULL: create it first */
    psb_err (*wait)(void *event);
    void (*unmark)(void *event);
    psb_err (*sync)(void);
    /* The error of work so far, if it is known by now; *idle: no work is left.  NULL: work is done when its
     * call returns. */
    psb_err (*poll)(bool *idle);
    /* Record the calls from `capture` to `captured`, which are not made, as a graph; launch it, which makes
     * them in the order of the stream.  A device may have none of the four. */
    psb_err (*capture)(void);
    psb_err (*captured)(void **graph);
    psb_err (*launch)(void *graph);
    void (*free_graph)(void *graph);
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

/* The mold of a vector (psb_vmold.h).  If `device` is NULL or returns NULL the vector is on the host only. */
struct psb_vmold {
    const char *name;
    const struct psb_device *(*device)(void);
};

/* psb_device_take: *p = `bytes` bytes of device `on`, kept ones or new ones; `what` and errors as for `alloc`.
 * psb_device_give: keep that memory for later, or free it (psb_pool.h).  Memory that other processes or
 * libraries have been given the address of is for alloc and free.  Local. */
PSB_MUST_CHECK psb_err psb_device_take(const struct psb_device *on, void **p, size_t bytes, const char *what);
void psb_device_give(const struct psb_device *on, void *p, size_t bytes);

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

PSB_END_C
#endif
