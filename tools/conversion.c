/* conversion.c -- tools: matrices read and written by psb-convert, for one scalar. */
#include "config.h"
#include "conversion.h"
#include "picture.h"
#include "psb_alloc.h"
#include "say.h"
#include "sink.h"
#include "spmat.h"
#include "triplets.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "psb_type.h"

/* --- PETSc's binary format --- */

/* All numbers are big-endian: the class, rows, columns, entries; lengths of rows; columns; values. */

static double get_double(FILE *f)
{
    const uint64_t high = (uint32_t)petsc_word(f), bits = high << 32 | (uint32_t)petsc_word(f);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static psb_err read_petsc_entries(const struct conversion *c, FILE *f, struct X(triplets) *t)
{
    const struct psb_mm_header *a = &c->header;
    PSB_CHECK(fseek(f, 16, SEEK_SET) == 0, PSB_EIO, "%s: cannot be read: %s", c->name, strerror(errno));
    PSB_TRY(X(triplets_resize)(t, a->stored));
    t->m = a->m;
    t->n = a->n;
    for (psb_lpk i = 0; i < a->m; i++) {
        const int32_t length = petsc_word(f);
        PSB_CHECK(length >= 0 && length <= a->stored - t->nnz, PSB_EIO,
                  "%s: row %" PRId64 " has %d entries; expected 0 to %" PRId64, c->name, i + 1, length,
                  a->stored - t->nnz);
        for (int32_t k = 0; k < length; k++)
            t->ia[t->nnz++] = i;
    }
    PSB_CHECK(t->nnz == a->stored, PSB_EIO, "%s: the rows have %" PRId64 " entries; expected %" PRId64,
              c->name, t->nnz, a->stored);
    for (psb_epk k = 0; k < t->nnz; k++) {
        t->ja[k] = petsc_word(f);
        PSB_CHECK(t->ja[k] >= 0 && t->ja[k] < t->n, PSB_EIO,
                  "%s: the column of entry %" PRId64 " is %" PRId64 "; expected 0 to %" PRId64, c->name,
                  k + 1, t->ja[k], t->n - 1);
    }
    for (psb_epk k = 0; k < t->nnz; k++) {
        const double re = get_double(f), im = a->field == PSB_MM_COMPLEX ? get_double(f) : 0;
        t->val[k] = MAKE(re, im);
    }
    PSB_CHECK(!feof(f) && !ferror(f), PSB_EIO, "%s: cannot be read to its end", c->name);
    return PSB_OK;
}

static psb_err read_petsc(const struct conversion *c, struct X(triplets) *t)
{
    FILE *f = fopen(c->in, "rb");
    PSB_CHECK(f, PSB_EIO, "%s: cannot be read: %s", c->name, strerror(errno));
    psb_err e = read_petsc_entries(c, f, t);
    fclose(f);
    return e;
}

static void put_bits(struct psb_sink *o, uint64_t bits, int bytes)
{
    unsigned char b[8];
    for (int k = 0; k < bytes; k++)
        b[k] = (unsigned char)(bits >> 8 * (bytes - 1 - k));
    psb_sink_write(o, b, (size_t)bytes);
}

static void put_double(struct psb_sink *o, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof x);
    put_bits(o, bits, 8);
}

static psb_err write_petsc(const struct conversion *c, const struct X(coo_mat) *a)
{
    struct psb_sink o;
    const psb_epk nz = a->mat.nnz;
    PSB_CHECK(nz <= INT32_MAX, PSB_EARG, "%s: %" PRId64 " entries; PETSc's files hold fewer than 2^31",
              c->out, nz);
    PSB_TRY(psb_sink_open(&o, c->out));
    put_bits(&o, PETSC_MATRIX, 4);
    put_bits(&o, (uint64_t)a->mat.nrows, 4);
    put_bits(&o, (uint64_t)a->mat.ncols, 4);
    put_bits(&o, (uint64_t)nz, 4);
    psb_epk k = 0;
    for (psb_ipk i = 0; i < a->mat.nrows; i++) {
        const psb_epk begin = k;
        while (k < nz && a->ia[k] == i)
            k++;
        put_bits(&o, (uint64_t)(k - begin), 4);
    }
    for (k = 0; k < nz; k++)
        put_bits(&o, (uint64_t)a->ja[k], 4);
    for (k = 0; k < nz; k++) {
        put_double(&o, (double)RE(a->val[k]));
        if (CPLX)
            put_double(&o, (double)IM(a->val[k]));
    }
    return psb_sink_close(&o, PSB_OK);
}

/* --- the Rutherford-Boeing format --- */

/* Format: Duff, Grimes, Lewis, The Rutherford-Boeing sparse matrix collection, RAL-TR-97-031 (1997). */
enum { LINE = 80, VALUE = 26 }; /* characters of a line, and of a value */

/* Numbers of `width` characters, as many on a line as fit. */
struct columns {
    struct psb_sink *o;
    int width, at; /* at: how many stand on the line */
};

static int on_a_line(int width)
{
    return LINE / width;
}

/* The lines of n numbers. */
static psb_epk lines(psb_epk n, int width)
{
    return (n + on_a_line(width) - 1) / on_a_line(width);
}

/* The characters of a number up to `largest`, and a blank. */
static int width_of(psb_epk largest)
{
    return 1 + snprintf(NULL, 0, "%" PRId64, largest);
}

static void put_text(struct columns *c, const char *text)
{
    c->at = c->at == on_a_line(c->width) ? 0 : c->at;
    psb_sink_print(c->o, "%s%*s", c->at++ == 0 ? "\n" : "", c->width, text);
}

static void put_integer(struct columns *c, psb_epk x)
{
    char text[VALUE];
    snprintf(text, sizeof text, "%" PRId64, x);
    put_text(c, text);
}

static void put_value(struct columns *c, psb_mm_field field, double x)
{
    char text[VALUE + 8];
    snprintf(text, sizeof text, field == PSB_MM_INTEGER ? "%.0f" : "%.16E", x);
    put_text(c, text);
}

/* Is entry k of a, a matrix by columns, written? */
static bool kept(const struct X(coo_mat) *a, psb_mm_symmetry symmetry, psb_epk k)
{
    return symmetry == PSB_MM_GENERAL || a->ja[k] > a->ia[k] ||
           (a->ja[k] == a->ia[k] && symmetry != PSB_MM_SKEW);
}

/* The header, without the end of its last line; nz entries are written. */
static void put_rb_head(struct psb_sink *o, const struct conversion *c, const struct X(coo_mat) *a,
                        psb_mm_symmetry symmetry, psb_epk nz)
{
    const char *slash = strrchr(c->name, '/'), *name = slash ? slash + 1 : c->name;
    const int key = (int)strcspn(name, "."), pointer = width_of(nz + 1), index = width_of(a->mat.ncols);
    const psb_mm_field field = c->header.field;
    const psb_epk values = field == PSB_MM_PATTERN ? 0 : lines(nz * (1 + CPLX), VALUE),
                  pointers = lines((psb_epk)a->mat.nrows + 1, pointer), indices = lines(nz, index);
    const char type[] = { "rcip"[field],
                          symmetry == PSB_MM_GENERAL && a->mat.nrows != a->mat.ncols ? 'r' : "uszh"[symmetry],
                          'a', '\0' };
    char format[2][32];
    snprintf(format[0], sizeof *format, "(%dI%d)", on_a_line(pointer), pointer);
    snprintf(format[1], sizeof *format, "(%dI%d)", on_a_line(index), index);
    psb_sink_print(o, "%-72.72s%-8.*s\n", name, key < 8 ? key : 8, name);
    psb_sink_print(o, "%14" PRId64 " %13" PRId64 " %13" PRId64 " %13" PRId64 "\n",
                   pointers + indices + values, pointers, indices, values);
    psb_sink_print(o, "%s%11s %13d %13d %13" PRId64 " %13d\n", type, "", a->mat.ncols, a->mat.nrows, nz, 0);
    psb_sink_print(o, "%-16s%-16s%-20s", format[0], format[1],
                   field == PSB_MM_PATTERN   ? ""
                   : field == PSB_MM_INTEGER ? "(3I26)"
                                             : "(3E26.16)");
}

/* Write the transpose of a, whose rows are the columns of the file. */
static psb_err write_rb(const struct conversion *c, const struct X(coo_mat) *a, psb_mm_symmetry symmetry)
{
    struct psb_sink o;
    psb_epk nz = 0;
    const psb_epk all = a->mat.nnz;
    for (psb_epk k = 0; k < all; k++) {
        nz += kept(a, symmetry, k);
        PSB_CHECK(isfinite(RE(a->val[k])) && isfinite(IM(a->val[k])), PSB_EARG,
                  "%s: entry (%d, %d) is not finite; Rutherford-Boeing files hold finite numbers", c->out,
                  a->ja[k] + 1, a->ia[k] + 1);
        PSB_CHECK(c->header.field != PSB_MM_INTEGER || fabs((double)RE(a->val[k])) < 0x1p53, PSB_EARG,
                  "%s: entry (%d, %d) is %.0f; expected integers below 2^53, which double precision holds",
                  c->out, a->ja[k] + 1, a->ia[k] + 1, (double)RE(a->val[k]));
    }
    PSB_TRY(psb_sink_open(&o, c->out));
    put_rb_head(&o, c, a, symmetry, nz);
    struct columns p = { &o, width_of(nz + 1), 0 }, i = { &o, width_of(a->mat.ncols), 0 },
                   v = { &o, VALUE, 0 };
    psb_epk pointer = 1, k = 0;
    for (psb_ipk j = 0; j <= a->mat.nrows; j++) {
        put_integer(&p, pointer);
        for (; k < all && a->ia[k] == j; k++)
            pointer += kept(a, symmetry, k);
    }
    for (k = 0; k < all; k++)
        if (kept(a, symmetry, k))
            put_integer(&i, a->ja[k] + 1);
    for (k = 0; k < all && c->header.field != PSB_MM_PATTERN; k++)
        if (kept(a, symmetry, k)) {
            put_value(&v, c->header.field, (double)RE(a->val[k]));
            if (CPLX)
                put_value(&v, c->header.field, (double)IM(a->val[k]));
        }
    psb_sink_print(&o, "\n");
    return psb_sink_close(&o, PSB_OK);
}

/* --- all --- */

static psb_err read_matrix(const struct conversion *c, struct X(triplets) *t)
{
    if (c->from == FILE_PETSC)
        return read_petsc(c, t);
    return c->from == FILE_HB ? X(hb_read)(c->in, t) : X(mm_read)(c->in, say_progress, "reading", t);
}

/* *a = the entries, or those of the transpose, ordered by rows; those that stand twice are added. */
static psb_err order(const struct conversion *c, const struct X(triplets) *t, bool transposed,
                     struct X(mat) **a)
{
    psb_ipk *ia = NULL, *ja = NULL;
    PSB_CHECK(t->m < INT32_MAX && t->n < INT32_MAX, PSB_EARG,
              "%s: %" PRId64 " by %" PRId64 "; expected fewer than 2^31 rows and columns for %s", c->name,
              t->m, t->n, c->out);
    psb_err e = psb_alloc(&ia, (size_t)t->nnz, sizeof *ia, "rows");
    PSB_THEN(e, psb_alloc(&ja, (size_t)t->nnz, sizeof *ja, "columns"));
    for (psb_epk k = 0; k < t->nnz && e == PSB_OK; k++) {
        ia[k] = (psb_ipk)(transposed ? t->ja[k] : t->ia[k]);
        ja[k] = (psb_ipk)(transposed ? t->ia[k] : t->ja[k]);
    }
    PSB_THEN(e,
             X(mat_all)((psb_ipk)(transposed ? t->n : t->m), (psb_ipk)(transposed ? t->m : t->n), t->nnz, a));
    PSB_THEN(e, X(mat_csput)(*a, t->nnz, ia, ja, t->val, PSB_DUPL_ADD));
    PSB_THEN(e, X(mat_asb)(*a, PSB_DUPL_ADD));
    psb_free(ia);
    psb_free(ja);
    return e;
}

static psb_err write_picture(const struct conversion *c, const struct X(coo_mat) *a)
{
    struct picture *p;
    PSB_TRY(psb_alloc_zero(&p, 1, sizeof *p, "picture of the matrix"));
    picture_begin(p, a->mat.nrows, a->mat.ncols);
    X(picture_add)(p, a, NULL, NULL);
    psb_err e = picture_write(p, c->name, c->out);
    psb_free(p);
    return e;
}

static psb_err write_matrix(const struct conversion *c, struct X(triplets) *t)
{
    const psb_mm_symmetry symmetry = c->expand ? PSB_MM_GENERAL : c->header.symmetry;
    struct X(mat) *a = NULL;
    if (c->to == FILE_MM)
        return X(mm_write_half)(c->out, t, c->header.field, symmetry, NULL);
    say_progress("ordering", -1);
    psb_err e = order(c, t, c->to == FILE_HB, &a);
    X(triplets_free)(t);
    const struct X(coo_mat) *coo = (const struct X(coo_mat) *)a;
    say_progress("writing", -1);
    if (c->to == FILE_HB)
        PSB_THEN(e, write_rb(c, coo, symmetry));
    else
        PSB_THEN(e, c->to == FILE_JSON ? write_picture(c, coo) : write_petsc(c, coo));
    X(mat_free)(a);
    return e;
}

psb_err X(convert)(const struct conversion *c)
{
    struct X(triplets) t = { .m = 0 };
    psb_err e = read_matrix(c, &t);
    PSB_THEN(e, write_matrix(c, &t));
    X(triplets_free)(&t);
    say_clear();
    return e;
}
