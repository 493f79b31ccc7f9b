/* sprn.c -- base/spmat: new values in the pattern of an assembled matrix: the state UPDATE. */
#include "spmat.h"
#include "desc.h"
#include "mat_inside.h"
#include "remote.h"
#include <string.h>
#include "psb_type.h"
#include "refill.h"

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

/* --- values set to 0: in CSR a row is cleared only when it gets its first value, or at the end ---------- */

static psb_err clear_values(struct X(refill) *r)
{
    size_t m = (size_t)r->d->nrows;
    if (!X(refill_is_csr)(r))
        PSB_TRY(X(mat_zero_vals)(r->d));
    else
        PSB_TRY(psb_alloc(&r->old, m, sizeof *r->old, "refill"));
    if (r->old)
        memset(r->old, 1, m);
    return X(mat_zero_vals)(r->h);
}

/* Clear the rows i[0..n) of d, or its first n rows if i is NULL, which still have old values. */
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
        X(refill_clear_row)(r, irp, i ? i[k] : (psb_ipk)k, val);
    return PSB_OK;
}

/* --- the state ------------------------------------------------------------------------------------------ */

static psb_err open_refill(struct X(spmat) *a, struct X(refill) *r, int clear)
{
    struct X(mat) *to_d, *to_h;
    const psb_ipk *rows;
    psb_ipk m = a->row->map->nrow;
    PSB_TRY(psb_alloc(&r->boundary, (size_t)m, sizeof *r->boundary, "boundary rows"));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
    for (psb_ipk i = 0; i < m; i++)
        r->boundary[i] = -1;
    for (psb_ipk i = 0; i < a->ah->nrows; i++)
        r->boundary[rows[i]] = i;
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
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "the matrix is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_TRY(psb_alloc_zero(&r, 1, sizeof *r, "refill"));
    psb_err e = open_refill(a, r, clear);
    if (e != PSB_OK) {
        drop_refill(r);
        return PSB_PASS(e);
    }
    a->refill = r;
    a->state = PSB_UPDATE;
    X(forget_name)();
    return PSB_OK;
}

psb_err X(sp_close_refill)(struct X(spmat) *a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                           struct X(spmat) *new)
{
    struct X(refill) *r = a->refill;
    const struct X(mat) *to = mold ? mold : a->ad;
    const psb_ipk *rows;
    PSB_TRY(clear_rows(r, r->d->nrows, NULL));
    if (mold || halo_mold || r->made) {
        PSB_TRY(X(mat_convert)(r->d, to, &new->ad));
        PSB_TRY(X(mat_convert_halo)(r->h, mold, halo_mold || mold ? halo_mold : a->ah, &new->ah));
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

/* --- the general path: entries by local numbers --------------------------------------------------------- */

static psb_err not_stored(psb_lpk i, psb_lpk j)
{
    return PSB_FAIL(PSB_EARG,
                    "row %" PRId64 ", column %" PRId64
                    " is not in the matrix; expected one of its entries in state UPDATE",
                    i, j);
}

/* PSB_EARG if one of n entries is not in the part. */
static psb_err look_up(struct X(mat) *part, psb_epk n, const psb_ipk *ia, const psb_ipk *ja)
{
    return X(mat_put)(part, n, ia, ja, NULL, PSB_DUPL_ADD);
}

/* Try to store all values of b in one call, the fastest way on a device; if it lacks the memory nothing has
 * changed.  Returns 1 on success. */
static bool put_all(struct X(mat) *part, const struct X(coo_mat) *b, enum psb_dupl how)
{
    if (!part->on || b->mat.nnz == 0)
        return false;
    psb_expect_errors(1);
    psb_err e = X(mat_put)(part, b->mat.nnz, b->ia, b->ja, b->val, how);
    psb_expect_errors(0);
    return e == PSB_OK;
}

/* Store the values of b, whose entries are in the part: in pieces so small that csput allocates no memory. */
static psb_err put_part(struct X(mat) *part, const struct X(coo_mat) *b, enum psb_dupl how)
{
    if (put_all(part, b, how))
        return PSB_OK;
    for (psb_epk i = 0; i < b->mat.nnz; i += PSB_FEW_ENTRIES) {
        psb_epk n = b->mat.nnz - i < PSB_FEW_ENTRIES ? b->mat.nnz - i : PSB_FEW_ENTRIES;
        PSB_TRY(X(mat_put)(part, n, b->ia + i, b->ja + i, b->val + i, how));
    }
    return PSB_OK;
}

/* Check that all entries of b are in the part; the error names the first that is not in global numbers. */
static psb_err all_stored(struct X(spmat) *a, struct X(mat) *part, const struct X(coo_mat) *b, int halo)
{
    const psb_ipk *bnd;
    psb_err e = look_up(part, b->mat.nnz, b->ia, b->ja);
    if (e != PSB_EARG)
        return e;
    (void)psb_pop_errmsg(NULL, 0);
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (look_up(part, 1, &b->ia[k], &b->ja[k]) == PSB_EARG) {
            (void)psb_pop_errmsg(NULL, 0);
            return not_stored(psb_loc_to_glob(a->row, halo ? bnd[b->ia[k]] : b->ia[k]),
                              psb_loc_to_glob(a->col, b->ja[k] + (halo ? a->col->map->nrow : 0)));
        }
    return e;
}

static psb_err push_update(struct X(coo_mat) *b, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = b->mat.nnz;
    if (k == b->cap)
        PSB_TRY(X(coo_reserve)(b, k + k / 2 + PSB_FIRST_CAPACITY));
    b->mat.nnz++;
    b->ia[k] = i;
    b->ja[k] = j;
    b->val[k] = v;
    return PSB_OK;
}

/* Distribute entries k .. end-1, all of local row i (-1: owned elsewhere), to the lists of the two parts. */
static psb_err deal_row(const struct X(spmat) *a, struct X(refill) *r, psb_ipk i, psb_epk k, psb_epk end,
                        const psb_lpk *ia, const psb_lpk *ja, const T *val)
{
    const psb_ipk n = a->col->map->nrow;
    for (; k < end; k++) {
        psb_ipk slot = i < 0 ? -1 : psb_desc_slot_of(a->col, psb_from_0(ja[k]));
        if (slot >= 0 && slot < n) {
            PSB_TRY(push_update(r->to_d, i, slot, val[k]));
            continue;
        }
        if (slot < 0) {
            PSB_TRY(psb_desc_check_one(a->row, k, ia[k], "ia"));
            PSB_TRY(psb_desc_check_one(a->col, k, ja[k], "ja"));
        }
        if (i < 0) {
            PSB_TRY(psb_remote_refuse(a->remote_mode, k, ia[k], "ia", "psb_sp_set_remote"));
            r->far++;
            continue;
        }
        if (slot < 0 || r->boundary[i] < 0)
            return not_stored(ia[k], ja[k]);
        PSB_TRY(push_update(r->to_h, r->boundary[i], psb_desc_slot_to_loc(a->col, slot) - n, val[k]));
    }
    return PSB_OK;
}

/* The place of each entry, row by row in the order of insertion; with `quick`, by the fast path if possible.
 */
static psb_err find_places(const struct X(spmat) *a, struct X(refill) *r, psb_epk nz, const psb_lpk *ia,
                           const psb_lpk *ja, const T *val, int quick)
{
    struct stored_rows rows;
    quick = quick && X(refill_open_rows)(a, r, &rows);
    r->nrun = r->far = 0;
    r->to_d->mat.nnz = r->to_h->mat.nnz = 0;
    for (psb_epk k = 0, end; k < nz; k = end) {
        if (quick)
            PSB_TRY(X(refill_find_runs)(a, r, &rows, nz, ia, ja, &k));
        if (k == nz)
            break;
        for (end = k + 1; end < nz && ia[end] == ia[k]; end++)
            ;
        PSB_TRY(deal_row(a, r, psb_map_g2l(a->row->map, psb_from_0(ia[k])), k, end, ia, ja, val));
    }
    return PSB_OK;
}

static enum psb_dupl dupl_of(const struct X(spmat) *a)
{
    return a->dupl == PSB_DUPL_ADD ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
}

/* With PSB_DUPL_OVERWRITE the last value inserted wins, so all entries of d use one path: the fast or the
 * general one. */
psb_err X(sp_refill_find)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val,
                          psb_epk *far)
{
    struct X(refill) *r = a->refill;
    PSB_TRY(find_places(a, r, nz, ia, ja, val, 1));
    if (dupl_of(a) == PSB_DUPL_OVERWRITE && r->nrun && r->to_d->mat.nnz)
        PSB_TRY(find_places(a, r, nz, ia, ja, val, 0));
    *far = r->far;
    PSB_TRY(all_stored(a, r->h, r->to_h, 1));
    return PSB_PASS(all_stored(a, r->d, r->to_d, 0));
}

psb_err X(sp_refill_put)(struct X(spmat) *a, const T *val)
{
    struct X(refill) *r = a->refill;
    PSB_TRY(clear_rows(r, r->to_d->mat.nnz, r->to_d->ia));
    PSB_TRY(put_part(r->d, r->to_d, dupl_of(a)));
    PSB_TRY(X(refill_put_runs)(r, val, dupl_of(a)));
    return PSB_PASS(put_part(r->h, r->to_h, dupl_of(a)));
}
