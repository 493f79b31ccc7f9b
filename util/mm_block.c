/* mm_block.c -- room: util.  The entries in consecutive lines of a Matrix Market file. */
#include "config.h"
#include "mm_block.h"
#include "number.h"
#include "psb_alloc.h"
#include "psb_type.h"

#define SCAN_REAL _Generic((R)0, float : psb_scan_float, double : psb_scan_double)

enum { FIRST_ROOM = 1 << 12 };

psb_err X(mm_fits)(const struct psb_text *in, const struct psb_mm_header *a)
{
    PSB_CHECK(
        CPLX || a->field != PSB_MM_COMPLEX, PSB_EARG,
        "%s:1: the matrix is complex and cannot be read into a real one; expected a real one, or a call for "
        "complex scalars",
        in->name);
    return PSB_OK;
}

static psb_err set_room(struct X(triplets) *t, psb_epk room)
{
    PSB_TRY(psb_resize(&t->ia, (size_t)room, sizeof *t->ia, "row indices"));
    PSB_TRY(psb_resize(&t->ja, (size_t)room, sizeof *t->ja, "column indices"));
    return psb_resize(&t->val, (size_t)room, sizeof *t->val, "values");
}

/* Make room for two entries, the most that a line yields. */
static psb_err reserve(struct X(mm_block) *b)
{
    if (b->room - b->t.nnz >= 2)
        return PSB_OK;
    psb_epk room = b->room ? 2 * b->room : FIRST_ROOM;
    PSB_TRY(set_room(&b->t, room));
    b->room = room;
    return PSB_OK;
}

static psb_err append(struct X(triplets) *t, psb_lpk i, psb_lpk j, T v)
{
    t->ia[t->nnz] = i;
    t->ja[t->nnz] = j;
    t->val[t->nnz++] = v;
    return PSB_OK;
}

static psb_err on_diagonal(const struct psb_text *in, struct X(mm_block) *b, psb_lpk i, T v)
{
    if (b->a->symmetry == PSB_MM_SKEW && v != 0)
        return PSB_TEXT_FAIL(in, "diagonal entry %" PRId64 " of a skew-symmetric matrix is not 0", i + 1);
    if (b->a->symmetry == PSB_MM_HERMITIAN && IM(v) != 0)
        return PSB_TEXT_FAIL(in, "diagonal entry %" PRId64 " of a hermitian matrix is not real", i + 1);
    return append(&b->t, i, i, v);
}

static T mirrored(enum psb_mm_symmetry symmetry, T v)
{
    if (symmetry == PSB_MM_SKEW)
        return -v;
    return symmetry == PSB_MM_HERMITIAN ? CONJ(v) : v;
}

static psb_err off_diagonal(const struct psb_text *in, struct X(mm_block) *b, psb_lpk i, psb_lpk j, T v)
{
    int triangle = i > j ? -1 : 1;
    if (b->triangle && triangle != b->triangle)
        return PSB_TEXT_FAIL(in, "entry (%" PRId64 ", %" PRId64 ") is not in the triangle of those before",
                             i + 1, j + 1);
    b->triangle = triangle;
    PSB_TRY(append(&b->t, i, j, v));
    return append(&b->t, j, i, mirrored(b->a->symmetry, v));
}

static psb_err append_expanded(const struct psb_text *in, struct X(mm_block) *b, psb_lpk i, psb_lpk j, T v)
{
    if (b->a->symmetry == PSB_MM_GENERAL)
        return append(&b->t, i, j, v);
    return i == j ? on_diagonal(in, b, i, v) : off_diagonal(in, b, i, j, v);
}

/* Returns whether the number from p to end is written as an integer. */
static int is_integer(const char *p, const char *end)
{
    while (p < end && (*p == '-' || *p == '+' || (*p >= '0' && *p <= '9')))
        p++;
    return p == end;
}

static psb_err number(const struct psb_text *in, enum psb_mm_field field, const char **p, R *x)
{
    char token[PSB_TOKEN];
    const char *first = *p = psb_blanks(*p);
    int integer = field == PSB_MM_INTEGER;
    enum psb_scan found = SCAN_REAL(p, x);
    if (found == PSB_SCAN_NONE || !psb_is_gap(**p) || (integer && !is_integer(first, *p)))
        return PSB_TEXT_FAIL(in, "the value %s is not %s", psb_text_token(first, token),
                             integer ? "an integer" : "a number");
    if (found == PSB_SCAN_RANGE)
        return PSB_TEXT_FAIL(in, "the value %s is beyond the range of the scalar, +-%.8g",
                             psb_text_token(first, token), (double)TMAX);
    return PSB_OK;
}

static psb_err value(const struct psb_text *in, enum psb_mm_field field, const char **p, T *v)
{
    R re = 1, im = 0;
    if (field != PSB_MM_PATTERN)
        PSB_TRY(number(in, field, p, &re));
    if (field == PSB_MM_COMPLEX)
        PSB_TRY(number(in, field, p, &im));
    *v = MAKE(re, im);
    return PSB_OK;
}

/* --- coordinates --- */

static psb_err entry(const struct psb_text *in, struct X(mm_block) *b, const char **p)
{
    psb_lpk i, j;
    T v;
    PSB_TRY(psb_mm_index(in, p, "row index", b->a->m, &i));
    PSB_TRY(psb_mm_index(in, p, "column index", b->a->n, &j));
    PSB_TRY(value(in, b->a->field, p, &v));
    return append_expanded(in, b, i, j, v);
}

/* --- arrays: by columns; symmetric storage: the lower triangle; skew-symmetric: strictly below --- */

/* Returns the number of entries in the columns before j. */
static psb_epk columns(const struct psb_mm_header *a, psb_lpk j)
{
    if (a->symmetry == PSB_MM_GENERAL)
        return j * a->m;
    psb_lpk first = a->m - (a->symmetry == PSB_MM_SKEW); /* entries of column 0 */
    return j % 2 ? j * (first - (j - 1) / 2) : j / 2 * (2 * first - j + 1);
}

struct stored {
    const struct psb_mm_header *a;
    psb_epk k;
};

PSB_INLINE int begins_up_to(const void *of, psb_epk j)
{
    const struct stored *s = of;
    return columns(s->a, j) <= s->k;
}

/* Set *i, *j to the position of entry k, 0 <= k < a->stored. */
static void position(const struct psb_mm_header *a, psb_epk k, psb_lpk *i, psb_lpk *j)
{
    const struct stored s = { a, k };
    const psb_lpk lo = psb_first(1, a->n, begins_up_to, &s) - 1;
    *j = lo;
    *i = k - columns(a, lo) + (a->symmetry != PSB_MM_GENERAL ? lo : 0) + (a->symmetry == PSB_MM_SKEW);
}

/* Move (*i, *j) to the next position. */
static void advance(const struct psb_mm_header *a, psb_lpk *i, psb_lpk *j)
{
    if (++*i == a->m)
        *i = ++*j * (a->symmetry != PSB_MM_GENERAL) + (a->symmetry == PSB_MM_SKEW);
}

static psb_err element(const struct psb_text *in, struct X(mm_block) *b, const char **p, psb_lpk *i,
                       psb_lpk *j)
{
    T v;
    PSB_TRY(value(in, b->a->field, p, &v));
    if (b->before < 0)
        return append(&b->t, 0, 0, v);
    PSB_TRY(append_expanded(in, b, *i, *j, v));
    advance(b->a, i, j);
    return PSB_OK;
}

psb_err X(mm_place)(const struct psb_text *in, struct X(mm_block) *b, psb_epk before)
{
    psb_lpk i, j;
    struct X(mm_block) new = { .a = b->a, .before = before, .found = b->found };
    psb_err e = PSB_OK;
    if (b->found)
        position(b->a, before, &i, &j);
    for (psb_epk k = 0; k < b->found && e == PSB_OK; k++) {
        e = reserve(&new);
        if (e == PSB_OK)
            e = append_expanded(in, &new, i, j, b->t.val[k]);
        advance(b->a, &i, &j);
    }
    X(triplets_free)(e == PSB_OK ? &b->t : &new.t);
    if (e == PSB_OK)
        *b = new;
    return PSB_PASS(e);
}

/* --- coordinates and arrays --- */

psb_err X(mm_lines)(struct psb_text *in, struct X(mm_block) *b)
{
    const char *p;
    psb_lpk i = 0, j = 0;
    psb_epk most = b->a->stored - (b->before > 0 ? b->before : 0);
    if (b->a->array && b->before >= 0 && most > 0)
        position(b->a, b->before, &i, &j);
    for (;; b->found++) {
        PSB_TRY(psb_text_data_line(in, &p));
        if (!p)
            return PSB_OK;
        if (b->found == most)
            return PSB_PASS(PSB_TEXT_FAIL(in, "declared %" PRId64 " entries, found more", b->a->stored));
        PSB_TRY(reserve(b));
        PSB_TRY(b->a->array ? element(in, b, &p, &i, &j) : entry(in, b, &p));
        PSB_TRY(psb_text_line_done(in, p));
    }
}
