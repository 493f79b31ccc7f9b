/* psb_operator.t.h -- linsolve: operators: a matrix, or functions of the caller that multiply without one. */
struct X(operator);
struct X(prec);

/* What the caller's functions do.  `data` is that of psb_operator_new.  They return PSB_OK or an error, which
 * becomes that of the call on all processes (a number that is none of psb_err: PSB_EARG).  Vectors are on the
 * operator's descriptor, and may have several columns: use psb_ calls, or psb_host_read, psb_device_write,
 * ... for their arrays; kernels are launched on psb_cuda_stream(). All but `apply` may be 0. */
struct X(operator_calls) {
    /* y = op(A) x, op 'N', or also 'T' and 'C' if `transposes`; different vectors.  Local: for 'N' x has the
     * halo values of its owners; for 'T' and 'C' what is left in the halo of y is added to the owners' rows.
     * Or, if `collective`, without any of that: it exchanges what it needs itself, takes part in all
     * exchanges before it returns an error, and whether it failed on a process is agreed upon after each
     * call. */
    psb_err (*apply)(void *data, const struct X(vect) *x, struct X(vect) *y, char op);
    /* Set the owned elements of d, of one column, to the diagonal of A.  Local. */
    psb_err (*diagonal)(void *data, struct X(vect) *d);
    /* Free `data`: called by psb_operator_free. */
    void (*free)(void *data);
    bool transposes, collective;
    /* An assembled matrix on the descriptor, near to A: preconditioners that need entries are made of it.  It
     * must outlive the operator. */
    const struct X(spmat) *near;
    /* Where the vectors of its preconditioners are; NULL: on the host.  It must outlive the operator. */
    const struct psb_vmold *where;
};

/* Create *op with the caller's functions, which are copied, for square matrices on an assembled descriptor;
 * the caller frees it by psb_operator_free.  PSB_ENOTIMPL if it transposes and rows have several owners.
 * Local. */
PSB_MUST_CHECK psb_err X(operator_new)(struct X(operator) **op, psb_desc *desc,
                                       const struct X(operator_calls) *calls, void *data);

/* Create *op, the assembled square matrix a, which must outlive it.  Local. */
PSB_MUST_CHECK psb_err X(operator_of)(struct X(operator) **op, const struct X(spmat) *a);

/* y = op(A) x for all columns; trans as for psb_spmv.  Collective: errors as those of psb_spmv; those of the
 * caller's functions are returned by the process that failed, or by all if they are collective. */
PSB_MUST_CHECK psb_err X(operator_apply)(const struct X(operator) *op, const struct X(vect) *x,
                                         struct X(vect) *y, char trans);

/* Free an operator, after the solvers and preconditioners that use it; NULL is fine.  Local. */
void X(operator_free)(struct X(operator) *op);

/* psb_precbld, psb_precupd and psb_krylov for an operator.  p must not outlive it.  PSB_ENOTIMPL for a
 * preconditioner that needs entries, if op has neither a matrix nor one near to it, or the diagonal, if op
 * has none of the three; for bicg, and for psb_precapply with trans 'T' or 'C', if a function does not
 * transpose; PSB_EARG for PSB_STOP_BACKWARD, whose norm is not known.  b and x are on op's descriptor.
 * Collective. */
PSB_MUST_CHECK psb_err X(precbld_op)(struct X(prec) *p, const struct X(operator) *op,
                                     const struct X(mat) *mold, const struct psb_vmold *vmold);
PSB_MUST_CHECK psb_err X(precupd_op)(struct X(prec) *p, const struct X(operator) *op);
PSB_MUST_CHECK psb_err X(krylov_op)(const struct X(operator) *op, const struct X(prec) *p,
                                    const struct X(vect) *b, struct X(vect) *x,
                                    const struct psb_solve_options *o, struct psb_solve_result *res);

/* A preconditioner of the caller's own: as psb_?_operator_calls. */
struct X(prec_calls) {
    /* y = op(M)^-1 x. */
    psb_err (*apply)(void *data, const struct X(vect) *x, struct X(vect) *y, char op);
    /* Called by psb_precbld, psb_precupd and psb_solver_update.  Local, or collective. */
    psb_err (*update)(void *data);
    /* Free `data`: called by psb_precfree. */
    void (*free)(void *data);
    bool transposes, collective;
};

/* Create *p, a preconditioner of the caller's own, whose functions are copied; psb_precbld is called as for
 * others. Local. */
PSB_MUST_CHECK psb_err X(precinit_user)(struct X(prec) **p, const struct X(prec_calls) *calls, void *data);
