/* psb_factor.h -- linsolve: incomplete factors: kinds and options. */
#ifndef PSB_FACTOR_H
#define PSB_FACTOR_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* ILU(0); modified ILU(0), which adds dropped fill to the diagonal so that row sums are kept; ILU(k), fill of
 * level <= k; ILUT, fill by size; incomplete Cholesky without fill; ILU(0) and IC(0) of square blocks: a
 * block is kept where A has an entry in it, and on the diagonal.  The kinds of Cholesky read only the lower
 * triangle of A. */
typedef enum psb_factor_kind {
    PSB_ILU0,
    PSB_MILU0,
    PSB_ILUK,
    PSB_ILUT,
    PSB_IC0,
    PSB_BILU0,
    PSB_BIC0,
    PSB_NFACTORS
} psb_factor_kind;

enum { PSB_BLOCK_MOST = 32 }; /* rows of a block, at most */

typedef struct psb_factor_options {
    enum psb_factor_kind kind;
    int fill;    /* >= 0.  ILU(k): k.  ILUT: most entries of a row of L, and of U, beyond those of A's row */
    double drop; /* >= 0.  ILUT: entries of L D and D U below drop times the 2-norm of A's row are dropped */
    int block; /* rows of a block for the kinds of blocks, 1 .. PSB_BLOCK_MOST; the last one may be smaller */
    double tiny; /* >= 0.  A pivot of modulus <= tiny times the largest modulus in its row of A is replaced by
                    that bound, in the direction of the pivot (1 if it is 0, and for the kinds of Cholesky),
                    and counted; 0: such a pivot is an error only if it is 0.  A pivot that is NaN or
                    infinite is always an error. */
    int sweeps; /* >= 0.  0: values by elimination.  Else, not for MILU(0) and ILUT: an approximation of these
                   values by that many sweeps over the rows.  A sweep eliminates every row, with the values of
                   other rows from the sweep before, at first all 0.  The error decreases with the number of
                   sweeps; it is 0, and the bits are those of the elimination, from as many sweeps as there
                   are levels of rows (see Anderson and Saad 1989).  Synchronous, so that bits repeat.  After
                   Chow and Patel, "Fine-grained parallel incomplete LU factorization", SIAM J. Sci. Comput.
                   37, 2015, with a row as the unit instead of an entry. */
} psb_factor_options;

/* ILU(0); fill 0, drop 1e-3, blocks of 2 rows, no pivot replaced. */
extern const struct psb_factor_options psb_factor_defaults;

/* Return the name of a kind: "ilu0", "milu0", "iluk", "ilut", "ic0", "bilu0", "bic0"; "" for another number.
 * Local. */
const char *psb_factor_name(enum psb_factor_kind kind);

/* PSB_EARG, naming the option, if one is out of range, or o is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_factor_check(const struct psb_factor_options *o);
PSB_END_C
#endif
