/* env.h -- base/core: the environment variables that the library reads. */
#ifndef PSB_ENV_H
#define PSB_ENV_H
#include "psb_err.h"
#include <stdbool.h>
#include <stdint.h>

/* Return the value of the environment variable `name`, which the table in env.c lists; NULL if it is empty or
 * not set.  Local. */
const char *psb_env(const char *name);

/* Return which of the n choices the variable is; -1 if it is not set, n if it is none of them.
 * psb_env_choice: set *k to it, unchanged if the variable is not set; PSB_EARG if it is none of them.
 * Local. */
int psb_env_which(const char *name, const char *const *choices, int n);
PSB_MUST_CHECK psb_err psb_env_choice(const char *name, const char *const *choices, int n, int *k);

/* Set *x to the number in the variable, unchanged if it is not set.  psb_env_real: 0 < *x <= most, in `what`;
 * psb_env_count: a whole number of `what` >= 1.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err psb_env_real(const char *name, const char *what, double most, double *x);
PSB_MUST_CHECK psb_err psb_env_count(const char *name, const char *what, int64_t *x);

/* Return whether PSB_LOG, a list with commas, has this item, which may be followed by ":FILE"; set path to that
 * FILE, "" if there is none.  Local.  PSB_EARG. */
enum { PSB_LOG_PATH = 1024 };
bool psb_env_logs(const char *item);
PSB_MUST_CHECK psb_err psb_env_log_file(const char *item, char path[PSB_LOG_PATH]);

/* The first call prints a hint for each item of PSB_LOG that is not known, and for each variable whose name
 * is nearly one of the library's.  Local. */
void psb_env_hints(void);
#endif
