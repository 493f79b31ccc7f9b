/* raw_export.c -- ext: export a matrix, in any format, to arrays of other libraries, by way of its
 * rows. */
#include "psb_ext_format.h"
#include "psb_handle.h"
#include "psb_team.h"
#include "raw_inside.h"
#include "psb_type.h"

struct writing {
    const struct psb_raw *r;
    const struct X(raw_arrays) *to;
    const struct X(compressed) *l;
    psb_epk *scratch;
    psb_epk nval; /* number of elements of to->val */
};

static psb_epk longer(psb_epk a, psb_epk b)
{
    return a > b ? a : b;
}

static psb_epk row_length(const struct X(compressed) *l, psb_ipk i)
{
    return l->ptr[i + 1] - l->ptr[i];
}

/* Length of the longest of rows first .. first + n - 1, ignoring those beyond the last. */
static psb_epk longest(const struct X(compressed) *l, psb_epk first, psb_epk n)
{
    psb_epk most = 0;
    for (psb_epk i = first; i < first + n && i < l->n; i++)
        most = longer(most, row_length(l, (psb_ipk)i));
    return most;
}

/* --- block rows --------------------------------------------------------------------------------------- */

/* Rows first .. end-1, traversed together, block column by block column.  The next entry of row i is at[i -
 * first]. */
struct band {
    const struct X(compressed) *l;
    psb_ipk bcols, first, end;
    psb_epk *at;
};

static struct band open_band(const struct writing *q, psb_epk b, psb_ipk bcols)
{
    psb_epk first = b * q->r->brows, end = first + q->r->brows;
    struct band d = { q->l, bcols, (psb_ipk)first, end < q->l->n ? (psb_ipk)end : q->l->n, q->scratch };
    for (psb_ipk i = d.first; i < d.end; i++)
        d.at[i - d.first] = q->l->ptr[i];
    return d;
}

/* The next block column; -1 after the last. */
static psb_ipk next_block(const struct band *d)
{
    psb_ipk next = -1;
    for (psb_ipk i = d->first; i < d->end; i++)
        if (d->at[i - d->first] < d->l->ptr[i + 1]) {
            psb_ipk j = d->l->idx[d->at[i - d->first]] / d->bcols;
            next = next < 0 || j < next ? j : next;
        }
    return next;
}

/* If the next entry of row i is in block column j: *k = its position, advance the row, and return 1. */
static int next_in(struct band *d, psb_ipk i, psb_ipk j, psb_epk *k)
{
    *k = d->at[i - d->first];
    if (*k == d->l->ptr[i + 1] || d->l->idx[*k] / d->bcols != j)
        return 0;
    d->at[i - d->first]++;
    return 1;
}

/* Number of blocks of block row b. */
static psb_epk count_exported_blocks(const struct writing *q, psb_epk b, psb_ipk bcols)
{
    struct band d = open_band(q, b, bcols);
    psb_epk n = 0, k;
    for (psb_ipk j; (j = next_block(&d)) >= 0; n++)
        for (psb_ipk i = d.first; i < d.end; i++)
            while (next_in(&d, i, j, &k))
                ;
    return n;
}

/* --- sizes -------------------------------------------------------------------------------------------- */

/* *all = number of blocks, *most = the largest number in a block row. */
static void measure_blocks(const struct writing *q, psb_ipk bcols, psb_epk *all, psb_epk *most)
{
    *all = *most = 0;
    for (psb_epk b = 0; b < raw_parts(q->l->n, q->r->brows); b++) {
        psb_epk n = count_exported_blocks(q, b, bcols);
        *all += n;
        *most = longer(*most, n);
    }
}

/* Number of entries of the first m rows that are not among the first `width` of their row. */
static psb_epk beyond(const struct X(compressed) *l, psb_ipk m, psb_epk width)
{
    psb_epk n = 0;
    if (width == 0)
        return l->ptr[m];
    for (psb_ipk i = 0; i < m; i++)
        n += longer(row_length(l, i) - width, 0);
    return n;
}

/* Set the sizes in r, which is q->r; *width = the width, which may be too large for r->width. */
static void measure_export(const struct writing *q, struct psb_raw *r, psb_epk *width)
{
    psb_epk blocks;
    r->m = q->l->n;
    r->n = q->l->m;
    r->nnz = q->l->ptr[r->m];
    r->stored = *width = 0;
    switch (r->layout) {
    case PSB_RAW_ELL:
        *width = longest(q->l, 0, r->m);
        break;
    case PSB_RAW_SELL:
        for (psb_epk i = 0; i < r->m; i += r->slice)
            r->stored += longest(q->l, i, r->slice) * r->slice;
        break;
    case PSB_RAW_BSR:
        measure_blocks(q, r->bcols, &r->nnz, &blocks);
        break;
    case PSB_RAW_BELL:
    case PSB_RAW_BELL_BLOCKS:
        measure_blocks(q, r->brows, &blocks, width);
        break;
    case PSB_RAW_HYB:
        *width = r->width != PSB_RAW_AUTO ? r->width : r->m ? (r->nnz + r->m - 1) / r->m : 0;
        r->nnz = beyond(q->l, q->l->n, *width);
        break;
    default:
        break;
    }
}

/* Check that sizes and offsets fit into their integer types. */
static psb_err check_fit(const struct psb_raw *r, psb_epk width)
{
    psb_epk last = (r->layout == PSB_RAW_SELL ? r->stored : r->nnz) + r->base;
    int offsets = r->layout == PSB_RAW_CSR || r->layout == PSB_RAW_CSC || r->layout == PSB_RAW_SELL ||
                  r->layout == PSB_RAW_BSR;
    PSB_CHECK(width <= INT32_MAX, PSB_EARG, "a row has %" PRId64 " entries; expected at most %d", width,
              INT32_MAX);
    PSB_CHECK(!offsets || r->off_bits == 64 || last <= INT32_MAX, PSB_EARG,
              "argument r->off_bits is 32, and the last offset %" PRId64 "; expected 64", last);
    return PSB_OK;
}

/* Check that the sizes in r are those of `want`. */
static psb_err check_same(const struct psb_raw *r, const struct psb_raw *want)
{
    const int wider = r->layout == PSB_RAW_ELL || r->layout == PSB_RAW_BELL ||
                      r->layout == PSB_RAW_BELL_BLOCKS;
    const int sell = r->layout == PSB_RAW_SELL;
    PSB_CHECK(r->m == want->m, PSB_EARG, "argument r->m is %d; expected %d", r->m, want->m);
    PSB_CHECK(r->n == want->n, PSB_EARG, "argument r->n is %d; expected %d", r->n, want->n);
    PSB_CHECK(wider || r->nnz == want->nnz, PSB_EARG, "argument r->nnz is %" PRId64 "; expected %" PRId64,
              r->nnz, want->nnz);
    PSB_CHECK(!wider || r->width >= want->width, PSB_EARG, "argument r->width is %d; expected >= %d",
              r->width, want->width);
    PSB_CHECK(!sell || r->stored == want->stored, PSB_EARG,
              "argument r->stored is %" PRId64 "; expected %" PRId64, r->stored, want->stored);
    return PSB_OK;
}

/* --- entries one by one ------------------------------------------------------------------------------- */

static void put_index(const struct writing *q, void *p, psb_epk k, psb_epk i)
{
    raw_put(p, q->r->idx_bits, k, i + q->r->base);
}

static void put_offset(const struct writing *q, psb_epk k, psb_epk at)
{
    raw_put(q->to->off, q->r->off_bits, k, at + q->r->base);
}

/* Write the entries that are not in ELL: in HYB those beyond its width, else all. */
static void triplets_part(void *job, int t, int p)
{
    const struct writing *q = job;
    const int pairs = q->r->layout == PSB_RAW_COO_AOS;
    const psb_epk skip = q->r->layout == PSB_RAW_HYB ? q->r->width : 0;
    psb_ipk i, end;
    X(compressed_share)(q->l, t, p, &i, &end);
    for (psb_epk n = beyond(q->l, i, skip); i < end; i++)
        for (psb_epk k = q->l->ptr[i] + skip; k < q->l->ptr[i + 1]; k++, n++) {
            put_index(q, q->to->row, pairs ? 2 * n : n, i);
            put_index(q, pairs ? q->to->row : q->to->col, pairs ? 2 * n + 1 : n, q->l->idx[k]);
            q->to->val[n] = q->l->val[k];
        }
}

static void csr_part(void *job, int t, int p)
{
    const struct writing *q = job;
    psb_epk i, k, end;
    for (psb_thread_range((psb_epk)q->l->n + 1, t, p, &i, &end); i < end; i++)
        put_offset(q, i, q->l->ptr[i]);
    for (psb_thread_range(q->r->nnz, t, p, &k, &end); k < end; k++) {
        put_index(q, q->to->col, k, q->l->idx[k]);
        q->to->val[k] = q->l->val[k];
    }
}

/* scratch[j] = position of the next entry of column j. */
static void write_csc(struct writing *q)
{
    psb_epk *next = q->scratch, at = 0;
    for (psb_ipk j = 0; j < q->l->m; j++)
        next[j] = 0;
    for (psb_epk k = 0; k < q->r->nnz; k++)
        next[q->l->idx[k]]++;
    for (psb_ipk j = 0; j < q->l->m; j++) {
        psb_epk n = next[j];
        put_offset(q, j, next[j] = at);
        at += n;
    }
    put_offset(q, q->l->m, at);
    for (psb_ipk i = 0; i < q->l->n; i++)
        for (psb_epk k = q->l->ptr[i]; k < q->l->ptr[i + 1]; k++) {
            psb_epk p = next[q->l->idx[k]]++;
            put_index(q, q->to->row, p, i);
            q->to->val[p] = q->l->val[k];
        }
}

/* Write entry k of row i, or padding if there is none, to slot `at`. */
static void put_slot(const struct writing *q, psb_epk i, psb_epk k, void *col, T *val, psb_epk at)
{
    int stored = i < q->l->n && k < row_length(q->l, (psb_ipk)i);
    psb_epk from = stored ? q->l->ptr[i] + k : 0;
    raw_put(col, q->r->idx_bits, at, stored ? q->l->idx[from] + (psb_epk)q->r->base : -1);
    val[at] = stored ? q->l->val[from] : 0;
}

static void slots_part(void *job, int t, int p)
{
    const struct writing *q = job;
    const int hyb = q->r->layout == PSB_RAW_HYB;
    psb_epk i, end;
    for (psb_thread_range(q->l->n, t, p, &i, &end); i < end; i++)
        for (psb_ipk k = 0; k < q->r->width; k++)
            put_slot(q, i, k, hyb ? q->to->ell_col : q->to->col, hyb ? q->to->ell_val : q->to->val,
                     raw_slot(q->r, i, k));
}

static psb_epk offset(const struct writing *q, psb_epk k)
{
    return psb_int_at(q->to->off, q->r->off_bits, k) - q->r->base;
}

static void slices_part(void *job, int t, int p)
{
    const struct writing *q = job;
    const psb_epk size = q->r->slice;
    psb_epk s, end;
    for (psb_thread_range(raw_parts(q->l->n, q->r->slice), t, p, &s, &end); s < end; s++)
        for (psb_epk at = offset(q, s), n = offset(q, s + 1) - at, k = 0; k < n; k++)
            put_slot(q, s * size + k % size, k / size, q->to->col, q->to->val, at + k);
}

static void write_slices(struct writing *q)
{
    psb_epk size = q->r->slice, slices = raw_parts(q->l->n, q->r->slice), at = 0;
    put_offset(q, 0, 0);
    for (psb_epk s = 0; s < slices; s++)
        put_offset(q, s + 1, at += longest(q->l, s * size, size) * size);
}

/* --- blocks ------------------------------------------------------------------------------------------- */

/* Position of element (i, j) of block k of block row b, which is block n of all. */
static psb_epk block_place(const struct psb_raw *r, psb_epk b, psb_epk k, psb_epk n, psb_epk i, psb_epk j)
{
    const psb_epk size = r->brows;
    if (r->layout == PSB_RAW_BSR)
        return n * size * r->bcols + raw_in_block(r, size, r->bcols, i, j);
    if (r->layout == PSB_RAW_BELL)
        return ((b * size + i) * r->width + k) * size + j;
    return (b + k * raw_parts(r->m, r->brows)) * size * size + raw_in_block(r, size, size, i, j);
}

/* Position of the index of that block. */
static psb_epk index_place(const struct psb_raw *r, psb_epk b, psb_epk k, psb_epk n)
{
    return r->layout == PSB_RAW_BSR    ? n
           : r->layout == PSB_RAW_BELL ? b * r->width + k
                                       : b + k * raw_parts(r->m, r->brows);
}

/* Write block row b; n blocks precede it.  Returns its number of blocks. */
static psb_epk write_band(const struct writing *q, psb_epk b, psb_epk n)
{
    const psb_ipk bcols = q->r->layout == PSB_RAW_BSR ? q->r->bcols : q->r->brows;
    struct band d = open_band(q, b, bcols);
    psb_epk k = 0, e;
    for (psb_ipk j; (j = next_block(&d)) >= 0; k++) {
        put_index(q, q->to->col, index_place(q->r, b, k, n + k), j);
        for (psb_ipk i = d.first; i < d.end; i++)
            while (next_in(&d, i, j, &e))
                q->to->val[block_place(q->r, b, k, n + k, i - d.first, q->l->idx[e] - (psb_epk)j * bcols)] +=
                    q->l->val[e];
    }
    return k;
}

static void write_blocks(struct writing *q)
{
    psb_epk n = 0, more;
    for (psb_epk k = 0; k < q->nval; k++)
        q->to->val[k] = 0;
    if (q->r->layout == PSB_RAW_BSR)
        put_offset(q, 0, 0);
    for (psb_epk b = 0; b < raw_parts(q->l->n, q->r->brows); b++) {
        n += more = write_band(q, b, n);
        if (q->r->layout == PSB_RAW_BSR)
            put_offset(q, b + 1, n);
        else
            for (psb_epk k = more; k < q->r->width; k++)
                raw_put(q->to->col, q->r->idx_bits, index_place(q->r, b, k, n), -1);
    }
}

/* --- dispatch --------------------------------------------------------------------------------------- */

/* What writes a layout: one thread first, then several, once or twice. */
static const struct {
    void (*alone)(struct writing *q);
    void (*part)(void *job, int t, int p), (*then)(void *job, int t, int p);
} writers[PSB_RAW_LAYOUTS] = {
    [PSB_RAW_COO] = { .part = triplets_part },
    [PSB_RAW_COO_AOS] = { .part = triplets_part },
    [PSB_RAW_CSR] = { .part = csr_part },
    [PSB_RAW_CSC] = { .alone = write_csc },
    [PSB_RAW_ELL] = { .part = slots_part },
    [PSB_RAW_SELL] = { .alone = write_slices, .part = slices_part },
    [PSB_RAW_BSR] = { .alone = write_blocks },
    [PSB_RAW_BELL] = { .alone = write_blocks },
    [PSB_RAW_BELL_BLOCKS] = { .alone = write_blocks },
    [PSB_RAW_HYB] = { .part = slots_part, .then = triplets_part },
};

static void write_layout(struct writing *q)
{
    const int threads = psb_threads(q->l->ptr[q->l->n]);
    if (writers[q->r->layout].alone)
        writers[q->r->layout].alone(q);
    if (writers[q->r->layout].part)
        psb_team(threads, writers[q->r->layout].part, q);
    if (writers[q->r->layout].then)
        psb_team(threads, writers[q->r->layout].then, q);
}

/* Allocate scratch memory: an element per row of a block, or per column. */
static psb_err make_scratch(const struct psb_raw *r, const struct X(compressed) *l, psb_epk **scratch)
{
    psb_ipk n = r->layout == PSB_RAW_CSC ? l->m : 0;
    if (r->layout == PSB_RAW_BSR || r->layout == PSB_RAW_BELL || r->layout == PSB_RAW_BELL_BLOCKS)
        n = r->brows < l->n ? r->brows : l->n;
    return psb_alloc(scratch, (size_t)n, sizeof **scratch, "rows of a block");
}

/* Fill the arrays `to` with rows l; if `to` is NULL, only set the sizes in r. */
static psb_err write_arrays(const struct X(compressed) *l, struct psb_raw *r, const struct X(raw_arrays) *to,
                            psb_epk *scratch)
{
    struct psb_raw want = *r;
    struct writing q = { &want, to, l, scratch, 0 };
    struct psb_raw_sizes len;
    psb_epk width;
    measure_export(&q, &want, &width);
    PSB_TRY(check_fit(&want, width));
    want.width = (psb_ipk)width;
    PSB_TRY(psb_raw_lengths(to ? r : &want, &len));
    if (!to) {
        *r = want;
        return PSB_OK;
    }
    PSB_TRY(check_same(r, &want));
    PSB_TRY(psb_raw_arrays_given(
        &len, "to", (const void *const[]){ to->off, to->row, to->col, to->val, to->ell_col, to->ell_val }));
    q.r = r;
    q.nval = len.val;
    write_layout(&q);
    return PSB_OK;
}

psb_err X(raw_export)(const struct X(mat) *a, struct psb_raw *r, const struct X(raw_arrays) *to)
{
    struct X(compressed) l;
    struct X(mat) *made;
    psb_epk *scratch;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_raw_choices(r));
    PSB_CHECK(r->layout != PSB_RAW_HYB || r->width >= PSB_RAW_AUTO, PSB_EARG,
              "argument r->width is %d; expected >= 0, or PSB_RAW_AUTO", r->width);
    PSB_TRY(X(mat_full_rows)(a, &l, &made));
    psb_err e = make_scratch(r, &l, &scratch);
    if (e == PSB_OK) {
        e = write_arrays(&l, r, to, scratch);
        psb_free(scratch);
    }
    X(mat_free)(made);
    return PSB_PASS(e);
}
