/* mm_block.t.h -- room: util.  The entries in consecutive lines of a Matrix Market file. */

/* The entries of some lines, and what is known of the text before them. */
struct X(mm_block) {
    const struct psb_mm_header *a;
    psb_epk before;       /* entries before these lines; -1: not known, array entries get row and column 0 */
    psb_epk found;        /* entries in these lines, */
    struct X(triplets) t; /* expanded */
    psb_epk room;         /* capacity of t */
    int triangle;         /* the triangle that symmetric storage uses: -1 lower, 1 upper, 0 not known yet */
};

/* Append the entries of the lines from the current one to the end of `in`.  Local.  PSB_EIO, PSB_ENOMEM. */
PSB_MUST_CHECK psb_err X(mm_lines)(struct psb_text *in, struct X(mm_block) *b);

/* Set the positions of the entries of *b, read while b->before was not known.  `in` is for messages.  Local.
 * PSB_EIO if an entry may not have its position, PSB_ENOMEM; *b is then unchanged. */
PSB_MUST_CHECK psb_err X(mm_place)(const struct psb_text *in, struct X(mm_block) *b, psb_epk before);

/* Check that T can hold the values of the file.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err X(mm_fits)(const struct psb_text *in, const struct psb_mm_header *a);
