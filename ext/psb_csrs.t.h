/* psb_csrs.t.h -- ext: CSRS: compressed rows of one half of a matrix that equals its transpose or its
 * conjugate transpose: the entries of row i on and right of the diagonal are ja[k], val[k] for irp[i] <= k <
 * irp[i+1]. Conversion checks the matrix, and one that has neither symmetry is stored whole, or refused with
 * the row and column of an entry (PSB_EPADDING) if the mold asks for a symmetry.  All calls but products work
 * on all entries; changes of values are checked again.  A mirrored zero or NaN may have another sign than the
 * entry had.
 *
 * Products of a half have the same bits for any number of threads: blocks of rows, which depend on the
 * pattern alone, store what they add to rows after them apart, and these sums are added in the order of the
 * blocks. */
struct X(csrs_mat) {
    struct X(mat) mat;
    enum psb_symmetry wants;            /* the mold's: refuse matrices without this symmetry */
    enum psb_symmetry has;              /* PSB_ASYMMETRIC: stored whole */
    int blocks;                         /* of rows, for products of a half */
    psb_ipk first[PSB_CSRS_BLOCKS + 1], /* row of each block */
        end[PSB_CSRS_BLOCKS]; /* no entry of it is in this column or later; at least the first row after it */
    struct psb_dual irp;      /* psb_epk, nrows + 1 */
    struct psb_dual ja;       /* psb_ipk */
    struct psb_dual val;      /* T */
};
extern const struct X(csrs_mat) X(csrs_mold); /* wants PSB_ASYMMETRIC: all matrices */
