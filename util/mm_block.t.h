/* mm_block.t.h -- room: util.  The entries of consecutive lines of a Matrix Market file. */

/* What a file says up to some line, and what the lines behind it say. */
struct X(mm_block) {
    const struct psb_mm_info *a;
    psb_epk before; /* entries that stand before these lines; -1: not known, and then those of an array are
                     * put down at row and column 0 */
    psb_epk found;  /* entries in these lines, */
    struct X(triplets) t; /* expanded */
    psb_epk room;         /* t holds so many */
    int triangle;         /* -1 lower, 1 upper, 0 not known yet: the one symmetric storage uses */
};

/* Add to *b what stands on the lines from here to where `in` ends.  Local.  PSB_EIO, PSB_ENOMEM. */
PSB_MUST_CHECK psb_err X(mm_lines)(struct psb_text *in, struct X(mm_block) *b);

/* Let *b, read when b->before was not known, be as if it had been.  `in` is for messages.  Local.  PSB_EIO
 * where an entry may not stand there, PSB_ENOMEM; *b is then as it was. */
PSB_MUST_CHECK psb_err X(mm_place)(const struct psb_text *in, struct X(mm_block) *b, psb_epk before);

/* T can hold what the file has.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err X(mm_fits)(const struct psb_text *in, const struct psb_mm_info *a);
