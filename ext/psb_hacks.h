/* psb_hacks.h -- room: ext.  Rows in hacks: equally many in each, but in the last what is left. */
#ifndef PSB_HACKS_H
#define PSB_HACKS_H
#include "psb_err.h"
#include "psb_int.h"

/* What a stored diagonal lacks within its hack and the matrix: nothing; the rows where its value is 0; those
 * whose bits are not set, and others' values may be 0. */
enum psb_gaps { PSB_NO_GAPS, PSB_ZEROS_ARE_GAPS, PSB_GAPS_BY_BITS };

struct psb_hacks {
    psb_ipk m, n; /* rows, hacks */
    psb_epk rows; /* of a hack */
    psb_epk *off; /* where each hack begins, n + 1, in what the format counts by */
};

/* Hacks of `hack` rows, what a mold asks for, but of no more than m rounded up to a multiple of 64; or, where
 * it is 0, one of `whole` rows; off is the caller's.
 * PSB_EARG. */
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
#endif
