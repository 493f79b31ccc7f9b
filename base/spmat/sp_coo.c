/* sp_coo.c -- base/spmat: a distributed matrix of arrays of entries with global indices, in one call, and new
 * values in the same pattern: what MatSetPreallocationCOO and MatSetValuesCOO of PETSc do. */
#include "spmat.h"
#include "coll.h"
#include "desc.h"
#include "mat_inside.h"
#include "remote.h"
#include "psb_type.h"

/* An entry for another process; a value for one.  Indices from 0. */
struct coo_sent {
    psb_lpk i, j;
    T val;
};
struct coo_value {
    psb_lpk i;
    T val;
};

/* A psb_sp_coo in progress. */
struct coo_call {
    psb_desc *row, *col;
    struct psb_dual ia, ja, val; /* the caller's */
    struct X(dev_coo) *dev;      /* the entries, if the device of the format takes them; or NULL */
    /* The n entries that the host looks at: entry k is that of number src[k] in the arrays, or k if src is
     * NULL; all of them, or the rest of dev. */
    psb_epk n;
    const psb_epk *src;
    const psb_lpk *i, *j;
    const T *v;
    /* Received from other processes, in the order of their ranks. */
    psb_epk nrecv;
    psb_lpk *recv_i, *recv_j;
    T *recv_v;
    psb_ipk *near_i, *near_j; /* local numbers of those received, for dev */
    struct X(coo_plan) *plan;
};

/* --- the plan ------------------------------------------------------------------------------------------- */

static void free_sources(struct psb_sources *s)
{
    psb_dual_free(&s->order);
    psb_dual_free(&s->place);
}

void X(sp_drop_coo_plan)(struct X(spmat) *a)
{
    struct X(coo_plan) *p = a->coo;
    if (!p)
        return;
    for (int t = 0; t < 2; t++) {
        free_sources(&p->part[t]);
        X(mat_free)(p->rows[t]);
    }
    psb_free(p->far);
    psb_free(p->far_row);
    psb_free(p);
    a->coo = NULL;
}

size_t X(sp_coo_bytes)(const struct X(spmat) *a)
{
    const struct X(coo_plan) *p = a->coo;
    if (!p)
        return 0;
    size_t bytes = sizeof *p + (size_t)p->nfar * (sizeof *p->far + sizeof *p->far_row);
    for (int t = 0; t < 2; t++)
        bytes += p->part[t].order.bytes + p->part[t].place.bytes + X(mat_bytes)(p->rows[t]);
    return bytes;
}

/* --- the arrays ----------------------------------------------------------------------------------------- */

static const struct psb_device *place_of_arrays(const struct psb_vmold *where)
{
    return where && where->device ? where->device() : NULL;
}

/* Let d be the n elements at p, on device `on` or, if that is NULL, on the host. */
static psb_err use_array(struct psb_dual *d, const struct psb_device *on, psb_epk n, size_t size,
                         const void *p, const char *name)
{
    PSB_CHECK(p || n == 0, PSB_EARG, "argument %s is NULL; expected %" PRId64 " entries", name, n);
    PSB_TRY(psb_dual_check(on, name, p, size));
    return psb_dual_lend(d, (size_t)n, size, on, name, on ? PSB_DEV : PSB_HOST, p);
}

static void free_split(struct X(dev_coo) *c)
{
    psb_dual_free(&c->i);
    psb_dual_free(&c->j);
    psb_free(c->rest);
    psb_free(c->rest_i);
    psb_free(c->rest_j);
    psb_free(c->rest_val);
    free_sources(&c->made);
}

/* Let the device of the format take the entries, if they are there, and rows and columns are consecutive. */
static psb_err open_on_device(struct coo_call *q, const struct X(mat) *mold, struct X(dev_coo) *c)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(mold);
    const struct psb_map *r = q->row->map, *s = q->col->map;
    if (!q->val.on || !dev->storage || !dev->storage->split || dev->device() != q->val.on || !r->one_run ||
        !s->one_run)
        return PSB_OK;
    *c = (struct X(dev_coo)){ .on = q->val.on,
                              .nz = q->plan->nz,
                              .ia = q->ia.dev,
                              .ja = q->ja.dev,
                              .val = q->val.dev,
                              .base = psb_index_base(),
                              .rows = r->nglob,
                              .cols = s->nglob,
                              .first_row = r->lo,
                              .first_col = s->lo,
                              .m = r->nrow,
                              .n = s->nrow };
    const psb_err e = dev->storage->split(c);
    if (e != PSB_OK) {
        free_split(c);
        return e == PSB_ENOTIMPL ? PSB_OK : e;
    }
    q->dev = c;
    q->n = c->nrest;
    q->src = c->rest;
    q->i = c->rest_i;
    q->j = c->rest_j;
    q->v = c->rest_val;
    return PSB_OK;
}

static psb_err open_on_host(struct coo_call *q)
{
    q->n = q->plan->nz;
    PSB_TRY(psb_dual_read(&q->ia, PSB_HOST, &q->i));
    PSB_TRY(psb_dual_read(&q->ja, PSB_HOST, &q->j));
    PSB_TRY(psb_dual_read(&q->val, PSB_HOST, &q->v));
    PSB_TRY(psb_desc_check(q->row, q->n, q->i, "ia"));
    return psb_desc_check(q->col, q->n, q->j, "ja");
}

static bool is_far(const struct coo_call *q, psb_epk k)
{
    return psb_map_g2l(q->row->map, psb_from_0(q->i[k])) < 0;
}

/* List the entries of rows owned elsewhere in the plan. */
static psb_err list_far(struct coo_call *q)
{
    struct X(coo_plan) *p = q->plan;
    for (psb_epk k = 0; k < q->n; k++)
        p->nfar += is_far(q, k);
    PSB_TRY(psb_alloc(&p->far, (size_t)p->nfar, sizeof *p->far, "entries for other processes"));
    PSB_TRY(psb_alloc(&p->far_row, (size_t)p->nfar, sizeof *p->far_row, "entries for other processes"));
    for (psb_epk k = 0, f = 0; f < p->nfar; k++)
        if (is_far(q, k)) {
            p->far[f] = q->src ? q->src[k] : k;
            p->far_row[f++] = psb_from_0(q->i[k]);
        }
    return p->nfar ? PSB_PASS(psb_remote_check(q->row, PSB_REMOTE_SEND)) : PSB_OK;
}

/* --- entries for other processes ------------------------------------------------------------------------ */

static psb_err keep_sent(const struct coo_call *q, struct psb_remote *r)
{
    PSB_TRY(psb_remote_reserve(r, q->plan->nfar));
    for (psb_epk k = 0; k < q->n && r->n < q->plan->nfar; k++)
        if (is_far(q, k))
            psb_remote_push(r, &(struct coo_sent){ psb_from_0(q->i[k]), psb_from_0(q->j[k]), q->v[k] });
    return PSB_OK;
}

static psb_err take_received(struct coo_call *q, const struct psb_msg *in, int nin)
{
    const psb_lpk base = psb_index_base();
    psb_epk n = 0, p = 0;
    for (int k = 0; k < nin; k++)
        n += (psb_epk)(in[k].bytes / sizeof(struct coo_sent));
    PSB_TRY(psb_alloc(&q->recv_i, (size_t)n, sizeof *q->recv_i, "entries received"));
    PSB_TRY(psb_alloc(&q->recv_j, (size_t)n, sizeof *q->recv_j, "entries received"));
    PSB_TRY(psb_alloc(&q->recv_v, (size_t)n, sizeof *q->recv_v, "entries received"));
    for (int k = 0; k < nin; k++) {
        const struct coo_sent *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f; i++, p++) {
            q->recv_i[p] = f[i].i + base;
            q->recv_j[p] = f[i].j + base;
            q->recv_v[p] = f[i].val;
        }
    }
    q->nrecv = q->plan->nrecv = n;
    return PSB_OK;
}

/* Collective. */
static psb_err exchange_coo(struct coo_call *q, psb_err err)
{
    struct psb_remote r = { .size = sizeof(struct coo_sent) };
    struct psb_msg *in = NULL;
    int nin = 0;
    PSB_THEN(err, keep_sent(q, &r));
    q->plan->sends = r.n > 0;
    err = psb_reduce(q->row->ctxt, PSB_MAX, PSB_KIND_i, 1, &q->plan->sends, err);
    if (err == PSB_OK && q->plan->sends) {
        err = psb_remote_send(&r, q->row, &in, &nin);
        PSB_THEN(err, psb_agree(q->row->ctxt, take_received(q, in, nin)));
        psb_msgs_free(in, nin);
    }
    psb_remote_free(&r);
    return err;
}

/* The local numbers of the entries received, for the device: row m for a column of another process. */
static psb_err number_received(struct coo_call *q)
{
    struct X(dev_coo) *c = q->dev;
    PSB_TRY(psb_alloc(&q->near_i, (size_t)q->nrecv, sizeof *q->near_i, "entries received"));
    PSB_TRY(psb_alloc(&q->near_j, (size_t)q->nrecv, sizeof *q->near_j, "entries received"));
    for (psb_epk k = 0; k < q->nrecv; k++) {
        const psb_ipk j = psb_map_g2l(q->col->map, psb_from_0(q->recv_j[k]));
        q->near_i[k] = j < 0 ? c->m : psb_map_g2l(q->row->map, psb_from_0(q->recv_i[k]));
        q->near_j[k] = j < 0 ? 0 : j;
        c->nfar += j < 0;
    }
    c->more = q->nrecv;
    c->more_i = q->near_i;
    c->more_j = q->near_j;
    c->more_val = q->recv_v;
    return PSB_OK;
}

/* Entries of rows owned elsewhere are not inserted: their owners have them. */
static psb_err insert(struct coo_call *q, struct X(spmat) *a)
{
    PSB_TRY(X(sp_set_remote)(a, PSB_REMOTE_DROP));
    PSB_TRY(X(spins)(q->n, q->i, q->j, q->v, a));
    PSB_TRY(X(spins)(q->nrecv, q->recv_i, q->recv_j, q->recv_v, a));
    a->dropped = 0;
    if (!q->dev)
        return PSB_OK;
    a->given = q->dev;
    return number_received(q);
}

psb_err X(sp_fetch_given)(struct X(spmat) *a)
{
    const struct X(dev_coo) *c = a->given;
    const psb_ipk *i, *j;
    struct X(mat) *new;
    PSB_TRY(psb_dual_read(&c->i, PSB_HOST, &i));
    PSB_TRY(psb_dual_read(&c->j, PSB_HOST, &j));
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, c->m, 0, 0, &new));
    struct X(coo_mat) *b = (struct X(coo_mat) *)new;
    psb_err e = X(coo_reserve)(b, c->nz + a->build->mat.nnz);
    PSB_THEN(e, psb_get(c->on, b->val, c->val, (size_t)c->nz * sizeof(T), "COO values"));
    for (psb_epk k = 0; k < c->nz && e == PSB_OK; k++)
        if (i[k] < c->m) {
            const psb_epk p = b->mat.nnz++;
            b->ia[p] = i[k];
            b->ja[p] = j[k];
            b->val[p] = b->val[k];
        }
    PSB_THEN(e, X(coo_append)(b, a->build->mat.nnz, a->build->ia, a->build->ja, a->build->val));
    if (e != PSB_OK) {
        X(mat_free)(new);
        return PSB_PASS(e);
    }
    X(mat_free)(&a->build->mat);
    a->build = b;
    a->given = NULL;
    return PSB_OK;
}

/* --- the sources of the values -------------------------------------------------------------------------- */

/* The parts of an assembled matrix by rows. */
struct coo_parts {
    const struct X(spmat) *a;
    struct X(compressed) l[2];
    struct X(mat) *made[2];
    const psb_ipk *bnd;
};

/* The value of the part *t that entry (i, j) has gone into; -1 for an entry of another process. */
static psb_epk value_of(const struct coo_parts *p, psb_lpk gi, psb_lpk gj, int *t)
{
    const psb_ipk n = p->a->col->map->nrow;
    psb_ipk i = psb_map_g2l(p->a->row->map, psb_from_0(gi)), j;
    if (i < 0)
        return -1;
    j = psb_desc_slot_to_loc(p->a->col, psb_desc_slot_of(p->a->col, psb_from_0(gj)));
    *t = j >= n;
    if (!p->l[*t].ptr) /* the device finds it */
        return -1;
    if (*t) {
        i = psb_find_ascending(i, p->bnd, p->l[1].n);
        j -= n;
    }
    const psb_epk from = p->l[*t].ptr[i];
    return from + psb_first_from(p->l[*t].idx + from, 1, p->l[*t].ptr[i + 1] - from, j);
}

/* Sort the n entries with at[k] >= 0 by their value at[k] of nnz; entry k is source number of k. */
static psb_err sort_sources(struct psb_sources *s, psb_epk n, const psb_epk *at, psb_epk nnz,
                            const struct coo_call *q, const struct psb_device *on)
{
    psb_epk *start, *order, *place;
    PSB_TRY(psb_alloc_zero(&start, (size_t)nnz + 1, sizeof *start, "places of entries"));
    s->n = 0;
    for (psb_epk k = 0; k < n; k++)
        if (at[k] >= 0) {
            start[at[k] + 1]++;
            s->n++;
        }
    psb_err e = psb_dual_init(&s->order, (size_t)s->n, sizeof *order, on, "the order of entries");
    PSB_THEN(e, psb_dual_init(&s->place, (size_t)s->n + 1, sizeof *place, on, "places of entries"));
    PSB_THEN(e, psb_dual_write(&s->order, PSB_HOST, &order));
    PSB_THEN(e, psb_dual_write(&s->place, PSB_HOST, &place));
    if (e == PSB_OK) {
        for (psb_epk p = 0; p < nnz; p++)
            start[p + 1] += start[p];
        place[0] = 0;
        for (psb_epk p = 0; p < nnz; p++)
            for (psb_epk k = start[p]; k < start[p + 1]; k++)
                place[k + 1] = p + 1;
        for (psb_epk k = 0; k < n; k++)
            if (at[k] >= 0)
                order[start[at[k]]++] = k >= q->n ? q->plan->nz + k - q->n : q->src ? q->src[k] : k;
    }
    psb_free(start);
    return e;
}

/* Find the values of the entries that the host looks at, and of those received. */
static psb_err find_sources(struct coo_call *q, const struct coo_parts *p)
{
    const psb_epk n = q->n + q->nrecv;
    psb_epk *at[2] = { NULL, NULL };
    psb_err e = psb_alloc(&at[0], (size_t)n, sizeof *at[0], "places of entries");
    PSB_THEN(e, psb_alloc(&at[1], (size_t)n, sizeof *at[1], "places of entries"));
    for (psb_epk k = 0; k < n && e == PSB_OK; k++) {
        int t = 0;
        const bool here = k < q->n;
        const psb_epk v = value_of(p, here ? q->i[k] : q->recv_i[k - q->n],
                                   here ? q->j[k] : q->recv_j[k - q->n], &t);
        at[t][k] = v;
        at[!t][k] = -1;
    }
    if (!p->a->given) /* else the device has found those of owned columns */
        PSB_THEN(e, sort_sources(&q->plan->part[0], n, at[0], p->a->ad->nnz, q, p->a->ad->on));
    PSB_THEN(e, sort_sources(&q->plan->part[1], n, at[1], p->a->ah->nnz, q, p->a->ah->on));
    psb_free(at[0]);
    psb_free(at[1]);
    return e;
}

static psb_err make_plan(struct coo_call *q, struct X(spmat) *a)
{
    struct coo_parts p = { .a = a };
    struct X(coo_plan) *plan = q->plan;
    psb_err e = psb_dual_read(&a->bnd, PSB_HOST, &p.bnd);
    if (a->given) {
        plan->part[0] = q->dev->made;
        q->dev->made = (struct psb_sources){ 0 };
    } else {
        PSB_THEN(e, X(csr_view)(a->ad, &p.l[0], &p.made[0]));
        if (q->dev) { /* the device has left it to the host */
            q->src = NULL;
            PSB_THEN(e, open_on_host(q));
        }
    }
    PSB_THEN(e, X(csr_view)(a->ah, &p.l[1], &p.made[1]));
    PSB_THEN(e, find_sources(q, &p));
    X(mat_free)(p.made[0]);
    X(mat_free)(p.made[1]);
    return e;
}

/* --- the call ------------------------------------------------------------------------------------------- */

psb_err X(sp_check_new)(const void *a, const psb_desc *row, const psb_desc *col, const struct X(mat) *mold)
{
    PSB_NEED(a, "where to store the matrix");
    PSB_NEED_HANDLE(col, "a descriptor");
    PSB_CHECK(psb_cd_ctxt(row) == psb_cd_ctxt(col), PSB_EARG,
              "arguments row and col belong to two contexts; expected one");
    return PSB_PASS(X(need_mold)(mold));
}

static psb_err check_entries(psb_epk nz, enum psb_dupl dupl)
{
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_TRY(psb_dupl_check(dupl));
    return PSB_OK;
}

psb_err X(sp_cdasb)(psb_desc *row, psb_desc *col)
{
    psb_err e = row->state == PSB_BUILD ? psb_cdasb(row) : PSB_OK;
    if (e == PSB_OK && col->state == PSB_BUILD)
        e = psb_cdasb(col);
    return PSB_PASS(e);
}

/* *new = the matrix; what q has is freed by the caller.  Collective. */
static psb_err assemble_coo(struct coo_call *q, const struct X(mat) *mold, enum psb_dupl dupl, psb_err err,
                            struct X(spmat) **new)
{
    psb_ctxt *const ctxt = q->row->ctxt;
    err = exchange_coo(q, err);
    if (err != PSB_OK)
        return err;
    err = X(spall2)(new, q->row, q->col, q->dev ? 0 : q->n);
    PSB_THEN(err, insert(q, *new));
    err = psb_agree(ctxt, err);
    PSB_THEN(err, X(sp_cdasb)(q->row, q->col));
    PSB_THEN(err, X(spasb)(*new, mold, dupl));
    if (err == PSB_OK)
        err = psb_agree(ctxt, make_plan(q, *new));
    if (*new) {
        (*new)->given = NULL;
        (*new)->coo = q->plan;
        q->plan = NULL;
    }
    return err;
}

static void free_call(struct coo_call *q)
{
    if (q->dev)
        free_split(q->dev);
    psb_dual_free(&q->ia);
    psb_dual_free(&q->ja);
    psb_dual_free(&q->val);
    psb_free(q->recv_i);
    psb_free(q->recv_j);
    psb_free(q->recv_v);
    psb_free(q->near_i);
    psb_free(q->near_j);
    X(sp_drop_coo_plan)(&(struct X(spmat)){ .coo = q->plan });
}

psb_err X(sp_coo)(struct X(spmat) **a, psb_desc *row, psb_desc *col, const struct psb_vmold *where,
                  psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val, const struct X(mat) *mold,
                  enum psb_dupl dupl)
{
    const struct psb_device *on = place_of_arrays(where);
    struct coo_call q = { .row = row, .col = col };
    struct X(dev_coo) c;
    struct X(spmat) *new = NULL;
    PSB_NEED_HANDLE(row, "a descriptor");
    psb_err e = X(sp_check_new)(a, row, col, mold);
    PSB_THEN(e, check_entries(nz, dupl));
    PSB_THEN(e, psb_alloc_zero(&q.plan, 1, sizeof *q.plan, "plan of a matrix"));
    e = psb_agree(row->ctxt, e);
    if (e != PSB_OK) {
        free_call(&q);
        return PSB_PASS(e);
    }
    q.plan->nz = nz;
    q.plan->overwrite = dupl == PSB_DUPL_OVERWRITE;
    e = use_array(&q.ia, on, nz, sizeof *ia, ia, "ia");
    PSB_THEN(e, use_array(&q.ja, on, nz, sizeof *ja, ja, "ja"));
    PSB_THEN(e, use_array(&q.val, on, nz, sizeof *val, val, "val"));
    PSB_THEN(e, open_on_device(&q, mold, &c));
    if (!q.dev)
        PSB_THEN(e, open_on_host(&q));
    PSB_THEN(e, list_far(&q));
    e = assemble_coo(&q, mold, dupl, e, &new);
    free_call(&q);
    if (e != PSB_OK)
        X(spfree)(new);
    else
        *a = new;
    return PSB_PASS(e);
}

/* --- new values ----------------------------------------------------------------------------------------- */

/* The value of each entry for another process, in *out, from the caller's device if they are there. */
static psb_err far_values(const struct X(coo_plan) *p, const struct psb_dual *val, T **out)
{
    const size_t n = (size_t)p->nfar;
    const T *v;
    struct psb_dual idx = { 0 }, packed = { 0 };
    psb_ipk *list;
    T *to;
    PSB_TRY(psb_alloc(out, n, sizeof **out, "values for other processes"));
    if (!val->on || p->nz > INT32_MAX) {
        PSB_TRY(psb_dual_read(val, PSB_HOST, &v));
        for (size_t f = 0; f < n; f++)
            (*out)[f] = v[p->far[f]];
        return PSB_OK;
    }
    psb_err e = psb_dual_init(&idx, n, sizeof *list, val->on, "entries for other processes");
    PSB_THEN(e, psb_dual_write(&idx, PSB_HOST, &list));
    for (size_t f = 0; f < n && e == PSB_OK; f++)
        list[f] = (psb_ipk)p->far[f];
    PSB_THEN(e, psb_dual_read(&idx, PSB_DEV, &list));
    PSB_THEN(e, psb_dual_read(val, PSB_DEV, &v));
    PSB_THEN(e, psb_dual_init(&packed, n, sizeof *to, val->on, "values for other processes"));
    PSB_THEN(e, psb_dual_write(&packed, PSB_DEV, &to));
    PSB_THEN(e, X(gather_rows)(val->on, (psb_ipk)n, list, sizeof *to, v, to));
    PSB_THEN(e, psb_get(val->on, *out, to, n * sizeof *to, "values for other processes"));
    psb_dual_free(&idx);
    psb_dual_free(&packed);
    return e;
}

static psb_err keep_values(const struct X(coo_plan) *p, const struct psb_dual *val, struct psb_remote *r)
{
    T *v = NULL;
    psb_err e = psb_remote_reserve(r, p->nfar);
    PSB_THEN(e, far_values(p, val, &v));
    for (psb_epk f = 0; f < p->nfar && e == PSB_OK; f++)
        psb_remote_push(r, &(struct coo_value){ p->far_row[f], v[f] });
    psb_free(v);
    return e;
}

/* *more: the values received, in the order of the entries received. */
static psb_err take_values(const struct X(coo_plan) *p, const struct psb_msg *in, int nin,
                           struct psb_dual *more)
{
    psb_epk n = 0;
    T *to;
    PSB_TRY(psb_dual_write(more, PSB_HOST, &to));
    for (int k = 0; k < nin; k++) {
        const struct coo_value *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f && n < p->nrecv; i++)
            to[n++] = f[i].val;
    }
    PSB_CHECK(n == p->nrecv, PSB_EMPI, "%" PRId64 " values were received; expected %" PRId64, n, p->nrecv);
    return PSB_OK;
}

/* Collective, if any process has entries of others. */
static psb_err exchange_values(const struct X(spmat) *a, const struct psb_dual *val, struct psb_dual *more)
{
    struct psb_remote r = { .size = sizeof(struct coo_value) };
    struct psb_msg *in = NULL;
    int nin = 0;
    psb_err e = psb_agree(a->row->ctxt, keep_values(a->coo, val, &r));
    PSB_THEN(e, psb_remote_send(&r, a->row, &in, &nin));
    PSB_THEN(e, psb_agree(a->row->ctxt, take_values(a->coo, in, nin, more)));
    psb_msgs_free(in, nin);
    psb_remote_free(&r);
    return e;
}

/* The values of a, which is stored as CSR on the host; arguments as the slot refill of a device. */
static psb_err refill_on_host(struct X(mat) *a, const struct psb_sources *s, psb_epk nz, const T *val,
                              const T *more, bool overwrite)
{
    const psb_epk *order = NULL, *place;
    T *to;
    if (s->order.valid)
        PSB_TRY(psb_dual_read(&s->order, PSB_HOST, &order));
    PSB_TRY(psb_dual_read(&s->place, PSB_HOST, &place));
    PSB_TRY(psb_dual_write(&((struct X(csr_mat) *)a)->val, PSB_HOST, &to));
    for (psb_epk k = 0; k < s->n; k++) {
        const psb_epk from = order ? order[k] : k, at = place[k + 1] - 1;
        const T v = from < nz ? val[from] : more[from - nz];
        to[at] = place[k] == place[k + 1] && !overwrite ? to[at] + v : v;
    }
    return PSB_OK;
}

static psb_err refill_part(struct X(mat) *a, struct X(coo_plan) *p, int t, const struct psb_dual *val,
                           const struct psb_dual *more)
{
    const struct X(mat_dev_storage) *dev = a->on ? X(mat_dev)(a)->storage : NULL;
    const bool there = dev && dev->refill && val->on == a->on;
    const enum psb_side s = there ? PSB_DEV : PSB_HOST;
    const T *v, *w;
    PSB_TRY(psb_dual_move(&p->part[t].order, a->on));
    PSB_TRY(psb_dual_move(&p->part[t].place, a->on));
    PSB_TRY(psb_dual_read(val, s, &v));
    PSB_TRY(psb_dual_read(more, s, &w));
    return (there ? dev->refill : refill_on_host)(a, &p->part[t], p->nz, v, w, p->overwrite);
}

/* *rows: the pattern of a, which may be in another format, in CSR where a is. */
static psb_err keep_pattern(const struct X(mat) *a, struct X(mat) **rows)
{
    const struct X(mat) *mold = a->on ? X(mat_halo_mold)(a) : &X(csr_mold).mat;
    return *rows ? PSB_OK : X(mat_convert)(a, X(mat_is_csr)(mold) ? mold : &X(csr_mold).mat, rows);
}

/* The values of both parts: in place, or, for other formats than CSR, in new parts. */
static psb_err refill_parts(const struct X(spmat) *a, const struct psb_dual *val, const struct psb_dual *more,
                            struct X(spmat) *new)
{
    struct X(coo_plan) *p = a->coo;
    const psb_ipk *bnd;
    const bool in_place = X(mat_is_csr)(a->ad) && X(mat_is_csr)(a->ah);
    if (!in_place) {
        PSB_TRY(keep_pattern(a->ad, &p->rows[0]));
        PSB_TRY(keep_pattern(a->ah, &p->rows[1]));
    }
    PSB_TRY(refill_part(in_place ? a->ad : p->rows[0], p, 0, val, more));
    PSB_TRY(refill_part(in_place ? a->ah : p->rows[1], p, 1, val, more));
    if (in_place)
        return PSB_OK;
    PSB_TRY(X(mat_convert)(p->rows[0], a->ad, &new->ad));
    PSB_TRY(X(mat_convert)(p->rows[1], a->ah, &new->ah));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    return X(sp_boundary)(a->ah->nrows, bnd, new->ah->on, &new->bnd, &new->part);
}

static psb_err check_refill(const struct X(spmat) *a, psb_epk nz)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(
        a->coo, PSB_ESTATE,
        "argument a has not been made by psb_sp_coo, or its pattern has changed since; expected the same "
        "pattern");
    PSB_CHECK(nz == a->coo->nz, PSB_EARG,
              "argument nz is %" PRId64 "; expected %" PRId64 ", the entries of psb_sp_coo here", nz,
              a->coo->nz);
    return PSB_OK;
}

psb_err X(sp_coo_again)(struct X(spmat) *a, const struct psb_vmold *where, psb_epk nz, const T *val)
{
    struct psb_dual v = { 0 }, more = { 0 };
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *const ctxt = a->row->ctxt;
    const struct psb_device *on = place_of_arrays(where);
    psb_err e = check_refill(a, nz);
    PSB_THEN(e, use_array(&v, on, nz, sizeof *val, val, "val"));
    if (e == PSB_OK && !on)
        e = psb_dual_move(&v, a->ad->on);
    PSB_THEN(e, psb_dual_init(&more, (size_t)a->coo->nrecv, sizeof *val, v.on, "values received"));
    if (e == PSB_OK)
        psb_dual_zeros(&more);
    e = psb_agree(ctxt, e);
    if (e == PSB_OK && a->coo->sends)
        e = exchange_values(a, &v, &more);
    if (e == PSB_OK)
        e = psb_agree(ctxt, refill_parts(a, &v, &more, &new));
    psb_dual_free(&v);
    psb_dual_free(&more);
    if (e == PSB_OK && new.ad)
        X(sp_move_parts)(a, &new);
    else
        X(sp_drop_parts)(&new);
    return PSB_PASS(e);
}
