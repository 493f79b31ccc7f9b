/* psb_team.h -- base/core: parallel regions of OpenMP threads. */
#ifndef PSB_TEAM_H
#define PSB_TEAM_H
#include "psb_lang.h"
PSB_BEGIN_C

/* Call work(job, t, p) for t = 0 .. p-1, each t on a thread of its own, and return when all calls have
 * returned; p as from psb_threads.  With p <= 1 the caller makes the only call and no parallel region is
 * opened.  Local. */
void psb_team(int p, void (*work)(void *job, int t, int p), void *job);

/* The same for steps 0 .. steps-1 in one parallel region: call work(job, step, t, p) for each t; all calls of
 * a step return before the next step begins.  Local. */
void psb_team_steps(int p, int steps, void (*work)(void *job, int step, int t, int p), void *job);
PSB_END_C
#endif
