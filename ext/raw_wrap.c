/* raw_wrap.c -- ext: arrays of other libraries without a copy: a matrix that uses them, and views of
 * the arrays of a matrix. */
#include "psb_ext_format.h"
#include "psb_handle.h"
#include "raw_inside.h"
#include "psb_type.h"

/* --- a matrix that uses given arrays ---------------------------------------------------------------- */

/* Check the indices of compressed rows or columns; they must ascend within each. */
static psb_err check_indices(const struct X(compressed) *l, const char *name)
{
    for (psb_ipk i = 0; i < l->n; i++)
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
            PSB_CHECK(l->idx[k] >= 0 && l->idx[k] < l->m, PSB_EARG,
                      "argument from->%s[%" PRId64 "] is %d; expected 0 <= %s < %d", name, k, l->idx[k], name,
                      l->m);
            PSB_CHECK(k == l->ptr[i] || l->idx[k - 1] < l->idx[k], PSB_EARG,
                      "argument from->%s[%" PRId64 "] is %d after %d; expected them ascending", name, k,
                      l->idx[k], l->idx[k - 1]);
        }
    return PSB_OK;
}

static psb_err check_wrap(const struct psb_raw *r, const struct X(raw_arrays) *from)
{
    struct psb_raw_sizes len;
    PSB_TRY(psb_raw_lengths(r, &len));
    PSB_CHECK(r->layout == PSB_RAW_CSR || r->layout == PSB_RAW_CSC, PSB_EARG,
              "argument r->layout is %d; expected PSB_RAW_CSR or PSB_RAW_CSC, any other is copied",
              (int)r->layout);
    PSB_CHECK(r->base == 0, PSB_EARG, "argument r->base is 1; expected 0, any other is copied");
    PSB_CHECK(r->idx_bits == 32, PSB_EARG, "argument r->idx_bits is 64; expected 32, any other is copied");
    PSB_NEED(from, "arrays");
    return psb_raw_arrays_given(
        &len, "from",
        (const void *const[]){ from->off, from->row, from->col, from->val, from->ell_col, from->ell_val });
}

/* *wide = a copy of n offsets of 32 bits. */
static psb_err widen(const int32_t *off, size_t n, psb_epk **wide)
{
    PSB_TRY(psb_alloc(wide, n, sizeof **wide, "offsets from outside"));
    for (size_t k = 0; k < n; k++)
        (*wide)[k] = off[k];
    return PSB_OK;
}

/* Let d use the n elements at p, owned or borrowed. */
static psb_err set_array(struct psb_dual *d, size_t n, size_t size, void *p, enum psb_raw_owner owner,
                         const char *name)
{
    if (owner != PSB_RAW_TAKE)
        return psb_dual_lend(d, n, size, NULL, name, PSB_HOST, p);
    PSB_TRY(psb_dual_init(d, n, size, NULL, name));
    psb_dual_adopt(d, p);
    return PSB_OK;
}

static psb_err set_arrays(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val,
                          const struct X(compressed) *l, enum psb_raw_owner owner, bool widened)
{
    size_t n = (size_t)l->ptr[l->n];
    PSB_TRY(set_array(ptr, (size_t)l->n + 1, sizeof *l->ptr, l->ptr, widened ? PSB_RAW_TAKE : owner,
                      "offsets from outside"));
    PSB_TRY(set_array(idx, n, sizeof *l->idx, l->idx, owner, "indices from outside"));
    return set_array(val, n, sizeof *l->val, l->val, owner, "values from outside");
}

/* *a = a matrix of these arrays. */
static psb_err wrap(const struct psb_raw *r, const struct X(compressed) *l, enum psb_raw_owner owner,
                    struct X(mat) **a)
{
    int by_cols = r->layout == PSB_RAW_CSC;
    struct X(mat) *new;
    PSB_TRY(check_indices(l, by_cols ? "row" : "col"));
    PSB_TRY(X(mat_new)(by_cols ? &X(csc_mold).mat : &X(csr_mold).mat, r->m, r->n, r->nnz, &new));
    struct X(csr_mat) *rows = (struct X(csr_mat) *)new;
    struct X(csc_mat) *cols = (struct X(csc_mat) *)new;
    const bool widened = r->off_bits == 32;
    psb_err e = by_cols ? set_arrays(&cols->icp, &cols->ia, &cols->val, l, owner, widened)
                        : set_arrays(&rows->irp, &rows->ja, &rows->val, l, owner, widened);
    if (e != PSB_OK) { /* a size overflows: no array is owned by the matrix yet */
        psb_free(new);
        return e;
    }
    new->is.state = PSB_MAT_ASB;
    *a = new;
    return PSB_OK;
}

psb_err X(raw_wrap)(const struct psb_raw *r, const struct X(raw_arrays) *from, enum psb_raw_owner owner,
                    struct X(mat) **a)
{
    PSB_TRY(check_wrap(r, from));
    PSB_CHECK(owner == PSB_RAW_BORROW || owner == PSB_RAW_TAKE, PSB_EARG,
              "argument owner is %d; expected PSB_RAW_BORROW or PSB_RAW_TAKE", (int)owner);
    PSB_NEED(a, "where to store the matrix");
    int by_cols = r->layout == PSB_RAW_CSC;
    struct X(compressed) l = { by_cols ? r->n : r->m, by_cols ? r->m : r->n, from->off,
                               by_cols ? from->row : from->col, from->val };
    PSB_TRY(psb_raw_offsets(r, from->off, l.n, 1, r->nnz));
    if (r->off_bits == 64)
        return PSB_PASS(wrap(r, &l, owner, a));
    PSB_TRY(widen(from->off, (size_t)l.n + 1, &l.ptr));
    psb_err e = wrap(r, &l, owner, a);
    if (e != PSB_OK)
        psb_free(l.ptr);
    else if (owner == PSB_RAW_TAKE)
        psb_free(from->off);
    return PSB_PASS(e);
}

/* --- views of the arrays of a matrix ---------------------------------------------------------------- */

/* Is a stored in the format of `mold`? */
static int stored_as(const struct X(mat) *a, const struct X(mat) *mold)
{
    const struct X(mat_ops) *k = a->ops;
    while (k != mold->ops && k->super)
        k = k->super->ops;
    return k == mold->ops;
}

static psb_err view_compressed(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val,
                               const void **index, struct X(raw_const) *v)
{
    PSB_TRY(psb_dual_read(ptr, PSB_HOST, &v->off));
    PSB_TRY(psb_dual_read(idx, PSB_HOST, index));
    return psb_dual_read(val, PSB_HOST, &v->val);
}

static psb_err view_csr(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    struct X(csr_mat) *s = (struct X(csr_mat) *)a;
    r->layout = PSB_RAW_CSR;
    return view_compressed(&s->irp, &s->ja, &s->val, &v->col, v);
}

static psb_err view_csc(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    struct X(csc_mat) *s = (struct X(csc_mat) *)a;
    r->layout = PSB_RAW_CSC;
    return view_compressed(&s->icp, &s->ia, &s->val, &v->row, v);
}

static psb_err view_coo(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    const struct X(coo_mat) *s = (const struct X(coo_mat) *)a;
    PSB_CHECK(X(coo_ordered)(s), PSB_ENOTIMPL, "argument a is COO in no order; expected it by rows");
    r->layout = PSB_RAW_COO;
    v->row = s->ia;
    v->col = s->ja;
    v->val = s->val;
    return PSB_OK;
}

static psb_err view_hll(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    struct X(hll_mat) *s = (struct X(hll_mat) *)a;
    const psb_epk *off;
    PSB_CHECK(s->row.bytes == 0, PSB_ENOTIMPL, "argument a is %s, rows sorted by length; expected no order",
              a->ops->fmt);
    PSB_TRY(psb_dual_read(&s->off, PSB_HOST, &off));
    PSB_CHECK(off[s->nhacks] == a->nnz && s->rows <= INT32_MAX, PSB_ENOTIMPL,
              "argument a is %s and pads %" PRId64 " entries to %" PRId64 "; expected no padding",
              a->ops->fmt, a->nnz, off[s->nhacks]);
    r->layout = PSB_RAW_SELL;
    r->slice = s->rows > 0 ? (psb_ipk)s->rows : 1;
    r->stored = a->nnz;
    return view_compressed(&s->off, &s->ja, &s->val, &v->col, v);
}

/* Does a block row have two blocks of the same column, for duplicate entries? */
static int repeats(psb_ipk n, const psb_epk *off, const psb_ipk *ja)
{
    for (psb_ipk h = 0; h < n; h++)
        for (psb_epk b = off[h] + 1; b < off[h + 1]; b++)
            if (ja[b] == ja[b - 1])
                return 1;
    return 0;
}

static psb_err view_bsr(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    struct X(bsr_mat) *s = (struct X(bsr_mat) *)a;
    const psb_epk *off;
    PSB_CHECK(!s->padded, PSB_ENOTIMPL, "argument a is %s; expected BSR, not padded", a->ops->fmt);
    r->layout = PSB_RAW_BSR;
    r->order = s->by_cols ? PSB_BY_COLS : PSB_BY_ROWS;
    r->brows = s->r;
    r->bcols = s->c;
    PSB_TRY(view_compressed(&s->off, &s->ja, &s->val, &v->col, v));
    off = v->off;
    r->nnz = off[s->n];
    PSB_CHECK(!repeats(s->n, off, v->col), PSB_ENOTIMPL,
              "argument a is %s, and a block stands twice; expected each once", a->ops->fmt);
    return PSB_OK;
}

psb_err X(raw_view)(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v)
{
    static const struct {
        const struct X(mat) *mold;
        psb_err (*view)(struct X(mat) *, struct psb_raw *, struct X(raw_const) *);
    } views[] = { { &X(csr_mold).mat, view_csr },
                  { &X(csc_mold).mat, view_csc },
                  { &X(coo_mold).mat, view_coo },
                  { &X(hll_mold).mat, view_hll },
                  { &X(bsr_mold).mat, view_bsr } };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(r && v, PSB_EARG, "argument %s is NULL; expected where to store the view", r ? "v" : "r");
    PSB_CHECK(!X(mat_has_ones)(a), PSB_ENOTIMPL,
              "argument a is a unit triangle, its diagonal not stored; expected another matrix");
    struct psb_raw new = { .idx_bits = 32, .off_bits = 64, .m = a->nrows, .n = a->ncols, .nnz = a->nnz };
    struct X(raw_const) arrays = { 0 };
    for (size_t k = 0; k < sizeof views / sizeof *views; k++)
        if (stored_as(a, views[k].mold)) {
            PSB_TRY(views[k].view(a, &new, &arrays));
            *r = new;
            *v = arrays;
            return PSB_OK;
        }
    return PSB_FAIL(PSB_ENOTIMPL, "argument a is %s; expected CSR, CSC, COO, HLL, ELL or BSR", a->ops->fmt);
}
