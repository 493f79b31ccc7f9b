/* twosided_fake.c -- cuda/device: messages of the fake device, by MPI: the reference for a GPU's.
 * Of less than 2^31 bytes each. */
#include "gpu.h"
#include "psb_base.h"
#include "psb_twosided.h"
#include <stdint.h>

static const char *fake_obstacle(void)
{
    return NULL;
}

/* For all exchanges, two a process, so that none of them fails for lack of memory while others wait. */
static MPI_Request *requests;
static int most; /* processes */

/* A group is the handle of its communicator. */
static psb_err fake_join(MPI_Comm comm, double seconds, void **group)
{
    int np;
    (void)seconds;
    MPI_Comm_size(comm, &np);
    if (np > most) {
        MPI_Request *more;
        PSB_TRY(psb_alloc(&more, 2 * (size_t)np, sizeof *more, "messages"));
        psb_free(requests);
        requests = more;
        most = np;
    }
    *group = (void *)(intptr_t)MPI_Comm_c2f(comm);
    return PSB_OK;
}

static void post_messages(MPI_Comm comm, const struct psb_device_message *m, MPI_Request *q)
{
    q[0] = q[1] = MPI_REQUEST_NULL;
    if (m->in_bytes)
        MPI_Irecv(m->in, (int)m->in_bytes, MPI_BYTE, m->rank, PSB_TAG_HALO, comm, &q[0]);
    if (m->out_bytes)
        MPI_Isend(m->out, (int)m->out_bytes, MPI_BYTE, m->rank, PSB_TAG_HALO, comm, &q[1]);
}

/* Give up the requests that are still open: receives are cancelled, unless their messages have come.  (A
 * message that comes later is received by the next exchange; on a GPU it ends with the group.) */
static void give_up(int n)
{
    for (int k = 0; k < 2 * n; k++) {
        if (requests[k] == MPI_REQUEST_NULL)
            continue;
        if (k % 2 == 1) {
            MPI_Request_free(&requests[k]);
            continue;
        }
        MPI_Cancel(&requests[k]);
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

static psb_err fake_exchange(void *group, const struct psb_device_message *m, int n, double seconds)
{
    const MPI_Comm comm = MPI_Comm_f2c((MPI_Fint)(intptr_t)group);
    const double end_at = MPI_Wtime() + seconds;
    int done = 0;
    for (int k = 0; k < n; k++)
        post_messages(comm, &m[k], requests + 2 * k);
    while (!done && MPI_Wtime() <= end_at)
        MPI_Testall(2 * n, requests, &done, MPI_STATUSES_IGNORE);
    if (done)
        return PSB_OK;
    give_up(n);
    return PSB_FAIL(PSB_EMPI, "messages between devices did not come within %g seconds", seconds);
}

static psb_err fake_check_open(const void *group)
{
    (void)group;
    return PSB_OK;
}

static psb_err fake_complete(void *group)
{
    (void)group;
    return PSB_OK;
}

const struct psb_twosided psb_twosided_fake = {
    .name = "fake",
    .obstacle = fake_obstacle,
    .join = fake_join,
    .check_open = fake_check_open,
    .exchange = fake_exchange,
    .complete = fake_complete,
};
