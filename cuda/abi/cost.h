/* cost.h -- room: cuda/abi.  The time of a product on a device, forecast from what the matrix is like.
 *
 * The time is that of the launches, plus the longer of two: the time in which all threads together move and
 * add everything, and the time in which one thread processes the longest chain of dependent loads.  Each is a
 * sum of terms times factors, which test/kernel/fit_autog.py fits to measured products. */
#ifndef PSB_COST_H
#define PSB_COST_H

/* The formats with a forecast. */
enum psb_costed {
    PSB_COST_CSRG,
    PSB_COST_HLG,
    PSB_COST_ELG,
    PSB_COST_HYBG,
    PSB_COST_DIAG,
    PSB_COST_HDIAG,
    PSB_COST_BSRG,
    PSB_COST_HLGP,
    PSB_COST_FORMATS
};

struct psb_cost_terms {
    double second;  /* 1 if there is a second launch, else 0 */
    double bytes;   /* of the format's arrays, without padding, but with that in the sectors of entries */
    double padding; /* bytes of other padding */
    double vectors; /* bytes of x and y */
    double rows;
    double sectors; /* of x (see locality.h) that warps of 32 rows read, at most `misses` */
    double misses;  /* reads of x that the first-level cache does not serve, see locality.h */
    double far;     /* sectors that are beyond the second-level cache */
    double parts;   /* blocks of BSR, their columns or their values, see autog.c; entries of HYB's COO,
                       diagonals of all hacks, rows of a ragged HLL, slots of packed columns */
    double chain;   /* loads that a thread waits for one after the other; packed columns: see autog.c */
};

/* Nanoseconds per unit of each term.  Arrays in the second-level cache: `cached` replaces `bytes`, and
 * far_chain does not count. */
struct psb_cost_factors {
    double launch, second, bytes, cached, padding, vectors, rows, sectors, misses, far, parts, chain,
        far_chain;
};

/* What was measured on one machine. */
struct psb_cost_machine {
    const char *name;
    double gbs;                                           /* bandwidth of its memory, GB/s */
    struct psb_cost_factors factors[PSB_COST_FORMATS][4]; /* scalars s, d, c, z */
};

/* Forecast for a device whose memory has this bandwidth, GB/s, by the machine that is nearest; 0: there is no
 * device, forecast for the first machine.  Local. */
void psb_cost_for(double gbs);

/* Sectors beyond the cache: how many of `sectors`, if the sectors of a group of rows are `reach` bytes
 * apart. */
double psb_cost_far(double sectors, double reach);

/* The forecast, in nanoseconds, for the scalar 's', 'd', 'c' or 'z'. */
double psb_cost_ns(enum psb_costed format, char scalar, const struct psb_cost_terms *t);
#endif
