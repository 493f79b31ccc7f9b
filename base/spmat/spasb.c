/* spasb.c -- base/spmat: assembly of a distributed matrix: triplets in insertion order are put in
 * order, the part over owned columns apart from the part over halo columns, and converted to any format. */
#include "spmat.h"
#include "coll.h"
#include "desc.h"
#include "mat_inside.h"
#include "psb_trace.h"
#include "psb_type.h"

/* Put the entries of b in order and merge those of one place; column j is local column j + shift. */
static psb_err put_in_order(const struct X(spmat) *a, struct X(coo_mat) *b, psb_ipk shift, enum psb_dupl dupl)
{
    psb_ipk at[2];
    PSB_TRY(X(coo_order)(b, dupl, at));
    PSB_CHECK(at[0] < 0, PSB_EARG,
              "row %" PRId64 ", column %" PRId64 " has more than one entry; expected one",
              psb_loc_to_glob(a->row, at[0]), psb_loc_to_glob(a->col, at[1] + shift));
    return PSB_OK;
}

/* --- owned columns -------------------------------------------------------------------------------------- */

/* c owns the columns and values that it has borrowed from b; b is empty. */
static void take_entries(struct X(csr_mat) *c, struct X(coo_mat) *b)
{
    psb_dual_adopt(&c->ja, b->ja);
    psb_dual_adopt(&c->val, b->val);
    b->ja = NULL;
    b->val = NULL;
    b->mat.nnz = b->cap = 0;
}

/* Let the format assemble the part over the owned columns, on its device; *ad stays NULL if the format
 * declines. */
static psb_err assemble_on_device(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl,
                                  struct X(mat) **ad)
{
    struct X(mat) *new;
    const struct X(mat_dev_ops) *dev = X(mat_dev)(mold);
    if (!dev->storage || !dev->device())
        return PSB_OK;
    PSB_TRY(X(mat_new)(mold, a->row->map->nrow, a->col->map->nrow, a->build->mat.nnz, &new));
    psb_err e = a->given ? dev->storage->assemble_split(new, a->given, dupl)
                         : dev->storage->assemble(new, a->build, dupl);
    if (e != PSB_OK) {
        X(mat_free)(new);
        return e == PSB_ENOTIMPL ? PSB_OK : e;
    }
    new->is.state = PSB_MAT_ASB;
    *ad = new;
    return PSB_OK;
}

/* *out: the entries of b, which are in order, over n columns in the format of halo_mold, NULL as in
 * X(mat_convert_halo); or if that is CSR, *rows with the columns and values of b. */
static psb_err convert(struct X(coo_mat) *b, psb_ipk n, const struct X(mat) *mold,
                       const struct X(mat) *halo_mold, struct X(mat) **out, struct X(csr_mat) **rows)
{
    if (b->mat.nnz < b->cap)
        PSB_TRY(X(mat_trim)(&b->mat));
    if (mold->ops == X(coo_mold).mat.ops && (!halo_mold || halo_mold->ops == mold->ops)) {
        b->mat.ncols = n;
        return X(mat_convert)(&b->mat, mold, out); /* without row pointers: rows may be many */
    }
    /* CSR of the entries of b, which are in order; columns and values are those of b, borrowed. */
    struct X(mat) *new;
    psb_epk *irp;
    PSB_TRY(X(mat_new)(&X(csr_mold).mat, b->mat.nrows, n, b->mat.nnz, &new));
    struct X(csr_mat) *a = *rows = (struct X(csr_mat) *)new;
    PSB_TRY(psb_dual_init(&a->irp, (size_t)b->mat.nrows + 1, sizeof *irp, NULL, "CSR row pointers"));
    PSB_TRY(psb_dual_lend(&a->ja, (size_t)b->mat.nnz, sizeof *b->ja, NULL, "CSR columns", PSB_HOST, b->ja));
    PSB_TRY(psb_dual_lend(&a->val, (size_t)b->mat.nnz, sizeof *b->val, NULL, "CSR values", PSB_HOST, b->val));
    PSB_TRY(psb_dual_write(&a->irp, PSB_HOST, &irp));
    X(compressed_count)(b->mat.nrows, b->mat.nnz, b->ia, irp);
    new->is.state = PSB_MAT_ASB;
    if ((halo_mold ? halo_mold : mold) == &X(csr_mold).mat)
        return PSB_OK;
    psb_err e = X(mat_convert_halo)(&(*rows)->mat, mold, halo_mold, out);
    X(mat_free)(&(*rows)->mat);
    *rows = NULL;
    return e;
}

/* --- psb_spasb ------------------------------------------------------------------------------------------ */

/* What is not final before all processes agree. */
struct pending {
    struct X(csr_mat) *d, *h; /* parts in CSR with columns and values of the entries inserted, or NULL */
    psb_ipk *slot;            /* of halo column j; not NULL: the entries have halo numbers */
    psb_ipk *bnd; /* local row of boundary row i; not NULL: the entries have numbers of boundary rows */
};

static psb_err build_halo(const struct X(spmat) *a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                          enum psb_dupl dupl, struct X(spmat) *new, struct pending *p)
{
    const psb_ipk n = a->col->map->nrow, nhalo = psb_desc_nhalo(a->col), *place = a->col->place;
    struct X(coo_mat) *h = a->build_halo;
    psb_ipk m = 0;
    /* Number the columns of entries outside the owned columns as the halo. */
    PSB_TRY(psb_alloc(&p->slot, (size_t)nhalo, sizeof *p->slot, "halo columns"));
    for (psb_ipk j = 0; j < nhalo; j++)
        p->slot[place[j]] = n + j;
    for (psb_epk k = 0; k < h->mat.nnz; k++)
        h->ja[k] = place[h->ja[k] - n];
    PSB_TRY(put_in_order(a, h, n, dupl));
    /* Remove empty rows from h, which is in order; p->bnd lists the local rows of the others. */
    for (psb_epk k = 0; k < h->mat.nnz; k++)
        m += k == 0 || h->ia[k] != h->ia[k - 1];
    PSB_TRY(psb_alloc(&p->bnd, (size_t)m, sizeof *p->bnd, "boundary rows"));
    h->mat.nrows = m;
    m = -1;
    for (psb_epk k = 0; k < h->mat.nnz; k++) {
        if (m < 0 || h->ia[k] != p->bnd[m])
            p->bnd[++m] = h->ia[k];
        h->ia[k] = m;
    }
    PSB_TRY(convert(h, nhalo, mold, halo_mold, &new->ah, &p->h));
    return X(sp_boundary)(h->mat.nrows, p->bnd, new->ah ? new->ah->on : NULL, &new->bnd, &new->part);
}

static psb_err build(struct X(spmat) *a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                     enum psb_dupl dupl, struct X(spmat) *new, struct pending *p)
{
    new->ad = a->own;
    a->own = NULL;
    if (!new->ad)
        PSB_TRY(assemble_on_device(a, mold, dupl, &new->ad));
    if (!new->ad && a->given)
        PSB_TRY(X(sp_fetch_given)(a));
    if (!new->ad) {
        PSB_TRY(put_in_order(a, a->build, 0, dupl));
        PSB_TRY(convert(a->build, a->col->map->nrow, mold, mold, &new->ad, &p->d));
    }
    return build_halo(a, mold, halo_mold, dupl, new, p);
}

/* Both parts are to be in one place: a part in CSR whose arrays are pending is on the host. */
static psb_err check_places(const struct X(spmat) *new)
{
    const struct psb_device *own = new->ad ? new->ad->on : NULL, *halo = new->ah ? new->ah->on : NULL;
    PSB_CHECK(!own == !halo, PSB_EARG,
              "argument halo_mold is a format of %s, argument mold one of %s; expected both of one",
              halo ? "a device" : "the host", own ? "a device" : "the host");
    return PSB_OK;
}

/* Give the entries inserted their slots and local rows again, and drop the parts. */
static void undo(const struct X(spmat) *a, struct pending *p, struct X(spmat) *new)
{
    for (psb_epk k = 0; p->slot && k < a->build_halo->mat.nnz; k++) {
        a->build_halo->ja[k] = p->slot[a->build_halo->ja[k]];
        if (p->bnd)
            a->build_halo->ia[k] = p->bnd[a->build_halo->ia[k]];
    }
    if (p->bnd)
        a->build_halo->mat.nrows = a->build->mat.nrows;
    X(mat_free)((struct X(mat) *)p->d);
    X(mat_free)((struct X(mat) *)p->h);
    X(sp_drop_parts)(new);
}

/* The parts in CSR take the columns and values of the entries inserted. */
static void take(const struct X(spmat) *a, const struct pending *p, struct X(spmat) *new)
{
    if (p->d) {
        take_entries(p->d, a->build);
        new->ad = &p->d->mat;
    }
    if (p->h) {
        take_entries(p->h, a->build_halo);
        new->ah = &p->h->mat;
    }
}

static psb_err check_spasb(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    if (a->state == PSB_UPDATE)
        return X(optional_mold)(mold);
    PSB_CHECK(a->state == PSB_BUILD, PSB_ESTATE, "the matrix is assembled already; expected state BUILD");
    PSB_TRY(X(need_mold)(mold));
    PSB_CHECK(a->row->state == PSB_ASSEMBLED && a->col->state == PSB_ASSEMBLED, PSB_ESTATE,
              "a descriptor is not assembled; expected psb_cdasb before psb_spasb");
    PSB_TRY(psb_dupl_check(dupl));
    return PSB_OK;
}

psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    return PSB_PASS(X(spasb2)(a, mold, NULL, dupl));
}

psb_err X(spasb2)(struct X(spmat) *a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                  enum psb_dupl dupl)
{
    struct X(spmat) new = { 0 };
    struct pending p = { 0 };
    const struct psb_range range = psb_range_begin(NULL, "psb_spasb", "");
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    /* Check that all processes are in the same state, and send entries kept for other processes. */
    int v[3] = { a->remote != NULL, (int)a->state, -(int)a->state };
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_i, 3, v, check_spasb(a, mold, dupl)));
    PSB_CHECK(
        v[1] == -v[2], PSB_ESTATE,
        "the matrix is in state BUILD on some processes and in UPDATE on others; expected the same on all");
    if (v[0])
        PSB_TRY(X(sp_fetch_remote)(a));
    psb_err e = a->state == PSB_BUILD ? build(a, mold, halo_mold, dupl, &new, &p)
                                      : X(sp_close_refill)(a, mold, halo_mold, &new);
    e = psb_agree(ctxt, e == PSB_OK && halo_mold ? check_places(&new) : e);
    if (e != PSB_OK)
        undo(a, &p, &new);
    else
        take(a, &p, &new);
    psb_free(p.slot);
    psb_free(p.bnd);
    PSB_TRY(e);
    if (new.ad)
        X(sp_move_parts)(a, &new);
    if (a->state == PSB_BUILD) {
        a->dupl = dupl;
        psb_desc_add_dependent(a->row, 1);
        psb_desc_add_dependent(a->col, 1);
    }
    X(sp_drop_build)(a);
    a->state = PSB_ASSEMBLED;
    psb_range_end(&range);
    return PSB_OK;
}
