/* psb_log_lines.h -- base/core: lines of the log: errors, hints, calls, choices, copies.
 *
 * PSB_LOG is a list with commas.  Levels, each with those before it: `off`, `error` (every error, when it
 * occurs), `hint` (what is wrong or slow), `call` (each call and its parts, when they end, with seconds;
 * choices of formats, transports of halos), `debug` (copies between host and device, products).  Kinds,
 * alone: errors, hints, calls, formats, halo, transfers, kernels.  Lines go to stderr, to FILE with the item
 * `file:FILE`, or to a callback.  In FILE, %i stands for the number of the process in MPI_COMM_WORLD, %p for
 * its number in the system; without them the processes append to one file, where each line names its process.
 * The items summary and trace: see psb_log.h.  PSB_LOG is read once, at the latest by the first context. */
#ifndef PSB_LOG_LINES_H
#define PSB_LOG_LINES_H
#include "psb_err.h"
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_log_level { PSB_LOG_OFF, PSB_LOG_ERROR, PSB_LOG_HINT, PSB_LOG_CALL, PSB_LOG_DEBUG };

/* Let the log be what `items` says, in the words of PSB_LOG, from now on: levels, kinds and the file; ""
 * means no lines but those that are printed without a request, "off" none at all, NULL what PSB_LOG says.  A
 * callback stays.  No other thread may be in a call of the library.  PSB_EARG, naming the item; PSB_EIO if
 * the file cannot be written: the log is then unchanged.  Before the first context %i is 0.  Local. */
PSB_MUST_CHECK psb_err psb_log_set(const char *items);

/* A function that receives a line: the least level that has it, its text without the end of the line, valid
 * during the call, and `data`.  It is called by the thread that does the work, by several at a time if the
 * program has several, and may be called until the program ends.  It must return: 0, or another number if it
 * has failed; it is then called no more, and lines go to the file or stderr, the first of which says so.  It
 * may not make collective calls or calls that wait; errors of calls that it makes are returned, but not
 * recorded, and their lines are left out. */
typedef int (*psb_log_callback)(enum psb_log_level level, const char *line, void *data);

/* Send lines to function f with `data`; NULL: to the file or stderr again.  No other thread may be in a call
 * of the library.  Local. */
void psb_log_set_callback(psb_log_callback f, void *data);
PSB_END_C
#endif
