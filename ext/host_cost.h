/* host_cost.h -- room: ext.  The time of a product on the host, forecast from what the kernel does.
 *
 * A sum of terms times factors, which test/kernel/fit_auto.py fits to measured products, for each kind of
 * kernel, scalar, level of vector instructions and vendor of the processor. */
#ifndef PSB_HOST_COST_H
#define PSB_HOST_COST_H
#include "psb_mat.h"
#include "psb_lang.h"
#include <stddef.h>
PSB_BEGIN_C

/* Entries whose element of x is not in a first-level cache that holds nothing else, and those for which it is
 * not in a second-level cache either. */
struct psb_misses {
    double near, far;
};

struct psb_host_terms {
    double lines, steps, changes, parts; /* as in psb_forecast */
    double near, far;                    /* as in psb_misses */
    double bytes;                        /* of the format's arrays, x and y */
    /* the same; less, down to none, if they are about to fit in the second-level, the third-level cache */
    double beyond2, beyond3;
};

/* Nanoseconds per unit of each term. */
struct psb_host_factors {
    double lines, steps, changes, parts, near, far, bytes, beyond2, beyond3;
};

/* Nanoseconds of one thread: for loops and their steps, for waiting for x, and for memory. */
struct psb_host_ns {
    double core, x, memory;
};

/* The misses of nz entries whose columns are idx[k], in the order of the rows; elements of x have `size`
 * bytes. */
struct psb_misses psb_misses_of(psb_epk nz, const psb_ipk *idx, size_t size);

/* vectors: bytes of x and y. */
struct psb_host_terms psb_host_terms_of(const struct psb_forecast *f, const struct psb_misses *m,
                                        double vectors);

/* The forecast for the scalar 's', 'd', 'c' or 'z', the level of vector instructions in use and this
 * processor; vectors: bytes of x and y. */
struct psb_host_ns psb_host_ns_of(const struct psb_forecast *f, char scalar, const struct psb_misses *m,
                                  double vectors);
PSB_END_C
#endif
