/* psb_log.h -- base/par: where a program's time and bytes go: a summary over all processes, and a trace.
 *
 * PSB_LOG=summary prints the summary on stderr when the first context of all processes of MPI_COMM_WORLD
 * ends; PSB_LOG=summary:FILE writes all of it to a file, as JSON if the name ends in .json.
 * PSB_LOG=trace:FILE writes a trace that Perfetto and chrome://tracing open.  Without either nothing is
 * recorded. */
#ifndef PSB_LOG_H
#define PSB_LOG_H
#include "psb_ctxt.h"
#include "psb_log_lines.h"
#include "psb_stage.h"
#include <stdio.h>
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_log_form {
    PSB_LOG_SCREEN, /* the calls that take most time */
    PSB_LOG_TEXT,   /* all */
    PSB_LOG_JSON
};

/* Print to stream `to` of process 0 (the others may pass NULL) what has been recorded since the start or the
 * last psb_log_reset: by stage and call the times that it ran and its seconds on the slowest process, these
 * over those of the fastest, GFLOP/s and GB/s of all processes together, and the share of the copy bandwidth;
 * transfers, messages; what arrays of matrices, vectors, halos and preconditioners took at most on a process,
 * on the host and on its device, since the program began; formats and transports that were chosen, and why.
 * The seconds of a call include those of the calls inside; one on a device returns before its work is done,
 * and has no rates.  PSB_ESTATE if the log has no item summary; PSB_EARG if form is none.  Collective. */
PSB_MUST_CHECK psb_err psb_log_summary(psb_ctxt *ctxt, enum psb_log_form form, FILE *to);

/* Write to stream `to` of process 0 the calls, copies and exchanges of all processes on one time line, as
 * JSON of Chrome's trace event format; the clocks of the processes are compared in the call.  PSB_ESTATE if
 * PSB_LOG has no item trace.  Collective. */
PSB_MUST_CHECK psb_err psb_log_trace(psb_ctxt *ctxt, FILE *to);

/* Forget what has been recorded, and read PSB_LOG again (psb_log_set).  No stage may be open.  Local. */
void psb_log_reset(void);
PSB_END_C
#endif
