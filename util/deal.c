/* deal.c -- util: send entries to the owners of their rows. */
#include "config.h"
#include "deal.h"
#include "group.h"
#include "hash.h"
#include "psb_alloc.h"
#include "psb_type.h"

/* Bytes of an entry in a message: all ia, then all ja, then all val. */
enum { ENTRY_BYTES = 2 * sizeof(psb_lpk) + sizeof(T) };

/* The rows whose owners are requested, without duplicates; numbered from psb_index_base(). */
struct asked_rows {
    struct psb_hash place; /* row -> place in the list */
    psb_lpk *row;
    int *owner;
};

static psb_err list_rows_of_others(struct asked_rows *a, const psb_desc *rows, const struct X(triplets) *t)
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
    struct asked_rows a = { 0 };
    const int me = psb_rank_of(psb_cd_ctxt(rows));
    psb_err e = before == PSB_OK ? list_rows_of_others(&a, rows, t) : before;
    psb_err f = psb_cd_owners(rows, e == PSB_OK ? (psb_ipk)a.place.n : 0, a.row, a.owner);
    e = e != PSB_OK ? e : f;
    for (psb_epk k = 0; e == PSB_OK && k < t->nnz; k++) {
        psb_ipk i = psb_hash_get(&a.place, t->ia[k] + psb_index_base());
        owner[k] = i < 0 ? me : a.owner[i];
    }
    psb_hash_free(&a.place);
    psb_free(a.row);
    psb_free(a.owner);
    return e;
}

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
static struct X(triplets) entries_in_message(void *data, psb_epk n)
{
    psb_lpk *ia = data, *ja = ia + n;
    return (struct X(triplets)){ .nnz = n, .ia = ia, .ja = ja, .val = (T *)(ja + n) };
}

static psb_err pack_parcels(struct parcels *p, const struct X(triplets) *t, const int *owner)
{
    PSB_TRY(psb_group_by(&p->to, (psb_ipk)t->nnz, owner));
    size_t n = (size_t)p->to.n;
    PSB_TRY(psb_alloc(&p->bytes, (size_t)t->nnz * ENTRY_BYTES + n * sizeof(psb_lpk), 1, "entries to send"));
    PSB_TRY(psb_alloc(&p->msg, n, sizeof *p->msg, "entries to send"));
    char *at = p->bytes;
    for (int q = 0; q < p->to.n; q++) {
        const psb_ipk first = p->to.start[q], many = p->to.start[q + 1] - first;
        const size_t bytes = (size_t)many * ENTRY_BYTES;
        struct X(triplets) to = entries_in_message(at, many);
        for (psb_ipk k = 0; k < many; k++) {
            const psb_ipk from = p->to.order[first + k];
            to.ia[k] = t->ia[from];
            to.ja[k] = t->ja[from];
            to.val[k] = t->val[from];
        }
        p->msg[q] = (struct psb_msg){ p->to.rank[q], bytes, at };
        at += (bytes + sizeof(psb_lpk) - 1) / sizeof(psb_lpk) * sizeof(psb_lpk);
    }
    return PSB_OK;
}

/* Make the messages to all processes; none if this process fails.  Collective. */
static psb_err make_parcels(struct parcels *p, const psb_desc *rows, const struct X(triplets) *t)
{
    int *owner = NULL;
    psb_err e = psb_alloc(&owner, (size_t)t->nnz, sizeof *owner, "owners of entries");
    e = find_owners(rows, t, owner, e);
    PSB_THEN(e, pack_parcels(p, t, owner));
    psb_free(owner);
    if (e != PSB_OK)
        free_parcels(p);
    return e;
}

psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg)
{
    struct parcels p = { 0 };
    struct psb_msg *in = NULL;
    int nin = 0;
    const int np = psb_np_of(psb_cd_ctxt(rows));
    if (np == 1)
        return PSB_PASS(take(arg, t));
    psb_err e = make_parcels(&p, rows, t);
    psb_err f = psb_exchange(psb_cd_ctxt(rows), p.msg, p.to.n, &in, &nin);
    e = e != PSB_OK ? e : f;
    for (int k = 0; k < nin && e == PSB_OK; k++) {
        struct X(triplets) some = entries_in_message(in[k].data, (psb_epk)(in[k].bytes / ENTRY_BYTES));
        e = take(arg, &some);
    }
    psb_msgs_free(in, nin);
    free_parcels(&p);
    return PSB_PASS(e);
}

psb_err X(matrix_hand_over)(psb_err e, struct X(spmat) *made, psb_desc *rd, psb_desc *cd, struct X(spmat) **a,
                            psb_desc **row, psb_desc **col)
{
    if (e == PSB_OK) {
        *a = made;
        *row = rd;
        *col = cd;
        return PSB_OK;
    }
    X(spfree)(made);
    if (cd != rd && cd != *col)
        psb_cdfree(cd);
    if (rd != *row)
        psb_cdfree(rd);
    return PSB_PASS(e);
}
