/* psb_threads.h -- room: base/core.  OpenMP threads inside host kernels. */
#ifndef PSB_THREADS_H
#define PSB_THREADS_H
#include "psb_int.h"

/* How many threads a kernel that touches n elements should use: no more than OpenMP offers, and one for each
 * `grain` elements; 1 without OpenMP, inside a parallel region, and where MPI was initialised with less than
 * MPI_THREAD_FUNNELED.  Local. */
int psb_threads(psb_epk n);

/* Elements that are worth a thread, n >= 1; 16384 at first.  Returns what it was.  Local. */
psb_epk psb_set_thread_grain(psb_epk n);

/* --- inside base ---------------------------------------------------------------------------------- */

/* The part of 0..n-1 that is thread t's, of p: from *a up to, not including, *b. */
void psb_thread_range(psb_epk n, int t, int p, psb_epk *a, psb_epk *b);

/* The first of n things that is thread t's, of p; n where t is p.  Thing i, which begins at off[i], has
 * off[i + 1] - off[i] parts; things and parts together are shared evenly. */
psb_ipk psb_thread_start(const psb_epk *off, psb_ipk n, int t, int p);

/* Threads are (not) allowed beside MPI. */
void psb_threads_allow(int yes);
#endif
