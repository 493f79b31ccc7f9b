/* spasb.c -- room: base/spmat.  Assembly of a distributed matrix: triplets in insertion order are put in
 * order, the part over owned columns apart from the part over halo columns, and converted to any format. */
#include "psb_base.h"
#include "desc.h"
#include "mat_inside.h"
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

/* *c: CSR of the entries of b, which are in order; columns and values are those of b, borrowed. */
static psb_err borrow_rows(struct X(coo_mat) *b, psb_ipk n, struct X(csr_mat) **c)
{
    struct X(mat) *new;
    psb_epk *irp;
    PSB_TRY(X(mat_new)(&X(csr_mold).mat, b->mat.nrows, n, b->mat.nnz, &new));
    struct X(csr_mat) *a = *c = (struct X(csr_mat) *)new;
    PSB_TRY(psb_dual_init(&a->irp, (size_t)b->mat.nrows + 1, sizeof *irp, NULL, "CSR row pointers"));
    PSB_TRY(psb_dual_init(&a->ja, (size_t)b->mat.nnz, sizeof *b->ja, NULL, "CSR columns"));
    PSB_TRY(psb_dual_init(&a->val, (size_t)b->mat.nnz, sizeof *b->val, NULL, "CSR values"));
    PSB_TRY(psb_dual_write(&a->irp, PSB_HOST, &irp));
    X(compressed_count)(b->mat.nrows, b->mat.nnz, b->ia, irp);
    psb_dual_borrow(&a->ja, b->ja);
    psb_dual_borrow(&a->val, b->val);
    new->is.state = PSB_MAT_ASB;
    return PSB_OK;
}

/* c owns the columns and values that it has borrowed from b; b is empty. */
static void take_entries(struct X(csr_mat) *c, struct X(coo_mat) *b)
{
    psb_dual_adopt(&c->ja, b->ja);
    psb_dual_adopt(&c->val, b->val);
    b->ja = NULL;
    b->val = NULL;
    b->mat.nnz = b->cap = 0;
}

static psb_err assemble_on_device(const struct X(spmat) *a, const struct X(coo_mat) *t,
                                  const struct X(mat) *mold, enum psb_dupl dupl, struct X(mat) **ad)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(mold, a->row->map.nrow, a->col->map.nrow, t->mat.nnz, &new));
    WITH_SLOT(k, new, assemble);
    psb_err e = k->assemble(new, t, dupl);
    if (e != PSB_OK) {
        X(mat_free)(new);
        return e;
    }
    new->is.state = PSB_MAT_ASB;
    *ad = new;
    return PSB_OK;
}

/* Let the format assemble the part over the owned columns, on its device; *ad stays NULL if the format
 * declines. */
static psb_err try_on_device(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl,
                             struct X(mat) **ad)
{
    WITH_SLOT(k, mold, assemble);
    WITH_SLOT(place, mold, device);
    if (k == X(root_mold).ops || !place->device())
        return PSB_OK;
    psb_err e = assemble_on_device(a, a->build, mold, dupl, ad);
    return e == PSB_ENOTIMPL ? PSB_OK : e;
}

/* The part over the owned columns: *ad, or *rows in CSR, with columns and values of a->build, if the mold is
 * CSR. */
static psb_err build_own(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl,
                         struct X(mat) **ad, struct X(csr_mat) **rows)
{
    PSB_TRY(try_on_device(a, mold, dupl, ad));
    if (*ad)
        return PSB_OK;
    PSB_TRY(put_in_order(a, a->build, 0, dupl));
    if (a->build->mat.nnz < a->build->cap)
        PSB_TRY(X(mat_trim)(&a->build->mat));
    PSB_TRY(borrow_rows(a->build, a->col->map.nrow, rows));
    if (mold == &X(csr_mold).mat)
        return PSB_OK;
    psb_err e = X(mat_convert)(&(*rows)->mat, mold, ad);
    X(mat_free)(&(*rows)->mat);
    *rows = NULL;
    return e;
}

/* --- halo columns --------------------------------------------------------------------------------------- */

/* *h: the entries in halo columns, numbered as the halo. */
static psb_err copy_halo(const struct X(spmat) *a, struct X(coo_mat) **h)
{
    const struct X(coo_mat) *b = a->build_halo;
    const psb_ipk n = a->col->map.nrow, *place = a->col->place;
    struct X(mat) *new;
    PSB_TRY(X(mat_all)(a->row->map.nrow, psb_desc_nhalo(a->col), b->mat.nnz, &new));
    struct X(coo_mat) *c = *h = (struct X(coo_mat) *)new;
    c->mat.nnz = b->mat.nnz;
    for (psb_epk k = 0; k < b->mat.nnz; k++) {
        c->ia[k] = b->ia[k];
        c->ja[k] = place[b->ja[k] - n];
        c->val[k] = b->val[k];
    }
    return PSB_OK;
}

/* Remove empty rows from h, which is in order; *bnd lists the local rows of the others. */
static psb_err number_boundary(struct X(coo_mat) *h, psb_ipk **bnd)
{
    psb_ipk m = 0;
    for (psb_epk k = 0; k < h->mat.nnz; k++)
        m += k == 0 || h->ia[k] != h->ia[k - 1];
    PSB_TRY(psb_alloc(bnd, (size_t)m, sizeof **bnd, "boundary rows"));
    h->mat.nrows = m;
    m = -1;
    for (psb_epk k = 0; k < h->mat.nnz; k++) {
        if (m < 0 || h->ia[k] != (*bnd)[m])
            (*bnd)[++m] = h->ia[k];
        h->ia[k] = m;
    }
    return PSB_OK;
}

/* The part over the halo columns. */
static psb_err build_halo(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl,
                          struct X(spmat) *new)
{
    struct X(coo_mat) *h = NULL;
    psb_ipk *bnd = NULL;
    psb_err e = copy_halo(a, &h);
    if (e == PSB_OK)
        e = put_in_order(a, h, a->col->map.nrow, dupl);
    if (e == PSB_OK)
        e = number_boundary(h, &bnd);
    if (e == PSB_OK)
        e = X(mat_convert)(&h->mat, mold, &new->ah);
    if (e == PSB_OK)
        e = X(sp_boundary)(h->mat.nrows, bnd, new->ah->on, &new->bnd, &new->part);
    X(mat_free)((struct X(mat) *)h);
    psb_free(bnd);
    return e;
}

/* --- psb_spasb ---------------------------------------------------------------------------------------- */

static psb_err check(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    if (a->state == PSB_UPDATE)
        return PSB_OK;
    PSB_CHECK(a->state == PSB_BUILD, PSB_ESTATE, "the matrix is assembled already; expected state BUILD");
    PSB_TRY(X(need_mold)(mold));
    PSB_CHECK(a->row->state == PSB_ASSEMBLED && a->col->state == PSB_ASSEMBLED, PSB_ESTATE,
              "a descriptor is not assembled; expected psb_cdasb before psb_spasb");
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE || dupl == PSB_DUPL_ERROR, PSB_EARG,
              "argument dupl is %d; expected one of enum psb_dupl", (int)dupl);
    return PSB_OK;
}

static psb_err build(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl,
                     struct X(spmat) *new, struct X(csr_mat) **rows)
{
    PSB_TRY(build_own(a, mold, dupl, &new->ad, rows));
    return build_halo(a, X(mat_halo_mold)(mold), dupl, new);
}

/* Check that all processes are in the same state, and send entries kept for other processes. */
static psb_err fetch(struct X(spmat) *a)
{
    int v[3] = { a->remote != NULL, (int)a->state, -(int)a->state };
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, v, 3, MPI_INT, MPI_MAX, psb_comm_of(a->row->ctxt)));
    PSB_CHECK(
        v[1] == -v[2], PSB_ESTATE,
        "the matrix is in state BUILD on some processes and in UPDATE on others; expected the same on all");
    return v[0] ? X(sp_fetch_remote)(a) : PSB_OK;
}

psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    struct X(spmat) new = { 0 };
    struct X(csr_mat) *rows = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    PSB_TRY(psb_agree(ctxt, check(a, mold, dupl)));
    PSB_TRY(fetch(a));
    psb_err e = a->state == PSB_BUILD ? build(a, mold, dupl, &new, &rows) : X(sp_close_refill)(a, mold, &new);
    e = psb_agree(ctxt, e);
    if (e != PSB_OK) {
        X(mat_free)((struct X(mat) *)rows);
        X(sp_drop_parts)(&new);
        return PSB_PASS(e);
    }
    if (rows) {
        take_entries(rows, a->build);
        new.ad = &rows->mat;
    }
    if (new.ad)
        X(sp_move_parts)(a, &new);
    if (a->state == PSB_BUILD) {
        a->dupl = dupl;
        psb_desc_add_dependent(a->row, 1);
        psb_desc_add_dependent(a->col, 1);
    }
    X(sp_drop_build)(a);
    a->state = PSB_ASSEMBLED;
    return PSB_OK;
}
