/* bench.h -- room: test/kernel.  What the speed programs of products share: their command lines, medians,
 * rows in a file. */
#ifndef BENCH_H
#define BENCH_H
#include <stdio.h>
#include "psb_err.h"

/* The name of the program, for messages. */
extern const char *const program;

/* Print what and why, and end; unless e is PSB_OK. */
_Noreturn void stop(const char *what, const char *why);
void good(psb_err e, const char *what);

struct option;

/* set(key, argument) for each option of the command line, but --help, which prints `help` and ends; those not
 * in table, and no argument behind them, end with status 2. */
void read_command(int argc, char **argv, const struct option *table, const char *help,
                  void (*set)(int key, const char *s));

/* Option --name was given `said`, which is not what was expected: say so and end with status 2. */
_Noreturn void refuse(const char *name, const char *said, const char *expected);

/* The whole number, least to most, that *s begins with; *s goes behind it.  Refuses anything else. */
long long number(const char *name, const char **s, long long least, long long most, const char *expected);

/* The same where all of s is that number. */
long long count(const char *name, const char *s, long long least, long long most, const char *expected);

/* Is `name` one of `list`, names between commas, case aside?  NULL: all are. */
int stands_in(const char *name, const char *list);

/* The median of n numbers, 1 <= n <= 999. */
double median_of(const double *x, int n);

/* The file at `path`, of option --tsv, to append to; heads it with `columns` where it is empty. */
FILE *open_tsv(const char *path, const char *columns);
#endif
