/* sp_parts.c -- base/spmat: the two parts of a distributed matrix: joined, split, copied, moved. */
#include "spmat.h"
#include "columns.h"
#include "psb_type.h"

psb_err X(sp_check)(const struct X(spmat) *a, const char *name)
{
    PSB_CHECK(psb_is_live(a), PSB_EARG, "argument %s is %s; expected a matrix", name, psb_handle_state(a));
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "argument %s is %s; expected psb_spasb before", name,
              psb_not_assembled(a->state));
    return PSB_OK;
}

psb_err X(sp_check_side)(const struct X(vect) *v, const psb_desc *d, const char *name)
{
    PSB_CHECK(psb_is_live(v), PSB_EARG, "argument %s is %s; expected a vector", name, psb_handle_state(v));
    PSB_CHECK(v->desc == d, PSB_EARG,
              "argument %s lies on another descriptor than the matrix asks for; expected that one", name);
    PSB_CHECK(v->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before", name);
    return PSB_OK;
}

psb_err X(sp_check_vect)(const struct X(vect) *v, const psb_desc *d, const char *name)
{
    PSB_TRY(X(sp_check_side)(v, d, name));
    PSB_CHECK(v->ncols == 1, PSB_EARG, "argument %s has %d columns; expected one", name, v->ncols);
    return PSB_PASS(X(vect_check_idle)(v));
}

/* --- two parts joined ---------------------------------------------------------------------------------- */

/* Append the halo part to c, in local numbers. */
static psb_err append_halo(const struct X(spmat) *a, struct X(coo_mat) *c)
{
    struct X(coo_mat) *h;
    const psb_ipk *bnd;
    if (a->ah->nnz == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(X(mat_as_coo)(a->ah, &h));
    for (psb_epk k = 0; k < h->mat.nnz; k++) {
        h->ia[k] = bnd[h->ia[k]];
        h->ja[k] += a->ad->ncols;
    }
    psb_err e = X(coo_append)(c, h->mat.nnz, h->ia, h->ja, h->val);
    X(mat_free)(&h->mat);
    return e == PSB_OK ? X(coo_fix)(c, PSB_DUPL_ADD) : e;
}

psb_err X(sp_rows)(const struct X(spmat) *a, struct X(coo_mat) **c)
{
    struct X(coo_mat) *new;
    PSB_TRY(X(mat_entries)(a->ad, 0, a->ad->nrows, &new));
    new->mat.ncols = psb_cd_local_cols(a->col);
    psb_err e = append_halo(a, new);
    if (e == PSB_OK)
        *c = new;
    else
        X(mat_free)(&new->mat);
    return PSB_PASS(e);
}

psb_err X(sp_halo_entries)(const struct X(spmat) *a, struct X(coo_mat) **c)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_all)(a->ad->nrows, psb_cd_local_cols(a->col), 0, &new));
    return PSB_PASS(X(coo_made)(append_halo(a, (struct X(coo_mat) *)new), new, c));
}

/* Remove all rows of c but the n rows `counted`, which ascend. */
static void keep_rows(struct X(coo_mat) *c, const psb_ipk *counted, psb_ipk n)
{
    psb_epk kept = 0;
    psb_ipk i = 0;
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        while (i < n && counted[i] < c->ia[k])
            i++;
        if (i == n || counted[i] != c->ia[k])
            continue;
        c->ia[kept] = c->ia[k];
        c->ja[kept] = c->ja[k];
        c->val[kept++] = c->val[k];
    }
    c->mat.nnz = kept;
}

psb_err X(sp_rows_counted)(const struct X(spmat) *a, struct X(coo_mat) **c)
{
    const struct psb_overlap *s = psb_desc_overlap(a->row);
    PSB_TRY(X(sp_rows)(a, c));
    if (s->counted)
        keep_rows(*c, s->counted, s->ncounted);
    return PSB_OK;
}

/* --- one split in two------------------------------------------------------------------------------------ */

/* The parts as triplets, and the boundary rows. */
struct two {
    struct X(coo_mat) *d, *h;
    psb_ipk *bnd;
};

static psb_err alloc_triplets(struct X(coo_mat) **t, psb_ipk m, psb_ipk n, psb_epk nz)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_all)(m, n, nz, &new));
    *t = (struct X(coo_mat) *)new;
    return PSB_OK;
}

static inline void push_within(struct X(coo_mat) *t, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = t->mat.nnz++;
    t->ia[k] = i;
    t->ja[k] = j;
    t->val[k] = v;
}

static psb_err distribute(const struct X(coo_mat) *c, psb_ipk n, struct two *p)
{
    psb_epk far = 0;
    psb_ipk m = 0, last = -1;
    for (psb_epk k = 0; k < c->mat.nnz; k++)
        far += c->ja[k] >= n;
    PSB_TRY(alloc_triplets(&p->d, c->mat.nrows, n, c->mat.nnz - far));
    PSB_TRY(alloc_triplets(&p->h, 0, c->mat.ncols - n, far));
    PSB_TRY(psb_alloc(&p->bnd, (size_t)(far < c->mat.nrows ? far : c->mat.nrows), sizeof *p->bnd,
                      "boundary rows"));
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        if (c->ja[k] < n) {
            push_within(p->d, c->ia[k], c->ja[k], c->val[k]);
            continue;
        }
        if (c->ia[k] != last)
            p->bnd[m++] = last = c->ia[k];
        push_within(p->h, m - 1, c->ja[k] - n, c->val[k]);
    }
    p->h->mat.nrows = m;
    return PSB_OK;
}

psb_err X(sp_split)(const struct X(coo_mat) *c, psb_ipk n, const struct X(mat) *mold,
                    const struct X(mat) *halo_mold, struct X(spmat) *new)
{
    struct two p = { 0 };
    psb_err e = distribute(c, n, &p);
    PSB_THEN(e, X(mat_convert)(&p.d->mat, mold, &new->ad));
    PSB_THEN(e, X(mat_convert)(&p.h->mat, halo_mold, &new->ah));
    PSB_THEN(e, X(sp_boundary)(p.h->mat.nrows, p.bnd, new->ah->on, &new->bnd, &new->part));
    X(mat_free)((struct X(mat) *)p.d);
    X(mat_free)((struct X(mat) *)p.h);
    psb_free(p.bnd);
    return PSB_PASS(e);
}

/* --- copied and moved ----------------------------------------------------------------------------------- */

void X(sp_drop_parts)(struct X(spmat) *a)
{
    X(mat_free)(a->ad);
    X(mat_free)(a->ah);
    a->ad = a->ah = NULL;
    psb_dual_free(&a->bnd);
    psb_dual_free(&a->part);
    psb_dual_free(&a->sums[0]);
    psb_dual_free(&a->sums[1]);
}

psb_err X(sp_boundary)(psb_ipk n, const psb_ipk *rows, const struct psb_device *on, struct psb_dual *bnd,
                       struct psb_dual *part)
{
    psb_ipk *p;
    T *product;
    PSB_TRY(psb_dual_init(bnd, (size_t)n, sizeof *p, on, "boundary rows"));
    PSB_TRY(psb_dual_init(part, (size_t)n, sizeof *product, on, "boundary product"));
    PSB_TRY(psb_dual_write(bnd, PSB_HOST, &p));
    for (psb_ipk i = 0; i < n; i++)
        p[i] = rows[i];
    return PSB_PASS(psb_dual_write(part, PSB_HOST, &product));
}

psb_err X(sp_copy_parts)(const struct X(spmat) *a, struct X(spmat) *new)
{
    const psb_ipk *rows;
    PSB_TRY(X(mat_clone)(a->ad, &new->ad));
    PSB_TRY(X(mat_clone)(a->ah, &new->ah));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
    return PSB_PASS(X(sp_boundary)(a->ah->nrows, rows, new->ah->on, &new->bnd, &new->part));
}

void X(sp_move_parts)(struct X(spmat) *a, struct X(spmat) *new)
{
    X(sp_note)(new);
    X(sp_drop_parts)(a);
    a->ad = new->ad;
    a->ah = new->ah;
    a->bnd = new->bnd;
    a->part = new->part;
}

psb_err X(sp_exchange_parts)(struct X(spmat) *a, struct X(spmat) *new, psb_err err)
{
    psb_err e = psb_agree(a->row->ctxt, err);
    if (e == PSB_OK)
        X(sp_move_parts)(a, new);
    else
        X(sp_drop_parts)(new);
    return PSB_PASS(e);
}

psb_err X(sp_exchange_pattern)(struct X(spmat) *a, struct X(spmat) *new, psb_err err)
{
    PSB_TRY(X(sp_exchange_parts)(a, new, err));
    X(sp_drop_coo_plan)(a);
    return PSB_OK;
}
