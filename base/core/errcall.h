/* errcall.h -- base/core: the name of the call that failed. */
#ifndef PSB_ERRCALL_H
#define PSB_ERRCALL_H

/* Return the call that the newest recorded message of this thread names, valid until the next psb_ call; ""
 * if there is none.  Local. */
const char *psb_errcall(void);
#endif
