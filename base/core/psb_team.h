/* psb_team.h -- room: base/core.  Threads that do one thing together. */
#ifndef PSB_TEAM_H
#define PSB_TEAM_H

/* Call work(job, t, p) for every 0 <= t < p, each in a thread of its own, and return when all have; p as
 * psb_threads says.  Local. */
void psb_team(int p, void (*work)(void *job, int t, int p), void *job);
#endif
