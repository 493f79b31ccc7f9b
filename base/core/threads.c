/* threads.c -- base/core: the number of OpenMP threads in host kernels, and their shares. */
#include "psb_threads.h"
#include "psb_search.h"
#include "psb_testing.h"
#include "tuning.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static psb_epk thread_grain = THREAD_GRAIN;
static bool threads_allowed = true;

int psb_threads(psb_epk n)
{
#ifdef _OPENMP
    psb_epk worth = n / thread_grain, most = omp_get_max_threads();
    if (!threads_allowed || omp_in_parallel() || worth < 2)
        return 1;
    return (int)(worth < most ? worth : most);
#else
    (void)n;
    return 1;
#endif
}

psb_epk psb_set_thread_grain(psb_epk n)
{
    psb_epk was = thread_grain;
    thread_grain = n < 1 ? 1 : n;
    return was;
}

void psb_thread_range(psb_epk n, int t, int p, psb_epk *a, psb_epk *b)
{
    psb_epk each = n / p, rest = n % p;
    *a = t * each + (t < rest ? t : rest);
    *b = *a + each + (t < rest);
}

struct thread_start {
    const psb_epk *off;
    psb_epk at;
};

PSB_INLINE int starts_before(const void *of, psb_epk i)
{
    const struct thread_start *s = of;
    return s->off[i] + i < s->at;
}

psb_ipk psb_thread_start(const psb_epk *off, psb_ipk n, int t, int p)
{
    psb_epk a, b;
    if (t == p || n == 0)
        return n;
    psb_thread_range(off[n] + n, t, p, &a, &b);
    const struct thread_start s = { off, a };
    return (psb_ipk)psb_first(0, n, starts_before, &s);
}

void psb_threads_allow(bool yes)
{
    threads_allowed = yes;
}
