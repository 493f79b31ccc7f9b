/* mm_text.c -- util: the parts of reading Matrix Market files that do not depend on the scalar. */
#include "config.h"
#include "mm_text.h"
#include "base_inside.h"
#include "psb_testing.h"

const char *const psb_mm_fields[5] = { "real", "complex", "integer", "pattern", "double" };
const char *const psb_mm_symmetries[4] = { "general", "symmetric", "skew-symmetric", "hermitian" };

static psb_epk read_block = 1 << 20;

psb_epk psb_read_block(void)
{
    return read_block;
}

psb_epk psb_set_read_block(psb_epk n)
{
    psb_epk was = read_block;
    if (n >= 1 && n <= 1 << 24)
        read_block = n;
    return was;
}

/* Find which of the n `words` is at *p, set *which to its index, and move *p past it. */
static psb_err choose_word(const struct psb_text *in, const char **p, const char *what,
                           const char *const *words, int n, int *which)
{
    char token[PSB_TOKEN];
    *p = psb_blanks(*p);
    for (*which = 0; *which < n; ++*which) {
        const char *q = *p;
        if (psb_scan_word(&q, words[*which]) && psb_is_gap(*q)) {
            *p = q;
            return PSB_OK;
        }
    }
    return PSB_TEXT_FAIL(in, "the %s %s is not one that Matrix Market has", what, psb_text_token(*p, token));
}

static psb_err read_banner(struct psb_text *in, struct psb_mm_header *a)
{
    static const char *const objects[] = { "matrix" }, *const formats[] = { "coordinate", "array" };
    const char *p;
    int object, format, field, symmetry;

    PSB_TRY(psb_text_line(in, &p));
    PSB_CHECK(p, PSB_EIO, "%s:1: the file is empty", in->name);
    if (!psb_scan_word(&p, "%%matrixmarket") || !psb_is_gap(*p))
        return PSB_TEXT_FAIL(in, "%s", "the file does not begin with the banner %%MatrixMarket");
    PSB_TRY(choose_word(in, &p, "object", objects, 1, &object));
    PSB_TRY(choose_word(in, &p, "format", formats, 2, &format));
    PSB_TRY(choose_word(in, &p, "field", psb_mm_fields, 5, &field));
    PSB_TRY(choose_word(in, &p, "symmetry", psb_mm_symmetries, 4, &symmetry));
    PSB_TRY(psb_text_line_done(in, p));
    a->field = field == 4 ? PSB_MM_REAL : (enum psb_mm_field)field;
    a->symmetry = (enum psb_mm_symmetry)symmetry;
    a->array = format == 1;
    const bool pattern = a->field == PSB_MM_PATTERN;
    if (a->array && pattern)
        return PSB_TEXT_FAIL(in, "%s cannot be pattern", "an array");
    if (pattern && a->symmetry == PSB_MM_SKEW)
        return PSB_TEXT_FAIL(in, "%s cannot be skew-symmetric", "a pattern");
    if (a->field != PSB_MM_COMPLEX && a->symmetry == PSB_MM_HERMITIAN)
        return PSB_TEXT_FAIL(in, "%s must be complex", "a hermitian matrix");
    return PSB_OK;
}

static psb_err read_integer(const struct psb_text *in, const char **p, const char *what, int64_t *x)
{
    char token[PSB_TOKEN];
    const char *first = *p = psb_blanks(*p);
    enum psb_scan found = psb_scan_int(p, x);
    if (found == PSB_SCAN_NONE || !psb_is_gap(**p))
        return PSB_TEXT_FAIL(in, "the %s %s is not an integer", what, psb_text_token(first, token));
    if (found == PSB_SCAN_RANGE)
        return PSB_TEXT_FAIL(in, "the %s %s does not fit in 64 bits", what, psb_text_token(first, token));
    return PSB_OK;
}

static psb_err read_size(const struct psb_text *in, const char **p, const char *what, int64_t *x)
{
    PSB_TRY(read_integer(in, p, what, x));
    if (*x < 0)
        return PSB_TEXT_FAIL(in, "the %s %" PRId64 " is negative", what, *x);
    return PSB_OK;
}

static psb_err read_size_line(struct psb_text *in, struct psb_mm_header *a)
{
    const char *p;
    PSB_TRY(psb_text_data_line(in, &p));
    if (!p)
        return PSB_TEXT_FAIL(in, "the file ends before %s", "the size line");
    PSB_TRY(read_size(in, &p, "number of rows", &a->m));
    PSB_TRY(read_size(in, &p, "number of columns", &a->n));
    if (!a->array)
        PSB_TRY(read_size(in, &p, "number of entries", &a->stored));
    if (a->symmetry != PSB_MM_GENERAL && a->m != a->n)
        return PSB_TEXT_FAIL(
            in, "symmetric storage of a matrix that is %" PRId64 " by %" PRId64 ", not square", a->m, a->n);
    if (a->array && a->n && a->m > INT64_MAX / a->n)
        return PSB_TEXT_FAIL(in, "an array of %" PRId64 " by %" PRId64 " has more than 2^63 - 1 entries",
                             a->m, a->n);
    if (a->array) /* all entries, or those of one triangle */
        a->stored = a->symmetry == PSB_MM_GENERAL ? a->m * a->n : (a->m * a->n - a->n) / 2;
    if (a->array && (a->symmetry == PSB_MM_SYMMETRIC || a->symmetry == PSB_MM_HERMITIAN))
        a->stored += a->n;
    return psb_text_line_done(in, p);
}

psb_err psb_mm_open(const char *path, struct psb_text *in, struct psb_mm_header *info)
{
    PSB_TRY(psb_text_open(path, in));
    psb_err e = read_banner(in, info);
    PSB_THEN(e, read_size_line(in, info));
    if (e != PSB_OK)
        psb_text_close(in);
    return PSB_PASS(e);
}

psb_err psb_mm_info(const char *path, struct psb_mm_header *info)
{
    struct psb_text in;
    struct psb_mm_header a;
    PSB_NEED(path, "the name of a file");
    PSB_NEED(info, "where to store the head");
    PSB_TRY(psb_mm_open(path, &in, &a));
    psb_text_close(&in);
    *info = a;
    return PSB_OK;
}

psb_err psb_mm_any_index(const struct psb_text *in, const char **p, const char *what, psb_lpk max, psb_lpk *x)
{
    PSB_TRY(read_integer(in, p, what, x));
    if (*x < 1 || *x > max)
        return PSB_PASS(PSB_TEXT_FAIL(in, "%s %" PRId64 " is out of range 1..%" PRId64, what, *x, max));
    --*x;
    return PSB_OK;
}

psb_err psb_mm_enough(const struct psb_text *in, const struct psb_mm_header *info, psb_epk found)
{
    if (found < info->stored)
        return PSB_PASS(
            PSB_TEXT_FAIL(in, "declared %" PRId64 " entries, found %" PRId64, info->stored, found));
    return PSB_OK;
}

psb_err psb_mm_check_triangle(const struct psb_text *in, psb_lpk i, psb_lpk j, int *triangle)
{
    const int this = i > j ? -1 : 1;
    if (*triangle && this != *triangle)
        return PSB_PASS(PSB_TEXT_FAIL(
            in, "entry (%" PRId64 ", %" PRId64 ") is not in the triangle of those before", i + 1, j + 1));
    *triangle = this;
    return PSB_OK;
}
