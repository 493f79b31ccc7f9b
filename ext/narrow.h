/* narrow.h -- ext: numbers in half precision and bfloat16, in 16 bits. */
#ifndef PSB_NARROW_H
#define PSB_NARROW_H
#include <math.h>
#include <stdint.h>
#include <string.h>

/* v rounded to `digits` binary digits, ties to even; the smallest normal number is 2^least. */
static inline double psb_round_to(double v, int digits, int least)
{
    int e;
    if (v == 0 || !isfinite(v))
        return v;
    frexp(v, &e);
    const int unit = (e - 1 < least ? least : e - 1) - (digits - 1);
    return ldexp(rint(ldexp(v, -unit)), unit);
}

/* r, a number of half precision, or one that is beyond its range, which becomes infinite. */
static inline uint16_t psb_half_of(double r)
{
    const unsigned sign = signbit(r) ? 0x8000 : 0;
    const double a = fabs(r);
    int e;
    if (a != a)
        return (uint16_t)(sign | 0x7e00);
    if (a > 65504)
        return (uint16_t)(sign | 0x7c00);
    if (a < 0x1p-14)
        return (uint16_t)(sign | (unsigned)(a * 0x1p24));
    const double m = frexp(a, &e);
    return (uint16_t)(sign | (((unsigned)(e + 14) << 10) + ((unsigned)(m * 2048) - 1024)));
}

static inline float psb_from_bits(uint32_t w)
{
    float f;
    memcpy(&f, &w, sizeof f);
    return f;
}

/* The exponent is too small by 112 after the shift, also in subnormal numbers. */
static inline float psb_of_half(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    uint32_t w;
    const float f = psb_from_bits(rest) * 0x1p112f;
    memcpy(&w, &f, sizeof w);
    return psb_from_bits((rest >= 0x0f800000 ? rest | 0x7f800000 : w) | sign);
}

/* The same for bfloat16: the first 16 bits of a number of single precision. */
static inline uint16_t psb_bfloat16_of(double r)
{
    const float f = (float)r;
    uint32_t w;
    memcpy(&w, &f, sizeof w);
    return (uint16_t)(r != r ? (w >> 16 & 0x8000) | 0x7fc0 : w >> 16);
}

static inline float psb_of_bfloat16(uint16_t h)
{
    return psb_from_bits((uint32_t)h << 16);
}
#endif
