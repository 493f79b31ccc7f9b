/* check_ctxt.h -- test: common parts of the suites of contexts: arrays of every kind of element. */
#ifndef CHECK_CTXT_H
#define CHECK_CTXT_H
#include <complex.h>
#include "collective_checks.h"

enum { LONG = 1000, EACH = LONG / 8 }; /* elements of the longest array, and of what a process gathers */

/* An array of any kind, and a guard element after it that must not change. */
union array {
    char bytes[(LONG + 1) * sizeof(double _Complex)];
    double _Complex align;
};

/* Element i of process r: a small integer, exact in every kind. */
double _Complex element(enum psb_kind kind, int r, int i);

/* Get or set one element of an array as a number. */
double _Complex get(enum psb_kind kind, const void *x, psb_epk i);
void set(enum psb_kind kind, void *x, psb_epk i, double _Complex value);

/* fill: set x[0..n) to the elements of process r and x[n] to the guard.  check_guard: x[n] is the guard. */
void fill(enum psb_kind kind, void *x, int r, psb_epk n);
void check_guard(enum psb_kind kind, const void *x, psb_epk n);

/* Check that x holds what fill(kind, x, r, n) stores. */
void check_unchanged(enum psb_kind kind, const void *x, int r, psb_epk n);

/* End a call that began with e: either phase may return the error. */
psb_err waited(psb_err e, psb_request **req);

/* Check a reduction of n elements, in two phases if split is not 0. */
void check_reduction(enum psb_op op, enum psb_kind kind, psb_epk n, int root, int split);

void add_collective(Suite *s);
void add_collective_errors(TCase *c);
void add_messages(Suite *s);
#endif
