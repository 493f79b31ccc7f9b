/* handshake.c -- base/channel: neighbours agree on an exchange before they send rows that cannot be
 * refused. */
#include "handshake.h"
#include "psb_alloc.h"
#include "ctxt.h"

/* An announcement says what a process is about to send, 0 if it failed; then a confirmation says 1 if the
 * same has been received from the neighbour, 0 if the process no longer waits for it. */
enum kind { ANNOUNCEMENT, CONFIRMATION, KINDS };

struct message {
    unsigned long long exchange, kind, what;
};

struct neighbour {
    int rank, open;     /* open: a message of it is awaited */
    double until;       /* when it is late */
    enum kind expected; /* the kind of message that is awaited */
    struct message received, sent[KINDS];
    MPI_Request receive, send[KINDS];
};

struct psb_handshake {
    MPI_Comm comm;
    int tag, n;
    unsigned long long exchange, what;
    struct neighbour *neighbour;
};

psb_err psb_handshake_new(MPI_Comm comm, int tag, unsigned long long first, int n, const int *rank,
                          struct psb_handshake **h)
{
    PSB_TRY(psb_alloc_zero(h, 1, sizeof **h, "halo channel"));
    **h = (struct psb_handshake){ .comm = comm, .tag = tag, .n = n, .exchange = first };
    psb_err e = psb_alloc_zero(&(*h)->neighbour, (size_t)n, sizeof *(*h)->neighbour, "halo channel");
    if (e != PSB_OK) {
        psb_free(*h);
        *h = NULL;
        return PSB_PASS(e);
    }
    for (int j = 0; j < n; j++) {
        struct neighbour *k = &(*h)->neighbour[j];
        k->rank = rank[j];
        k->receive = k->send[ANNOUNCEMENT] = k->send[CONFIRMATION] = MPI_REQUEST_NULL;
    }
    return PSB_OK;
}

/* Messages are so short that MPI has sent them when MPI_Isend returns. */
static void free_request(MPI_Request *q)
{
    if (*q != MPI_REQUEST_NULL)
        MPI_Request_free(q);
}

void psb_handshake_free(struct psb_handshake *h)
{
    if (!h)
        return;
    for (int j = 0; j < h->n && psb_mpi_runs(); j++)
        for (int kind = 0; kind < KINDS; kind++)
            free_request(&h->neighbour[j].send[kind]);
    psb_free(h->neighbour);
    psb_free(h);
}

static psb_err send_message(struct psb_handshake *h, struct neighbour *k, enum kind kind,
                            unsigned long long what)
{
    k->sent[kind] = (struct message){ h->exchange, kind, what };
    free_request(&k->send[kind]);
    PSB_MPI(MPI_Isend(&k->sent[kind], 3, MPI_UNSIGNED_LONG_LONG, k->rank, h->tag, h->comm, &k->send[kind]));
    return PSB_OK;
}

static psb_err post_receive(const struct psb_handshake *h, struct neighbour *k)
{
    PSB_MPI(MPI_Irecv(&k->received, 3, MPI_UNSIGNED_LONG_LONG, k->rank, h->tag, h->comm, &k->receive));
    return PSB_OK;
}

/* A message of k has been received. */
static psb_err handle(struct psb_handshake *h, struct neighbour *k, double seconds, enum psb_outcome *outcome)
{
    const struct message *m = &k->received;
    if (m->exchange < h->exchange) /* that exchange is over */
        return post_receive(h, k);
    if (m->exchange == h->exchange && m->kind == ANNOUNCEMENT && m->what == h->what) {
        k->until = MPI_Wtime() + seconds;
        k->expected = CONFIRMATION;
        PSB_TRY(send_message(h, k, CONFIRMATION, 1));
        return post_receive(h, k);
    }
    k->open = 0;
    *outcome = m->exchange != h->exchange || m->kind != CONFIRMATION ? PSB_FAILED
               : m->what                                             ? PSB_AGREED
                                                                     : PSB_LATE;
    return PSB_OK;
}

/* No longer wait for k, unless a message has come meanwhile. */
static psb_err give_up(struct psb_handshake *h, struct neighbour *k, double seconds,
                       enum psb_outcome *outcome)
{
    MPI_Status status;
    int cancelled;
    PSB_MPI(MPI_Cancel(&k->receive));
    PSB_MPI(MPI_Wait(&k->receive, &status));
    PSB_MPI(MPI_Test_cancelled(&status, &cancelled));
    if (!cancelled)
        return handle(h, k, seconds, outcome);
    k->open = 0;
    *outcome = PSB_LATE;
    return k->expected == ANNOUNCEMENT ? send_message(h, k, CONFIRMATION, 0) : PSB_OK;
}

static psb_err progress(struct psb_handshake *h, struct neighbour *k, double seconds,
                        enum psb_outcome *outcome)
{
    int done;
    PSB_MPI(MPI_Test(&k->receive, &done, MPI_STATUS_IGNORE));
    if (done)
        return handle(h, k, seconds, outcome);
    return MPI_Wtime() < k->until ? PSB_OK : give_up(h, k, seconds, outcome);
}

psb_err psb_handshake(struct psb_handshake *h, unsigned long long what, double seconds,
                      enum psb_outcome *outcome)
{
    h->exchange++;
    h->what = what;
    for (int j = 0; j < h->n; j++) {
        struct neighbour *k = &h->neighbour[j];
        k->open = 1;
        k->expected = ANNOUNCEMENT;
        k->until = MPI_Wtime() + seconds;
        PSB_TRY(post_receive(h, k));
        PSB_TRY(send_message(h, k, ANNOUNCEMENT, h->what));
    }
    for (int open = 1; open;) {
        open = 0;
        for (int j = 0; j < h->n; j++) {
            struct neighbour *k = &h->neighbour[j];
            if (k->open)
                PSB_TRY(progress(h, k, seconds, &outcome[j]));
            open |= k->open;
        }
    }
    return PSB_OK;
}

psb_err psb_handshake_refuse(struct psb_handshake *h)
{
    h->exchange++;
    for (int j = 0; j < h->n; j++)
        PSB_TRY(send_message(h, &h->neighbour[j], ANNOUNCEMENT, 0));
    return PSB_OK;
}
