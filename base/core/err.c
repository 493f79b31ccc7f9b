/* err.c -- base/core: the error messages of each thread. */
#include "psb_err.h"
#include "errcall.h"
#include "lines.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, MESSAGE = 512, NAME = 64 };

struct message {
    psb_err code;
    bool told; /* printed */
    char file[NAME], call[NAME], said[MESSAGE];
};

static _Thread_local struct message messages[DEPTH]; /* a ring: a new message replaces the oldest */
static _Thread_local unsigned newest, nmessages;
static atomic_int action = PSB_ACT_RETURN;
static atomic_int process = -1;  /* of several: its number in MPI_COMM_WORLD */
static atomic_bool leads = true; /* it is process 0 of a context, or there is none */

#define PSB_ERR_TEXT(code, text) [code] = text,
static const char *const err_texts[PSB_NERR] = { PSB_ERR_LIST(PSB_ERR_TEXT) };

const char *psb_strerror(psb_err e)
{
    return (unsigned)e < PSB_NERR ? err_texts[e] : "unknown error";
}

#define PSB_ERR_NAME(code, text) [code] = #code,
static const char *const err_names[PSB_NERR] = { PSB_ERR_LIST(PSB_ERR_NAME) };

const char *psb_errname(psb_err e)
{
    return (unsigned)e < PSB_NERR ? err_names[e] : "unknown";
}

/* Return the part of a path that begins with a component's folder, e.g. "base/desc/map.c", so that messages
 * do not depend on where the tree was built; for other files, the last folder and the name. */
static const char *short_path(const char *file)
{
    static const char *const components[] = { "base/",     "ext/",   "rsb/",   "cuda/", "util/",
                                              "linsolve/", "cbind/", "tools/", "test/" };
    const char *component = NULL, *folder = file, *last = file;
    for (const char *p = file; *p; p = strchr(p, '/') ? strchr(p, '/') + 1 : p + strlen(p)) {
        folder = last;
        last = p;
        for (size_t i = 0; i < sizeof components / sizeof *components; i++)
            if (strncmp(p, components[i], strlen(components[i])) == 0)
                component = p;
    }
    return component ? component : folder;
}

/* Replace each character 0 in the text by the two characters \0, so that it does not end the text.  n is what
 * vsnprintf returned. */
static void show_zeros(char *text, size_t size, int n)
{
    size_t len = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
    for (size_t i = 0; i < len; i++) {
        if (text[i])
            continue;
        if (len + 1 < size) {
            memmove(text + i + 1, text + i, ++len - i);
            text[i + 1] = '0';
        }
        text[i] = '\\';
    }
}

void psb_err_process(int number, bool first)
{
    if (atomic_exchange(&process, number) < 0 && number >= 0)
        atomic_store(&leads, false);
    if (first)
        atomic_store(&leads, true);
}

int psb_err_number(void)
{
    return atomic_load(&process);
}

bool psb_err_leads(void)
{
    return atomic_load(&leads);
}

/* Print the newest message, once.  An error on one process is an error on all in collective calls: that
 * process tells it, and the first one. */
static void tell(void)
{
    struct message *e = &messages[newest];
    const int who = atomic_load(&process);
    const bool others = strncmp(e->said, "on process ", strlen("on process ")) == 0;
    if (e->told || (others && !atomic_load(&leads)))
        return;
    e->told = true;
    if (who >= 0)
        fprintf(stderr, "psb: process %d: %s\n", who, psb_errmsg());
    else
        fprintf(stderr, "psb: %s\n", psb_errmsg());
}

static _Thread_local int expecting;

void psb_expect_errors(int yes)
{
    if (yes || expecting > 0)
        expecting += yes ? 1 : -1;
}

psb_err psb_fail(psb_err e, const char *file, const char *func, const char *fmt, ...)
{
    if (expecting > 0)
        return e;
    newest = (newest + 1) % DEPTH;
    nmessages = nmessages < DEPTH ? nmessages + 1 : DEPTH;
    struct message *now = &messages[newest];
    va_list args;
    now->code = e;
    now->told = false;
    snprintf(now->file, NAME, "%s", short_path(file));
    va_start(args, fmt);
    show_zeros(now->said, sizeof now->said, vsnprintf(now->said, sizeof now->said, fmt, args));
    va_end(args);
    snprintf(now->call, NAME, "%s", func);

    if (psb_logs(PSB_LOGS_ERRORS))
        now->told = psb_log_line(PSB_LOGS_ERRORS, "error: %s", psb_errmsg());
    int act = atomic_load(&action);
    if (act != PSB_ACT_RETURN)
        tell();
    if (act == PSB_ACT_ABORT)
        abort();
    return e;
}

psb_err psb_passed(psb_err e, const char *func)
{
    if (e != PSB_OK && nmessages && !expecting && messages[newest].code == e && strncmp(func, "psb_", 4) == 0)
        snprintf(messages[newest].call, NAME, "psb_%s", func + (strncmp(func, "psb_any_", 8) == 0 ? 8 : 4));
    return e;
}

const char *psb_errmsg(void)
{
    static _Thread_local char text[MESSAGE + 4 * NAME];
    const struct message *e = &messages[newest];
    if (!nmessages)
        return "";
    snprintf(text, sizeof text, "%s: %s: %s: %s", e->file, e->call, psb_strerror(e->code), e->said);
    return text;
}

const char *psb_errtext(void)
{
    return nmessages ? messages[newest].said : "";
}

const char *psb_errcall(void)
{
    return nmessages ? messages[newest].call : "";
}

psb_err psb_errstatus(void)
{
    return nmessages ? messages[newest].code : PSB_OK;
}

void psb_tell(psb_err e)
{
    if (e != PSB_OK && !expecting)
        tell();
}

psb_err psb_pop_errmsg(char *buf, unsigned len)
{
    psb_err e = psb_errstatus();
    if (buf && len)
        snprintf(buf, len, "%s", psb_errmsg());
    if (nmessages) {
        nmessages--;
        newest = (newest + DEPTH - 1) % DEPTH;
    }
    return e;
}

void psb_print_errmsg(void)
{
    if (nmessages)
        tell();
    nmessages = 0;
}

void psb_clean_errstack(void)
{
    nmessages = 0;
}

void psb_set_erraction(enum psb_erraction a)
{
    if (a == PSB_ACT_RETURN || a == PSB_ACT_PRINT || a == PSB_ACT_ABORT)
        atomic_store(&action, a);
    else
        psb_tell(PSB_FAIL(PSB_EARG,
                          "argument action is %d; expected PSB_ACT_RETURN, PSB_ACT_PRINT or PSB_ACT_ABORT",
                          (int)a));
}
