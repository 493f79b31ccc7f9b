/* cuda_raw.c -- cuda/formats: matrices of arrays of other libraries that are on the device. */
#include "gpu_formats.h"
#include "per_device.h"
#include "raw_inside.h"
#include "psb_type.h"

static const struct X(raw_steps) *raw_steps_of(const struct psb_device *on)
{
    return PSB_KERNELS(X(raw_steps), on);
}

/* --- checks --------------------------------------------------------------------------------------------- */

/* *k = the first element that breaks the rule, v[1], v[0] = it and the one before; or -1. */
static psb_err first_bad(const struct psb_device *on, const struct psb_raw_check *c, psb_epk *k, psb_epk v[2])
{
    psb_epk found[PSB_FOUND] = { 0 };
    const size_t size = (size_t)c->bits / 8;
    char raw[2 * sizeof(int64_t)];
    PSB_FIND(on, at, raw_steps_of(on)->first_bad(c, at), found);
    *k = found[0];
    if (*k < 0)
        return PSB_OK;
    const psb_epk from = *k > 0 ? *k - 1 : 0;
    PSB_TRY(psb_get(on, raw, (const char *)c->p + (size_t)from * size, (size_t)(*k - from + 1) * size,
                    "a check"));
    v[0] = psb_int_at(raw, c->bits, 0);
    v[1] = psb_int_at(raw, c->bits, *k - from);
    return PSB_OK;
}

/* As psb_raw_offsets. */
static psb_err check_offsets(const struct psb_device *on, const struct psb_raw *r, const void *off, psb_epk n,
                             psb_epk step, psb_epk total)
{
    const struct psb_raw_check c = { .rule = PSB_RAW_OFFSETS,
                                     .p = off,
                                     .bits = r->off_bits,
                                     .n = n + 1,
                                     .base = r->base,
                                     .step = step,
                                     .end = total + r->base };
    psb_epk k, v[2];
    PSB_TRY(first_bad(on, &c, &k, v));
    PSB_CHECK(k < 0 || k > 0, PSB_EARG, "argument from->off[0] is %" PRId64 "; expected the base, %d", v[1],
              r->base);
    PSB_CHECK(k < 0, PSB_EARG,
              "argument from->off[%" PRId64 "] is %" PRId64 " after %" PRId64 "; expected at least that, a "
              "multiple of %" PRId64 " more, and %" PRId64 " in the end",
              k, v[1], v[0], step, c.end);
    return PSB_OK;
}

/* The offsets of layouts that have some. */
static psb_err check_layout_offsets(const struct psb_device *on, const struct psb_raw *r, const void *off)
{
    switch (r->layout) {
    case PSB_RAW_CSR:
        return check_offsets(on, r, off, r->m, 1, r->nnz);
    case PSB_RAW_CSC:
        return check_offsets(on, r, off, r->n, 1, r->nnz);
    case PSB_RAW_SELL:
        return check_offsets(on, r, off, raw_parts(r->m, r->slice), r->slice, r->stored);
    case PSB_RAW_BSR:
        return check_offsets(on, r, off, raw_parts(r->m, r->brows), 1, r->nnz);
    default:
        return PSB_OK;
    }
}

static psb_err check_device_arrays(const struct psb_device *on, const struct psb_raw *r,
                                   struct psb_raw_sizes *len, const struct X(raw_const) *from)
{
    PSB_CHECK(on, PSB_EDEVICE, "no device is in use; expected psb_cuda_init with one before");
    PSB_TRY(psb_raw_lengths(r, len));
    PSB_NEED(from, "arrays");
    return psb_raw_arrays_given(
        len, "from",
        (const void *const[]){ from->off, from->row, from->col, from->val, from->ell_col, from->ell_val });
}

/* --- import --------------------------------------------------------------------------------------------- */

/* Set the places of the n elements of q, those of padding to row m; *pads is increased by their number. */
static psb_err find_places(const struct psb_device *on, const struct psb_raw_dev *q, psb_epk n, psb_ipk *ia,
                           psb_ipk *ja, psb_epk *pads)
{
    psb_epk found[PSB_FOUND] = { 0 };
    psb_ipk i, j;
    PSB_FIND(on, at, raw_steps_of(on)->places(q, n, ia, ja, at), found);
    *pads += found[1];
    if (found[0] < 0)
        return PSB_OK;
    PSB_TRY(psb_get(on, &i, ia + found[0], sizeof i, "a check"));
    PSB_TRY(psb_get(on, &j, ja + found[0], sizeof j, "a check"));
    return PSB_FAIL(PSB_EARG,
                    "element %" PRId64
                    " of the values `from` is in row %d, column %d, counted from 0; expected "
                    "a matrix of %d x %d, and 0 in blocks beyond it",
                    found[0], i, j, q->r.m, q->r.n);
}

/* Fill a, an empty CSRG matrix, with the entries of the arrays. */
static psb_err fill_from_raw(struct X(csr_mat) *a, const struct psb_raw *r, const struct psb_raw_sizes *len,
                             const struct X(raw_const) *from, enum psb_dupl dupl, struct X(sent) *t)
{
    const struct psb_device *on = a->mat.on;
    const bool hyb = r->layout == PSB_RAW_HYB;
    const psb_epk first = len->ell_val, n = first + len->val;
    struct psb_raw_dev ell = { *r, .col = from->ell_col, .val = from->ell_val },
                       rest = { *r, from->off, from->row, from->col, from->val };
    struct psb_dev_triplets e = { .nz = n, .val = from->val };
    psb_epk pads = 0;
    psb_ipk *ia, *ja;
    T *val;
    PSB_TRY(check_layout_offsets(on, r, from->off));
    PSB_TRY(X(move_on_device)(&t->ia, on, n, sizeof *ia, NULL, "COO rows", &ia));
    PSB_TRY(X(move_on_device)(&t->ja, on, n, sizeof *ja, NULL, "COO columns", &ja));
    if (hyb) {
        ell.r.layout = PSB_RAW_ELL;
        rest.r.layout = PSB_RAW_COO;
        PSB_TRY(X(move_on_device)(&t->val, on, n, sizeof *val, NULL, "COO values", &val));
        PSB_TRY(X(coo_steps_of)(on)->copy(val, from->ell_val, (size_t)first * sizeof *val));
        PSB_TRY(X(coo_steps_of)(on)->copy(val + first, from->val, (size_t)len->val * sizeof *val));
        PSB_TRY(find_places(on, &ell, first, ia, ja, &pads));
        e.val = val;
    }
    PSB_TRY(find_places(on, &rest, len->val, ia + first, ja + first, &pads));
    PSB_CHECK(r->layout != PSB_RAW_SELL || n - pads == r->nnz, PSB_EARG,
              "argument r->nnz is %" PRId64 "; expected %" PRId64 ", col without -1", r->nnz, n - pads);
    e.ia = ia;
    e.ja = ja;
    const psb_err err = X(rows_of_entries)(a, e, pads, dupl, &t->order, &t->place, &t->rows);
    PSB_CHECK(err != PSB_ENOTIMPL, PSB_EARG,
              "the arrays `from` have several entries of one place; expected one");
    return err;
}

psb_err X(cuda_raw_import)(const struct psb_raw *r, const struct X(raw_const) *from, enum psb_dupl dupl,
                           const struct X(mat) *mold, struct X(mat) **a)
{
    struct psb_raw_sizes len;
    struct X(sent) t = { .ia = { 0 } };
    struct X(mat) *new;
    PSB_TRY(check_device_arrays(psb_cuda_device(), r, &len, from));
    PSB_TRY(psb_dupl_check(dupl));
    PSB_NEED(a, "where to store the matrix");
    PSB_TRY(X(mat_new)(&X(csrg_mold).mat, r->m, r->n, 0, &new));
    psb_err e = X(sent_free)(&t, fill_from_raw((struct X(csr_mat) *)new, r, &len, from, dupl, &t));
    if (e == PSB_OK) {
        new->is.state = PSB_MAT_ASB;
        e = mold ? X(mat_cscnv)(&new, mold) : PSB_OK;
    }
    return PSB_PASS(X(mat_made)(e, new, a));
}

/* --- a matrix that uses the arrays ---------------------------------------------------------------------- */

static psb_err check_columns(const struct psb_device *on, const struct psb_raw *r, const void *col,
                             const psb_epk *off)
{
    struct psb_raw_check c = {
        .rule = PSB_RAW_INDICES, .p = col, .bits = 32, .n = r->nnz, .end = r->n, .lines = r->m, .off = off
    };
    psb_epk k, v[2];
    PSB_TRY(first_bad(on, &c, &k, v));
    PSB_CHECK(k < 0, PSB_EARG, "argument from->col[%" PRId64 "] is %" PRId64 "; expected 0 <= col < %d", k,
              v[1], r->n);
    c.rule = PSB_RAW_ASCENDING;
    PSB_TRY(first_bad(on, &c, &k, v));
    PSB_CHECK(k < 0, PSB_EARG,
              "argument from->col[%" PRId64 "] is %" PRId64 " after %" PRId64 "; expected them ascending", k,
              v[1], v[0]);
    return PSB_OK;
}

static psb_err use_raw_rows(struct X(csr_mat) *a, const struct psb_raw *r, const struct X(raw_arrays) *from)
{
    const struct psb_device *on = a->mat.on;
    const psb_epk m = r->m;
    const size_t nz = (size_t)r->nnz;
    psb_epk *off = from->off;
    if (r->off_bits == 64)
        PSB_TRY(psb_dual_lend(&a->irp, (size_t)m + 1, sizeof *off, on, "offsets from outside", PSB_DEV, off));
    else {
        PSB_TRY(X(move_on_device)(&a->irp, on, m + 1, sizeof *off, NULL, "CSR row pointers", &off));
        PSB_TRY(raw_steps_of(on)->widen(m + 1, from->off, off));
    }
    PSB_TRY(check_columns(on, r, from->col, off));
    PSB_TRY(psb_dual_lend(&a->ja, nz, sizeof(psb_ipk), on, "indices from outside", PSB_DEV, from->col));
    return psb_dual_lend(&a->val, nz, sizeof(T), on, "values from outside", PSB_DEV, from->val);
}

psb_err X(cuda_raw_wrap)(const struct psb_raw *r, const struct X(raw_arrays) *from, struct X(mat) **a)
{
    const struct psb_device *on = psb_cuda_device();
    struct X(raw_const) arrays = { 0 };
    struct psb_raw_sizes len;
    struct X(mat) *new;
    if (from)
        arrays =
            (struct X(raw_const)){ .off = from->off, .row = from->row, .col = from->col, .val = from->val };
    PSB_TRY(check_device_arrays(on, r, &len, from ? &arrays : NULL));
    PSB_CHECK(r->layout == PSB_RAW_CSR, PSB_EARG,
              "argument r->layout is %d; expected PSB_RAW_CSR, any other is copied", (int)r->layout);
    PSB_CHECK(r->base == 0, PSB_EARG, "argument r->base is 1; expected 0, any other is copied");
    PSB_CHECK(r->idx_bits == 32, PSB_EARG, "argument r->idx_bits is 64; expected 32, any other is copied");
    PSB_CHECK((uintptr_t)from->col % 16 == 0 && (uintptr_t)from->val % 16 == 0, PSB_EARG,
              "argument from->%s is at no multiple of 16 bytes; expected one, any other is copied "
              "(psb_cuda_raw_import)",
              (uintptr_t)from->col % 16 ? "col" : "val");
    PSB_NEED(a, "where to store the matrix");
    PSB_TRY(check_layout_offsets(on, r, from->off));
    PSB_TRY(X(mat_new)(&X(csrg_mold).mat, r->m, r->n, r->nnz, &new));
    const psb_err e = use_raw_rows((struct X(csr_mat) *)new, r, from);
    new->is.state = PSB_MAT_ASB;
    return PSB_PASS(X(mat_made)(e, new, a));
}
