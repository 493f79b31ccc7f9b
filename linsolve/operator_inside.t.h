/* operator_inside.t.h -- linsolve: operators. */
#ifndef OPERATOR_INSIDE_T_H
#define OPERATOR_INSIDE_T_H

struct X(operator) {
    unsigned mark;            /* see psb_handle.h */
    psb_desc *desc;           /* of its rows */
    const struct X(spmat) *a; /* the matrix; with calls.apply: one near to it, or NULL */
    struct X(operator_calls) calls;
    void *data;
};

/* Return the operator of a matrix, which is not to be freed.  Local. */
static inline struct X(operator) X(operator_view)(const struct X(spmat) *a)
{
    return (struct X(operator)){ .desc = X(sp_row_desc)(a), .a = a };
}

/* Is op live, and its matrix, if it has one, assembled and square?  `entries`: it must have one.  Local. */
PSB_MUST_CHECK psb_err X(operator_check)(const struct X(operator) *op, bool entries);
/* y = op(A) x; arguments checked.  Collective, as psb_operator_apply. */
PSB_MUST_CHECK psb_err X(operator_mv)(const struct X(operator) *op, const struct X(vect) *x,
                                      struct X(vect) *y, char trans);
/* y = y - op(A) x, w: workspace.  Collective. */
PSB_MUST_CHECK psb_err X(operator_subtract)(const struct X(operator) *op, const struct X(vect) *x,
                                            struct X(vect) *y, struct X(vect) *w, char trans);
/* Take part in the exchanges of a product after error e, so that the others fail too.  Collective. */
void X(operator_decline)(const struct X(operator) *op, char trans, psb_err e);
/* Set d to the diagonal.  Local. */
PSB_MUST_CHECK psb_err X(operator_diagonal)(const struct X(operator) *op, struct X(vect) *d);
/* As psb_?_spmv_settle.  Local. */
void X(operator_settle)(const struct X(operator) *op);

/* Return e, which the caller's function `what` has returned, as an error of the library.  Local. */
PSB_MUST_CHECK psb_err X(callers_error)(psb_err e, const char *what);
#endif
