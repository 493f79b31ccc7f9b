/* say.h -- room: tools.  What one process says for all, on stderr: errors, and progress on a terminal. */
#ifndef PSB_SAY_H
#define PSB_SAY_H
#include "psb_err.h"

/* From now on this process speaks, or it does not.  Local. */
void say_who(int speaks);

/* The progress of phase `what`, a string, in one line that the next call overwrites; fraction < 0: not known.
 * Nothing where stderr is no terminal.  Fit for X(mm_read).  Local. */
void say_progress(void *what, double fraction);

/* Wipe that line.  Local. */
void say_clear(void);

/* One line: "psb-spmv: " and what follows, as in printf.  Local. */
void say_error(const char *fmt, ...) PSB_PRINTF(1, 2);

/* The newest error message without what only programmers ask: the function, the process, the kind of error.
 * Good until the next error.  Local. */
const char *say_why(void);
#endif
