/* env.c -- base/core: the environment variables that the library reads. */
#include "config.h"
#include "env.h"
#include "lines.h"
#include "number.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const struct psb_variable variables[] = {
    { "NCCL_HOSTID", "a text", "none",
      "tells apart containers of one host, for NCCL and for transports of halos" },
    { "OMP_NUM_THREADS", "a number", "one for each core it may use",
      "threads of a process in host kernels; processes that share all cores: cores / processes" },
    { "PSBC_PREFIX", "a folder", "found by the loader or pkg-config",
      "Python: the shared libraries are in its folder lib" },
    { "PSB_DEVICE", "cuda, fake or none", "a GPU if there is one",
      "the device behind GPU formats; cuda: an error without a GPU; fake: host memory plays one, for tests" },
    { "PSB_FAKE_BYTES", "a number >= 1", "unlimited", "bytes that the fake device has for arrays" },
    { "PSB_FAKE_HOSTS", "a number >= 1", "one host, one device",
      "the fake device plays one device for each process, on so many hosts in the order of ranks" },
    { "PSB_FORMAT", "name of a format", "CSR; HLG on a device",
      "PSBLAS's C interface: of matrices assembled without a name" },
    { "PSB_HALO", "auto, lsa, lsa+nccl, nccl, mpi or staged", "auto, the first that all can use",
      "how halos and sums of vectors on devices travel; an error if it cannot be used and all have a GPU" },
    { "PSB_HALO_TIMEOUT", "seconds, at most 86400", "120; sums wait without a limit",
      "how long exchanges between GPUs and, if it is set, sums wait for a process" },
    { "PSB_LOG",
      "a list: off, error, hint, call, debug; errors, hints, calls, formats, halo, transfers, kernels; "
      "file:FILE, summary[:FILE], trace:FILE",
      "what concerns all, on stderr", "lines of the log, and what is recorded; the same on all processes" },
    { "PSB_POOL_BYTES", "a number >= 1", "4 GiB",
      "bytes of device memory, at most, that a process keeps for later arrays; 1: none" },
    { "PSB_SIMD", "plain, avx2 or avx512", "the widest that the processor has",
      "vector instructions of host kernels; more than the processor has is an error" },
    { "TMPDIR", "a folder", "/tmp", "where psb-convert puts temporary files" },
};
enum { VARIABLES = sizeof variables / sizeof *variables, LIST_LENGTH = 400, NEAR = 2 };

const struct psb_variable *psb_variable(int i)
{
    return i >= 0 && i < VARIABLES ? &variables[i] : NULL;
}

/* Write the n words as "a, b or c". */
static const char *list_words(const char *const *word, int n, char list[LIST_LENGTH])
{
    int at = 0;
    for (int i = 0; i < n && at < LIST_LENGTH; i++)
        at += snprintf(list + at, (size_t)(LIST_LENGTH - at), "%s%s",
                       !i          ? ""
                       : i < n - 1 ? ", "
                                   : " or ",
                       word[i]);
    return list;
}

/* --- values --------------------------------------------------------------------------------------------- */

const char *psb_env(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

int psb_env_which(const char *name, const char *const *choices, int n)
{
    const char *text = psb_env(name);
    int k = 0;
    if (!text)
        return -1;
    while (k < n && strcmp(text, choices[k]) != 0)
        k++;
    return k;
}

psb_err psb_env_choice(const char *name, const char *const *choices, int n, int *k)
{
    char list[LIST_LENGTH];
    const int which = psb_env_which(name, choices, n);
    PSB_CHECK(which < n, PSB_EARG, "the environment variable %s is \"%s\"; expected %s", name, psb_env(name),
              list_words(choices, n, list));
    *k = which < 0 ? *k : which;
    return PSB_OK;
}

psb_err psb_env_real(const char *name, const char *what, double most, double *x)
{
    const char *text = psb_env(name);
    double v = *x;
    PSB_CHECK(!text || (psb_read_number(text, &v) && v > 0 && v <= most), PSB_EARG,
              "the environment variable %s is \"%s\"; expected 0 < %s <= %.10g", name, text, what, most);
    *x = v;
    return PSB_OK;
}

psb_err psb_env_count(const char *name, const char *what, int64_t *x)
{
    const char *text = psb_env(name);
    int64_t n = *x;
    PSB_CHECK(!text || (psb_read_integer(text, &n) && n >= 1), PSB_EARG,
              "the environment variable %s is \"%s\"; expected a number of %s >= 1", name, text, what);
    *x = n;
    return PSB_OK;
}

/* --- hints ---------------------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* The number of characters to insert, delete or replace, in any letter case, to make a of b[0..n).  Method:
 * Levenshtein. */
static int word_distance(const char *a, const char *b, size_t n)
{
    enum { LONGEST = 24 };
    int row[LONGEST + 1];
    const size_t m = strlen(a);
    if (n > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            const int replaced = corner + (lower(a[i - 1]) != lower(b[j - 1])), above = row[j] + 1;
            const int left = row[j - 1] + 1, least = above < left ? above : left;
            corner = row[j];
            row[j] = replaced < least ? replaced : least;
        }
    }
    return row[n];
}

/* The word nearest to text[0..n), or NULL if none is near. */
static const char *nearest_word(const char *const *word, int words, const char *text, size_t n)
{
    const char *best = NULL;
    int least = NEAR + 1;
    for (int k = 0; k < words; k++) {
        const int far = word_distance(word[k], text, n);
        best = far < least ? word[k] : best;
        least = far < least ? far : least;
    }
    return best;
}

const char *psb_env_advice(const char *const *word, int words, const char *text, size_t n,
                           char advice[PSB_ADVICE])
{
    char list[LIST_LENGTH];
    const char *near = nearest_word(word, words, text, n);
    if (near)
        snprintf(advice, PSB_ADVICE, "is %s meant?", near);
    else
        snprintf(advice, PSB_ADVICE, "expected %s", list_words(word, words, list));
    return advice;
}

/* A variable that begins with PSB, in any letter case, and is none of the table. */
static void hint_name(const char *text, size_t n)
{
    const char *name[VARIABLES];
    for (int k = 0; k < VARIABLES; k++)
        name[k] = variables[k].name;
    const char *near = nearest_word(name, VARIABLES, text, n);
    if (near && strlen(near) == n && memcmp(near, text, n) == 0)
        return;
    if (near)
        psb_log_line(PSB_LOGS_HINTS, "hint: the environment variable %.*s is not read; is %s meant?", (int)n,
                     text, near);
    else if (strncmp(text, "PSB_", 4) == 0)
        psb_log_line(PSB_LOGS_HINTS,
                     "hint: the environment variable %.*s is not read; psb-info --environment lists those "
                     "that are",
                     n < 80 ? (int)n : 80, text);
}

void psb_env_hints(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&done))
        return;
    psb_log_hints();
    for (char **e = environ; e && *e; e++)
        if (strncasecmp(*e, "psb", 3) == 0)
            hint_name(*e, strcspn(*e, "="));
}
