/* band_parts.h -- base/device: how long tridiagonal systems are divided, for the host and, in CUDA, for a
 * device; see part_steps.h.  Nothing here depends on the device or on threads. */
#ifndef BAND_PARTS_H
#define BAND_PARTS_H
#include <stdbool.h>
#include "psb_vec_types.h"
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

enum {
    PART_ROWS = 23,    /* of a part: 32 parts in double complex have 46 KB of shared memory; odd, so that
                          neighbouring threads use other banks */
    PART_JOIN = 8,     /* blocks of a level that become one of the next level */
    PART_BLOCK = 10,   /* elements of a block: two equations of five */
    PART_SLOTS = 13,   /* elements kept for a block that was joined */
    PART_LEVELS = 12,  /* enough for 2^31 rows */
    PART_FROM = 512,   /* rows from which on there are parts: fewer make less than one block of threads */
    PART_BELOW = 12288, /* pairs from which on two threads each need less time: parts need more work */
    SIDES_FROM = 16,   /* rows from which on a system is eliminated from both sides */
};

/* Diagonals on each side in the order of elimination; elements beside the diagonal, which is 1, that are kept
 * of a row of the triangle. */
PSB_EVERYWHERE int band_width(const struct psb_band *b)
{
    return b->periodic ? 2 * b->width : b->width;
}

PSB_EVERYWHERE int band_kept(int w, bool pivot)
{
    return (pivot ? 2 : 1) * w;
}

/* The sides from which a system is eliminated; the unknowns that are eliminated from a side. */
PSB_EVERYWHERE int band_sides(const struct psb_band *b)
{
    return !b->periodic && b->n >= SIDES_FROM ? 2 : 1;
}

PSB_EVERYWHERE psb_epk band_rows_of(const struct psb_band *b, int w, int side)
{
    const psb_epk between = (psb_epk)b->n - 2 * w;
    return band_sides(b) == 1 ? b->n : side ? between - between / 2 : between / 2;
}

/* Systems with their right-hand sides are pairs.  Level 0 has a block for each part. */
struct band_parts {
    struct psb_band b;
    psb_epk pairs;
    bool across; /* are neighbouring elements of different systems? */
    int levels;  /* the last one has one block */
    psb_epk blocks[PART_LEVELS];
    psb_epk at[PART_LEVELS]; /* where elements of a level begin in the store */
    psb_epk len;             /* elements of the store */
};

static inline bool band_has_parts(const struct psb_band *b)
{
    return b->width == 1 && b->n >= PART_FROM && (psb_epk)b->systems * b->nrhs < PART_BELOW;
}

static inline void band_divide(const struct psb_band *b, struct band_parts *p)
{
    psb_epk k = ((psb_epk)b->n + PART_ROWS - 1) / PART_ROWS;
    p->b = *b;
    p->pairs = (psb_epk)b->systems * b->nrhs;
    p->across = b->systems > 1 && b->system < b->row;
    p->levels = 0;
    p->len = 0;
    do {
        p->blocks[p->levels] = k;
        p->at[p->levels] = p->len;
        k = (k + PART_JOIN - 1) / PART_JOIN;
        p->len += PART_SLOTS * PART_JOIN * k * p->pairs;
    } while (p->blocks[p->levels++] > 1);
}
#endif
