/* check_hb.c -- test: Harwell-Boeing files, valid and invalid. */
#include "config.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_mm.h"
#include "fortran.h"
#include "psb_alloc.h"
#include "psb_util.h"
#include "psb_type.h"

enum { PATH = 4096 };

static char path[] = "check_hb_XXXXXX"; /* the file that the tests write */

static void write_text(const char *text)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), f), strlen(text));
    ck_assert_int_eq(fclose(f), 0);
}

/* The same with a text of several parts. */
static void write_parts(const char *first, const char *second, const char *third)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s%s", first, second, third);
    write_text(text);
}

/* The header of a file: numbers of lines, type and sizes, formats, after 80 columns of title and key. */
#define TITLE                       "A title that is long enough to end where the key begins, after 72 columnKEY45678\n"
#define HEAD(counts, type, formats) TITLE counts "\n" type "\n" formats "\n"
#define REAL3                       HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           (8I4)           (2E12.4)")
#define SIDES(n) \
    HEAD("9 1 1 2 " n, "RUA 3 3 4 0", "(8I4)           (8I4)           (2E12.4)            (3F8.2)")
#define TWO_A_LINE \
    HEAD("9 1 1 2 6", "RUA 3 3 4 0", "(8I4)           (8I4)           (2E12.4)            (2F8.2)")
#define POINTERS "   1   2   4   5\n"
#define INDICES  "   1   2   3   1\n"
#define VALUES   "  1.0000E+00  2.0000D+00\n      3.0E-1     -4.e1\n"

/* --- valid files --- */

/* Files, and the entries that are read, as in check_mm.c. */
static const struct {
    const char *text;
    psb_lpk m, n;
    const char *entries;
} good[] = {
    { REAL3 POINTERS INDICES VALUES, 3, 3, "0 0 1, 1 1 2, 2 1 .3, 0 2 -40" },
    { SIDES("1") "F   1 0\n" POINTERS INDICES VALUES "rubbish that nobody asks for\n\n", 3, 3,
      "0 0 1, 1 1 2, 2 1 .3, 0 2 -40" },
    /* the number of lines of right-hand sides is wrong in some published headers */
    { SIDES("5") "F   1 0\n" POINTERS INDICES VALUES "    1.00    2.00    3.00\n", 3, 3,
      "0 0 1, 1 1 2, 2 1 .3, 0 2 -40" },
    /* adjacent fields, a scale factor, implied decimal points, exponents without a letter */
    { HEAD("4 1 1 2", "rua 2 2 3",
           "(3i2)           (3I1)           (1P,2F6.3)") " 1 3 4\n122\n  12341.5-2 \n  2.50\n",
      2, 2, "0 0 .1234, 1 0 .015, 1 1 .25" },
    { HEAD("3 1 1 0", "PSA 3 3 3", "(4I3)           (4I3)") "  1  3  3  4\n  1  3  3\n\n", 3, 3,
      "0 0 1, 2 0 1, 0 2 1, 2 2 1" },
    { HEAD("3 1 1 1", "RZA 2 2 1", "(4I3)           (4I3)           (G8.1)") "  1  2  2\n  2\n    7.5\n", 2,
      2, "1 0 7.5, 0 1 -7.5" },
    { HEAD("3 1 1 1", "IRA 2 3 2",
           "(4I3)           (4I3)           (2I20)") "  1  1  2  3\n  1  2\n"
                                                     "           123456789                  -4\n",
      2, 3, "0 1 123456789, 1 2 -4" },
    { HEAD("0 0 0 0", "RUA 0 0 0 0", "(4I3)           (4I3)           (2E8.1)") "  1\n", 0, 0, "" },
    { HEAD("1 1 0 0", "PUA 5 2 0 0", "(4I3)           (4I3)") "  1  1  1", 5, 2, "" },
    { HEAD("3 1 1 1", "CHA 2 2 2 0",
           "(4I3)           (4I3)           (4ES8.1)") "  1  3  3\n  1  2\n"
                                                       " 1.0E+00 0.0E+00 2.0E+00 3.0E+00\n",
      2, 2, "0 0 1 0, 1 0 2 3, 0 1 2 -3" },
};

TEST(good_files)
{
    TRIPLETS t = { .nnz = -7 };
    write_text(good[_i].text);
    if (!CPLX && strstr(good[_i].text, "CHA")) {
        FAILS(X(hb_read)(path, &t), PSB_EARG, ":3: the matrix is complex");
        return;
    }
    OK(X(hb_read)(path, &t));
    check_mm_entries(&t, good[_i].m, good[_i].n, good[_i].entries);
}

TEST(header_only)
{
    struct psb_hb_header a = { .nrhs = -7 };
    write_text("rubbish");
    FAILS(psb_hb_info(path, &a), PSB_EIO, "the file ends before the numbers of lines");
    ck_assert_int_eq(a.nrhs, -7);
    write_text(SIDES("5") "FGX 2 0\nrubbish");
    OK(psb_hb_info(path, &a));
    ck_assert(a.mm.m == 3 && a.mm.n == 3 && a.mm.stored == 4 && a.mm.field == PSB_MM_REAL);
    ck_assert(a.nrhs == 2 && a.guess && a.solution);
    ck_assert_str_eq(a.key, "KEY45678");
    ck_assert_str_eq(a.title, "A title that is long enough to end where the key begins, after 72 column");
    FAILS(psb_hb_info(NULL, &a), PSB_EARG, "path is NULL");
    FAILS(psb_hb_info(path, NULL), PSB_EARG, "info is NULL");
}

TEST(file_names)
{
    static const char *const yes[] = { "a.rua", "b/c.RSA.gz", "x.hb", "x.rb.xz", "a.cha", "a.pue" };
    static const char *const no[] = { "a.mtx", "rua",  ".rua", "a.xua", "a.hb.bz2",
                                      "",      "a.ru", "a.gz", "a.ruax" };
    for (int k = 0; k < 6; k++)
        ck_assert_msg(psb_hb_named(yes[k]), "%s", yes[k]);
    for (int k = 0; k < 8; k++)
        ck_assert_msg(!psb_hb_named(no[k]), "%s", no[k]);
}

/* --- invalid files --- */

static const struct {
    const char *text, *line, *words;
} bad[] = {
    { "", ":0:", "the file ends before its title" },
    { TITLE "x 1 1 2\n", ":2:", "number of lines 'x'" },
    { TITLE "4 -1 1 2\n", ":2:", "number of lines of pointers '-1'" },
    { TITLE "4 1 1\n", ":2:", "number of lines of values (end of line)" },
    { TITLE "4 1 1 2 0 7\n", ":2:", "unexpected '7'" },
    { TITLE "4 1 1 2\n", ":2:", "before the type" },
    { TITLE "4 1 1 2\nXUA 3 3 4 0\n", ":3:", "the type 'XUA'" },
    { TITLE "4 1 1 2\nRXA 3 3 4 0\n", ":3:", "the type 'RXA'" },
    { TITLE "4 1 1 2\nRUB 3 3 4 0\n", ":3:", "the type 'RUB'" },
    { TITLE "4 1 1 2\nRSE 3 3 4 12\n", ":3:", "a matrix of elements" },
    { TITLE "4 1 1 2\nRHA 3 3 4 0\n", ":3:", "must be complex" },
    { TITLE "4 1 1 2\nPZA 3 3 4 0\n", ":3:", "cannot be skew" },
    { TITLE "4 1 1 2\nRUA -3 3 4 0\n", ":3:", "number of rows '-3'" },
    { TITLE "4 1 1 2\nRUA 3 3.5 4 0\n", ":3:", "number of columns '3.5'" },
    { TITLE "4 1 1 2\nRUA 3 3\n", ":3:", "number of entries (end" },
    { TITLE "4 1 1 2\nRUA 3 3 9223372036854775807\n", ":3:", "64 bits" },
    { TITLE "4 1 1 2\nRUA 3 9223372036854775808 1\n", ":3:", "number of columns" },
    { TITLE "4 1 1 2\nRUA 3 3 4 x\n", ":3:", "elemental entries 'x'" },
    { TITLE "4 1 1 2\nRSA 3 4 4 0\n", ":3:", "not square" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8E4.1)         (8I4)           (2E12.4)"), ":4:", "of the pointers" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           8I4             (2E12.4)"),
      ":4:", "'8I4' of the indices" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           (8I4)           (2I12)"),
      ":4:", "'(2I12)' of the values" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           (8I4)"), ":4:", "'' of the values" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(0I4)           (8I4)           (2E12.4)"), ":4:", "'(0I4)'" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I0)           (8I4)           (2E12.4)"), ":4:", "'(8I0)'" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           (8I4)           (2E999.4)"), ":4:", "'(2E999.4)'" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(8I4)           (8I4)           (2E12.4"), ":4:", "'(2E12.4'" },
    { HEAD("4 1 1 0", "RUA 3 3 4 0", "(8I4)           (8I4)           (2E12.4)"),
      ":4:", "no line of values" },
    { HEAD("4 1 1 2", "RUA 3 3 4 0", "(1X,8I3)        (8I4)           (2E12.4)") "11    2  4  5\n",
      ":5:", "'1' before field 1 of the line is in a column that the format skips" },
    { SIDES("5") "XGX 1 0\n", ":5:", "type 'XGX'" },
    { SIDES("5") "F   x 0\n", ":5:", "right-hand sides 'x'" },
    { SIDES("5") "F\n", ":5:", "right-hand sides (end of line)" },
    { SIDES("5"), ":4:", "before the type of right-hand sides" },
    { REAL3 "", ":4:", "before column pointer" },
    { REAL3 "   2   2   4   5\n", ":5:", "column pointer 2 is out of range 1..1" },
    { REAL3 "   1   3   2   5\n", ":5:", "column pointer 2 is out of range 3..5" },
    { REAL3 "   1   2   4   4\n", ":5:", "column pointer 4 is out of range 5..5" },
    { REAL3 "   1   2   6   5\n", ":5:", "column pointer 6 is out of range 2..5" },
    { REAL3 "   1   2       5\n", ":5:", "field 3 of the line is blank" },
    { REAL3 "   1   2  x4   5\n", ":5:", "field 3 of the line is 'x4'" },
    { REAL3 "   1   2   4\n   5\n", ":5:", "field 4 of the line is blank" },
    { REAL3 "   1   2   4   5   6\n", ":5:", "unexpected '6'" },
    { REAL3 POINTERS "   1   4   3   1\n", ":6:", "row index 4 is out of range 1..3" },
    { REAL3 POINTERS "   0   2   3   1\n", ":6:", "row index 0 is out of range" },
    { REAL3 POINTERS "   1  1.   3   1\n",
      ":6:", "field 2 of the line is '1.'; expected row index, an integer" },
    { REAL3 POINTERS, ":5:", "before row index" },
    { REAL3 POINTERS INDICES "  1.0000E+00\n", ":7:", "field 2 of the line is blank; expected value" },
    { REAL3 POINTERS INDICES "  1.0000E+00 2.0 000D+00\n  1.0 1.0\n", ":7:", "unexpected '000D+00'" },
    { REAL3 POINTERS INDICES "           .  2.0000D+00\n", ":7:", "field 1 of the line is '.'" },
    { REAL3 POINTERS INDICES "          1E  2.0000D+00\n", ":7:", "field 1 of the line is '1E'" },
    { REAL3 POINTERS INDICES "         nan  2.0000D+00\n", ":7:", "field 1 of the line is 'nan'" },
    { REAL3 POINTERS INDICES "      1.0E+1 2.0000D+999\n", ":7:", "beyond the range" },
    { REAL3 POINTERS INDICES "  1.0000E+00  2.0000D+00\n", ":7:", "before value" },
    { REAL3 POINTERS INDICES VALUES "  1.0\n", ":9:", "unexpected '1.0'" },
    { SIDES("5") "F   1 0\n" POINTERS INDICES VALUES "    1.00    2.00    3.00\n    1.00\n",
      ":11:", "declares 5 lines of right-hand sides, and 2 follow" },
    { HEAD("3 1 1 0", "PSA 3 3 2", "(4I3)           (4I3)") "  1  2  2  3\n  2  1\n",
      ":6:", "(1, 3) is not in the tri" },
    { HEAD("3 1 1 1", "RZA 2 2 1", "(4I3)           (4I3)           (F8.1)") "  1  2  2\n  1\n    7.5\n",
      ":7:", "diagonal entry 1 of a skew" },
};

TEST(bad_files)
{
    struct X(triplets) t = { .nnz = -7 };
    write_text(bad[_i].text);
    FAILS(X(hb_read)(path, &t), PSB_EIO, bad[_i].words);
    ck_assert_msg(strstr(psb_errmsg(), bad[_i].line) != NULL, "no %s in %s", bad[_i].line, psb_errmsg());
    ck_assert_msg(strstr(psb_errmsg(), path) != NULL, "no %s in %s", path, psb_errmsg());
    ck_assert_int_eq(t.nnz, -7);
}

TEST(hermitian_diagonal)
{
    struct X(triplets) t;
    write_text(
        HEAD("3 1 1 1", "CHA 2 2 2 0", "(4I3)           (4I3)           (4F4.1)") "  1  3  3\n  1  2\n"
                                                                                  " 1.0 0.5 2.0 3.0\n");
    FAILS(X(hb_read)(path, &t), CPLX ? PSB_EIO : PSB_EARG, CPLX ? ":7: diagonal entry 1" : "complex");
}

TEST(wrong_arguments)
{
    struct X(triplets) t;
    psb_lpk m, n;
    T *val;
    write_text(REAL3 POINTERS INDICES VALUES);
    FAILS(X(hb_read)(NULL, &t), PSB_EARG, "path is NULL");
    FAILS(X(hb_read)(path, NULL), PSB_EARG, "t is NULL");
    FAILS(X(hb_read)("no/such.rua", &t), PSB_EIO, "cannot be opened");
    FAILS(X(hb_read_rhs)(NULL, 'F', &m, &n, &val), PSB_EARG, "path is NULL");
    FAILS(X(hb_read_rhs)(path, 'F', NULL, &n, &val), PSB_EARG, "m is NULL");
    FAILS(X(hb_read_rhs)(path, 'F', &m, NULL, &val), PSB_EARG, "n is NULL");
    FAILS(X(hb_read_rhs)(path, 'F', &m, &n, NULL), PSB_EARG, "val is NULL");
    FAILS(X(hb_read_rhs)(path, 'A', &m, &n, &val), PSB_EARG, "which is 'A'");
    FAILS(X(hb_read_rhs)(path, 'F', &m, &n, &val), PSB_EARG, "no full right-hand sides");
}

/* --- right-hand sides --- */

TEST(right_hand_sides)
{
    static const char sides[] = "    1.00    2.00    3.00\n    4.00    5.00    6.00\n"
                                "   11.00   12.00   13.00\n   14.00   15.00   16.00\n"
                                "   21.00   22.00   23.00\n   24.00   25.00     250\n";
    psb_lpk m, n;
    T *val = NULL;
    write_parts(SIDES("6") "FGX 2 0\n", POINTERS INDICES VALUES, sides);
    for (int b = 0; b < 3; b++) {
        OK(X(hb_read_rhs)(path, "FGX"[b], &m, &n, &val));
        ck_assert(m == 3 && n == 2);
        for (int k = 0; k < 6; k++)
            ck_assert(val[k] == (R)(b == 2 && k == 5 ? 2.5 : 10 * b + k + 1));
        psb_free(val);
    }
    write_parts(SIDES("6") "FGX 2 0\n" POINTERS INDICES VALUES, sides, " 1.0\n");
    FAILS(X(hb_read_rhs)(path, 'X', &m, &n, &val), PSB_EIO,
          "declares 6 lines of right-hand sides, and 7 follow");
    write_text(SIDES("2") "F   2 0\n" POINTERS INDICES VALUES "    1.00    2.00    3.00\n    4.00    5.00");
    FAILS(X(hb_read_rhs)(path, 'F', &m, &n, &val), PSB_EIO, ":11: field 3 of the line is blank");
    FAILS(X(hb_read_rhs)(path, 'G', &m, &n, &val), PSB_EARG, "no full starting guesses");
    FAILS(X(hb_read_rhs)(path, 'X', &m, &n, &val), PSB_EARG, "no full solutions");
    write_parts(TWO_A_LINE "FGX 1 0\n", POINTERS INDICES VALUES,
                "    1.00    2.00\n    3.00\n   11.00   12.00\n   13.00\n   21.00   22.00\n   23.00\n");
    for (int b = 0; b < 3; b++) {
        OK(X(hb_read_rhs)(path, "FGX"[b], &m, &n, &val));
        ck_assert(m == 3 && n == 1);
        for (int k = 0; k < 3; k++)
            ck_assert(val[k] == (R)(10 * b + k + 1));
        psb_free(val);
    }
    write_text(SIDES("5") "M   1 4\n" POINTERS INDICES VALUES);
    FAILS(X(hb_read_rhs)(path, 'F', &m, &n, &val), PSB_EARG, "no full right-hand sides");
}

/* --- lines that are missing or double --- */

/* Rows of a file with two right-hand sides; each line of numbers is left out, and doubled. */
TEST(lines_missing_or_double)
{
    static const char *const lines[] = { TITLE,
                                         "8 1 1 4 2\n",
                                         "RUA 4 4 4 0\n",
                                         "(5I3)           (4I3)           (1F8.2)             (4F8.2)\n",
                                         "F   2 0\n",
                                         "  1  2  3  4  5\n",
                                         "  1  2  3  4\n",
                                         "    1.00\n",
                                         "    2.00\n",
                                         "    3.00\n",
                                         "    4.00\n",
                                         "   11.00   12.00   13.00   14.00\n",
                                         "   21.00   22.00   23.00   24.00\n" };
    enum { LINES = sizeof lines / sizeof *lines };
    for (int wrong = 4; wrong < LINES; wrong++)
        for (int times = 0; times <= 2; times++) {
            char text[1000] = "";
            struct X(triplets) t;
            PSB_HEAP T *val = NULL;
            psb_lpk m, n;
            for (int k = 0; k < LINES; k++)
                for (int again = k == wrong ? times : 1; again > 0; again--)
                    strcat(text, lines[k]);
            write_text(text);
            psb_err e = X(hb_read)(path, &t);
            ck_assert_msg((e == PSB_OK) == (times == 1), "line %d, %d times", wrong + 1, times);
            if (e == PSB_OK)
                X(triplets_free)(&t);
            else
                ck_assert_msg(e == PSB_EIO && strstr(psb_errmsg(), path), "%s", psb_errmsg());
            e = X(hb_read_rhs)(path, 'F', &m, &n, &val);
            ck_assert_msg((e == PSB_OK) == (times == 1), "line %d, %d times", wrong + 1, times);
        }
}

/* --- Fortran formats --- */

/* Fields as "skip+width.digits/scale", of the first line and of a later one. */
static const struct {
    const char *text, *first, *later;
} formats[] = {
    { "(8I9)", "9 9 9 9 9 9 9 9", "9 9 9 9 9 9 9 9" },
    { "(I5)", "5", "5" },
    { "(2I5.3)", "5 5", "5 5" },
    { "(1X,3I9)", "1+9 9 9", "1+9 9 9" },
    { "(2I3,X,I4,3X)", "3 3 1+4", "3 3 1+4" },
    { "(3(1P,E24.16))", "24.16/1 24.16/1 24.16/1", "24.16/1 24.16/1 24.16/1" },
    { "(3(1PE15.8))", "15.8/1 15.8/1 15.8/1", "15.8/1 15.8/1 15.8/1" },
    { "(1X,2E24.16)", "1+24.16 24.16", "1+24.16 24.16" },
    { "(1P,2D20.12)", "20.12/1 20.12/1", "20.12/1 20.12/1" },
    { "(1P2E20.12)", "20.12/1 20.12/1", "20.12/1 20.12/1" },
    { "(-2P,F8.3,0P,F8.3)", "8.3/-2 8.3", "8.3/-2 8.3" },
    { "(F8.3,+3PF8.3)", "8.3 8.3/3", "8.3/3 8.3/3" }, /* a scale factor holds in later lines too */
    { "(1X,2(F8.3))", "1+8.3 8.3", "8.3 8.3" },       /* later lines begin with the last group, */
    { "(F4.0,2(1X,F8.3),F9.1)", "4.0 1+8.3 1+8.3 9.1", "1+8.3 1+8.3 9.1" }, /* and what follows it, */
    { "(2(F5.1),1P,2(2X,F6.1))", "5.1 5.1 2+6.1/1 2+6.1/1", "2+6.1/1 2+6.1/1" },
    { "(F4.0,2(1X,2(F8.3)))", "4.0 1+8.3 8.3 1+8.3 8.3", "1+8.3 8.3 1+8.3 8.3" }, /* outside of others */
    { "(1X,(1X,F4.1))", "2+4.1", "1+4.1" },
    { "(2(F4.1,1PF5.1))", "4.1 5.1/1 4.1/1 5.1/1", "4.1/1 5.1/1 4.1/1 5.1/1" },
    { "(ES12.4,EN12.4E3,G9.2)", "12.4 12.4 9.2", "12.4 12.4 9.2" },
};

static const char *const no_formats[] = { "8I4",
                                          "(8I4",
                                          "(8I4))",
                                          "((8I4)",
                                          "()",
                                          "(1X)",
                                          "(1P)",
                                          "(0I4)",
                                          "(8I0)",
                                          "(8I)",
                                          "(I4.)",
                                          "(I4E2)",
                                          "(E12)",
                                          "(E12.)",
                                          "(E12.4E)",
                                          "(D12.4E2)",
                                          "(F12.4E2)",
                                          "(E129.4)",
                                          "(2I4,E12.4)",
                                          "(A8)",
                                          "(I4 I4)",
                                          "(I4,,I4)",
                                          "(,I4)",
                                          "(I4,)",
                                          "(PE12.4)",
                                          "(-E12.4)",
                                          "(-2(E12.4))",
                                          "(1X8I4)",
                                          "(2(I4)I5)",
                                          "(257I1)",
                                          "(999(999(999I1)))",
                                          "(999(999(999X)))",
                                          "(9(9(9(9(9(9(1P)))))))",
                                          "(1000I4)",
                                          "" };

static void put_field(char *text, const struct psb_field *f, int skip, int later, bool real)
{
    char *to = text + strlen(text);
    to += sprintf(to, *text ? " " : "");
    to += skip ? sprintf(to, "%d+", skip) : 0;
    to += sprintf(to, "%d", f->width);
    to += real ? sprintf(to, ".%d", f->digits) : 0;
    if (f->scale[later])
        sprintf(to, "/%d", f->scale[later]);
}

TEST(fortran_formats)
{
    struct psb_format f;
    char first[PSB_FORMAT_FIELDS * 24] = "", later[sizeof first] = "";
    ck_assert_msg(psb_format_read(formats[_i].text, &f), "%s", formats[_i].text);
    for (int k = 0; k < f.n; k++)
        put_field(first, &f.field[k], f.field[k].skip, 0, f.real);
    for (int k = f.again; k < f.n; k++)
        put_field(later, &f.field[k], f.field[k].skip - (k == f.again ? f.outside : 0), 1, f.real);
    ck_assert_str_eq(first, formats[_i].first);
    ck_assert_str_eq(later, formats[_i].later);
}

TEST(no_fortran_formats)
{
    struct psb_format f;
    for (size_t k = 0; k < sizeof no_formats / sizeof *no_formats; k++)
        ck_assert_msg(!psb_format_read(no_formats[k], &f), "%s", no_formats[k]);
}

/* The same matrix and right-hand side, written by programs in different formats. */
TEST(published_formats)
{
    /* 1X, groups, scale factors: a number without exponent is ten times the value */
    static const char *const texts[][2] = {
        { HEAD("5 1 1 2 1", "RUA 3 3 4 1", "(1X,8I3)        (1X,8I3)        (3(1P,E12.4))       (3(1PE9.2))"),
          "F   1 0\n"
          "   1  2  4  5\n"
          "   1  2  3  1\n"
          "  1.5000E+00  2.5000E-01      30.000\n"
          " -4.0000E+00\n"
          "    10.00 2.00E+00-3.00E+00\n" },
        { HEAD("5 1 1 2 1", "RUA 3 3 4 1",
               "(8I3)           (2(2X,2I2))     (1X,3E11.4)         (1X,1P,3(F5.2))"),
          "F   1 0\n"
          "  1  2  4  5\n"
          "   1 2   3 1\n"
          "  1.5000E+00 2.5000E-01     3.0000\n"
          " -4.0000E+00\n"
          " 10.00 20.0-30.0\n" },
    };
    static const double want[] = { 1.5, .25, 3, -4 }, side[] = { 1, 2, -3 };
    struct X(triplets) t;
    psb_lpk m, n;
    PSB_HEAP T *val = NULL;
    write_parts(texts[_i][0], texts[_i][1], "");
    OK(X(hb_read)(path, &t));
    ck_assert_int_eq(t.nnz, 4);
    for (int k = 0; k < 4; k++)
        ck_assert_msg(t.val[k] == (R)want[k], "value %d: %g", k, (double)RE(t.val[k]));
    X(triplets_free)(&t);
    OK(X(hb_read_rhs)(path, 'F', &m, &n, &val));
    for (int k = 0; k < 3; k++)
        ck_assert_msg(val[k] == (R)side[k], "right-hand side %d: %g", k, (double)RE(val[k]));
}

/* --- comparison with other readers --- */

static const char *data_file(const char *name)
{
    static char file[2 * PATH];
    const char *src = getenv("srcdir");
    snprintf(file, sizeof file, "%s/%s", src ? src : ".", name);
    return file;
}

TEST(files_of_scipy)
{
    TRIPLETS a = { 0 }, b = { 0 };
    OK(X(hb_read)(data_file("test/data/random.rua"), &a));
    OK(X(mm_read)(data_file("test/data/random.mtx"), NULL, NULL, &b));
    ck_assert(a.m == b.m && a.n == b.n && a.nnz == b.nnz);
    for (psb_epk k = 0, l; k < a.nnz; k++) { /* the order of entries differs */
        for (l = 0; l < b.nnz && (a.ia[k] != b.ia[l] || a.ja[k] != b.ja[l]);)
            l++;
        ck_assert(l < b.nnz && a.val[k] == b.val[l]);
    }
}

/* Columns of the index: file, rows, columns, stored, entries, field, symmetry. */
TEST(published_files)
{
    static const struct {
        const char *file;
        int m, n, nnz;
    } files[] = { { "arc130.rb", 130, 130, 1282 }, { "cg20.cua", 400, 400, 1920 },
                  { "ex5.rb", 27, 27, 279 },       { "g20.rua", 400, 400, 1920 },
                  { "lp_afiro.rra", 27, 51, 102 }, { "lp_nug06.pua", 372, 486, 2232 },
                  { "lund_a.rsa", 147, 147, 2449 } };
    const char *given = getenv("CK_SHARED");
    char file[3 * PATH];
    TRIPLETS t = { 0 };
    snprintf(file, sizeof file, "%s/matrices/small/hb/%s", given ? given : data_file("../shared"),
             files[_i].file);
    if (access(file, R_OK) != 0) {
        printf("skipped: no %s\n", file);
        return;
    }
    psb_err e = X(hb_read)(file, &t);
    if (!CPLX && strstr(file, ".cua")) {
        ck_assert_int_eq(e, PSB_EARG);
        return;
    }
    ck_assert_msg(e == PSB_OK, "%s", psb_errmsg());
    ck_assert(t.m == files[_i].m && t.n == files[_i].n);
    ck_assert_int_eq(t.nnz, files[_i].nnz);
}

TEST(allocation_fails)
{
    struct X(triplets) t = { .nnz = -7 };
    psb_lpk m, n;
    PSB_HEAP T *val = NULL;
    write_text(SIDES("1") "F   1 0\n" POINTERS INDICES VALUES "    1.00    2.00    3.00\n");
    int failures = 0;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; failures += e != PSB_OK) {
        psb_alloc_fail_at(failures + 1);
        e = X(hb_read)(path, &t);
        ck_assert(e == PSB_OK || (e == PSB_ENOMEM && t.nnz == -7));
    }
    ck_assert_int_ge(failures, 8); /* two buffers, three arrays while reading, three arrays of the result */
    X(triplets_free)(&t);
    failures = 0;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; failures += e != PSB_OK) {
        psb_alloc_fail_at(failures + 1);
        e = X(hb_read_rhs)(path, 'F', &m, &n, &val);
        ck_assert(e == PSB_OK || (e == PSB_ENOMEM && !val));
    }
    ck_assert_int_ge(failures, 6);
}

TEST(huge_sizes_in_header)
{
    struct X(triplets) t;
    write_text(HEAD("4 1 1 2", "RUA 9000000000000000000 9000000000000000000 9000000000000000000 0",
                    "(8I4)           (8I4)           (2E12.4)") "   1   1   1   1\n");
    FAILS(X(hb_read)(path, &t), PSB_EIO, "field 5 of the line is blank");
}

static Suite *harwell_boeing(void)
{
    Suite *s = suite_create("Harwell-Boeing");
    TCase *c = ck_tcase(s, "files");
    ck_add_loop_tests(c, sizeof good / sizeof *good, good_files);
    ck_add_tests(c, header_only, file_names);
    ck_add_loop_tests(c, sizeof bad / sizeof *bad, bad_files);
    ck_add_tests(c, hermitian_diagonal, wrong_arguments, right_hand_sides, lines_missing_or_double);
    ck_add_loop_tests(c, sizeof formats / sizeof *formats, fortran_formats);
    ck_add_tests(c, no_fortran_formats);
    ck_add_loop_tests(c, 2, published_formats);
    ck_add_tests(c, files_of_scipy);
    ck_add_loop_tests(c, 7, published_files);
    ck_add_tests(c, allocation_fails, huge_sizes_in_header);
    return s;
}

int check_hb(void)
{
    return suite_with_file(path, harwell_boeing);
}
