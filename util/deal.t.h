/* deal.t.h -- util: send entries to the owners of their rows. */

/* Send each of the entries *t, fewer than 2^26, to the owner of its row, and pass the entries received here
 * to `take`: first those of process 0, in its order, then those of process 1, and so on.  Collective; an
 * error may occur on this process alone, which still takes part to the end. */
PSB_MUST_CHECK psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg);
