/* hb.c -- util: reading of Harwell-Boeing files. */
#include "config.h"
#include "base_inside.h"
#include "deal.h"
#include "hb_text.h"
#include "mm_block.h"
#include "psb_alloc.h"
#include "psb_type.h"

enum { FIRST_CAPACITY = 1 << 10 };

/* A matrix during reading: entries by columns, in one triangle only if it is symmetric. */
struct hb_reading {
    struct psb_hb h;
    psb_epk *ptr; /* from 0 */
    psb_lpk *ia;
    T *val;
    int triangle; /* -1 lower, 1 upper, 0 not known yet */
};

static void free_reading(struct hb_reading *r)
{
    psb_text_close(&r->h.in);
    psb_free(r->ptr);
    psb_free(r->ia);
    psb_free(r->val);
}

/* Let the array at `inout`, which holds k elements, have space for one more; at most n are needed. */
static psb_err reserve_next(void *inout, psb_epk k, psb_epk n, size_t size)
{
    if (k >= FIRST_CAPACITY ? (k & (k - 1)) != 0 : k > 0)
        return PSB_OK;
    const psb_epk capacity = k < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * k;
    return psb_resize(inout, (size_t)(capacity < n ? capacity : n), size, "Harwell-Boeing data");
}

static psb_err read_pointers(struct hb_reading *r)
{
    const struct psb_mm_header *a = &r->h.info.mm;
    psb_epk last = 1;
    PSB_TRY(psb_hb_begin(&r->h, &r->h.ptr));
    for (psb_lpk j = 0; j <= a->n; j++) {
        PSB_TRY(reserve_next(&r->ptr, j, a->n + 1, sizeof *r->ptr));
        PSB_TRY(psb_hb_integer(&r->h, "column pointer", j == a->n ? a->stored + 1 : last,
                               j == 0 ? 1 : a->stored + 1, &last));
        r->ptr[j] = last - 1;
    }
    return PSB_OK;
}

static psb_err read_indices(struct hb_reading *r)
{
    const struct psb_mm_header *a = &r->h.info.mm;
    psb_lpk j = 0;
    PSB_TRY(psb_hb_begin(&r->h, &r->h.ind));
    for (psb_epk k = 0; k < a->stored; k++) {
        PSB_TRY(reserve_next(&r->ia, k, a->stored, sizeof *r->ia));
        PSB_TRY(psb_hb_integer(&r->h, "row index", 1, a->m, &r->ia[k]));
        r->ia[k]--;
        while (r->ptr[j + 1] <= k)
            j++;
        if (a->symmetry != PSB_MM_GENERAL && r->ia[k] != j)
            PSB_TRY(psb_mm_check_triangle(&r->h.in, r->ia[k], j, &r->triangle));
    }
    return PSB_OK;
}

/* --- values --- */

static psb_err read_real(struct psb_hb *h, const char *what, R *x)
{
    char text[PSB_FIELD_WIDTH + 32];
    const char *p = text;
    PSB_TRY(psb_hb_real(h, what, text));
    if (SCAN_REAL(&p, x) == PSB_SCAN_RANGE)
        return PSB_TEXT_FAIL(&h->in, "the value %s is beyond the range of the scalar, +-%.8g", text,
                             (double)TMAX);
    return PSB_OK;
}

static psb_err read_hb_value(struct psb_hb *h, T *v)
{
    R re, im = 0;
    int64_t i;
    if (h->info.mm.field == PSB_MM_INTEGER) {
        PSB_TRY(psb_hb_integer(h, "value", INT64_MIN, INT64_MAX, &i));
        *v = MAKE(i, 0);
        return PSB_OK;
    }
    PSB_TRY(read_real(h, "value", &re));
    if (h->info.mm.field == PSB_MM_COMPLEX)
        PSB_TRY(read_real(h, "imaginary part", &im));
    *v = MAKE(re, im);
    return PSB_OK;
}

static psb_err read_values(struct hb_reading *r)
{
    const struct psb_mm_header *a = &r->h.info.mm;
    psb_lpk j = 0;
    if (a->field == PSB_MM_PATTERN)
        return PSB_OK;
    PSB_TRY(psb_hb_begin(&r->h, &r->h.val));
    for (psb_epk k = 0; k < a->stored; k++) {
        PSB_TRY(reserve_next(&r->val, k, a->stored, sizeof *r->val));
        PSB_TRY(read_hb_value(&r->h, &r->val[k]));
        while (r->ptr[j + 1] <= k)
            j++;
        if (r->ia[k] == j)
            PSB_TRY(X(mm_check_diagonal)(&r->h.in, a->symmetry, j, r->val[k]));
    }
    return PSB_OK;
}

/* --- the matrix --- */

/* Set *t to the entries, with the mirror images of those off the diagonal of symmetric storage. */
static psb_err expand(const struct hb_reading *r, struct X(triplets) *t)
{
    const struct psb_mm_header *a = &r->h.info.mm;
    const bool symmetric = a->symmetry != PSB_MM_GENERAL;
    psb_epk n = a->stored;
    for (psb_lpk j = 0; j < a->n && symmetric; j++)
        for (psb_epk k = r->ptr[j]; k < r->ptr[j + 1]; k++)
            n += r->ia[k] != j;
    PSB_TRY(X(triplets_resize)(t, n));
    t->m = a->m;
    t->n = a->n;
    for (psb_lpk j = 0; j < a->n; j++)
        for (psb_epk k = r->ptr[j]; k < r->ptr[j + 1]; k++) {
            const T v = r->val ? r->val[k] : 1;
            X(triplets_append)(t, r->ia[k], j, v);
            if (symmetric && r->ia[k] != j)
                X(triplets_append)(t, j, r->ia[k], X(mm_mirrored)(a->symmetry, v));
        }
    return PSB_OK;
}

/* Read up to the end of the values. */
static psb_err read_hb_matrix(struct hb_reading *r)
{
    PSB_TRY(X(mm_fits)(&r->h.in, 3, &r->h.info.mm));
    PSB_TRY(read_pointers(r));
    PSB_TRY(read_indices(r));
    PSB_TRY(read_values(r));
    r->h.values_end = r->h.in.line;
    return PSB_OK;
}

psb_err X(hb_read)(const char *path, struct X(triplets) *t)
{
    struct hb_reading r = { .ptr = NULL };
    struct X(triplets) new = { .m = 0 };
    PSB_NEED(path, "the name of a file");
    PSB_NEED(t, "where to store the matrix");
    PSB_TRY(psb_hb_open(path, &r.h));
    psb_err e = read_hb_matrix(&r);
    PSB_THEN(e, psb_hb_end(&r.h));
    PSB_THEN(e, expand(&r, &new));
    free_reading(&r);
    return PSB_PASS(X(triplets_hand_over)(e, &new, t));
}

psb_err X(hb_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt, const char *path)
{
    struct X(triplets) all = { .m = 0 };
    PSB_TRY(psb_check_ctxt(ctxt));
    const int me = psb_rank_of(ctxt);
    const char *missing = !a ? "a" : !row ? "row" : !col ? "col" : NULL;
    psb_err e = missing ? psb_missing_output(missing) : me == 0 ? X(hb_read)(path, &all) : PSB_OK;
    e = psb_agree(ctxt, e);
    PSB_THEN(e, X(sp_matdist)(a, row, col, ctxt, 0, &all));
    X(triplets_free)(&all);
    return PSB_PASS(e);
}

/* --- right-hand sides --- */

/* Skip the blocks before the requested one, and read that one; *val holds the last block read.  Each block
 * begins on a new line, or, as some programs write, after the last value of the one before. */
static psb_err read_rhs_blocks(struct hb_reading *r, int blocks, T **val)
{
    const struct psb_hb_header *a = &r->h.info;
    R re, im = 0;
    PSB_CHECK(!a->mm.m || a->nrhs <= INT64_MAX / a->mm.m / 3, PSB_EIO, "%s: 2^63 right-hand sides and more",
              r->h.in.name);
    PSB_TRY(psb_hb_begin(&r->h, &r->h.rhs));
    for (int b = 0; b < blocks; b++, psb_hb_next_block(&r->h))
        for (psb_epk k = 0, n = a->mm.m * a->nrhs; k < n; k++) {
            PSB_TRY(read_real(&r->h, "value", &re));
            if (a->mm.field == PSB_MM_COMPLEX)
                PSB_TRY(read_real(&r->h, "imaginary part", &im));
            PSB_TRY(b ? PSB_OK : reserve_next(val, k, n, sizeof **val));
            (*val)[k] = MAKE(re, im);
        }
    return PSB_OK;
}

static psb_err read_rhs(struct hb_reading *r, char which, T **val)
{
    const struct psb_hb_header *a = &r->h.info;
    const bool there = which == 'F' || (which == 'G' && a->guess) || (which == 'X' && a->solution);
    PSB_CHECK(a->nrhs > 0 && there, PSB_EARG,
              "%s: the file has no full %s, which argument which asks for; expected some", r->h.in.name,
              which == 'F'   ? "right-hand sides"
              : which == 'G' ? "starting guesses"
                             : "solutions");
    PSB_TRY(read_hb_matrix(r));
    PSB_TRY(read_rhs_blocks(r, which == 'F' ? 1 : which == 'G' ? 2 : 2 + a->guess, val));
    return psb_hb_end(&r->h);
}

psb_err X(hb_read_rhs)(const char *path, char which, psb_lpk *m, psb_lpk *n, T **val)
{
    struct hb_reading r = { .ptr = NULL };
    T *new = NULL;
    PSB_NEED(path, "the name of a file");
    PSB_NEED(m, "where to store it");
    PSB_NEED(n, "where to store it");
    PSB_NEED(val, "where to store it");
    PSB_CHECK(which == 'F' || which == 'G' || which == 'X', PSB_EARG,
              "argument which is '%c'; expected 'F', 'G' or 'X'", which);
    PSB_TRY(psb_hb_open(path, &r.h));
    psb_err e = read_rhs(&r, which, &new);
    if (e == PSB_OK && !new)
        e = psb_alloc(&new, 0, sizeof *new, "right-hand sides");
    free_reading(&r);
    if (e != PSB_OK) {
        psb_free(new);
        return PSB_PASS(e);
    }
    *m = r.h.info.mm.m;
    *n = r.h.info.nrhs;
    *val = new;
    return PSB_OK;
}
