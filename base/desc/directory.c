/* directory.c -- base/desc: the distributed directory of owners. */
#include "directory.h"
#include "psb_alloc.h"
#include "psb_index.h"
#include "psb_search.h"
#include <stdlib.h>
#include <string.h>

psb_lpk psb_dir_chunk(psb_lpk n, int np)
{
    return n / np + 1;
}

static void open_dir(struct psb_dir *d, const psb_ctxt *ctxt, psb_lpk nglob)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    *d = (struct psb_dir){ .nglob = nglob, .chunk = psb_dir_chunk(nglob, np) };
    d->base = me * d->chunk;
}

/* The number of indices of this chunk; 0 for the last processes if there are fewer indices than processes. */
static psb_lpk chunk_here(const struct psb_dir *d)
{
    psb_lpk n = d->nglob - d->base;
    return n < 0 ? 0 : n < d->chunk ? n : d->chunk;
}

static psb_err find_homes(const struct psb_dir *d, psb_ipk n, const psb_lpk *g, int **home)
{
    PSB_TRY(psb_alloc(home, (size_t)n, sizeof **home, "directory homes"));
    for (psb_ipk i = 0; i < n; i++)
        (*home)[i] = (int)(g[i] / d->chunk);
    return PSB_OK;
}

/* --- index by index --------------------------------------------------------------------------------- */

static int by_row_and_rank(const void *a, const void *b)
{
    const struct psb_pair *x = a, *y = b;
    int c = (x->row > y->row) - (x->row < y->row);
    return c ? c : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Pairs of indices with several owners: at most two for each owner but the first of an index. */
struct doubles {
    struct psb_pair *p;
    psb_ipk n, cap;
};

static psb_err add_double(struct doubles *t, psb_lpk row, int rank)
{
    if (t->n == t->cap) {
        PSB_TRY(psb_resize(&t->p, (size_t)t->cap * 2 + 8, sizeof *t->p, "shared rows"));
        t->cap = t->cap * 2 + 8;
    }
    t->p[t->n++] = (struct psb_pair){ row, rank };
    return PSB_OK;
}

/* Store the owners of this chunk; messages are in rank order, so the first owner is the lowest. */
static psb_err enter_owners(struct psb_dir *d, const struct psb_msg *in, int nin, struct doubles *t)
{
    for (int k = 0; k < nin; k++) {
        const psb_lpk *g = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *g; i++) {
            int *owner = &d->owner[g[i] - d->base];
            if (*owner < 0) {
                *owner = in[k].rank;
                continue;
            }
            PSB_TRY(add_double(t, g[i], *owner));
            PSB_TRY(add_double(t, g[i], in[k].rank));
        }
    }
    for (psb_lpk i = 0; i < chunk_here(d); i++)
        PSB_CHECK(d->owner[i] >= 0, PSB_EARG,
                  "row %" PRId64 " of %" PRId64 " is owned by no process; expected each in a list at least",
                  d->base + i + psb_index_base(), d->nglob);
    return PSB_OK;
}

/* Sort the pairs and remove duplicates. */
static void sort_doubles(struct doubles *t)
{
    psb_ipk n = 0;
    if (t->n)
        qsort(t->p, (size_t)t->n, sizeof *t->p, by_row_and_rank);
    for (psb_ipk i = 0; i < t->n; i++)
        if (n == 0 || by_row_and_rank(&t->p[n - 1], &t->p[i]) != 0)
            t->p[n++] = t->p[i];
    t->n = n;
}

psb_err psb_dir_list(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_ipk n, const psb_lpk *g,
                     struct psb_pair **twice, psb_ipk *ntwice)
{
    struct psb_msg *in = NULL;
    struct doubles t = { 0 };
    int nin = 0, *home = NULL;
    open_dir(d, ctxt, nglob);
    const size_t here = (size_t)chunk_here(d);
    psb_err e = find_homes(d, n, g, &home);
    PSB_THEN(e, psb_alloc(&d->owner, here, sizeof *d->owner, "directory"));
    if (e == PSB_OK)
        memset(d->owner, 0xff, here * sizeof *d->owner);
    e = psb_deal(ctxt, e, n, home, g, sizeof *g, &in, &nin);
    PSB_THEN(e, psb_agree(ctxt, enter_owners(d, in, nin, &t)));
    psb_msgs_free(in, nin);
    psb_free(home);
    if (e != PSB_OK) {
        psb_free(t.p);
        return PSB_PASS(e);
    }
    sort_doubles(&t);
    *twice = t.p;
    *ntwice = t.n;
    return PSB_OK;
}

/* --- runs ------------------------------------------------------------------------------------------- */

/* Messages to the homes of the rows lo .. lo+n-1: the first of these rows in each home's chunk. */
static psb_err announce_runs(const struct psb_dir *d, psb_lpk lo, psb_lpk n, psb_lpk **at,
                             struct psb_msg **msg, int *nmsg)
{
    int first = (int)(lo / d->chunk), last = n ? (int)((lo + n - 1) / d->chunk) : first - 1;
    *nmsg = last - first + 1;
    PSB_TRY(psb_alloc(at, (size_t)*nmsg, sizeof **at, "directory runs"));
    PSB_TRY(psb_alloc(msg, (size_t)*nmsg, sizeof **msg, "directory runs"));
    for (int h = first; h <= last; h++) {
        (*at)[h - first] = h == first ? lo : h * d->chunk;
        (*msg)[h - first] = (struct psb_msg){ h, sizeof **at, *at + (h - first) };
    }
    return PSB_OK;
}

static psb_err keep_runs(struct psb_dir *d, const struct psb_msg *in, int nin)
{
    PSB_TRY(psb_alloc(&d->lo, (size_t)nin, sizeof *d->lo, "directory runs"));
    PSB_TRY(psb_alloc(&d->owner, (size_t)nin, sizeof *d->owner, "directory runs"));
    for (int k = 0; k < nin; k++) { /* in rank order, hence in row order */
        d->lo[k] = *(const psb_lpk *)in[k].data;
        d->owner[k] = in[k].rank;
    }
    d->nrun = nin;
    return PSB_OK;
}

psb_err psb_dir_runs(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_lpk lo, psb_lpk n)
{
    psb_lpk *at = NULL;
    struct psb_msg *msg = NULL, *in = NULL;
    int nmsg, nin = 0;
    open_dir(d, ctxt, nglob);
    psb_err e = psb_agree(ctxt, announce_runs(d, lo, n, &at, &msg, &nmsg));
    PSB_THEN(e, psb_agree(ctxt, psb_exchange(ctxt, msg, nmsg, &in, &nin)));
    PSB_THEN(e, psb_agree(ctxt, keep_runs(d, in, nin)));
    psb_free(at);
    psb_free(msg);
    psb_msgs_free(in, nin);
    return PSB_PASS(e);
}

/* --- queries ---------------------------------------------------------------------------------------- */

/* Questions and answers are both in rank order. */
psb_err psb_dir_owners(const struct psb_dir *d, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner)
{
    struct psb_group to = { 0 };
    psb_lpk *packed = NULL;
    struct psb_msg *msg = NULL, *ask = NULL, *answer = NULL;
    int nask = 0, nanswer = 0, *home = NULL;
    psb_err e = find_homes(d, n, g, &home);
    PSB_THEN(e, psb_group_by(&to, n, home));
    PSB_THEN(e, psb_group_pack(&to, g, sizeof *g, &packed, &msg));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_agree(ctxt, psb_exchange(ctxt, msg, to.n, &ask, &nask)));
    if (e == PSB_OK) {
        /* Replace each index asked for by its owner. */
        for (int k = 0; k < nask; k++) {
            psb_lpk *q = ask[k].data;
            for (size_t i = 0; i < ask[k].bytes / sizeof *q; i++)
                q[i] = d->owner[d->lo ? psb_last_up_to(d->lo, d->nrun, q[i]) : q[i] - d->base];
        }
        e = psb_agree(ctxt, psb_exchange(ctxt, ask, nask, &answer, &nanswer));
    }
    for (int k = 0; k < nanswer && e == PSB_OK; k++)
        for (psb_ipk i = to.start[k]; i < to.start[k + 1]; i++)
            owner[to.order[i]] = (int)((const psb_lpk *)answer[k].data)[i - to.start[k]];
    psb_msgs_free(ask, nask);
    psb_msgs_free(answer, nanswer);
    psb_group_free(&to);
    psb_free(home);
    psb_free(packed);
    psb_free(msg);
    return PSB_PASS(e);
}

/* --- copies and sizes ------------------------------------------------------------------------------- */

static size_t owners_held(const struct psb_dir *d)
{
    return d->lo ? (size_t)d->nrun : (size_t)chunk_here(d);
}

psb_err psb_dir_copy(struct psb_dir *d, const struct psb_dir *of)
{
    *d = *of;
    d->lo = NULL;
    d->owner = NULL;
    if (of->owner)
        PSB_TRY(psb_copy(&d->owner, of->owner, owners_held(of), sizeof *d->owner, "directory"));
    if (of->lo)
        PSB_TRY(psb_copy(&d->lo, of->lo, (size_t)of->nrun, sizeof *d->lo, "directory"));
    return PSB_OK;
}

size_t psb_dir_bytes(const struct psb_dir *d)
{
    if (!d->owner)
        return 0;
    return owners_held(d) * (sizeof *d->owner + (d->lo ? sizeof *d->lo : 0));
}

void psb_dir_free(struct psb_dir *d)
{
    psb_free(d->lo);
    psb_free(d->owner);
    *d = (struct psb_dir){ 0 };
}
