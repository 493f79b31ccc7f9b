/* psb_timers.h -- room: base/par.  Where the time of a program goes, by name and over all processes.  For the
 * thread that calls MPI. */
#ifndef PSB_TIMERS_H
#define PSB_TIMERS_H
#include "psb_ctxt.h"
#include <stdio.h>

enum { PSB_TIMERS = 128, PSB_TIMER_NAME = 48 }; /* timers at most; bytes of a name, the closing 0 included */

/* Store in *idx the timer called `name`, a new one where there is none yet; not empty.  Local. */
PSB_MUST_CHECK psb_err psb_get_timer_idx(const char *name, int *idx);

/* Start timer idx, which must not run; stop it, which must.  A timer may run many times, and inside another.
 * Local. */
PSB_MUST_CHECK psb_err psb_tic(int idx);
PSB_MUST_CHECK psb_err psb_toc(int idx);

/* Stop all that run.  Local. */
void psb_toc_all(void);

/* How often timer idx ran here, and for how many seconds; either may be NULL.  Local. */
PSB_MUST_CHECK psb_err psb_get_timer(int idx, long long *calls, double *seconds);

/* All timers back to no calls, those that run stopped; names and numbers stay.  Local. */
void psb_reset_timers(void);

/* Print a table of timer idx of process 0, or of all it has where idx is -1, to `to` there (elsewhere it may
 * be NULL): the most calls on a process, and seconds, the least, the average, and the most of all processes.
 * A timer is known by its name, and counts 0 where nobody has it.  An error where one still runs on some
 * process. Collective. */
PSB_MUST_CHECK psb_err psb_print_timers(psb_ctxt *ctxt, int idx, FILE *to);
#endif
