/* comm.c -- room: base/vect.  The messages of a halo exchange: one a neighbour, straight from and to where
 * the elements lie. */
#include "comm.h"
#include "channel.h"
#include "ctxt.h"
#include "pieces.h"
#include "psb_alloc.h"
#include "reduce.h"
#include <string.h>

_Static_assert(PSB_TAG_FIRST <= PSB_TAG_HALO && PSB_TAG_HALO < PSB_TAG_END, "the halo's tag is reserved");

/* --- buffers ------------------------------------------------------------------------------------------ */

psb_err psb_row_type(int k, MPI_Datatype t, MPI_Datatype *row)
{
    PSB_MPI(MPI_Type_contiguous(k, t, row));
    PSB_MPI(MPI_Type_commit(row));
    return PSB_OK;
}

static size_t rows(const struct psb_halo *h)
{
    psb_ipk s = h->send.start[h->send.n], r = h->recv.start[h->recv.n];
    return (size_t)(s > r ? s : r);
}

static psb_err room(void **p, size_t bytes, const struct psb_device *on)
{
    return on ? on->alloc_host(p, bytes) : psb_alloc(p, bytes, 1, "halo buffer");
}

/* The number of requests of one kind. */
static int count(const struct psb_halo *h)
{
    return h->send.n + h->recv.n;
}

/* Find the neighbours to which consecutive rows are sent, which need no packing. */
static psb_err find_runs(struct psb_comm *c, struct psb_halo *h)
{
    const psb_ipk *idx;
    PSB_TRY(psb_dual_read(&h->idx, PSB_HOST, &idx));
    PSB_TRY(psb_alloc(&c->run, (size_t)h->send.n, sizeof *c->run, "halo runs"));
    for (int k = 0; k < h->send.n; k++) {
        psb_ipk a = h->send.start[k], i = a + 1;
        while (i < h->send.start[k + 1] && idx[i] == idx[i - 1] + 1)
            i++;
        c->run[k] = i == h->send.start[k + 1] ? idx[a] : -1;
    }
    return PSB_OK;
}

static psb_err fill_in(struct psb_comm *c, struct psb_halo *h, size_t size, MPI_Datatype t)
{
    size_t bytes = rows(h) * (size_t)c->k * size, n = (size_t)count(h);
    PSB_TRY(psb_row_type(c->k, t, &c->row));
    PSB_TRY(find_runs(c, h));
    PSB_TRY(psb_alloc(&c->requests, n * PSB_KINDS, sizeof(MPI_Request), "halo requests"));
    for (size_t i = 0; i < n * PSB_KINDS; i++)
        c->requests[i] = MPI_REQUEST_NULL;
    PSB_TRY(psb_alloc(&c->status, n, sizeof(MPI_Status), "halo requests"));
    PSB_TRY(room(&c->out, bytes, c->on));
    PSB_TRY(room(&c->in, bytes, c->on));
    return c->on ? c->on->alloc(&c->dev, bytes, "halo buffer") : PSB_OK;
}

psb_err psb_comm_new(struct psb_comm **c, struct psb_halo *h, int k, size_t size, MPI_Datatype t,
                     const struct psb_device *on)
{
    struct psb_comm *new;
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "halo buffers"));
    new->on = on;
    new->direct = on && on->mpi_obstacle && h->direct;
    new->k = k;
    new->n = count(h);
    new->row = MPI_DATATYPE_NULL;
    psb_err e = fill_in(new, h, size, t);
    if (e != PSB_OK) {
        psb_comm_free(new);
        return PSB_PASS(e);
    }
    *c = new;
    return PSB_OK;
}

static void release(void *p, const struct psb_device *on)
{
    if (on && p)
        on->free_host(p);
    else
        psb_free(p);
}

/* Wait for messages in flight before their buffers are freed. */
static void finish_in_flight(struct psb_comm *c)
{
    if (c->flight == PSB_IDLE)
        return;
    (void)PSB_FAIL(PSB_ESTATE, "a vector is freed while its halo is exchanged; expected psb_halo_end before");
    if (c->flight == PSB_POSTED)
        MPI_Waitall(c->n, c->requests + c->kind * c->n, c->status);
}

static void forget(struct psb_comm *c, int kind)
{
    for (int i = 0; i < c->n; i++)
        if (c->requests[kind * c->n + i] != MPI_REQUEST_NULL)
            MPI_Request_free(&c->requests[kind * c->n + i]);
    c->at[kind][0] = c->at[kind][1] = NULL;
}

void psb_comm_free(struct psb_comm *c)
{
    if (!c)
        return;
    const int runs = psb_mpi_runs(); /* else its requests and types are gone */
    if (runs)
        finish_in_flight(c);
    for (int kind = 0; kind < PSB_KINDS && c->requests && runs; kind++)
        forget(c, kind);
    if (c->on) {
        if (c->landed)
            (void)!c->on->wait(c->landed); /* `in` may still be in use */
        c->on->unmark(c->packed);
        c->on->unmark(c->landed);
        if (c->dev)
            c->on->free(c->dev);
    }
    release(c->out, c->on);
    release(c->in, c->on);
    psb_free(c->run);
    psb_free(c->requests);
    psb_free(c->status);
    if (c->row != MPI_DATATYPE_NULL && runs)
        MPI_Type_free(&c->row);
    psb_free(c);
}

/* --- the choice of direct messages -------------------------------------------------------------------- */

/* Send a number to this process itself, in memory of the device. */
static psb_err try_direct(const struct psb_device *on)
{
    const int sent = 1234567;
    int got[2] = { sent, 0 };
    int *there;
    PSB_TRY(on->alloc((void **)&there, sizeof got, "halo buffer"));
    psb_err e = psb_put(on, there, got, sizeof got, "halo buffer");
    if (e == PSB_OK &&
        MPI_Sendrecv(there, 1, MPI_INT, 0, 0, there + 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE))
        e = PSB_FAIL(PSB_EMPI, "MPI_Sendrecv failed");
    if (e == PSB_OK)
        e = psb_get(on, got, there, sizeof got, "halo buffer");
    on->free(there);
    return e == PSB_OK && got[1] != sent ? PSB_FAIL(PSB_EMPI, "%d was sent and %d received", sent, got[1])
                                         : e;
}

/* *why = why MPI cannot access the memory of the device, or NULL.  PSB_ENOMEM. */
static psb_err find_obstacle(const struct psb_device *on, const char **why)
{
    *why = !on ? NULL : on->mpi_obstacle ? on->mpi_obstacle() : "MPI cannot access the memory of the device";
    if (!on || *why)
        return PSB_OK;
    psb_err e = try_direct(on);
    if (e == PSB_OK || e == PSB_ENOMEM)
        return e;
    *why = "a trial message failed";
    return PSB_OK;
}

psb_err psb_comm_choose(psb_ctxt *ctxt, struct psb_halo *h, const struct psb_device *on)
{
    enum psb_halo_wish wish;
    PSB_TRY(psb_halo_wish(&wish));
    const int wanted = wish == PSB_WISH_AUTO || wish == PSB_WISH_MPI;
    const char *why = NULL;
    psb_err e = wanted ? find_obstacle(on, &why) : PSB_OK;
    double blocked = why != NULL;
    PSB_TRY(psb_reduce(ctxt, PSB_JOIN_MAX, &blocked, 1, e));
    if (blocked != 0 && !why)
        why = "a process cannot use it";
    PSB_CHECK(wish != PSB_WISH_MPI || !why, PSB_EDEVICE, "PSB_HALO is mpi, which cannot be used: %s", why);
    if (why && strstr(h->why, "not "))
        psb_halo_reason(h, "mpi", why);
    h->direct = wanted && !why;
    h->transport = h->direct ? "mpi" : "staged";
    return PSB_OK;
}

/* --- messages ----------------------------------------------------------------------------------------- */

/* The address from which the rows for neighbour k of `to` are sent. */
static char *source(const struct psb_comm *c, const struct psb_transfer *r, int k, MPI_Aint size)
{
    return r->rows && c->run[k] >= 0 ? r->rows + c->run[k] * size : r->out + r->to->start[k] * size;
}

static psb_err make_requests(struct psb_comm *c, MPI_Comm comm, const struct psb_transfer *r)
{
    MPI_Aint low, size;
    MPI_Request *req = c->requests + r->kind * c->n;
    const struct psb_neighbours *from = r->from, *to = r->to;
    MPI_Type_get_extent(c->row, &low, &size);
    forget(c, r->kind);
    for (int k = 0; k < from->n; k++)
        PSB_MPI(MPI_Recv_init(r->in + from->start[k] * size, from->start[k + 1] - from->start[k], c->row,
                              from->rank[k], PSB_TAG_HALO, comm, req++));
    for (int k = 0; k < to->n; k++)
        PSB_MPI(MPI_Send_init(source(c, r, k, size), to->start[k + 1] - to->start[k], c->row, to->rank[k],
                              PSB_TAG_HALO, comm, req++));
    c->at[r->kind][0] = r->in;
    c->at[r->kind][1] = r->out;
    return PSB_OK;
}

static void count_sent(const struct psb_comm *c, psb_ctxt *ctxt, const struct psb_neighbours *to)
{
    MPI_Aint low, row;
    MPI_Type_get_extent(c->row, &low, &row);
    psb_count(ctxt, (size_t)to->n, to->n ? (size_t)to->start[to->n] * (size_t)row : 0);
}

psb_err psb_comm_begin(struct psb_comm *c, const psb_desc *d, const struct psb_transfer *r)
{
    if (c->at[r->kind][0] != r->in || c->at[r->kind][1] != r->out)
        PSB_TRY(make_requests(c, psb_comm_of(psb_cd_ctxt(d)), r));
    PSB_MPI(MPI_Startall(c->n, c->requests + r->kind * c->n));
    count_sent(c, psb_cd_ctxt(d), r->to);
    c->flight = PSB_POSTED;
    c->kind = r->kind;
    return PSB_OK;
}

/* Receive and drop a message, all of it: Open MPI 4 writes beyond the end of a buffer that is too short. Only
 * a message of more than PSB_PIECE bytes needs memory; without it the sender would wait for ever, so abort.
 */
static void drop(int rank, psb_ctxt *ctxt)
{
    enum { UNIT = 1 << 12 }; /* MPI counts in int */
    MPI_Message msg;
    MPI_Status status;
    MPI_Datatype unit;
    MPI_Count bytes;
    void *p = NULL;
    MPI_Mprobe(rank, PSB_TAG_HALO, psb_comm_of(ctxt), &msg, &status);
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    size_t n = ((size_t)bytes + UNIT - 1) / UNIT;
    if (n * UNIT > PSB_PIECE && psb_alloc(&p, n, UNIT, "message dropped") != PSB_OK)
        psb_abort(ctxt, "not enough memory to receive a message, whose sender would wait forever");
    MPI_Type_contiguous(UNIT, MPI_BYTE, &unit);
    MPI_Type_commit(&unit);
    MPI_Mrecv(p ? p : psb_nowhere(), (int)n, unit, &msg, MPI_STATUS_IGNORE);
    MPI_Type_free(&unit);
    psb_free(p);
}

void psb_comm_refuse(const psb_desc *d, const struct psb_neighbours *from, const struct psb_neighbours *to)
{
    MPI_Comm comm = psb_comm_of(psb_cd_ctxt(d));
    for (int k = 0; k < to->n; k++) {
        MPI_Request sent;
        MPI_Isend(NULL, 0, MPI_BYTE, to->rank[k], PSB_TAG_HALO, comm, &sent);
        MPI_Request_free(&sent);
    }
    for (int k = 0; k < from->n; k++)
        drop(from->rank[k], psb_cd_ctxt(d));
}

psb_err psb_comm_finish(struct psb_comm *c, const struct psb_neighbours *from)
{
    c->flight = PSB_IDLE;
    PSB_MPI(MPI_Waitall(c->n, c->requests + c->kind * c->n, c->status));
    for (int k = 0; k < from->n; k++) {
        int got, due = from->start[k + 1] - from->start[k];
        MPI_Get_count(&c->status[k], c->row, &got);
        PSB_CHECK(got == due, PSB_EMPI, "process %d sent %d of %d halo rows: it failed", from->rank[k], got,
                  due);
    }
    return PSB_OK;
}
