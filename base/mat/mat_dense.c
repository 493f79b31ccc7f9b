/* mat_dense.c -- base/mat: products of a matrix and dense arrays by rows or columns, in batches, over
 * semirings; small solves; sampled products. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_type.h"

enum { AT_ONCE_COLUMNS = 64 };
static const psb_epk most_elements = INT64_MAX / 64;

/* --- checks --------------------------------------------------------------------------------------------- */

/* *at: where the elements of op(X) are, m x n, for the argument `name` that d is; p: the first one. */
static psb_err place_dense(const char *name, const psb_dense *d, psb_epk m, psb_epk n, psb_epk batch,
                           bool written, struct psb_places *at)
{
    PSB_CHECK(d->op == 'N' || (!written && (d->op == 'T' || d->op == 'C')), PSB_EARG,
              "argument %sop is '%c'; expected %s", name, d->op ? d->op : ' ',
              written ? "'N'" : "'N', 'T' or 'C'");
    PSB_CHECK(d->order == PSB_BY_ROWS || d->order == PSB_BY_COLS, PSB_EARG,
              "argument %sorder is %d; expected PSB_BY_ROWS or PSB_BY_COLS", name, (int)d->order);
    const bool by_rows = (d->order == PSB_BY_ROWS) == (d->op == 'N');
    const psb_epk line = by_rows ? n : m, lines = by_rows ? m : n;
    PSB_CHECK(d->ld >= line && (lines < 2 || d->ld <= (most_elements - line) / (lines - 1)), PSB_EARG,
              "argument %sld is %" PRId64 "; expected at least %" PRId64
              ", and less than 2^57 elements in all",
              name, d->ld, line);
    const psb_epk extent = lines > 0 && line > 0 ? (lines - 1) * d->ld + line : 0,
                  least = written ? extent : 0;
    PSB_CHECK(
        batch < 2 || (d->stride >= least && d->stride <= (most_elements - extent) / (batch - 1)), PSB_EARG,
        "argument %sstride is %" PRId64 "; expected at least %" PRId64 ", and less than 2^57 elements in all",
        name, d->stride, least);
    *at = by_rows ? (struct psb_places){ d->ld, 1, d->stride } : (struct psb_places){ 1, d->ld, d->stride };
    return PSB_OK;
}

/* *s: the side of the arrays, on which the matrix, argument `name`, must have its entries. */
static psb_err choose_side(const char *name, const struct X(mat) *a, const struct psb_vmold *mold,
                           enum psb_side *s)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    PSB_CHECK(!on || a->on == on, PSB_EARG,
              "argument %s has format %s, on %s; expected a format of device %s, where the arrays are", name,
              a->ops->fmt, a->on ? a->on->name : "the host", on->name);
    *s = on ? PSB_DEV : PSB_HOST;
    return PSB_OK;
}

/* The arrays of a call, NULL where it has none, on side s of a. */
static psb_err check_addresses(enum psb_side s, const struct X(mat) *a, const T *val, const T *x, const T *y)
{
    const struct psb_device *on = s == PSB_DEV ? a->on : NULL;
    PSB_TRY(psb_dual_check(on, "val", val, sizeof *val));
    PSB_TRY(psb_dual_check(on, "x", x, sizeof *x));
    return psb_dual_check(on, "y", y, sizeof *y);
}

static psb_err need_rows(const char *name, const struct X(mat) *a)
{
    PSB_CHECK(X(mat_is_csr)(a), PSB_EARG, "argument %s has format %s; expected CSR or CSRG", name,
              a->ops->fmt);
    return PSB_OK;
}

static psb_err check_products(const psb_products *q, const struct X(mat) *a, const T *val)
{
    PSB_NEED(q, "a description of products");
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(q->op == 'N' || q->op == 'T' || q->op == 'C', PSB_EARG,
              "argument q->op is '%c'; expected 'N', 'T' or 'C'", q->op ? q->op : ' ');
    PSB_CHECK(q->k >= 0 && q->batch >= 0, PSB_EARG, "argument q has k %d, batch %d; expected none below 0",
              q->k, q->batch);
    PSB_CHECK(!val || q->batch < 2 || (q->stride >= 0 && q->stride <= most_elements / q->batch), PSB_EARG,
              "argument q->stride is %" PRId64 "; expected at least 0, and less than 2^57 elements in all",
              q->stride);
    return PSB_OK;
}

/* Products over another semiring: alpha is 1, beta 0 or 1, and numbers have an order if it needs one. */
static psb_err check_semiring(enum psb_semiring over, T alpha, T beta)
{
    PSB_CHECK(over == PSB_PLUS_TIMES || over == PSB_MIN_PLUS || over == PSB_MAX_TIMES || over == PSB_OR_AND,
              PSB_EARG, "argument q->over is %d; expected a psb_semiring", (int)over);
    PSB_CHECK(!CPLX || over == PSB_PLUS_TIMES || over == PSB_OR_AND, PSB_EARG,
              "argument q->over is %s; expected PSB_PLUS_TIMES or PSB_OR_AND: complex numbers have no order",
              over == PSB_MIN_PLUS ? "PSB_MIN_PLUS" : "PSB_MAX_TIMES");
    PSB_CHECK(over == PSB_PLUS_TIMES || alpha == 1, PSB_EARG,
              "argument alpha is %g; expected 1, since q->over is not PSB_PLUS_TIMES", (double)RE(alpha));
    PSB_CHECK(over == PSB_PLUS_TIMES || beta == 0 || beta == 1, PSB_EARG,
              "argument beta is %g; expected 0 or 1, since q->over is not PSB_PLUS_TIMES", (double)RE(beta));
    return PSB_OK;
}

/* --- by rows, in any format ----------------------------------------------------------------------------- */

/* Matrices of n x k elements, at `at` in an array of the caller, and a copy by rows, g k columns. */
struct layout {
    psb_ipk n, k;
    bool conjugate, copied;
    struct psb_places at;
    struct psb_dual copy; /* if `copied` */
};

static psb_err open_layout(struct layout *l, psb_ipk g, const struct psb_device *on)
{
    const bool by_rows = l->at.row == l->k && (l->at.col == 1 || l->k == 1);
    l->copied = !by_rows || g > 1 || l->conjugate;
    return l->copied ? psb_dual_init(&l->copy, (size_t)l->n * (size_t)l->k * (size_t)g, sizeof(T), on,
                                     "columns by rows")
                     : PSB_OK;
}

/* Copy g matrices: from their array to `copy`, if `in`, or back. */
static psb_err lay_matrices(const struct layout *l, const struct X(vec_ops) *ops, psb_ipk g, bool in,
                            T *theirs, T *copy)
{
    const struct psb_places own = { (psb_epk)g * l->k, 1, l->k };
    struct psb_places at = l->at;
    psb_ipk turns = g, n = l->k;
    if (l->k == 1) { /* the matrices are columns */
        at.col = at.batch;
        turns = 1;
        n = g;
    }
    for (psb_ipk b = 0; b < turns; b++) {
        T *const x = theirs + b * at.batch, *const y = copy + b * own.batch;
        PSB_TRY(in ? ops->lay(l->n, n, l->conjugate, x, at, y, own)
                   : ops->lay(l->n, n, false, y, own, x, at));
    }
    return PSB_OK;
}

/* *p = g matrices by rows: those in the array, or the copy, with their values if `read`. */
static psb_err rows_of_layout(struct layout *l, enum psb_side s, const struct X(vec_ops) *ops, psb_ipk g,
                              bool read, T *theirs, T **p)
{
    *p = theirs;
    if (!l->copied)
        return PSB_OK;
    PSB_TRY(psb_dual_write(&l->copy, s, p));
    return read && l->n > 0 ? lay_matrices(l, ops, g, true, theirs, *p) : PSB_OK;
}

static psb_err multiply_group(const psb_products *q, enum psb_side s, T alpha, const struct X(mat) *a,
                              struct layout *x, T *from, T beta, struct layout *y, T *to, psb_ipk g)
{
    const struct X(vec_ops) *const ops = X(vec)(s, a->on);
    T *in, *out;
    PSB_TRY(rows_of_layout(x, s, ops, g, alpha != 0, from, &in));
    PSB_TRY(rows_of_layout(y, s, ops, g, beta != 0, to, &out));
    PSB_TRY(X(mat_mm_on)(s, alpha, a, g * q->k, in, beta, out, q->op));
    return y->copied ? lay_matrices(y, ops, g, false, to, out) : PSB_OK;
}

/* Nothing is written to x. */
static psb_err multiply_layouts(const psb_products *q, enum psb_side s, T alpha, const struct X(mat) *a,
                                const T *x, T beta, T *y, const struct psb_row_products *t)
{
    const psb_ipk most = q->k < AT_ONCE_COLUMNS ? AT_ONCE_COLUMNS / q->k : 1,
                  g = q->batch < most ? q->batch : most;
    struct layout lx = { q->op == 'N' ? a->ncols : a->nrows, q->k, t->conjugate, .at = t->x };
    struct layout ly = { t->m, q->k, .at = t->y };
    psb_err e = open_layout(&lx, g, a->on);
    PSB_THEN(e, open_layout(&ly, g, a->on));
    for (psb_ipk b = 0; b < q->batch; b += g)
        PSB_THEN(e, multiply_group(q, s, alpha, a, &lx, alpha == 0 || !x ? NULL : (T *)x + b * t->x.batch,
                                   beta, &ly, y + b * t->y.batch, q->batch - b < g ? q->batch - b : g));
    psb_dual_free(&lx.copy);
    psb_dual_free(&ly.copy);
    return e;
}

/* --- rows in CSR ---------------------------------------------------------------------------------------- */

/* The entries of a on side s; *val: its values unless it is set, or val NULL. */
static psb_err open_rows(const struct X(mat) *a, enum psb_side s, struct psb_row_products *t, const T **val)
{
    const struct X(csr_mat) *const c = (const struct X(csr_mat) *)a;
    t->nnz = a->nnz;
    PSB_TRY(psb_dual_read(&c->irp, s, &t->off));
    PSB_TRY(psb_dual_read(&c->ja, s, &t->ja));
    if (val && !*val)
        PSB_TRY(psb_dual_read(&c->val, s, val));
    PSB_CHECK(X(vec)(s, a->on)->spmm, PSB_ENOTIMPL, "device %s has no products with dense arrays",
              a->on->name);
    return PSB_OK;
}

static psb_err multiply_rows(const psb_products *q, enum psb_side s, T alpha, const struct X(mat) *a,
                             const T *val, const T *x, T beta, T *y, struct psb_row_products *t)
{
    struct X(mat) *rows = X(mat_mutable)(a);
    PSB_TRY(need_rows("a", a));
    PSB_CHECK(!X(mat_has_ones)(a), PSB_EARG,
              "argument a is a unit triangle; expected its diagonal, as stored by psb_?_mat_make_nonunit");
    PSB_CHECK(!val || q->op == 'N', PSB_EARG, "argument q->op is '%c'; expected 'N', since val is not NULL",
              q->op);
    if (q->op != 'N')
        PSB_TRY(X(mat_transposed)(rows, q->op, &rows));
    PSB_TRY(need_rows("a, transposed,", rows));
    PSB_TRY(open_rows(rows, s, t, &val));
    return X(vec)(s, a->on)->spmm(t, alpha, val, x, beta, y);
}

psb_err X(mat_spmm)(const psb_products *q, T alpha, const struct X(mat) *a, const T *val, const T *x, T beta,
                    T *y, const struct psb_vmold *mold)
{
    enum psb_side s;
    PSB_TRY(check_products(q, a, val));
    PSB_TRY(check_semiring(q->over, alpha, beta));
    const psb_ipk m = q->op == 'N' ? a->nrows : a->ncols, n = q->op == 'N' ? a->ncols : a->nrows;
    struct psb_row_products t = { .over = q->over,
                                  .m = m,
                                  .k = q->k,
                                  .batch = q->batch,
                                  .values = val ? q->stride : 0,
                                  .conjugate = CPLX && q->x.op == 'C' };
    PSB_TRY(place_dense("q->x.", &q->x, n, q->k, q->batch, false, &t.x));
    PSB_TRY(place_dense("q->y.", &q->y, m, q->k, q->batch, true, &t.y));
    PSB_TRY(choose_side("a", a, mold, &s));
    if (m == 0 || q->k == 0 || q->batch == 0)
        return PSB_OK;
    PSB_NEED(y, "an array for the product");
    PSB_CHECK(x || n == 0 || alpha == 0, PSB_EARG, "argument x is NULL; expected %d x %d elements", n, q->k);
    PSB_CHECK(x != y, PSB_EARG, "arguments x and y are the same array; expected two");
    PSB_TRY(check_addresses(s, a, val, x, y));
    if (q->over == PSB_PLUS_TIMES && !val)
        return PSB_PASS(multiply_layouts(q, s, alpha, a, x, beta, y, &t));
    return PSB_PASS(multiply_rows(q, s, alpha, a, val, x, beta, y, &t));
}

psb_err X(mat_spsm)(const psb_products *q, const struct X(mat) *a, const T *val, T *y,
                    const struct psb_vmold *mold)
{
    enum psb_side s;
    psb_epk bad;
    PSB_TRY(check_products(q, a, val));
    PSB_TRY(need_rows("a", a));
    NEED_SQUARE(a);
    PSB_CHECK(a->is.triangle, PSB_EARG,
              "argument a is not marked as a triangle; expected psb_?_mat_set_triangle before");
    struct psb_row_products t = { .m = a->nrows,
                                  .k = q->k,
                                  .batch = q->batch,
                                  .values = val ? q->stride : 0,
                                  .upper = X(mat_is_upper)(a),
                                  .unit = a->is.unit,
                                  .op = q->op };
    PSB_TRY(place_dense("q->y.", &q->y, t.m, q->k, q->batch, true, &t.y));
    PSB_TRY(choose_side("a", a, mold, &s));
    if (t.m == 0 || q->k == 0 || q->batch == 0)
        return PSB_OK;
    PSB_NEED(y, "right-hand sides");
    PSB_TRY(check_addresses(s, a, val, NULL, y));
    PSB_TRY(open_rows(a, s, &t, &val));
    PSB_TRY(X(vec)(s, a->on)->spsm(&t, val, y, &bad));
    PSB_CHECK(bad < 0, PSB_EARG, "row %d of matrix %d; expected %s triangle with %s", (int)(bad % t.m),
              (int)(bad / t.m), t.upper ? "an upper" : "a lower",
              t.unit ? "no entry on the diagonal" : "a diagonal that is not 0");
    return PSB_OK;
}

/* --- sampled products ----------------------------------------------------------------------------------- */

/* *x, m lines of k elements at `at`, the lines along at->row, has neighbouring elements: it stays, or becomes
 * a copy in *own. */
static psb_err order_lines(psb_ipk m, psb_ipk k, bool conjugate, enum psb_side s, const struct psb_device *on,
                           struct psb_places *at, const T **x, struct psb_dual *own)
{
    const struct psb_places to = { k, 1, 0 };
    T *copy;
    if ((at->col == 1 || k == 1) && !conjugate)
        return PSB_OK;
    PSB_TRY(psb_dual_init(own, (size_t)m * (size_t)k, sizeof *copy, on, "rows of a sampled product"));
    PSB_TRY(psb_dual_write(own, s, &copy));
    PSB_TRY(X(vec)(s, on)->lay(m, k, conjugate, *x, *at, copy, to));
    *at = to;
    *x = copy;
    return PSB_OK;
}

/* Values of c are overwritten, or updated if beta is not 0. */
static psb_err compute_samples(struct psb_row_products *t, enum psb_side s, T alpha, const T *x, const T *y,
                               T beta, struct X(mat) *c)
{
    struct psb_dual *const values = &((struct X(csr_mat) *)c)->val;
    const unsigned was = values->valid;
    T *val;
    PSB_TRY(open_rows(c, s, t, NULL));
    PSB_TRY(beta == 0 ? psb_dual_write(values, s, &val) : psb_dual_update(values, s, &val));
    const psb_err e = t->k > 0 ? X(vec)(s, c->on)->sddmm(t, alpha, x, y, beta, val)
                               : X(vec)(s, c->on)->axpby(c->nnz, 0, val, beta, val);
    if (e != PSB_OK)
        psb_dual_undo(values, s, was);
    return e;
}

psb_err X(mat_sddmm)(T alpha, psb_ipk k, const psb_dense *left, const T *x, const psb_dense *right,
                     const T *y, T beta, struct X(mat) *c, const struct psb_vmold *mold)
{
    struct psb_dual own[2] = { { 0 } };
    struct psb_places at;
    enum psb_side s;
    PSB_NEED_HANDLE(c, "a matrix");
    PSB_TRY(need_rows("c", c));
    PSB_NEED(left, "the layout of x");
    PSB_NEED(right, "the layout of y");
    PSB_CHECK(k >= 0, PSB_EARG, "argument k is %d; expected >= 0", k);
    struct psb_row_products t = { .m = c->nrows, .k = alpha == 0 ? 0 : k };
    PSB_TRY(place_dense("left->", left, c->nrows, k, 1, false, &t.x));
    PSB_TRY(place_dense("right->", right, k, c->ncols, 1, false, &at));
    PSB_TRY(choose_side("c", c, mold, &s));
    if (c->nnz == 0)
        return PSB_OK;
    PSB_CHECK(x || t.k == 0, PSB_EARG, "argument x is NULL; expected %d x %d elements", c->nrows, k);
    PSB_CHECK(y || t.k == 0, PSB_EARG, "argument y is NULL; expected %d x %d elements", k, c->ncols);
    PSB_TRY(check_addresses(s, c, NULL, x, y));
    t.y = (struct psb_places){ at.col, at.row, 0 };
    psb_err e = PSB_OK;
    if (t.k > 0) {
        PSB_THEN(e, order_lines(c->nrows, k, CPLX && left->op == 'C', s, c->on, &t.x, &x, &own[0]));
        PSB_THEN(e, order_lines(c->ncols, k, CPLX && right->op == 'C', s, c->on, &t.y, &y, &own[1]));
    }
    PSB_THEN(e, compute_samples(&t, s, alpha, x, y, beta, c));
    psb_dual_free(&own[0]);
    psb_dual_free(&own[1]);
    return PSB_PASS(e);
}
