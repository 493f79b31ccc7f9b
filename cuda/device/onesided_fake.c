/* onesided_fake.c -- cuda/device: one-sided exchanges of the fake device: the reference for a GPU's.
 * Memory is shared by a file without a name, which other processes open by its descriptor in /proc. */
#include "config.h"
#include "gpu.h"
#include "host_id.h"
#include "coll.h"
#include "psb_onesided.h"
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* --- memory --------------------------------------------------------------------------------------------- */

static size_t hosts; /* 0: one, with one device */

void psb_fake_hosts(size_t n)
{
    hosts = n;
}

static psb_err identify(char id[32], unsigned long long *host)
{
    int me, np;
    memset(id, 0, 32);
    strcpy(id, "fake");
    *host = psb_host_id();
    if (!hosts)
        return PSB_OK;
    PSB_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    PSB_MPI(MPI_Comm_size(MPI_COMM_WORLD, &np));
    snprintf(id, 32, "fake %d", me);
    *host += (unsigned long long)me * hosts / (unsigned long long)np;
    return PSB_OK;
}

static psb_err map_file(int file, size_t bytes, void **p)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        return PSB_FAIL(PSB_ENOMEM, "no shared memory: %zu bytes asked", bytes);
    *p = at;
    return PSB_OK;
}

static psb_err share_memory(void **p, size_t bytes, struct psb_shared_handle *h)
{
    const int file = memfd_create("psb", MFD_CLOEXEC);
    psb_err e = file < 0 || ftruncate(file, (off_t)bytes) != 0
                    ? PSB_FAIL(PSB_ENOMEM, "no shared memory: %zu bytes asked", bytes)
                    : map_file(file, bytes, p);
    if (e != PSB_OK && file >= 0)
        close(file);
    if (e == PSB_OK)
        snprintf(h->bytes, sizeof h->bytes, "/proc/%ld/fd/%d", (long)getpid(), file);
    return e;
}

static void unshare_memory(void *p, size_t bytes)
{
    munmap(p, bytes); /* the file is closed with the process */
}

static psb_err open_shared(const struct psb_shared_handle *h, size_t bytes, void **p)
{
    const int file = open(h->bytes, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return PSB_FAIL(PSB_EDEVICE, "%s cannot be opened", h->bytes);
    psb_err e = map_file(file, bytes, p);
    close(file);
    return e;
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

static psb_err put_rows(const struct psb_row_put *job)
{
    const unsigned e = ++job->counts->put, turn = e & 1;
    const char *from = job->from;
    int begin = 0;
    while (begin < job->n && job->peer[begin].first < job->begin)
        begin++;
    for (int k = 0; k < job->n && !job->failed && job->rows; k++) {
        const struct psb_peer *to = &job->peer[(begin + k) % job->n];
        for (psb_ipk i = to->first; i < to[1].first; i++)
            memcpy(to->landing[turn] + (size_t)(to->place + i - to->first) * job->row,
                   from + (size_t)(job->idx ? job->idx[i] : i) * job->row, job->row);
    }
    for (int k = 0; k < job->n; k++)
        atomic_store_explicit((_Atomic unsigned *)job->peer[k].flag[turn], PSB_FLAG(e, job->failed),
                              memory_order_release);
    return PSB_OK;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait until the flag is that of exchange e, and return 1; -1 if its sender failed, 0 after the time `end`.
 */
static int await_flag(const unsigned *flag, unsigned e, double end)
{
    for (;;) {
        const unsigned now = atomic_load_explicit((const _Atomic unsigned *)flag, memory_order_acquire);
        const unsigned ahead = ((now >> 1) - e) & (~0U >> 1);
        if (ahead == 0)
            return now & 1 ? -1 : 1;
        if (ahead < 1U << 30)
            return -1; /* its sender has not waited for this process */
        if (seconds_now() > end)
            return 0;
        sched_yield();
    }
}

static psb_err await_rows(const struct psb_arrival *job)
{
    const unsigned e = ++job->counts->received;
    const double end = seconds_now() + (job->counts->late ? 0 : job->seconds);
    for (int k = 0; k < job->n; k++) {
        const int came = await_flag(job->flag + (e & 1) * (unsigned)job->n + k, e, end);
        if (came > 0 || !job->status)
            continue;
        job->counts->late |= came == 0;
        if (came == 0 || *job->status == 0)
            *job->status = came < 0 ? k + 1 : -(k + 1);
    }
    return PSB_OK;
}

const struct psb_onesided psb_onesided_fake = {
    .name = "lsa",
    .identify = identify,
    .share = share_memory,
    .unshare = unshare_memory,
    .open = open_shared,
    .close = unshare_memory,
    .put = put_rows,
    .arrive = await_rows,
};
