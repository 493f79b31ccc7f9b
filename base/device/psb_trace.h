/* psb_trace.h -- base/device: profiler ranges and the log of kernels: if PSB_LOG contains "kernels", a
 * line on stderr for each product, and a table at exit.  Hints, if it contains "hints". */
#ifndef PSB_TRACE_H
#define PSB_TRACE_H
#include <stdatomic.h>
#include "psb_device.h"
#include "psb_int.h"

/* Begin a range named "of what" on this thread in the profiler of device `on`; nothing happens if `on` is
 * NULL or has no profiler.  Ranges nest; every range must be ended.  Local. */
static inline void psb_range_begin(const struct psb_device *on, const char *of, const char *what)
{
    if (on && on->range_push)
        on->range_push(of, what);
}

/* End the innermost range.  Local. */
static inline void psb_range_end(const struct psb_device *on)
{
    if (on && on->range_pop)
        on->range_pop();
}

/* 0: no log of kernels; otherwise there is one, or PSB_LOG has not been read yet. */
extern atomic_int psb_logs_kernels;

/* If PSB_LOG asks for it, log and count a product that has been computed or launched: names of the format and
 * of the device, constant strings; op; number of columns k; bytes of the matrix and of the vectors, each
 * counted once.  Local. */
void psb_log_kernel(const char *fmt, const char *where, char op, psb_ipk k, size_t bytes);

/* If PSB_LOG contains "hints", say once in a process that a product runs on the host, since the matrix, in
 * format fmt, x and y are not all on one device (NULL: on the host only).  Local. */
void psb_hint_places(const char *fmt, const struct psb_device *a, const struct psb_device *x,
                     const struct psb_device *y);

/* The same if a matrix in format fmt, which has a product for devices, was made without a device; also, on
 * process 0 alone, if neither PSB_LOG nor PSB_DEVICE is set.  Local. */
void psb_hint_no_device(const char *fmt);

/* The same if a matrix in format fmt takes so many bytes, far more than it would in CSR. */
void psb_hint_padding(const char *fmt, double bytes, double csr);

/* The same if a matrix of so few entries was given a format of a device that a launch takes as long as its
 * product. */
void psb_hint_launch(const char *fmt, long long entries);
#endif
