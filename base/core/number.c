/* number.c -- base/core: numbers read from text and written as text, the same in every locale. */
#include "config.h"
#include "number.h"
#include "psb_simd.h"
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fives.h"

__extension__ typedef unsigned __int128 uint128;

enum {
    INT_DIGITS = 18, /* any number of this many digits fits int64 */
    WORD_DIGITS = 19 /* any number of this many digits fits uint64 */
};

/* +-w * 10^e; if `kind` is LONG, w * 10^e <= |x| < (w + 1) * 10^e */
struct decimal {
    enum { EXACT, LONG, INF, NOT_A_NUMBER } kind;
    bool minus;
    int e;
    uint64_t w;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whether the 8 characters of x are digits; value_of returns their value.  The word holds all 8, the
 * first in its lowest byte.  Method: Lemire. */
static bool are_digits(uint64_t x)
{
    return ((x & (x + UINT64_C(0x0606060606060606))) & UINT64_C(0xf0f0f0f0f0f0f0f0)) ==
           UINT64_C(0x3030303030303030);
}
static uint64_t value_of(uint64_t x)
{
    x = (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) * 2561 >> 8;
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
    return (x & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
}

/* Append the digits at s to w, and return their end. */
static const char *read_digits(const char *s, uint64_t *w)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (uint64_t x; memcpy(&x, s, sizeof x), are_digits(x); s += sizeof x)
        *w = 100000000 * *w + value_of(x);
#endif
    for (; is_digit(*s); s++)
        *w = 10 * *w + (uint64_t)(*s - '0');
    return s;
}

bool psb_scan_word(const char **p, const char *word)
{
    const char *s = *p;
    for (; *word; s++, word++)
        if ((*s >= 'A' && *s <= 'Z' ? *s + 'a' - 'A' : *s) != *word)
            return false;
    *p = s;
    return true;
}

static bool sign(const char **s)
{
    const bool minus = **s == '-';
    *s += minus || **s == '+';
    return minus;
}

enum psb_scan psb_scan_int(const char **p, int64_t *x)
{
    const char *s = *p, *all = s;
    uint64_t w = 0;
    const bool minus = sign(&s);
    const char *end = read_digits(s, &w);
    if (end == s)
        return PSB_SCAN_NONE;
    *p = end;
    if (end - s <= INT_DIGITS) {
        *x = minus ? -(int64_t)w : (int64_t)w;
        return PSB_SCAN_OK;
    }
    errno = 0;
    *x = strtoll(all, NULL, 10);
    return errno ? PSB_SCAN_RANGE : PSB_SCAN_OK;
}

/* Add the exponent at s, such as "e-7", if there is one.  Exponents beyond 100000 are not distinguished. */
static const char *read_exponent(const char *s, int *e)
{
    const char *t = s + 1;
    if (*s != 'e' && *s != 'E')
        return s;
    const bool minus = sign(&t);
    int n = 0;
    if (!is_digit(*t))
        return s;
    for (; is_digit(*t); t++)
        n = n < 100000 ? 10 * n + (*t - '0') : n;
    *e += minus ? -n : n;
    return t;
}

/* Returns the number of significant digits from s to end, of n: without point and leading zeros. */
static long significant(const char *s, const char *end, long n)
{
    for (; s < end && (*s == '0' || *s == '.'); s++)
        n -= *s == '0';
    return n;
}

/* Set w to the first significant digits from s to end, as many as fit a word; returns the number of the
 * others. */
static long first_digits(const char *s, const char *end, uint64_t *w)
{
    long n = 0, left_out = 0;
    for (*w = 0; s < end; s++) {
        if (*s == '.')
            continue;
        left_out += n == WORD_DIGITS;
        if (n < WORD_DIGITS)
            *w = 10 * *w + (uint64_t)(*s - '0');
        n += n < WORD_DIGITS && *w;
    }
    return left_out;
}

/* Read the digits, the point and the exponent at s.  Returns their end, or s if there are none. */
static const char *read_decimal(const char *s, struct decimal *d)
{
    const char *end = read_digits(s, &d->w);
    long n = end - s, after_point = 0;
    if (*end == '.') {
        const char *point = end + 1;
        end = read_digits(point, &d->w);
        after_point = end - point;
    }
    n += after_point;
    if (!n)
        return s;
    if (n > WORD_DIGITS && significant(s, end, n) > WORD_DIGITS) {
        d->kind = LONG;
        after_point -= first_digits(s, end, &d->w);
    }
    d->e = (int)-after_point;
    return read_exponent(end, &d->e);
}

/* Read a number of any kind.  Returns false if there is none. */
static bool scan_number(const char **p, struct decimal *d)
{
    const char *s = *p;
    *d = (struct decimal){ .minus = sign(&s) };
    const char *end = read_decimal(s, d);
    if (end == s) {
        d->kind = psb_scan_word(&end, "nan") ? NOT_A_NUMBER : INF;
        if (d->kind == INF && !psb_scan_word(&end, "infinity") && !psb_scan_word(&end, "inf"))
            return false;
    }
    *p = end;
    return true;
}

/* A binary format. */
struct binary {
    int mantissa;        /* explicit bits of the mantissa */
    int least, infinite; /* biased exponents of 0, which is `least`, and of infinity */
    int tie[2];          /* w * 10^q can lie half way between two numbers only for tie[0] <= q <= tie[1] */
};
static const struct binary to_double = { 52, -1023, 0x7ff, { -4, 23 } };
static const struct binary to_float = { 23, -127, 0xff, { -17, 10 } };

/* The leading 128 bits of w * 5^q, where w has its first bit set; bits of the low word may be wrong if they
 * do not matter. */
static uint128 times_five(uint64_t w, int q, int bits)
{
    const uint64_t *five = psb_fives[q - PSB_FIVE_FIRST];
    uint128 x = (uint128)w * five[0];
    uint64_t unsure = UINT64_MAX >> (bits + 3);
    if (((uint64_t)(x >> 64) & unsure) == unsure)
        x += ((uint128)w * five[1]) >> 64;
    return x;
}

/* Returns the bits of w * 10^q, w > 0, rounded to nearest, ties to even; 0 if they are not certain: q is not
 * in the table, or the number is outside the format's normal range.  Method: Eisel and Lemire (2020), in
 * Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience 51 (2021). */
static uint64_t nearest(uint64_t w, int q, const struct binary *f)
{
    if (q < PSB_FIVE_FIRST || q > PSB_FIVE_LAST)
        return 0;
    int lead = __builtin_clzll(w);
    uint128 x = times_five(w << lead, q, f->mantissa);
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    int upper = (int)(high >> 63), shift = upper + 64 - f->mantissa - 3;
    uint64_t m = high >> shift;
    int e = (int)((((152170 + 65536) * (int64_t)q) >> 16) + 63) + upper - lead - f->least;
    if (e <= 0)
        return 0;
    if (low <= 1 && q >= f->tie[0] && q <= f->tie[1] && (m & 3) == 1 && m << shift == high)
        m &= ~UINT64_C(1); /* half way, and the number below is even */
    m = (m + (m & 1)) >> 1;
    if (m >> (f->mantissa + 1)) {
        m >>= 1;
        e++;
    }
    if (e >= f->infinite)
        return 0;
    return (m & ~(UINT64_C(1) << f->mantissa)) | (uint64_t)e << f->mantissa;
}

/* Returns the bits of *d, which is not 0; 0 if they are not certain.  If *d has more digits than d->w, they
 * are certain if w and w + 1 round to the same number. */
static uint64_t bits_of(const struct decimal *d, const struct binary *f)
{
    uint64_t bits = nearest(d->w, d->e, f);
    return d->kind == EXACT || (d->w < UINT64_MAX && nearest(d->w + 1, d->e, f) == bits) ? bits : 0;
}

static double ten_to(int e)
{
    static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    return ten[e];
}

/* The number at s, by the C library; rare.  A C library offers the locale "C" without memory. */
static double by_library(const char *s, bool single)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const double y = !c ? NAN : single ? (double)strtof_l(s, NULL, c) : strtod_l(s, NULL, c);
    if (c)
        freelocale(c);
    return fabs(y);
}

/* Convert *d, a number whose digits are at s, to double or to a float.  Clinger (1990): if w and 10^|e| are
 * exact, one operation rounds once. */
PSB_INLINE double nearest_real(const struct decimal *d, const char *s, bool single)
{
    const int digits = single ? FLT_MANT_DIG : DBL_MANT_DIG, most = single ? 10 : 22;
    double y;
    float z;
    if (!d->w && d->kind == EXACT)
        return 0;
    if (FLT_EVAL_METHOD == 0 && d->kind == EXACT && d->w <= (uint64_t)1 << digits && abs(d->e) <= most) {
        const double w = (double)d->w, ten = ten_to(abs(d->e));
        if (single)
            return (double)(d->e < 0 ? (float)w / (float)ten : (float)w * (float)ten);
        return d->e < 0 ? w / ten : w * ten;
    }
    const uint64_t bits = bits_of(d, single ? &to_float : &to_double);
    const uint32_t low = (uint32_t)bits;
    if (!bits)
        return by_library(s, single);
    memcpy(&y, &bits, sizeof y);
    memcpy(&z, &low, sizeof z);
    return single ? (double)z : y;
}

PSB_INLINE enum psb_scan scan_real(const char **p, bool single, double *x)
{
    struct decimal d;
    const char *all = *p;
    if (!scan_number(p, &d))
        return PSB_SCAN_NONE;
    const double y = d.kind <= LONG ? nearest_real(&d, all, single) : d.kind == INF ? (double)INFINITY : NAN;
    *x = d.minus ? -y : y;
    return d.kind <= LONG && !isfinite(y) ? PSB_SCAN_RANGE : PSB_SCAN_OK;
}

enum psb_scan psb_scan_double(const char **p, double *x)
{
    return scan_real(p, false, x);
}

enum psb_scan psb_scan_float(const char **p, float *x)
{
    double y;
    const enum psb_scan found = scan_real(p, true, &y);
    if (found != PSB_SCAN_NONE)
        *x = (float)y;
    return found;
}

/* --- text ----------------------------------------------------------------------------------------------- */

enum { LONGEST_TEXT = 200, BEYOND = 8 }; /* characters of a word; those that may be read after it */

/* Copy the text, and zeros after it.  Returns false if it is too long. */
static bool copy_text(const char *text, char word[LONGEST_TEXT + BEYOND])
{
    const size_t n = strlen(text);
    if (n >= LONGEST_TEXT)
        return false;
    memcpy(word, text, n);
    memset(word + n, 0, LONGEST_TEXT + BEYOND - n);
    return true;
}

bool psb_read_number(const char *text, double *x)
{
    char word[LONGEST_TEXT + BEYOND];
    const char *p = word;
    double y;
    if (!copy_text(text, word) || psb_scan_double(&p, &y) != PSB_SCAN_OK || *p)
        return false;
    *x = y;
    return true;
}

bool psb_read_integer(const char *text, int64_t *x)
{
    char word[LONGEST_TEXT + BEYOND];
    const char *p = word;
    int64_t y;
    if (!copy_text(text, word) || psb_scan_int(&p, &y) != PSB_SCAN_OK || *p)
        return false;
    *x = y;
    return true;
}

int psb_print_number(char text[PSB_NUMBER], int digits, double x)
{
    int n = snprintf(text, PSB_NUMBER, "%.*g", digits, x);
    char *point = text + strspn(text, "+-0123456789"), *rest = point;
    if (!isfinite(x) || !*point || *point == 'e')
        return n;
    while (!is_digit(*rest))
        rest++;
    *point = '.';
    memmove(point + 1, rest, strlen(rest) + 1);
    return n - (int)(rest - point - 1);
}

void psb_print_shortest(char text[PSB_NUMBER], double x)
{
    double y;
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
        psb_print_number(text, digits, x);
        if (psb_read_number(text, &y) && y == x)
            return;
    }
}
