/* say.h -- tools: messages that one process prints for all to stderr: errors, and progress on a terminal. */
#ifndef PSB_SAY_H
#define PSB_SAY_H
#include "psb_err.h"
#include <stdbool.h>

enum { FAILED = 1, MISUSED = 2 }; /* exit statuses of programs */

/* Set the name of the program, a string constant, and whether this process prints messages.  Local. */
void say_who(const char *program, bool speaks);

/* Print the progress of phase `what`, a string, on one line that the next call overwrites; fraction < 0:
 * unknown. Prints nothing if stderr is not a terminal.  Can be passed to X(mm_read).  Local. */
void say_progress(void *what, double fraction);

/* Erase the progress line.  Local. */
void say_clear(void);

/* Print one line: the name of the program, and the message, formatted as by printf.  Local. */
void say_error(const char *fmt, ...) PSB_PRINTF(1, 2);

/* Print the latest error, for MISUSED with a hint at --help, and return the exit status given.  Local. */
int complain(int status);

/* Returns the exit status, which is `status` if all that was printed to stdout could be written; else a
 * message says so.  Local. */
int say_end(int status);

/* Returns the latest error message without the parts for programmers: file, function, process, kind of error.
 * Valid until the next error.  Local. */
const char *say_why(void);
#endif
