/* check_device.h -- test: the parts of suite "device". */
#ifndef CHECK_DEVICE_H
#define CHECK_DEVICE_H
#include "psb_cuda.h"
#include "format_checks.h"
#include "suites.h"

/* Return whether the device in use is the fake one. */
int device_is_fake(void);

/* Use a new array of this many bytes on the device, and free it. */
psb_err use_on_device(size_t bytes, const char *name);

/* Device memory that runs out, for n formats. */
void add_device_memory(TCase *c, int n);
/* Queries, long transfers, settings of the fake device, names. */
void add_device_queries(TCase *c);
/* Ranges for a profiler. */
void add_device_ranges(TCase *c);
#endif
