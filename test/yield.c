/* yield.c -- test: mpi-run preloads it: MPICH over UCX yields the core while it waits.  Otherwise
 * MPICH spins, and with more processes than cores seconds become minutes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

/* MPICH calls this function of UCX repeatedly while it waits.  Calls the original, and sched_yield if nothing
 * arrived. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*ucx)(void *);
    if (!ucx)
        *(void **)&ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = ucx(worker);
    if (events == 0)
        sched_yield();
    return events;
}
