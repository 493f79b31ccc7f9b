/* psb_trace.h -- base/device: ranges of time for profilers, logs of calls, summaries and traces (psb_log.h);
 * the log of kernels: a line for each product, and a table at exit; hints. */
#ifndef PSB_TRACE_H
#define PSB_TRACE_H
#include <stdbool.h>
#include "lines.h"
#include "psb_device.h"
#include "psb_int.h"

/* Work from psb_range_begin to psb_range_end: names, constant strings; what the caller knows about it, if
 * anything. */
struct psb_range {
    const struct psb_device *on; /* whose profiler has the range, or NULL */
    bool on_host;                /* its work is done when it ends, also with a device */
    const char *of, *what;
    double since;        /* seconds; 0: not recorded */
    double bytes, flops; /* read and written, each array once; computed */
    long long items;     /* e.g. iterations */
};

double psb_clock(void);
void psb_record(const struct psb_range *r);

static inline bool psb_recording(void)
{
    return psb_logs(PSB_LOGS_CALLS | PSB_LOGS_SUMMARY | PSB_LOGS_TRACE);
}

/* Begin a range named "of what", or "of" if what is "", on this thread, also in the profiler of device `on`
 * unless that is NULL or has none.  Ranges
 * nest; one that is not ended, for an error, is not recorded.  Local. */
static inline struct psb_range psb_range_begin(const struct psb_device *on, const char *of, const char *what)
{
    if (on && on->range_push)
        on->range_push(of, what);
    return (struct psb_range){ .on = on, .of = of, .what = what, .since = psb_recording() ? psb_clock() : 0 };
}

/* End the innermost range.  Local. */
static inline void psb_range_end(const struct psb_range *r)
{
    if (r->on && r->on->range_pop)
        r->on->range_pop();
    if (r->since > 0)
        psb_record(r);
}

/* Log and count a product that has been computed or launched, for which PSB_LOG asks: names of the format and
 * of the device, constant strings; op; number of columns k; bytes of the matrix and of the vectors, each
 * counted once.  Local. */
void psb_log_kernel(const char *fmt, const char *where, char op, psb_ipk k, size_t bytes);

/* If the log has hints, say once in a process that a product runs on the host, since the matrix, in
 * format fmt, x and y are not all on one device (NULL: on the host only).  Local. */
void psb_hint_places(const char *fmt, const struct psb_device *a, const struct psb_device *x,
                     const struct psb_device *y);

/* The same if a matrix in format fmt, which has a product for devices, was made without a device; also, on
 * process 0 alone, if PSB_DEVICE is not set.  Local. */
void psb_hint_no_device(const char *fmt);

/* The same if a matrix in format fmt takes so many bytes, far more than it would in CSR. */
void psb_hint_padding(const char *fmt, double bytes, double csr);

/* The same if a matrix of so few entries was given a format of a device that a launch takes as long as its
 * product. */
void psb_hint_launch(const char *fmt, long long entries);
#endif
