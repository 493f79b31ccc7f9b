/* collective_checks.h -- test: assertions for tests on several processes.
 *
 * If a test stopped on one process, the others would wait for ever.  These assertions therefore only record
 * the first failure of a process; the test continues to its end, where all processes exchange the result and
 * fail together. */
#ifndef COLLECTIVE_CHECKS_H
#define COLLECTIVE_CHECKS_H
#include "ck.h"

/* The context of the program, this process and the number of processes. */
extern psb_ctxt *ctxt;
extern int me, np;

/* Run a suite without a device on at most PROCS processes; return the exit status of the program.  Fails if
 * psb_exit ends an MPI that it did not start. */
enum { PROCS = 8 };
int collective_main(Suite *(*make)(void));

/* The condition holds, else this is the message, made as by printf; the call succeeds; the call fails as in
 * FAILS.  Local. */
#define EXPECT_SAYING(cond, ...) collective_note((cond), __FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(cond)             collective_note((cond), __FILE__, __LINE__, "%s", #cond)
#define GOOD(call)               collective_good((call), #call, __FILE__, __LINE__)
#define BAD(call, code, ...)     collective_bad((call), (code), #call, __FILE__, __LINE__, __VA_ARGS__)
void collective_note(int ok, const char *file, int line, const char *fmt, ...) PSB_PRINTF(4, 5);
void collective_good(psb_err e, const char *call, const char *file, int line);
void collective_bad(psb_err e, psb_err code, const char *call, const char *file, int line, const char *fmt,
                    ...);

/* Return the number of processes on which `yes` is not 0.  Collective. */
int collective_count(int yes);

/* Add a test case to s; each of its tests fails on all processes if a check failed on any. */
TCase *collective_tcase(Suite *s, const char *name);
#endif
