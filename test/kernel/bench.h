/* bench.h -- test/kernel: shared by the benchmark programs: command lines, medians, and
 * the file of results. */
#ifndef BENCH_H
#define BENCH_H
#include <stdio.h>
#include "psb_err.h"

/* The name of the program, for messages. */
extern const char *const program;

/* stop: print `what` and `why`, and exit.  good: the same if e is not PSB_OK. */
_Noreturn void stop(const char *what, const char *why);
void good(psb_err e, const char *what);

struct option;

/* Call set(key, argument) for each option of the command line; --help prints `help` and exits.  An option
 * that is not in `table`, or a missing argument after the options, exits with status 2. */
void read_command(int argc, char **argv, const struct option *table, const char *help,
                  void (*set)(int key, const char *s));

/* Report that option --name has the value `said` instead of what was expected, and exit with status 2. */
_Noreturn void refuse(const char *name, const char *said, const char *expected);

/* Parse the integer, least to most, that *s begins with, and move *s past it.  Anything else: refuse(). */
long long number(const char *name, const char **s, long long least, long long most, const char *expected);

/* The same, but all of s must be the number. */
long long count(const char *name, const char *s, long long least, long long most, const char *expected);

/* Returns whether `name` is in `list`, names separated by commas, ignoring case; always if list is NULL. */
int stands_in(const char *name, const char *list);

/* Returns the median of n numbers, 1 <= n <= 999. */
double median_of(const double *x, int n);

/* Open the file at `path`, from option --tsv, to append to it; an empty file gets the line `columns`. */
FILE *open_tsv(const char *path, const char *columns);
#endif
