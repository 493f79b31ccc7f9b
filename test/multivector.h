/* multivector.h -- test: distributed vectors of several columns. */
#ifndef MULTIVECTOR_H
#define MULTIVECTOR_H
#include "counting_device.h"
#include "distributed.h"

enum { ROWS = 50, COLS = 11, CELLS = ROWS * COLS, PLACES = 4 };

/* The host, the device of cuda/, the counting device, a device with only the mandatory vector operations. */
extern const struct psb_vmold *const places[PLACES];

/* Make an assembled descriptor of ROWS rows with up to 20 halo indices on every process.  Collective. */
psb_desc *rows_with_halo(enum distribution distribution);

/* Make an assembled vector of k columns: owned rows copied from `all` (ROWS x k, by rows), halo rows
 * `sentinel`. */
struct X(vect) *multivector(psb_desc *d, int k, const T *all, const struct psb_vmold *place);
/* Set the owned rows to those of `all` and the halo rows to `sentinel`; a device copy is left out of date. */
void multivector_load(struct X(vect) *x, const T *all);
extern const T sentinel; /* a value that no operation may overwrite where it stands */

/* Check that the owned elements equal w (ROWS x k, by rows) and the halo still holds `sentinel`. */
void multivector_check(struct X(vect) *x, const struct want *w, const char *what);
/* The same with exact values. */
void check_exact(struct X(vect) *x, const T *all, const char *what);

/* Open the device again with PSB_FAKE_HOSTS as given (NULL: not set): the fake device plays that many hosts.
 * Collective. */
void play_hosts(const char *hosts);

/* Return e, or, if it is PSB_OK, what went wrong in channel c by now.  GPUs that store into each other's
 * memory learn of a neighbour's failure when the stream has waited for it. */
psb_err checked(psb_err e, struct psb_channel *c);

/* Return whether each process has a GPU of its own; 0 on the fake device. */
int have_own_gpus(void);

/* Return whether the value on this process has the bits of the value on process 0.  Collective. */
int same_bits(const void *value, size_t size);
#endif
