/* ctxt.c -- room: base.  Contexts, agreement on errors, and the sparse exchange. */
#include "psb_ctxt.h"
#include "psb_alloc.h"
#include "psb_threads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct psb_ctxt {
    MPI_Comm comm;
    int rank, size;
    int phase; /* of the exchanges, so that two in a row cannot mix */
};

enum { TAG_EXCHANGE = 100 };

static int alive;    /* contexts that live */
static int we_began; /* MPI, and so we end it */

psb_err psb_mpi_fail(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    MPI_Error_string(code, text, &len);
    return PSB_FAIL(PSB_EMPI, "%s: %s", call, text);
}

psb_err psb_init_comm(psb_ctxt **ctxt, MPI_Comm comm)
{
    psb_ctxt *c;
    PSB_CHECK(ctxt, PSB_EARG, "argument ctxt is NULL; expected where to store the context");
    PSB_TRY(psb_alloc_zero(&c, 1, sizeof *c, "context"));
    int m = MPI_Comm_dup(comm, &c->comm);
    if (m != MPI_SUCCESS) {
        psb_free(c);
        return psb_mpi_fail(m, "MPI_Comm_dup");
    }
    MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(c->comm, &c->rank);
    MPI_Comm_size(c->comm, &c->size);
    int level;
    MPI_Query_thread(&level);
    psb_threads_allow(level >= MPI_THREAD_FUNNELED);
    alive++;
    *ctxt = c;
    return PSB_OK;
}

psb_err psb_init(psb_ctxt **ctxt)
{
    int running;
    PSB_CHECK(ctxt, PSB_EARG, "argument ctxt is NULL; expected where to store the context");
    MPI_Initialized(&running);
    if (!running) {
        int got;
        PSB_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &got));
        we_began = 1;
    }
    return psb_init_comm(ctxt, MPI_COMM_WORLD);
}

void psb_exit(psb_ctxt *ctxt)
{
    if (!ctxt)
        return;
    MPI_Comm_free(&ctxt->comm);
    psb_free(ctxt);
    if (--alive == 0 && we_began) {
        we_began = 0;
        MPI_Finalize();
    }
}

void psb_abort(psb_ctxt *ctxt, const char *why)
{
    fprintf(stderr, "psb: process %d aborts: %s\n", ctxt->rank, why);
    MPI_Abort(ctxt->comm, EXIT_FAILURE);
}

void psb_info(const psb_ctxt *ctxt, int *iam, int *np)
{
    if (iam)
        *iam = ctxt->rank;
    if (np)
        *np = ctxt->size;
}

MPI_Comm psb_comm_of(const psb_ctxt *ctxt)
{
    return ctxt->comm;
}

void psb_barrier(psb_ctxt *ctxt)
{
    MPI_Barrier(ctxt->comm);
}

double psb_wtime(void)
{
    return MPI_Wtime();
}

/* --- agreement -------------------------------------------------------------------------------------- */

psb_err psb_agree(psb_ctxt *ctxt, psb_err mine)
{
    int me = mine == PSB_OK ? ctxt->size : ctxt->rank, first;
    PSB_MPI(MPI_Allreduce(&me, &first, 1, MPI_INT, MPI_MIN, ctxt->comm));
    if (first == ctxt->size)
        return PSB_OK;

    struct {
        int code;
        char text[400];
    } news = { .code = (int)mine };
    if (first == ctxt->rank)
        snprintf(news.text, sizeof news.text, "%s", psb_errmsg());
    PSB_MPI(MPI_Bcast(&news, sizeof news, MPI_BYTE, first, ctxt->comm));
    if (first == ctxt->rank)
        return mine;
    return PSB_FAIL((psb_err)news.code, "on process %d: %s", first, news.text);
}

/* --- the sparse exchange ---------------------------------------------------------------------------- */

struct inbox {
    struct psb_msg *m;
    int n, cap;
    psb_err err; /* of the first message there was no room for */
};

/* Take the message that was probed; one there is no memory for is received as nothing, so that its sender
 * is not left waiting. */
static void take(struct inbox *in, MPI_Message msg, const MPI_Status *status)
{
    struct psb_msg new = { .rank = status->MPI_SOURCE };
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    psb_err e = PSB_OK;
    if (in->n == in->cap)
        e = psb_resize(&in->m, (size_t)in->cap * 2 + 8, sizeof *in->m, "messages received");
    if (e == PSB_OK && in->n == in->cap)
        in->cap = in->cap * 2 + 8;
    if (e == PSB_OK)
        e = psb_alloc(&new.data, (size_t)count, 1, "message received");
    MPI_Mrecv(new.data, e == PSB_OK ? count : 0, MPI_BYTE, &msg, MPI_STATUS_IGNORE);
    new.bytes = (size_t)count;
    if (e == PSB_OK)
        in->m[in->n++] = new;
    else
        in->err = e;
}

static int by_rank(const void *a, const void *b)
{
    const struct psb_msg *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Until all have received all: look for messages; once mine are received, enter the barrier; leave when
 * everybody has entered. */
static void serve(psb_ctxt *c, int tag, MPI_Request *sent, int nsent, struct inbox *in)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int entered = 0, done = 0; !done;) {
        int here;
        MPI_Message msg;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, tag, c->comm, &here, &msg, &status);
        if (here)
            take(in, msg, &status);
        if (entered) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(nsent, sent, &entered, MPI_STATUSES_IGNORE);
            if (entered)
                MPI_Ibarrier(c->comm, &barrier);
        }
    }
}

psb_err psb_exchange(psb_ctxt *c, const struct psb_msg *out, int nout, struct psb_msg **in, int *nin)
{
    struct inbox box = { .err = PSB_OK };
    MPI_Request *sent = NULL;
    int nsent = 0, tag = TAG_EXCHANGE + (c->phase ^= 1);
    psb_err e = psb_alloc(&sent, (size_t)nout, sizeof *sent, "requests");
    for (int i = 0; i < nout && e == PSB_OK; i++)
        if (out[i].bytes > INT32_MAX)
            e = PSB_FAIL(PSB_EARG, "message of %zu bytes; expected less than 2^31", out[i].bytes);
    for (int i = 0; i < nout && e == PSB_OK; i++)
        if (out[i].bytes)
            MPI_Issend(out[i].data, (int)out[i].bytes, MPI_BYTE, out[i].rank, tag, c->comm, &sent[nsent++]);
    serve(c, tag, sent, nsent, &box);
    psb_free(sent);
    e = e != PSB_OK ? e : box.err;
    if (e != PSB_OK) {
        psb_msgs_free(box.m, box.n);
        return e;
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
