/* deal.t.h -- room: util.  Entries to the owners of their rows. */

/* What becomes of entries: t->nnz of them, of rows owned here; the sizes are not set.  Local. */
typedef psb_err (*X(taker))(void *arg, const struct X(triplets) *t);

/* Send each of the entries *t, fewer than 2^26, to the owner of its row, and give `take` what arrives here:
 * first what process 0 sent, in its order, then what process 1 did, and so on.  Collective; an error may be
 * of this process alone, which has taken part to the end. */
PSB_MUST_CHECK psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg);

/* *t, which is argument `name`, is a matrix: sizes and arrays are there, and every entry lies within; `rows`,
 * if not NULL, has as many.  Local.  PSB_EARG names the first thing that is wrong. */
PSB_MUST_CHECK psb_err X(check_triplets)(const struct X(triplets) *t, const char *name, const psb_desc *rows);

/* psb_spins of *t, whose indices count from 0.  Local. */
PSB_MUST_CHECK psb_err X(insert)(const struct X(triplets) *t, struct X(spmat) *a);

/* Take entries into the triplets at `arg`, whose arrays grow. */
struct X(growing) {
    struct X(triplets) t;
    psb_epk room; /* t holds so many */
};
psb_err X(grow)(void *arg, const struct X(triplets) *t);
PSB_MUST_CHECK psb_err X(grow_to)(struct X(growing) *g, psb_epk room);
