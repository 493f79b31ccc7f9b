/* check_mm_errors.c -- test: Matrix Market files: invalid files, wrong calls. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_mm.h"

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
    { REAL_COO " % no comment\n3 3 0\n", ":2:", "white space before the % of a comment" },
    { REAL_COO "2 2 1\n\t% no comment\n1 1 1\n", ":3:", "white space before the % of a comment" },
    { REAL_COO "3.0 3 0\n", ":2:", "number of rows '3.0'" },
    { REAL_COO "3 -3 0\n", ":2:", "number of columns -3 is negative" },
    { REAL_COO "3 3 -1\n", ":2:", "number of entries -1 is negative" },
    { REAL_COO "9223372036854775808 1 0\n", ":2:", "64 bits" },
    { REAL_COO "1 19223372036854775808 0\n", ":2:", "64 bits" },
    { ARRAY "4294967296 2147483648\n", ":2:", "2^63" },
    { ARRAY "2 2 4\n1\n1\n1\n1\n", ":2:", "unexpected '4'" },
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
    { INTEGER_COO "2 2 1\n1 1 1.0\n", ":3:", "'1.0' is not an integer" },
    { INTEGER_COO "2 2 1\n1 1 1e2\n", ":3:", "'1e2' is not an integer" },
    { INTEGER_COO "2 2 1\n1 1 inf\n", ":3:", "'inf' is not an integer" },
    { "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", ":3:", "unexpected '1'" },
    { REAL_COO "2 2 2\n1 1 1\n\n% end\n", ":5:", "declared 2 entries, found 1" },
    { REAL_COO "9 9 1000000000000000\n1 1 1\n2 2 2", ":4:", "declared 1000000000000000 entries, found 2" },
    { REAL_COO "9 9 9223372036854775807\n", ":2:", "declared 9223372036854775807 entries, found 0" },
    { REAL_COO "2 2 1\n1 1 1\n\n2 2 1\n", ":5:", "declared 1 entries, found more" },
    { REAL_COO "2 2 0\r1 1 1\r", ":3:", "declared 0 entries, found more" },
    { ARRAY "2 2\n1\n2\n3\n", ":5:", "declared 4 entries, found 3" },
    { ARRAY "3000000000 3000000000\n1\n", ":3:", "declared 9000000000000000000 entries, found 1" },
    { ARRAY "1 2\n1 2\n", ":3:", "unexpected '2'" },
    { "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n", ":4:", "triangle" },
    { "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", ":3:", "diagonal entry 2" },
};

TEST(bad_files)
{
    write_mm_text(bad[_i].text, strlen(bad[_i].text));
    check_mm_refused(mm_path, PSB_EIO, bad[_i].line, bad[_i].words);
}

TEST(bad_complex_files)
{
    static const char hermitian[] = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 1\n";
    static const char short_of[] = COMPLEX_COO "2 2 1\n2 2 1\n";
    write_mm_text(hermitian, strlen(hermitian));
    check_mm_refused(mm_path, CPLX ? PSB_EIO : PSB_EARG, CPLX ? ":3:" : ":1:", CPLX ? "not real" : "complex");
    write_mm_text(short_of, strlen(short_of));
    check_mm_refused(mm_path, CPLX ? PSB_EIO : PSB_EARG,
                     CPLX ? ":3:" : ":1:", CPLX ? "(end of line)" : "complex");
}

TEST(nul_bytes)
{
    static const char entry[] = REAL_COO "1 1 1\n1 1 1\0\n", comment[] = REAL_COO "1 1 1\n%\0\n1 1 1\n";
    write_mm_text(entry, sizeof entry - 1);
    check_mm_refused(mm_path, PSB_EIO, ":3:", "not a number");
    write_mm_text(comment, sizeof comment - 1);
    check_mm_refused(mm_path, PSB_EIO, ":3:", "NUL");
}

TEST(not_a_file)
{
    check_mm_refused("no/such/file.mtx", PSB_EIO, "", "opened");
    check_mm_refused(".", PSB_EIO, "", "");
    struct X(triplets) t;
    ck_assert_int_eq(X(mm_read)(NULL, NULL, NULL, &t), PSB_EARG);
    ck_assert_int_eq(X(mm_read)(mm_path, NULL, NULL, NULL), PSB_EARG);
}

TEST(endless_line)
{
    size_t n = 1 << 20;
    HEAP char *text = malloc(n);
    ck_assert_ptr_nonnull(text);
    memset(text, '%', n);
    memcpy(text, REAL_COO, strlen(REAL_COO));
    write_mm_text(text, n);
    check_mm_refused(mm_path, PSB_EIO, ":2:", "characters");
}

/* A CR LF that is split between two blocks of the reader's buffer counts as one line end. */
TEST(crlf_across_two_blocks)
{
    enum { BLOCK = 1 << 18 };
    static const char head[] = REAL_COO "1 1 1\n", tail[] = "\r\n9 1 1\n";
    static char text[BLOCK + sizeof tail];
    memset(text, '%', sizeof text);
    memcpy(text, head, strlen(head));
    memcpy(text + BLOCK - 1, tail, strlen(tail));
    write_mm_text(text, BLOCK - 1 + strlen(tail));
    check_mm_refused(mm_path, PSB_EIO, ":4:", "row index 9");
}

/* --- wrong calls --- */

TEST(dense_matrix_too_large)
{
    static const char text[] = REAL_COO "4294967296 4294967296 0\n";
    T *b = NULL, x = 1;
    psb_lpk m = -1, n;
    write_mm_text(text, strlen(text));
    ck_assert_int_eq(X(mm_read_array)(mm_path, &m, &n, &b), PSB_EARG);
    ck_assert(m == -1 && !b);
    ck_assert_int_eq(X(mm_write_array)(mm_path, -1, 1, &x), PSB_EARG);
    ck_assert_int_eq(X(mm_write_array)(mm_path, 1, 1, NULL), PSB_EARG);
    ck_assert_int_eq(X(mm_write_array)(NULL, 1, 1, &x), PSB_EARG);
    ck_assert_int_eq(X(mm_write_array)(mm_path, 0, 1, NULL), PSB_OK);
}

/* The message contains the argument, its value and what was expected. */
TEST(complete_messages)
{
    struct psb_mm_header info;
    struct X(triplets) t;
    psb_lpk m, n;
    T x = 1, *b;
    X(triplets_free)(NULL);
    FAILS(psb_mm_info(NULL, &info), PSB_EARG, "argument path is NULL; expected the name of a file");
    FAILS(psb_mm_info(mm_path, NULL), PSB_EARG, "argument info is NULL; expected where to store the head");
    FAILS(X(mm_read)(NULL, NULL, NULL, &t), PSB_EARG, "argument path is NULL; expected the name of a");
    FAILS(X(mm_read)(mm_path, NULL, NULL, NULL), PSB_EARG, "argument t is NULL; expected where to store");
    FAILS(X(mm_read_array)(NULL, &m, &n, &b), PSB_EARG, "argument path is NULL; expected the name of a");
    FAILS(X(mm_read_array)(mm_path, NULL, &n, &b), PSB_EARG,
          "argument m is NULL; expected where to store it");
    FAILS(X(mm_read_array)(mm_path, &m, NULL, &b), PSB_EARG,
          "argument n is NULL; expected where to store it");
    FAILS(X(mm_read_array)(mm_path, &m, &n, NULL), PSB_EARG, "argument val is NULL; expected where to store");
    FAILS(X(mm_write_array)(NULL, 1, 1, &x), PSB_EARG, "argument path is NULL; expected the name of a");
    FAILS(X(mm_write_array)(mm_path, -7, 8, &x), PSB_EARG,
          "argument m is -7; expected a number of rows >= 0");
    FAILS(X(mm_write_array)(mm_path, 8, -7, &x), PSB_EARG, "argument n is -7; expected a number of columns");
    FAILS(X(mm_write_array)(mm_path, INT64_MAX, 2, &x), PSB_EARG, "and 2; expected less than 2^63 entries");
    FAILS(X(mm_write_array)(mm_path, 2, 3, NULL), PSB_EARG, "argument val is NULL; expected an array of 6");
}

TEST(write_errors)
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

void add_mm_invalid_files(TCase *c)
{
    ck_add_loop_tests(c, sizeof bad / sizeof *bad, bad_files);
    ck_add_tests(c, bad_complex_files, nul_bytes, not_a_file, endless_line, crlf_across_two_blocks);
}

void add_mm_wrong_calls(TCase *c)
{
    ck_add_tests(c, dense_matrix_too_large, write_errors, complete_messages);
}
