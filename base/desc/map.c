/* map.c -- room: base/desc.  Index maps: blocks, lists of runs, hash tables, replicated. */
#include "map.h"
#include "psb_alloc.h"
#include "psb_desc.h"
#include "psb_search.h"
#include <stdlib.h>
#include <string.h>

/* --- one run: blocks, and replicated ---------------------------------------------------------------- */

static psb_ipk run_g2l(const struct psb_map *m, psb_lpk g)
{
    return psb_map_g2l(m, g);
}

static psb_lpk run_l2g(const struct psb_map *m, psb_ipk l)
{
    return m->lo + l;
}

static psb_err run_copy(struct psb_map *m, const struct psb_map *of)
{
    (void)m, (void)of;
    return PSB_OK;
}

static const struct psb_map_ops block = {
    .name = "block",
    .g2l = run_g2l,
    .l2g = run_l2g,
    .copy = run_copy,
};

static const struct psb_map_ops replicated = {
    .name = "replicated",
    .g2l = run_g2l,
    .l2g = run_l2g,
    .copy = run_copy,
};

psb_err psb_map_block(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl)
{
    psb_lpk n = nl, upto;
    *m = (struct psb_map){ .ops = &block, .nrow = nl, .one_run = 1 };
    psb_info(ctxt, &m->me, &m->np);
    PSB_MPI(MPI_Scan(&n, &upto, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(ctxt)));
    PSB_MPI(MPI_Allreduce(&n, &m->nglob, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(ctxt)));
    m->lo = upto - n;
    return PSB_PASS(psb_dir_runs(&m->dir, ctxt, m->nglob, m->lo, nl));
}

void psb_map_repl(struct psb_map *m, psb_ctxt *ctxt, psb_ipk n)
{
    *m = (struct psb_map){ .ops = &replicated, .nglob = n, .nrow = n, .one_run = 1, .replicated = 1 };
    psb_info(ctxt, &m->me, &m->np);
}

/* --- lists: ascending, in few runs ------------------------------------------------------------------ */

static psb_ipk list_g2l(const struct psb_map *m, psb_lpk g)
{
    if (m->nrun == 0 || g < m->lows[0])
        return -1;
    psb_ipk r = psb_last_up_to(m->lows, m->nrun, g);
    psb_lpk past = g - m->lows[r];
    return past < m->begin[r + 1] - m->begin[r] ? m->begin[r] + (psb_ipk)past : -1;
}

static psb_lpk list_l2g(const struct psb_map *m, psb_ipk l)
{
    psb_ipk r = (psb_ipk)psb_first_from(m->begin, 1, m->nrun, l + 1) - 1;
    return m->lows[r] + (l - m->begin[r]);
}

static psb_err list_copy(struct psb_map *m, const struct psb_map *of)
{
    size_t n = (size_t)of->nrun;
    PSB_TRY(psb_copy(&m->lows, of->lows, n, sizeof *m->lows, "list map"));
    return psb_copy(&m->begin, of->begin, n + 1, sizeof *m->begin, "list map");
}

static const struct psb_map_ops list = {
    .name = "list",
    .g2l = list_g2l,
    .l2g = list_l2g,
    .copy = list_copy,
};

/* The number of runs of consecutive indices in vl; 0 if vl does not ascend. */
static psb_ipk count_runs(psb_ipk nl, const psb_lpk *vl)
{
    psb_ipk n = nl > 0;
    for (psb_ipk i = 1; i < nl; i++) {
        if (vl[i] <= vl[i - 1])
            return 0;
        n += vl[i] != vl[i - 1] + 1;
    }
    return n;
}

static psb_err keep_runs(struct psb_map *m, psb_ipk nrun, const psb_lpk *vl)
{
    psb_ipk r = 0;
    PSB_TRY(psb_alloc(&m->lows, (size_t)nrun, sizeof *m->lows, "list map"));
    PSB_TRY(psb_alloc(&m->begin, (size_t)nrun + 1, sizeof *m->begin, "list map"));
    for (psb_ipk i = 0; i < m->nrow; i++)
        if (i == 0 || vl[i] != vl[i - 1] + 1) {
            m->lows[r] = vl[i];
            m->begin[r++] = i;
        }
    m->begin[r] = m->nrow;
    m->nrun = r;
    m->ops = &list;
    return PSB_OK;
}

/* --- hash tables ------------------------------------------------------------------------------------ */

static psb_ipk hash_g2l(const struct psb_map *m, psb_lpk g)
{
    return psb_hash_get(&m->hash, g);
}

static psb_lpk hash_l2g(const struct psb_map *m, psb_ipk l)
{
    return m->glob[l];
}

static psb_err hash_copy(struct psb_map *m, const struct psb_map *of)
{
    PSB_TRY(psb_hash_copy(&m->hash, &of->hash));
    return psb_copy(&m->glob, of->glob, (size_t)of->nrow, sizeof *m->glob, "hash map");
}

static const struct psb_map_ops hash = {
    .name = "hash",
    .g2l = hash_g2l,
    .l2g = hash_l2g,
    .copy = hash_copy,
};

static psb_err keep_hash(struct psb_map *m, const psb_lpk *vl)
{
    PSB_TRY(psb_hash_reserve(&m->hash, (size_t)m->nrow));
    PSB_TRY(psb_copy(&m->glob, vl, (size_t)m->nrow, sizeof *m->glob, "hash map"));
    for (psb_ipk i = 0; i < m->nrow; i++)
        PSB_CHECK(psb_hash_put(&m->hash, vl[i], i) == i, PSB_EARG,
                  "argument vl has row %" PRId64 ", which is in the list already; expected each once",
                  vl[i] + psb_index_base());
    m->ops = &hash;
    return PSB_OK;
}

/* --- maps from lists -------------------------------------------------------------------------------- */

/* Make the local part of the map; indices are not negative and differ.  *upto: 1 + the largest. */
static psb_err keep_own(struct psb_map *m, const psb_lpk *vl, psb_lpk *upto)
{
    PSB_CHECK(m->nrow == 0 || vl, PSB_EARG, "argument vl is NULL; expected %d global rows", m->nrow);
    for (psb_ipk i = 0; i < m->nrow; i++) {
        PSB_CHECK(vl[i] >= 0 && vl[i] < INT64_MAX, PSB_EARG,
                  "argument vl has row %" PRId64 "; expected less than 2^63 - 1", vl[i]);
        *upto = vl[i] >= *upto ? vl[i] + 1 : *upto;
    }
    psb_ipk nrun = count_runs(m->nrow, vl);
    return nrun && nrun <= m->nrow / 8 + 1 ? keep_runs(m, nrun, vl) : keep_hash(m, vl);
}

/* Set nglob to one more than the largest index; it is at most the total length of all lists. */
static psb_err count_rows(struct psb_map *m, psb_ctxt *ctxt, psb_lpk upto)
{
    psb_lpk n = m->nrow, all;
    PSB_MPI(MPI_Allreduce(&upto, &m->nglob, 1, MPI_INT64_T, MPI_MAX, psb_comm_of(ctxt)));
    PSB_MPI(MPI_Allreduce(&n, &all, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(ctxt)));
    PSB_CHECK(m->nglob <= all, PSB_EARG,
              "argument vl has row %" PRId64 " while all processes list %" PRId64
              " rows; expected %d <= vl < %" PRId64 ", each row in a list at least",
              m->nglob - 1 + psb_index_base(), all, psb_index_base(), all + psb_index_base());
    return PSB_OK;
}

/* Messages that tell every owner of a shared row all owners of it. */
static psb_err tell_owners(const struct psb_pair *p, psb_ipk n, struct psb_group *to,
                           struct psb_pair **packed, struct psb_msg **msg)
{
    size_t total = 0;
    psb_ipk end, k = 0;
    for (psb_ipk i = 0; i < n; i = end) {
        for (end = i; end < n && p[end].row == p[i].row; end++)
            ;
        total += (size_t)(end - i) * (size_t)(end - i);
    }
    PSB_CHECK(total <= INT32_MAX, PSB_EARG, "%zu notices of shared rows; expected less than 2^31", total);
    int *rank = NULL;
    struct psb_pair *tell = NULL;
    psb_err e = psb_alloc(&rank, total, sizeof *rank, "shared rows");
    if (e == PSB_OK)
        e = psb_alloc(&tell, total, sizeof *tell, "shared rows");
    for (psb_ipk i = 0; i < n && e == PSB_OK; i = end) {
        for (end = i; end < n && p[end].row == p[i].row; end++)
            ;
        for (psb_ipk a = i; a < end; a++)
            for (psb_ipk b = i; b < end; b++) {
                rank[k] = (int)p[a].rank;
                tell[k++] = p[b];
            }
    }
    if (e == PSB_OK)
        e = psb_group_by(to, k, rank);
    if (e == PSB_OK)
        e = psb_group_pack(to, tell, sizeof *tell, packed, msg);
    psb_free(rank);
    psb_free(tell);
    return e;
}

/* Homes answer in rank order, each by row, then owner, so the result is in this order. */
static psb_err keep_shared(struct psb_map *m, const struct psb_msg *in, int nin)
{
    struct psb_shared_rows *s = &m->shared;
    size_t n = 0;
    for (int k = 0; k < nin; k++)
        n += in[k].bytes / sizeof(struct psb_pair);
    PSB_TRY(psb_alloc(&s->loc, n, sizeof *s->loc, "shared rows"));
    PSB_TRY(psb_alloc_zero(&s->start, n + 1, sizeof *s->start, "shared rows"));
    PSB_TRY(psb_alloc(&s->rank, n, sizeof *s->rank, "shared rows"));
    psb_ipk at = 0;
    for (int k = 0; k < nin; k++) {
        const struct psb_pair *p = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *p; i++) {
            if (i == 0 || p[i].row != p[i - 1].row)
                s->loc[s->n++] = psb_map_g2l(m, p[i].row);
            s->rank[at++] = (int)p[i].rank;
            s->start[s->n] = at;
        }
    }
    return PSB_OK;
}

static psb_err find_shared(struct psb_map *m, psb_ctxt *ctxt, const struct psb_pair *twice, psb_ipk n)
{
    struct psb_group to = { 0 };
    struct psb_pair *packed = NULL;
    struct psb_msg *msg = NULL, *in = NULL;
    int nin = 0, any = n > 0;
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, psb_comm_of(ctxt)));
    if (!any)
        return PSB_OK;
    m->several = 1;
    psb_err e = psb_agree(ctxt, tell_owners(twice, n, &to, &packed, &msg));
    if (e == PSB_OK)
        e = psb_agree(ctxt, psb_exchange(ctxt, msg, to.n, &in, &nin));
    if (e == PSB_OK)
        e = psb_agree(ctxt, keep_shared(m, in, nin));
    psb_group_free(&to);
    psb_free(packed);
    psb_free(msg);
    psb_msgs_free(in, nin);
    return e;
}

psb_err psb_map_list(struct psb_map *m, psb_ctxt *ctxt, psb_lpk ng, psb_ipk nl, const psb_lpk *vl)
{
    struct psb_pair *twice = NULL;
    psb_ipk ntwice = 0;
    psb_lpk upto = 0;
    *m = (struct psb_map){ .ops = &hash, .nrow = nl, .nglob = ng };
    psb_info(ctxt, &m->me, &m->np);
    PSB_TRY(psb_agree(ctxt, keep_own(m, vl, &upto)));
    if (ng < 0)
        PSB_TRY(count_rows(m, ctxt, upto));
    PSB_TRY(psb_dir_list(&m->dir, ctxt, m->nglob, nl, vl, &twice, &ntwice));
    psb_err e = find_shared(m, ctxt, twice, ntwice);
    psb_free(twice);
    return PSB_PASS(e);
}

/* --- all kinds of maps ------------------------------------------------------------------------------ */

psb_err psb_map_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner)
{
    if (!m->replicated)
        return PSB_PASS(psb_dir_owners(&m->dir, ctxt, n, g, owner));
    for (psb_ipk i = 0; i < n; i++)
        owner[i] = m->me;
    return PSB_OK;
}

static psb_err copy_shared(struct psb_shared_rows *s, const struct psb_shared_rows *of)
{
    size_t n = (size_t)of->n;
    if (!n)
        return PSB_OK;
    PSB_TRY(psb_copy(&s->loc, of->loc, n, sizeof *s->loc, "shared rows"));
    PSB_TRY(psb_copy(&s->start, of->start, n + 1, sizeof *s->start, "shared rows"));
    PSB_TRY(psb_copy(&s->rank, of->rank, (size_t)of->start[n], sizeof *s->rank, "shared rows"));
    s->n = of->n;
    return PSB_OK;
}

psb_err psb_map_copy(struct psb_map *m, const struct psb_map *of)
{
    *m = (struct psb_map){ .ops = of->ops,
                           .nglob = of->nglob,
                           .nrow = of->nrow,
                           .me = of->me,
                           .np = of->np,
                           .one_run = of->one_run,
                           .lo = of->lo,
                           .nrun = of->nrun,
                           .several = of->several,
                           .replicated = of->replicated };
    PSB_TRY(of->ops->copy(m, of));
    PSB_TRY(copy_shared(&m->shared, &of->shared));
    return PSB_PASS(psb_dir_copy(&m->dir, &of->dir));
}

size_t psb_map_bytes(const struct psb_map *m)
{
    size_t b = psb_dir_bytes(&m->dir);
    b += (size_t)m->nrun * (sizeof *m->lows + sizeof *m->begin);
    b += m->hash.cap * (sizeof *m->hash.key + sizeof *m->hash.val);
    b += m->glob ? (size_t)m->nrow * sizeof *m->glob : 0;
    if (m->shared.n)
        b += (size_t)m->shared.n * 2 * sizeof(psb_ipk) + (size_t)m->shared.start[m->shared.n] * sizeof(int);
    return b;
}

void psb_map_free(struct psb_map *m)
{
    psb_free(m->lows);
    psb_free(m->begin);
    psb_hash_free(&m->hash);
    psb_free(m->glob);
    psb_dir_free(&m->dir);
    psb_free(m->shared.loc);
    psb_free(m->shared.start);
    psb_free(m->shared.rank);
    *m = (struct psb_map){ 0 };
}
