/* psb_hacks.h -- ext: hacks: groups of equally many consecutive rows; the last hack may have fewer. */
#ifndef PSB_HACKS_H
#define PSB_HACKS_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Gaps of a stored diagonal, i.e. rows of its hack without an entry on it, although within the matrix: there
 * are none; the rows whose value is 0; the rows whose bit is not set (entries may be 0 too). */
enum psb_gaps { PSB_NO_GAPS, PSB_ZEROS_ARE_GAPS, PSB_GAPS_BY_BITS };

struct psb_hacks {
    psb_ipk m, n; /* rows, hacks */
    psb_epk rows; /* rows of a hack */
    psb_epk *off; /* where each hack begins, n + 1 elements, in the unit of the format */
};

/* The rows of a hack that has all m rows: m rounded up to a cache line of indices. */
static inline psb_epk psb_hack_of_all(psb_ipk m)
{
    const psb_epk line = 64 / (psb_epk)sizeof(psb_ipk);
    return (m + line - 1) / line * line;
}

/* *g = hacks of `hack` rows, the mold's member, but at most m rounded up to a multiple of 64; if `hack` is 0,
 * a single one of `whole` rows.  The caller sets off.  PSB_EARG if `hack` is negative. */
PSB_MUST_CHECK psb_err psb_hacks_of(psb_ipk m, psb_ipk hack, psb_epk whole, struct psb_hacks *g);

/* The first row of thread t of p (m for t == p): whole hacks, divided evenly by stored elements; a single
 * hack is divided evenly by rows. */
psb_ipk psb_hacks_first_row(const struct psb_hacks *g, int t, int p);

/* Number of rows from r on, at most `most`, in the hack of r and before row `end`. */
static inline psb_ipk psb_hacks_strip(const struct psb_hacks *g, psb_ipk r, psb_ipk end, psb_ipk most)
{
    psb_epk left = g->rows - r % g->rows, n = left < end - r ? left : end - r;
    return n < most ? (psb_ipk)n : most;
}
PSB_END_C
#endif
