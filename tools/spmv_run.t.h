/* spmv_run.t.h -- tools: the work of psb-spmv for one scalar. */

/* Read or generate the matrix and the vectors; then, for each format, convert, multiply, check and time.
 * Prints the table line by line during the run and stores the results in *report.  A format that rejects the
 * matrix is a result too.  Collective.  Returns any error of the calls it makes. */
PSB_MUST_CHECK psb_err X(spmv_run)(const struct task *t, struct report *report);
