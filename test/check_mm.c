/* check_mm.c -- room: test.  Matrix Market files, valid and invalid. */
#include "suites.h"
#include "config.h"
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "number.h"
#include "psb_alloc.h"
#include "psb_util.h"
#include "ck.h"
#include "matrix_index.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#include "psb_type.h"

#define REAL_COO    "%%MatrixMarket matrix coordinate real general\n"
#define COMPLEX_COO "%%MatrixMarket matrix coordinate complex general\n"

enum { PATH = MATRIX_INDEX_PATH, LINE = MATRIX_INDEX_LINE };

static char path[] = "check_mm_XXXXXX"; /* the file that the tests write */

static void make_file(void)
{
    int fd = mkstemp(path);
    if (fd < 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    close(fd);
}

static void write_text(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static int same(T a, T b)
{
    return (RE(a) == RE(b) || (isnan(RE(a)) && isnan(RE(b)))) &&
           (IM(a) == IM(b) || (isnan(IM(a)) && isnan(IM(b))));
}

/* Reading `file` fails with a message that contains `line` and all the words; nothing is stored. */
static void check_refused(const char *file, psb_err code, const char *line, const char *words)
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

/* --- invalid files --- */

static const struct {
    const char *text, *line, *words;
} bad[] = {
    { "", ":1:", "empty" },
    { "3 3 0\n", ":1:", "banner" },
    { "%MatrixMarket matrix coordinate real general\n1 1 0\n", ":1:", "banner" },
    { "%%MatrixMarketmatrix coordinate real general\n1 1 0\n", ":1:", "banner" },
    { "\n" REAL_COO "1 1 0\n", ":1:", "banner" },
    { "%%MatrixMarket tensor coordinate real general\n1 1 0\n", ":1:", "object 'tensor'" },
    { "%%MatrixMarket matrix ellpack real general\n1 1 0\n", ":1:", "format 'ellpack'" },
    { "%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", ":1:", "field 'quaternion'" },
    { "%%MatrixMarket matrix coordinate realgeneral\n1 1 0\n", ":1:", "field 'realgeneral'" },
    { "%%MatrixMarket matrix coordinate real spd\n1 1 0\n", ":1:", "symmetry 'spd'" },
    { "%%MatrixMarket matrix coordinate real skew\rsymmetric\n1 1 0\n", ":1:", "symmetry 'skew'" },
    { "%%MatrixMarket matrix coordinate real\n1 1 0\n", ":1:", "symmetry (end of line)" },
    { "%%MatrixMarket matrix coordinate real general symmetric\n1 1 0\n", ":1:", "'symmetric'" },
    { "%%MatrixMarket matrix array pattern general\n1 1\n1\n", ":1:", "pattern" },
    { "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", ":1:", "pattern" },
    { "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", ":1:", "hermitian" },
    { REAL_COO, ":1:", "size line" },
    { REAL_COO "% nothing\n\n", ":3:", "size line" },
    { REAL_COO "3 3\n", ":2:", "number of entries (end of line)" },
    { REAL_COO "3 3 1 1\n", ":2:", "unexpected '1'" },
    { REAL_COO " % no comment\n3 3 0\n", ":2:", "number of rows '%'" },
    { REAL_COO "3.0 3 0\n", ":2:", "number of rows '3.0'" },
    { REAL_COO "3 -3 0\n", ":2:", "number of columns -3 is negative" },
    { REAL_COO "3 3 -1\n", ":2:", "number of entries -1 is negative" },
    { REAL_COO "9223372036854775808 1 0\n", ":2:", "64 bits" },
    { REAL_COO "1 19223372036854775808 0\n", ":2:", "64 bits" },
    { "%%MatrixMarket matrix array real general\n4294967296 2147483648\n", ":2:", "2^63" },
    { "%%MatrixMarket matrix array real general\n2 2 4\n1\n1\n1\n1\n", ":2:", "unexpected '4'" },
    { "%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", ":2:", "not square" },
    { "%%MatrixMarket matrix array real skew-symmetric\n2 3\n", ":2:", "not square" },
    { REAL_COO "2 2 1\n0 1 1\n", ":3:", "row index 0 is out of range 1..2" },
    { REAL_COO "2 2 1\n1 3 1\n", ":3:", "column index 3 is out of range 1..2" },
    { REAL_COO "2 2 1\n-1 2 1\n", ":3:", "row index -1 is out of range" },
    { REAL_COO "0 2 1\n1 1 1\n", ":3:", "out of range 1..0" },
    { REAL_COO "2 2 1\n1 1e0 1\n", ":3:", "column index '1e0'" },
    { REAL_COO "2 2 1\n1,1,1\n", ":3:", "row index '1,1,1'" },
    { REAL_COO "2 2 1\n1 99999999999999999999 1\n", ":3:", "64 bits" },
    { REAL_COO "2 2 1\n1 1\n", ":3:", "value (end of line)" },
    { REAL_COO "2 2 1\n1 1 1 1\n", ":3:", "unexpected '1'" },
    { REAL_COO "2 2 1\n1 1 1 % one\n", ":3:", "unexpected '%'" },
    { REAL_COO "2 2 1\n1 1 1.5x\n", ":3:", "value '1.5x'" },
    { REAL_COO "2 2 1\n1 1 .\n", ":3:", "value '.'" },
    { REAL_COO "2 2 1\n1 1 1e\n", ":3:", "value '1e'" },
    { REAL_COO "2 2 1\n1 1 --1\n", ":3:", "value '--1'" },
    { REAL_COO "2 2 1\n1 1 1,5\n", ":3:", "value '1,5'" },
    { REAL_COO "2 2 1\n1 1 1D0\n", ":3:", "value '1D0'" },
    { REAL_COO "2 2 1\n1 1 0x1p3\n", ":3:", "value '0x1p3'" },
    { REAL_COO "2 2 1\n1 1 nan(1)\n", ":3:", "value 'nan(1)'" },
    { REAL_COO "2 2 1\n1 1 infinit\n", ":3:", "value 'infinit'" },
    { REAL_COO "2 2 1\n1 1 1E310\n", ":3:", "value '1E310' is beyond the range" },
    { REAL_COO "2 2 1\n1 1 -1e99999999999\n", ":3:", "beyond the range" },
    { "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.0\n",
      ":3:", "'1.0' is not an integer" },
    { "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1e2\n",
      ":3:", "'1e2' is not an integer" },
    { "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 inf\n",
      ":3:", "'inf' is not an integer" },
    { "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", ":3:", "unexpected '1'" },
    { REAL_COO "2 2 2\n1 1 1\n\n% end\n", ":5:", "declared 2 entries, found 1" },
    { REAL_COO "9 9 1000000000000000\n1 1 1\n2 2 2", ":4:", "declared 1000000000000000 entries, found 2" },
    { REAL_COO "9 9 9223372036854775807\n", ":2:", "declared 9223372036854775807 entries, found 0" },
    { REAL_COO "2 2 1\n1 1 1\n\n2 2 1\n", ":5:", "declared 1 entries, found more" },
    { REAL_COO "2 2 0\r1 1 1\r", ":3:", "declared 0 entries, found more" },
    { "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", ":5:", "declared 4 entries, found 3" },
    { "%%MatrixMarket matrix array real general\n3000000000 3000000000\n1\n",
      ":3:", "declared 9000000000000000000 entries, found 1" },
    { "%%MatrixMarket matrix array real general\n1 2\n1 2\n", ":3:", "unexpected '2'" },
    { "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n", ":4:", "triangle" },
    { "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", ":3:", "diagonal entry 2" },
};

START_TEST(bad_files)
    {
        write_text(bad[_i].text, strlen(bad[_i].text));
        check_refused(path, PSB_EIO, bad[_i].line, bad[_i].words);
    }
END_TEST

START_TEST(bad_complex_files)
    {
        static const char hermitian[] =
            "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 1\n";
        static const char short_of[] = COMPLEX_COO "2 2 1\n2 2 1\n";
        write_text(hermitian, strlen(hermitian));
        check_refused(path, CPLX ? PSB_EIO : PSB_EARG, CPLX ? ":3:" : ":1:", CPLX ? "not real" : "complex");
        write_text(short_of, strlen(short_of));
        check_refused(path, CPLX ? PSB_EIO : PSB_EARG,
                      CPLX ? ":3:" : ":1:", CPLX ? "(end of line)" : "complex");
    }
END_TEST

START_TEST(nul_bytes)
    {
        static const char entry[] = REAL_COO "1 1 1\n1 1 1\0\n", comment[] = REAL_COO "1 1 1\n%\0\n1 1 1\n";
        write_text(entry, sizeof entry - 1);
        check_refused(path, PSB_EIO, ":3:", "not a number");
        write_text(comment, sizeof comment - 1);
        check_refused(path, PSB_EIO, ":3:", "NUL");
    }
END_TEST

START_TEST(not_a_file)
    {
        check_refused("no/such/file.mtx", PSB_EIO, "", "opened");
        check_refused(".", PSB_EIO, "", "");
        struct X(triplets) t;
        ck_assert_int_eq(X(mm_read)(NULL, NULL, NULL, &t), PSB_EARG);
        ck_assert_int_eq(X(mm_read)(path, NULL, NULL, NULL), PSB_EARG);
    }
END_TEST

START_TEST(endless_line)
    {
        size_t n = 1 << 20;
        char *text = malloc(n);
        ck_assert_ptr_nonnull(text);
        memset(text, '%', n);
        memcpy(text, REAL_COO, strlen(REAL_COO));
        write_text(text, n);
        check_refused(path, PSB_EIO, ":2:", "characters");
        free(text);
    }
END_TEST

/* A CR LF that is split between two blocks of the reader's buffer counts as one line end. */
START_TEST(crlf_across_two_blocks)
    {
        enum { BLOCK = 1 << 18 };
        static const char head[] = REAL_COO "1 1 1\n", tail[] = "\r\n9 1 1\n";
        static char text[BLOCK + sizeof tail];
        memset(text, '%', sizeof text);
        memcpy(text, head, strlen(head));
        memcpy(text + BLOCK - 1, tail, strlen(tail));
        write_text(text, BLOCK - 1 + strlen(tail));
        check_refused(path, PSB_EIO, ":4:", "row index 9");
    }
END_TEST

/* --- valid files --- */

static const struct {
    const char *text;
    psb_lpk m, n;
    psb_epk nnz;
    psb_lpk ia[6], ja[6];
    double re[6], im[6];
} good[] = {
    { REAL_COO "2 3 2\n2 3 1.5\n1 1 -2\n", 2, 3, 2, { 1, 0 }, { 2, 0 }, .re = { 1.5, -2 } },
    { "%%matrixmarket MATRIX Coordinate DOUBLE General\n1 1 1\n1 1 7\n", 1, 1, 1, { 0 }, { 0 }, .re = { 7 } },
    { "%%MatrixMarket\tmatrix  coordinate\v\freal general \r\n%c\r\n\r\n 1\t1 1 \r\n%d\r\n\t1 1 7\t\r\n\r\n",
      1,
      1,
      1,
      { 0 },
      { 0 },
      .re = { 7 } },
    { "%%MatrixMarket matrix coordinate real general\r%c\r1 2 2\r1 1 1\r%x\r1 2 2",
      1,
      2,
      2,
      { 0, 0 },
      { 0, 1 },
      .re = { 1, 2 } },
    { REAL_COO "2 2 3\n1 2 1\n1 2 2\n1 2 1\n", 2, 2, 3, { 0, 0, 0 }, { 1, 1, 1 }, .re = { 1, 2, 1 } },
    { REAL_COO "1 5 5\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n1 4 +INF\n1 5 -nan\n",
      1,
      5,
      5,
      { 0 },
      { 0, 1, 2, 3, 4 },
      .re = { INFINITY, -INFINITY, NAN, INFINITY, NAN } },
    { REAL_COO "1 5 5\n1 1 .5\n1 2 2.\n1 3 +1e-1\n1 4 1e-9999\n1 5 000000000000000000000000.25E+0001\n",
      1,
      5,
      5,
      { 0 },
      { 0, 1, 2, 3, 4 },
      .re = { .5, 2, .1, 0, 2.5 } },
    { REAL_COO "0 0 0", 0, 0, 0, { 0 }, { 0 }, .re = { 0 } },
    { REAL_COO "9223372036854775807 9223372036854775807 1\n9223372036854775807 0000000000000000000001 3\n",
      INT64_MAX,
      INT64_MAX,
      1,
      { INT64_MAX - 1 },
      { 0 },
      .re = { 3 } },
    { "%%MatrixMarket matrix coordinate integer general\n1 3 3\n1 1 -7\n1 2 9223372036854775807\n1 3 "
      "19223372036854775808\n",
      1,
      3,
      3,
      { 0 },
      { 0, 1, 2 },
      .re = { -7, 9223372036854775807., 19223372036854775808. } },
    { "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
      2,
      2,
      3,
      { 0, 1, 0 },
      { 0, 0, 1 },
      .re = { 1, 1, 1 } },
    { "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 3 4\n1 2 5\n",
      3,
      3,
      4,
      { 0, 2, 0, 1 },
      { 2, 0, 1, 0 },
      .re = { 4, 4, 5, 5 } },
    { "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 4\n2 2 0\n",
      2,
      2,
      3,
      { 1, 0, 1 },
      { 0, 1, 1 },
      .re = { 4, -4, 0 } },
    { "%%MatrixMarket matrix array real general\n2 2\n1\n2\n% half\n\n3\n4\n",
      2,
      2,
      4,
      { 0, 1, 0, 1 },
      { 0, 0, 1, 1 },
      .re = { 1, 2, 3, 4 } },
    { "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
      2,
      2,
      4,
      { 0, 1, 0, 1 },
      { 0, 0, 1, 1 },
      .re = { 1, 2, 2, 3 } },
    { "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
      3,
      3,
      6,
      { 1, 0, 2, 0, 2, 1 },
      { 0, 1, 0, 2, 1, 2 },
      .re = { 1, -1, 2, -2, 3, -3 } },
    { "%%MatrixMarket matrix array real general\n0 9223372036854775807\n",
      0,
      INT64_MAX,
      0,
      { 0 },
      { 0 },
      .re = { 0 } },
    { COMPLEX_COO "1 1 1\n1 1 1.5 -2\n", 1, 1, 1, { 0 }, { 0 }, .re = { 1.5 }, .im = { -2 } },
    { "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n",
      2,
      2,
      3,
      { 0, 1, 0 },
      { 0, 0, 1 },
      .re = { 3, 1, 1 },
      .im = { 0, 2, -2 } },
    { "%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 1 2\n",
      2,
      2,
      2,
      { 1, 0 },
      { 0, 1 },
      .re = { 1, -1 },
      .im = { 2, -2 } },
};

START_TEST(good_files)
    {
        struct X(triplets) t;
        write_text(good[_i].text, strlen(good[_i].text));
        if (!CPLX && strstr(good[_i].text, "complex")) {
            check_refused(path, PSB_EARG, ":1:", "complex");
            return;
        }
        ck_assert_msg(X(mm_read)(path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
        ck_assert_int_eq(t.m, good[_i].m);
        ck_assert_int_eq(t.n, good[_i].n);
        ck_assert_int_eq(t.nnz, good[_i].nnz);
        for (psb_epk k = 0; k < t.nnz; k++) {
            ck_assert_int_eq(t.ia[k], good[_i].ia[k]);
            ck_assert_int_eq(t.ja[k], good[_i].ja[k]);
            ck_assert(same(t.val[k], MAKE(good[_i].re[k], good[_i].im[k])));
        }
        X(triplets_free)(&t);
        ck_assert_ptr_null(t.val);
    }
END_TEST

START_TEST(header_only)
    {
        static const char text[] = "%%MatrixMarket matrix array complex hermitian\n% c\n3 3\nrubbish\n";
        struct psb_mm_info a = { .m = -1 };
        write_text("rubbish", 7);
        ck_assert_int_eq(psb_mm_info(path, &a), PSB_EIO);
        ck_assert_int_eq(a.m, -1);
        write_text(text, strlen(text));
        ck_assert_int_eq(psb_mm_info(path, &a), PSB_OK);
        ck_assert(a.m == 3 && a.n == 3 && a.stored == 6 && a.array);
        ck_assert(a.field == PSB_MM_COMPLEX && a.symmetry == PSB_MM_HERMITIAN);
    }
END_TEST

/* --- numbers --- */

/* Read `text` as the only value of a file. */
static R read_number(const char *text)
{
    char file[1024];
    struct X(triplets) t;
    write_text(file, (size_t)snprintf(file, sizeof file, "%s1 1 1\n1 1 %s\n", REAL_COO, text));
    ck_assert_msg(X(mm_read)(path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    R x = RE(t.val[0]);
    X(triplets_free)(&t);
    return x;
}

static R from_text(const char *text)
{
    return sizeof(R) == sizeof(float) ? (R)strtof(text, NULL) : (R)strtod(text, NULL);
}

/* Ties and near ties, extreme values, more digits than fit a word. */
static const char *const hard[] = {
    "6216664018645886904e9",
    "9465886899244484902e-9",
    "9319885395704200384e-27",
    "8262302278424706577e9",
    "9893821317774609270e-27",
    "9007199254740993",
    "9007199254740992.99999999999999999999",
    "9007199254740993.00000000000000000001",
    "16777217",
    "16777217.0000000000000001",
    "1.00000005960464477539062500000001",
    "1.000000059604644775390625",
    "1.0000000596046447",
    "1.1754943508222875e-38",
    "7.0064923216240854e-46",
    "2.2250738585072011e-308",
    "4.9406564584124654e-324",
    "2.4703282292062328e-324",
    "3.4028234663852886e38",
    "0.1",
    "1e22",
    "1e23",
    "8.5899345920000005e9",
    "12345678901234567e-27",
    "18446744073709551615e18",
    "9999999999999999999e-27",
    "1e-27",
    "1e27",
    "6.02214076e23",
    "-0.0",
    "123456789012345678901234567890",
    "0.000000000000000000000000000000000000012345678901234567",
};

START_TEST(rounding_of_hard_numbers)
    {
        R x = read_number(hard[_i]), y = from_text(hard[_i]);
        ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s read as %.17g, not %.17g", hard[_i], (double)x,
                      (double)y);
    }
END_TEST

/* Many numbers of 1 to 20 digits in one file, compared with the C library. */
START_TEST(rounding_of_many_numbers)
    {
        enum { N = 20000 };
        static char text[N][48];
        uint64_t seed = 88172645463325252U;
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fprintf(f, "%s1 %d %d\n", REAL_COO, N, N);
        for (int k = 0; k < N; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            uint64_t digits = seed >> (k % 64);
            snprintf(text[k], sizeof text[k], "%s%" PRIu64 ".%" PRIu64 "e%d", k & 1 ? "-" : "", digits / 1000,
                     digits % 1000, (int)(seed % 59) - 40);
            fprintf(f, "1 %d %s\n", k + 1, text[k]);
        }
        ck_assert_int_eq(fclose(f), 0);

        struct X(triplets) t;
        ck_assert_msg(X(mm_read)(path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
        for (int k = 0; k < N; k++)
            ck_assert_msg(RE(t.val[k]) == from_text(text[k]), "%s", text[k]);
        X(triplets_free)(&t);
    }
END_TEST

/* The parser of numbers alone on a million strings, compared with the C library: up to 40 digits, near ties
 * of both precisions, subnormal and huge numbers. */
START_TEST(rounding_of_a_million_numbers)
    {
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        uint64_t seed = 2463534242U + (uint64_t)_i;
        ck_assert(c != (locale_t)0);
        for (int k = 0; k < 250000; k++) {
            char text[80] = "";
            double x;
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            int e = (int)(seed % 90) - 55, digits = 6 + (int)(seed >> 8) % 34;
            memcpy(&x, &seed, sizeof x);
            if (_i == 0) /* any double */
                snprintf(text, sizeof text, "%.*e", digits % 22, isfinite(x) ? x : 0);
            else if (_i == 1) /* halfway between two floats, with a digit more or less */
                snprintf(text, sizeof text, "%.*e", digits,
                         ldexp((double)(seed >> 40) + 0.5, e) * (k % 3 ? 1 : 1 + DBL_EPSILON));
            else if (_i == 2) /* close to the midpoint of two doubles */
                snprintf(text, sizeof text, "%" PRIu64 "5e%d", (seed >> 10) | 1, e);
            else
                snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64 "e%d", seed >> (k % 64), seed * 3, e);
            R got;
            const char *p = text;
            enum psb_scan found = _Generic((R)0, float
                                           : psb_scan_float, double
                                           : psb_scan_double)(&p, c, &got);
            R want = from_text(text);
            ck_assert_msg(!*p && (found == PSB_SCAN_OK) == !isinf(want), "%s", text);
            ck_assert_msg(memcmp(&got, &want, sizeof got) == 0, "%s", text);
        }
        freelocale(c);
    }
END_TEST

START_TEST(overflow_of_the_scalar)
    {
        char file[256];
        int is_float = sizeof(R) == sizeof(float);
        const char *just_fits = is_float ? "3.40282356e38" : "1.797693134862315807e308";
        const char *too_much = is_float ? "3.4028236e38" : "1.7976931348623159e308";
        ck_assert(read_number(just_fits) == TMAX);
        write_text(file, (size_t)snprintf(file, sizeof file, "%s1 1 1\n1 1 -%s\n", REAL_COO, too_much));
        check_refused(path, PSB_EIO, ":3:", too_much);
    }
END_TEST

START_TEST(any_locale)
    {
        static const char *const commas[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "it_IT.UTF-8" };
        int k = 0;
        while (k < 4 && !setlocale(LC_NUMERIC, commas[k]))
            k++;
        if (k == 4) {
            printf("skipped: no locale with a decimal comma\n");
            return;
        }
        T x = MAKE(1.5, 0), *y;
        psb_lpk m, n;
        ck_assert(read_number("1.25000000000000000000000000000") == (R)1.25);
        ck_assert_int_eq(X(mm_write_array)(path, 1, 1, &x), PSB_OK);
        ck_assert_int_eq(X(mm_read_array)(path, &m, &n, &y), PSB_OK);
        ck_assert(y[0] == x);
        psb_free(y);
    }
END_TEST

/* --- dense matrices --- */

START_TEST(write_and_read)
    {
        R third = (R)1 / 3, tiny = (R)(sizeof(R) == sizeof(float) ? 1e-45 : 5e-324);
        T a[] = { MAKE(third, -third), MAKE(-0.0, tiny),     MAKE(TMAX, -TMAX),
                  MAKE(INFINITY, NAN), MAKE(NAN, -INFINITY), MAKE(0, -0.0) };
        T *b;
        psb_lpk m, n;
        ck_assert_int_eq(X(mm_write_array)(path, 2, 3, a), PSB_OK);
        ck_assert_msg(X(mm_read_array)(path, &m, &n, &b) == PSB_OK, "%s", psb_errmsg());
        ck_assert_int_eq(m, 2);
        ck_assert_int_eq(n, 3);
        for (int k = 0; k < 6; k++)
            ck_assert(same(a[k], b[k]) && !signbit(RE(a[k])) == !signbit(RE(b[k])));
        psb_free(b);
    }
END_TEST

START_TEST(coordinates_into_a_dense_matrix)
    {
        static const char text[] = REAL_COO "2 2 3\n2 1 1\n1 2 4\n2 1 2\n";
        T *b;
        psb_lpk m, n;
        write_text(text, strlen(text));
        ck_assert_int_eq(X(mm_read_array)(path, &m, &n, &b), PSB_OK);
        ck_assert(m == 2 && n == 2 && b[0] == 0 && b[1] == 3 && b[2] == 4 && b[3] == 0);
        psb_free(b);
    }
END_TEST

START_TEST(dense_matrix_too_large)
    {
        static const char text[] = REAL_COO "4294967296 4294967296 0\n";
        T *b = NULL, x = 1;
        psb_lpk m = -1, n;
        write_text(text, strlen(text));
        ck_assert_int_eq(X(mm_read_array)(path, &m, &n, &b), PSB_EARG);
        ck_assert(m == -1 && !b);
        ck_assert_int_eq(X(mm_write_array)(path, -1, 1, &x), PSB_EARG);
        ck_assert_int_eq(X(mm_write_array)(path, 1, 1, NULL), PSB_EARG);
        ck_assert_int_eq(X(mm_write_array)(NULL, 1, 1, &x), PSB_EARG);
        ck_assert_int_eq(X(mm_write_array)(path, 0, 1, NULL), PSB_OK);
    }
END_TEST

/* The message contains the argument, its value and what was expected. */
START_TEST(complete_messages)
    {
        struct psb_mm_info info;
        struct X(triplets) t;
        psb_lpk m, n;
        T x = 1, *b;
        X(triplets_free)(NULL);
        FAILS(psb_mm_info(NULL, &info), PSB_EARG, "argument path is NULL; expected the name of a file");
        FAILS(psb_mm_info(path, NULL), PSB_EARG, "argument info is NULL; expected where to store the head");
        FAILS(X(mm_read)(NULL, NULL, NULL, &t), PSB_EARG, "argument path is NULL; expected the name of a");
        FAILS(X(mm_read)(path, NULL, NULL, NULL), PSB_EARG, "argument t is NULL; expected where to store");
        FAILS(X(mm_read_array)(NULL, &m, &n, &b), PSB_EARG, "argument path is NULL; expected the name of a");
        FAILS(X(mm_read_array)(path, NULL, &n, &b), PSB_EARG,
              "argument m is NULL; expected where to store it");
        FAILS(X(mm_read_array)(path, &m, NULL, &b), PSB_EARG,
              "argument n is NULL; expected where to store it");
        FAILS(X(mm_read_array)(path, &m, &n, NULL), PSB_EARG,
              "argument val is NULL; expected where to store");
        FAILS(X(mm_write_array)(NULL, 1, 1, &x), PSB_EARG, "argument path is NULL; expected the name of a");
        FAILS(X(mm_write_array)(path, -7, 8, &x), PSB_EARG,
              "argument m is -7; expected a number of rows >= 0");
        FAILS(X(mm_write_array)(path, 8, -7, &x), PSB_EARG, "argument n is -7; expected a number of columns");
        FAILS(X(mm_write_array)(path, INT64_MAX, 2, &x), PSB_EARG, "and 2; expected less than 2^63 entries");
        FAILS(X(mm_write_array)(path, 2, 3, NULL), PSB_EARG, "argument val is NULL; expected an array of 6");
    }
END_TEST

START_TEST(write_errors)
    {
        T x = 1;
        ck_assert_int_eq(X(mm_write_array)("no/such/folder.mtx", 1, 1, &x), PSB_EIO);
        ck_assert_ptr_nonnull(strstr(psb_errmsg(), "no/such/folder.mtx"));
        if (access("/dev/full", W_OK) != 0) {
            printf("skipped: no /dev/full\n");
            return;
        }
        ck_assert_int_eq(X(mm_write_array)("/dev/full", 1, 1, &x), PSB_EIO);
    }
END_TEST

/* --- compressed files, long files, allocation failures --- */

/* A file with n entries (k, k, k), in memory. */
static char *diagonal(int n, size_t *length)
{
    char *text = malloc(100 + (size_t)n * 40), *p = text;
    ck_assert_ptr_nonnull(text);
    p += sprintf(p, "%s%d %d %d\r\n", REAL_COO, n, n, n);
    for (int k = 1; k <= n; k++)
        p += sprintf(p, "%d %d %d%s", k, k, k, k % 3 ? "\n" : "\r\n");
    *length = (size_t)(p - text);
    return text;
}

static void is_diagonal(int n)
{
    struct X(triplets) t;
    ck_assert_msg(X(mm_read)(path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    ck_assert_int_eq(t.nnz, n);
    for (int k = 0; k < n; k++)
        ck_assert(t.ia[k] == k && t.ja[k] == k && t.val[k] == (R)(k + 1));
    X(triplets_free)(&t);
}

struct reported {
    int calls;
    double last;
};

static void record_progress(void *arg, double fraction)
{
    struct reported *h = arg;
    ck_assert(fraction >= h->last && fraction <= 1);
    h->calls++;
    h->last = fraction;
}

START_TEST(long_file_and_progress)
    {
        enum { N = 60000 };
        size_t length;
        char *text = diagonal(N, &length);
        write_text(text, length);
        is_diagonal(N);

        struct reported h = { 0 };
        struct X(triplets) t;
        ck_assert_int_eq(X(mm_read)(path, record_progress, &h, &t), PSB_OK);
        ck_assert(h.calls > 2 && h.last == 1);
        X(triplets_free)(&t);

        text[length - 3] = 'x'; /* the message contains the number of the last line */
        write_text(text, length);
        check_refused(path, PSB_EIO, ":60002:", "x");
        free(text);
    }
END_TEST

#ifdef HAVE_ZLIB
START_TEST(gzip_files)
    {
        enum { N = 60000 };
        size_t length, half;
        char *text = diagonal(N, &length);
        for (int part = 0; part < 2; part++) { /* two gzip members in one file */
            gzFile f = gzopen(path, part ? "ab" : "wb");
            half = length / 2;
            ck_assert_int_gt(gzwrite(f, part ? text + half : text, (unsigned)(part ? length - half : half)),
                             0);
            ck_assert_int_eq(gzclose(f), Z_OK);
        }
        free(text);
        is_diagonal(N);
        FILE *f = fopen(path, "rb");
        fseek(f, 0, SEEK_END);
        long packed = ftell(f);
        fclose(f);
        ck_assert_int_eq(truncate(path, packed - 5), 0);
        check_refused(path, PSB_EIO, "", "gzip data are cut short");
        ck_assert_int_eq(truncate(path, 1000), 0);
        check_refused(path, PSB_EIO, "", "gzip data are cut short");
        write_text("\x1f\x8b rubbish", 10);
        check_refused(path, PSB_EIO, "", "gzip data are damaged");
    }
END_TEST
#else
START_TEST(gzip_without_library)
    {
        write_text("\x1f\x8b", 2);
        check_refused(path, PSB_EIO, "", "zlib");
    }
END_TEST
#endif

#ifdef HAVE_LZMA
START_TEST(xz_files)
    {
        enum { N = 60000 };
        size_t length, packed = 0, room = 1 << 21;
        char *text = diagonal(N, &length);
        uint8_t *out = malloc(room);
        ck_assert_ptr_nonnull(out);
        for (int part = 0; part < 2; part++)
            ck_assert_int_eq(
                lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (uint8_t *)text + part * (length / 2),
                                        part ? length - length / 2 : length / 2, out, &packed, room),
                LZMA_OK);
        free(text);
        write_text(out, packed);
        is_diagonal(N);
        write_text(out, packed - 5);
        check_refused(path, PSB_EIO, "", "xz data are cut short");
        write_text(out, 1000);
        check_refused(path, PSB_EIO, "", "xz data are cut short");
        memset(out + 500, 0, 50);
        write_text(out, packed);
        check_refused(path, PSB_EIO, "", "xz data are damaged");
        free(out);
    }
END_TEST
#else
START_TEST(xz_without_library)
    {
        write_text("\xfd\x37\x7a\x58\x5a\0", 6);
        check_refused(path, PSB_EIO, "", "liblzma");
    }
END_TEST
#endif

START_TEST(allocation_fails)
    {
        size_t length;
        struct X(triplets) t = { .nnz = -7 };
        char *text = diagonal(5000, &length);
        write_text(text, length);
        free(text);
        int failures = 0;
        for (psb_err e = PSB_ENOMEM; e != PSB_OK; failures += e != PSB_OK) {
            psb_alloc_fail_at(failures + 1);
            e = X(mm_read)(path, NULL, NULL, &t);
            ck_assert(e == PSB_OK || (e == PSB_ENOMEM && t.nnz == -7));
        }
        psb_alloc_fail_at(0);
        ck_assert_int_ge(failures, 8); /* two buffers, and three arrays that grow and are trimmed */
        X(triplets_free)(&t);
    }
END_TEST

/* --- published matrices --- */

static int is_complex(const char *file)
{
    struct psb_mm_info a;
    int yes = psb_mm_info(file, &a) == PSB_OK && a.field == PSB_MM_COMPLEX;
    psb_clean_errstack();
    return yes;
}

static const struct {
    const char *file, *line, *words; /* line NULL: the file is read */
} policy[] = {
    { "colpack_mtx-spear-head.mtx", ":15:", "unexpected" },
    { "fmm_overflow_value_gt_complex128.mtx", ":4:", "1E9999" },
    { "fmm_overflow_value_gt_float64.mtx", ":4:", "1E310" },
    { "fmm_overflow_value_gt_int64.mtx", NULL, NULL },
    { "fmm_permissive_banner_one_percent_eye3.mtx", ":1:", "banner" },
    { "fmm_windows_newlines.mtx", NULL, NULL },
    { "morpheus_mat_invalid_banner.mtx", ":1:", "'symmetric'" },
};
enum { NPOLICY = sizeof policy / sizeof *policy };

static void check_policy(const char *name, const char *file)
{
    int k = 0;
    while (k < NPOLICY && strcmp(name, policy[k].file))
        k++;
    ck_assert_msg(k < NPOLICY, "%s: no policy", name);
    struct X(triplets) t;
    if (policy[k].line) {
        check_refused(file, PSB_EIO, policy[k].line, policy[k].words);
        return;
    }
    ck_assert_msg(X(mm_read)(file, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    ck_assert_int_eq(t.nnz, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(t.ia[i] == i && t.ja[i] == i);
    ck_assert(t.val[2] == 1 || t.val[2] == (R)19223372036854775808.);
    X(triplets_free)(&t);
}

/* Return ":7:" if `text` contains "(line 7)", else "". */
static const char *line_in(const char *text, char buf[32])
{
    int line;
    const char *at = strstr(text, "(line ");
    *buf = '\0';
    if (at && sscanf(at, "(line %d)", &line) == 1)
        snprintf(buf, 32, ":%d:", line);
    return buf;
}

START_TEST(published_malformed_files)
    {
        char file[2 * PATH], line[LINE], number[32], *col[3];
        int rows = 0;
        FILE *f = matrix_index_open("malformed");
        for (; f && matrix_index_row(f, line, 3, col); rows++) {
            snprintf(file, sizeof file, "%s/malformed/%s", matrix_index_folder(), col[0]);
            if (!CPLX && is_complex(file))
                check_refused(file, PSB_EARG, ":1:", "complex");
            else if (!strcmp(col[1], "policy"))
                check_policy(col[0], file);
            else
                check_refused(file, PSB_EIO, line_in(col[2], number), "");
        }
        ck_assert(!f || rows >= NPOLICY);
        if (f)
            fclose(f);
    }
END_TEST

struct position {
    psb_lpk i, j;
};

static int compare(const void *a_, const void *b_)
{
    const struct position *a = a_, *b = b_;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

static psb_epk distinct_positions(const struct X(triplets) *t)
{
    struct position *at = malloc(((size_t)t->nnz + 1) * sizeof *at);
    ck_assert_ptr_nonnull(at);
    for (psb_epk k = 0; k < t->nnz; k++)
        at[k] = (struct position){ t->ia[k], t->ja[k] };
    qsort(at, (size_t)t->nnz, sizeof *at, compare);
    psb_epk n = t->nnz > 0;
    for (psb_epk k = 1; k < t->nnz; k++)
        n += compare(&at[k - 1], &at[k]) != 0;
    free(at);
    return n;
}

START_TEST(published_small_files)
    {
        char file[2 * PATH], line[LINE], *col[6];
        int rows = 0;
        FILE *f = matrix_index_open("small");
        while (f && matrix_index_row(f, line, 6, col)) {
            if (!strstr(col[0], ".mtx"))
                continue;
            struct X(triplets) t;
            snprintf(file, sizeof file, "%s/small/%s", matrix_index_folder(), col[0]);
            rows++;
            if (!CPLX && is_complex(file)) {
                check_refused(file, PSB_EARG, ":1:", "complex");
                continue;
            }
            ck_assert_msg(X(mm_read)(file, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
            ck_assert_msg(t.m == atoll(col[2]) && t.n == atoll(col[3]), "%s", file);
            ck_assert_msg(distinct_positions(&t) == atoll(col[5]), "%s", file);
            X(triplets_free)(&t);
        }
        ck_assert(!f || rows > 0);
        if (f)
            fclose(f);
    }
END_TEST

static void add_files(TCase *c)
{
    tcase_add_loop_test(c, bad_files, 0, sizeof bad / sizeof *bad);
    tcase_add_test(c, bad_complex_files);
    tcase_add_test(c, nul_bytes);
    tcase_add_test(c, not_a_file);
    tcase_add_test(c, endless_line);
    tcase_add_test(c, crlf_across_two_blocks);
    tcase_add_loop_test(c, good_files, 0, sizeof good / sizeof *good);
    tcase_add_test(c, header_only);
    tcase_add_loop_test(c, rounding_of_hard_numbers, 0, sizeof hard / sizeof *hard);
    tcase_add_test(c, rounding_of_many_numbers);
    tcase_add_loop_test(c, rounding_of_a_million_numbers, 0, 4);
    tcase_add_test(c, overflow_of_the_scalar);
    tcase_add_test(c, any_locale);
}

static void add_wholes(TCase *c)
{
    tcase_add_test(c, write_and_read);
    tcase_add_test(c, coordinates_into_a_dense_matrix);
    tcase_add_test(c, dense_matrix_too_large);
    tcase_add_test(c, write_errors);
    tcase_add_test(c, complete_messages);
    tcase_add_test(c, long_file_and_progress);
#ifdef HAVE_ZLIB
    tcase_add_test(c, gzip_files);
#else
    tcase_add_test(c, gzip_without_library);
#endif
#ifdef HAVE_LZMA
    tcase_add_test(c, xz_files);
#else
    tcase_add_test(c, xz_without_library);
#endif
    tcase_add_test(c, allocation_fails);
    tcase_add_test(c, published_malformed_files);
    tcase_add_test(c, published_small_files);
}

int check_mm(void)
{
    Suite *s = suite_create("Matrix Market");
    TCase *c = tcase_create("files");
    tcase_set_timeout(c, 60);
    add_files(c);
    add_wholes(c);
    suite_add_tcase(s, c);

    SRunner *r = srunner_create(s);
    make_file();
    srunner_run_all(r, CK_ENV);
    unlink(path);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
