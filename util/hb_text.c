/* hb_text.c -- util: the parts of reading Harwell-Boeing files that do not depend on the scalar. */
#include "config.h"
#include "hb_text.h"
#include "base_inside.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- lines --- */

/* Set h->p to the next line; an error if there is none, where `what` is expected. */
static psb_err next_line(struct psb_hb *h, const char *what)
{
    PSB_TRY(psb_text_line(&h->in, &h->p));
    if (!h->p)
        return PSB_TEXT_FAIL(&h->in, "the file ends before %s", what);
    for (h->eol = h->p; !psb_is_eol(*h->eol);)
        h->eol++;
    return PSB_OK;
}

/* The rest of the line must be blank. */
static psb_err line_done(struct psb_hb *h)
{
    psb_err e = h->p ? psb_text_line_done(&h->in, h->p) : PSB_OK;
    h->p = NULL;
    return e;
}

/* Copy the n characters at h->p, or up to the end of the line, without trailing blanks, and move h->p past
 * them. */
static void copy_columns(struct psb_hb *h, int n, char *to)
{
    int k = 0, last = 0;
    for (; k < n && h->p < h->eol; k++, h->p++) {
        to[k] = isprint((unsigned char)*h->p) || *h->p == '\t' ? *h->p : '?';
        last = to[k] != ' ' ? k + 1 : last;
    }
    to[last] = '\0';
}

/* --- the head --- */

/* Read a count >= 0 at h->p.  If the line has ended and `missing` >= 0, the count is `missing`. */
static psb_err read_head_count(struct psb_hb *h, const char *what, int64_t missing, int64_t *x)
{
    char token[PSB_TOKEN];
    const char *first = h->p = psb_blanks(h->p);
    if (psb_is_eol(*first) && missing >= 0) {
        *x = missing;
        return PSB_OK;
    }
    enum psb_scan found = psb_scan_int(&h->p, x);
    if (found != PSB_SCAN_OK || !psb_is_gap(*h->p) || *x < 0)
        return PSB_TEXT_FAIL(&h->in, "the %s %s is not a whole number >= 0", what,
                             psb_text_token(first, token));
    return PSB_OK;
}

/* Returns the position of c in `letters`, ignoring case; -1 if it is not one of them. */
static int letter_index(char c, const char *letters)
{
    const char *at = c ? strchr(letters, toupper((unsigned char)c)) : NULL;
    return at ? (int)(at - letters) : -1;
}

static psb_err read_type(struct psb_hb *h)
{
    static const enum psb_mm_field fields[] = { PSB_MM_REAL, PSB_MM_COMPLEX, PSB_MM_PATTERN, PSB_MM_INTEGER };
    static const enum psb_mm_symmetry symmetries[] = { PSB_MM_GENERAL, PSB_MM_GENERAL, PSB_MM_SYMMETRIC,
                                                       PSB_MM_HERMITIAN, PSB_MM_SKEW };
    char type[4];
    copy_columns(h, 3, type);
    int field = letter_index(type[0], "RCPI"), symmetry = field < 0 ? -1 : letter_index(type[1], "URSHZ");
    if (field < 0 || symmetry < 0 || letter_index(type[2], "AE") < 0)
        return PSB_TEXT_FAIL(
            &h->in, "the type '%s' is none; expected R, C, P or I, then U, R, S, H or Z, then A", type);
    if (letter_index(type[2], "E") == 0)
        return PSB_TEXT_FAIL(
            &h->in, "the type is %s, a matrix of elements, which is not read; expected an assembled one, A",
            type);
    h->info.mm.field = fields[field];
    h->info.mm.symmetry = symmetries[symmetry];
    if (h->info.mm.symmetry == PSB_MM_HERMITIAN && h->info.mm.field != PSB_MM_COMPLEX)
        return PSB_TEXT_FAIL(&h->in, "the type is %s; a hermitian matrix must be complex", type);
    if (h->info.mm.symmetry == PSB_MM_SKEW && h->info.mm.field == PSB_MM_PATTERN)
        return PSB_TEXT_FAIL(&h->in, "the type is %s; a pattern cannot be skew-symmetric", type);
    return PSB_OK;
}

static psb_err read_sizes(struct psb_hb *h)
{
    struct psb_mm_header *a = &h->info.mm;
    int64_t elemental;
    PSB_TRY(next_line(h, "the type of the matrix"));
    PSB_TRY(read_type(h));
    PSB_TRY(read_head_count(h, "number of rows", -1, &a->m));
    PSB_TRY(read_head_count(h, "number of columns", -1, &a->n));
    PSB_TRY(read_head_count(h, "number of entries", -1, &a->stored));
    PSB_TRY(read_head_count(h, "number of elemental entries", 0, &elemental));
    if (a->symmetry != PSB_MM_GENERAL && a->m != a->n)
        return PSB_TEXT_FAIL(&h->in,
                             "symmetric storage of a matrix that is %" PRId64 " by %" PRId64 ", not square",
                             a->m, a->n);
    if (a->n == INT64_MAX || a->stored == INT64_MAX)
        return PSB_TEXT_FAIL(&h->in, "the number of %s does not fit in 64 bits",
                             a->n == INT64_MAX ? "columns" : "entries");
    return line_done(h);
}

/* --- formats --- */

static psb_err read_format(struct psb_hb *h, int wide, const char *what, bool real, struct psb_format *f)
{
    char text[32], packed[32];
    int n = 0;
    copy_columns(h, wide, text);
    for (const char *p = text; *p; p++)
        if (!psb_is_blank(*p))
            packed[n++] = (char)toupper((unsigned char)*p);
    packed[n] = '\0';
    if (!psb_format_read(packed, f) || f->real != real)
        return PSB_TEXT_FAIL(&h->in, "the format '%s' of %s is not one as %s", text, what,
                             real ? "(5E16.8) or (1P,4D20.12)" : "(10I8)");
    return PSB_OK;
}

static psb_err read_formats(struct psb_hb *h, psb_epk values)
{
    enum psb_mm_field field = h->info.mm.field;
    PSB_TRY(next_line(h, "the formats"));
    PSB_TRY(read_format(h, 16, "the pointers", 0, &h->ptr));
    PSB_TRY(read_format(h, 16, "the indices", 0, &h->ind));
    if (field != PSB_MM_PATTERN && values == 0 && h->info.mm.stored > 0)
        return PSB_TEXT_FAIL(&h->in, "%s", "the matrix is no pattern, and no line of values is declared");
    if (field != PSB_MM_PATTERN)
        PSB_TRY(read_format(h, 20, "the values", field != PSB_MM_INTEGER, &h->val));
    else
        copy_columns(h, 20, (char[32]){ 0 });
    if (h->lines_rhs > 0)
        PSB_TRY(read_format(h, 20, "the right-hand sides", 1, &h->rhs));
    h->p = h->eol;
    return line_done(h);
}

/* Read the header line about right-hand sides. */
static psb_err read_rhs_head(struct psb_hb *h)
{
    char type[4];
    int64_t indices;
    PSB_TRY(next_line(h, "the type of right-hand sides"));
    copy_columns(h, 3, type);
    PSB_TRY(read_head_count(h, "number of right-hand sides", -1, &h->info.nrhs));
    PSB_TRY(read_head_count(h, "number of indices of right-hand sides", 0, &indices));
    if (letter_index(type[0], "FM") < 0)
        return PSB_TEXT_FAIL(
            &h->in,
            "the right-hand sides are of type '%s'; expected F or M, then G or blank, then X or blank", type);
    h->info.guess = letter_index(type[1], "G") == 0;
    h->info.solution = strlen(type) > 2 && letter_index(type[2], "X") == 0;
    if (letter_index(type[0], "M") == 0)
        h->info.nrhs = 0;
    return line_done(h);
}

static psb_err read_head(struct psb_hb *h)
{
    int64_t unused, values;
    PSB_TRY(next_line(h, "its title"));
    copy_columns(h, 72, h->info.title);
    copy_columns(h, 8, h->info.key);
    h->p = h->eol;
    PSB_TRY(line_done(h));
    PSB_TRY(next_line(h, "the numbers of lines"));
    PSB_TRY(read_head_count(h, "number of lines", -1, &unused));
    PSB_TRY(read_head_count(h, "number of lines of pointers", -1, &unused));
    PSB_TRY(read_head_count(h, "number of lines of indices", -1, &unused));
    PSB_TRY(read_head_count(h, "number of lines of values", -1, &values));
    PSB_TRY(read_head_count(h, "number of lines of right-hand sides", 0, &h->lines_rhs));
    PSB_TRY(line_done(h));
    PSB_TRY(read_sizes(h));
    PSB_TRY(read_formats(h, values));
    return h->lines_rhs > 0 ? read_rhs_head(h) : PSB_OK;
}

psb_err psb_hb_open(const char *path, struct psb_hb *h)
{
    *h = (struct psb_hb){ .k = 0 };
    PSB_TRY(psb_text_open(path, &h->in));
    psb_err e = read_head(h);
    if (e != PSB_OK)
        psb_text_close(&h->in);
    return PSB_PASS(e);
}

psb_err psb_hb_info(const char *path, struct psb_hb_header *info)
{
    struct psb_hb h;
    PSB_NEED(path, "the name of a file");
    PSB_NEED(info, "where to store the head");
    PSB_TRY(psb_hb_open(path, &h));
    psb_text_close(&h.in);
    *info = h.info;
    return PSB_OK;
}

bool psb_hb_named(const char *path)
{
    size_t n = path ? strlen(path) : 0;
    if (!n)
        return false;
    if (n > 3 && (strcmp(path + n - 3, ".gz") == 0 || strcmp(path + n - 3, ".xz") == 0))
        n -= 3;
    const char *end = path + n;
    if (n > 3 && (strncmp(end - 3, ".hb", 3) == 0 || strncmp(end - 3, ".rb", 3) == 0))
        return true;
    return n > 4 && end[-4] == '.' && letter_index(end[-3], "RCPI") >= 0 &&
           letter_index(end[-2], "URSHZ") >= 0 && letter_index(end[-1], "AE") >= 0;
}

/* --- fields --- */

psb_err psb_hb_begin(struct psb_hb *h, const struct psb_format *f)
{
    PSB_TRY(line_done(h));
    h->f = f;
    h->k = f->n;
    h->later = -1;
    return PSB_OK;
}

void psb_hb_next_block(struct psb_hb *h)
{
    if (h->p && psb_is_eol(*psb_blanks(h->p))) {
        h->k = h->f->n;
        h->later = -1;
    }
}

/* The columns before field k that are skipped. */
static int skipped_columns(const struct psb_hb *h, int k)
{
    return h->f->field[k].skip - (h->later && k == h->f->again ? h->f->outside : 0);
}

/* Returns whether a field of the line, cut as the format says, holds two words.  Some programs, SciPy among
 * them, write fields that are narrower than their format; then the words are the fields. */
static bool is_misaligned(const struct psb_hb *h)
{
    const char *p = h->p;
    for (int k = h->k; k < h->f->n && p < h->eol; k++) {
        const int wide = skipped_columns(h, k) + h->f->field[k].width;
        const char *end = h->eol - p > wide ? p + wide : h->eol;
        int words = 0;
        for (int in_word = 0; p < end; p++) {
            words += !in_word && !psb_is_blank(*p);
            in_word = !psb_is_blank(*p);
        }
        if (words > 1)
            return true;
    }
    return false;
}

/* Read the next field without the blanks around it. */
static psb_err read_field(struct psb_hb *h, const char *what, char text[PSB_FIELD_WIDTH + 1])
{
    if (h->k == h->f->n) {
        /* Go to the next line, and to its first field. */
        PSB_TRY(line_done(h));
        PSB_TRY(next_line(h, what));
        h->later = h->later >= 0;
        h->k = h->later ? h->f->again : 0;
        h->number = 0;
        h->in_words = is_misaligned(h);
    }
    int width = 0;
    if (h->in_words) {
        h->p = psb_blanks(h->p);
        while (width < PSB_FIELD_WIDTH && h->p + width < h->eol && !psb_is_blank(h->p[width]))
            width++;
    } else {
        width = h->f->field[h->k].width;
        for (int n = skipped_columns(h, h->k); n > 0 && h->p < h->eol; n--, h->p++)
            if (!psb_is_blank(*h->p))
                return PSB_TEXT_FAIL(&h->in,
                                     "'%c' before field %d of the line is in a column that the format skips",
                                     isprint((unsigned char)*h->p) ? *h->p : '?', h->number + 1);
    }
    copy_columns(h, width, text);
    h->k++;
    h->number++;
    size_t blank = strspn(text, " \t");
    memmove(text, text + blank, strlen(text + blank) + 1);
    if (!*text)
        return PSB_TEXT_FAIL(&h->in, "field %d of the line is blank; expected %s", h->number, what);
    return PSB_OK;
}

psb_err psb_hb_integer(struct psb_hb *h, const char *what, int64_t least, int64_t most, int64_t *x)
{
    char text[PSB_FIELD_WIDTH + 32] = "";
    const char *p = text;
    PSB_TRY(read_field(h, what, text));
    if (psb_scan_int(&p, x) != PSB_SCAN_OK || *p)
        return PSB_PASS(PSB_TEXT_FAIL(&h->in, "field %d of the line is '%s'; expected %s, an integer",
                                      h->number, text, what));
    if (*x < least || *x > most)
        return PSB_PASS(PSB_TEXT_FAIL(&h->in, "%s %" PRId64 " is out of range %" PRId64 "..%" PRId64, what,
                                      *x, least, most));
    return PSB_OK;
}

/* Returns p past the digits at p. */
static const char *past_digits(const char *p)
{
    while (isdigit((unsigned char)*p))
        p++;
    return p;
}

/* Read the exponent at p, "E-5", "D+05" or "-105".  Returns whether there is one, or none and the text
 * ends at p. */
static bool read_exponent(const char *p, int *e, bool *written)
{
    *written = *p != '\0';
    *e = 0;
    if (*p && strchr("EeDdQq", *p))
        p++;
    else if (*p != '+' && *p != '-')
        return *p == '\0';
    const bool minus = *p == '-';
    p += minus || *p == '+';
    const char *end = past_digits(p);
    if (end == p || *end)
        return false;
    for (; p < end; p++)
        *e = *e < 100000 ? 10 * *e + (*p - '0') : *e;
    *e = minus ? -*e : *e;
    return true;
}

/* Fortran: a number without a point has its point before its last `digits` digits; a number without an
 * exponent is 10^scale times the value meant. */
psb_err psb_hb_real(struct psb_hb *h, const char *what, char text[PSB_FIELD_WIDTH + 32])
{
    int e;
    bool written;
    memset(text, 0, PSB_FIELD_WIDTH + 32);
    PSB_TRY(read_field(h, what, text));
    const struct psb_field *f = &h->f->field[h->k - 1];
    const char *p = text + (*text == '-' || *text == '+');
    const char *end = past_digits(p), *all = end;
    if (*end == '.')
        end = past_digits(end + 1);
    if (end - p - (*all == '.') < 1 || !read_exponent(end, &e, &written))
        return PSB_PASS(PSB_TEXT_FAIL(&h->in, "field %d of the line is '%s'; expected %s, a number",
                                      h->number, text, what));
    if (*all != '.')
        e -= f->digits;
    if (!written)
        e -= f->scale[h->later];
    snprintf(text + (end - text), 32, "E%d", e);
    return PSB_OK;
}

/* Returns the number of lines of n fields. */
static psb_epk lines_of(const struct psb_format *f, psb_epk n)
{
    const int later = f->n - f->again;
    return n <= f->n ? n > 0 : 1 + (n - f->n + later - 1) / later;
}

/* Returns whether n lines are those of the right-hand sides: as many as the header declares, or, since some
 * published headers are wrong, as their numbers need. */
static bool are_rhs_lines(const struct psb_hb *h, psb_epk n)
{
    const struct psb_hb_header *a = &h->info;
    const int parts = a->mm.field == PSB_MM_COMPLEX ? 2 : 1, blocks = 1 + a->guess + a->solution;
    if (n == h->lines_rhs || a->nrhs == 0 || a->mm.m > INT64_MAX / a->nrhs / 6)
        return n == h->lines_rhs;
    const psb_epk each = a->mm.m * a->nrhs * parts;
    return n == blocks * lines_of(&h->rhs, each) || n == lines_of(&h->rhs, blocks * each);
}

psb_err psb_hb_end(struct psb_hb *h)
{
    psb_epk last = h->in.line;
    PSB_TRY(line_done(h));
    for (;;) {
        PSB_TRY(psb_text_line(&h->in, &h->p));
        if (!h->p)
            break;
        if (!psb_is_eol(*psb_blanks(h->p)))
            last = h->in.line;
        h->p = h->lines_rhs ? h->p + strcspn(h->p, "\r\n") : h->p;
        PSB_TRY(line_done(h));
    }
    if (!are_rhs_lines(h, last - h->values_end))
        return PSB_PASS(PSB_TEXT_FAIL(&h->in,
                                      "the header declares %" PRId64
                                      " lines of right-hand sides, and %" PRId64
                                      " follow the matrix; is a line of the matrix missing or double?",
                                      h->lines_rhs, last - h->values_end));
    return PSB_OK;
}
