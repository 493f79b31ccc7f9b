/* spmv_run.t.h -- room: tools.  The work of psb-spmv for one scalar. */

/* Get the matrix and the vectors, then convert to each format, multiply, check, time; the table is printed
 * line by line on the way, the results are in *report.  A format that refuses the matrix is a result too.
 * Collective.  Any error of the calls below it. */
PSB_MUST_CHECK psb_err X(spmv_run)(const struct task *t, struct report *report);
