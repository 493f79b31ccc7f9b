/* mm_block.c -- util: the entries in consecutive lines of a Matrix Market file. */
#include "config.h"
#include "mm_block.h"
#include "base_inside.h"
#include "psb_search.h"
#include "psb_type.h"

enum { MOST_OF_A_LINE = 2 }; /* entries */

psb_err X(mm_fits)(const struct psb_text *in, int line, const struct psb_mm_header *a)
{
    PSB_CHECK(CPLX || a->field != PSB_MM_COMPLEX, PSB_EARG,
              "%s:%d: the matrix is complex and cannot be read into a real one; expected a real one, or a "
              "call for complex scalars",
              in->name, line);
    return PSB_OK;
}

psb_err X(mm_check_diagonal)(const struct psb_text *in, enum psb_mm_symmetry symmetry, psb_lpk i, T v)
{
    if (symmetry == PSB_MM_SKEW && v != 0)
        return PSB_PASS(
            PSB_TEXT_FAIL(in, "diagonal entry %" PRId64 " of a skew-symmetric matrix is not 0", i + 1));
    if (symmetry == PSB_MM_HERMITIAN && IM(v) != 0)
        return PSB_PASS(
            PSB_TEXT_FAIL(in, "diagonal entry %" PRId64 " of a hermitian matrix is not real", i + 1));
    return PSB_OK;
}

/* Append the entry and, in symmetric storage, its mirror image. */
static psb_err append_expanded(const struct psb_text *in, struct X(mm_block) *b, psb_lpk i, psb_lpk j, T v)
{
    const enum psb_mm_symmetry symmetry = b->a->symmetry;
    if (symmetry != PSB_MM_GENERAL && i == j)
        PSB_TRY(X(mm_check_diagonal)(in, symmetry, i, v));
    if (symmetry != PSB_MM_GENERAL && i != j)
        PSB_TRY(psb_mm_check_triangle(in, i, j, &b->triangle));
    X(triplets_append)(&b->e.t, i, j, v);
    if (symmetry != PSB_MM_GENERAL && i != j)
        X(triplets_append)(&b->e.t, j, i, X(mm_mirrored)(symmetry, v));
    return PSB_OK;
}

/* Returns whether the number from p to end is written as an integer. */
static bool is_written_as_integer(const char *p, const char *end)
{
    while (p < end && (*p == '-' || *p == '+' || (*p >= '0' && *p <= '9')))
        p++;
    return p == end;
}

static psb_err read_number(const struct psb_text *in, enum psb_mm_field field, const char **p, R *x)
{
    char token[PSB_TOKEN];
    const char *first = *p = psb_blanks(*p);
    const bool integer = field == PSB_MM_INTEGER;
    enum psb_scan found = SCAN_REAL(p, x);
    if (found == PSB_SCAN_NONE || !psb_is_gap(**p) || (integer && !is_written_as_integer(first, *p)))
        return PSB_TEXT_FAIL(in, "the value %s is not %s", psb_text_token(first, token),
                             integer ? "an integer" : "a number");
    if (found == PSB_SCAN_RANGE)
        return PSB_TEXT_FAIL(in, "the value %s is beyond the range of the scalar, +-%.8g",
                             psb_text_token(first, token), (double)TMAX);
    return PSB_OK;
}

static psb_err read_value(const struct psb_text *in, enum psb_mm_field field, const char **p, T *v)
{
    R re = 1, im = 0;
    if (field != PSB_MM_PATTERN)
        PSB_TRY(read_number(in, field, p, &re));
    if (field == PSB_MM_COMPLEX)
        PSB_TRY(read_number(in, field, p, &im));
    *v = MAKE(re, im);
    return PSB_OK;
}

/* --- arrays: by columns; symmetric storage: the lower triangle; skew-symmetric: strictly below --- */

/* Returns the number of entries in the columns before j. */
static psb_epk entries_before(const struct psb_mm_header *a, psb_lpk j)
{
    if (a->symmetry == PSB_MM_GENERAL)
        return j * a->m;
    psb_lpk first = a->m - (a->symmetry == PSB_MM_SKEW); /* entries of column 0 */
    return j % 2 ? j * (first - (j - 1) / 2) : j / 2 * (2 * first - j + 1);
}

struct stored_entry {
    const struct psb_mm_header *a;
    psb_epk k;
};

PSB_INLINE int begins_up_to(const void *of, psb_epk j)
{
    const struct stored_entry *s = of;
    return entries_before(s->a, j) <= s->k;
}

/* Set *i, *j to the position of entry k, 0 <= k < a->stored. */
static void find_position(const struct psb_mm_header *a, psb_epk k, psb_lpk *i, psb_lpk *j)
{
    const struct stored_entry s = { a, k };
    const psb_lpk lo = psb_first(1, a->n, begins_up_to, &s) - 1;
    *j = lo;
    *i = k - entries_before(a, lo) + (a->symmetry != PSB_MM_GENERAL ? lo : 0) + (a->symmetry == PSB_MM_SKEW);
}

/* Move (*i, *j) to the next position. */
static void next_position(const struct psb_mm_header *a, psb_lpk *i, psb_lpk *j)
{
    if (++*i == a->m)
        *i = ++*j * (a->symmetry != PSB_MM_GENERAL) + (a->symmetry == PSB_MM_SKEW);
}

psb_err X(mm_set_positions)(const struct psb_text *in, struct X(mm_block) *b, psb_epk before)
{
    psb_lpk i, j;
    struct X(mm_block) new = { .a = b->a, .before = before, .found = b->found };
    psb_err e = PSB_OK;
    if (b->found)
        find_position(b->a, before, &i, &j);
    for (psb_epk k = 0; k < b->found && e == PSB_OK; k++) {
        e = X(triplets_reserve)(&new.e, MOST_OF_A_LINE);
        PSB_THEN(e, append_expanded(in, &new, i, j, b->e.t.val[k]));
        next_position(b->a, &i, &j);
    }
    X(triplets_free)(e == PSB_OK ? &b->e.t : &new.e.t);
    if (e == PSB_OK)
        *b = new;
    return PSB_PASS(e);
}

psb_err X(mm_lines)(struct psb_text *in, struct X(mm_block) *b)
{
    const struct psb_mm_header *a = b->a;
    const char *p;
    const bool located = !a->array || b->before >= 0;
    psb_lpk i = 0, j = 0;
    psb_epk most = a->stored - (b->before > 0 ? b->before : 0);
    if (a->array && located && most > 0)
        find_position(a, b->before, &i, &j);
    for (;; b->found++) {
        T v;
        PSB_TRY(psb_text_data_line(in, &p));
        if (!p)
            return PSB_OK;
        if (b->found == most)
            return PSB_PASS(PSB_TEXT_FAIL(in, "declared %" PRId64 " entries, found more", a->stored));
        PSB_TRY(X(triplets_reserve)(&b->e, MOST_OF_A_LINE));
        if (!a->array) {
            PSB_TRY(psb_mm_index(in, &p, "row index", a->m, &i));
            PSB_TRY(psb_mm_index(in, &p, "column index", a->n, &j));
        }
        PSB_TRY(read_value(in, a->field, &p, &v));
        if (located)
            PSB_TRY(append_expanded(in, b, i, j, v));
        else
            X(triplets_append)(&b->e.t, 0, 0, v);
        if (a->array && located)
            next_position(a, &i, &j);
        PSB_TRY(psb_text_line_done(in, p));
    }
}
