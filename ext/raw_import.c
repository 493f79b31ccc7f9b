/* raw_import.c -- ext: build a matrix from arrays of other libraries.  They are read twice: first to
 * check and to count, then to fill a COO matrix. */
#include "psb_ext_format.h"
#include "raw_inside.h"
#include "psb_type.h"

struct reading {
    const struct psb_raw *r;
    const struct X(raw_const) *from;
    psb_epk n;             /* entries read so far */
    struct X(coo_mat) *to; /* NULL: only count */
};

static void push(struct reading *q, psb_ipk i, psb_ipk j, T v)
{
    if (q->to) {
        q->to->ia[q->n] = i;
        q->to->ja[q->n] = j;
        q->to->val[q->n] = v;
    }
    q->n++;
}

/* *i = element k of the indices p, base 0.  PSB_EARG unless it is below n. */
static psb_err index_of(const struct reading *q, const char *name, const void *p, psb_epk k, psb_ipk n,
                        psb_ipk *i)
{
    psb_epk v = psb_int_at(p, q->r->idx_bits, k), end = (psb_epk)n + q->r->base;
    PSB_CHECK(v >= q->r->base && v < end, PSB_EARG,
              "argument from->%s[%" PRId64 "] is %" PRId64 "; expected %d <= %s < %" PRId64, name, k, v,
              q->r->base, name, end);
    *i = (psb_ipk)(v - q->r->base);
    return PSB_OK;
}

/* The same; *i = -1 for padding. */
static psb_err index_or_pad(const struct reading *q, const char *name, const void *p, psb_epk k, psb_ipk n,
                            psb_ipk *i)
{
    *i = -1;
    return psb_int_at(p, q->r->idx_bits, k) == -1 ? PSB_OK : index_of(q, name, p, k, n, i);
}

/* --- entries one by one ------------------------------------------------------------------------------- */

static psb_err read_coo(struct reading *q)
{
    int pairs = q->r->layout == PSB_RAW_COO_AOS;
    const void *row = q->from->row, *col = pairs ? row : q->from->col;
    for (psb_epk k = 0; k < q->r->nnz; k++) {
        psb_ipk i, j;
        PSB_TRY(index_of(q, "row", row, pairs ? 2 * k : k, q->r->m, &i));
        PSB_TRY(index_of(q, pairs ? "row" : "col", col, pairs ? 2 * k + 1 : k, q->r->n, &j));
        push(q, i, j, q->from->val[k]);
    }
    return PSB_OK;
}

static psb_err read_compressed(struct reading *q)
{
    const struct psb_raw *r = q->r;
    const bool by_cols = r->layout == PSB_RAW_CSC;
    const void *idx = by_cols ? q->from->row : q->from->col;
    psb_ipk lines = by_cols ? r->n : r->m, other = by_cols ? r->m : r->n, j;
    PSB_TRY(psb_raw_offsets(r, q->from->off, lines, 1, r->nnz));
    for (psb_ipk i = 0; i < lines; i++) {
        psb_epk end = psb_int_at(q->from->off, r->off_bits, (psb_epk)i + 1) - r->base;
        for (psb_epk k = psb_int_at(q->from->off, r->off_bits, i) - r->base; k < end; k++) {
            PSB_TRY(index_of(q, by_cols ? "row" : "col", idx, k, other, &j));
            push(q, by_cols ? j : i, by_cols ? i : j, q->from->val[k]);
        }
    }
    return PSB_OK;
}

static psb_err read_slots(struct reading *q, const char *name, const void *col, const T *val)
{
    psb_ipk j;
    for (psb_ipk i = 0; i < q->r->m; i++)
        for (psb_ipk k = 0; k < q->r->width; k++) {
            psb_epk at = raw_slot(q->r, i, k);
            PSB_TRY(index_or_pad(q, name, col, at, q->r->n, &j));
            if (j >= 0)
                push(q, i, j, val[at]);
        }
    return PSB_OK;
}

static psb_err read_ell(struct reading *q)
{
    return read_slots(q, "col", q->from->col, q->from->val);
}

static psb_err read_hyb(struct reading *q)
{
    PSB_TRY(read_slots(q, "ell_col", q->from->ell_col, q->from->ell_val));
    return read_coo(q);
}

/* Read the slice whose first row is `first`, elements a .. b-1. */
static psb_err read_slice(struct reading *q, psb_epk first, psb_epk a, psb_epk b)
{
    for (psb_epk k = a; k < b; k++) {
        psb_epk i = first + (k - a) % q->r->slice;
        psb_ipk j;
        PSB_TRY(index_or_pad(q, "col", q->from->col, k, q->r->n, &j));
        PSB_CHECK(j < 0 || i < q->r->m, PSB_EARG,
                  "argument from->col[%" PRId64 "] is %d in row %" PRId64 " of %d; expected -1", k,
                  j + q->r->base, i, q->r->m);
        if (j >= 0)
            push(q, (psb_ipk)i, j, q->from->val[k]);
    }
    return PSB_OK;
}

static psb_err read_sell(struct reading *q)
{
    const struct psb_raw *r = q->r;
    psb_epk slices = raw_parts(r->m, r->slice), a = 0, b;
    PSB_TRY(psb_raw_offsets(r, q->from->off, slices, r->slice, r->stored));
    for (psb_epk s = 0; s < slices; s++, a = b) {
        b = psb_int_at(q->from->off, r->off_bits, s + 1) - r->base;
        PSB_TRY(read_slice(q, s * r->slice, a, b));
    }
    PSB_CHECK(q->n == r->nnz, PSB_EARG,
              "argument r->nnz is %" PRId64 "; expected %" PRId64 ", col without -1", r->nnz, q->n);
    return PSB_OK;
}

/* --- blocks ------------------------------------------------------------------------------------------- */

/* Read element `at` of val, for row i, column j; beyond the matrix it has to be 0. */
static psb_err import_value(struct reading *q, psb_epk i, psb_epk j, psb_epk at)
{
    T v = q->from->val[at];
    int inside = i < q->r->m && j < q->r->n;
    PSB_CHECK(inside || v == 0, PSB_EARG,
              "argument from->val[%" PRId64 "] is not 0 in row %" PRId64 " of %d, column %" PRId64
              " of %d; expected 0 beyond the last",
              at, i, q->r->m, j, q->r->n);
    if (inside && (v != 0 || q->r->zeros))
        push(q, (psb_ipk)i, (psb_ipk)j, v);
    return PSB_OK;
}

/* Read a block of brows x bcols at val[at]; its first element is in row i, column j. */
static psb_err import_block(struct reading *q, psb_epk brows, psb_epk bcols, psb_epk i, psb_epk j, psb_epk at)
{
    for (psb_epk c = 0; c < brows * bcols; c++)
        PSB_TRY(import_value(q, i + c / bcols, j + c % bcols,
                             at + raw_in_block(q->r, brows, bcols, c / bcols, c % bcols)));
    return PSB_OK;
}

static psb_err read_bsr(struct reading *q)
{
    const struct psb_raw *r = q->r;
    psb_epk mb = raw_parts(r->m, r->brows), each = (psb_epk)r->brows * r->bcols;
    psb_ipk nb = (psb_ipk)raw_parts(r->n, r->bcols), j;
    PSB_TRY(psb_raw_offsets(r, q->from->off, mb, 1, r->nnz));
    for (psb_epk b = 0; b < mb; b++) {
        psb_epk end = psb_int_at(q->from->off, r->off_bits, b + 1) - r->base;
        for (psb_epk k = psb_int_at(q->from->off, r->off_bits, b) - r->base; k < end; k++) {
            PSB_TRY(index_of(q, "col", q->from->col, k, nb, &j));
            PSB_TRY(import_block(q, r->brows, r->bcols, b * r->brows, (psb_epk)j * r->bcols, k * each));
        }
    }
    return PSB_OK;
}

/* The cuSPARSE layout: rows of width * brows values. */
static psb_err read_bell(struct reading *q)
{
    const psb_epk size = q->r->brows, width = q->r->width;
    psb_ipk nb = (psb_ipk)raw_parts(q->r->n, q->r->brows), j;
    for (psb_epk b = 0; b < raw_parts(q->r->m, q->r->brows); b++)
        for (psb_epk k = 0; k < width; k++) {
            PSB_TRY(index_or_pad(q, "col", q->from->col, b * width + k, nb, &j));
            for (psb_epk i = b * size; j >= 0 && i < (b + 1) * size && i < q->r->m; i++)
                for (psb_epk c = 0; c < size; c++)
                    PSB_TRY(import_value(q, i, j * size + c, (i * width + k) * size + c));
        }
    return PSB_OK;
}

/* The rocSPARSE layout: block by block. */
static psb_err read_bell_blocks(struct reading *q)
{
    const psb_epk size = q->r->brows, mb = raw_parts(q->r->m, q->r->brows);
    psb_ipk nb = (psb_ipk)raw_parts(q->r->n, q->r->brows), j;
    for (psb_epk at = 0; at < mb * q->r->width; at++) {
        PSB_TRY(index_or_pad(q, "col", q->from->col, at, nb, &j));
        if (j >= 0)
            PSB_TRY(import_block(q, size, size, at % mb * size, j * size, at * size * size));
    }
    return PSB_OK;
}

/* --- dispatch --------------------------------------------------------------------------------------- */

typedef psb_err reader(struct reading *q);
static reader *const readers[PSB_RAW_LAYOUTS] = {
    [PSB_RAW_COO] = read_coo,        [PSB_RAW_COO_AOS] = read_coo, [PSB_RAW_CSR] = read_compressed,
    [PSB_RAW_CSC] = read_compressed, [PSB_RAW_ELL] = read_ell,     [PSB_RAW_SELL] = read_sell,
    [PSB_RAW_BSR] = read_bsr,        [PSB_RAW_BELL] = read_bell,   [PSB_RAW_BELL_BLOCKS] = read_bell_blocks,
    [PSB_RAW_HYB] = read_hyb,
};

/* Fill a, which is ordered afterwards, with the entries of q. */
static psb_err fill_imported(struct reading *q, struct X(coo_mat) *a, enum psb_dupl dupl)
{
    PSB_TRY(X(coo_reserve)(a, q->n));
    q->to = a;
    q->n = 0;
    PSB_TRY(readers[q->r->layout](q));
    a->mat.nnz = q->n;
    a->mat.is.state = PSB_MAT_ASB;
    return X(coo_fix)(a, dupl);
}

static psb_err check(const struct psb_raw *r, const struct X(raw_const) *from, enum psb_dupl dupl)
{
    struct psb_raw_sizes len;
    PSB_TRY(psb_raw_lengths(r, &len));
    PSB_NEED(from, "arrays");
    PSB_TRY(psb_raw_arrays_given(
        &len, "from",
        (const void *const[]){ from->off, from->row, from->col, from->val, from->ell_col, from->ell_val }));
    PSB_TRY(psb_dupl_check(dupl));
    return PSB_OK;
}

psb_err X(raw_import)(const struct psb_raw *r, const struct X(raw_const) *from, enum psb_dupl dupl,
                      const struct X(mat) *mold, struct X(mat) **a)
{
    struct reading q = { .r = r, .from = from };
    struct X(mat) *new;
    PSB_TRY(check(r, from, dupl));
    PSB_NEED(a, "where to store the matrix");
    PSB_TRY(readers[r->layout](&q));
    PSB_TRY(X(mat_all)(r->m, r->n, 0, &new));
    psb_err e = fill_imported(&q, (struct X(coo_mat) *)new, dupl);
    if (e == PSB_OK && mold)
        e = X(mat_cscnv)(&new, mold);
    return PSB_PASS(X(mat_made)(e, new, a));
}
