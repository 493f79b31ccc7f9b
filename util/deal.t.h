/* deal.t.h -- util: send entries to the owners of their rows, and hand over a matrix that was made. */

/* Send each of the entries *t, fewer than 2^26, to the owner of its row, and pass the entries received here
 * to `take`: first those of process 0, in its order, then those of process 1, and so on.  Collective; an
 * error may occur on this process alone, which still takes part to the end. */
PSB_MUST_CHECK psb_err X(deal)(const psb_desc *rows, const struct X(triplets) *t, X(taker) take, void *arg);

/* Set *a to `made`, and *row, *col to rd, cd, which psb_describe made of them; or, if e is an error, free what
 * was made.  Return e.  Local. */
PSB_MUST_CHECK psb_err X(matrix_hand_over)(psb_err e, struct X(spmat) *made, psb_desc *rd, psb_desc *cd,
                                           struct X(spmat) **a, psb_desc **row, psb_desc **col);
