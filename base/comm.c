/* comm.c -- room: base.  The messages of a halo exchange: one a neighbour, straight from and to where the
 * elements lie. */
#include "comm.h"
#include "psb_alloc.h"

enum { TAG_HALO = 120 };

static size_t elements(const struct psb_halo *h)
{
    psb_ipk s = h->send.start[h->send.n], r = h->recv.start[h->recv.n];
    return (size_t)(s > r ? s : r);
}

static psb_err room(void **p, size_t bytes, const struct psb_device *on)
{
    return on ? on->alloc_host(p, bytes) : psb_alloc(p, bytes, 1, "halo buffer");
}

static psb_err fill_in(struct psb_comm *c, const struct psb_halo *h, size_t size)
{
    size_t bytes = elements(h) * size, n = (size_t)(h->send.n + h->recv.n);
    PSB_TRY(psb_alloc(&c->requests, n, sizeof(MPI_Request), "halo requests"));
    PSB_TRY(psb_alloc(&c->status, n, sizeof(MPI_Status), "halo requests"));
    PSB_TRY(room(&c->out, bytes, c->on));
    PSB_TRY(room(&c->in, bytes, c->on));
    return c->on ? c->on->alloc(&c->dev, bytes) : PSB_OK;
}

psb_err psb_comm_new(struct psb_comm **c, const struct psb_halo *h, size_t size, const struct psb_device *on)
{
    struct psb_comm *new;
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "halo buffers"));
    new->on = on;
    psb_err e = fill_in(new, h, size);
    if (e != PSB_OK) {
        psb_comm_free(new);
        return e;
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

void psb_comm_free(struct psb_comm *c)
{
    if (!c)
        return;
    if (c->on) {
        (void)!c->on->wait(c->landed); /* `in` may still be on its way */
        c->on->unmark(c->packed);
        c->on->unmark(c->landed);
        if (c->dev)
            c->on->free(c->dev);
    }
    release(c->out, c->on);
    release(c->in, c->on);
    psb_free(c->requests);
    psb_free(c->status);
    psb_free(c);
}

static size_t size_of(MPI_Datatype t)
{
    int size;
    MPI_Type_size(t, &size);
    return (size_t)size;
}

psb_err psb_comm_begin(struct psb_comm *c, const psb_desc *d, const struct psb_side_plan *from, void *in,
                       const struct psb_side_plan *to, const void *out, MPI_Datatype t)
{
    MPI_Comm comm = psb_comm_of(psb_cd_ctxt(d));
    MPI_Request *req = c->requests;
    size_t size = size_of(t);
    for (int k = 0; k < from->n; k++)
        PSB_MPI(MPI_Irecv((char *)in + (size_t)from->start[k] * size, from->start[k + 1] - from->start[k], t,
                          from->rank[k], TAG_HALO, comm, req++));
    for (int k = 0; k < to->n; k++)
        PSB_MPI(MPI_Isend((const char *)out + (size_t)to->start[k] * size, to->start[k + 1] - to->start[k], t,
                          to->rank[k], TAG_HALO, comm, req++));
    return PSB_OK;
}

/* Receive a message for nobody; without memory for it MPI cuts it short, which is as good. */
static void drop(int rank, MPI_Comm comm, MPI_Datatype t)
{
    MPI_Message msg;
    MPI_Status status;
    void *p = NULL;
    int n;
    MPI_Mprobe(rank, TAG_HALO, comm, &msg, &status);
    MPI_Get_count(&status, t, &n);
    psb_err e = psb_alloc(&p, (size_t)n, size_of(t), "message dropped");
    MPI_Mrecv(p, e == PSB_OK ? n : 0, t, &msg, MPI_STATUS_IGNORE);
    psb_free(p);
}

void psb_comm_refuse(const psb_desc *d, const struct psb_side_plan *from, const struct psb_side_plan *to,
                     MPI_Datatype t)
{
    MPI_Comm comm = psb_comm_of(psb_cd_ctxt(d));
    for (int k = 0; k < to->n; k++) {
        MPI_Request sent;
        MPI_Isend(NULL, 0, t, to->rank[k], TAG_HALO, comm, &sent);
        MPI_Request_free(&sent);
    }
    for (int k = 0; k < from->n; k++)
        drop(from->rank[k], comm, t);
}

psb_err psb_comm_finish(struct psb_comm *c, const struct psb_side_plan *from, const struct psb_side_plan *to,
                        MPI_Datatype t)
{
    const MPI_Status *status = c->status;
    PSB_MPI(MPI_Waitall(from->n + to->n, c->requests, c->status));
    for (int k = 0; k < from->n; k++) {
        int got, due = from->start[k + 1] - from->start[k];
        MPI_Get_count(&status[k], t, &got);
        PSB_CHECK(got == due, PSB_EMPI, "process %d sent %d of %d halo elements: it failed", from->rank[k],
                  got, due);
    }
    return PSB_OK;
}
