/* psb_add_up.t.h -- room: base/mat.  Sums into elements that several threads may change. */

/* y = beta y + what `add`, called for every 0 <= t < p, adds to the array it is given: y for t == 0, one of
 * zeros for each other, which are added in their order.  `work` counts the additions of all; no more
 * threads are used than have enough of them each.  PSB_ENOMEM, y as it was.  Local. */
typedef void X(adding)(void *job, int t, int p, T *y);
PSB_MUST_CHECK psb_err X(add_up)(psb_epk work, psb_epk size, T beta, T *y, X(adding) *add, void *job);
