/* sprn.c -- room: base.  New values in the pattern of an assembled matrix: the state UPDATE. */
#include "psb_base.h"
#include "desc.h"
#include "mat_inside.h"
#include "psb_type.h"

/* The parts that take values (those of the matrix itself where its format can), and the entries of
 * one psb_spins in local numbers. */
struct X(refill) {
    struct X(mat) *d, *h;
    int made;          /* d and h are copies */
    psb_ipk *boundary; /* local row -> row of ah, -1 for none */
    struct X(coo_mat) *to_d, *to_h;
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
    psb_free(r->boundary);
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
    if (clear) {
        PSB_TRY(X(mat_zero_vals)(r->d));
        PSB_TRY(X(mat_zero_vals)(r->h));
    }
    return PSB_OK;
}

psb_err X(sprn)(struct X(spmat) *a, int clear)
{
    struct X(refill) *r;
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected a matrix");
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

static psb_err not_stored(psb_epk k, psb_lpk i, psb_lpk j)
{
    return PSB_FAIL(PSB_EARG,
                    "entry %" PRId64 ", row %" PRId64 " and column %" PRId64
                    ", is not in the matrix; expected one of its entries in state UPDATE",
                    k, i, j);
}

static inline void push(struct X(coo_mat) *b, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = b->mat.nnz++;
    b->ia[k] = i;
    b->ja[k] = j;
    b->val[k] = v;
}

/* The entries in local numbers, dealt to the two parts. */
static psb_err sort_out(const struct X(spmat) *a, struct X(refill) *r, psb_epk nz, const psb_lpk *ia,
                        const psb_lpk *ja, const T *val)
{
    const psb_lpk base = psb_index_base();
    const psb_ipk n = a->col->map.nrow;
    psb_lpk last = -1;
    psb_ipk row = -1;
    r->to_d->mat.nnz = r->to_h->mat.nnz = 0;
    PSB_TRY(X(coo_reserve)(r->to_d, nz));
    PSB_TRY(X(coo_reserve)(r->to_h, nz));
    for (psb_epk k = 0; k < nz; k++) {
        if (ia[k] != last)
            row = psb_map_g2l(&a->row->map, (last = ia[k]) - base);
        if (row < 0)
            continue;
        psb_ipk slot = psb_desc_slot_of(a->col, ja[k] - base);
        if (slot >= 0 && slot < n) {
            push(r->to_d, row, slot, val[k]);
            continue;
        }
        if (slot < 0 || r->boundary[row] < 0)
            return not_stored(k, ia[k], ja[k]);
        push(r->to_h, r->boundary[row], psb_desc_slot_to_loc(a->col, slot) - n, val[k]);
    }
    return PSB_OK;
}

/* All entries are found before one is changed: those of the halo first, then the others, which are more. */
psb_err X(sp_refill)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val)
{
    struct X(refill) *r = a->refill;
    enum psb_dupl how = a->dupl == PSB_DUPL_ADD ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
    PSB_TRY(sort_out(a, r, nz, ia, ja, val));
    const struct X(coo_mat) *d = r->to_d, *h = r->to_h;
    WHO(own, r->d, csput);
    WHO(halo, r->h, csput);
    if (h->mat.nnz)
        PSB_TRY(halo->csput(r->h, h->mat.nnz, h->ia, h->ja, NULL, how));
    PSB_TRY(own->csput(r->d, d->mat.nnz, d->ia, d->ja, d->val, how));
    return h->mat.nnz ? halo->csput(r->h, h->mat.nnz, h->ia, h->ja, h->val, how) : PSB_OK;
}
