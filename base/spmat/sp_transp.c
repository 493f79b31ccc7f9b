/* sp_transp.c -- base/spmat: the transpose of a distributed matrix. */
#include "spmat.h"
#include "columns.h"
#include "psb_type.h"

/* An entry sent to the owner of its column: the place of the column among those that the sender receives from
 * this owner in a halo exchange; its global row, from 0. */
struct moved {
    psb_ipk at;
    psb_lpk i;
    T v;
};

struct entries_sent {
    struct X(coo_mat) *t; /* the halo part, transposed and ordered */
    struct moved *rec;
    struct psb_msg *msg;
    int n;
};

static psb_err part_transposed(struct X(mat) *a, struct X(coo_mat) **t)
{
    struct X(coo_mat) *c;
    PSB_TRY(X(mat_as_coo)(a, &c));
    psb_err e = X(coo_transposed)(c, t);
    X(mat_free)(&c->mat);
    return e;
}

/* A message to each owner of columns that have entries here. */
static psb_err pack_entries(const struct X(spmat) *a, struct entries_sent *o)
{
    const struct psb_neighbours *r = &a->col->plan.recv;
    const psb_ipk *bnd;
    psb_epk p = 0;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(part_transposed(a->ah, &o->t));
    PSB_TRY(psb_alloc_zero(&o->rec, (size_t)o->t->mat.nnz, sizeof *o->rec, "entries sent"));
    PSB_TRY(psb_alloc(&o->msg, (size_t)r->n, sizeof *o->msg, "entries sent"));
    for (int k = 0; k < r->n; k++) {
        psb_epk first = p;
        for (; p < o->t->mat.nnz && o->t->ia[p] < r->start[k + 1]; p++) {
            o->rec[p].at = o->t->ia[p] - r->start[k];
            o->rec[p].i = psb_loc_to_glob(a->row, bnd[o->t->ja[p]]) - psb_index_base();
            o->rec[p].v = o->t->val[p];
        }
        if (p > first)
            o->msg[o->n++] = (struct psb_msg){ r->rank[k], (size_t)(p - first) * sizeof *o->rec,
                                               o->rec + first };
    }
    return PSB_OK;
}

/* Append the entries of a message to c. */
static psb_err insert_moved(const psb_desc *d, const struct psb_msg *m, struct psb_columns *cols,
                            struct X(coo_mat) *c)
{
    const struct psb_neighbours *s = &d->plan.send;
    const struct moved *rec = m->data;
    const psb_ipk *idx = d->plan.idx.host;
    psb_epk n = (psb_epk)(m->bytes / sizeof *rec);
    int k = 0;
    while (k < s->n && s->rank[k] != m->rank)
        k++;
    PSB_CHECK(k < s->n, PSB_EMPI, "process %d sent entries; expected none", m->rank);
    PSB_TRY(X(coo_reserve)(c, c->mat.nnz + n));
    for (psb_epk i = 0; i < n; i++) {
        psb_epk p = c->mat.nnz;
        PSB_TRY(psb_columns_add(cols, rec[i].i, &c->ja[p]));
        c->ia[p] = idx[s->start[k] + rec[i].at];
        c->val[p] = rec[i].v;
        c->mat.nnz++;
    }
    return PSB_OK;
}

/* *c = the rows of the transpose that are here. */
static psb_err rows_of_transpose(const struct X(spmat) *a, const struct psb_msg *in, int nin,
                                 struct psb_columns *cols, int conjugate, struct X(coo_mat) **c)
{
    struct X(coo_mat) *new;
    const psb_ipk *idx;
    PSB_TRY(psb_dual_read(&a->col->plan.idx, PSB_HOST, &idx));
    PSB_TRY(part_transposed(a->ad, &new));
    psb_err e = PSB_OK;
    for (int k = 0; k < nin && e == PSB_OK; k++)
        e = insert_moved(a->col, &in[k], cols, new);
    if (e != PSB_OK) {
        X(mat_free)(&new->mat);
        return e;
    }
    for (psb_epk k = 0; conjugate && k < new->mat.nnz; k++)
        new->val[k] = CONJ(new->val[k]);
    new->mat.ncols = psb_columns_count(cols);
    *c = new;
    return PSB_OK;
}

static psb_err check_transpose(const struct X(spmat) *a, const void *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    return psb_desc_one_owner(a->row, a->col);
}

/* Send the entries in halo columns to the owners, and build the rows of the transpose. */
static psb_err exchange_entries(const struct X(spmat) *a, struct psb_columns *cols, int conjugate,
                                struct X(coo_mat) **c)
{
    struct entries_sent o = { 0 };
    struct psb_msg *in = NULL;
    int nin = 0;
    psb_ctxt *ctxt = a->row->ctxt;
    psb_err e = psb_agree(ctxt, pack_entries(a, &o));
    PSB_THEN(e, psb_agree(ctxt, psb_exchange(ctxt, o.msg, o.n, &in, &nin)));
    X(mat_free)((struct X(mat) *)o.t);
    psb_free(o.rec);
    psb_free(o.msg);
    PSB_THEN(e, psb_agree(ctxt, rows_of_transpose(a, in, nin, cols, conjugate, c)));
    psb_msgs_free(in, nin);
    return e;
}

static psb_err transpose(const struct X(spmat) *a, int conjugate, struct X(spmat) **b)
{
    struct X(coo_mat) *c = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_agree(a->row->ctxt, check_transpose(a, b)));
    struct psb_columns cols = { .d = a->row };
    psb_err e = exchange_entries(a, &cols, conjugate, &c);
    PSB_THEN(e, X(sp_distribute)(a->col, c, &cols, a->row, a->ad, a->ah, e, b));
    if (e == PSB_OK) {
        (*b)->ad->is = a->ad->is;
        (*b)->ad->is.upper = !a->ad->is.upper;
    }
    X(mat_free)((struct X(mat) *)c);
    psb_columns_free(&cols);
    return e;
}

psb_err X(sp_transp)(const struct X(spmat) *a, struct X(spmat) **b)
{
    return PSB_PASS(transpose(a, 0, b));
}

psb_err X(sp_transc)(const struct X(spmat) *a, struct X(spmat) **b)
{
    return PSB_PASS(transpose(a, 1, b));
}
