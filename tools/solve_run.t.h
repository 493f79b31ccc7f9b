/* solve_run.t.h -- tools: the solution of a linear system, for one scalar. */

/* Make the matrix and the right-hand side, build the preconditioner, solve, write the solution where wanted;
 * print and store the results in *r.  No convergence is a result.  Collective.  Returns any error of the
 * calls it makes. */
PSB_MUST_CHECK psb_err X(solve_run)(const struct solve_task *t, struct solve_report *r);
