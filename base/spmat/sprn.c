/* sprn.c -- room: base/spmat.  New values in the pattern of an assembled matrix: the state UPDATE. */
#include <string.h>
#include "psb_base.h"
#include "desc.h"
#include "mat_inside.h"
#include "psb_type.h"

enum { FIRST = 64 }; /* entries there is room for at first */

/* Entries k .. k+n-1 of a psb_spins, which are those of rows i .. i+m-1 of the part d, all and in order. */
struct run {
    psb_epk k, n;
    psb_ipk i, m;
};

/* The parts that take values (those of the matrix itself where its format can), and the entries of
 * one psb_spins in local numbers. */
struct X(refill) {
    struct X(mat) *d, *h;
    int made;          /* d and h are copies */
    char *old;         /* rows of d whose values are still those of before, to be taken for 0; or NULL */
    psb_ipk *boundary; /* local row -> row of ah, -1 for none */
    struct X(coo_mat) *to_d, *to_h;
    struct run *run; /* entries that come as they are stored */
    psb_epk nrun, runs;
};

static void drop_refill(struct X(refill) *r)
{
    if (!r)
        return;
    if (r->made) {
        X(mat_free)(r->d);
        X(mat_free)(r->h);
    }
    X(mat_free)((struct X(mat) *)r->to_d);
    X(mat_free)((struct X(mat) *)r->to_h);
    psb_free(r->old);
    psb_free(r->boundary);
    psb_free(r->run);
    psb_free(r);
}

static psb_err find_boundary(struct X(spmat) *a, struct X(refill) *r)
{
    const psb_ipk *rows;
    psb_ipk m = a->row->map.nrow;
    PSB_TRY(psb_alloc(&r->boundary, (size_t)m, sizeof *r->boundary, "boundary rows"));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
    for (psb_ipk i = 0; i < m; i++)
        r->boundary[i] = -1;
    for (psb_ipk i = 0; i < a->ah->nrows; i++)
        r->boundary[rows[i]] = i;
    return PSB_OK;
}

/* --- values that are 0 until others come: a row is cleared when it is met, or never --------------------- */

static int in_rows(const struct X(refill) *r)
{
    return r->d->ops == X(csr_mold).mat.ops;
}

static psb_err clear_values(struct X(refill) *r)
{
    size_t m = (size_t)r->d->nrows;
    if (!in_rows(r))
        PSB_TRY(X(mat_zero_vals)(r->d));
    else
        PSB_TRY(psb_alloc(&r->old, m, sizeof *r->old, "refill"));
    if (r->old)
        memset(r->old, 1, m);
    return X(mat_zero_vals)(r->h);
}

static void clear_row(struct X(refill) *r, const psb_epk *irp, psb_ipk i, T *val)
{
    if (r->old && r->old[i])
        memset(val + irp[i], 0, (size_t)(irp[i + 1] - irp[i]) * sizeof *val);
    if (r->old)
        r->old[i] = 0;
}

/* Rows i[0..n) of d, or all where i is NULL. */
static psb_err clear_rows(struct X(refill) *r, psb_epk n, const psb_ipk *i)
{
    struct X(csr_mat) *d = (struct X(csr_mat) *)r->d;
    const psb_epk *irp;
    T *val;
    if (!r->old || n == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&d->irp, PSB_HOST, &irp));
    PSB_TRY(psb_dual_update(&d->val, PSB_HOST, &val));
    for (psb_epk k = 0; k < n; k++)
        clear_row(r, irp, i ? i[k] : (psb_ipk)k, val);
    return PSB_OK;
}

/* --- the state ------------------------------------------------------------------------------------------ */

static psb_err open_refill(struct X(spmat) *a, struct X(refill) *r, int clear)
{
    struct X(mat) *to_d, *to_h;
    PSB_TRY(find_boundary(a, r));
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, 0, 0, 0, &to_d));
    r->to_d = (struct X(coo_mat) *)to_d;
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, 0, 0, 0, &to_h));
    r->to_h = (struct X(coo_mat) *)to_h;
    r->made = !X(mat_can_put)(a->ad);
    r->d = r->made ? NULL : a->ad;
    r->h = r->made ? NULL : a->ah;
    if (r->made) {
        PSB_TRY(X(mat_convert)(a->ad, &X(csr_mold).mat, &r->d));
        PSB_TRY(X(mat_convert)(a->ah, &X(csr_mold).mat, &r->h));
    }
    return clear ? clear_values(r) : PSB_OK;
}

psb_err X(sprn)(struct X(spmat) *a, int clear)
{
    struct X(refill) *r;
    PSB_NEED(a, "a matrix");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the matrix is not assembled; expected psb_spasb before");
    PSB_TRY(psb_alloc_zero(&r, 1, sizeof *r, "refill"));
    psb_err e = open_refill(a, r, clear);
    if (e != PSB_OK) {
        drop_refill(r);
        return e;
    }
    a->refill = r;
    a->state = PSB_UPDATE;
    return PSB_OK;
}

psb_err X(sp_close_refill)(struct X(spmat) *a, const struct X(mat) *mold, struct X(spmat) *new)
{
    struct X(refill) *r = a->refill;
    const struct X(mat) *to = mold ? mold : a->ad;
    const psb_ipk *rows;
    PSB_TRY(clear_rows(r, r->d->nrows, NULL));
    if (mold || r->made) {
        PSB_TRY(X(mat_convert)(r->d, to, &new->ad));
        PSB_TRY(X(mat_convert)(r->h, to, &new->ah));
        PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
        PSB_TRY(X(sp_boundary)(a->ah->nrows, rows, new->ah->on, &new->bnd, &new->part));
    }
    return PSB_OK;
}

void X(sp_drop_refill)(struct X(spmat) *a)
{
    drop_refill(a->refill);
    a->refill = NULL;
}

/* --- rows that come as they are stored: the common case ------------------------------------------------- */

/* Rows of d, where it is in compressed rows over columns that are one run of indices, from `first` on. */
struct rows {
    const psb_epk *irp;
    const psb_ipk *ja;
    psb_lpk first;
};

static int open_rows(const struct X(spmat) *a, const struct X(refill) *r, struct rows *h)
{
    struct X(csr_mat) *d = (struct X(csr_mat) *)r->d;
    if (!in_rows(r) || !a->col->map.one_run)
        return 0;
    h->first = a->col->map.lo + psb_index_base();
    return psb_dual_read(&d->irp, PSB_HOST, &h->irp) == PSB_OK &&
           psb_dual_read(&d->ja, PSB_HOST, &h->ja) == PSB_OK;
}

/* How many entries from k on are those of local row i, all of them, in order; 0 where it is otherwise. */
static inline psb_epk as_stored(const struct rows *h, psb_ipk i, psb_epk nz, psb_epk k, const psb_lpk *ia,
                                const psb_lpk *ja)
{
    const psb_ipk *stored = h->ja + h->irp[i];
    psb_epk n = h->irp[i + 1] - h->irp[i];
    uint64_t differ = 0;
    if (n > nz - k || (n < nz - k && ia[k + n] == ia[k]))
        return 0;
    for (psb_epk t = 0; t < n; t++)
        differ |= (uint64_t)(ia[k + t] ^ ia[k]) |
                  (((uint64_t)ja[k + t] - (uint64_t)h->first) ^ (uint64_t)stored[t]);
    return differ ? 0 : n;
}

/* --- all others, by local numbers ----------------------------------------------------------------------- */

static psb_err not_stored(psb_lpk i, psb_lpk j)
{
    return PSB_FAIL(PSB_EARG,
                    "row %" PRId64 ", column %" PRId64
                    " is not in the matrix; expected one of its entries in state UPDATE",
                    i, j);
}

static psb_err look(struct X(mat) *part, psb_epk n, const psb_ipk *ia, const psb_ipk *ja)
{
    WITH_SLOT(k, part, csput);
    return n ? k->csput(part, n, ia, ja, NULL, PSB_DUPL_ADD) : PSB_OK;
}

/* All at once, as is best on a device: it may have no memory for that, and then nothing has changed. */
static int put_all(struct X(mat) *part, const struct X(coo_mat) *b, enum psb_dupl how)
{
    WITH_SLOT(k, part, csput);
    if (!part->on || b->mat.nnz == 0)
        return 0;
    psb_expect_errors(1);
    psb_err e = k->csput(part, b->mat.nnz, b->ia, b->ja, b->val, how);
    psb_expect_errors(0);
    return e == PSB_OK;
}

/* Entries that are there: so few at a time that no memory is asked for. */
static psb_err put(struct X(mat) *part, const struct X(coo_mat) *b, enum psb_dupl how)
{
    WITH_SLOT(k, part, csput);
    if (put_all(part, b, how))
        return PSB_OK;
    for (psb_epk i = 0; i < b->mat.nnz; i += PSB_FEW_ENTRIES) {
        psb_epk n = b->mat.nnz - i < PSB_FEW_ENTRIES ? b->mat.nnz - i : PSB_FEW_ENTRIES;
        PSB_TRY(k->csput(part, n, b->ia + i, b->ja + i, b->val + i, how));
    }
    return PSB_OK;
}

/* Are all entries of b in the part?  One that is not is named as callers know it. */
static psb_err all_stored(struct X(spmat) *a, struct X(mat) *part, const struct X(coo_mat) *b, int halo)
{
    const psb_ipk *bnd;
    psb_err e = look(part, b->mat.nnz, b->ia, b->ja);
    if (e != PSB_EARG)
        return e;
    (void)psb_pop_errmsg(NULL, 0);
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (look(part, 1, &b->ia[k], &b->ja[k]) == PSB_EARG) {
            (void)psb_pop_errmsg(NULL, 0);
            return not_stored(psb_loc_to_glob(a->row, halo ? bnd[b->ia[k]] : b->ia[k]),
                              psb_loc_to_glob(a->col, b->ja[k] + (halo ? a->col->map.nrow : 0)));
        }
    return e;
}

static psb_err push(struct X(coo_mat) *b, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = b->mat.nnz;
    if (k == b->cap)
        PSB_TRY(X(coo_reserve)(b, k + k / 2 + FIRST));
    b->mat.nnz++;
    b->ia[k] = i;
    b->ja[k] = j;
    b->val[k] = v;
    return PSB_OK;
}

/* Entries k .. end-1, all of local row i (-1: of another process), dealt to the two parts. */
static psb_err deal(const struct X(spmat) *a, struct X(refill) *r, psb_ipk i, psb_epk k, psb_epk end,
                    const psb_lpk *ia, const psb_lpk *ja, const T *val)
{
    const psb_ipk n = a->col->map.nrow;
    for (; k < end; k++) {
        psb_ipk slot = i < 0 ? -1 : psb_desc_slot_of(a->col, psb_from_0(ja[k]));
        if (slot >= 0 && slot < n) {
            PSB_TRY(push(r->to_d, i, slot, val[k]));
            continue;
        }
        if (slot < 0) {
            PSB_TRY(psb_desc_check_one(a->row, k, ia[k], "ia"));
            PSB_TRY(psb_desc_check_one(a->col, k, ja[k], "ja"));
        }
        if (i < 0)
            continue;
        if (slot < 0 || r->boundary[i] < 0)
            return not_stored(ia[k], ja[k]);
        PSB_TRY(push(r->to_h, r->boundary[i], psb_desc_slot_to_loc(a->col, slot) - n, val[k]));
    }
    return PSB_OK;
}

/* Row i comes as entries k .. k+n-1. */
static psb_err push_row(struct X(refill) *r, psb_ipk i, psb_epk k, psb_epk n)
{
    struct run *last = r->nrun ? &r->run[r->nrun - 1] : NULL;
    if (last && i == last->i + last->m && k == last->k + last->n) {
        last->n += n;
        last->m++;
        return PSB_OK;
    }
    if (r->nrun == r->runs) {
        psb_epk room = r->runs + r->runs / 2 + FIRST;
        PSB_TRY(psb_resize(&r->run, (size_t)room, sizeof *r->run, "refill"));
        r->runs = room;
    }
    r->run[r->nrun++] = (struct run){ k, n, i, 1 };
    return PSB_OK;
}

/* Where does each entry go?  Row by row, as they come. */
static psb_err find(const struct X(spmat) *a, struct X(refill) *r, psb_epk nz, const psb_lpk *ia,
                    const psb_lpk *ja, const T *val, int quick)
{
    struct rows h;
    quick = quick && open_rows(a, r, &h);
    r->nrun = 0;
    r->to_d->mat.nnz = r->to_h->mat.nnz = 0;
    for (psb_epk k = 0, end; k < nz; k = end) {
        psb_ipk i = psb_map_g2l(&a->row->map, psb_from_0(ia[k]));
        psb_epk n = quick && i >= 0 ? as_stored(&h, i, nz, k, ia, ja) : 0;
        end = k + n;
        if (n > 0) {
            PSB_TRY(push_row(r, i, k, n));
            continue;
        }
        for (end = k + 1; end < nz && ia[end] == ia[k]; end++)
            ;
        PSB_TRY(deal(a, r, i, k, end, ia, ja, val));
    }
    return PSB_OK;
}

static void add_values(psb_epk n, const T *from, T *restrict to)
{
    for (psb_epk k = 0; k < n; k++)
        to[k] += from[k];
}

static int all_old(const struct X(refill) *r, const struct run *q)
{
    return r->old && !memchr(r->old + q->i, 0, (size_t)q->m);
}

static psb_err put_runs(struct X(refill) *r, const T *val, enum psb_dupl how)
{
    struct X(csr_mat) *d = (struct X(csr_mat) *)r->d;
    const psb_epk *irp;
    T *to;
    if (r->nrun == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&d->irp, PSB_HOST, &irp));
    PSB_TRY(psb_dual_update(&d->val, PSB_HOST, &to));
    for (psb_epk q = 0; q < r->nrun; q++) {
        const struct run *run = &r->run[q];
        const T *from = val + run->k;
        T *at = to + irp[run->i];
        if (how == PSB_DUPL_OVERWRITE || all_old(r, run))
            memcpy(at, from, (size_t)run->n * sizeof *at);
        else {
            for (psb_ipk i = run->i; i < run->i + run->m; i++)
                clear_row(r, irp, i, to);
            add_values(run->n, from, at);
        }
        if (r->old)
            memset(r->old + run->i, 0, (size_t)run->m);
    }
    return PSB_OK;
}

static enum psb_dupl way(const struct X(spmat) *a)
{
    return a->dupl == PSB_DUPL_ADD ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
}

/* Where the last to come wins they are kept in order: all by the quick way, or none. */
psb_err X(sp_refill_find)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val)
{
    struct X(refill) *r = a->refill;
    PSB_TRY(find(a, r, nz, ia, ja, val, 1));
    if (way(a) == PSB_DUPL_OVERWRITE && r->nrun && r->to_d->mat.nnz)
        PSB_TRY(find(a, r, nz, ia, ja, val, 0));
    PSB_TRY(all_stored(a, r->h, r->to_h, 1));
    return all_stored(a, r->d, r->to_d, 0);
}

psb_err X(sp_refill_put)(struct X(spmat) *a, const T *val)
{
    struct X(refill) *r = a->refill;
    PSB_TRY(clear_rows(r, r->to_d->mat.nnz, r->to_d->ia));
    PSB_TRY(put(r->d, r->to_d, way(a)));
    PSB_TRY(put_runs(r, val, way(a)));
    return put(r->h, r->to_h, way(a));
}
