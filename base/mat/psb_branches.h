/* psb_branches.h -- room: base/mat.  How many branches at the ends of inner loops are mispredicted, for
 * forecasts. */
#ifndef PSB_BRANCHES_H
#define PSB_BRANCHES_H
#include "psb_int.h"

enum { PSB_CONTEXTS = 512 };

/* A guess for each context, the lengths of the last three loops; a guess that was right is not given up the
 * first time that it is wrong.  Starts as all zeros. */
struct psb_branches {
    psb_epk wrong, guess[PSB_CONTEXTS];
    unsigned char sure[PSB_CONTEXTS];
    unsigned at;
};

/* Count a loop of n steps. */
static inline void psb_branch(struct psb_branches *b, psb_epk n)
{
    const unsigned i = b->at;
    if (b->guess[i] == n) {
        b->sure[i] = 1;
    } else {
        b->wrong++;
        b->guess[i] = b->sure[i] ? b->guess[i] : n;
        b->sure[i] = 0;
    }
    b->at = (i << 3 ^ ((unsigned)n & 7) ^ ((unsigned)n >> 3 & 63)) % PSB_CONTEXTS;
}
#endif
