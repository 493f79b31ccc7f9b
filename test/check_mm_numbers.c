/* check_mm_numbers.c -- test: Matrix Market files: numbers, compared with the C library. */
#include "config.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "number.h"
#include "check_mm.h"

/* Read `text` as the only value of a file. */
static R read_number(const char *text)
{
    char file[1024];
    struct X(triplets) t;
    write_mm_text(file, (size_t)snprintf(file, sizeof file, "%s1 1 1\n1 1 %s\n", REAL_COO, text));
    ck_assert_msg(X(mm_read)(mm_path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    R x = RE(t.val[0]);
    X(triplets_free)(&t);
    return x;
}

static R from_text(const char *text)
{
    return sizeof(R) == sizeof(float) ? (R)strtof(text, NULL) : (R)strtod(text, NULL);
}

/* Ties and near ties, extreme values, more digits than fit a word. */
static const char *const hard[] = { "6216664018645886904e9",
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
                                    "0.000000000000000000000000000000000000012345678901234567" };

TEST(rounding_of_hard_numbers)
{
    R x = read_number(hard[_i]), y = from_text(hard[_i]);
    ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s read as %.17g, not %.17g", hard[_i], (double)x,
                  (double)y);
}

/* Many numbers of 1 to 20 digits in one file, compared with the C library. */
TEST(rounding_of_many_numbers)
{
    enum { N = 20000 };
    static char text[N][48];
    uint64_t seed = 88172645463325252U;
    FILE *f = fopen(mm_path, "w");
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

    TRIPLETS t = { 0 };
    ck_assert_msg(X(mm_read)(mm_path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    for (int k = 0; k < N; k++)
        ck_assert_msg(RE(t.val[k]) == from_text(text[k]), "%s", text[k]);
}

/* The parser of numbers alone on a million strings, compared with the C library: up to 40 digits, near ties
 * of both precisions, subnormal and huge numbers. */
TEST(rounding_of_a_million_numbers)
{
    uint64_t seed = 2463534242U + (uint64_t)_i;
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
        enum psb_scan found = _Generic((R)0, float : psb_scan_float, double : psb_scan_double)(&p, &got);
        R want = from_text(text);
        ck_assert_msg(!*p && (found == PSB_SCAN_OK) == !isinf(want), "%s", text);
        ck_assert_msg(memcmp(&got, &want, sizeof got) == 0, "%s", text);
    }
}

TEST(overflow_of_the_scalar)
{
    char file[256];
    int is_float = sizeof(R) == sizeof(float);
    const char *just_fits = is_float ? "3.40282356e38" : "1.797693134862315807e308";
    const char *too_much = is_float ? "3.4028236e38" : "1.7976931348623159e308";
    ck_assert(read_number(just_fits) == TMAX);
    write_mm_text(file, (size_t)snprintf(file, sizeof file, "%s1 1 1\n1 1 -%s\n", REAL_COO, too_much));
    check_mm_refused(mm_path, PSB_EIO, ":3:", too_much);
}

TEST(any_locale)
{
    T x[] = { MAKE(1.5, -0.25), MAKE(1e30, 7), MAKE(-2e-5, 1e-30) }, *y;
    psb_lpk m, n;
    if (!ck_decimal_comma())
        return;
    ck_assert(read_number("1.25000000000000000000000000000") == (R)1.25);
    ck_assert(read_number("1.17549435082228750000000e-38") == (R)1.1754943508222875e-38);
    ck_assert_int_eq(X(mm_write_array)(mm_path, 3, 1, x), PSB_OK);
    ck_assert_int_eq(X(mm_read_array)(mm_path, &m, &n, &y), PSB_OK);
    ck_assert(m == 3 && memcmp(y, x, sizeof x) == 0);
    psb_free(y);
    setlocale(LC_NUMERIC, "C");
}

void add_mm_numbers(TCase *c)
{
    ck_add_loop_tests(c, sizeof hard / sizeof *hard, rounding_of_hard_numbers);
    ck_add_tests(c, rounding_of_many_numbers);
    ck_add_loop_tests(c, 4, rounding_of_a_million_numbers);
    ck_add_tests(c, overflow_of_the_scalar, any_locale);
}
