/* check_ctxt.h -- room: test.  What the suites of contexts share: elements of every kind. */
#ifndef CHECK_CTXT_H
#define CHECK_CTXT_H
#include <complex.h>
#include "collective_checks.h"

extern psb_ctxt *ctxt;
extern int me, np;

enum { LONG = 1000 }; /* elements of an array */

/* An array of any kind, and one element more that nobody may touch. */
union array {
    char bytes[(LONG + 1) * sizeof(double _Complex)];
    double _Complex align;
};

/* Element i of process r, a small whole number that every kind can hold in its way. */
double _Complex element(enum psb_kind kind, int r, int i);

/* One element of an array, as a number. */
double _Complex get(enum psb_kind kind, const void *x, psb_epk i);
void set(enum psb_kind kind, void *x, psb_epk i, double _Complex value);

/* x[0..n) are process r's elements; x[n] is the guard. */
void fill(enum psb_kind kind, void *x, int r, psb_epk n);
void guarded(enum psb_kind kind, const void *x, psb_epk n);

/* Array x holds what fill(kind, r, n) gives. */
void untouched(enum psb_kind kind, const void *x, int r, psb_epk n);

void add_collective(Suite *s);
void add_messages(Suite *s);
#endif
