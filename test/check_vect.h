/* check_vect.h -- test: the parts of suite "vect". */
#ifndef CHECK_VECT_H
#define CHECK_VECT_H
#include "psb_cuda.h"
#include "counting_device.h"
#include "sample.h"

enum { ROWS = 37, PLACES = 3 };

/* A descriptor of ROWS rows; where vectors are. */
extern psb_desc *vect_desc;
extern const struct psb_vmold *const vect_places[PLACES];

/* A vector and its expected values. */
struct pair {
    struct X(vect) *v;
    T must[ROWS];
};

/* Make a vector of zeros at `where`. */
void open_vect_pair(struct pair *p, const struct psb_vmold *where);

/* Check all values. */
void check_vect_pair(struct pair *p);

/* Overwrite x with random values on the host. */
void write_vect_pair(struct pair *x, struct rng *r);

/* Results for any number of threads; long sums. */
void add_vect_threads(TCase *c);
/* A device that fails, wrong arguments, no memory. */
void add_vect_errors(TCase *c);
#endif
