/* yield.c -- room: test.  Preloaded by mpi-run: MPICH over UCX gives up the core where it waits in vain.
 * MPICH spins otherwise, and more processes than cores take minutes for what takes seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

/* UCX's function of this name, which MPICH calls again and again while it waits; then sched_yield if nothing
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
