/* multiply.c -- cuda/formats: products of two sparse matrices on the device, through CSR there: rows of the
 * product in classes by size, a table in shared memory for the columns of each.  Method: Nagasaka, Nukada and
 * Matsuoka, "High-performance and memory-saving sparse general matrix-matrix multiplication for NVIDIA Pascal
 * GPU", ICPP 2017; here the products of an entry are added in the order of the row of A, and rows too long
 * for a table have a number for each column. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_testing.h"
#include "psb_type.h"

/* The entries of rows that fit in the tables of the classes: of 64, 256, 1024, 4096, 16384 columns; and of
 * 64, 256, 1024, 4096 columns with their values, 2048 of complex numbers in double precision.  A table that
 * only counts may be fuller than one that is read often. */
static const psb_epk of_bounds[] = { 0, 56, 224, 896, 3584, 14336, INT64_MAX };
static const psb_epk of_entries[] = {
    0, 40, 160, 640, sizeof(T) > 8 ? 1280 : 2560, sizeof(T) > 8 ? 1280 : 2560, INT64_MAX
};

/* A product in the making. */
struct product {
    struct psb_dev_product d;
    const struct psb_device *on;
    const struct X(product_steps) *steps;
    struct X(mat) *made[2];
    struct psb_dual row, found;
    psb_epk number[PSB_PRODUCT_FOUND];
};

static void set_limits(psb_epk *limit, const psb_epk *of)
{
    for (int k = 0; k < PSB_ROW_CLASSES; k++)
        limit[k] = k > 0 && k < PSB_WIDE && psb_product_choice.widest > 0 && psb_product_choice.widest < of[k]
                       ? psb_product_choice.widest
                       : of[k];
}

/* Threads for a row of b: as many as it has entries on average. */
static int lanes_of(const struct X(mat) *b)
{
    int lanes = 4;
    while (lanes < 32 && lanes * (psb_epk)b->nrows < b->nnz)
        lanes *= 2;
    return lanes;
}

static psb_err open_product(struct product *q, struct X(mat) *a, struct X(mat) *b)
{
    q->on = a->on;
    q->steps = PSB_KERNELS(X(product_steps), a->on);
    q->d.n = b->ncols;
    q->d.lanes = lanes_of(b);
    PSB_TRY(X(rows_on_device)(a, &q->made[0], &q->d.a));
    PSB_TRY(X(rows_on_device)(b, &q->made[1], &q->d.b));
    PSB_TRY(
        X(move_on_device)(&q->row, q->on, a->nrows, sizeof *q->d.row, NULL, "rows of a product", &q->d.row));
    return X(move_on_device)(&q->found, q->on, PSB_PRODUCT_FOUND, sizeof *q->d.found, NULL,
                             "sizes of a product", &q->d.found);
}

static void close_product(struct product *q)
{
    psb_dual_free(&q->row);
    psb_dual_free(&q->found);
    X(mat_free)(q->made[0]);
    X(mat_free)(q->made[1]);
}

/* A step has returned e: the numbers that it found. */
static psb_err read_sizes(struct product *q, psb_err e)
{
    PSB_TRY(e);
    PSB_TRY(psb_get(q->on, q->number, q->d.found, q->found.bytes, q->found.name));
    for (int k = 0; k < PSB_ROW_CLASSES; k++)
        q->d.size[k] = q->number[PSB_OF_CLASSES + k];
    return PSB_OK;
}

/* --- the product ---------------------------------------------------------------------------------------- */

/* Returns PSB_ENOTIMPL if a row of B has a column twice: two threads would add to one entry. */
static psb_err multiply(struct product *q, struct X(mat) *a, struct X(mat) *b, const struct X(mat) *mold,
                        struct X(mat) **c)
{
    psb_epk limit[PSB_ROW_CLASSES];
    PSB_TRY(open_product(q, a, b));
    PSB_TRY(X(new_rows)(mold, a->nrows, b->ncols, c, &q->d.c));
    set_limits(q->d.limit, of_bounds);
    PSB_TRY(read_sizes(q, q->steps->bound(&q->d)));
    if (q->number[PSB_OBSTACLE])
        return PSB_ENOTIMPL;
    set_limits(limit, of_entries);
    PSB_TRY(read_sizes(q, q->steps->count(&q->d, limit)));
    PSB_TRY(X(new_entries)(*c, q->number[PSB_OF_ENTRIES], &q->d.c));
    return q->steps->entries(&q->d);
}

psb_err X(device_spspmm)(struct X(mat) *a, struct X(mat) *b, const struct X(mat) *mold, struct X(mat) **c)
{
    struct product q = { .on = a->on };
    struct X(mat) *new = NULL;
    if (!X(are_on_device)(a, b))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = multiply(&q, a, b, mold, &new);
    e = X(finish_rows)(e, new, mold, c);
    psb_expect_errors(0);
    close_product(&q);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* The values of c are written last: a failure before leaves them as they were. */
static psb_err multiply_again(struct product *q, struct X(mat) *a, struct X(mat) *b, struct X(csr_mat) *c)
{
    PSB_TRY(open_product(q, a, b));
    q->d.c.m = c->mat.nrows;
    PSB_TRY(psb_dual_read(&c->irp, PSB_DEV, &q->d.c.off));
    PSB_TRY(psb_dual_read(&c->ja, PSB_DEV, &q->d.c.ja));
    set_limits(q->d.limit, of_entries);
    PSB_TRY(read_sizes(q, q->steps->classify(&q->d)));
    PSB_TRY(psb_dual_write(&c->val, PSB_DEV, &q->d.c.val));
    PSB_TRY(q->steps->values(&q->d));
    return read_sizes(q, PSB_OK);
}

psb_err X(device_spspmm_again)(struct X(mat) *a, struct X(mat) *b, struct X(mat) *c)
{
    struct product q = { .on = a->on };
    struct psb_dual *val = &((struct X(csr_mat) *)c)->val;
    if (!X(are_on_device)(a, b) || c->on != a->on || c->ops != X(csrg_mold).mat.ops)
        return PSB_ENOTIMPL;
    PSB_CHECK(a->ncols == b->nrows && c->nrows == a->nrows && c->ncols == b->ncols, PSB_ESTATE,
              "argument c is %d x %d; expected %d x %d, as the product is", c->nrows, c->ncols, a->nrows,
              b->ncols);
    const unsigned was = val->valid;
    psb_expect_errors(1);
    const psb_err e = multiply_again(&q, a, b, (struct X(csr_mat) *)c);
    psb_expect_errors(0);
    close_product(&q);
    if (e != PSB_OK)
        psb_dual_undo(val, PSB_DEV, was);
    PSB_CHECK(e != PSB_OK || !q.number[PSB_OBSTACLE], PSB_ESTATE,
              "argument c lacks entries of the product; expected its pattern");
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}
