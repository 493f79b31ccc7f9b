/* together.c -- room: test.  Checks of tests that run on several processes. */
#include "together.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char first[600]; /* what was found wrong here first */

void together_note(int ok, const char *file, int line, const char *fmt, ...)
{
    if (ok || *first)
        return;
    int n = snprintf(first, sizeof first, "%s:%d: ", file, line);
    va_list args;
    va_start(args, fmt);
    vsnprintf(first + n, sizeof first - (size_t)n, fmt, args);
    va_end(args);
}

void together_good(psb_err e, const char *call, const char *file, int line)
{
    together_note(e == PSB_OK, file, line, "%s: %s", call, psb_errmsg());
}

void together_bad(psb_err e, psb_err code, const char *in, const char *call, const char *file, int line)
{
    together_note(e == code, file, line, "%s: %s; expected %s", call, psb_strerror(e), psb_strerror(code));
    together_note(e != code || strstr(psb_errmsg(), in), file, line, "%s: \"%s\"; expected \"%s\" in it",
                  call, psb_errmsg(), in);
}

int together_count(int yes)
{
    int n = yes != 0;
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return n;
}

static void begin(void)
{
    *first = '\0';
}

/* The lowest process where something was wrong speaks for all. */
static void verdict(void)
{
    int me, np, who;
    psb_alloc_fail_at(0);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    who = *first ? me : np;
    MPI_Allreduce(MPI_IN_PLACE, &who, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (who == np)
        return;
    MPI_Bcast(first, sizeof first, MPI_CHAR, who, MPI_COMM_WORLD);
    ck_abort_msg("on process %d of %d: %s", who, np, first);
}

TCase *together_tcase(Suite *s, const char *name)
{
    TCase *c = ck_tcase(s, name);
    tcase_add_checked_fixture(c, begin, verdict);
    return c;
}
