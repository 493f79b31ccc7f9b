/* tuning.h -- base/core: the numbers of processors for which host code is written, a line each: value, unit,
 * why. */
#ifndef PSB_TUNING_H
#define PSB_TUNING_H
#include "psb_int.h"
#include "psb_simd.h"
#include <stddef.h>

enum {
    LINE = 64,               /* bytes of a cache line */
    HUGE_PAGE = 1 << 21,     /* bytes of a huge page: large arrays begin at one */
    CACHE = 1 << 23,         /* bytes up to which arrays are not prefetched: they stay in a cache */
    AHEAD = 512,             /* elements: the distance of prefetches */
    CHUNK = 8,               /* columns of x that are multiplied together: their sums fit in registers */
    PSB_PIN_BYTES = 1 << 16, /* bytes of an array, at least, whose pages are pinned */
    PSB_PIN_AFTER = 8,       /* transfers of an array before its pages are pinned; not measured */
    PSB_POOL_GIB = 4,        /* GiB of device memory that are kept for later arrays, at most */
    PSB_POOL_PIECES = 256,   /* arrays whose memory is kept, at most: they are searched one by one */
    THREAD_GRAIN = 16384,    /* elements of a thread, at least: fewer do not pay for its start */

    /* compressed lines */
    PSB_LINES_LONG = 48,   /* mean entries of a line from which two chains of additions pay off */
    PSB_LINES_GROUP = 64,  /* short lines that are computed in one way */
    PSB_LINES_SAMPLE = 16, /* of these, lines that are looked at if not all have one length */
    PSB_LINES_FEW = 3      /* changes of length among those that branches are fit for */
};

/* Mean number of entries of a line from which vectors pay off, for values of so many bytes: see
 * docs/decisions/015-short-rows-on-the-host.md. */
static inline psb_epk psb_lines_enough(size_t bytes)
{
    return bytes > 4 && psb_cpu_vendor() == PSB_CPU_INTEL ? 5 : 3;
}
#endif
