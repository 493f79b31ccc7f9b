/* bench.h -- test/kernel: shared by the speed programs: command lines, clocks, medians, and files of results.
 */
#ifndef BENCH_H
#define BENCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "psb_ctxt.h"
#include "psb_gen.h"

/* The name of the program, for messages. */
extern const char *const program;

enum { SKIPPED = 77 }; /* exit status */

/* stop: print `what` and `why`, and exit.  good: the same if e is not PSB_OK. */
_Noreturn void stop(const char *what, const char *why);
void good(psb_err e, const char *what);

/* --- the command line --- */

/* An option --name.  One of its members says what it sets: a flag; a number from least to most; a text; or
 * what set(argument) sets. */
struct flag {
    const char *name;
    bool *on;
    const char **text;
    void (*set)(const char *s);
    int *number, least, most;
};

/* Read the options of a table that ends with an empty name, and set optind to the first of the other
 * arguments;
 * --help prints `help` and exits.  A wrong option, or no other argument, exits with status 2. */
void read_command(int argc, char **argv, const struct flag *table, const char *help);

/* Report that option --name has the value `said` instead of what was expected, and exit with status 2. */
_Noreturn void refuse(const char *name, const char *said, const char *expected);

/* Parse the integer, least to most, that *s begins with, and move *s past it.  Anything else: refuse(). */
int number(const char *name, const char **s, int least, int most);
/* Argument k of the command line, a number from least to most, or `usual` if there are fewer. */
int argument(int argc, char **argv, int k, int least, int most, int usual);

/* Returns whether `name` is in `list`, names separated by commas, ignoring case; always if list is NULL. */
bool stands_in(const char *name, const char *list);
/* Copy the first name of *list to `name`, and move *list to the next one, or to NULL after the last. */
void next_name(const char **list, char *name, size_t len);

/* --- matrices --- */

/* Store a short name: lap7:100, or the name of a file without directory and ending. */
void matrix_name(char *name, size_t len, const char *what);
/* Returns whether the matrix is generated, not a file. */
bool matrix_is_generated(const char *what);
/* Parse the name of a generated matrix: those of psb_gen.h; uniform:M:K, which is uniform:M,K; power:M, which
 * is powerrows:M,15,32768; block:NX, which is elasticity:NX. */
PSB_MUST_CHECK psb_err matrix_parse(const char *what, struct psb_gen *g);

/* Returns the first of m rows in block k of np even ones, as psb_part_blocks divides them. */
psb_lpk block_start(psb_lpk m, int k, int np);

/* --- the machine --- */

/* Begin: MPI and the formats of the host, or with the device if there is one. */
psb_ctxt *start(bool device);
/* The same on a GPU or the fake device, whose name is printed; without, stop(). */
psb_ctxt *start_on_device(void);
void finish(psb_ctxt *ctxt);

/* Returns the time when the device has finished. */
double now(void);
/* Returns the largest of the processes' values. */
double slowest(psb_ctxt *ctxt, double mine);
/* Returns the median seconds of `rounds` calls of run(arg), each until the device has finished, after `warm`
 * more. */
double median_time(int warm, int rounds, void (*run)(void *arg), void *arg);
/* Returns the median of n numbers, 1 <= n <= 1000. */
double median_of(const double *x, int n);
/* Returns the bytes per second, read and written, of copies within the memory of the GPU; NAN without one. */
double copy_bandwidth(void);

/* --- results --- */

/* Write a line to the file of option --tsv, which read_command knows, unless there is none or the value is
 * NAN: results/README.md says what the columns are.  An empty file gets a head.  By one process. */
void record(const char *matrix, char type, int processes, const char *method, const char *quantity,
            double value, const char *unit);
#endif
