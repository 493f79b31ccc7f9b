/* csr.c -- base/mat: compressed rows, and the slots that CSR and CSC share. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "solve_plan.h"
#include "psb_type.h"

static const char *const csr_names[] = { "CSR row pointers", "CSR columns", "CSR values" };

/* --- slots that CSR and CSC share ------------------------------------------------------------------- */

static const char *const csc_names[] = { "CSC column pointers", "CSC rows", "CSC values" };

/* The three arrays of a, pointers first; returns whether it is CSC. */
static int arrays_of(const struct X(mat) *a, struct psb_dual *list[3])
{
    const int by_cols = !X(mat_is_csr)(a);
    struct X(csr_mat) *r = (struct X(csr_mat) *)a;
    struct X(csc_mat) *c = (struct X(csc_mat) *)a;
    list[0] = by_cols ? &c->icp : &r->irp;
    list[1] = by_cols ? &c->ia : &r->ja;
    list[2] = by_cols ? &c->val : &r->val;
    return by_cols;
}

/* The same, and set the sizes of *l. */
static int sizes_of(const struct X(mat) *a, struct psb_dual *list[3], struct X(compressed) *l)
{
    const int by_cols = arrays_of(a, list);
    l->n = by_cols ? a->ncols : a->nrows;
    l->m = by_cols ? a->nrows : a->ncols;
    return by_cols;
}

psb_err X(compressed_open)(const struct X(mat) *a, struct X(compressed) *l)
{
    struct psb_dual *d[3];
    sizes_of(a, d, l);
    return PSB_PASS(X(compressed_read)(d[0], d[1], d[2], l));
}

psb_err X(compressed_new)(struct X(mat) *a, struct X(compressed) *l)
{
    struct psb_dual *d[3];
    const int by_cols = sizes_of(a, d, l);
    return PSB_PASS(X(compressed_make)(d[0], d[1], d[2], a->nnz, a->on, by_cols ? csc_names : csr_names, l));
}

static int compressed_slot_arrays(struct X(mat) *a, struct psb_dual **list)
{
    arrays_of(a, list);
    return 3;
}

static psb_err compressed_slot_copy(struct X(mat) *a, struct X(mat) *b)
{
    struct X(compressed) to, from;
    PSB_TRY(X(compressed_open)(b, &from));
    PSB_TRY(X(compressed_new)(a, &to));
    X(compressed_copy)(to.ptr, from.ptr, (size_t)from.n + 1, sizeof *to.ptr);
    X(compressed_copy)(to.idx, from.idx, (size_t)b->nnz, sizeof *to.idx);
    X(compressed_copy)(to.val, from.val, (size_t)b->nnz, sizeof *to.val);
    return PSB_OK;
}

static psb_err compressed_slot_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct X(compressed) l;
    struct psb_dual *d[3];
    const int by_cols = sizes_of(a, d, &l);
    PSB_TRY(X(compressed_read)(d[0], d[1], d[2], &l));
    return PSB_PASS(X(compressed_walk)(&l, d[2], change, by_cols, visit, job));
}

static psb_err compressed_slot_get_diag(struct X(mat) *a, psb_ipk n, int ones, T *diag)
{
    struct X(compressed) l;
    PSB_TRY(X(compressed_open)(a, &l));
    X(compressed_diag)(&l, n, ones, diag);
    return PSB_OK;
}

static psb_err compressed_slot_scale(struct X(mat) *a, T s, const T *left, const T *right)
{
    struct X(compressed) l;
    struct psb_dual *d[3];
    const int by_cols = sizes_of(a, d, &l);
    PSB_TRY(X(compressed_read)(d[0], d[1], d[2], &l));
    return PSB_PASS(X(compressed_scale)(&l, d[2], s, by_cols ? right : left, by_cols ? left : right));
}

static psb_err compressed_slot_zero_vals(struct X(mat) *a)
{
    struct psb_dual *d[3];
    arrays_of(a, d);
    return PSB_PASS(X(zero_values)(d[2]));
}

static psb_err compressed_slot_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                     const T *val, enum psb_dupl dupl)
{
    struct X(compressed) l;
    struct psb_dual *d[3];
    const int by_cols = sizes_of(a, d, &l);
    PSB_TRY(X(compressed_read)(d[0], d[1], d[2], &l));
    return PSB_PASS(X(compressed_put)(&l, d[2], nz, ia, ja, val, dupl, by_cols));
}

static psb_err compressed_slot_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                    char trans)
{
    struct X(compressed) l;
    const int transposed = (trans != 'N') == X(mat_is_csr)(a);
    PSB_TRY(X(compressed_open)(a, &l));
    return PSB_PASS(X(compressed_csmm)(&l, k, alpha, x, beta, y, transposed, trans == 'C'));
}

static psb_err compressed_slot_cssm(struct X(mat) *a, psb_ipk k, const T *x, const T *d, T *y, char trans)
{
    struct X(compressed) l;
    struct psb_dual *list[3];
    const int by_cols = !X(mat_is_csr)(a), transposed = (trans != 'N') != by_cols;
    struct X(triangle) t = { a->is.upper != by_cols, a->is.unit, transposed, trans == 'C', by_cols };
    PSB_TRY(X(compressed_open)(a, &l));
    arrays_of(a, list);
    const unsigned long at[] = { list[0]->changes + list[1]->changes, list[2]->changes };
    if (a->solve && list[2]->borrowed)
        a->solve->has_values = 0; /* the caller may have changed them */
    return PSB_PASS(X(compressed_solve)(a, &l, t, at, k, x, d, y));
}

static const struct X(mat_ops) compressed_ops = {
    .super = &X(root_mold),
    .fmt = "compressed lines",
    .size = sizeof(struct X(mat)),
    .storage = { .arrays = compressed_slot_arrays, .copy = compressed_slot_copy },
    .entries = { .walk = compressed_slot_walk,
                 .get_diag = compressed_slot_get_diag,
                 .scale = compressed_slot_scale,
                 .zero_vals = compressed_slot_zero_vals,
                 .csput = compressed_slot_csput },
    .products = { .csmm = compressed_slot_csmm, .cssm = compressed_slot_cssm },
};

const struct X(mat) X(compressed_mold) = { .ops = &compressed_ops };

/* --- conversions ------------------------------------------------------------------------------------ */

static psb_err csr_from_coo(struct X(mat) *a, const struct X(coo_mat) *b)
{
    struct X(compressed) l;
    size_t n = (size_t)b->mat.nnz;
    PSB_TRY(X(compressed_new)(a, &l));
    X(compressed_count)(l.n, b->mat.nnz, b->ia, l.ptr);
    X(compressed_copy)(l.idx, b->ja, n, sizeof *l.idx);
    X(compressed_copy)(l.val, b->val, n, sizeof *l.val);
    return PSB_OK;
}

/* Columns and values are moved, not copied. */
static psb_err csr_move_from_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    struct X(csr_mat) *a = (struct X(csr_mat) *)a_;
    psb_epk *irp;
    PSB_WITH_SLOT(k, &b->mat, storage.trim);
    PSB_TRY(k->storage.trim(&b->mat));
    PSB_TRY(psb_dual_init(&a->irp, (size_t)a_->nrows + 1, sizeof *irp, a_->on, csr_names[0]));
    PSB_TRY(psb_dual_init(&a->ja, (size_t)a_->nnz, sizeof *b->ja, a_->on, csr_names[1]));
    PSB_TRY(psb_dual_init(&a->val, (size_t)a_->nnz, sizeof *b->val, a_->on, csr_names[2]));
    PSB_TRY(psb_dual_write(&a->irp, PSB_HOST, &irp));
    X(compressed_count)(a_->nrows, a_->nnz, b->ia, irp);
    psb_dual_adopt(&a->ja, b->ja);
    psb_dual_adopt(&a->val, b->val);
    b->ja = NULL;
    b->val = NULL;
    b->mat.nnz = b->cap = 0;
    return PSB_OK;
}

static psb_err csr_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(compressed) l;
    PSB_TRY(X(compressed_open)(a, &l));
    psb_epk first = l.ptr[lo], n = l.ptr[hi] - first;
    for (psb_ipk i = lo; !b && i <= hi; i++)
        ptr[i - lo] = l.ptr[i] - first;
    if (!b)
        return PSB_OK;
    PSB_TRY(X(coo_reserve)(b, n));
    X(compressed_keys)(lo, hi, l.ptr + lo, b->ia);
    X(compressed_copy)(b->ja, l.idx + first, (size_t)n, sizeof *l.idx);
    X(compressed_copy)(b->val, l.val + first, (size_t)n, sizeof *l.val);
    b->mat.nnz = n;
    return PSB_OK;
}

static psb_err csr_from_fmt(struct X(mat) *a, struct X(mat) *b)
{
    return X(mat_is_csr)(b) ? compressed_slot_copy(a, b) : X(root_mold).ops->storage.from_fmt(a, b);
}

psb_err X(csr_view)(const struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made)
{
    struct X(mat) *new = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(l && made, PSB_EARG, "argument %s is NULL; expected where to store the rows", l ? "made" : "l");
    if (!X(mat_is_csr)(a))
        PSB_TRY(X(mat_convert)(a, &X(csr_mold).mat, &new));
    return PSB_PASS(X(mat_made)(X(compressed_open)(new ? new : a, l), new, made));
}

psb_err X(mat_full_rows)(const struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made)
{
    struct X(coo_mat) *t;
    struct X(mat) *full, *none;
    if (!X(mat_has_ones)(a))
        return PSB_PASS(X(csr_view)(a, l, made));
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &t));
    psb_err e = X(mat_convert)(&t->mat, &X(csr_mold).mat, &full);
    X(mat_free)(&t->mat);
    PSB_TRY(e);
    return PSB_PASS(X(mat_made)(X(csr_view)(full, l, &none), full, made));
}

psb_err X(csr_make)(psb_ipk m, psb_ipk n, psb_epk nnz, struct X(mat) **a, struct X(compressed) *l)
{
    struct X(mat) *new;
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %d; expected >= 0", m);
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_CHECK(nnz >= 0, PSB_EARG, "argument nnz is %" PRId64 "; expected >= 0", nnz);
    PSB_CHECK(a && l, PSB_EARG, "argument %s is NULL; expected where to store the %s", a ? "l" : "a",
              a ? "rows" : "matrix");
    PSB_TRY(X(mat_new)(&X(csr_mold).mat, m, n, nnz, &new));
    new->is.state = PSB_MAT_ASB;
    return PSB_PASS(X(mat_made)(X(compressed_new)(new, l), new, a));
}

static psb_err csr_weigh(struct X(mat) *a, const struct X(compressed) *l, double *bytes)
{
    (void)a;
    *bytes = X(csr_weighs)(l->n, l->ptr[l->n]);
    return PSB_OK;
}

static const struct X(mat_ops) csr_ops = {
    .super = &X(compressed_mold),
    .fmt = "CSR",
    .size = sizeof(struct X(csr_mat)),
    .storage = { .from_coo = csr_from_coo,
                 .move_from_coo = csr_move_from_coo,
                 .from_fmt = csr_from_fmt,
                 .weigh = csr_weigh },
    .entries.rows = csr_rows,
};

const struct X(csr_mat) X(csr_mold) = { .mat.ops = &csr_ops };
