/* collective_checks.c -- test: assertions for tests on several processes. */
#include "collective_checks.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

psb_ctxt *ctxt;
int me, np;

static char first[600]; /* message of the first failed check of this process */

void collective_note(int ok, const char *file, int line, const char *fmt, ...)
{
    if (ok || *first)
        return;
    int n = snprintf(first, sizeof first, "%s:%d: ", file, line);
    va_list args;
    va_start(args, fmt);
    vsnprintf(first + n, sizeof first - (size_t)n, fmt, args);
    va_end(args);
}

void collective_good(psb_err e, const char *call, const char *file, int line)
{
    collective_note(e == PSB_OK, file, line, "%s: %s", call, psb_errmsg());
}

void collective_bad(psb_err e, psb_err code, const char *call, const char *file, int line, const char *fmt,
                    ...)
{
    char in[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(in, sizeof in, fmt, args);
    va_end(args);
    collective_note(e == code, file, line, "%s: %s; expected %s", call, psb_strerror(e), psb_strerror(code));
    collective_note(e != code || strstr(psb_errmsg(), in), file, line, "%s: \"%s\"; expected \"%s\" in it",
                    call, psb_errmsg(), in);
}

int collective_count(int yes)
{
    int n = yes != 0;
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return n;
}

static void begin(void)
{
    *first = '\0';
}

/* Fail on all processes with the message of the lowest process that has one. */
static void verdict(void)
{
    int rank, size, who;
    psb_alloc_fail_at(0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    who = *first ? rank : size;
    MPI_Allreduce(MPI_IN_PLACE, &who, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (who == size)
        return;
    MPI_Bcast(first, sizeof first, MPI_CHAR, who, MPI_COMM_WORLD);
    ck_abort_msg("on process %d of %d: %s", who, size, first);
}

TCase *collective_tcase(Suite *s, const char *name)
{
    TCase *c = ck_tcase(s, name);
    tcase_add_checked_fixture(c, begin, verdict);
    return c;
}

int collective_main(Suite *(*make)(void))
{
    int ended;
    ck_mpi_init();
    if (psb_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    const int failed = np > PROCS || collective_count(ck_run(make())) > 0;
    psb_exit(ctxt);
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Finalize();
    return failed || ended ? EXIT_FAILURE : EXIT_SUCCESS;
}
