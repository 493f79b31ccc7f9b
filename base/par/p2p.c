/* p2p.c -- base/par: messages from one process to another. */
#include "ctxt.h"
#include "merge.h"
#include "pieces.h"
#include "psb_alloc.h"
#include <string.h>

/* --- outgoing messages ---------------------------------------------------------------------------------- */

/* The first message: it describes the elements, and contains them if they fit. */
struct note {
    int32_t kind, failed; /* failed: the psb_err of the sender, and no elements follow */
    int64_t n;
    char data[112];
};

enum { NOTE_HEAD = offsetof(struct note, data) };

/* A copy of a message, kept until its sends are complete. */
struct psb_outgoing {
    struct psb_outgoing *next;
    int nsent;
    MPI_Request *sent;
    char *data;
    struct note note;
};

/* Return the number of bytes to be sent after the note. */
static size_t rest_of(size_t bytes)
{
    return bytes <= sizeof((struct note *)NULL)->data ? 0 : bytes;
}

static psb_err make_outgoing(int kind, psb_epk n, const void *x, size_t bytes, struct psb_outgoing **made)
{
    size_t rest = rest_of(bytes), requests = (psb_pieces(rest) + 1) * sizeof(MPI_Request);
    struct psb_outgoing *l;
    PSB_TRY(psb_alloc(&l, sizeof *l + requests + rest, 1, "message to send"));
    *l = (struct psb_outgoing){ .sent = (MPI_Request *)(l + 1), .note = { .kind = kind, .n = n } };
    l->data = (char *)(l + 1) + requests;
    if (bytes)
        memcpy(rest ? l->data : l->note.data, x, bytes);
    *made = l;
    return PSB_OK;
}

/* Free the messages whose sends are complete; `all`: wait for all of them. */
static void clear_out(psb_ctxt *c, int all)
{
    for (struct psb_outgoing **p = &c->outgoing, *l = *p; l; l = *p) {
        int gone = 1;
        if (all)
            MPI_Waitall(l->nsent, l->sent, MPI_STATUSES_IGNORE);
        else
            MPI_Testall(l->nsent, l->sent, &gone, MPI_STATUSES_IGNORE);
        if (gone) {
            *p = l->next;
            psb_free(l);
        } else {
            p = &l->next;
        }
    }
}

static void flush_outgoing(psb_ctxt *c)
{
    clear_out(c, 1);
}

/* --- the calls ------------------------------------------------------------------------------------------ */

static psb_err check_peer(const psb_ctxt *c, int rank, const char *name, int tag)
{
    PSB_CHECK(rank >= 0 && rank < c->size, PSB_EARG, "argument %s is %d; expected 0 <= %s < %d", name, rank,
              name, c->size);
    PSB_CHECK(tag >= 0 && tag < PSB_TAGS, PSB_EARG, "argument tag is %d; expected 0 <= tag < %d", tag,
              PSB_TAGS);
    return PSB_OK;
}

psb_err psb_any_snd(psb_ctxt *c, enum psb_kind kind, psb_epk n, const void *x, int dest, int tag)
{
    struct psb_outgoing *l = NULL;
    size_t bytes;
    PSB_TRY(psb_check_ctxt(c));
    PSB_TRY(check_peer(c, dest, "dest", tag));
    clear_out(c, 0);
    psb_err e = psb_check_array((int)kind, n, x, &bytes);
    PSB_THEN(e, make_outgoing((int)kind, n, x, bytes, &l));
    if (e != PSB_OK) { /* the receiver fails too */
        const struct note refusal = { .failed = (int32_t)e };
        PSB_MPI(MPI_Send(&refusal, NOTE_HEAD, MPI_BYTE, dest, tag, c->inner));
        return PSB_PASS(e);
    }
    l->next = c->outgoing;
    c->outgoing = l;
    c->flush = flush_outgoing;
    size_t rest = rest_of(bytes), first = NOTE_HEAD + (rest ? 0 : bytes);
    PSB_MPI(MPI_Isend(&l->note, (int)first, MPI_BYTE, dest, tag, c->inner, &l->sent[l->nsent]));
    l->nsent++;
    psb_count(c, 1, first);
    for (size_t at = 0; at < rest; at += psb_piece()) {
        const int length = psb_piece_length(rest, at);
        PSB_MPI(MPI_Isend(l->data + at, length, MPI_BYTE, dest, tag, c->inner, &l->sent[l->nsent]));
        l->nsent++;
        psb_count(c, 1, (size_t)length);
    }
    return PSB_OK;
}

static psb_err check_note(const struct note *got, int kind, psb_epk n, int source)
{
    PSB_CHECK(!got->failed, (psb_err)got->failed, "process %d could not send: %s", source,
              psb_strerror((psb_err)got->failed));
    PSB_CHECK(got->kind == kind && got->n == n, PSB_EARG,
              "process %d sent %" PRId64 " elements of type %s; expected %" PRId64 " of %s", source, got->n,
              psb_kind_info(got->kind)->name, n, psb_kind_info(kind)->name);
    return PSB_OK;
}

psb_err psb_any_rcv(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, int source, int tag)
{
    struct note got;
    size_t bytes;
    PSB_TRY(psb_check_ctxt(c));
    PSB_TRY(check_peer(c, source, "source", tag));
    clear_out(c, 0);
    psb_err e = psb_check_array((int)kind, n, x, &bytes);
    PSB_MPI(MPI_Recv(&got, sizeof got, MPI_BYTE, source, tag, c->inner, MPI_STATUS_IGNORE));
    PSB_THEN(e, check_note(&got, (int)kind, n, source));
    if (e != PSB_OK) {
        if (!got.failed)
            psb_drop_pieces(c, rest_of((size_t)got.n * psb_kind_info(got.kind)->size), source, tag);
        return PSB_PASS(e);
    }
    if (rest_of(bytes))
        return PSB_PASS(psb_recv_pieces(c, x, bytes, source, tag));
    if (bytes)
        memcpy(x, got.data, bytes);
    return PSB_OK;
}
