/* raw_sizes.c -- ext: check a description of arrays of other libraries; numbers of their elements. */
#include "raw_inside.h"

/* The members of struct psb_raw that each layout uses. */
static const struct {
    unsigned char off, order, brows, bcols, slice, width, nnz, stored;
} uses[PSB_RAW_LAYOUTS] = {
    [PSB_RAW_COO] = { .nnz = 1 },
    [PSB_RAW_COO_AOS] = { .nnz = 1 },
    [PSB_RAW_CSR] = { .off = 1, .nnz = 1 },
    [PSB_RAW_CSC] = { .off = 1, .nnz = 1 },
    [PSB_RAW_ELL] = { .order = 1, .width = 1 },
    [PSB_RAW_SELL] = { .off = 1, .slice = 1, .nnz = 1, .stored = 1 },
    [PSB_RAW_BSR] = { .off = 1, .order = 1, .brows = 1, .bcols = 1, .nnz = 1 },
    [PSB_RAW_BELL] = { .brows = 1, .width = 1 },
    [PSB_RAW_BELL_BLOCKS] = { .order = 1, .brows = 1, .width = 1 },
    [PSB_RAW_HYB] = { .order = 1, .width = 1, .nnz = 1 },
};

psb_err psb_raw_choices(const struct psb_raw *r)
{
    PSB_NEED(r, "what describes the arrays");
    PSB_CHECK((unsigned)r->layout < PSB_RAW_LAYOUTS, PSB_EARG,
              "argument r->layout is %d; expected one of enum psb_raw_layout", (int)r->layout);
    PSB_CHECK(r->base == 0 || r->base == 1, PSB_EARG, "argument r->base is %d; expected 0 or 1", r->base);
    PSB_CHECK(r->idx_bits == 32 || r->idx_bits == 64, PSB_EARG,
              "argument r->idx_bits is %d; expected 32 or 64", r->idx_bits);
    PSB_CHECK(!uses[r->layout].off || r->off_bits == 32 || r->off_bits == 64, PSB_EARG,
              "argument r->off_bits is %d; expected 32 or 64", r->off_bits);
    PSB_CHECK(!uses[r->layout].order || r->order == PSB_BY_ROWS || r->order == PSB_BY_COLS, PSB_EARG,
              "argument r->order is %d; expected PSB_BY_ROWS or PSB_BY_COLS", (int)r->order);
    PSB_CHECK(!uses[r->layout].brows || r->brows >= 1, PSB_EARG, "argument r->brows is %d; expected >= 1",
              r->brows);
    PSB_CHECK(!uses[r->layout].bcols || r->bcols >= 1, PSB_EARG, "argument r->bcols is %d; expected >= 1",
              r->bcols);
    PSB_CHECK(!uses[r->layout].slice || r->slice >= 1, PSB_EARG, "argument r->slice is %d; expected >= 1",
              r->slice);
    return PSB_OK;
}

static psb_err check_sizes(const struct psb_raw *r)
{
    PSB_CHECK(r->m >= 0, PSB_EARG, "argument r->m is %d; expected >= 0", r->m);
    PSB_CHECK(r->n >= 0, PSB_EARG, "argument r->n is %d; expected >= 0", r->n);
    PSB_CHECK(!uses[r->layout].nnz || (r->nnz >= 0 && r->nnz < INT64_MAX), PSB_EARG,
              "argument r->nnz is %" PRId64 "; expected >= 0, and less than 2^63 - 1", r->nnz);
    PSB_CHECK(!uses[r->layout].width || r->width >= 0, PSB_EARG, "argument r->width is %d; expected >= 0",
              r->width);
    PSB_CHECK(!uses[r->layout].stored || (r->stored >= 0 && r->stored < INT64_MAX), PSB_EARG,
              "argument r->stored is %" PRId64 "; expected >= 0, and less than 2^63 - 1", r->stored);
    return PSB_OK;
}

/* *c = a * b; both are >= 0. */
static psb_err times(psb_epk a, psb_epk b, psb_epk *c)
{
    PSB_CHECK(b == 0 || a <= INT64_MAX / b, PSB_EARG,
              "the sizes in r ask for %" PRId64 " times %" PRId64 " elements; expected fewer than 2^63", a,
              b);
    *c = a * b;
    return PSB_OK;
}

/* Number of offsets for n rows or columns in groups of `size`. */
static psb_epk ends(psb_ipk n, psb_ipk size)
{
    return raw_parts(n, size) + 1;
}

static psb_err lengths(const struct psb_raw *r, struct psb_raw_sizes *len)
{
    psb_epk ell = (psb_epk)r->m * r->width, blocks = uses[r->layout].brows ? raw_parts(r->m, r->brows) : 0;
    blocks *= uses[r->layout].width ? r->width : 0;
    *len = (struct psb_raw_sizes){ 0 };
    switch (r->layout) {
    case PSB_RAW_COO:
        len->row = len->col = len->val = r->nnz;
        return PSB_OK;
    case PSB_RAW_COO_AOS:
        len->val = r->nnz;
        return times(r->nnz, 2, &len->row);
    case PSB_RAW_CSR:
        len->off = ends(r->m, 1);
        len->col = len->val = r->nnz;
        return PSB_OK;
    case PSB_RAW_CSC:
        len->off = ends(r->n, 1);
        len->row = len->val = r->nnz;
        return PSB_OK;
    case PSB_RAW_ELL:
        len->col = len->val = ell;
        return PSB_OK;
    case PSB_RAW_SELL:
        len->off = ends(r->m, r->slice);
        len->col = len->val = r->stored;
        return PSB_OK;
    case PSB_RAW_BSR:
        len->off = ends(r->m, r->brows);
        len->col = r->nnz;
        return times(r->nnz, (psb_epk)r->brows * r->bcols, &len->val);
    case PSB_RAW_BELL:
        len->col = blocks;
        return times(r->m, (psb_epk)r->width * r->brows, &len->val);
    case PSB_RAW_BELL_BLOCKS:
        len->col = blocks;
        return times(blocks, (psb_epk)r->brows * r->brows, &len->val);
    default:
        len->row = len->col = len->val = r->nnz;
        len->ell_col = len->ell_val = ell;
        return PSB_OK;
    }
}

psb_err psb_raw_lengths(const struct psb_raw *r, struct psb_raw_sizes *len)
{
    struct psb_raw_sizes new;
    PSB_TRY(psb_raw_choices(r));
    PSB_TRY(check_sizes(r));
    PSB_NEED(len, "where to store the lengths");
    PSB_TRY(lengths(r, &new));
    *len = new;
    return PSB_OK;
}

psb_err psb_raw_arrays_given(const struct psb_raw_sizes *len, const char *arg, const void *const *p)
{
    static const char *const names[] = { "off", "row", "col", "val", "ell_col", "ell_val" };
    const psb_epk n[] = { len->off, len->row, len->col, len->val, len->ell_col, len->ell_val };
    for (int k = 0; k < 6; k++)
        PSB_CHECK(n[k] == 0 || p[k], PSB_EARG, "argument %s->%s is NULL; expected %" PRId64 " elements", arg,
                  names[k], n[k]);
    return PSB_OK;
}

psb_err psb_raw_offsets(const struct psb_raw *r, const void *off, psb_epk n, psb_epk step, psb_epk total)
{
    psb_epk before = psb_int_at(off, r->off_bits, 0), now, end = total + r->base;
    PSB_CHECK(before == r->base, PSB_EARG, "argument from->off[0] is %" PRId64 "; expected the base, %d",
              before, r->base);
    for (psb_epk k = 1; k <= n; k++, before = now) {
        now = psb_int_at(off, r->off_bits, k);
        PSB_CHECK(now >= before, PSB_EARG,
                  "argument from->off[%" PRId64 "] is %" PRId64 "; expected >= off[%" PRId64 "], %" PRId64, k,
                  now, k - 1, before);
        PSB_CHECK(now <= end, PSB_EARG,
                  "argument from->off[%" PRId64 "] is %" PRId64 "; expected at most %" PRId64, k, now, end);
        PSB_CHECK((now - before) % step == 0, PSB_EARG,
                  "argument from->off[%" PRId64 "] is %" PRId64 "; expected a multiple of %" PRId64
                  " above off[%" PRId64 "], %" PRId64,
                  k, now, step, k - 1, before);
    }
    PSB_CHECK(before == end, PSB_EARG, "argument from->off[%" PRId64 "] is %" PRId64 "; expected %" PRId64, n,
              before, end);
    return PSB_OK;
}
