/* wide.h -- room: test.  Vectors of several columns, dealt out over the processes. */
#ifndef WIDE_H
#define WIDE_H
#include "other.h"
#include "world.h"

enum { ROWS = 50, COLS = 11, CELLS = ROWS * COLS, PLACES = 4 };

/* The host, the device of the room cuda, another device, one that knows no more operations than it must. */
extern const struct psb_vmold *const where[PLACES];

/* An assembled descriptor of ROWS rows; every process uses a few indices besides its own.  Collective. */
psb_desc *rows_with_halo(enum deal deal);

/* An assembled vector of k columns, its owned rows those of `all`, ROWS rows of k, its halo `mark`. */
struct X(vect) *wide(psb_desc *d, int k, const T *all, const struct psb_vmold *place);
void load_wide(struct X(vect) *x, const T *all);
extern const T mark;

/* Are the owned elements what they must be, and is the halo `mark` still? */
void check_wide(struct X(vect) *x, const struct want *w, const char *what);
/* The same for values that are exact. */
void check_exact(struct X(vect) *x, const T *all, const char *what);

/* Is the value the same, bit by bit, on all processes?  Collective. */
int same_bits(const void *value, size_t size);
#endif
