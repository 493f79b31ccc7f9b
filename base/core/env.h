/* env.h -- base/core: the environment variables that the library reads. */
#ifndef PSB_ENV_H
#define PSB_ENV_H
#include "psb_err.h"
#include <stddef.h>
#include <stdint.h>

/* An environment variable that the library reads. */
struct psb_variable {
    const char *name, *values, *preset, *meaning;
};

/* Return variable i, NULL past the last; in the order of their names.  Local. */
const struct psb_variable *psb_variable(int i);

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

/* Return what to do about text[0..n), which is none of the words: "is WORD meant?" if one is near, else
 * "expected WORD, ... or WORD", in `advice`.  Local. */
enum { PSB_ADVICE = 512 };
const char *psb_env_advice(const char *const *word, int words, const char *text, size_t n,
                           char advice[PSB_ADVICE]);

/* The first call sends a hint for each item of PSB_LOG that is not known, and for each variable PSB_... that
 * is none of the library's, or whose name is nearly one of those.  Local. */
void psb_env_hints(void);
#endif
