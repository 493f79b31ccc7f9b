/* mat.c -- base/mat: create, convert and free matrices. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "solve_plan.h"
#include "psb_trace.h"
#include "tuning.h"
#include <string.h>
#include "psb_type.h"

/* A conversion to more bytes than SMALL, and PADDED times those of CSR, is worth a hint. */
enum { SMALL = 1 << 20, PADDED = 2 };

/* The mold is copied to the memory after the struct: it describes an empty matrix of its format and
 * parameters. */
psb_err X(mat_new)(const struct X(mat) *mold, psb_ipk nrows, psb_ipk ncols, psb_epk nnz, struct X(mat) **a)
{
    struct X(mat) *new, *its_mold;
    size_t size = (mold->ops->size + LINE - 1) / LINE * LINE;
    mold = mold->mold ? mold->mold : mold;
    PSB_TRY(psb_alloc(&new, 2 * size, 1, mold->ops->fmt));
    its_mold = (struct X(mat) *)((char *)new + size);
    memcpy(its_mold, mold, mold->ops->size);
    memcpy(new, mold, mold->ops->size);
    new->mold = its_mold;
    new->nrows = nrows;
    new->ncols = ncols;
    new->nnz = nnz;
    new->is.state = PSB_MAT_BLD;
    new->on = X(mat_dev)(new)->device();
    *a = new;
    return PSB_OK;
}

void X(mat_empty)(struct X(mat) *a)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    PSB_WITH_SLOT(k, a, storage.clear);
    if (dev->clear)
        dev->clear(a);
    k->storage.clear(a);
    X(mat_free)(a->transposed);
    X(mat_free)(a->rows);
    a->transposed = a->rows = NULL;
    a->has_pattern_sum = false;
    psb_solve_plan_free(a->solve);
    a->solve = NULL;
}

void X(mat_free)(struct X(mat) *a)
{
    if (!psb_may_free(a, __func__))
        return;
    X(mat_empty)(a);
    psb_retire(a, sizeof *a);
    a->ops = X(root_mold).ops; /* for queries of a freed matrix */
}

psb_err X(mat_all)(psb_ipk m, psb_ipk n, psb_epk nz, struct X(mat) **a)
{
    struct X(mat) *new;
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %d; expected >= 0", m);
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_NEED(a, "where to store the matrix");
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, m, n, 0, &new));
    return PSB_PASS(X(mat_made)(X(coo_reserve)((struct X(coo_mat) *)new, nz), new, a));
}

size_t X(mat_bytes)(const struct X(mat) *a)
{
    if (!a)
        return 0;
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    PSB_WITH_SLOT(k, a, storage.bytes);
    return k->storage.bytes(a) + (dev->bytes ? dev->bytes(a) : 0) + X(mat_bytes)(a->transposed) +
           X(mat_bytes)(a->rows);
}

/* --- conversion ------------------------------------------------------------------------------------- */

static void hint_if_padded(const struct X(mat) *a)
{
    const double bytes = (double)X(mat_bytes)(a), csr = X(csr_weighs)(a->nrows, a->nnz);
    if (bytes > SMALL && bytes > PADDED * csr)
        psb_hint_padding(a->ops->fmt, bytes, csr);
}

static psb_err fill(struct X(mat) *a, struct X(mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.from_fmt);
    PSB_ON_DEVICE(e, a, convert, a, b);
    return k->storage.from_fmt(a, b);
}

psb_err X(mat_fill_from_coo)(struct X(mat) *a, struct X(coo_mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.move_from_coo);
    PSB_ON_DEVICE(e, a, convert, a, &b->mat);
    return PSB_PASS(k->storage.move_from_coo(a, b));
}

static psb_err copy_storage(struct X(mat) *a, struct X(mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.copy);
    PSB_ON_DEVICE(e, a, copy, a, b);
    return k->storage.copy(a, b);
}

/* *b = a converted to the format of mold, or a copy of a if mold is NULL. */
static psb_err made_of(const struct X(mat) *a, const struct X(mat) *mold, struct X(mat) **b)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(mold ? mold : a, a->nrows, a->ncols, a->nnz, &new));
    const struct psb_device *on = new->on ? new->on : a->on;
    const struct psb_range range = psb_range_begin(on, new->ops->fmt, "conversion");
    psb_err e = (mold ? fill : copy_storage)(new, X(mat_mutable)(a));
    psb_range_end(&range);
    new->is = a->is;
    if (e == PSB_OK)
        hint_if_padded(new);
    return X(mat_made)(e, new, b);
}

/* Replace a mold that selects a format by the mold it selects. */
static psb_err resolve(const struct X(mat) *a, const struct X(mat) **mold)
{
    while ((*mold)->ops->storage.choose)
        PSB_TRY((*mold)->ops->storage.choose(*mold, X(mat_mutable)(a), mold));
    return PSB_OK;
}

psb_err X(mat_convert)(const struct X(mat) *a, const struct X(mat) *mold, struct X(mat) **b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(need_mold)(mold));
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(resolve(a, &mold));
    PSB_TRY(made_of(a, mold, b));
    (*b)->is.state = PSB_MAT_ASB;
    return PSB_OK;
}

psb_err X(mat_convert_halo)(const struct X(mat) *a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                            struct X(mat) **b)
{
    if (halo_mold)
        return PSB_PASS(X(mat_convert)(a, halo_mold, b));
    const struct X(mat) *to = X(mat_halo_mold)(mold);
    psb_expect_errors(1);
    psb_err e = X(mat_convert)(a, to, b);
    psb_expect_errors(0);
    if (e == PSB_EPADDING)
        return PSB_PASS(X(mat_convert)(a, &X(csr_mold).mat, b));
    PSB_CHECK(e == PSB_OK, e, "the entries in columns of other processes were not converted to %s",
              X(mat_get_fmt)(to));
    return PSB_OK;
}

/* *b = a, which is ordered, converted to the format of mold; a is empty afterwards. */
static psb_err converted_from(struct X(coo_mat) *a, const struct X(mat) *mold, struct X(mat) **b)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(mold, a->mat.nrows, a->mat.ncols, a->mat.nnz, &new));
    const struct psb_range range = psb_range_begin(new->on, new->ops->fmt, "conversion");
    psb_err e = X(mat_fill_from_coo)(new, a);
    psb_range_end(&range);
    new->is = a->mat.is;
    new->is.state = PSB_MAT_ASB;
    if (e == PSB_OK)
        hint_if_padded(new);
    return X(mat_made)(e, new, b);
}

psb_err X(mat_cscnv)(struct X(mat) **a, const struct X(mat) *mold)
{
    struct X(mat) *new;
    PSB_NEED(a, "a matrix");
    PSB_NEED_HANDLE(*a, "a matrix");
    PSB_TRY(X(need_mold)(mold));
    PSB_TRY(resolve(*a, &mold));
    struct X(coo_mat) *coo = (*a)->ops == X(coo_mold).mat.ops ? (struct X(coo_mat) *)*a : NULL;
    PSB_TRY(coo && X(coo_ordered)(coo) ? converted_from(coo, mold, &new) : X(mat_convert)(*a, mold, &new));
    X(mat_free)(*a);
    *a = new;
    return PSB_OK;
}

psb_err X(mat_clone)(const struct X(mat) *a, struct X(mat) **b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(made_of(a, NULL, b));
    X(mat_same_pattern)(a, *b);
    return PSB_OK;
}

psb_err X(mat_as_coo)(const struct X(mat) *a, struct X(coo_mat) **b)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, a->nrows, a->ncols, a->nnz, &new));
    PSB_WITH_SLOT(k, a, storage.to_coo);
    psb_err e = k->storage.to_coo(X(mat_mutable)(a), (struct X(coo_mat) *)new);
    new->is = a->is;
    new->is.state = PSB_MAT_ASB;
    return PSB_PASS(X(coo_made)(e, new, b));
}

/* Append the implied ones of a unit triangle in rows lo <= i < hi. */
static psb_err add_ones(struct X(coo_mat) *b, psb_ipk lo, psb_ipk hi)
{
    const T one = 1;
    for (psb_ipk i = lo; i < hi && i < b->mat.ncols; i++)
        PSB_TRY(X(coo_append)(b, 1, &i, &i, &one));
    return X(coo_fix)(b, PSB_DUPL_ADD);
}

psb_err X(mat_entries)(const struct X(mat) *a, psb_ipk lo, psb_ipk hi, struct X(coo_mat) **b)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, a->nrows, a->ncols, 0, &new));
    PSB_WITH_SLOT(k, a, entries.rows);
    psb_err e = k->entries.rows(X(mat_mutable)(a), lo, hi, NULL, (struct X(coo_mat) *)new);
    if (e == PSB_OK && X(mat_has_ones)(a))
        e = add_ones((struct X(coo_mat) *)new, lo, hi);
    return PSB_PASS(X(coo_made)(e, new, b));
}

void X(mat_become)(struct X(mat) *a, struct X(mat) *b)
{
    X(mat_empty)(a);
    b->mold = a->mold;
    b->is = a->is;
    memcpy(a, b, a->ops->size);
    psb_free(b);
}

psb_err X(mat_replace)(struct X(mat) *a, const struct X(coo_mat) *b)
{
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(a, b->mat.nrows, b->mat.ncols, b->mat.nnz, &new));
    PSB_WITH_SLOT(k, new, storage.from_coo);
    psb_err e = k->storage.from_coo(new, b);
    if (e != PSB_OK) {
        X(mat_free)(new);
        return PSB_PASS(e);
    }
    X(mat_become)(a, new);
    return PSB_OK;
}
