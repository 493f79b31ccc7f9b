/* lines.h -- room: base/mat.  How products of compressed lines are computed, for the kernels and the
 * forecast. */
#ifndef PSB_LINES_H
#define PSB_LINES_H
#include "psb_int.h"
#include "psb_simd.h"
#include <stddef.h>

/* Entries multiplied at once; mean number of entries per line from which two chains of additions pay off. */
enum { PSB_LINES_LANES = 4, PSB_LINES_LONG = 48 };

/* Mean number of entries per line from which vectors pay off, for values of so many bytes: see
 * docs/decisions/015-short-rows-on-the-host.md. */
static inline psb_epk psb_lines_enough(size_t bytes)
{
    return bytes > 4 && psb_cpu_vendor() == PSB_CPU_INTEL ? 5 : 3;
}

/* Short lines: lines of a group, which are computed in one way; lines of a group that are looked at if not
 * all have one length, and the number of changes of length among them that branches are fit for. */
enum { PSB_LINES_GROUP = 64, PSB_LINES_SAMPLE = 16, PSB_LINES_FEW = 3 };
#endif
