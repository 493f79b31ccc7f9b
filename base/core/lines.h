/* lines.h -- base/core: what PSB_LOG asks for, and lines of the log (psb_log_lines.h). */
#ifndef PSB_LINES_H
#define PSB_LINES_H
#include "psb_err.h"
#include <stdatomic.h>
#include <stdbool.h>

/* Kinds of lines; what is recorded. */
enum psb_logged {
    PSB_LOGS_ERRORS = 1,
    PSB_LOGS_HINTS = 2,
    PSB_LOGS_CALLS = 4,
    PSB_LOGS_FORMATS = 8,
    PSB_LOGS_HALOS = 16,
    PSB_LOGS_TRANSFERS = 32,
    PSB_LOGS_KERNELS = 64,
    PSB_LOGS_SUMMARY = 128,
    PSB_LOGS_TRACE = 256,
    PSB_LOGS_SILENCE = 512 /* no line at all */
};

/* Bits of enum psb_logged; < 0: PSB_LOG has not been read yet.  psb_log_read reads it then, and returns the
 * bits. */
extern atomic_int psb_log_bits;
int psb_log_read(void);

/* Return whether the log has one of `what`.  Local. */
static inline bool psb_logs(int what)
{
    return atomic_load_explicit(&psb_log_bits, memory_order_relaxed) & what && psb_log_read() & what;
}

/* Send a line of one kind, unless the log is off; the caller asks psb_logs before, but for lines that need no
 * request.  Return whether it has been printed on stderr.  Local. */
bool psb_log_line(enum psb_logged kind, const char *fmt, ...) PSB_PRINTF(2, 3);

/* Open the file of the log now, or tell that it cannot be written, unless lines go elsewhere.  Local. */
void psb_log_open(void);

/* Set path to FILE of an item "item:FILE" of the log, "" if there is none.  Local.  PSB_EARG. */
enum { PSB_LOG_PATH = 1024 };
PSB_MUST_CHECK psb_err psb_log_file(const char *item, char path[PSB_LOG_PATH]);

/* Send a hint for each item of PSB_LOG that is not known.  Local. */
void psb_log_hints(void);
#endif
