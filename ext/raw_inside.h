/* raw_inside.h -- ext: shared by the files that import and export arrays of other libraries. */
#ifndef RAW_INSIDE_H
#define RAW_INSIDE_H
#include "psb_raw.h"
#include "psb_search.h"

static inline void raw_put(void *p, int bits, psb_epk k, psb_epk v)
{
    if (bits == 32)
        ((int32_t *)p)[k] = (int32_t)v;
    else
        ((int64_t *)p)[k] = v;
}

/* n / size, rounded up. */
static inline psb_epk raw_parts(psb_ipk n, psb_ipk size)
{
    return ((psb_epk)n + size - 1) / size;
}

/* Slot k of row i in ELL. */
static inline psb_epk raw_slot(const struct psb_raw *r, psb_epk i, psb_epk k)
{
    return r->order == PSB_BY_COLS ? i + k * r->m : i * r->width + k;
}

/* Element (i, j) of a block. */
static inline psb_epk raw_in_block(const struct psb_raw *r, psb_epk brows, psb_epk bcols, psb_epk i,
                                   psb_epk j)
{
    return r->order == PSB_BY_COLS ? i + j * brows : i * bcols + j;
}

/* Check the members of r that the caller of an export chooses: all but the sizes. */
PSB_MUST_CHECK psb_err psb_raw_choices(const struct psb_raw *r);

/* Check that the offsets off[0..n] begin at the base, do not decrease, differ by multiples of `step`, and end
 * at base + total. */
PSB_MUST_CHECK psb_err psb_raw_offsets(const struct psb_raw *r, const void *off, psb_epk n, psb_epk step,
                                       psb_epk total);

/* Check that argument `arg` has every array that has elements; p: off, row, col, val, ell_col, ell_val. */
PSB_MUST_CHECK psb_err psb_raw_arrays_given(const struct psb_raw_sizes *len, const char *arg,
                                            const void *const *p);
#endif
