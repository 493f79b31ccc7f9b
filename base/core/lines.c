/* lines.c -- base/core: what PSB_LOG asks for, and lines of the log. */
#include "config.h"
#include "lines.h"
#include "env.h"
#include "errcall.h"
#include "psb_log_lines.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LOG = 2048, LONGEST_LINE = 1024, LONGEST_NAME = PSB_LOG_PATH - 24 };
enum {
    UP_TO_ERROR = PSB_LOGS_ERRORS,
    UP_TO_HINT = UP_TO_ERROR | PSB_LOGS_HINTS,
    UP_TO_CALL = UP_TO_HINT | PSB_LOGS_CALLS | PSB_LOGS_FORMATS | PSB_LOGS_HALOS,
    UP_TO_DEBUG = UP_TO_CALL | PSB_LOGS_TRANSFERS | PSB_LOGS_KERNELS
};

static const struct {
    const char *name;
    int bits;
} log_words[] = {
    { "off", PSB_LOGS_SILENCE },
    { "error", UP_TO_ERROR },
    { "hint", UP_TO_HINT },
    { "call", UP_TO_CALL },
    { "debug", UP_TO_DEBUG },
    { "errors", PSB_LOGS_ERRORS },
    { "hints", PSB_LOGS_HINTS },
    { "calls", PSB_LOGS_CALLS },
    { "formats", PSB_LOGS_FORMATS },
    { "halo", PSB_LOGS_HALOS },
    { "transfers", PSB_LOGS_TRANSFERS },
    { "kernels", PSB_LOGS_KERNELS },
    { "summary", PSB_LOGS_SUMMARY },
    { "trace", PSB_LOGS_TRACE },
    { "file", 0 },
};
enum { LOG_WORDS = sizeof log_words / sizeof *log_words };

/* The log in force. */
static struct output {
    char items[LONGEST_LOG];
    char path[PSB_LOG_PATH]; /* of the file that is open */
    FILE *file;
    bool opened; /* the file has been opened, or cannot be */
} log_output;
static _Atomic(psb_log_callback) log_callback;
static void *callback_data;
static atomic_flag output_taken = ATOMIC_FLAG_INIT;

atomic_int psb_log_bits = -1;

static void take_output(void)
{
    while (atomic_flag_test_and_set_explicit(&output_taken, memory_order_acquire))
        continue;
}

static void give_output(void)
{
    atomic_flag_clear_explicit(&output_taken, memory_order_release);
}

/* --- items ---------------------------------------------------------------------------------------------- */

/* Set *length to that of the next item at *p, which may be 0, and move *p past it; NULL at the end. */
static const char *next_item(const char **p, size_t *length)
{
    const char *item = *p + strspn(*p, ", ");
    *length = strcspn(item, ", ");
    *p = item + *length;
    return *length ? item : NULL;
}

/* The length of an item without ":FILE". */
static size_t bare_length(const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    return colon ? (size_t)(colon - text) : length;
}

/* The number of an item in log_words, LOG_WORDS if it is none. */
static int find_word(const char *text, size_t length)
{
    int k = 0;
    while (k < LOG_WORDS &&
           (strlen(log_words[k].name) != length || memcmp(log_words[k].name, text, length) != 0))
        k++;
    return k;
}

/* The item called `name`, of *length bytes with its file, or NULL. */
static const char *find_item(const char *items, const char *name, size_t *length)
{
    for (const char *p = items, *text; (text = next_item(&p, length));)
        if (bare_length(text, *length) == strlen(name) && memcmp(text, name, strlen(name)) == 0)
            return text;
    return NULL;
}

/* The bits of the items that are known. */
static int bits_in(const char *items)
{
    int bits = 0;
    size_t length;
    for (const char *p = items, *text; (text = next_item(&p, &length));) {
        const int k = find_word(text, bare_length(text, length));
        bits |= k < LOG_WORDS ? log_words[k].bits : 0;
    }
    return bits & PSB_LOGS_SILENCE ? PSB_LOGS_SILENCE : bits;
}

/* Say what is wrong with the next item that is; NULL at the end. */
static const char *next_fault(const char **p, char fault[LONGEST_LINE])
{
    size_t length;
    for (const char *text; (text = next_item(p, &length));) {
        const size_t bare = bare_length(text, length);
        const int shown = length < 80 ? (int)length : 80, k = find_word(text, bare);
        if (k == LOG_WORDS) {
            const char *word[LOG_WORDS];
            char advice[PSB_ADVICE];
            for (int i = 0; i < LOG_WORDS; i++)
                word[i] = log_words[i].name;
            snprintf(fault, LONGEST_LINE, "the item %.*s, which is not known; %s", shown, text,
                     psb_env_advice(word, LOG_WORDS, text, bare, advice));
            return fault;
        }
        const bool file = log_words[k].bits == 0;
        if (file && length < bare + 2) {
            snprintf(fault, LONGEST_LINE, "the item file; expected file:FILE");
            return fault;
        }
        if (length > bare && !file && !(log_words[k].bits & (PSB_LOGS_SUMMARY | PSB_LOGS_TRACE))) {
            snprintf(fault, LONGEST_LINE, "the item %.*s; expected no file there, but file:FILE", shown,
                     text);
            return fault;
        }
        if (length - bare > LONGEST_NAME) {
            snprintf(fault, LONGEST_LINE, "the item %.*s..., a name of %zu bytes; expected at most %d", shown,
                     text, length - bare - 1, LONGEST_NAME - 1);
            return fault;
        }
    }
    return NULL;
}

int psb_log_read(void)
{
    int now = psb_log_bits;
    if (now >= 0)
        return now;
    take_output();
    if (psb_log_bits < 0) {
        const char *items = psb_env("PSB_LOG");
        snprintf(log_output.items, LONGEST_LOG, "%s", items ? items : "");
        psb_log_bits = bits_in(log_output.items);
    }
    now = psb_log_bits;
    give_output();
    return now;
}

void psb_log_hints(void)
{
    char fault[LONGEST_LINE];
    const char *p = psb_env("PSB_LOG");
    if (p && strlen(p) >= LONGEST_LOG)
        psb_log_line(PSB_LOGS_HINTS, "hint: PSB_LOG has %zu bytes, of which the first %d are read", strlen(p),
                     LONGEST_LOG - 1);
    while (p && next_fault(&p, fault))
        psb_log_line(PSB_LOGS_HINTS, "hint: PSB_LOG has %s", fault);
}

psb_err psb_log_file(const char *item, char path[PSB_LOG_PATH])
{
    size_t length;
    psb_log_read();
    const char *text = find_item(log_output.items, item, &length);
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

/* --- files ---------------------------------------------------------------------------------------------- */

/* path = `from` with numbers for %i and %p; return whether it is a file of this process alone. */
static bool name_file(const char *from, size_t length, char path[PSB_LOG_PATH])
{
    const int number = psb_err_number();
    bool own = number < 0;
    size_t at = 0;
    for (size_t i = 0; i < length && at < PSB_LOG_PATH - 1; i++) {
        const char sort = from[i] == '%' && i + 1 < length ? from[i + 1] : '\0';
        if (sort == 'i' || sort == 'p') {
            const long n = sort == 'p' ? (long)getpid() : number < 0 ? 0 : number;
            at += (size_t)snprintf(path + at, PSB_LOG_PATH - at, "%ld", n);
            own = true;
            i++;
        } else {
            path[at++] = from[i];
        }
    }
    path[at < PSB_LOG_PATH ? at : PSB_LOG_PATH - 1] = '\0';
    return own;
}

/* Open the file that o->items names, unless it is the one of `before`; false, with its name in o->path: it
 * cannot be written. */
static bool open_output(struct output *o, const struct output *before)
{
    size_t length;
    const char *item = find_item(o->items, "file", &length);
    const size_t from = item ? bare_length(item, length) + 1 : 0;
    o->opened = true;
    if (!item || from >= length)
        return true;
    const bool own = name_file(item + from, length - from, o->path);
    o->file = before && before->file && strcmp(before->path, o->path) == 0 ? before->file
                                                                           : fopen(o->path, own ? "w" : "a");
    if (o->file)
        setvbuf(o->file, NULL, _IOLBF, BUFSIZ); /* a line at a time, also of several processes */
    return o->file != NULL;
}

psb_err psb_log_set(const char *items)
{
    struct output new = { .opened = false };
    char fault[LONGEST_LINE];
    const char *text = items ? items : psb_env("PSB_LOG");
    const char *p = items;
    PSB_CHECK(!items || strlen(items) < LONGEST_LOG, PSB_EARG,
              "argument items has %zu bytes; expected fewer than %d", strlen(items), LONGEST_LOG);
    PSB_CHECK(!items || !next_fault(&p, fault), PSB_EARG, "argument items has %s", fault);
    snprintf(new.items, LONGEST_LOG, "%s", text ? text : "");
    if (!open_output(&new, &log_output)) {
        PSB_CHECK(!items, PSB_EIO, "%s cannot be written: %s", new.path, strerror(errno));
        new.opened = false; /* the first line says so */
    }
    if (log_output.file && log_output.file != new.file)
        fclose(log_output.file);
    log_output = new;
    psb_log_bits = bits_in(new.items);
    return PSB_OK;
}

/* Where lines go without a callback. */
static FILE *open_lines(void)
{
    take_output();
    if (!log_output.opened && !open_output(&log_output, NULL))
        fprintf(stderr, "psb: no log: %s cannot be written: %s\n", log_output.path, strerror(errno));
    FILE *to = log_output.file ? log_output.file : stderr;
    give_output();
    return to;
}

void psb_log_open(void)
{
    if (!log_callback && !psb_logs(PSB_LOGS_SILENCE))
        open_lines();
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool print_line(const char *text)
{
    static atomic_flag lost = ATOMIC_FLAG_INIT;
    const int number = psb_err_number();
    FILE *to = open_lines();
    const int n = number < 0 ? fprintf(to, "psb: %s\n", text)
                             : fprintf(to, "psb: process %d: %s\n", number, text);
    if (to != stderr && (n < 0 || fflush(to) != 0) && !atomic_flag_test_and_set(&lost))
        fprintf(stderr, "psb: lines of the log are lost: %s cannot be written\n", log_output.path);
    return to == stderr;
}

/* Levels are the first words. */
static enum psb_log_level level_of(enum psb_logged kind)
{
    enum psb_log_level level = PSB_LOG_ERROR;
    while (level < PSB_LOG_DEBUG && !(log_words[level].bits & (int)kind))
        level++;
    return level;
}

/* Call function f, which is called no more if it fails.  Errors of calls that it makes are its own. */
static void call_back(psb_log_callback f, enum psb_logged kind, const char *text)
{
    char failure[80];
    psb_expect_errors(1);
    const int failed = f(level_of(kind), text, callback_data);
    psb_expect_errors(0);
    if (!failed)
        return;
    log_callback = NULL;
    snprintf(failure, sizeof failure, "the callback of the log returned %d, and is called no more", failed);
    print_line(failure);
}

bool psb_log_line(enum psb_logged kind, const char *fmt, ...)
{
    static _Thread_local bool inside;
    char text[LONGEST_LINE];
    bool printed = false;
    va_list args;
    if (inside || psb_logs(PSB_LOGS_SILENCE))
        return false;
    inside = true;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const psb_log_callback f = log_callback;
    if (f)
        call_back(f, kind, text);
    else
        printed = print_line(text);
    inside = false;
    return printed;
}

void psb_log_set_callback(psb_log_callback f, void *data)
{
    callback_data = data;
    log_callback = f;
}
