/* messages.c -- base/channel: the transports mpi and staged: MPI carries the rows.
 *
 * Rows in memory of a device are sent from it and received in it (mpi), or copied to and from pinned memory
 * of the host (staged).  Rows in memory of the host are sent and received there by both, so that processes
 * with and without a device can be neighbours.
 *
 * Where processes have devices rows travel in pieces, so that one is copied from a device while the one
 * before is sent, and one is copied to a device while the next comes.  The number of messages between two
 * neighbours follows from the plan alone and is the same in both directions: a process that failed sends as
 * many, without rows.
 *
 * All exchanges on a context have one tag: messages between two processes are matched by their order, so
 * exchanges must be started in the same order on all processes, as MPI requires of non-blocking collectives.
 */
#include "transport.h"
#include "ctxt.h"
#include "pieces.h"
#include "psb_alloc.h"
#include "psb_testing.h"

_Static_assert(PSB_TAG_FIRST <= PSB_TAG_HALO && PSB_TAG_HALO < PSB_TAG_END, "the halo's tag is reserved");

/* Packed rows first .. first + rows - 1, none if rows is 0, which a neighbour sends or receives; they are
 * rows run .. run + rows - 1 of the vector, or run is -1. */
struct piece {
    int rank;
    psb_ipk first, rows, run;
};

/* The pieces that are received, or sent.  Pieces batch[b] .. batch[b+1]-1 are copied together. */
struct side {
    int n, filled, batches; /* pieces; those with rows; batches */
    struct piece *piece;
    int *batch;
    MPI_Request *request;
};

struct messages {
    struct psb_channel c;
    psb_ctxt *ctxt;
    psb_ipk most;           /* rows of a message */
    struct side recv, send; /* as many pieces each */
    MPI_Status *status;     /* of those received */
    MPI_Datatype type;      /* of a row of `row` bytes */
    size_t row;
    char *out, *in; /* rows in memory of the host, pinned if there is a device */
    void **packed;  /* events: batch b of the rows to send can be sent */
    void *uploaded; /* event: `in` has been copied to the device */
    /* The exchange that was started last: */
    struct side *from, *to;
    const struct psb_device *on; /* of the rows; NULL: host */
    const char *at;              /* packed rows to send */
    const char *rows;            /* the vector, where pieces with a run are sent from; NULL: all are packed */
    char *landing;               /* where the rows received shall lie */
    bool unsent;
    psb_err error; /* of sending */
};

/* --- pieces --------------------------------------------------------------------------------------------- */

static psb_ipk piece_rows = PSB_HALO_PIECE;

psb_ipk psb_halo_piece(psb_ipk rows)
{
    const psb_ipk was = piece_rows;
    piece_rows = rows;
    return was;
}

/* The rows for neighbour `rank` of s, from *first on; 0 if it is not one. */
static psb_ipk rows_for(const struct psb_neighbours *s, int rank, psb_ipk *first)
{
    const int k = psb_position(s, rank);
    *first = psb_neighbour_rows(s);
    if (k == s->n)
        return 0;
    *first = s->start[k];
    return s->start[k + 1] - s->start[k];
}

/* The number of messages to neighbour `rank`, and from it, in an exchange in either direction. */
static int messages_with(const struct psb_halo *h, int rank, psb_ipk most)
{
    psb_ipk first;
    const psb_ipk in = rows_for(&h->recv, rank, &first), out = rows_for(&h->send, rank, &first);
    const psb_ipk rows = in > out ? in : out;
    return rows / most + (rows % most != 0);
}

/* Cut the rows of `of` into pieces; the neighbours are listed in `rank`, those of `of` first. */
static psb_err cut_side(const struct messages *m, const struct psb_neighbours *of, const int *rank,
                        struct side *s)
{
    const struct psb_channel *c = &m->c;
    const psb_ipk most = m->most;
    size_t n = 0;
    psb_ipk in_batch = 0;
    for (int k = 0; k < c->n; k++)
        n += (size_t)messages_with(c->h, rank[k], most);
    PSB_TRY(psb_alloc(&s->piece, n, sizeof *s->piece, "halo pieces"));
    PSB_TRY(psb_alloc(&s->batch, n + 1, sizeof *s->batch, "halo pieces"));
    PSB_TRY(psb_alloc(&s->request, n, sizeof *s->request, "halo requests"));
    for (int k = 0; k < c->n; k++) {
        /* The pieces for this neighbour: those with rows, then empty ones. */
        const int pieces = messages_with(c->h, rank[k], most);
        psb_ipk first, left = rows_for(of, rank[k], &first);
        for (int i = 0; i < pieces; i++) {
            const psb_ipk rows = left < most ? left : most;
            if (in_batch == 0)
                s->batch[s->batches++] = s->n;
            s->piece[s->n++] = (struct piece){ rank[k], first, rows, -1 };
            s->filled += rows > 0;
            in_batch = rows < most - in_batch ? in_batch + rows : 0;
            first += rows;
            left -= rows;
        }
    }
    s->batch[s->batches] = s->n;
    return PSB_OK;
}

/* The rows of batch b. */
static psb_ipk batch_start(const struct side *s, int b)
{
    return s->piece[s->batch[b]].first;
}

static psb_ipk batch_rows(const struct side *s, int b)
{
    const struct piece *last = &s->piece[s->batch[b + 1] - 1];
    return last->first + last->rows - batch_start(s, b);
}

/* The batches of the side that has more: as many events are needed. */
static int most_batches(const struct messages *m)
{
    return m->send.batches > m->recv.batches ? m->send.batches : m->recv.batches;
}

/* --- opening -------------------------------------------------------------------------------------------- */

static const char *refusal_of_mpi(const struct psb_device *on)
{
    return !on ? NULL : on->mpi_obstacle ? on->mpi_obstacle() : "MPI cannot access the memory of the device";
}

static const char *refusal_of_staged(const struct psb_device *on)
{
    (void)on;
    return NULL;
}

/* Send a number to this process itself, in memory of the device. */
static psb_err send_to_itself(const struct psb_device *on)
{
    const int sent = 1234567;
    int got[2] = { sent, 0 };
    int *there;
    PSB_TRY(on->alloc((void **)&there, sizeof got, "halo buffer"));
    psb_err e = psb_put(on, there, got, sizeof got, "halo buffer");
    if (e == PSB_OK &&
        MPI_Sendrecv(there, 1, MPI_INT, 0, 0, there + 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE))
        e = PSB_FAIL(PSB_EMPI, "MPI_Sendrecv failed");
    PSB_THEN(e, psb_get(on, got, there, sizeof got, "halo buffer"));
    on->free(there);
    return e == PSB_OK && got[1] != sent ? PSB_FAIL(PSB_EMPI, "%d was sent and %d received", sent, got[1])
                                         : e;
}

/* Cut the rows sent and received into pieces. */
static psb_err cut_both(struct messages *m)
{
    const struct psb_channel *c = &m->c;
    const psb_ipk *idx;
    int *rank; /* the neighbours, first those that rows are sent to */
    PSB_TRY(psb_alloc(&rank, (size_t)c->n, sizeof *rank, "halo pieces"));
    (void)psb_ranks_of(&c->h->send, &c->h->recv, rank);
    psb_err e = cut_side(m, &c->h->send, rank, &m->send);
    psb_free(rank);
    PSB_TRY(e);
    PSB_TRY(cut_side(m, &c->h->recv, c->rank, &m->recv));
    if (m->send.n == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&c->h->idx, PSB_HOST, &idx));
    for (struct piece *p = m->send.piece; p < m->send.piece + m->send.n; p++) {
        psb_ipk i = 1;
        while (i < p->rows && idx[p->first + i] == idx[p->first + i - 1] + 1)
            i++;
        if (i == p->rows)
            p->run = idx[p->first];
    }
    return PSB_OK;
}

/* *p = memory of the host for the rows sent or received. */
static psb_err alloc_rows(const struct psb_channel *c, char **p)
{
    const size_t bytes = c->stride ? c->stride : 1;
    return c->on ? c->on->alloc_host((void **)p, bytes) : psb_alloc((void **)p, bytes, 1, "halo buffer");
}

static void free_rows(const struct psb_channel *c, char *p)
{
    if (p && c->on)
        c->on->free_host(p);
    else
        psb_free(p);
}

static psb_err alloc_messages(struct messages *m)
{
    struct psb_channel *c = &m->c;
    PSB_TRY(cut_both(m));
    PSB_TRY(psb_alloc(&m->status, (size_t)m->recv.n, sizeof *m->status, "halo requests"));
    PSB_TRY(psb_alloc_zero(&m->packed, (size_t)most_batches(m), sizeof *m->packed, "halo requests"));
    PSB_TRY(alloc_rows(c, &m->out));
    PSB_TRY(alloc_rows(c, &m->in));
    return c->on ? psb_private_take(c->on, c->stride ? 2 * c->stride : 1, &c->block) : PSB_OK;
}

static psb_err open_messages(struct psb_channel *c, const struct psb_opening *o, enum psb_obstacle *why)
{
    struct messages *m = (struct messages *)c;
    m->ctxt = o->ctxt;
    m->most = c->hosts ? INT32_MAX : piece_rows;
    m->type = MPI_DATATYPE_NULL;
    enum psb_obstacle here = alloc_messages(m) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    if (!here && c->on && c->by == &psb_transport_mpi && send_to_itself(c->on) != PSB_OK)
        here = PSB_TRIAL_FAILED;
    return psb_agree_on_obstacle(o->ctxt, here, why);
}

static void free_side(struct side *s)
{
    psb_free(s->piece);
    psb_free(s->batch);
    psb_free(s->request);
}

static void free_type(struct messages *m)
{
    if (m->type != MPI_DATATYPE_NULL && psb_mpi_runs()) /* else it is gone */
        MPI_Type_free(&m->type);
}

static void close_messages(struct psb_channel *c)
{
    struct messages *m = (struct messages *)c;
    if (!m->ctxt) /* not opened */
        return;
    for (int b = 0; b < most_batches(m) && m->packed && c->on; b++)
        c->on->unmark(m->packed[b]);
    if (c->on)
        c->on->unmark(m->uploaded);
    psb_free(m->packed);
    free_rows(c, m->out);
    free_rows(c, m->in);
    free_type(m);
    free_side(&m->recv);
    free_side(&m->send);
    psb_free(m->status);
}

/* --- what is sent --------------------------------------------------------------------------------------- */

/* Are rows copied between the device and the host? */
static bool is_staged(const struct messages *m)
{
    return m->on && m->c.by == &psb_transport_staged;
}

/* Copy the rows to send together, except pieces with a run, which are sent from where they lie. */
static psb_err pack_on_host(struct messages *m, const struct psb_outgoing_rows *out)
{
    const struct piece *p = m->to->piece, *const end = p + m->to->n;
    const psb_ipk *idx;
    PSB_TRY(psb_dual_read(&m->c.h->idx, PSB_HOST, &idx));
    while (p < end) {
        const psb_ipk first = p->first;
        psb_ipk rows = 0;
        for (; p < end && p->run < 0; p++)
            rows += p->rows;
        if (rows)
            PSB_TRY(
                out->gather(NULL, rows, idx + first, out->row, out->from, m->out + (size_t)first * out->row));
        while (p < end && p->run >= 0)
            p++;
    }
    m->rows = out->from;
    m->at = m->out;
    return PSB_OK;
}

static psb_err pack_on_device(struct messages *m, const struct psb_outgoing_rows *out)
{
    const struct psb_channel *c = &m->c;
    char *const packed = (char *)c->block->p + c->stride;
    const psb_ipk *idx;
    PSB_TRY(psb_dual_read(&c->h->idx, PSB_DEV, &idx));
    PSB_TRY(out->gather(c->on, psb_neighbour_rows(&c->h->send), idx, out->row, out->from, packed));
    m->at = packed;
    return PSB_OK;
}

/* Start to copy the rows to the host, unless MPI can access them, and note when each batch can be sent. */
static psb_err download_rows(struct messages *m, size_t row)
{
    const struct psb_device *on = m->c.on;
    for (int b = 0; b < m->to->batches; b++) {
        const size_t first = (size_t)batch_start(m->to, b) * row, bytes = (size_t)batch_rows(m->to, b) * row;
        if (is_staged(m) && bytes)
            PSB_TRY(psb_get_async(on, m->out + first, m->at + first, bytes, "halo sent"));
        PSB_TRY(on->mark(&m->packed[b]));
    }
    if (is_staged(m))
        m->at = m->out;
    return PSB_OK;
}

/* The address of row i of `rows`, which is NULL where there are no rows. */
static char *row_at(const struct messages *m, const char *rows, psb_ipk i)
{
    return rows ? (char *)rows + (size_t)i * m->row : NULL;
}

/* Choose where the rows shall lie, wait until memory of the host can be used again, and pack what is sent. */
static psb_err prepare_messages(struct messages *m, const struct psb_outgoing_rows *out)
{
    struct psb_channel *c = &m->c;
    if (m->type == MPI_DATATYPE_NULL || m->row != out->row) {
        free_type(m);
        m->row = out->row;
        PSB_TRY(psb_row_type((int)out->row, MPI_BYTE, &m->type));
    }
    m->landing = out->into ? out->into : out->on ? c->block->p : m->in;
    c->landed = out->into ? NULL : m->landing;
    if (c->on)
        PSB_TRY(c->on->wait(m->uploaded));
    m->at = out->row ? out->from : "";
    m->rows = NULL;
    if (m->to->n == 0 || out->row == 0)
        return PSB_OK;
    if (!out->back && !out->packed)
        PSB_TRY((out->on ? pack_on_device : pack_on_host)(m, out));
    return out->on ? download_rows(m, out->row) : PSB_OK;
}

static psb_err post_receives(struct messages *m)
{
    char *const in = is_staged(m) ? m->in : m->landing;
    for (int i = 0; i < m->from->n; i++) {
        const struct piece *p = &m->from->piece[i];
        PSB_MPI(MPI_Irecv(row_at(m, in, p->first), p->rows, m->type, p->rank, PSB_TAG_HALO, m->ctxt->comm,
                          &m->from->request[i]));
    }
    return PSB_OK;
}

/* Send piece i, or, after an error, an empty message in its place. */
static psb_err send_piece(struct messages *m, int i, psb_err err)
{
    const struct piece *p = &m->to->piece[i];
    const char *at = m->rows && p->run >= 0 ? row_at(m, m->rows, p->run) : row_at(m, m->at, p->first);
    PSB_MPI(MPI_Isend(at, err == PSB_OK ? p->rows : 0, m->type, p->rank, PSB_TAG_HALO, m->ctxt->comm,
                      &m->to->request[i]));
    return PSB_OK;
}

/* Send all pieces, each batch when it can be sent. */
static void send_rows(struct psb_channel *c)
{
    struct messages *m = (struct messages *)c;
    const struct psb_neighbours *to = m->to == &m->send ? &c->h->send : &c->h->recv;
    psb_err e = PSB_OK;
    if (!m->unsent)
        return;
    for (int b = 0; b < m->to->batches; b++) {
        if (m->on && e == PSB_OK)
            e = m->on->wait(m->packed[b]);
        for (int i = m->to->batch[b]; i < m->to->batch[b + 1]; i++) {
            const psb_err f = send_piece(m, i, e);
            e = e == PSB_OK ? f : e;
        }
    }
    if (m->row)
        psb_count(m->ctxt, (size_t)m->to->filled, (size_t)psb_neighbour_rows(to) * m->row);
    m->unsent = false;
    m->error = e;
}

/* --- processes that failed ------------------------------------------------------------------------------ */

static void send_nothing(psb_ctxt *ctxt, int rank)
{
    MPI_Request sent;
    MPI_Isend(NULL, 0, MPI_BYTE, rank, PSB_TAG_HALO, ctxt->comm, &sent);
    MPI_Request_free(&sent);
}

/* Receive and drop a message, all of it: Open MPI 4 writes beyond the end of a buffer that is too short. Only
 * a message of more than PSB_PIECE bytes needs memory; without it the sender would wait for ever, so abort.
 */
static void drop_message(psb_ctxt *ctxt, int rank)
{
    enum { UNIT = 1 << 12 }; /* MPI counts in int */
    MPI_Message msg;
    MPI_Status status;
    MPI_Datatype unit;
    MPI_Count bytes;
    void *p = NULL;
    MPI_Mprobe(rank, PSB_TAG_HALO, ctxt->comm, &msg, &status);
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

/* Do `what`, once for each message of an exchange, with each neighbour. */
static void with_neighbours(psb_ctxt *ctxt, const struct psb_halo *h, psb_ipk most,
                            void (*what)(psb_ctxt *ctxt, int rank))
{
    for (int k = 0; k < h->recv.n; k++)
        for (int i = messages_with(h, h->recv.rank[k], most); i > 0; i--)
            what(ctxt, h->recv.rank[k]);
    for (int k = 0; k < h->send.n; k++)
        if (psb_position(&h->recv, h->send.rank[k]) == h->recv.n)
            for (int i = messages_with(h, h->send.rank[k], most); i > 0; i--)
                what(ctxt, h->send.rank[k]);
}

void psb_messages_refuse(psb_ctxt *ctxt, const struct psb_halo *h)
{
    with_neighbours(ctxt, h, INT32_MAX, send_nothing);
    with_neighbours(ctxt, h, INT32_MAX, drop_message);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

/* Rows in memory of the host are sent at once. */
static psb_err put_messages(struct psb_channel *c, const struct psb_outgoing_rows *out, bool failed)
{
    struct messages *m = (struct messages *)c;
    m->from = out->back ? &m->send : &m->recv;
    m->to = out->back ? &m->recv : &m->send;
    m->on = out->on;
    m->error = PSB_OK;
    if (failed) {
        with_neighbours(m->ctxt, c->h, m->most, send_nothing);
        return PSB_OK;
    }
    PSB_TRY(prepare_messages(m, out));
    psb_err e = post_receives(m);
    c->broken |= e != PSB_OK;
    PSB_TRY(e);
    m->unsent = true;
    if (!m->on)
        send_rows(c);
    return PSB_OK;
}

/* If piece i came without its rows, set *status to tell which neighbour failed. */
static void check_piece(const struct messages *m, int i, int *status)
{
    const struct piece *p = &m->from->piece[i];
    MPI_Count bytes;
    int k = 0;
    MPI_Get_elements_x(&m->status[i], MPI_BYTE, &bytes);
    if ((size_t)bytes == (size_t)p->rows * m->row || *status)
        return;
    while (m->c.rank[k] != p->rank)
        k++;
    *status = k + 1;
}

/* Wait for batch b, and copy it to the device. */
static psb_err receive_batch(struct messages *m, int b, int *status)
{
    const int first = m->from->batch[b], end = m->from->batch[b + 1];
    const size_t at = (size_t)batch_start(m->from, b) * m->row;
    const size_t bytes = (size_t)batch_rows(m->from, b) * m->row;
    PSB_MPI(MPI_Waitall(end - first, m->from->request + first, m->status + first));
    for (int i = first; i < end; i++)
        check_piece(m, i, status);
    if (!is_staged(m) || !bytes || *status)
        return PSB_OK;
    return psb_put_async(m->c.on, m->landing + at, m->in + at, bytes, "halo received");
}

/* status NULL: this process failed, and drops what it receives. */
static psb_err arrive_messages(struct psb_channel *c, int *status)
{
    struct messages *m = (struct messages *)c;
    if (!status) {
        with_neighbours(m->ctxt, c->h, m->most, drop_message);
        return PSB_OK;
    }
    send_rows(c);
    psb_err e = m->error;
    for (int b = 0; b < m->from->batches; b++) {
        const psb_err f = receive_batch(m, b, status);
        e = e == PSB_OK ? f : e;
    }
    PSB_MPI(MPI_Waitall(m->to->n, m->to->request, MPI_STATUSES_IGNORE));
    if (e == PSB_OK && is_staged(m))
        e = c->on->mark(&m->uploaded);
    return PSB_PASS(e);
}

const struct psb_transport psb_transport_mpi = {
    .name = "mpi",
    .by_mpi = true,
    .size = sizeof(struct messages),
    .refusal = refusal_of_mpi,
    .open = open_messages,
    .close = close_messages,
    .put = put_messages,
    .send = send_rows,
    .arrive = arrive_messages,
};

const struct psb_transport psb_transport_staged = {
    .name = "staged",
    .by_mpi = true,
    .size = sizeof(struct messages),
    .refusal = refusal_of_staged,
    .open = open_messages,
    .close = close_messages,
    .put = put_messages,
    .send = send_rows,
    .arrive = arrive_messages,
};
