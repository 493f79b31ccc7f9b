/* psb_solver.t.h -- linsolve: solvers that are kept: for many systems with one matrix, or with new values in
 * its pattern. */

/* A matrix, the options, the preconditioner, and the memory of a solve. */
struct X(solver);
struct X(nullspace);

/* Create *s for the assembled square matrix a, with the method and the preconditioner of `text` (see
 * psb_solve_parse), which is built; the caller frees it by psb_solver_free.  a must outlive s, and changes
 * only before psb_solver_update.  Errors as those of psb_precbld; if one process fails, all fail, and nothing
 * is created.  Collective. */
PSB_MUST_CHECK psb_err X(solver_new)(struct X(solver) **s, const struct X(spmat) *a, const char *text);

/* The same for an operator, and, unless p is NULL, with a preconditioner that was built for it in place of
 * that of `text`; both must outlive s.  Collective. */
PSB_MUST_CHECK psb_err X(solver_new_op)(struct X(solver) **s, const struct X(operator) *op, struct X(prec) *p,
                                        const char *text);

/* Solve A x = b as psb_krylov does, with its arguments, results and errors.  The first solve takes memory,
 * which later ones use: they allocate nothing if b and x have as many columns and are where those of the
 * solve before were, and the method makes no more iterations; but for sums of more than 64 scalar products.
 * After an error the next solve takes memory anew.  Collective. */
PSB_MUST_CHECK psb_err X(solver_solve)(struct X(solver) *s, const struct X(vect) *b, struct X(vect) *x,
                                       struct psb_solve_result *res);

/* Renew the preconditioner, as psb_precupd, after the matrix got new values in its pattern.  (Without it the
 * next solve is preconditioned by the old values.)  PSB_EARG if the matrix has another number of entries than
 * when s was made, or was freed; PSB_ESTATE if it is not assembled.  If one process fails, all fail, and s is
 * as it was. Collective. */
PSB_MUST_CHECK psb_err X(solver_update)(struct X(solver) *s);

/* Create *q, the space that the n vectors v and, if `constant`, the vector of ones span: assembled vectors of
 * one column on desc, which are copied and need not be orthogonal; the caller frees it by psb_nullspace_free.
 * PSB_EARG if a vector is 0, not finite, or depends on those before it.  If one process fails, all fail.
 * Collective. */
PSB_MUST_CHECK psb_err X(nullspace_new)(struct X(nullspace) **q, psb_desc *desc, bool constant, int n,
                                        struct X(vect) *const *v);

/* Create *q, the space of the rigid bodies of elasticity: dim translations, and the rotation of 2, or the
 * three of 3 dimensions.  Rows dim k, ..., dim k + dim - 1 here are the displacements of node k; xyz: its
 * coordinates in their places, an assembled vector of one column on the descriptor of the matrix.  PSB_EARG
 * also if a rotation depends on the other vectors, as for nodes on one line.  If one process fails, all fail.
 * Collective. */
PSB_MUST_CHECK psb_err X(nullspace_rigid)(struct X(nullspace) **q, int dim, const struct X(vect) *xyz);

/* Free a null space, after the solvers and preconditioners that use it; NULL is fine.  Local. */
void X(nullspace_free)(struct X(nullspace) *q);

/* From now on solve singular systems, where A v = 0 for all v of q, and A^H v = 0 for all v of `left` (NULL:
 * those of q, as for Hermitian A).  b and residuals are projected on what is orthogonal to `left`, what a
 * preconditioner returns on what is orthogonal to q.  So x solves the system for the projected b, which is b
 * itself if the system is consistent, and has the part in q that the guess has.  That q is a null space is
 * not checked.  q NULL: no more.  q and left are on the descriptor of the matrix, and must outlive s.
 * Collective. */
PSB_MUST_CHECK psb_err X(solver_set_nullspace)(struct X(solver) *s, const struct X(nullspace) *q,
                                               const struct X(nullspace) *left);

/* Write to `to`, on process 0: method and options, matrix, preconditioner, memory, and how the last solve
 * ended. Collective. */
PSB_MUST_CHECK psb_err X(solver_view)(const struct X(solver) *s, FILE *to);

/* Store in *n the number of estimates of the criterion in the last solve for this column, that is the
 * iterations and one for the guess, and in value[0..*n) the estimates; value NULL: only count.  PSB_EARG if
 * there is no such column, PSB_ESTATE unless the last solve gave a result.  A solve that
 * was refused for its arguments does not count: the results are those of the one before.  Local. */
PSB_MUST_CHECK psb_err X(solver_history)(const struct X(solver) *s, int column, int *n, double *value);

/* Store in *smallest and *largest estimates of these eigenvalues of the preconditioned matrix, from the last
 * solve by cg, cg-single or cg-pipelined for this column; *largest / *smallest estimates its condition
 * number, from below. More iterations give better estimates.  PSB_EARG if there is no such column, PSB_ESTATE
 * unless the last solve made an iteration of these methods.  Source: Saad, "Iterative methods for sparse
 * linear systems", 2003, section 6.7.3. Local. */
PSB_MUST_CHECK psb_err X(solver_extremes)(const struct X(solver) *s, int column, double *smallest,
                                          double *largest);

/* Free a solver; NULL is fine.  Local. */
void X(solver_free)(struct X(solver) *s);
