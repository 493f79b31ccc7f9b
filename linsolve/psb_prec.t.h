/* psb_prec.t.h -- linsolve: preconditioners of a distributed square matrix. */
struct X(prec);
struct X(nullspace);

/* Create *p, a preconditioner as `text` says (see psb_prec_parse), or as the options say (NULL:
 * psb_prec_defaults); it is built by psb_precbld, and freed by the caller with psb_precfree.  Local. */
PSB_MUST_CHECK psb_err X(precinit)(struct X(prec) **p, const char *text);
PSB_MUST_CHECK psb_err X(precinit_opt)(struct X(prec) **p, const struct psb_prec_options *o);

/* Let p, a polynomial (CHEBYSHEV, NEUMANN) that is not yet built, be one in M^-1 A in place of D^-1 A, where
 * m is the preconditioner M, of any type or the caller's own: built for the descriptor of A before p, renewed
 * by the caller, and outliving p.  m NULL: D^-1 again.  PSB_EARG for another type or m == p, PSB_ESTATE if p
 * is built or m is not. Local. */
PSB_MUST_CHECK psb_err X(prec_set_inner)(struct X(prec) *p, const struct X(prec) *m);

/* Let p, of type AMG, represent the vectors of q (psb_nullspace_new, psb_nullspace_rigid) on all levels from
 * the next psb_precbld on: vectors v for which A v is small, as the rigid bodies of elasticity.  q NULL: the
 * constant vector of each unknown of a node, again.  q is on the descriptor of the matrix, the same on all
 * processes, and must outlive p.  PSB_EARG for another type, PSB_ENOTIMPL for precision=single.  Local. */
PSB_MUST_CHECK psb_err X(prec_set_near_null)(struct X(prec) *p, const struct X(nullspace) *q);

/* Let `coarsen`, a function of the caller, make the levels of p, of type AMG, from the next psb_precbld or
 * psb_precupd on, as for geometric multigrid; NULL: by aggregation again.  It is called by all processes for
 * the matrix a of level 0, 1, ..., in psb_precbld and psb_precupd, unless a has at most options.coarse rows,
 * and stores in *prolongator, which is NULL, a new assembled matrix whose rows are distributed as those of a, and in
 * *coarse the matrix of the next level, which is assembled and square, with rows and columns distributed as
 * the columns of the prolongator P, or leaves NULL there for P^H A P.  Both are p's from then on.  If it
 * stores nothing a is the coarsest level.  It returns PSB_OK on all processes, or an error, which becomes
 * that of the call on all; of its own collective calls all processes must make the same ones.  PSB_EARG for
 * another type, PSB_ENOTIMPL for precision=single.  Local. */
PSB_MUST_CHECK psb_err X(prec_set_coarsening)(struct X(prec) *p,
                                              psb_err (*coarsen)(void *data, int level,
                                                                 const struct X(spmat) *a,
                                                                 struct X(spmat) **prolongator,
                                                                 struct X(spmat) **coarse),
                                              void *data);

/* Build p for the assembled square matrix a, whose columns are distributed as its rows.  mold: the format of
 * factors and inverses (NULL: CSR if a is on the host, else a's format, or for factors that in which it
 * solves); vmold: where vectors will be (NULL: where a is).  p keeps the address of mold, and polynomials,
 * AMG and sweeps by rows that of a, which must outlive p; the rest is copied.  Building a second time replaces
 * what was built.
 * PSB_EPIVOT for a diagonal element or a pivot that is 0 or not finite, naming its row; PSB_ENOTIMPL for
 * types made of blocks (BJAC to SSOR) and AMG if a row has several owners, and for overlap on a replicated
 * descriptor.  If one process fails, all fail, and p is as it was. Collective. */
PSB_MUST_CHECK psb_err X(precbld)(struct X(prec) *p, const struct X(spmat) *a, const struct X(mat) *mold,
                                  const struct psb_vmold *vmold);

/* Build p again for new values of a in the pattern it was built for; cheaper than psb_precbld where the type
 * can reuse its pattern: BJAC, RAS, AS, ASH, AMG, which keeps its aggregates and is built anew for another
 * pattern.  PSB_ESTATE unless p was built, PSB_EARG if the descriptor differs, or the pattern where BJAC,
 * RAS, AS or ASH reuse it; else as psb_precbld.  If one process fails, all fail, and p is as it was.
 * Collective. */
PSB_MUST_CHECK psb_err X(precupd)(struct X(prec) *p, const struct X(spmat) *a);

/* y = op(M)^-1 x for all columns, op by trans: 'N', 'T', 'C'; x and y are different vectors on the descriptor
 * that p was built for.  Runs where its operands live.  Collective: if an argument is wrong on one process,
 * those that receive from it fail too; they are told at once if its x, or without an x its y, has as many
 * columns as theirs. */
PSB_MUST_CHECK psb_err X(precapply)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y,
                                    char trans);

/* Return the bytes stored here for p; 0 for NULL.  Local. */
size_t X(prec_bytes)(const struct X(prec) *p);

/* Store in text, of `size` bytes, the words from which psb_prec_parse makes p's options.  PSB_EARG if they do
 * not fit.  Local. */
PSB_MUST_CHECK psb_err X(precdescr)(const struct X(prec) *p, char *text, size_t size);

/* Free a preconditioner; NULL is fine.  Local. */
void X(precfree)(struct X(prec) *p);
