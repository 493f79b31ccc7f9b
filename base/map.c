/* map.c -- room: base.  Index maps: consecutive blocks, and lists with a directory. */
#include "map.h"
#include "psb_alloc.h"
#include <string.h>

void psb_sort_by_key(psb_ipk n, const int *key, int nkeys, psb_ipk *order, psb_ipk *start)
{
    memset(start, 0, ((size_t)nkeys + 1) * sizeof *start);
    for (psb_ipk i = 0; i < n; i++)
        start[key[i] + 1]++;
    for (int k = 0; k < nkeys; k++)
        start[k + 1] += start[k];
    for (psb_ipk i = 0; i < n; i++)
        order[start[key[i]]++] = i;
    for (int k = nkeys; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static psb_ipk block_g2l(const struct psb_map *m, psb_lpk g)
{
    return g >= m->first[m->me] && g < m->first[m->me + 1] ? (psb_ipk)(g - m->first[m->me]) : -1;
}

static psb_lpk block_l2g(const struct psb_map *m, psb_ipk l)
{
    return m->first[m->me] + l;
}

static psb_err block_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner)
{
    (void)ctxt;
    for (psb_ipk i = 0; i < n; i++) {
        int lo = 0, hi = m->np; /* first[lo] <= g < first[hi] */
        while (hi - lo > 1) {
            int mid = lo + (hi - lo) / 2;
            if (m->first[mid] <= g[i])
                lo = mid;
            else
                hi = mid;
        }
        owner[i] = lo;
    }
    return PSB_OK;
}

static const struct psb_map_ops block = {
    .name = "block",
    .g2l = block_g2l,
    .l2g = block_l2g,
    .owners = block_owners,
};

psb_err psb_map_block(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl)
{
    psb_lpk mine = nl;
    *m = (struct psb_map){ .ops = &block, .nrow = nl };
    psb_info(ctxt, &m->me, &m->np);
    PSB_TRY(psb_agree(ctxt, psb_alloc_zero(&m->first, (size_t)m->np + 1, sizeof *m->first, "block map")));
    PSB_MPI(MPI_Allgather(&mine, 1, MPI_INT64_T, m->first + 1, 1, MPI_INT64_T, psb_comm_of(ctxt)));
    for (int p = 0; p < m->np; p++)
        m->first[p + 1] += m->first[p];
    m->nglob = m->first[m->np];
    return PSB_OK;
}

/* --- lists ------------------------------------------------------------------------------------------ */

static psb_ipk list_g2l(const struct psb_map *m, psb_lpk g)
{
    return psb_hash_get(&m->hash, g);
}

static psb_lpk list_l2g(const struct psb_map *m, psb_ipk l)
{
    return m->glob[l];
}

/* Indices on their way to the processes that keep their part of the directory. */
struct post {
    psb_ipk *order, *start;
    int *home;
    psb_lpk *g;
    struct psb_msg *msg;
    int nmsg;
};

static void post_free(struct post *p)
{
    psb_free(p->order);
    psb_free(p->start);
    psb_free(p->home);
    psb_free(p->g);
    psb_free(p->msg);
}

static psb_err post_alloc(struct post *p, psb_ipk n, int np)
{
    PSB_TRY(psb_alloc(&p->order, (size_t)n, sizeof *p->order, "directory order"));
    PSB_TRY(psb_alloc(&p->start, (size_t)np + 1, sizeof *p->start, "directory starts"));
    PSB_TRY(psb_alloc(&p->home, (size_t)n, sizeof *p->home, "directory homes"));
    PSB_TRY(psb_alloc(&p->g, (size_t)n, sizeof *p->g, "directory indices"));
    return psb_alloc(&p->msg, (size_t)np, sizeof *p->msg, "directory messages");
}

static psb_err post_fill(struct post *p, const struct psb_map *m, psb_ipk n, const psb_lpk *g)
{
    PSB_TRY(post_alloc(p, n, m->np));
    for (psb_ipk i = 0; i < n; i++)
        p->home[i] = (int)(g[i] / m->chunk);
    psb_sort_by_key(n, p->home, m->np, p->order, p->start);
    for (psb_ipk i = 0; i < n; i++)
        p->g[i] = g[p->order[i]];
    for (int h = 0; h < m->np; h++)
        if (p->start[h + 1] > p->start[h])
            p->msg[p->nmsg++] = (struct psb_msg){ h, (size_t)(p->start[h + 1] - p->start[h]) * sizeof *p->g,
                                                  p->g + p->start[h] };
    return PSB_OK;
}

/* Write down who owns what in my part of the directory. */
static psb_err enter_owners(struct psb_map *m, const struct psb_msg *in, int nin)
{
    psb_lpk base = m->me * m->chunk;
    for (int k = 0; k < nin; k++) {
        const psb_lpk *g = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *g; i++) {
            int *owner = &m->home[g[i] - base];
            PSB_CHECK(*owner < 0, PSB_EARG, "row %" PRId64 " is owned by process %d and by process %d", g[i],
                      *owner, in[k].rank);
            *owner = in[k].rank;
        }
    }
    return PSB_OK;
}

static psb_err list_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner)
{
    struct post p = { 0 };
    struct psb_msg *ask = NULL, *answer = NULL;
    int nask = 0, nanswer = 0;
    psb_err e = psb_agree(ctxt, post_fill(&p, m, n, g));
    if (e == PSB_OK)
        e = psb_agree(ctxt, psb_exchange(ctxt, p.msg, p.nmsg, &ask, &nask));
    for (int k = 0; k < nask; k++) { /* the answer takes the place of the question */
        psb_lpk *q = ask[k].data;
        for (size_t i = 0; i < ask[k].bytes / sizeof *q; i++)
            q[i] = m->home[q[i] - m->me * m->chunk];
    }
    if (e == PSB_OK)
        e = psb_agree(ctxt, psb_exchange(ctxt, ask, nask, &answer, &nanswer));
    for (int k = 0; k < nanswer && e == PSB_OK; k++) {
        const psb_lpk *r = answer[k].data;
        psb_ipk at = p.start[answer[k].rank];
        for (size_t i = 0; i < answer[k].bytes / sizeof *r; i++)
            owner[p.order[at + (psb_ipk)i]] = (int)r[i];
    }
    psb_msgs_free(ask, nask);
    psb_msgs_free(answer, nanswer);
    post_free(&p);
    return e;
}

static const struct psb_map_ops list = {
    .name = "list",
    .g2l = list_g2l,
    .l2g = list_l2g,
    .owners = list_owners,
};

/* My own part: every index in range, none twice. */
static psb_err list_own(struct psb_map *m, psb_ipk nl, const psb_lpk *vl)
{
    PSB_CHECK(nl == 0 || vl, PSB_EARG, "argument vl is NULL; expected %d global rows", nl);
    PSB_TRY(psb_hash_reserve(&m->hash, (size_t)nl));
    PSB_TRY(psb_alloc(&m->glob, (size_t)nl, sizeof *m->glob, "list map"));
    for (psb_ipk i = 0; i < nl; i++) {
        PSB_CHECK(vl[i] >= 0 && vl[i] < m->nglob, PSB_EARG,
                  "argument vl[%d] is %" PRId64 "; expected 0 <= vl < %" PRId64
                  ", the number of rows of all processes",
                  i, vl[i], m->nglob);
        PSB_CHECK(psb_hash_put(&m->hash, vl[i], i) == i, PSB_EARG,
                  "argument vl[%d] is %" PRId64 ", which is in the list already", i, vl[i]);
        m->glob[i] = vl[i];
    }
    PSB_TRY(psb_alloc(&m->home, (size_t)m->chunk, sizeof *m->home, "directory"));
    memset(m->home, 0xff, (size_t)m->chunk * sizeof *m->home);
    return PSB_OK;
}

psb_err psb_map_list(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl)
{
    *m = (struct psb_map){ .ops = &list, .nrow = nl };
    psb_info(ctxt, &m->me, &m->np);
    psb_lpk mine = nl;
    PSB_MPI(MPI_Allreduce(&mine, &m->nglob, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(ctxt)));
    m->chunk = m->nglob / m->np + 1;
    PSB_TRY(psb_agree(ctxt, list_own(m, nl, vl)));

    struct post p = { 0 };
    struct psb_msg *in = NULL;
    int nin = 0;
    psb_err e = psb_agree(ctxt, post_fill(&p, m, nl, vl));
    if (e == PSB_OK)
        e = psb_exchange(ctxt, p.msg, p.nmsg, &in, &nin);
    if (e == PSB_OK)
        e = enter_owners(m, in, nin);
    psb_msgs_free(in, nin);
    post_free(&p);
    return psb_agree(ctxt, e);
}

void psb_map_free(struct psb_map *m)
{
    psb_free(m->first);
    psb_hash_free(&m->hash);
    psb_free(m->glob);
    psb_free(m->home);
    *m = (struct psb_map){ 0 };
}
