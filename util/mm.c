/* mm.c -- room: util.  Matrix Market, read and written. */
#include "config.h"
#include "psb_util.h"
#include "mm_text.h"
#include "number.h"
#include "psb_alloc.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "psb_type.h"

#define SCAN_REAL _Generic((R)0, float : psb_scan_float, double : psb_scan_double)

enum { FIRST_ROOM = 1 << 12, DIGITS = sizeof(R) == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG };

/* A matrix while it is read. */
struct reading {
    struct psb_text in;
    struct psb_mm_info a;
    struct X(triplets) t;
    psb_epk room; /* t holds so many */
    int triangle; /* -1 lower, 1 upper, 0 not known yet: the one symmetric storage uses */
};

void X(triplets_free)(struct X(triplets) *t)
{
    psb_free(t->ia);
    psb_free(t->ja);
    psb_free(t->val);
    *t = (struct X(triplets)){ .m = 0 };
}

static psb_err set_room(struct X(triplets) *t, psb_epk room)
{
    PSB_TRY(psb_resize(&t->ia, (size_t)room, sizeof *t->ia, "row indices"));
    PSB_TRY(psb_resize(&t->ja, (size_t)room, sizeof *t->ja, "column indices"));
    return psb_resize(&t->val, (size_t)room, sizeof *t->val, "values");
}

static psb_err append(struct reading *r, psb_lpk i, psb_lpk j, T v)
{
    struct X(triplets) *t = &r->t;
    if (t->nnz == r->room) {
        psb_epk room = r->room ? 2 * r->room : FIRST_ROOM;
        PSB_TRY(set_room(t, room));
        r->room = room;
    }
    t->ia[t->nnz] = i;
    t->ja[t->nnz] = j;
    t->val[t->nnz++] = v;
    return PSB_OK;
}

static psb_err on_diagonal(struct reading *r, psb_lpk i, T v)
{
    if (r->a.symmetry == PSB_MM_SKEW && v != 0)
        return PSB_TEXT_FAIL(&r->in, "diagonal entry %" PRId64 " of a skew-symmetric matrix is not 0", i + 1);
    if (r->a.symmetry == PSB_MM_HERMITIAN && IM(v) != 0)
        return PSB_TEXT_FAIL(&r->in, "diagonal entry %" PRId64 " of a hermitian matrix is not real", i + 1);
    return append(r, i, i, v);
}

static T mirrored(enum psb_mm_symmetry symmetry, T v)
{
    if (symmetry == PSB_MM_SKEW)
        return -v;
    return symmetry == PSB_MM_HERMITIAN ? CONJ(v) : v;
}

static psb_err off_diagonal(struct reading *r, psb_lpk i, psb_lpk j, T v)
{
    int triangle = i > j ? -1 : 1;
    if (r->triangle && triangle != r->triangle)
        return PSB_TEXT_FAIL(
            &r->in, "entry (%" PRId64 ", %" PRId64 ") is not in the triangle of those before", i + 1, j + 1);
    r->triangle = triangle;
    PSB_TRY(append(r, i, j, v));
    return append(r, j, i, mirrored(r->a.symmetry, v));
}

static psb_err put(struct reading *r, psb_lpk i, psb_lpk j, T v)
{
    if (r->a.symmetry == PSB_MM_GENERAL)
        return append(r, i, j, v);
    return i == j ? on_diagonal(r, i, v) : off_diagonal(r, i, j, v);
}

/* Is the number from p to end written as an integer? */
static int is_integer(const char *p, const char *end)
{
    while (p < end && (*p == '-' || *p == '+' || (*p >= '0' && *p <= '9')))
        p++;
    return p == end;
}

static psb_err number(const struct reading *r, const char **p, R *x)
{
    char token[PSB_TOKEN];
    const char *first = *p = psb_blanks(*p);
    int integer = r->a.field == PSB_MM_INTEGER;
    enum psb_scan found = SCAN_REAL(p, r->in.c, x);
    if (found == PSB_SCAN_NONE || !psb_is_gap(**p) || (integer && !is_integer(first, *p)))
        return PSB_TEXT_FAIL(&r->in, "the value %s is not %s", psb_text_token(first, token),
                             integer ? "an integer" : "a number");
    if (found == PSB_SCAN_RANGE)
        return PSB_TEXT_FAIL(&r->in, "the value %s is beyond the range of the scalar, +-%.8g",
                             psb_text_token(first, token), (double)TMAX);
    return PSB_OK;
}

static psb_err value(const struct reading *r, const char **p, T *v)
{
    R re = 1, im = 0;
    if (r->a.field != PSB_MM_PATTERN)
        PSB_TRY(number(r, p, &re));
    if (r->a.field == PSB_MM_COMPLEX)
        PSB_TRY(number(r, p, &im));
    *v = MAKE(re, im);
    return PSB_OK;
}

static psb_err coordinates(struct reading *r)
{
    psb_lpk i, j;
    const char *p;
    T v;
    for (psb_epk k = 0; k < r->a.stored; k++) {
        PSB_TRY(psb_mm_entry(&r->in, &r->a, k, &p));
        PSB_TRY(psb_mm_index(&r->in, &p, "row index", r->a.m, &i));
        PSB_TRY(psb_mm_index(&r->in, &p, "column index", r->a.n, &j));
        PSB_TRY(value(r, &p, &v));
        PSB_TRY(put(r, i, j, v));
        PSB_TRY(psb_text_line_done(&r->in, p));
    }
    return PSB_OK;
}

/* By columns; of symmetric storage the lower triangle, of skew-symmetric what is strictly below. */
static psb_err array(struct reading *r)
{
    psb_lpk below = r->a.symmetry == PSB_MM_SKEW, lower = r->a.symmetry != PSB_MM_GENERAL;
    psb_lpk i = below, j = 0;
    const char *p;
    T v;
    for (psb_epk k = 0; k < r->a.stored; k++) {
        PSB_TRY(psb_mm_entry(&r->in, &r->a, k, &p));
        PSB_TRY(value(r, &p, &v));
        PSB_TRY(put(r, i, j, v));
        PSB_TRY(psb_text_line_done(&r->in, p));
        if (++i == r->a.m)
            i = ++j * lower + below;
    }
    return PSB_OK;
}

static psb_err entries(struct reading *r)
{
    PSB_CHECK(CPLX || r->a.field != PSB_MM_COMPLEX, PSB_EARG,
              "%s:1: the matrix is complex and cannot be read into a real one", r->in.name);
    PSB_TRY(r->a.array ? array(r) : coordinates(r));
    PSB_TRY(psb_mm_end(&r->in, &r->a));
    return set_room(&r->t, r->t.nnz);
}

static psb_err read_file(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                         struct X(triplets) *t)
{
    struct reading r = { .room = 0 };
    PSB_TRY(psb_mm_open(path, &r.in, &r.a));
    r.in.progress = progress;
    r.in.arg = arg;
    r.t.m = r.a.m;
    r.t.n = r.a.n;
    psb_err e = entries(&r);
    psb_text_close(&r.in);
    if (e != PSB_OK) {
        X(triplets_free)(&r.t);
        return e;
    }
    *t = r.t;
    return PSB_OK;
}

psb_err X(mm_read)(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                   struct X(triplets) *t)
{
    PSB_CHECK(path && t, PSB_EARG, "%s is NULL", path ? "t" : "path");
    PSB_TRY(read_file(path, progress, arg, t));
    if (progress)
        progress(arg, 1);
    return PSB_OK;
}

static psb_err densify(const char *path, const struct X(triplets) *t, T **val)
{
    PSB_CHECK(!t->n || t->m <= INT64_MAX / t->n, PSB_EARG,
              "%s: %" PRId64 " by %" PRId64 " entries are too many for a dense matrix", path, t->m, t->n);
    T *a;
    PSB_TRY(psb_alloc_zero(&a, (size_t)(t->m * t->n), sizeof *a, "dense matrix"));
    for (psb_epk k = 0; k < t->nnz; k++) {
        T *at = &a[t->ia[k] + t->ja[k] * t->m];
        *at = *at == 0 ? t->val[k] : *at + t->val[k]; /* 0 + -0 would lose a sign */
    }
    *val = a;
    return PSB_OK;
}

psb_err X(mm_read_array)(const char *path, psb_lpk *m, psb_lpk *n, T **val)
{
    PSB_CHECK(path && m && n && val, PSB_EARG, "%s is NULL", path ? "an output" : "path");
    struct X(triplets) t;
    PSB_TRY(read_file(path, NULL, NULL, &t));
    psb_err e = densify(path, &t, val);
    if (e == PSB_OK) {
        *m = t.m;
        *n = t.n;
    }
    X(triplets_free)(&t);
    return e;
}

/* 0 where it fails. */
static int print(FILE *f, psb_lpk m, psb_lpk n, const T *val)
{
    int ok = fprintf(f, "%%%%MatrixMarket matrix array %s general\n%" PRId64 " %" PRId64 "\n",
                     CPLX ? "complex" : "real", m, n) > 0;
    for (psb_epk k = 0; ok && k < m * n; k++) {
        ok = fprintf(f, "%.*g", DIGITS, (double)RE(val[k])) > 0;
        if (CPLX)
            ok = ok && fprintf(f, " %.*g", DIGITS, (double)IM(val[k])) > 0;
        ok = ok && fputc('\n', f) != EOF;
    }
    return ok;
}

psb_err X(mm_write_array)(const char *path, psb_lpk m, psb_lpk n, const T *val)
{
    PSB_CHECK(path, PSB_EARG, "%s is NULL", "path");
    PSB_CHECK(m >= 0 && n >= 0 && (!n || m <= INT64_MAX / n), PSB_EARG,
              "no matrix is %" PRId64 " by %" PRId64, m, n);
    PSB_CHECK(val || m * n == 0, PSB_EARG, "val is NULL and the matrix %" PRId64 " by %" PRId64, m, n);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    PSB_CHECK(c, PSB_ENOMEM, "%s: the C locale", path);
    FILE *f = fopen(path, "w");
    int ok = f != NULL;
    if (f) {
        locale_t was = uselocale(c);
        ok = print(f, m, n, val);
        ok = fclose(f) == 0 && ok;
        uselocale(was);
    }
    int why = errno;
    freelocale(c);
    PSB_CHECK(ok, PSB_EIO, "%s: cannot be written: %s", path, strerror(why));
    return PSB_OK;
}
