/* psb_arrays.t.h -- base/vect: calls on arrays of the caller, on the host or in memory of the device of a
 * mold.  Arrays do not overlap.  Elements in device memory are aligned to their size, complex ones to that of
 * both parts.  Work of the caller on a device must have ended, or run on the stream of the library. */

/* Solve the banded systems that b describes: diag[b->width + d][at row i] is A(i, i + d), for each d from
 * -b->width to b->width.  Elements beside the matrix are not used; if b->periodic, there are none: i + d
 * counts modulo n, and elements of one place are added.  x: the right-hand sides, and then the solutions.
 * PSB_EPIVOT names the first system and row with a pivot that is 0; other systems are solved, and x of those
 * with such a pivot is undefined.  Other errors change nothing.  The bits of x do not depend on the device,
 * on threads, on strides, or on values of other systems and right-hand sides.  mold: where the arrays are,
 * NULL: on the host.
 *
 * Tridiagonal systems of at least 512 rows, if pairs of a system and a right-hand side are fewer than
 * 12288, are divided into parts of 23 rows, which are solved in parallel.  Source: H. H. Wang, ACM Trans. Math.
 * Softw. 7 (1981), 170-183, with pivots among all rows of a part, relative to the row.  Other systems of 16
 * rows or more, unless periodic, are eliminated from both ends, to the 2 width unknowns in the middle; a
 * device has a thread for each end.  If pairs are fewer than 64, arrays of a device are copied to the host
 * and solved there.  Method: Gaussian elimination, with b->pivot with partial pivoting, with the rounded
 * inverses of pivots that are neither huge nor tiny; a periodic band is solved as one of twice the width, of
 * the unknowns 0, n - 1, 1, n - 2, ...  Without pivoting both are stable for matrices that are diagonally
 * dominant or positive definite; with it both solve all that are not singular.  In parts and from both ends
 * the row with a pivot 0 is that of an unknown for which no equation was left.  On a device a call waits for
 * the result; systems in parts take memory for 0.7 elements a row, others, if they are long or interleaved,
 * for 2 width (width without pivoting, twice as many if periodic).  Nothing is scaled: sums of products of a row and x overflow where
 * they leave the range of the type.  PSB_EARG, PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(band_solve)(const psb_band *b, const T *const *diag, T *x,
                                     const struct psb_vmold *mold);

/* --- sparse vectors ------------------------------------------------------------------------------------ */

/* The calls that follow use a sparse vector, the places v and the elements val[0..v->nnz), and a dense one,
 * y[0..v->n).  Indices need no order.  An index may occur several times: its elements are used one after the
 * other, k ascending; on a device by the host, to which arrays are copied then, except by psb_sv_gather and
 * psb_sv_dot.  Each call checks the list, and waits for the answer of a device, unless psb_sv_check has
 * checked it.  Ascending lists are checked fastest, and psb_sv_axpby is fastest with them; for others a
 * device takes memory for v->n integers.  mold: where val, y and v->idx are, NULL: on the host. The bits are
 * the same on all devices, except of psb_sv_dot.  PSB_EARG names the first index that is out of range; after
 * an error nothing has changed.  PSB_ENOMEM, PSB_EDEVICE.  Local. */

/* val[k] = y[idx[k]]; psb_sv_take: then y[idx[k]] = 0.  Local. */
PSB_MUST_CHECK psb_err X(sv_gather)(const psb_sparse *v, const T *y, T *val, const struct psb_vmold *mold);
PSB_MUST_CHECK psb_err X(sv_take)(const psb_sparse *v, T *y, T *val, const struct psb_vmold *mold);

/* y[idx[k]] = val[k]; other elements of y keep their values.  Local. */
PSB_MUST_CHECK psb_err X(sv_scatter)(const psb_sparse *v, const T *val, T *y, const struct psb_vmold *mold);

/* y = beta y, then y[idx[k]] += alpha val[k]; y is not read if beta is 0, val not if alpha is 0.  Local. */
PSB_MUST_CHECK psb_err X(sv_axpby)(const psb_sparse *v, T alpha, const T *val, T beta, T *y,
                                   const struct psb_vmold *mold);

/* val[k] and y[idx[k]] become c val[k] + s y[idx[k]] and c y[idx[k]] - conj(s) val[k].  Local. */
PSB_MUST_CHECK psb_err X(sv_rot)(const psb_sparse *v, R c, T s, T *val, T *y, const struct psb_vmold *mold);

/* *dot, on the host: the sum of val[k] y[idx[k]], with conj 1 of conj(val[k]) y[idx[k]], added as psb_gedot
 * does on that device.  Local. */
PSB_MUST_CHECK psb_err X(sv_dot)(const psb_sparse *v, const T *val, const T *y, int conj, T *dot,
                                 const struct psb_vmold *mold);
