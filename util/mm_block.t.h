/* mm_block.t.h -- util: the entries in consecutive lines of a Matrix Market file. */

/* The entries of some lines, and what is known of the text before them. */
struct X(mm_block) {
    const struct psb_mm_header *a;
    psb_epk before; /* entries before these lines; -1: not known, array entries get row and column 0 */
    psb_epk found;  /* entries in these lines, */
    struct X(growing_triplets) e; /* expanded */
    int triangle; /* the triangle that symmetric storage uses: -1 lower, 1 upper, 0 not known yet */
};

/* Append the entries of the lines from the current one to the end of `in`.  Local.  PSB_EIO, PSB_ENOMEM. */
PSB_MUST_CHECK psb_err X(mm_lines)(struct psb_text *in, struct X(mm_block) *b);

/* Set the positions of the entries of *b, read while b->before was not known.  `in` is for messages.  Local.
 * PSB_EIO if an entry may not have its position, PSB_ENOMEM; *b is then unchanged. */
PSB_MUST_CHECK psb_err X(mm_set_positions)(const struct psb_text *in, struct X(mm_block) *b, psb_epk before);

/* Check that T can hold the values, whose field is in line `line` of the file.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err X(mm_fits)(const struct psb_text *in, int line, const struct psb_mm_header *a);

/* Check that v may be entry i of the diagonal of a matrix of that symmetry.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err X(mm_check_diagonal)(const struct psb_text *in, enum psb_mm_symmetry symmetry,
                                            psb_lpk i, T v);

/* The mirror image of entry v off the diagonal.  Local. */
static inline T X(mm_mirrored)(enum psb_mm_symmetry symmetry, T v)
{
    if (symmetry == PSB_MM_SKEW)
        return -v;
    return symmetry == PSB_MM_HERMITIAN ? PSB_CAT(PSB_CONJ_, PSB_NOW)(v) : v;
}
