/* psb_add_up.t.h -- base/mat: sums by several threads into the same array. */

/* The part of thread t of p, 0 <= t < p: add its terms to y. */
typedef void X(adding)(void *job, int t, int p, T *y);

/* y = beta y + the terms of all calls of `add`, y of `size` elements.  Thread 0 adds to y, each other thread
 * to an array of zeros; these arrays are then added to y in the order of threads.  `work`: the number of
 * additions, from which the number of threads is chosen.  PSB_ENOMEM, with y unchanged, if there is no memory
 * for the arrays.  Local. */
PSB_MUST_CHECK psb_err X(add_up)(psb_epk work, psb_epk size, T beta, T *y, X(adding) *add, void *job);
