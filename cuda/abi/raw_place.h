/* raw_place.h -- cuda/abi: checks of arrays of other libraries on a device, and where their elements belong:
 * the same functions for C and CUDA.  Layouts: see psb_raw.h. */
#ifndef PSB_RAW_PLACE_H
#define PSB_RAW_PLACE_H
#include "psb_raw.h"
#include <stdbool.h>
#ifdef __CUDACC__
#define PSB_EITHER static __host__ __device__ __forceinline__
#else
#define PSB_EITHER static inline
#endif

/* Arrays in device memory, in any layout but PSB_RAW_HYB, which is two: ELL and COO. */
struct psb_raw_dev {
    struct psb_raw r;
    const void *off, *row, *col, *val;
};

/* A check of n integers of `bits` bits.  Offsets begin at `base`, do not decrease, differ by multiples of
 * `step`, and end at `end`; indices are at least `base` and less than `end`; or they ascend in each of
 * `lines` lines that begin at off[0..lines], of 64 bits from 0. */
enum psb_raw_rule { PSB_RAW_OFFSETS, PSB_RAW_INDICES, PSB_RAW_ASCENDING };
struct psb_raw_check {
    enum psb_raw_rule rule;
    const void *p;
    int bits;
    psb_epk n, base, step, end, lines;
    const psb_epk *off;
};

PSB_EITHER psb_epk psb_raw_int(const void *p, int bits, psb_epk k)
{
    return bits == 32 ? ((const int32_t *)p)[k] : ((const int64_t *)p)[k];
}

/* The last of n lines whose offset, from `base`, is not above k. */
PSB_EITHER psb_epk psb_raw_line(const void *off, int bits, int base, psb_epk n, psb_epk k)
{
    psb_epk lo = 0;
    while (n - lo > 1) {
        const psb_epk mid = lo + (n - lo) / 2;
        if (psb_raw_int(off, bits, mid) - base <= k)
            lo = mid;
        else
            n = mid;
    }
    return lo;
}

/* Does element k break the rule? */
PSB_EITHER bool psb_raw_is_bad(const struct psb_raw_check *c, psb_epk k)
{
    const psb_epk v = psb_raw_int(c->p, c->bits, k);
    if (c->rule == PSB_RAW_INDICES)
        return v < c->base || v >= c->end;
    if (c->rule == PSB_RAW_ASCENDING)
        return k > 0 && v <= psb_raw_int(c->p, c->bits, k - 1) &&
               c->off[psb_raw_line(c->off, 64, 0, c->lines, k)] != k;
    if (k == 0)
        return v != c->base || (c->n == 1 && v != c->end);
    const psb_epk before = psb_raw_int(c->p, c->bits, k - 1);
    return before < c->base || v < before || v > c->end || (v - before) % c->step != 0 ||
           (k == c->n - 1 && v != c->end);
}

/* i as an index: 2^31 - 1 for all that are larger. */
PSB_EITHER psb_ipk psb_raw_short(psb_epk i)
{
    return (psb_ipk)(i < INT32_MAX ? i : INT32_MAX);
}

/* What an element of the values is. */
enum psb_raw_kind { PSB_RAW_ENTRY, PSB_RAW_PADDING, PSB_RAW_BAD };

/* *j = element k of the indices p, of `size` rows or columns each, plus `more`. */
PSB_EITHER enum psb_raw_kind psb_raw_index(const struct psb_raw *r, const void *p, psb_epk k, bool pads,
                                           psb_epk size, psb_epk more, psb_epk *j)
{
    const psb_epk v = psb_raw_int(p, r->idx_bits, k);
    const bool is = v >= r->base && v - r->base <= INT32_MAX;
    *j = is ? (v - r->base) * size + more : -1;
    return is ? PSB_RAW_ENTRY : pads && v == -1 ? PSB_RAW_PADDING : PSB_RAW_BAD;
}

/* The row and column of element p of the values, which may be outside of the matrix. */
PSB_EITHER enum psb_raw_kind psb_raw_place(const struct psb_raw_dev *q, psb_epk p, psb_epk *i, psb_epk *j)
{
    const struct psb_raw *r = &q->r;
    const psb_epk size = r->brows, slice = r->slice, width = r->width;
    const psb_epk block = size * (r->layout == PSB_RAW_BSR ? r->bcols : size);
    const bool by_cols = r->order == PSB_BY_COLS;
    psb_epk mb, in, s;
    switch (r->layout) {
    case PSB_RAW_COO:
        return psb_raw_index(r, q->row, p, false, 1, 0, i) == PSB_RAW_BAD
                   ? PSB_RAW_BAD
                   : psb_raw_index(r, q->col, p, false, 1, 0, j);
    case PSB_RAW_COO_AOS:
        return psb_raw_index(r, q->row, 2 * p, false, 1, 0, i) == PSB_RAW_BAD
                   ? PSB_RAW_BAD
                   : psb_raw_index(r, q->row, 2 * p + 1, false, 1, 0, j);
    case PSB_RAW_CSR:
        *i = psb_raw_line(q->off, r->off_bits, r->base, r->m, p);
        return psb_raw_index(r, q->col, p, false, 1, 0, j);
    case PSB_RAW_CSC:
        *j = psb_raw_line(q->off, r->off_bits, r->base, r->n, p);
        return psb_raw_index(r, q->row, p, false, 1, 0, i);
    case PSB_RAW_ELL:
        *i = by_cols ? p % r->m : p / width;
        return psb_raw_index(r, q->col, p, true, 1, 0, j);
    case PSB_RAW_SELL:
        s = psb_raw_line(q->off, r->off_bits, r->base, (r->m + slice - 1) / slice, p);
        *i = s * slice + (p - psb_raw_int(q->off, r->off_bits, s) + r->base) % slice;
        return psb_raw_index(r, q->col, p, true, 1, 0, j);
    case PSB_RAW_BSR:
        mb = ((psb_epk)r->m + size - 1) / size;
        in = p % block;
        *i = psb_raw_line(q->off, r->off_bits, r->base, mb, p / block) * size +
             (by_cols ? in % size : in / r->bcols);
        return psb_raw_index(r, q->col, p / block, false, r->bcols, by_cols ? in / size : in % r->bcols, j);
    case PSB_RAW_BELL:
        *i = p / (width * size);
        return psb_raw_index(r, q->col, *i / size * width + p / size % width, true, size, p % size, j);
    default: /* PSB_RAW_BELL_BLOCKS */
        mb = ((psb_epk)r->m + size - 1) / size;
        in = p % block;
        *i = p / block % mb * size + (by_cols ? in % size : in / size);
        return psb_raw_index(r, q->col, p / block, true, size, by_cols ? in / size : in % size, j);
    }
}

/* The kind of element p, whose value is 0 if `zero`: in blocks no entry, unless r.zeros says so. */
PSB_EITHER enum psb_raw_kind psb_raw_kind_of(const struct psb_raw_dev *q, psb_epk p, bool zero, psb_epk *i,
                                             psb_epk *j)
{
    const struct psb_raw *r = &q->r;
    const bool blocks = r->layout == PSB_RAW_BSR || r->layout == PSB_RAW_BELL ||
                        r->layout == PSB_RAW_BELL_BLOCKS;
    const enum psb_raw_kind kind = psb_raw_place(q, p, i, j);
    const bool inside = *i < r->m && *j < r->n;
    if (kind != PSB_RAW_ENTRY)
        return kind;
    if (blocks && zero && !(inside && r->zeros))
        return PSB_RAW_PADDING;
    return inside ? PSB_RAW_ENTRY : PSB_RAW_BAD;
}
#endif
