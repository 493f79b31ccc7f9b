/* check_open.c -- test: the contract of formats on published matrices (../shared).  Matrices of up to
 * LARGE entries are tested for each scalar type, larger ones for one of the four, and with fewer tests beyond
 * VAST entries.  Under sanitizers, which take ten times as long, matrices beyond LARGE are skipped and those
 * beyond SLOW get fewer tests.  CK_OPEN=all in the environment runs everything. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
#include "psb_util.h"
#include "sample.h"
#include "matrix_index.h"

enum { LARGE = 100000, VAST = 150000, SLOW = 10000, FILES = 256, FORMATS = 64, COLUMNS = 3, SKIPPED = 77 };

#if defined __has_feature && !defined __SANITIZE_ADDRESS__
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static struct {
    char path[MATRIX_INDEX_PATH + 128];
    int has_im;
} file[FILES];
static int nfiles, held, refused[FORMATS];

static void *new_zeros(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    ck_assert_ptr_nonnull(p);
    return p;
}

static int wants_all(void)
{
    const char *which = getenv("CK_OPEN");
    return which && strcmp(which, "all") == 0;
}

/* --- the matrix --- */

/* Value k as T: a real matrix gets an imaginary part, of a complex one the real part is used if T is real. */
static T value_of(const struct psb_z_triplets *t, psb_epk k, int has_im)
{
    const double re = creal(t->val[k]), im = (double)(k * 37 % 101 - 50) / 64 * (isfinite(re) ? re : 1);
    return MAKE(re, has_im ? cimag(t->val[k]) : im);
}

/* The matrix of file i with entries in the order of the file. */
static struct X(coo_mat) *read_file(int i)
{
    struct psb_z_triplets t;
    struct X(mat) *a;
    OK(strstr(file[i].path, "/hb/") ? psb_z_hb_read(file[i].path, &t)
                                    : psb_z_mm_read(file[i].path, NULL, NULL, &t));
    OK(X(mat_all)((psb_ipk)t.m, (psb_ipk)t.n, t.nnz, &a));
    struct X(coo_mat) *s = (struct X(coo_mat) *)a;
    for (psb_epk k = 0; k < t.nnz; k++) {
        s->ia[k] = (psb_ipk)t.ia[k];
        s->ja[k] = (psb_ipk)t.ja[k];
        s->val[k] = value_of(&t, k, file[i].has_im);
    }
    a->nnz = t.nnz;
    psb_z_triplets_free(&t);
    return s;
}

static int is_finite(T v)
{
    return isfinite(RE(v)) && isfinite(IM(v));
}

/* Replace NaN and infinities by one; return their number. */
static psb_epk make_finite(struct X(coo_mat) *s)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (!is_finite(s->val[k])) {
            s->val[k] = 3;
            n++;
        }
    return n;
}

/* Return whether a and b have the same bits in the same order. */
static int identical(const struct X(coo_mat) *a, const struct X(coo_mat) *b)
{
    const size_t n = (size_t)a->mat.nnz;
    return a->mat.nrows == b->mat.nrows && a->mat.ncols == b->mat.ncols && a->mat.nnz == b->mat.nnz &&
           memcmp(a->ia, b->ia, n * sizeof *a->ia) == 0 && memcmp(a->ja, b->ja, n * sizeof *a->ja) == 0 &&
           memcmp(a->val, b->val, n * sizeof *a->val) == 0;
}

/* Check that a has the entries of s, bit by bit, ordered by rows. */
static void check_equal(struct X(mat) *a, const struct X(coo_mat) *s, const char *what)
{
    MAT *out = NULL;
    OK(X(mat_convert)(a, &X(coo_mold).mat, &out));
    const struct X(coo_mat) *c = (struct X(coo_mat) *)out;
    ck_assert_msg(identical(c, s) || same_entries(c, s), "%s: %s has other entries", a->ops->fmt, what);
    psb_epk k = 1;
    while (k < c->mat.nnz && c->ia[k - 1] <= c->ia[k])
        k++;
    ck_assert_msg(k >= c->mat.nnz, "%s: %s is not by rows", a->ops->fmt, what);
}

/* --- reference products --- */

/* A compensated sum in long double: sum and lost part, the sum of moduli, and the modulus of the element of
 * y. */
struct sum {
    long double re, re_lost, im, im_lost, size, size_y;
};

/* op(A) x for COLUMNS columns, with its operands; also the first column of x and y alone. */
struct reference {
    char trans;
    psb_ipk m, n;
    T *x, *y, *x1, *y1;
    struct sum *sum;
    int *count;
};

/* Compensated summation (Neumaier, ZAMM 54, 1974). */
static void add(long double *sum, long double *lost, long double v)
{
    const long double s = *sum + v;
    *lost += fabsl(*sum) >= fabsl(v) ? (*sum - s) + v : (v - s) + *sum;
    *sum = s;
}

static void add_term(struct sum *s, T v, T x, long double size)
{
    const long double vr = RE(v), vi = IM(v), xr = RE(x), xi = IM(x);
    add(&s->re, &s->re_lost, vr * xr);
    s->size += size * (CPLX ? ABS(x) : fabsl(xr));
    if (CPLX) {
        add(&s->re, &s->re_lost, -vi * xi);
        add(&s->im, &s->im_lost, vr * xi);
        add(&s->im, &s->im_lost, vi * xr);
    }
}

static void column(psb_ipk n, const T *from, T *to)
{
    for (psb_ipk i = 0; i < n; i++)
        to[i] = from[(psb_epk)i * COLUMNS];
}

static struct reference reference(const struct X(coo_mat) *s, char trans)
{
    const int back = trans != 'N';
    struct reference o = { .trans = trans,
                           .m = back ? s->mat.ncols : s->mat.nrows,
                           .n = back ? s->mat.nrows : s->mat.ncols };
    const size_t m = (size_t)o.m, n = (size_t)o.n;
    o.x = new_zeros(n * COLUMNS, sizeof(T)), o.x1 = new_zeros(n, sizeof(T));
    o.y = new_zeros(m * COLUMNS, sizeof(T)), o.y1 = new_zeros(m, sizeof(T));
    o.sum = new_zeros(m * COLUMNS, sizeof *o.sum);
    o.count = new_zeros(m, sizeof *o.count);
    random_vector(o.n * COLUMNS, o.x, 1);
    random_vector(o.m * COLUMNS, o.y, 2);
    column(o.n, o.x, o.x1);
    column(o.m, o.y, o.y1);
    for (psb_ipk i = 0; i < o.m * COLUMNS; i++)
        o.sum[i].size_y = ABS(o.y[i]);
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        const psb_epk to = back ? s->ja[k] : s->ia[k], from = back ? s->ia[k] : s->ja[k];
        const T v = trans == 'C' ? CONJ(s->val[k]) : s->val[k];
        o.count[to]++;
        for (int c = 0; c < COLUMNS; c++)
            add_term(&o.sum[to * COLUMNS + c], v, o.x[from * COLUMNS + c], ABS(v));
    }
    return o;
}

static void reference_free(struct reference *o)
{
    free(o->x), free(o->y), free(o->x1), free(o->y1), free(o->sum), free(o->count);
}

/* Check that the k columns of `got` are alpha op(A) x + beta y within the bound of sample_product. */
static void check_product(const struct reference *o, int k, T alpha, T beta, const T *got, const char *fmt,
                          const char *what)
{
    const long double tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON : DBL_MIN * DBL_EPSILON;
    const long double size_a = ABS(alpha), size_b = ABS(beta), unit = (CPLX ? 3 : 1) * EPS;
    const long double ar = RE(alpha), ai = IM(alpha), br = RE(beta), bi = IM(beta);
    for (psb_ipk i = 0; i < o->m; i++)
        for (int c = 0; c < k; c++) {
            const struct sum *s = &o->sum[(psb_epk)i * COLUMNS + c];
            const T y = o->y[(psb_epk)i * COLUMNS + c], g = got[(psb_epk)i * k + c];
            const long double size = size_a * s->size + size_b * s->size_y;
            const long double slack = (o->count[i] + 4) * (size * unit + 4 * tiny);
            const long double re = s->re + s->re_lost, im = s->im + s->im_lost;
            const long double want_re = ar * re - ai * im + br * RE(y) - bi * IM(y),
                              want_im = ar * im + ai * re + br * IM(y) + bi * RE(y);
            if (!(fabsl(RE(g) - want_re) <= slack && fabsl(IM(g) - want_im) <= slack))
                ck_abort_msg("%s: %s, op %c: element (%d, %d) is %g %g, expected %Lg %Lg", fmt, what,
                             o->trans, i, c, (double)RE(g), (double)IM(g), want_re, want_im);
        }
}

/* --- products --- */

/* x and y on the device, k columns; `scaled`: the factor by which the values were multiplied. */
static void check_on_device(struct X(mat) *a, const struct reference *o, int k, T scaled)
{
    const T alpha = MAKE(0.7, -1.3), beta = MAKE(-0.4, 0.9);
    VECT *x = NULL, *y = NULL;
    HEAP T *got = new_zeros((size_t)o->m * (size_t)k, sizeof *got);
    OK(X(vect_bld)(&x, o->n, k, k == 1 ? o->x1 : o->x, &psb_vect_cuda));
    OK(X(vect_bld)(&y, o->m, k, k == 1 ? o->y1 : o->y, &psb_vect_cuda));
    ck_assert_int_eq(X(mat_side)(a, o->trans, x, y), PSB_DEV);
    OK(X(mat_vect_mv)(alpha, a, x, beta, y, o->trans));
    OK(X(get_vect)(y, o->m, got));
    check_product(o, k, scaled * alpha, beta, got, a->ops->fmt, "on the device");
}

/* One column. */
static void check_product_of(struct X(mat) *a, const struct reference *o)
{
    const T alpha = MAKE(0.7, -1.3), beta = MAKE(-0.4, 0.9);
    HEAP T *y = new_zeros((size_t)o->m, sizeof *y);
    memcpy(y, o->y1, (size_t)o->m * sizeof *y);
    OK(X(mat_csmv)(alpha, a, o->x1, beta, y, o->trans));
    check_product(o, 1, alpha, beta, y, a->ops->fmt, "csmv");
    if (a->on)
        check_on_device(a, o, 1, 1);
}

/* The same with NaN in y, which must not be read, and with COLUMNS columns. */
static void check_more_products(struct X(mat) *a, const struct reference *o)
{
    const T beta = MAKE(-0.4, 0.9);
    HEAP T *y = new_zeros((size_t)o->m * COLUMNS, sizeof *y);
    fill_vector(o->m, y, MAKE(NAN, NAN));
    OK(X(mat_csmv)(1, a, o->x1, 0, y, o->trans));
    check_product(o, 1, 1, 0, y, a->ops->fmt, "csmv onto NaN");
    memcpy(y, o->y, (size_t)o->m * COLUMNS * sizeof *y);
    OK(X(mat_csmm)(-1, a, COLUMNS, o->x, beta, y, o->trans));
    check_product(o, COLUMNS, -1, beta, y, a->ops->fmt, "csmm");
    if (a->on)
        check_on_device(a, o, COLUMNS, 1);
}

/* --- other operations --- */

/* Compare the diagonal with that of s, where it has no duplicates. */
static void check_diagonal(struct X(mat) *a, const struct X(coo_mat) *s)
{
    const psb_ipk n = a->nrows < a->ncols ? a->nrows : a->ncols;
    HEAP T *d = new_zeros((size_t)n, sizeof *d), *want = new_zeros((size_t)n, sizeof *want);
    HEAP int *times = new_zeros((size_t)n, sizeof *times);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (s->ia[k] == s->ja[k]) {
            want[s->ia[k]] = s->val[k];
            times[s->ia[k]]++;
        }
    fill_vector(n, d, MAKE(NAN, NAN));
    OK(X(mat_get_diag)(a, d));
    psb_ipk i = 0;
    while (i < n && (times[i] > 1 || d[i] == want[i]))
        i++;
    ck_assert_msg(i == n, "%s: diagonal element %d", a->ops->fmt, i);
}

static void check_csr(struct X(mat) *a, const struct X(coo_mat) *s)
{
    MAT *csr = NULL;
    OK(X(mat_convert)(a, &X(csr_mold).mat, &csr));
    check_equal(csr, s, "what it became");
}

/* A clone keeps its values when those of a change, on the device too. */
static void check_scaled(struct X(mat) *a, const struct X(coo_mat) *s, const struct reference o[3])
{
    const T two = -2; /* exact */
    MAT *copy = NULL;
    OK(X(mat_clone)(a, &copy));
    OK(X(mat_scal)(a, two));
    ck_assert_ptr_eq(copy->ops, a->ops);
    check_equal(copy, s, "the copy");
    for (int t = 0; t < 2; t++) {
        HEAP T *y = new_zeros((size_t)o[t].m, sizeof *y);
        OK(X(mat_csmv)(1, a, o[t].x1, 0, y, op_codes[t]));
        check_product(&o[t], 1, two, 0, y, a->ops->fmt, "csmv of other values");
        if (a->on)
            check_on_device(a, &o[t], 1, two);
    }
}

/* s, sorted, in format f; NULL if the format refuses it. */
static struct X(mat) *convert_sorted(struct X(coo_mat) *s, const struct X(coo_mat) *kept, int f)
{
    struct X(mat) *a = NULL;
    psb_err e = X(mat_convert)(&s->mat, X(mat_format)(f), &a);
    ck_assert_msg(identical(s, kept), "%s: the source changed", X(mat_format)(f)->ops->fmt);
    if (e == PSB_EPADDING) {
        ck_assert_ptr_null(a);
        ck_assert_ptr_nonnull(strstr(psb_errmsg(), X(mat_format)(f)->ops->fmt));
        ck_assert_ptr_nonnull(strstr(psb_errmsg(), "bytes"));
        refused[f]++;
        return NULL;
    }
    OK(e);
    held++;
    check_equal(a, kept, "the matrix");
    return a;
}

/* NaN and infinities are stored like other values. */
static void check_nonfinite(struct X(coo_mat) *s)
{
    MAT *kept = NULL;
    OK(X(mat_clone)(&s->mat, &kept));
    for (int f = 0; X(mat_format)(f); f++)
        X(mat_free)(convert_sorted(s, (struct X(coo_mat) *)kept, f));
}

static void check_all(struct X(coo_mat) *s)
{
    MAT *kept = NULL;
    struct reference o[3];
    OK(X(mat_clone)(&s->mat, &kept));
    for (int t = 0; t < 3; t++)
        o[t] = reference(s, op_codes[t]);
    for (int f = 0; X(mat_format)(f); f++) {
        MAT *a = convert_sorted(s, (struct X(coo_mat) *)kept, f);
        if (!a)
            continue;
        check_diagonal(a, s);
        for (int t = 0; t < 3; t++)
            check_product_of(a, &o[t]);
        if (s->mat.nnz <= (SANITIZED ? SLOW : VAST) || wants_all()) {
            for (int t = 0; t < (CPLX ? 3 : 2); t++) /* 'C' is 'T' for real matrices */
                check_more_products(a, &o[t]);
            check_csr(a, s);
            check_scaled(a, s, o);
        }
    }
    for (int t = 0; t < 3; t++)
        reference_free(&o[t]);
}

TEST(formats_hold_a_published_matrix)
{
    struct X(coo_mat) *s = read_file(_i);
    MAT *ordered = NULL;
    OK(X(mat_convert)(&s->mat, &X(coo_mold).mat, &ordered));
    struct X(coo_mat) *c = (struct X(coo_mat) *)ordered;
    ck_assert(X(coo_ordered)(c) && same_entries(c, s));
    X(mat_free)(&s->mat);
    psb_epk strange = 0;
    for (psb_epk k = 0; k < c->mat.nnz; k++)
        strange += !is_finite(c->val[k]);
    if (strange)
        check_nonfinite(c);
    ck_assert_int_eq(make_finite(c), strange);
    check_all(c);
}

/* --- choice of matrices --- */

/* Return whether this scalar type tests large matrix number i, and increment i. */
static int is_mine(psb_epk nnz, int *i)
{
    const int turn = nnz > LARGE ? (*i)++ % 4 : 0;
    return nnz <= LARGE || (!SANITIZED && "sdcz"[turn] == LETTER) || wants_all();
}

/* List the files of a folder; return 0 if there is none. */
static int list_files(const char *folder)
{
    static char line[MATRIX_INDEX_LINE];
    char *col[7];
    int large = 0, turn = 0;
    FILE *f = matrix_index_open(folder);
    while (f && nfiles < FILES && matrix_index_row(f, line, 7, col)) {
        if (!is_mine(atoll(col[5]), &large) || turn++ % ck_step(FILES) != 0)
            continue;
        snprintf(file[nfiles].path, sizeof file->path, "%s/%s/%s", matrix_index_folder(), folder, col[0]);
        file[nfiles++].has_im = strcmp(col[6], "complex") == 0;
    }
    if (f)
        fclose(f);
    return f != NULL;
}

static void report(void)
{
    int n = 0;
    for (int f = 0; X(mat_format)(f); f++)
        n += refused[f];
    printf("%d matrices, held in a format %d times, refused %d times:", nfiles, held, n);
    for (int f = 0; X(mat_format)(f); f++)
        if (refused[f])
            printf(" %s %d", X(mat_format)(f)->ops->fmt, refused[f]);
    printf("\n");
}

static Suite *open_matrices(void)
{
    Suite *s = suite_create("open matrices");
    TCase *c = ck_tcase(s, "contract");
    tcase_add_unchecked_fixture(c, NULL, report);
    ck_add_loop_tests(c, nfiles, formats_hold_a_published_matrix);
    return s;
}

int check_open(void)
{
    int found = list_files("small");
#ifdef HAVE_LZMA
    found = found && list_files("large");
#endif
    return found ? run_suite(0, open_matrices) : SKIPPED;
}
