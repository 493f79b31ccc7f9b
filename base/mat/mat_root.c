/* mat_root.c -- base/mat: the root format: default implementations of all slots, through COO. */
#include "psb_format.h"
#include "mat_inside.h"
#include <string.h>
#include "psb_type.h"

static const struct psb_device *nowhere(void)
{
    return NULL;
}

static int root_arrays(struct X(mat) *a, struct psb_dual **list)
{
    (void)a, (void)list;
    return 0;
}

static void root_clear(struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    for (int n = X(mat_arrays)(a, list); n > 0; n--)
        psb_dual_free(list[n - 1]);
}

static size_t root_bytes(const struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    size_t sum = 0;
    int n = X(mat_arrays)(a, list);
    for (int i = 0; i < n; i++)
        sum += list[i]->bytes;
    return n > 0 ? sum : (size_t)a->nnz * (sizeof(T) + 2 * sizeof(psb_ipk));
}

static psb_err root_trim(struct X(mat) *a)
{
    (void)a;
    return PSB_OK;
}

static enum psb_order root_order(const struct X(mat) *a)
{
    (void)a;
    return PSB_BY_ROWS;
}

/* --- conversions ------------------------------------------------------------------------------------ */

static psb_err root_build(struct X(mat) *a, const struct X(compressed) *rows)
{
    (void)rows;
    return PSB_FAIL(PSB_ENOTIMPL, "format %s has no from_coo and no build; expected every format to have one",
                    a->ops->fmt);
}

static psb_err root_from_coo(struct X(mat) *a, const struct X(coo_mat) *b)
{
    struct X(compressed) l = { .n = a->nrows, .m = a->ncols, .idx = b->ja, .val = b->val };
    PSB_WITH_SLOT(k, a, storage.build);
    PSB_TRY(psb_alloc(&l.ptr, (size_t)l.n + 1, sizeof *l.ptr, "rows"));
    X(compressed_count)(l.n, b->mat.nnz, b->ia, l.ptr);
    psb_err e = k->storage.build(a, &l);
    psb_free(l.ptr);
    return e;
}

/* from_fmt for b in CSR. */
static psb_err root_from_rows(struct X(mat) *a, struct X(mat) *b)
{
    struct X(compressed) l;
    struct X(mat) *none;
    PSB_WITH_SLOT(k, a, storage.build);
    PSB_TRY(X(csr_view)(b, &l, &none));
    return k->storage.build(a, &l);
}

static psb_err root_move_from_coo(struct X(mat) *a, struct X(coo_mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.from_coo);
    return k->storage.from_coo(a, b);
}

static psb_err root_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b);

static psb_err root_to_coo(struct X(mat) *a, struct X(coo_mat) *b)
{
    PSB_WITH_SLOT(k, a, entries.rows);
    PSB_CHECK(k->entries.rows != root_rows, PSB_ENOTIMPL,
              "format %s has no to_coo and no rows; expected every format to have one", a->ops->fmt);
    return k->entries.rows(a, 0, a->nrows, NULL, b);
}

static psb_err root_from_fmt(struct X(mat) *a, struct X(mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.from_coo);
    if (k->storage.from_coo == root_from_coo && X(mat_is_csr)(b))
        return root_from_rows(a, b);
    if (b->ops == X(coo_mold).mat.ops && X(coo_ordered)((struct X(coo_mat) *)b))
        return k->storage.from_coo(a, (struct X(coo_mat) *)b);
    struct X(coo_mat) *t;
    PSB_TRY(X(mat_as_coo)(b, &t));
    psb_err e = X(mat_fill_from_coo)(a, t);
    X(mat_free)(&t->mat);
    return e;
}

static psb_err root_weigh(struct X(mat) *a, const struct X(compressed) *rows, double *bytes)
{
    (void)a, (void)rows, (void)bytes;
    return PSB_ENOTIMPL;
}

static psb_err root_copy(struct X(mat) *a, struct X(mat) *b)
{
    PSB_WITH_SLOT(k, a, storage.from_fmt);
    return k->storage.from_fmt(a, b);
}

/* --- entries ---------------------------------------------------------------------------------------- */

static psb_err root_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct X(coo_mat) *t;
    PSB_TRY(X(mat_as_coo)(a, &t));
    if (t->mat.nnz)
        visit(job, t->mat.nnz, t->ia, t->ja, t->val);
    psb_err e = change ? X(mat_replace)(a, t) : PSB_OK;
    X(mat_free)(&t->mat);
    return e;
}

struct counts {
    psb_ipk lo, hi;
    psb_epk *ptr;
};

static void count_rows_visited(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    const struct counts *c = job;
    (void)ja, (void)val;
    for (psb_epk k = 0; k < n; k++)
        if (ia[k] >= c->lo && ia[k] < c->hi)
            c->ptr[ia[k] - c->lo + 1]++;
}

static psb_err count_rows_by_walk(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr)
{
    struct counts c = { lo, hi, ptr };
    PSB_WITH_SLOT(k, a, entries.walk);
    memset(ptr, 0, ((size_t)(hi - lo) + 1) * sizeof *ptr);
    PSB_TRY(k->entries.walk(a, 0, count_rows_visited, &c));
    for (psb_ipk i = 0; i < hi - lo; i++)
        ptr[i + 1] += ptr[i];
    return PSB_OK;
}

static psb_err root_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(coo_mat) *t;
    if (!b)
        return count_rows_by_walk(a, lo, hi, ptr);
    PSB_TRY(X(mat_as_coo)(a, &t));
    psb_err e = X(coo_mold).mat.ops->entries.rows(&t->mat, lo, hi, NULL, b);
    X(mat_free)(&t->mat);
    return e;
}

static void set_zero(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    (void)job, (void)ia, (void)ja;
    for (psb_epk k = 0; k < n; k++)
        val[k] = 0;
}

static psb_err root_zero_vals(struct X(mat) *a)
{
    PSB_WITH_SLOT(k, a, entries.walk);
    return k->entries.walk(a, 1, set_zero, NULL);
}

static psb_err root_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                          enum psb_dupl dupl)
{
    struct X(coo_mat) *t;
    PSB_TRY(X(mat_as_coo)(a, &t));
    psb_err e = X(coo_mold).mat.ops->entries.csput(&t->mat, nz, ia, ja, val, dupl);
    if (e == PSB_OK && val)
        e = X(mat_replace)(a, t);
    X(mat_free)(&t->mat);
    return e;
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err root_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(coo_mat) *t;
    PSB_TRY(X(mat_as_coo)(a, &t));
    psb_err e = X(coo_mold).mat.ops->products.csmm(alpha, &t->mat, k, x, beta, y, trans);
    X(mat_free)(&t->mat);
    return e;
}

static psb_err root_csmv(T alpha, struct X(mat) *a, const T *x, T beta, T *y, char trans)
{
    PSB_WITH_SLOT(k, a, products.csmm);
    return k->products.csmm(alpha, a, 1, x, beta, y, trans);
}

/* A format without arrays does not count changes, so no copy is kept. */
static psb_err root_cssm(struct X(mat) *a, psb_ipk k, const T *x, const T *d, T *y, char trans)
{
    struct X(mat) *t, *made = NULL;
    PSB_WITH_SLOT(slots, a, storage.arrays);
    if (slots->storage.arrays != root_arrays) {
        PSB_TRY(X(mat_kept_rows)(a, &t));
    } else {
        PSB_TRY(X(mat_convert)(a, &X(csr_mold).mat, &made));
        t = made;
    }
    psb_err e = X(compressed_mold).ops->products.cssm(t, k, x, d, y, trans);
    X(mat_free)(made);
    return e;
}

static const struct X(mat_dev_ops) root_dev = { .device = nowhere };

static const struct X(mat_ops) root_ops = {
    .fmt = "NULL",
    .size = sizeof(struct X(mat)),
    .storage = { .clear = root_clear,
                 .bytes = root_bytes,
                 .arrays = root_arrays,
                 .trim = root_trim,
                 .order = root_order,
                 .build = root_build,
                 .from_coo = root_from_coo,
                 .move_from_coo = root_move_from_coo,
                 .to_coo = root_to_coo,
                 .from_fmt = root_from_fmt,
                 .copy = root_copy,
                 .weigh = root_weigh },
    .entries = { .walk = root_walk,
                 .rows = root_rows,
                 .get_diag = X(walk_diag),
                 .scale = X(walk_scale),
                 .zero_vals = root_zero_vals,
                 .csput = root_csput },
    .products = { .csmv = root_csmv, .csmm = root_csmm, .cssm = root_cssm },
    .dev = &root_dev,
};

const struct X(mat) X(root_mold) = { .ops = &root_ops };
