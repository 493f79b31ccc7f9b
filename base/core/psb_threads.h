/* psb_threads.h -- base/core: the number of OpenMP threads in host kernels, and their shares. */
#ifndef PSB_THREADS_H
#define PSB_THREADS_H
#include "psb_int.h"
#include "psb_lang.h"
#include <stdbool.h>
PSB_BEGIN_C

/* Return the number of threads that a kernel on n elements should use: one for each 16384 elements, at
 * least 1 and at most what OpenMP offers; 1 without OpenMP, inside a parallel region, and if MPI was
 * initialised with less than MPI_THREAD_FUNNELED.  Local. */
int psb_threads(psb_epk n);

/* --- inside base ---------------------------------------------------------------------------------- */

/* Store the share of thread t of p in 0 .. n-1: *a <= i < *b.  Local. */
void psb_thread_range(psb_epk n, int t, int p, psb_epk *a, psb_epk *b);

/* Return the first of n items in the share of thread t of p, n if t == p.  Item i has off[i + 1] - off[i]
 * parts, and the shares are even in the number of items plus the number of parts.  Local. */
psb_ipk psb_thread_start(const psb_epk *off, psb_ipk n, int t, int p);

/* Allow threads, or not: what MPI was initialised for.  Local. */
void psb_threads_allow(bool yes);
PSB_END_C
#endif
