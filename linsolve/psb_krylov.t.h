/* psb_krylov.t.h -- linsolve: Krylov methods for A x = b with a distributed square matrix. */

/* Solve A x = b by the method of o (NULL: psb_solve_defaults), preconditioned by p, which was built for A's
 * descriptor (NULL: not preconditioned; o->prec is not used).  x holds the guess, and then the solution.  b
 * and x are different vectors on A's descriptor with the same number of columns; each column is a system of
 * its own, converges on its own, and has its result in res[0..columns).  The true residual is computed at the
 * end; if the estimate of the method has drifted from it, or the method breaks down after progress, it is
 * restarted from x.  An outcome other than PSB_CONVERGED is a result, not an error; then x is finite if the
 * guess was, and no worse than the guess by the criterion.  Runs where its operands live.  If one process
 * fails, all fail, with the same code; then x is neither the guess nor a solution.  Collective. */
PSB_MUST_CHECK psb_err X(krylov)(const struct X(spmat) *a, const struct X(prec) *p, const struct X(vect) *b,
                                 struct X(vect) *x, const struct psb_solve_options *o,
                                 struct psb_solve_result *res);

/* Solve A x = b as `text` says (see psb_solve_parse): build the preconditioner, then psb_krylov.
 * Collective. */
PSB_MUST_CHECK psb_err X(solve)(const struct X(spmat) *a, const struct X(vect) *b, struct X(vect) *x,
                                const char *text, struct psb_solve_result *res);

/* Find the x with the smallest |b - A x|^2 + d^2 |x|^2 by LSMR, and, if there are several, the shortest; A of
 * any shape and rank.  o: d and tolerances (NULL: psb_lsmr_defaults).  b is on the row descriptor of A, x on
 * its column descriptor, see psb_vects_like; what x holds before is not used.  Each column of b and x is a
 * problem of its own, with its result in res[0..columns).  An iteration is a product with A and one with A^H;
 * 4 vectors are kept.  Where products with A^H have errors, so has this call.  If one process fails, all
 * fail, with the same code; then x is no solution.  Source: Fong and Saunders, "LSMR: an iterative algorithm
 * for sparse least-squares problems", SIAM J. Sci. Comput. 33, 2011.  Collective. */
PSB_MUST_CHECK psb_err X(lsmr)(const struct X(spmat) *a, const struct X(vect) *b, struct X(vect) *x,
                               const struct psb_lsmr_options *o, struct psb_lsmr_result *res);
