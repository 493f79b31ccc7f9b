/* reduce.c -- room: base.  Results of all processes joined, in a fixed order. */
#include "reduce.h"
#include <string.h>

enum { TAG_REDUCE = 4090, CHUNK = 64 };

/* What travels: how many processes failed, then up to CHUNK values. */
struct packet {
    double v[1 + CHUNK];
    int n; /* the first included */
};

double psb_join(enum psb_join how, double a, double b)
{
    if (how == PSB_JOIN_SUM)
        return a + b;
    if (a != a || b != b)
        return a + b;
    return (how == PSB_JOIN_MAX ? b > a : b < a) ? b : a;
}

/* a = a joined with b, a standing on the left or (`swap`) on the right.  Lengths that differ are a failure,
 * of one of the two or of both. */
static void join(enum psb_join how, struct packet *a, const struct packet *b, int swap)
{
    a->v[0] += b->v[0] + (a->n != b->n);
    for (int i = 1; i < a->n && i < b->n; i++)
        a->v[i] = swap ? psb_join(how, b->v[i], a->v[i]) : psb_join(how, a->v[i], b->v[i]);
}

static psb_err swap_with(MPI_Comm comm, int rank, const struct packet *mine, struct packet *theirs)
{
    MPI_Status status;
    PSB_MPI(MPI_Sendrecv(mine->v, mine->n, MPI_DOUBLE, rank, TAG_REDUCE, theirs->v, 1 + CHUNK, MPI_DOUBLE,
                         rank, TAG_REDUCE, comm, &status));
    MPI_Get_count(&status, MPI_DOUBLE, &theirs->n);
    return PSB_OK;
}

static psb_err take_from(MPI_Comm comm, int rank, struct packet *p)
{
    MPI_Status status;
    PSB_MPI(MPI_Recv(p->v, 1 + CHUNK, MPI_DOUBLE, rank, TAG_REDUCE, comm, &status));
    MPI_Get_count(&status, MPI_DOUBLE, &p->n);
    return PSB_OK;
}

static psb_err give_to(MPI_Comm comm, int rank, const struct packet *p)
{
    PSB_MPI(MPI_Send(p->v, p->n, MPI_DOUBLE, rank, TAG_REDUCE, comm));
    return PSB_OK;
}

/* Processes beyond the last power of two hand theirs to the one on their left, and get the answer from it. */
static psb_err all_join(psb_ctxt *ctxt, enum psb_join how, struct packet *p)
{
    int me, np, full = 1;
    struct packet q;
    MPI_Comm comm = psb_comm_of(ctxt);
    psb_info(ctxt, &me, &np);
    while (full * 2 <= np)
        full *= 2;
    int pairs = np - full, paired = me < 2 * pairs;
    if (paired && me % 2) {
        PSB_TRY(give_to(comm, me - 1, p));
        return take_from(comm, me - 1, p);
    }
    if (paired) {
        PSB_TRY(take_from(comm, me + 1, &q));
        join(how, p, &q, 0);
    }
    int i = paired ? me / 2 : me - pairs;
    for (int d = 1; d < full; d *= 2) {
        int j = i ^ d;
        PSB_TRY(swap_with(comm, j < pairs ? 2 * j : j + pairs, p, &q));
        join(how, p, &q, j < i);
    }
    return paired ? give_to(comm, me + 1, p) : PSB_OK;
}

psb_err psb_reduce(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine)
{
    if (!ctxt)
        return mine;
    int first = 0;
    do {
        struct packet p = { .n = 1 + (n - first < CHUNK ? n - first : CHUNK) };
        p.v[0] = mine != PSB_OK;
        if (n > first)
            memcpy(p.v + 1, v + first, (size_t)(p.n - 1) * sizeof *v);
        PSB_TRY(all_join(ctxt, how, &p));
        if (p.v[0] != 0) {
            PSB_TRY(psb_agree(ctxt, mine));
            return PSB_FAIL(PSB_EARG,
                            "processes have different numbers of results, %d here; expected as many", n);
        }
        if (n > first)
            memcpy(v + first, p.v + 1, (size_t)(p.n - 1) * sizeof *v);
        first += CHUNK;
    } while (first < n);
    return PSB_OK;
}
