/* number.c -- room: util.  Numbers read from text: rounded correctly, whatever the locale. */
#include "config.h"
#include "number.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 uint128;

enum {
    INT_DIGITS = 18,  /* any number of so many digits fits int64 */
    WORD_DIGITS = 19, /* and uint64 */
    FIVES = 27        /* 5^27 < 2^63 */
};

/* +-w * 10^e, where `kind` is EXACT */
struct decimal {
    enum { EXACT, LONG, INF, NOT_A_NUMBER } kind;
    int minus, e;
    uint64_t w;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Append to w the digits at s, and return their end. */
static const char *digits(const char *s, uint64_t *w)
{
    for (; is_digit(*s); s++)
        *w = 10 * *w + (uint64_t)(*s - '0');
    return s;
}

int psb_scan_word(const char **p, const char *word)
{
    const char *s = *p;
    for (; *word; s++, word++)
        if ((*s >= 'A' && *s <= 'Z' ? *s + 'a' - 'A' : *s) != *word)
            return 0;
    *p = s;
    return 1;
}

static int sign(const char **s)
{
    int minus = **s == '-';
    *s += minus || **s == '+';
    return minus;
}

enum psb_scan psb_scan_int(const char **p, int64_t *x)
{
    const char *s = *p, *all = s;
    uint64_t w = 0;
    int minus = sign(&s);
    const char *end = digits(s, &w);
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

/* The exponent at s, if one is there: "e-7".  Huge ones are all alike. */
static const char *exponent(const char *s, int *e)
{
    const char *t = s + 1;
    if (*s != 'e' && *s != 'E')
        return s;
    int n = 0, minus = sign(&t);
    if (!is_digit(*t))
        return s;
    for (; is_digit(*t); t++)
        n = n < 100000 ? 10 * n + (*t - '0') : n;
    *e += minus ? -n : n;
    return t;
}

/* Digits from s to end that count: a point and zeros in front do not. */
static long significant(const char *s, const char *end, long n)
{
    for (; s < end && (*s == '0' || *s == '.'); s++)
        n -= *s == '0';
    return n;
}

/* Read the digits, the point and the exponent at s.  Returns their end, s where there are none. */
static const char *decimal(const char *s, struct decimal *d)
{
    const char *end = digits(s, &d->w);
    long n = end - s, after_point = 0;
    if (*end == '.') {
        const char *point = end + 1;
        end = digits(point, &d->w);
        after_point = end - point;
    }
    n += after_point;
    if (!n)
        return s;
    if (n > WORD_DIGITS)
        n = significant(s, end, n);
    d->e = (int)-after_point;
    end = exponent(end, &d->e);
    d->kind = n > WORD_DIGITS || (d->w && abs(d->e) > FIVES) ? LONG : EXACT;
    return end;
}

/* Read a number of any kind.  Returns 0 where there is none. */
static int scan(const char **p, struct decimal *d)
{
    const char *s = *p;
    *d = (struct decimal){ .minus = sign(&s) };
    const char *end = decimal(s, d);
    if (end == s) {
        d->kind = psb_scan_word(&end, "nan") ? NOT_A_NUMBER : INF;
        if (d->kind == INF && !psb_scan_word(&end, "infinity") && !psb_scan_word(&end, "inf"))
            return 0;
    }
    *p = end;
    return 1;
}

static uint64_t power_of_five(int k)
{
    static const uint64_t low[] = { 1, 5, 25, 125, 625, 3125, 15625, 78125 };
    static const uint64_t high[] = { 1, 390625, 152587890625, 59604644775390625 };
    return low[k % 8] * high[k / 8];
}

/* w * 10^e = q * 2^*b, |e| <= FIVES, w > 0, with 64 bits of the quotient; the last of them is set where
 * anything was cut off, so that q still rounds as the whole number would. */
static uint64_t binary(uint64_t w, int e, int *b)
{
    uint128 q = w;
    int cut = 0, up = 0;
    if (e >= 0) {
        q *= power_of_five(e);
    } else {
        uint64_t five = power_of_five(-e);
        up = 64 + __builtin_clzll(w);
        q <<= up;
        cut = q % five != 0;
        q /= five;
    }
    uint64_t high = (uint64_t)(q >> 64);
    int down = high ? 64 - __builtin_clzll(high) : 0;
    cut |= (q & (((uint128)1 << down) - 1)) != 0;
    *b = e - up + down;
    return (uint64_t)(q >> down) | (uint64_t)cut;
}

/* Clinger (1990): where w and 10^|e| are exact, one operation rounds once. */
static double nearest_double(uint64_t w, int e)
{
    static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    int b;
    if (FLT_EVAL_METHOD == 0 && w <= (uint64_t)1 << DBL_MANT_DIG && abs(e) <= 22)
        return e < 0 ? (double)w / ten[-e] : (double)w * ten[e];
    if (!w)
        return 0;
    double q = (double)binary(w, e, &b);
    return ldexp(q, b);
}

static float nearest_float(uint64_t w, int e)
{
    static const float ten[] = { 1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F, 1e8F, 1e9F, 1e10F };
    int b;
    if (FLT_EVAL_METHOD == 0 && w <= (uint64_t)1 << FLT_MANT_DIG && abs(e) <= 10)
        return e < 0 ? (float)w / ten[-e] : (float)w * ten[e];
    if (!w)
        return 0;
    float q = (float)binary(w, e, &b);
    return ldexpf(q, b);
}

enum psb_scan psb_scan_double(const char **p, locale_t c, double *x)
{
    struct decimal d;
    const char *all = *p;
    if (!scan(p, &d))
        return PSB_SCAN_NONE;
    double y = d.kind == EXACT ? nearest_double(d.w, d.e) : fabs(strtod_l(all, NULL, c));
    *x = d.minus ? -y : y;
    return isinf(y) && d.kind != INF ? PSB_SCAN_RANGE : PSB_SCAN_OK;
}

enum psb_scan psb_scan_float(const char **p, locale_t c, float *x)
{
    struct decimal d;
    const char *all = *p;
    if (!scan(p, &d))
        return PSB_SCAN_NONE;
    float y = d.kind == EXACT ? nearest_float(d.w, d.e) : fabsf(strtof_l(all, NULL, c));
    *x = d.minus ? -y : y;
    return isinf(y) && d.kind != INF ? PSB_SCAN_RANGE : PSB_SCAN_OK;
}
