/* errcall.h -- base/core: the call that failed, and the process that tells it. */
#ifndef PSB_ERRCALL_H
#define PSB_ERRCALL_H
#include <stdbool.h>

/* Return the call that the newest recorded message of this thread names, valid until the next psb_ call; ""
 * if there is none.  Local. */
const char *psb_errcall(void);

/* Let messages name this process: its number in MPI_COMM_WORLD, -1 if it is alone; `first`: it is process 0
 * of a context.  Local. */
void psb_err_process(int number, bool first);

/* Return that number.  Local. */
int psb_err_number(void);

/* Return whether this process tells what concerns all: it is process 0 of a context, or there is none.
 * Local. */
bool psb_err_leads(void);
#endif
