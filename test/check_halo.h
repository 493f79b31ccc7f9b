/* check_halo.h -- test: the parts of suite halo. */
#ifndef CHECK_HALO_H
#define CHECK_HALO_H
#include "multivector.h"

/* CELLS elements, which are distinct integers. */
const T *numbers(void);
/* A new descriptor of a few rows, of which every process uses all. */
psb_desc *all_neighbours(void);
/* Complete the exchange of x, and check its channel. */
psb_err end_and_check(struct X(vect) *x);
/* After a halo exchange every local row equals the row of its owner. */
void check_rows(struct X(vect) *x, const T *all, const char *what);

/* Tests of check_halo.c that pass by any transport: exchanges; what happens while one is pending; copies; a
 * device that fails. */
void add_exchanges(TCase *c);
void add_computations(TCase *c);
void add_pending(TCase *c);
void add_clones(TCase *c);
void add_device_failures(TCase *c);

/* Gather and scatter: results, errors. */
void add_gathers(TCase *c);
void add_wrong_gathers(TCase *c);

/* Fixtures that choose the transport: through memory of the device; that of two hosts, where some neighbours
 * are near and some are far, if there are more than two processes; the default again, and on one host. */
void by_channel(void);
void by_both(void);
void by_default(void);
void on_this_host(void);

/* The test cases of all transports. */
void add_channels(Suite *s);
#endif
