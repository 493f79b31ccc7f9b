/* team.c -- base/core: parallel regions of OpenMP threads. */
#include "psb_team.h"

void psb_team(int p, void (*work)(void *job, int t, int p), void *job)
{
    if (p <= 1) {
        work(job, 0, 1);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(p) schedule(static, 1)
#endif
    for (int t = 0; t < p; t++)
        work(job, t, p);
}

void psb_team_steps(int p, int steps, void (*work)(void *job, int step, int t, int p), void *job)
{
    if (p <= 1) {
        for (int s = 0; s < steps; s++)
            work(job, s, 0, 1);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(p)
#endif
    for (int s = 0; s < steps; s++) {
#ifdef _OPENMP
#pragma omp for schedule(static, 1)
#endif
        for (int t = 0; t < p; t++)
            work(job, s, t, p);
    }
}
