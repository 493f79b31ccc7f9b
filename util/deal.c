/* deal.c -- room: util.  Send entries to the owners of their rows. */
#include "config.h"
#include "deal.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"

enum {
    EACH = 2 * sizeof(psb_lpk) + sizeof(T)
}; /* bytes of an entry in a message: all ia, then all ja, then all val */

/* --- owners --- */

/* The rows whose owners are requested, without duplicates; numbered from psb_index_base(). */
struct asked {
    struct psb_hash place; /* row -> place in the list */
    psb_lpk *row;
    int *owner;
};

static void free_asked(struct asked *a)
{
    psb_hash_free(&a->place);
    psb_free(a->row);
    psb_free(a->owner);
}

static psb_err list_rows(struct asked *a, const psb_desc *rows, const struct X(triplets) *t)
{
    psb_epk last = 0;
    PSB_TRY(psb_alloc(&a->row, (size_t)t->nnz, sizeof *a->row, "rows asked for"));
    for (psb_epk k = 0; k < t->nnz; k++) {
        psb_lpk g = t->ia[k] + psb_index_base();
        if ((k > 0 && t->ia[k] == t->ia[last]) || psb_is_owned(rows, g))
            continue;
        PSB_TRY(psb_hash_reserve(&a->place, 1));
        psb_ipk n = (psb_ipk)a->place.n;
        if (psb_hash_put(&a->place, g, n) == n)
            a->row[n] = g;
        last = k;
    }
    return psb_alloc(&a->owner, a->place.n, sizeof *a->owner, "owners asked for");
}

/* Find the owner of each entry.  Collective; a process that failed before (`before`) requests no owners. */
static psb_err find_owners(const psb_desc *rows, const struct X(triplets) *t, int *owner, psb_err before)
{
    int me;
    struct asked a = { 0 };
    psb_info(psb_cd_ctxt(rows), &me, NULL);
    psb_err e = before == PSB_OK ? list_rows(&a, rows, t) : before;
    psb_err f = psb_cd_owners(rows, e == PSB_OK ? (psb_ipk)a.place.n : 0, a.row, a.owner);
    e = e != PSB_OK ? e : f;
    for (psb_epk k = 0; e == PSB_OK && k < t->nnz; k++) {
        psb_ipk i = psb_hash_get(&a.place, t->ia[k] + psb_index_base());
        owner[k] = i < 0 ? me : a.owner[i];
    }
    free_asked(&a);
    return e;
}

/* --- messages --- */

struct parcels {
    struct psb_group to;
    char *bytes;
    struct psb_msg *msg; /* one message for each process that receives entries */
};

static void free_parcels(struct parcels *p)
{
    psb_group_free(&p->to);
    psb_free(p->bytes);
    psb_free(p->msg);
    *p = (struct parcels){ .bytes = NULL };
}

/* Pointers to the arrays of n entries within a message. */
static struct X(triplets) inside(void *data, psb_epk n)
{
    psb_lpk *ia = data, *ja = ia + n;
    return (struct X(triplets)){ .nnz = n, .ia = ia, .ja = ja, .val = (T *)(ja + n) };
}

static void pack_one(const struct X(triplets) *t, const psb_ipk *order, struct X(triplets) *to)
{
    for (psb_epk k = 0; k < to->nnz; k++) {
        to->ia[k] = t->ia[order[k]];
        to->ja[k] = t->ja[order[k]];
        to->val[k] = t->val[order[k]];
    }
}

static psb_err pack(struct parcels *p, const struct X(triplets) *t, const int *owner)
{
    PSB_TRY(psb_group_by(&p->to, (psb_ipk)t->nnz, owner));
    size_t n = (size_t)p->to.n;
    PSB_TRY(psb_alloc(&p->bytes, (size_t)t->nnz * EACH + n * sizeof(psb_lpk), 1, "entries to send"));
    PSB_TRY(psb_alloc(&p->msg, n, sizeof *p->msg, "entries to send"));
    char *at = p->bytes;
    for (int k = 0; k < p->to.n; k++) {
        psb_ipk first = p->to.start[k], many = p->to.start[k + 1] - first;
        struct X(triplets) some = inside(at, many);
        pack_one(t, p->to.order + first, &some);
        p->msg[k] = (struct psb_msg){ p->to.rank[k], (size_t)many * EACH, at };
        at += ((size_t)many * EACH + sizeof(psb_lpk) - 1) / sizeof(psb_lpk) * sizeof(psb_lpk);
    }
    return PSB_OK;
}

/* Make the messages to all processes; none if this process fails. */
static psb_err make_parcels(struct parcels *p, const psb_desc *rows, const struct X(triplets) *t)
{
    int *owner = NULL;
    psb_err e = psb_alloc(&owner, (size_t)t->nnz, sizeof *owner, "owners of entries");
    e = find_owners(rows, t, owner, e);
    if (e == PSB_OK)
        e = pack(p, t, owner);
    psb_free(owner);
    if (e != PSB_OK)
        free_parcels(p);
    return e;
}

psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg)
{
    struct parcels p = { 0 };
    struct psb_msg *in = NULL;
    int nin = 0, np;
    psb_info(psb_cd_ctxt(rows), NULL, &np);
    if (np == 1)
        return PSB_PASS(take(arg, t));
    psb_err e = make_parcels(&p, rows, t);
    psb_err f = psb_exchange(psb_cd_ctxt(rows), p.msg, p.to.n, &in, &nin);
    e = e != PSB_OK ? e : f;
    for (int k = 0; k < nin && e == PSB_OK; k++) {
        struct X(triplets) some = inside(in[k].data, (psb_epk)(in[k].bytes / EACH));
        e = take(arg, &some);
    }
    psb_msgs_free(in, nin);
    free_parcels(&p);
    return PSB_PASS(e);
}

/* --- arguments --- */

static psb_err check_sizes(const struct X(triplets) *t, const char *name)
{
    PSB_CHECK(t, PSB_EARG, "argument %s is NULL; expected entries", name);
    PSB_CHECK(t->m >= 0, PSB_EARG, "argument %s->m is %" PRId64 "; expected a number of rows >= 0", name,
              t->m);
    PSB_CHECK(t->n >= 0, PSB_EARG, "argument %s->n is %" PRId64 "; expected a number of columns >= 0", name,
              t->n);
    PSB_CHECK(t->nnz >= 0, PSB_EARG, "argument %s->nnz is %" PRId64 "; expected a number of entries >= 0",
              name, t->nnz);
    PSB_CHECK(t->nnz == 0 || (t->ia && t->ja && t->val), PSB_EARG,
              "argument %s->%s is NULL; expected an array of %" PRId64 " entries", name,
              !t->ia   ? "ia"
              : !t->ja ? "ja"
                       : "val",
              t->nnz);
    return PSB_OK;
}

static psb_err check_rows(const struct X(triplets) *t, const char *name, const psb_desc *rows)
{
    PSB_CHECK(psb_cd_global_rows(rows) == t->m, PSB_EARG,
              "argument rows has %" PRId64 " rows; expected the %" PRId64 " of argument %s",
              psb_cd_global_rows(rows), t->m, name);
    return PSB_OK;
}

psb_err X(check_triplets)(const struct X(triplets) *t, const char *name, const psb_desc *rows)
{
    PSB_TRY(check_sizes(t, name));
    if (rows)
        PSB_TRY(check_rows(t, name, rows));
    for (psb_epk k = 0; k < t->nnz; k++)
        PSB_CHECK(t->ia[k] >= 0 && t->ia[k] < t->m && t->ja[k] >= 0 && t->ja[k] < t->n, PSB_EARG,
                  "argument %s: entry %" PRId64 " is at (%" PRId64 ", %" PRId64
                  "), out of range; expected 0 <= row < %" PRId64 ", 0 <= column < %" PRId64,
                  name, k, t->ia[k], t->ja[k], t->m, t->n);
    return PSB_OK;
}

/* --- growing triplets --- */

psb_err X(grow_to)(struct X(growing) *g, psb_epk room)
{
    PSB_TRY(psb_resize(&g->t.ia, (size_t)room, sizeof *g->t.ia, "row indices received"));
    PSB_TRY(psb_resize(&g->t.ja, (size_t)room, sizeof *g->t.ja, "column indices received"));
    PSB_TRY(psb_resize(&g->t.val, (size_t)room, sizeof *g->t.val, "values received"));
    g->room = room;
    return PSB_OK;
}

psb_err X(grow)(void *arg, const struct X(triplets) *t)
{
    struct X(growing) *g = arg;
    size_t n = (size_t)t->nnz;
    if (g->room - g->t.nnz < t->nnz)
        PSB_TRY(X(grow_to)(g, g->room + g->room / 2 + t->nnz));
    if (n) {
        memcpy(g->t.ia + g->t.nnz, t->ia, n * sizeof *t->ia);
        memcpy(g->t.ja + g->t.nnz, t->ja, n * sizeof *t->ja);
        memcpy(g->t.val + g->t.nnz, t->val, n * sizeof *t->val);
    }
    g->t.nnz += t->nnz;
    return PSB_OK;
}

psb_err X(insert)(const struct X(triplets) *t, struct X(spmat) *a)
{
    int base = psb_index_from_0();
    psb_err e = X(spins)(t->nnz, t->ia, t->ja, t->val, a);
    PSB_TRY(psb_set_index_base(base));
    return PSB_PASS(e);
}
