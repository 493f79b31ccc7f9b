/* exchange.c -- base/par: sparse exchange: receivers do not know their senders. */
#include "coll.h"
#include "ctxt.h"
#include "pieces.h"
#include "psb_alloc.h"
#include <stdlib.h>

/* Messages received so far.  A message is sent in pieces; a piece of full length is followed by another one,
 * which may be empty. */
struct inbox {
    struct psb_msg *m; /* rank is ~rank while pieces are missing */
    int n, cap, open;  /* open: incomplete messages */
    psb_err err;       /* of a message for which there was no memory */
};

/* Store in *m the message that a piece from `rank` belongs to, an incomplete one or a new one. */
static psb_err slot_for(struct inbox *in, int rank, struct psb_msg **m)
{
    for (int i = in->n - 1; i >= 0 && in->open > 0; i--)
        if (in->m[i].rank == ~rank) {
            *m = &in->m[i];
            return PSB_OK;
        }
    if (in->n == in->cap) {
        PSB_TRY(psb_resize(&in->m, (size_t)in->cap * 2 + 8, sizeof *in->m, "messages received"));
        in->cap = in->cap * 2 + 8;
    }
    *m = &in->m[in->n++];
    **m = (struct psb_msg){ .rank = ~rank };
    in->open++;
    return PSB_OK;
}

static psb_err space_for(struct inbox *in, int rank, size_t bytes, void **where)
{
    struct psb_msg *m;
    PSB_TRY(slot_for(in, rank, &m));
    PSB_TRY(psb_resize(&m->data, m->bytes + bytes, 1, "message received"));
    *where = (char *)m->data + m->bytes;
    m->bytes += bytes;
    if (bytes < psb_piece()) {
        m->rank = rank;
        in->open--;
    }
    return PSB_OK;
}

/* Receive the piece that was probed.  If there is no memory for it, it is received and dropped, so that its
 * sender does not wait for ever. */
static void receive_piece(struct inbox *in, MPI_Message msg, const MPI_Status *status)
{
    void *where = psb_nowhere();
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    psb_err e = space_for(in, status->MPI_SOURCE, (size_t)count, &where);
    MPI_Mrecv(where, count, MPI_BYTE, &msg, MPI_STATUS_IGNORE);
    if (e != PSB_OK)
        in->err = e;
}

static int by_rank(const void *a, const void *b)
{
    const struct psb_msg *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Receive messages until all processes have received theirs: a process enters the barrier when its own
 * messages have been received, and returns when all processes have entered. */
static void serve_messages(psb_ctxt *c, int tag, MPI_Request *sent, int nsent, struct inbox *in)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int entered = 0, done = 0; !done;) {
        int here;
        MPI_Message msg;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, tag, c->comm, &here, &msg, &status);
        if (here)
            receive_piece(in, msg, &status);
        if (entered) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(nsent, sent, &entered, MPI_STATUSES_IGNORE);
            if (entered)
                MPI_Ibarrier(c->comm, &barrier);
        }
        psb_progress(c);
    }
}

static psb_err check_out(const psb_ctxt *c, const struct psb_msg *out, int nout, size_t *pieces)
{
    *pieces = 0;
    for (int i = 0; i < nout; i++) {
        PSB_CHECK(out[i].rank >= 0 && out[i].rank < c->size, PSB_EARG,
                  "message %d goes to process %d; expected 0 <= rank < %d", i, out[i].rank, c->size);
        PSB_CHECK(out[i].data || !out[i].bytes, PSB_EARG, "message %d is NULL; expected %zu bytes", i,
                  out[i].bytes);
        *pieces += out[i].bytes / psb_piece() + 1;
    }
    PSB_CHECK(*pieces <= INT32_MAX, PSB_EARG, "messages of %zu pieces; expected fewer than 2^31", *pieces);
    return PSB_OK;
}

static psb_err send_one(psb_ctxt *c, const struct psb_msg *m, int tag, MPI_Request *sent, int *nsent)
{
    size_t piece = psb_piece();
    for (size_t k = 0; m->bytes && k <= m->bytes / piece; k++) {
        size_t len = m->bytes - k * piece < piece ? m->bytes - k * piece : piece;
        PSB_MPI(MPI_Issend((char *)m->data + k * piece, (int)len, MPI_BYTE, m->rank, tag, c->comm,
                           &sent[*nsent]));
        ++*nsent;
        psb_count(c, 1, len);
    }
    return PSB_OK;
}

psb_err psb_exchange(psb_ctxt *c, const struct psb_msg *out, int nout, struct psb_msg **in, int *nin)
{
    struct inbox box = { .err = PSB_OK };
    MPI_Request *sent = NULL;
    size_t pieces;
    PSB_TRY(psb_check_ctxt(c));
    int nsent = 0, tag = (c->phase ^= 1) ? PSB_TAG_EXCHANGE_ODD : PSB_TAG_EXCHANGE;
    psb_err e = check_out(c, out, nout, &pieces);
    PSB_THEN(e, psb_alloc(&sent, pieces, sizeof *sent, "requests"));
    for (int i = 0; i < nout && e == PSB_OK; i++)
        e = send_one(c, &out[i], tag, sent, &nsent);
    serve_messages(c, tag, sent, nsent, &box);
    psb_free(sent);
    e = e != PSB_OK ? e : box.err;
    if (e != PSB_OK) {
        psb_msgs_free(box.m, box.n);
        return PSB_PASS(e);
    }
    if (box.n)
        qsort(box.m, (size_t)box.n, sizeof *box.m, by_rank);
    *in = box.m;
    *nin = box.n;
    return PSB_OK;
}

void psb_msgs_free(struct psb_msg *m, int n)
{
    for (int i = 0; i < n; i++)
        psb_free(m[i].data);
    psb_free(m);
}
