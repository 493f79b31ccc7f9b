/* words.c -- room: base/vect.  Neighbours agree on an exchange before they send rows that cannot be refused.
 */
#include "words.h"
#include "psb_alloc.h"
#include "ctxt.h"

/* First what a process is about to send, 0 if it failed; then 1 if it has heard the same from the neighbour,
 * 0 if it has stopped to wait. */
enum kind { ANNOUNCED, CONFIRMED, KINDS };

struct word {
    unsigned long long exchange, kind, what;
};

struct neighbour {
    int rank, open; /* is a word of it awaited? */
    double until;   /* by when it is late */
    enum kind next; /* the kind of word that is awaited */
    struct word heard, said[KINDS];
    MPI_Request hearing, saying[KINDS];
};

struct psb_words {
    MPI_Comm comm;
    int tag, n;
    unsigned long long exchange, what;
    struct neighbour *neighbour;
};

psb_err psb_words_new(MPI_Comm comm, int tag, int n, const int *rank, struct psb_words **w)
{
    PSB_TRY(psb_alloc_zero(w, 1, sizeof **w, "halo channel"));
    **w = (struct psb_words){ .comm = comm, .tag = tag, .n = n };
    psb_err e = psb_alloc_zero(&(*w)->neighbour, (size_t)n, sizeof *(*w)->neighbour, "halo channel");
    if (e != PSB_OK) {
        psb_free(*w);
        *w = NULL;
        return PSB_PASS(e);
    }
    for (int j = 0; j < n; j++) {
        struct neighbour *k = &(*w)->neighbour[j];
        k->rank = rank[j];
        k->hearing = k->saying[ANNOUNCED] = k->saying[CONFIRMED] = MPI_REQUEST_NULL;
    }
    return PSB_OK;
}

/* Words are so short that MPI has sent them when MPI_Isend returns. */
static void forget(MPI_Request *q)
{
    if (*q != MPI_REQUEST_NULL)
        MPI_Request_free(q);
}

void psb_words_free(struct psb_words *w)
{
    if (!w)
        return;
    for (int j = 0; j < w->n && psb_mpi_runs(); j++)
        for (int kind = 0; kind < KINDS; kind++)
            forget(&w->neighbour[j].saying[kind]);
    psb_free(w->neighbour);
    psb_free(w);
}

static psb_err say(struct psb_words *w, struct neighbour *k, enum kind kind, unsigned long long what)
{
    k->said[kind] = (struct word){ w->exchange, kind, what };
    forget(&k->saying[kind]);
    PSB_MPI(MPI_Isend(&k->said[kind], 3, MPI_UNSIGNED_LONG_LONG, k->rank, w->tag, w->comm, &k->saying[kind]));
    return PSB_OK;
}

static psb_err listen(const struct psb_words *w, struct neighbour *k)
{
    PSB_MPI(MPI_Irecv(&k->heard, 3, MPI_UNSIGNED_LONG_LONG, k->rank, w->tag, w->comm, &k->hearing));
    return PSB_OK;
}

/* A word of k has been heard. */
static psb_err take(struct psb_words *w, struct neighbour *k, double seconds, enum psb_word *answer)
{
    const struct word *h = &k->heard;
    if (h->exchange < w->exchange) /* it is over */
        return listen(w, k);
    if (h->exchange == w->exchange && h->kind == ANNOUNCED && h->what == w->what) {
        k->until = MPI_Wtime() + seconds;
        k->next = CONFIRMED;
        PSB_TRY(say(w, k, CONFIRMED, 1));
        return listen(w, k);
    }
    k->open = 0;
    *answer = h->exchange != w->exchange || h->kind != CONFIRMED ? PSB_WORD_FAILED
              : h->what                                          ? PSB_WORD_AGREED
                                                                 : PSB_WORD_LATE;
    return PSB_OK;
}

/* Stop to wait for k, unless a word has come meanwhile. */
static psb_err give_up(struct psb_words *w, struct neighbour *k, double seconds, enum psb_word *answer)
{
    MPI_Status status;
    int cancelled;
    PSB_MPI(MPI_Cancel(&k->hearing));
    PSB_MPI(MPI_Wait(&k->hearing, &status));
    PSB_MPI(MPI_Test_cancelled(&status, &cancelled));
    if (!cancelled)
        return take(w, k, seconds, answer);
    k->open = 0;
    *answer = PSB_WORD_LATE;
    return k->next == ANNOUNCED ? say(w, k, CONFIRMED, 0) : PSB_OK;
}

static psb_err progress(struct psb_words *w, struct neighbour *k, double seconds, enum psb_word *answer)
{
    int done;
    PSB_MPI(MPI_Test(&k->hearing, &done, MPI_STATUS_IGNORE));
    if (done)
        return take(w, k, seconds, answer);
    return MPI_Wtime() < k->until ? PSB_OK : give_up(w, k, seconds, answer);
}

static psb_err announce(struct psb_words *w, struct neighbour *k, double seconds)
{
    k->open = 1;
    k->next = ANNOUNCED;
    k->until = MPI_Wtime() + seconds;
    PSB_TRY(listen(w, k));
    return say(w, k, ANNOUNCED, w->what);
}

psb_err psb_words_agree(struct psb_words *w, unsigned long long what, double seconds, enum psb_word *answer)
{
    w->exchange++;
    w->what = what;
    for (int j = 0; j < w->n; j++)
        PSB_TRY(announce(w, &w->neighbour[j], seconds));
    for (int open = 1; open;) {
        open = 0;
        for (int j = 0; j < w->n; j++) {
            struct neighbour *k = &w->neighbour[j];
            if (k->open)
                PSB_TRY(progress(w, k, seconds, &answer[j]));
            open |= k->open;
        }
    }
    return PSB_OK;
}

psb_err psb_words_refuse(struct psb_words *w)
{
    w->exchange++;
    for (int j = 0; j < w->n; j++)
        PSB_TRY(say(w, &w->neighbour[j], ANNOUNCED, 0));
    return PSB_OK;
}
