/* spasb.c -- room: base/spmat.  Assembly of a distributed matrix: from triplets in insertion order to
 * compressed rows, in two parts, and then to any format. */
#include "psb_base.h"
#include "desc.h"
#include "mat_inside.h"
#include <string.h>
#include "psb_type.h"

/* One part under construction, and the addresses of its arrays. */
struct part {
    struct X(csr_mat) *a;
    psb_epk *irp;
    psb_ipk *ja;
    T *val;
};

/* The two parts, over owned and halo columns, and the rows with halo columns. */
struct parts {
    struct part d, h;
    psb_ipk nbnd;
    psb_ipk *bnd;
};

static void free_parts(struct parts *p)
{
    X(mat_free)((struct X(mat) *)p->d.a);
    X(mat_free)((struct X(mat) *)p->h.a);
    psb_free(p->bnd);
}

/* --- triplets sorted into rows -------------------------------------------------------------------------- */

static psb_err open_part(struct part *p, psb_ipk m, psb_ipk n)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(&X(csr_mold).mat, m, n, 0, &new));
    p->a = (struct X(csr_mat) *)new;
    PSB_TRY(psb_dual_init(&p->a->irp, (size_t)m + 1, sizeof *p->irp, NULL, "CSR row pointers"));
    PSB_TRY(psb_dual_write(&p->a->irp, PSB_HOST, &p->irp));
    memset(p->irp, 0, p->a->irp.bytes);
    return PSB_OK;
}

/* From counts to offsets: irp[i] is the count of row i - 1, and becomes the offset of row i. */
static psb_err room_for_entries(struct part *p)
{
    psb_ipk m = p->a->mat.nrows;
    for (psb_ipk i = 0; i < m; i++)
        p->irp[i + 1] += p->irp[i];
    p->a->mat.nnz = p->irp[m];
    size_t n = (size_t)p->irp[m];
    PSB_TRY(psb_dual_init(&p->a->ja, n, sizeof *p->ja, NULL, "CSR columns"));
    PSB_TRY(psb_dual_init(&p->a->val, n, sizeof *p->val, NULL, "CSR values"));
    PSB_TRY(psb_dual_write(&p->a->ja, PSB_HOST, &p->ja));
    return psb_dual_write(&p->a->val, PSB_HOST, &p->val);
}

static inline void put(struct part *p, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = p->irp[i]++;
    p->ja[k] = j;
    p->val[k] = v;
}

/* Restore the offsets: irp[i] has become the end of row i. */
static void move_back(struct part *p)
{
    psb_ipk m = p->a->mat.nrows;
    memmove(p->irp + 1, p->irp, (size_t)m * sizeof *p->irp);
    p->irp[0] = 0;
}

/* Put every entry into its row, in insertion order, columns in final numbers; those of owned columns only if
 * `whole`. */
static psb_err sort_into_rows(const struct X(spmat) *a, struct parts *p, int whole)
{
    const struct X(coo_mat) *b = a->build;
    const psb_ipk n = a->col->map.nrow, *place = a->col->place;
    PSB_TRY(open_part(&p->d, a->row->map.nrow, n));
    PSB_TRY(open_part(&p->h, a->row->map.nrow, psb_desc_nhalo(a->col)));
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (whole || b->ja[k] >= n)
            (b->ja[k] < n ? p->d.irp : p->h.irp)[b->ia[k] + 1]++;
    PSB_TRY(room_for_entries(&p->d));
    PSB_TRY(room_for_entries(&p->h));
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (b->ja[k] >= n)
            put(&p->h, b->ia[k], place[b->ja[k] - n], b->val[k]);
        else if (whole)
            put(&p->d, b->ia[k], b->ja[k], b->val[k]);
    move_back(&p->d);
    move_back(&p->h);
    return PSB_OK;
}

/* --- rows put in order ---------------------------------------------------------------------------------- */

static int ascends(psb_epk n, const psb_ipk *ja)
{
    for (psb_epk k = 1; k < n; k++)
        if (ja[k - 1] >= ja[k])
            return 0;
    return 1;
}

/* Sort each row by columns; *twice becomes 1 if a row has a column more than once. */
static psb_err sort_rows(struct part *p, int *twice)
{
    psb_ipk m = p->a->mat.nrows, *rj = NULL;
    psb_epk longest = 0;
    T *rv = NULL;
    for (psb_ipk i = 0; i < m; i++)
        longest = p->irp[i + 1] - p->irp[i] > longest ? p->irp[i + 1] - p->irp[i] : longest;
    psb_err e = psb_alloc(&rj, (size_t)longest, sizeof *rj, "sort");
    if (e == PSB_OK)
        e = psb_alloc(&rv, (size_t)longest, sizeof *rv, "sort");
    for (psb_ipk i = 0; i < m && e == PSB_OK; i++) {
        psb_epk k = p->irp[i], n = p->irp[i + 1] - k;
        if (!ascends(n, p->ja + k))
            *twice |= X(sort_entries)(p->ja + k, p->val + k, n, rj, rv);
    }
    psb_free(rj);
    psb_free(rv);
    return e;
}

static psb_err more_than_one(const struct X(spmat) *a, psb_ipk i, psb_ipk j)
{
    return PSB_FAIL(PSB_EARG, "row %" PRId64 ", column %" PRId64 " has more than one entry; expected one",
                    psb_loc_to_glob(a->row, i), psb_loc_to_glob(a->col, j));
}

/* Merge equal entries; ja + shift is the local column. */
static psb_err merge_equals(const struct X(spmat) *a, struct part *p, psb_ipk shift, enum psb_dupl dupl)
{
    psb_epk n = 0;
    for (psb_ipk i = 0; i < p->a->mat.nrows; i++) {
        psb_epk k = p->irp[i], row = n;
        for (p->irp[i] = n; k < p->irp[i + 1]; k++) {
            if (n > row && p->ja[n - 1] == p->ja[k]) {
                if (dupl == PSB_DUPL_ERROR)
                    return more_than_one(a, i, p->ja[k] + shift);
                p->val[n - 1] = dupl == PSB_DUPL_ADD ? p->val[n - 1] + p->val[k] : p->val[k];
                continue;
            }
            p->ja[n] = p->ja[k];
            p->val[n++] = p->val[k];
        }
    }
    p->irp[p->a->mat.nrows] = p->a->mat.nnz = n;
    p->a->ja.bytes = (size_t)n * sizeof *p->ja;
    p->a->val.bytes = (size_t)n * sizeof *p->val;
    return PSB_OK;
}

static psb_err put_in_order(const struct X(spmat) *a, struct part *p, psb_ipk shift, enum psb_dupl dupl)
{
    int twice = 0;
    PSB_TRY(sort_rows(p, &twice));
    return twice ? merge_equals(a, p, shift, dupl) : PSB_OK;
}

/* Remove empty rows from the halo part; bnd lists the local rows of the others. */
static psb_err compact(struct parts *p)
{
    struct part *h = &p->h;
    for (psb_ipk i = 0; i < h->a->mat.nrows; i++)
        p->nbnd += h->irp[i + 1] > h->irp[i];
    PSB_TRY(psb_alloc(&p->bnd, (size_t)p->nbnd, sizeof *p->bnd, "boundary rows"));
    psb_ipk n = 0;
    for (psb_ipk i = 0; i < h->a->mat.nrows; i++)
        if (h->irp[i + 1] > h->irp[i]) {
            p->bnd[n++] = i;
            h->irp[n] = h->irp[i + 1];
        }
    h->a->mat.nrows = n;
    h->a->irp.bytes = ((size_t)n + 1) * sizeof *h->irp;
    return PSB_OK;
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

/* Convert the part to its format; CSR is taken over without a copy. */
static psb_err finish(struct part *p, const struct X(mat) *mold, struct X(mat) **a)
{
    if (mold != &X(csr_mold).mat)
        return X(mat_convert)(&p->a->mat, mold, a);
    *a = &p->a->mat;
    p->a = NULL;
    return PSB_OK;
}

/* *t: the entries in owned columns; a->build itself if it has no others. */
static psb_err owned(const struct X(spmat) *a, struct X(coo_mat) **t)
{
    struct X(coo_mat) *b = a->build, *c;
    struct X(mat) *new;
    const psb_ipk n = a->col->map.nrow;
    psb_epk many = 0;
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        many += b->ja[k] < n;
    *t = b;
    if (many == b->mat.nnz)
        return PSB_OK;
    PSB_TRY(X(mat_all)(a->row->map.nrow, n, many, &new));
    c = (struct X(coo_mat) *)new;
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (b->ja[k] < n) {
            c->ia[c->mat.nnz] = b->ia[k];
            c->ja[c->mat.nnz] = b->ja[k];
            c->val[c->mat.nnz++] = b->val[k];
        }
    *t = c;
    return PSB_OK;
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
    struct X(coo_mat) *t;
    WITH_SLOT(k, mold, assemble);
    WITH_SLOT(place, mold, device);
    if (k == X(root_mold).ops || !place->device())
        return PSB_OK;
    PSB_TRY(owned(a, &t));
    psb_err e = assemble_on_device(a, t, mold, dupl, ad);
    if (t != a->build)
        X(mat_free)(&t->mat);
    return e == PSB_ENOTIMPL ? PSB_OK : e;
}

static psb_err build(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl, struct X(spmat) *new)
{
    struct parts p = { 0 };
    psb_err e = try_on_device(a, mold, dupl, &new->ad);
    const int whole = !new->ad;
    if (e == PSB_OK)
        e = sort_into_rows(a, &p, whole);
    if (e == PSB_OK)
        e = put_in_order(a, &p.d, 0, dupl);
    if (e == PSB_OK)
        e = put_in_order(a, &p.h, a->col->map.nrow, dupl);
    if (e == PSB_OK)
        e = compact(&p);
    if (e == PSB_OK && whole)
        e = finish(&p.d, mold, &new->ad);
    if (e == PSB_OK)
        e = finish(&p.h, X(mat_halo_mold)(mold), &new->ah);
    if (e == PSB_OK)
        e = X(sp_boundary)(p.nbnd, p.bnd, new->ah->on, &new->bnd, &new->part);
    free_parts(&p);
    return e;
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
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    PSB_TRY(psb_agree(ctxt, check(a, mold, dupl)));
    PSB_TRY(fetch(a));
    psb_err e = a->state == PSB_BUILD ? build(a, mold, dupl, &new) : X(sp_close_refill)(a, mold, &new);
    e = psb_agree(ctxt, e);
    if (e != PSB_OK) {
        X(sp_drop_parts)(&new);
        return PSB_PASS(e);
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
