/* check_raw.h -- test: the parts of suite "raw". */
#ifndef CHECK_RAW_H
#define CHECK_RAW_H
#include "psb_ext.h"
#include "dense.h"

enum { MOST = 36 };

/* A dense matrix and its arrays in some layout with base 0; -1 is padding.  The examples of rocSPARSE are in
 * its documentation and samples; "samples" of cuSPARSE and its 4x6 Blocked-ELL are in NVIDIA's.  cuSPARSE
 * documents other formats in figures only: 5x4, 4x5 and 9x9 are matrices of these sizes, laid out by hand
 * after its text. */
struct raw_example {
    const char *from;
    struct psb_raw r;
    const signed char *dense;
    signed char off[10], row[MOST], col[MOST], val[MOST], ell_col[MOST], ell_val[MOST];
};

/* The examples; the dense matrix of the first of them, of 3 rows and 5 columns. */
extern const struct raw_example raw_examples[];
extern const signed char roc35[];

/* The element of a matrix for element v of the dense matrix of an example. */
T raw_example_value(int v);

/* The arrays of x with the base and bits of r. */
struct X(raw_arrays) raw_example_arrays(const struct raw_example *x, const struct psb_raw *r);

/* The layout of x with bits 0..2 of `variant`: base 1, 64-bit indices, 64-bit offsets. */
struct psb_raw raw_variant_of(const struct psb_raw *x, int variant);

/* Allocate arrays of the lengths that r asks for, with every byte 0x5a; free them. */
struct X(raw_arrays) raw_arrays_for(const struct psb_raw *r);
void raw_arrays_free(struct X(raw_arrays) *s);

/* The same arrays, to read. */
struct X(raw_const) raw_as_const(const struct X(raw_arrays) *s);

/* Set element k of an array of integers of 32 or 64 bits. */
void set_raw_index(void *p, int bits, psb_epk k, int64_t v);

/* Check that an export sets r as in x and writes these arrays. */
void check_raw_export(struct X(mat) *a, const struct psb_raw *x, const struct X(raw_const) *want,
                      const char *what);

/* The examples of the documentation of other libraries. */
void add_raw_examples(TCase *c);
/* Views of matrices in each of n formats. */
void add_raw_views(TCase *c, int n);
/* Matrices of arrays that are not copied; views of single formats. */
void add_raw_wraps(TCase *c);
/* Check that the device makes the matrix d of these arrays. */
void check_raw_on_device(const struct psb_raw *r, const struct X(raw_const) *from, const struct dense *d,
                         const char *what);
/* Single tests of arrays on the device. */
void add_raw_device(TCase *c);
/* Banded systems and sparse vectors in arrays. */
void add_bands(TCase *c);
void add_sparse_vectors(TCase *c);
/* Products with dense arrays. */
void add_dense_products(TCase *c);
/* Calls with cuSPARSE's names. */
void add_legacy(TCase *c);
/* Wrong descriptions, elements and arguments. */
void add_raw_errors(TCase *c);
#endif
