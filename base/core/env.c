/* env.c -- base/core: the environment variables that the library reads. */
#include "config.h"
#include "env.h"
#include "number.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const env_names[] = { "PSB_DEVICE", "PSB_FAKE_BYTES", "PSB_FAKE_HOSTS",
                                         "PSB_FORMAT", "PSB_HALO",       "PSB_HALO_TIMEOUT",
                                         "PSB_LOG",    "PSB_POOL_BYTES", "PSB_SIMD" };
static const char *const log_items[] = { "transfers", "kernels", "formats", "halo",
                                         "hints",     "summary", "trace" };
enum {
    ENV_NAMES = sizeof env_names / sizeof *env_names,
    LOG_ITEMS = sizeof log_items / sizeof *log_items,
    LIST_LENGTH = 200
};

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

/* --- PSB_LOG -------------------------------------------------------------------------------------------- */

/* Set *length to that of the next item at *p, which may be 0, and move *p past it; NULL at the end. */
static const char *next_item(const char **p, size_t *length)
{
    const char *item = *p + strspn(*p, ", ");
    *length = strcspn(item, ", ");
    *p = item + *length;
    return *length ? item : NULL;
}

static bool is_item(const char *item, const char *text, size_t length)
{
    return strlen(item) == length && memcmp(item, text, length) == 0;
}

/* The length of an item without ":FILE". */
static size_t bare_length(const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    return colon ? (size_t)(colon - text) : length;
}

/* The item in PSB_LOG, of *length bytes with its file, or NULL. */
static const char *find_item(const char *item, size_t *length)
{
    const char *p = psb_env("PSB_LOG");
    for (const char *text; p && (text = next_item(&p, length));)
        if (is_item(item, text, bare_length(text, *length)))
            return text;
    return NULL;
}

bool psb_env_logs(const char *item)
{
    size_t length;
    return find_item(item, &length) != NULL;
}

psb_err psb_env_log_file(const char *item, char path[PSB_LOG_PATH])
{
    size_t length;
    const char *text = find_item(item, &length);
    const size_t from = text ? bare_length(text, length) : 0;
    path[0] = '\0';
    if (!text || from == length)
        return PSB_OK;
    PSB_CHECK(length - from - 1 < PSB_LOG_PATH, PSB_EARG,
              "PSB_LOG has the item %s with a file name of %zu bytes; expected fewer than %d", item,
              length - from - 1, PSB_LOG_PATH);
    memcpy(path, text + from + 1, length - from - 1);
    path[length - from - 1] = '\0';
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

/* A variable that begins with PSB, and is none of the table. */
static void hint_name(const char *text, size_t n)
{
    enum { NEAR = 2 };
    int best = 0;
    for (int k = 0; k < ENV_NAMES; k++) {
        if (is_item(env_names[k], text, n))
            return;
        if (word_distance(env_names[k], text, n) < word_distance(env_names[best], text, n))
            best = k;
    }
    if (word_distance(env_names[best], text, n) <= NEAR)
        fprintf(stderr, "psb: hint: the environment variable %.*s is not read; is %s meant?\n", (int)n, text,
                env_names[best]);
}

void psb_env_hints(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&done))
        return;
    char list[LIST_LENGTH];
    const char *p = psb_env("PSB_LOG");
    size_t length;
    for (const char *text; p && (text = next_item(&p, &length));) {
        int k = 0;
        while (k < LOG_ITEMS && !is_item(log_items[k], text, bare_length(text, length)))
            k++;
        if (k == LOG_ITEMS)
            fprintf(stderr, "psb: hint: PSB_LOG has the item %.*s, which is not known; expected %s\n",
                    length < 80 ? (int)length : 80, text, list_words(log_items, LOG_ITEMS, list));
    }
    for (char **e = environ; e && *e; e++)
        if (strncasecmp(*e, "psb", 3) == 0)
            hint_name(*e, strcspn(*e, "="));
}
