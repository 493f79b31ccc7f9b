/* sp_halo.c -- base/spmat: rows of a distributed matrix fetched from their owners, or returned to them. */
#include "spmat.h"
#include "columns.h"
#include "psb_type.h"

/* A message: how many entries each row has, then the global columns, counted from 0, of all entries, then
 * their values. */
struct rows {
    psb_epk *count;
    psb_lpk *col;
    T *val;
};

static struct rows layout(void *p, psb_ipk rows, psb_epk nnz)
{
    struct rows r = { .count = p };
    r.col = (psb_lpk *)(r.count + rows);
    r.val = (T *)(r.col + nnz);
    return r;
}

/* The data to send: both parts of b by rows, over owned (0) and halo columns (1); the messages and their
 * memory. */
struct rows_sent {
    const psb_desc *col;
    struct X(compressed) l[2];
    struct X(mat) *made[2];
    const psb_ipk *bnd;
    struct psb_msg *msg;
    char *memory;
};

/* All entries of a by rows, a unit diagonal included; *made is freed by the caller, after an error too. */
static psb_err view(struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made)
{
    struct X(mat) *none;
    if (!X(mat_is_unit)(a))
        return X(csr_view)(a, l, made);
    PSB_TRY(X(mat_convert)(a, &X(csr_mold).mat, made));
    PSB_TRY(X(mat_make_nonunit)(*made));
    return X(csr_view)(*made, l, &none);
}

/* Row i of part t is its entries *from <= k < *to. */
static void span(const struct rows_sent *o, int t, psb_ipk i, psb_epk *from, psb_epk *to)
{
    psb_ipk r = t ? psb_find_ascending(i, o->bnd, o->l[1].n) : i;
    *from = r < 0 ? 0 : o->l[t].ptr[r];
    *to = r < 0 ? 0 : o->l[t].ptr[r + 1];
}

static psb_epk entries_of(const struct rows_sent *o, const psb_ipk *row, psb_ipk n)
{
    psb_epk nnz = 0, from, to;
    for (psb_ipk i = 0; i < n; i++)
        for (int t = 0; t < 2; t++) {
            span(o, t, row[i], &from, &to);
            nnz += to - from;
        }
    return nnz;
}

static void pack_rows(const struct rows_sent *o, const psb_ipk *row, psb_ipk n, void *memory)
{
    struct rows r = layout(memory, n, entries_of(o, row, n));
    psb_epk p = 0, from, to;
    for (psb_ipk i = 0; i < n; i++) {
        r.count[i] = 0;
        for (int t = 0; t < 2; t++) {
            span(o, t, row[i], &from, &to);
            r.count[i] += to - from;
            for (psb_epk k = from; k < to; k++, p++) {
                psb_ipk j = o->l[t].idx[k] + (t ? o->l[0].m : 0);
                r.col[p] = psb_loc_to_glob(o->col, j) - psb_index_base();
                r.val[p] = o->l[t].val[k];
            }
        }
    }
}

/* Messages begin at addresses aligned for integers. */
static size_t rounded(size_t bytes)
{
    return (bytes + sizeof(psb_epk) - 1) / sizeof(psb_epk) * sizeof(psb_epk);
}

/* A message to each process that has rows of b in its halo of d. */
static psb_err pack_messages(struct rows_sent *o, psb_desc *d, const struct X(spmat) *b)
{
    const struct psb_neighbours *s = &d->plan.send;
    const psb_ipk *idx;
    size_t all = 0;
    PSB_TRY(psb_dual_read(&d->plan.idx, PSB_HOST, &idx));
    o->col = b->col;
    PSB_TRY(view(b->ad, &o->l[0], &o->made[0]));
    PSB_TRY(view(b->ah, &o->l[1], &o->made[1]));
    PSB_TRY(psb_dual_read(&b->bnd, PSB_HOST, &o->bnd));
    PSB_TRY(psb_alloc(&o->msg, (size_t)s->n, sizeof *o->msg, "rows sent"));
    for (int k = 0; k < s->n; k++) {
        psb_ipk n = s->start[k + 1] - s->start[k];
        o->msg[k].rank = s->rank[k];
        o->msg[k].bytes = (size_t)n * sizeof(psb_epk) +
                          (size_t)entries_of(o, idx + s->start[k], n) * (sizeof(psb_lpk) + sizeof(T));
        all += rounded(o->msg[k].bytes);
    }
    PSB_TRY(psb_alloc(&o->memory, all, 1, "rows sent"));
    char *at = o->memory;
    for (int k = 0; k < s->n; at += rounded(o->msg[k++].bytes)) {
        o->msg[k].data = at;
        pack_rows(o, idx + s->start[k], s->start[k + 1] - s->start[k], at);
    }
    return PSB_OK;
}

/* Append the n rows of a message to c, numbered from `first` on, columns in the numbers of cols. */
static psb_err append_message(struct X(coo_mat) *c, struct psb_columns *cols, psb_ipk first, psb_ipk n,
                              const struct psb_msg *m)
{
    psb_epk nnz = (psb_epk)((m->bytes - (size_t)n * sizeof(psb_epk)) / (sizeof(psb_lpk) + sizeof(T))), p = 0;
    struct rows r = layout(m->data, n, nnz);
    PSB_TRY(X(coo_reserve)(c, c->mat.nnz + nnz));
    for (psb_ipk i = 0; i < n; i++)
        for (psb_epk end = p + r.count[i]; p < end; p++) {
            psb_epk k = c->mat.nnz;
            PSB_TRY(psb_columns_add(cols, r.col[p], &c->ja[k]));
            c->ia[k] = first + i;
            c->val[k] = r.val[p];
            c->mat.nnz++;
        }
    return PSB_OK;
}

static psb_err rows_received(const psb_desc *d, const struct psb_msg *in, int nin, struct psb_columns *cols,
                             struct X(coo_mat) **blk)
{
    const struct psb_neighbours *r = &d->plan.recv;
    struct X(mat) *new;
    PSB_CHECK(nin == r->n, PSB_EMPI, "%d processes sent rows; expected %d", nin, r->n);
    PSB_TRY(X(mat_all)(psb_desc_nhalo(d), 0, 0, &new));
    struct X(coo_mat) *c = (struct X(coo_mat) *)new;
    psb_err e = PSB_OK;
    for (int k = 0; k < nin && e == PSB_OK; k++)
        e = append_message(c, cols, r->start[k], r->start[k + 1] - r->start[k], &in[k]);
    new->ncols = psb_columns_count(cols);
    PSB_THEN(e, X(mat_asb)(new, PSB_DUPL_ADD));
    return X(coo_made)(e, new, blk);
}

psb_err X(sp_fetch_rows)(psb_desc *d, const struct X(spmat) *b, struct psb_columns *cols,
                         struct X(coo_mat) **blk)
{
    struct rows_sent o = { 0 };
    struct psb_msg *in = NULL;
    struct X(coo_mat) *new = NULL;
    int nin = 0;
    psb_err e = psb_agree(d->ctxt, pack_messages(&o, d, b));
    PSB_THEN(e, psb_agree(d->ctxt, psb_exchange(d->ctxt, o.msg, d->plan.send.n, &in, &nin)));
    X(mat_free)(o.made[0]);
    X(mat_free)(o.made[1]);
    psb_free(o.msg);
    psb_free(o.memory);
    PSB_THEN(e, psb_agree(d->ctxt, rows_received(d, in, nin, cols, &new)));
    psb_msgs_free(in, nin);
    if (e == PSB_OK)
        *blk = new;
    else
        X(mat_free)((struct X(mat) *)new);
    return PSB_PASS(e);
}

/* --- rows returned -------------------------------------------------------------------------------------- */

/* An entry: the place of its row among those that the sender has from the row's owner in a halo exchange; its
 * global column, from 0. */
struct returned {
    psb_ipk at;
    psb_lpk j;
    T v;
};

struct entries_sent {
    struct returned *rec;
    struct psb_msg *msg;
    int n;
};

/* A message to each owner of rows that have entries here. */
static psb_err pack_entries(const psb_desc *d, const struct X(coo_mat) *t, const struct psb_columns *cols,
                            struct entries_sent *o)
{
    const struct psb_neighbours *r = &d->plan.recv;
    psb_epk p = 0;
    PSB_TRY(psb_alloc_zero(&o->rec, (size_t)t->mat.nnz, sizeof *o->rec, "entries sent"));
    PSB_TRY(psb_alloc(&o->msg, (size_t)r->n, sizeof *o->msg, "entries sent"));
    for (int k = 0; k < r->n; k++) {
        const psb_epk first = p;
        for (; p < t->mat.nnz && t->ia[p] < r->start[k + 1]; p++)
            o->rec[p] = (struct returned){ t->ia[p] - r->start[k], psb_columns_global(cols, t->ja[p]),
                                           t->val[p] };
        if (p > first)
            o->msg[o->n++] = (struct psb_msg){ r->rank[k], (size_t)(p - first) * sizeof *o->rec,
                                               o->rec + first };
    }
    return PSB_OK;
}

/* Append the entries of a message to c. */
static psb_err append_returned(psb_desc *d, const struct psb_msg *m, struct psb_columns *cols,
                               struct X(coo_mat) *c)
{
    const struct psb_neighbours *s = &d->plan.send;
    const struct returned *rec = m->data;
    const psb_ipk *idx;
    const psb_epk n = (psb_epk)(m->bytes / sizeof *rec);
    int k = 0;
    while (k < s->n && s->rank[k] != m->rank)
        k++;
    PSB_CHECK(k < s->n, PSB_EMPI, "process %d sent entries; expected none", m->rank);
    PSB_TRY(psb_dual_read(&d->plan.idx, PSB_HOST, &idx));
    PSB_TRY(X(coo_reserve)(c, c->mat.nnz + n));
    for (psb_epk i = 0; i < n; i++) {
        const psb_epk p = c->mat.nnz;
        PSB_TRY(psb_columns_add(cols, rec[i].j, &c->ja[p]));
        c->ia[p] = idx[s->start[k] + rec[i].at];
        c->val[p] = rec[i].v;
        c->mat.nnz++;
    }
    return PSB_OK;
}

psb_err X(sp_return_rows)(psb_desc *d, const struct X(coo_mat) *t, struct psb_columns *cols,
                          struct X(coo_mat) *c, psb_err err)
{
    struct entries_sent o = { 0 };
    struct psb_msg *in = NULL;
    int nin = 0;
    PSB_THEN(err, pack_entries(d, t, cols, &o));
    psb_err e = psb_agree(d->ctxt, err);
    PSB_THEN(e, psb_agree(d->ctxt, psb_exchange(d->ctxt, o.msg, o.n, &in, &nin)));
    psb_free(o.rec);
    psb_free(o.msg);
    psb_err here = PSB_OK;
    for (int k = 0; k < nin && e == PSB_OK && here == PSB_OK; k++)
        here = append_returned(d, &in[k], cols, c);
    PSB_THEN(e, psb_agree(d->ctxt, here));
    psb_msgs_free(in, nin);
    if (e == PSB_OK)
        c->mat.ncols = psb_columns_count(cols);
    return PSB_PASS(e);
}

/* --- psb_sphalo ----------------------------------------------------------------------------------------- */

static psb_err check_sphalo(const psb_desc *d, const struct X(spmat) *b, const void *blk, const void *more,
                            const void *n)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_TRY(X(sp_check)(b, "b"));
    PSB_CHECK(d->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument desc is not assembled; expected psb_cdasb before");
    PSB_CHECK(psb_cd_same_rows(d, b->row), PSB_EARG,
              "argument b has rows distributed in another way than argument desc; expected the same way");
    PSB_NEED(blk, "where to store the rows");
    PSB_NEED(more, "where to store the further columns");
    PSB_NEED(n, "where to store the number of further columns");
    return PSB_OK;
}

/* c in the format of mold, and a list of the further columns. */
static psb_err hand_over(struct X(coo_mat) *c, const struct psb_columns *cols, const struct X(mat) *mold,
                         struct X(mat) **blk, psb_lpk **more)
{
    PSB_TRY(psb_alloc(more, cols->more.n, sizeof **more, "further columns"));
    for (size_t i = 0; i < cols->more.n; i++)
        (*more)[i] = cols->list[i] + psb_index_base();
    psb_err e = X(mat_convert)(&c->mat, mold ? mold : &X(csr_mold).mat, blk);
    if (e != PSB_OK)
        psb_free(*more);
    return e;
}

psb_err X(sphalo)(psb_desc *desc, const struct X(spmat) *b, const struct X(mat) *mold, struct X(mat) **blk,
                  psb_lpk **more, psb_ipk *n)
{
    struct X(coo_mat) *c = NULL;
    struct X(mat) *new = NULL;
    psb_lpk *list = NULL;
    PSB_CHECK(desc || b, PSB_EARG, "argument desc is NULL; expected a descriptor");
    psb_ctxt *ctxt = desc ? desc->ctxt : b->row->ctxt;
    PSB_TRY(psb_agree(ctxt, check_sphalo(desc, b, blk, more, n)));
    struct psb_columns cols = { .d = b->col };
    psb_err e = X(sp_fetch_rows)(desc, b, &cols, &c);
    if (e == PSB_OK) {
        const psb_err err = hand_over(c, &cols, mold, &new, &list);
        e = psb_agree(ctxt, err);
        if (e == PSB_OK) {
            *blk = new;
            *more = list;
            *n = (psb_ipk)cols.more.n;
        } else if (err == PSB_OK) {
            X(mat_free)(new);
            psb_free(list);
        }
    }
    X(mat_free)((struct X(mat) *)c);
    psb_columns_free(&cols);
    return PSB_PASS(e);
}
