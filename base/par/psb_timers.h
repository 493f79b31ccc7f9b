/* psb_timers.h -- base/par: named timers of a program, summarised over all processes.  To be used by
 * the thread that calls MPI. */
#ifndef PSB_TIMERS_H
#define PSB_TIMERS_H
#include "psb_ctxt.h"
#include <stdio.h>
#include "psb_lang.h"
PSB_BEGIN_C

enum { PSB_TIMERS = 128, PSB_TIMER_NAME = 48 }; /* most timers; most bytes of a name, with its 0 */

/* Store in *idx the index of the timer called `name`, which is not empty; create the timer if it is new.
 * PSB_ENOMEM if there are PSB_TIMERS of them.  Local. */
PSB_MUST_CHECK psb_err psb_get_timer_idx(const char *name, int *idx);

/* Start timer idx, which must not be running (psb_tic), and stop it, which must be running (psb_toc);
 * PSB_ESTATE otherwise.  A timer may be started many times, also while others run.  Local. */
PSB_MUST_CHECK psb_err psb_tic(int idx);
PSB_MUST_CHECK psb_err psb_toc(int idx);

/* Stop all running timers.  Local. */
void psb_toc_all(void);

/* Store how often timer idx has run on this process, and for how many seconds; either pointer may be NULL.
 * Local. */
PSB_MUST_CHECK psb_err psb_get_timer(int idx, long long *calls, double *seconds);

/* Set calls and seconds of all timers to 0 and stop those that run; names and indices are kept.  Local. */
void psb_reset_timers(void);

/* Print a table of timer idx of process 0, or of all its timers if idx is -1, to stream `to` of process 0
 * (the other processes may pass NULL): the largest number of calls, and the least, average and largest
 * seconds over all processes.  Timers of different processes are matched by name; a process without that
 * timer counts 0. PSB_ESTATE if one of them is running on some process.  Collective. */
PSB_MUST_CHECK psb_err psb_print_timers(psb_ctxt *ctxt, int idx, FILE *to);
PSB_END_C
#endif
