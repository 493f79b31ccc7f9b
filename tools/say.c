/* say.c -- tools: messages that one process prints to stderr for all processes. */
#include "config.h"
#include "say.h"
#include "psb_ctxt.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool speaks, terminal, dirty; /* dirty: the progress line must be erased */
static const char *program = "";

void say_who(const char *name, bool yes)
{
    program = name;
    speaks = yes;
    terminal = yes && isatty(STDERR_FILENO);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* a line at a time: those of several processes must not mix */
}

void say_clear(void)
{
    if (dirty)
        fputs("\r\033[K", stderr);
    dirty = false;
}

void say_progress(void *what, double fraction)
{
    static double last;
    double now = psb_wtime();
    if (!terminal || (fraction >= 0 && now - last < 0.1))
        return;
    last = now;
    dirty = true;
    fprintf(stderr, "\r\033[K%.80s", (const char *)what);
    if (fraction >= 0)
        fprintf(stderr, " %.0f %%", 100 * fraction);
    fflush(stderr);
}

void say_error(const char *fmt, ...)
{
    va_list args;
    if (!speaks)
        return;
    say_clear();
    fprintf(stderr, "%s: ", program);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

const char *say_why(void)
{
    const char *p = psb_errtext();
    for (int n = 0; sscanf(p, "on process %*d: %n", &n) == 0 && n > 0; n = 0)
        p += n;
    return p;
}

int say_end(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    say_error("standard output cannot be written");
    return status == EXIT_SUCCESS ? FAILED : status;
}

int complain(int status)
{
    if (status == MISUSED)
        say_error("%s; see %s --help", say_why(), program);
    else
        say_error("%s", say_why());
    return status;
}
