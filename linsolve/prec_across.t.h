/* prec_across.t.h -- linsolve: what a preconditioner calls of one of another scalar. */

/* Make *x, NULL or a vector, one of k columns as X(prec_vect) creates it, unless it has k columns.
 * Collective. */
PSB_MUST_CHECK psb_err X(prec_work)(const struct X(prec) *p, psb_desc *desc, int k, struct X(vect) **x);

/* Take part, with error e, in what the others wait for as they apply p to vectors of k columns.  Collective,
 * as an application. */
void X(prec_decline)(const struct X(prec) *p, int k, char trans, psb_err e);

/* As psb_?_spmv_settle, for the exchanges of preconditioners with overlap, p and those inside of it.
 * Local. */
void X(prec_settle)(const struct X(prec) *p);
