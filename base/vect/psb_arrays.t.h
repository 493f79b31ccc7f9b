/* psb_arrays.t.h -- base/vect: calls on arrays of the caller, on the host or in memory of the device of a
 * mold.  Arrays do not overlap.  Work of the caller on a device must have ended, or run on the stream of the
 * library. */

/* Solve the banded systems that b describes: diag[b->width + d][at row i] is A(i, i + d), for each d from
 * -b->width to b->width.  Elements beside the matrix are not used; if b->periodic, there are none: i + d
 * counts modulo n, and elements of one place are added.  x: the right-hand sides, and then the solutions.
 * PSB_EPIVOT names the first system and row with a pivot that is 0; other systems are solved, and x of those
 * with such a pivot is undefined.  Other errors change nothing.  The bits of x do not depend on the device,
 * on threads, on strides, or on other systems and right-hand sides.  A thread solves a system for a
 * right-hand side; if there are fewer than 64 of these pairs, arrays of a device are copied to the host and
 * solved there.  On a device a call takes memory for about 2 width + 1 elements a row (width + 1 without
 * pivoting, twice as many if periodic), and waits for the result.  mold: where the arrays are, NULL: on the
 * host.  Method: Gaussian elimination, with b->pivot with partial pivoting; a periodic band is solved as one
 * of twice the width, of the unknowns 0, n - 1, 1, n - 2, ...  PSB_EARG, PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(band_solve)(const psb_band *b, const T *const *diag, T *x,
                                     const struct psb_vmold *mold);
