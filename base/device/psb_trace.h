/* psb_trace.h -- room: base/device.  What runs, for who wants to know: ranges in the profiler of a device, and where
 * PSB_LOG=kernels a line on stderr for each product, and a table at exit. */
#ifndef PSB_TRACE_H
#define PSB_TRACE_H
#include <stdatomic.h>
#include "psb_dual.h"
#include "psb_int.h"

/* Begin a range named "of what" on this thread, where device `on` (NULL: the host) has a profiler's; ranges
 * nest, and each that is begun is ended.  Local. */
static inline void psb_range_begin(const struct psb_device *on, const char *of, const char *what)
{
    if (on && on->range_push)
        on->range_push(of, what);
}

static inline void psb_range_end(const struct psb_device *on)
{
    if (on && on->range_pop)
        on->range_pop();
}

/* 0 where nobody wants a log of kernels; not 0 as long as that is not known. */
extern atomic_int psb_logs_kernels;

/* If PSB_LOG says so, log and count a product that has been made or launched: the format that computes and
 * the device, constant strings; op; k columns; bytes of the matrix and of the vectors, each once.  Local. */
void psb_log_kernel(const char *fmt, const char *where, char op, psb_ipk k, size_t bytes);
#endif
