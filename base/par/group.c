/* group.c -- base/par: items grouped by process. */
#include "group.h"
#include "psb_alloc.h"
#include <stdbool.h>
#include <string.h>

enum { DIGIT = 8, BASE = 1 << DIGIT };

static psb_err sort_by_rank(struct psb_group *g, psb_ipk n, const int *rank)
{
    int most = 0;
    bool sorted = true;
    psb_ipk *other;
    for (psb_ipk i = 0; i < n; i++) {
        g->order[i] = i;
        sorted &= rank[i] >= most;
        most = rank[i] > most ? rank[i] : most;
    }
    if (sorted)
        return PSB_OK;
    PSB_TRY(psb_alloc(&other, (size_t)n, sizeof *other, "order by process"));
    for (int shift = 0; shift < 31 && most >> shift; shift += DIGIT) {
        psb_ipk *was = g->order;
        /* other = was, stably sorted by one digit of the ranks. */
        psb_ipk next[BASE + 1] = { 0 };
        for (psb_ipk i = 0; i < n; i++)
            next[(rank[was[i]] >> shift & (BASE - 1)) + 1]++;
        for (int d = 0; d < BASE; d++)
            next[d + 1] += next[d];
        for (psb_ipk i = 0; i < n; i++)
            other[next[rank[was[i]] >> shift & (BASE - 1)]++] = was[i];
        g->order = other;
        other = was;
    }
    psb_free(other);
    return PSB_OK;
}

psb_err psb_group_by(struct psb_group *g, psb_ipk n, const int *rank)
{
    *g = (struct psb_group){ 0 };
    PSB_TRY(psb_alloc(&g->order, (size_t)n, sizeof *g->order, "order by process"));
    PSB_TRY(sort_by_rank(g, n, rank));
    for (psb_ipk i = 0; i < n; i++)
        g->n += i == 0 || rank[g->order[i]] != rank[g->order[i - 1]];
    PSB_TRY(psb_alloc(&g->rank, (size_t)g->n, sizeof *g->rank, "groups"));
    PSB_TRY(psb_alloc_zero(&g->start, (size_t)g->n + 1, sizeof *g->start, "groups"));
    int k = 0;
    for (psb_ipk i = 0; i < n; i++) {
        if (i == 0 || rank[g->order[i]] != rank[g->order[i - 1]])
            g->rank[k++] = rank[g->order[i]];
        g->start[k] = i + 1;
    }
    return PSB_OK;
}

void psb_group_free(struct psb_group *g)
{
    psb_free(g->rank);
    psb_free(g->start);
    psb_free(g->order);
    *g = (struct psb_group){ 0 };
}

psb_err psb_group_pack(const struct psb_group *g, const void *all, size_t size, void *packed,
                       struct psb_msg **msg)
{
    char *p;
    size_t n = g->n ? (size_t)g->start[g->n] : 0;
    PSB_TRY(psb_alloc(&p, n, size, "messages"));
    psb_err e = psb_alloc(msg, (size_t)g->n, sizeof **msg, "messages");
    if (e != PSB_OK) {
        psb_free(p);
        return PSB_PASS(e);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(p + i * size, (const char *)all + (size_t)g->order[i] * size, size);
    for (int k = 0; k < g->n; k++)
        (*msg)[k] = (struct psb_msg){ g->rank[k], (size_t)(g->start[k + 1] - g->start[k]) * size,
                                      p + (size_t)g->start[k] * size };
    memcpy(packed, &p, sizeof p);
    return PSB_OK;
}

psb_err psb_deal(psb_ctxt *ctxt, psb_err err, psb_ipk n, const int *rank, const void *all, size_t size,
                 struct psb_msg **in, int *nin)
{
    struct psb_group g = { 0 };
    char *packed = NULL;
    struct psb_msg *msg = NULL;
    psb_err e = err;
    *in = NULL;
    *nin = 0;
    PSB_THEN(e, psb_group_by(&g, n, rank));
    PSB_THEN(e, psb_group_pack(&g, all, size, &packed, &msg));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_agree(ctxt, psb_exchange(ctxt, msg, g.n, in, nin)));
    if (e != PSB_OK) { /* of another process, it may be */
        psb_msgs_free(*in, *nin);
        *in = NULL;
        *nin = 0;
    }
    psb_group_free(&g);
    psb_free(packed);
    psb_free(msg);
    return PSB_PASS(e);
}
