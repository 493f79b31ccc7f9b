/* check_mm.c -- test: Matrix Market files: valid files, dense matrices. */
#include "config.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_mm.h"

char mm_path[] = "check_mm_XXXXXX";

int suite_with_file(char *path, Suite *(*make)(void))
{
    int fd = mkstemp(path);
    if (fd < 0) {
        perror(path);
        return EXIT_FAILURE;
    }
    close(fd);
    const int failed = ck_run(make());
    unlink(path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

void write_mm_text(const void *bytes, size_t n)
{
    FILE *f = fopen(mm_path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static int same(T a, T b)
{
    return (RE(a) == RE(b) || (isnan(RE(a)) && isnan(RE(b)))) &&
           (IM(a) == IM(b) || (isnan(IM(a)) && isnan(IM(b))));
}

void check_mm_refused(const char *file, psb_err code, const char *line, const char *words)
{
    struct X(triplets) t = { .nnz = -7 };
    psb_clean_errstack();
    ck_assert_msg(X(mm_read)(file, NULL, NULL, &t) == code, "%s: not refused as expected: %s", file,
                  psb_errmsg());
    ck_assert_msg(strstr(psb_errmsg(), line) && strstr(psb_errmsg(), words), "no '%s' and '%s' in: %s", line,
                  words, psb_errmsg());
    ck_assert_msg(strstr(psb_errmsg(), file) != NULL, "no '%s' in: %s", file, psb_errmsg());
    ck_assert_int_eq(t.nnz, -7);
    psb_pop_errmsg(NULL, 0);
    ck_assert_str_eq(psb_errmsg(), "");
}

/* --- valid files --- */

/* Files, and the entries that are read, as "row column value" or "row column real imaginary". */
static const struct {
    const char *text;
    psb_lpk m, n;
    const char *entries;
} good[] = {
    { REAL_COO "2 3 2\n2 3 1.5\n1 1 -2\n", 2, 3, "1 2 1.5, 0 0 -2" },
    { "%%matrixmarket MATRIX Coordinate DOUBLE General\n1 1 1\n1 1 7\n", 1, 1, "0 0 7" },
    { "%%MatrixMarket\tmatrix  coordinate\v\freal general \r\n%c\r\n\r\n 1\t1 1 \r\n%d\r\n\t1 1 7\t\r\n\r\n",
      1, 1, "0 0 7" },
    { "%%MatrixMarket matrix coordinate real general\r%c\r1 2 2\r1 1 1\r%x\r1 2 2", 1, 2, "0 0 1, 0 1 2" },
    { REAL_COO "2 2 3\n1 2 1\n1 2 2\n1 2 1\n", 2, 2, "0 1 1, 0 1 2, 0 1 1" },
    { REAL_COO "1 5 5\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n1 4 +INF\n1 5 -nan\n", 1, 5,
      "0 0 inf, 0 1 -inf, 0 2 nan, 0 3 inf, 0 4 nan" },
    { REAL_COO "1 5 5\n1 1 .5\n1 2 2.\n1 3 +1e-1\n1 4 1e-9999\n1 5 000000000000000000000000.25E+0001\n", 1, 5,
      "0 0 .5, 0 1 2, 0 2 .1, 0 3 0, 0 4 2.5" },
    { REAL_COO "0 0 0", 0, 0, "" },
    { REAL_COO "9223372036854775807 9223372036854775807 1\n9223372036854775807 0000000000000000000001 3\n",
      INT64_MAX, INT64_MAX, "9223372036854775806 0 3" },
    { INTEGER_COO "1 3 3\n1 1 -7\n1 2 9223372036854775807\n1 3 19223372036854775808\n", 1, 3,
      "0 0 -7, 0 1 9223372036854775807, 0 2 19223372036854775808" },
    { "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", 2, 2, "0 0 1, 1 0 1, 0 1 1" },
    { "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 3 4\n1 2 5\n", 3, 3,
      "0 2 4, 2 0 4, 0 1 5, 1 0 5" },
    { "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 4\n2 2 0\n", 2, 2,
      "1 0 4, 0 1 -4, 1 1 0" },
    { ARRAY "2 2\n1\n2\n% half\n\n3\n4\n", 2, 2, "0 0 1, 1 0 2, 0 1 3, 1 1 4" },
    { "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", 2, 2, "0 0 1, 1 0 2, 0 1 2, 1 1 3" },
    { "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3,
      "1 0 1, 0 1 -1, 2 0 2, 0 2 -2, 2 1 3, 1 2 -3" },
    { ARRAY "0 9223372036854775807\n", 0, INT64_MAX, "" },
    { COMPLEX_COO "1 1 1\n1 1 1.5 -2\n", 1, 1, "0 0 1.5 -2" },
    { "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n", 2, 2,
      "0 0 3 0, 1 0 1 2, 0 1 1 -2" },
    { "%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 1 2\n", 2, 2,
      "1 0 1 2, 0 1 -1 -2" },
};

void check_mm_entries(const struct X(triplets) *t, psb_lpk m, psb_lpk n, const char *entries)
{
    psb_epk k = 0;
    ck_assert_msg(t->m == m && t->n == n, "%d x %d, expected %d x %d", (int)t->m, (int)t->n, (int)m, (int)n);
    for (char *p = (char *)entries; *p; k++) {
        const psb_lpk i = strtoll(p, &p, 10), j = strtoll(p, &p, 10);
        const double re = strtod(p, &p), im = *p == ' ' ? strtod(p, &p) : 0;
        ck_assert_msg(k < t->nnz && t->ia[k] == i && t->ja[k] == j && same(t->val[k], MAKE(re, im)),
                      "entry %d of \"%s\"", (int)k, entries);
        p += strspn(p, ", ");
    }
    ck_assert_int_eq(t->nnz, k);
}

TEST(good_files)
{
    struct X(triplets) t;
    write_mm_text(good[_i].text, strlen(good[_i].text));
    if (!CPLX && strstr(good[_i].text, "complex")) {
        check_mm_refused(mm_path, PSB_EARG, ":1:", "complex");
        return;
    }
    ck_assert_msg(X(mm_read)(mm_path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    check_mm_entries(&t, good[_i].m, good[_i].n, good[_i].entries);
    X(triplets_free)(&t);
    ck_assert_ptr_null(t.val);
}

TEST(header_only)
{
    static const char text[] = "%%MatrixMarket matrix array complex hermitian\n% c\n3 3\nrubbish\n";
    struct psb_mm_header a = { .m = -1 };
    write_mm_text("rubbish", 7);
    ck_assert_int_eq(psb_mm_info(mm_path, &a), PSB_EIO);
    ck_assert_int_eq(a.m, -1);
    write_mm_text(text, strlen(text));
    ck_assert_int_eq(psb_mm_info(mm_path, &a), PSB_OK);
    ck_assert(a.m == 3 && a.n == 3 && a.stored == 6 && a.array);
    ck_assert(a.field == PSB_MM_COMPLEX && a.symmetry == PSB_MM_HERMITIAN);
}

/* --- dense matrices --- */

TEST(write_and_read)
{
    R third = (R)1 / 3, tiny = (R)(sizeof(R) == sizeof(float) ? 1e-45 : 5e-324);
    T a[] = { MAKE(third, -third), MAKE(-0.0, tiny),     MAKE(TMAX, -TMAX),
              MAKE(INFINITY, NAN), MAKE(NAN, -INFINITY), MAKE(0, -0.0) };
    PSB_HEAP T *b = NULL;
    psb_lpk m, n;
    ck_assert_int_eq(X(mm_write_array)(mm_path, 2, 3, a), PSB_OK);
    ck_assert_msg(X(mm_read_array)(mm_path, &m, &n, &b) == PSB_OK, "%s", psb_errmsg());
    ck_assert_int_eq(m, 2);
    ck_assert_int_eq(n, 3);
    for (int k = 0; k < 6; k++)
        ck_assert(same(a[k], b[k]) && !signbit(RE(a[k])) == !signbit(RE(b[k])));
}

TEST(coordinates_into_a_dense_matrix)
{
    static const char text[] = REAL_COO "2 2 3\n2 1 1\n1 2 4\n2 1 2\n";
    PSB_HEAP T *b = NULL;
    psb_lpk m, n;
    write_mm_text(text, strlen(text));
    ck_assert_int_eq(X(mm_read_array)(mm_path, &m, &n, &b), PSB_OK);
    ck_assert(m == 2 && n == 2 && b[0] == 0 && b[1] == 3 && b[2] == 4 && b[3] == 0);
}

static Suite *matrix_market(void)
{
    Suite *s = suite_create("Matrix Market");
    TCase *c = ck_tcase(s, "files");
    add_mm_invalid_files(c);
    ck_add_loop_tests(c, sizeof good / sizeof *good, good_files);
    ck_add_tests(c, header_only);
    add_mm_numbers(c);
    ck_add_tests(c, write_and_read, coordinates_into_a_dense_matrix);
    add_mm_wrong_calls(c);
    add_mm_long_files(c);
    add_mm_published_files(c);
    return s;
}

int check_mm(void)
{
    return suite_with_file(mm_path, matrix_market);
}
