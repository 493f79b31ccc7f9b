/* deal.t.h -- room: util.  Send entries to the owners of their rows. */

/* Receives t->nnz entries of rows owned here; the sizes in *t are not set.  Local. */
typedef psb_err (*X(taker))(void *arg, const struct X(triplets) *t);

/* Send each of the entries *t, fewer than 2^26, to the owner of its row, and pass the entries received here
 * to `take`: first those of process 0, in its order, then those of process 1, and so on.  Collective; an
 * error may occur on this process alone, which still takes part to the end. */
PSB_MUST_CHECK psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg);

/* Check argument `name`, *t: sizes and arrays are set, and every entry is within the sizes; `rows`, if not
 * NULL, has as many rows.  Local.  PSB_EARG names the first thing that is wrong. */
PSB_MUST_CHECK psb_err X(check_triplets)(const struct X(triplets) *t, const char *name, const psb_desc *rows);

/* Insert *t, with indices from 0, by psb_spins.  Local. */
PSB_MUST_CHECK psb_err X(insert)(const struct X(triplets) *t, struct X(spmat) *a);

/* A taker that appends entries to the triplets at `arg`, whose arrays grow. */
struct X(growing) {
    struct X(triplets) t;
    psb_epk room; /* capacity of t */
};
psb_err X(grow)(void *arg, const struct X(triplets) *t);
PSB_MUST_CHECK psb_err X(grow_to)(struct X(growing) *g, psb_epk room);
