/* spmat.c -- room: base.  The distributed matrix: assembly. */
#include "psb_base.h"
#include "psb_type.h"

psb_err X(spall2)(struct X(spmat) **a, psb_desc *row, psb_desc *col, psb_epk nnz)
{
    struct X(spmat) *new;
    struct X(mat) *build = NULL;
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected where to store the matrix");
    PSB_CHECK(row && col, PSB_EARG, "argument %s is NULL; expected a descriptor", row ? "col" : "row");
    PSB_CHECK(nnz >= 0, PSB_EARG, "argument nnz is %" PRId64 "; expected >= 0", nnz);
    PSB_CHECK(psb_cd_ctxt(row) == psb_cd_ctxt(col), PSB_EARG,
              "arguments row and col belong to two contexts; expected one");
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "matrix"));
    psb_err e = X(mat_new)(&X(coo_mold).mat, psb_cd_local_rows(row), 0, 0, &build);
    new->build = (struct X(coo_mat) *)build;
    if (e == PSB_OK)
        e = X(coo_reserve)(new->build, nnz);
    if (e == PSB_OK)
        e = psb_desc_hold(new->row = row, "row");
    if (e == PSB_OK)
        e = psb_desc_hold(new->col = col, "col");
    if (e != PSB_OK) {
        X(spfree)(new);
        return e;
    }
    new->state = PSB_BUILD;
    *a = new;
    return PSB_OK;
}

psb_err X(spall)(struct X(spmat) **a, psb_desc *desc, psb_epk nnz)
{
    PSB_CHECK(desc, PSB_EARG, "argument desc is NULL; expected a descriptor");
    return X(spall2)(a, desc, desc, nnz);
}

static void drop_parts(struct X(spmat) *a)
{
    X(mat_free)(a->ad);
    X(mat_free)(a->ah);
    a->ad = a->ah = NULL;
    psb_dual_free(&a->bnd);
    psb_dual_free(&a->part);
}

void X(spfree)(struct X(spmat) *a)
{
    if (!a)
        return;
    if (a->build)
        X(mat_free)(&a->build->mat);
    drop_parts(a);
    psb_cdfree(a->row);
    psb_cdfree(a->col);
    psb_free(a);
}

/* --- entries ---------------------------------------------------------------------------------------- */

/* Check entry k; counts in *mine the entries kept here. */
static psb_err check_entry(const struct X(spmat) *a, psb_epk k, psb_lpk i, psb_lpk j, psb_epk *mine)
{
    psb_lpk m = psb_cd_global_rows(a->row), n = psb_cd_global_rows(a->col);
    PSB_CHECK(i >= 0 && i < m, PSB_EARG,
              "argument ia[%" PRId64 "] is %" PRId64 "; expected 0 <= ia < %" PRId64, k, i, m);
    PSB_CHECK(j >= 0 && j < n, PSB_EARG,
              "argument ja[%" PRId64 "] is %" PRId64 "; expected 0 <= ja < %" PRId64, k, j, n);
    if (!psb_is_owned(a->row, i))
        return PSB_OK;
    *mine += 1;
    PSB_CHECK(psb_cd_state(a->col) == PSB_BUILD || psb_glob_to_loc(a->col, j) >= 0, PSB_EARG,
              "argument ja[%" PRId64 "] is %" PRId64 ", which is not in the halo of the assembled descriptor",
              k, j);
    return PSB_OK;
}

/* Room for n more entries, at least doubling. */
static psb_err reserve(struct X(coo_mat) *b, psb_epk n)
{
    psb_epk need = b->mat.nnz + n;
    if (need <= b->cap)
        return PSB_OK;
    return X(coo_reserve)(b, need > 2 * b->cap ? need : 2 * b->cap);
}

psb_err X(spins)(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val, struct X(spmat) *a)
{
    psb_epk mine = 0;
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected a matrix");
    PSB_CHECK(a->state == PSB_BUILD, PSB_ESTATE, "the matrix is assembled; expected state BUILD");
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_CHECK(nz == 0 || (ia && ja && val), PSB_EARG, "argument %s is NULL; expected %" PRId64 " entries",
              !ia   ? "ia"
              : !ja ? "ja"
                    : "val",
              nz);
    for (psb_epk k = 0; k < nz; k++)
        PSB_TRY(check_entry(a, k, ia[k], ja[k], &mine));
    PSB_TRY(reserve(a->build, mine));
    if (psb_cd_state(a->col) == PSB_BUILD)
        for (psb_epk k = 0; k < nz; k++)
            if (psb_is_owned(a->row, ia[k]))
                PSB_TRY(psb_desc_use(a->col, 1, &ja[k]));
    struct X(coo_mat) *b = a->build;
    for (psb_epk k = 0; k < nz; k++)
        if (psb_is_owned(a->row, ia[k])) {
            psb_epk p = b->mat.nnz++;
            b->ia[p] = psb_glob_to_loc(a->row, ia[k]);
            b->ja[p] = psb_desc_slot(a->col, ja[k]);
            b->val[p] = val[k];
        }
    return PSB_OK;
}

/* --- assembly --------------------------------------------------------------------------------------- */

/* The two parts while they are made: triplets over the owned and over the halo columns. */
struct parts {
    struct X(coo_mat) *d, *h;
    psb_ipk nbnd;
    psb_ipk *bnd;
};

static void free_parts(struct parts *p)
{
    if (p->d)
        X(mat_free)(&p->d->mat);
    if (p->h)
        X(mat_free)(&p->h->mat);
    psb_free(p->bnd);
}

static psb_err new_coo(psb_ipk m, psb_ipk n, psb_epk nnz, struct X(coo_mat) **a)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, m, n, 0, &new));
    *a = (struct X(coo_mat) *)new;
    return X(coo_reserve)(*a, nnz);
}

static void push(struct X(coo_mat) *a, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = a->mat.nnz++;
    a->ia[k] = i;
    a->ja[k] = j;
    a->val[k] = v;
}

/* Deal the entries out, columns in their final numbers, and put each part in order. */
static psb_err split(const struct X(spmat) *a, enum psb_dupl dupl, struct parts *p)
{
    const struct X(coo_mat) *b = a->build;
    psb_ipk m = psb_cd_local_rows(a->row), n = psb_cd_local_rows(a->col);
    psb_epk nd = 0;
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        nd += b->ja[k] < n;
    PSB_TRY(new_coo(m, n, nd, &p->d));
    PSB_TRY(new_coo(m, psb_cd_local_cols(a->col) - n, b->mat.nnz - nd, &p->h));
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (b->ja[k] < n)
            push(p->d, b->ia[k], b->ja[k], b->val[k]);
        else
            push(p->h, b->ia[k], psb_desc_slot_to_loc(a->col, b->ja[k]) - n, b->val[k]);
    PSB_TRY(X(coo_fix)(p->d, dupl));
    return X(coo_fix)(p->h, dupl);
}

/* Keep of the halo part only the rows that have entries; bnd says which they were. */
static psb_err compact(struct parts *p)
{
    struct X(coo_mat) *h = p->h;
    PSB_TRY(psb_alloc(&p->bnd, (size_t)(h->mat.nnz < h->mat.nrows ? h->mat.nnz : h->mat.nrows),
                      sizeof *p->bnd, "boundary rows"));
    for (psb_epk k = 0; k < h->mat.nnz; k++) {
        if (p->nbnd == 0 || p->bnd[p->nbnd - 1] != h->ia[k])
            p->bnd[p->nbnd++] = h->ia[k];
        h->ia[k] = p->nbnd - 1;
    }
    h->mat.nrows = p->nbnd;
    return PSB_OK;
}

/* The lists that go with ah: its n rows, and room for their product, on its device. */
static psb_err boundary(psb_ipk n, const psb_ipk *rows, const struct psb_device *on, struct psb_dual *bnd,
                        struct psb_dual *part)
{
    psb_ipk *p;
    T *room;
    PSB_TRY(psb_dual_init(bnd, (size_t)n, sizeof *p, on, "boundary rows"));
    PSB_TRY(psb_dual_init(part, (size_t)n, sizeof *room, on, "boundary product"));
    PSB_TRY(psb_dual_write(bnd, PSB_HOST, &p));
    for (psb_ipk i = 0; i < n; i++)
        p[i] = rows[i];
    return psb_dual_write(part, PSB_HOST, &room);
}

static psb_err check_spasb(const struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    PSB_CHECK(mold, PSB_EARG, "argument mold is NULL; expected the mold of a format");
    PSB_CHECK(a->state == PSB_BUILD, PSB_ESTATE, "the matrix is assembled already; expected state BUILD");
    PSB_CHECK(psb_cd_state(a->row) == PSB_ASSEMBLED && psb_cd_state(a->col) == PSB_ASSEMBLED, PSB_ESTATE,
              "a descriptor is not assembled; expected psb_cdasb before psb_spasb");
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE || dupl == PSB_DUPL_ERROR, PSB_EARG,
              "argument dupl is %d; expected one of enum psb_dupl", (int)dupl);
    return PSB_OK;
}

static psb_err assemble(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    struct parts p = { 0 };
    psb_err e = check_spasb(a, mold, dupl);
    if (e == PSB_OK)
        e = split(a, dupl, &p);
    if (e == PSB_OK)
        e = compact(&p);
    if (e == PSB_OK)
        e = X(mat_convert)(&p.d->mat, mold, &a->ad);
    if (e == PSB_OK)
        e = X(mat_convert)(&p.h->mat, mold, &a->ah);
    if (e == PSB_OK)
        e = boundary(p.nbnd, p.bnd, a->ah->on, &a->bnd, &a->part);
    free_parts(&p);
    return e;
}

psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl)
{
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected a matrix");
    psb_err e = assemble(a, mold, dupl);
    e = psb_agree(psb_cd_ctxt(a->row), e);
    if (e != PSB_OK) {
        if (a->state == PSB_BUILD)
            drop_parts(a);
        return e;
    }
    X(mat_free)(&a->build->mat);
    a->build = NULL;
    a->state = PSB_ASSEMBLED;
    return PSB_OK;
}

/* new, empty, takes what a holds, in another format. */
static psb_err converted(struct X(spmat) *a, const struct X(mat) *mold, struct X(spmat) *new)
{
    const psb_ipk *rows;
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the matrix is not assembled; expected psb_spasb before");
    PSB_TRY(X(mat_convert)(a->ad, mold, &new->ad));
    PSB_TRY(X(mat_convert)(a->ah, mold, &new->ah));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
    return boundary(a->ah->nrows, rows, new->ah->on, &new->bnd, &new->part);
}

psb_err X(spcnv)(struct X(spmat) *a, const struct X(mat) *mold)
{
    struct X(spmat) new = { 0 };
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected a matrix");
    psb_err e = psb_agree(psb_cd_ctxt(a->row), converted(a, mold, &new));
    if (e != PSB_OK) {
        drop_parts(&new);
        return e;
    }
    drop_parts(a);
    a->ad = new.ad;
    a->ah = new.ah;
    a->bnd = new.bnd;
    a->part = new.part;
    return PSB_OK;
}

psb_epk X(sp_nnz)(const struct X(spmat) *a)
{
    return a->state == PSB_ASSEMBLED ? a->ad->nnz + a->ah->nnz : a->build->mat.nnz;
}

size_t X(sp_bytes)(const struct X(spmat) *a)
{
    if (a->state != PSB_ASSEMBLED)
        return X(mat_bytes)(&a->build->mat);
    return X(mat_bytes)(a->ad) + X(mat_bytes)(a->ah) + a->bnd.bytes;
}

const char *X(sp_fmt)(const struct X(spmat) *a)
{
    return a->state == PSB_ASSEMBLED ? a->ad->ops->fmt : a->build->mat.ops->fmt;
}
