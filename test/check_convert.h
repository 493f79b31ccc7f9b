/* check_convert.h -- test: the parts of suite convert: formats of the device, test matrices, and
 * comparison of their arrays. */
#ifndef CHECK_CONVERT_H
#define CHECK_CONVERT_H
#include "kernels.h"
#include "dense.h"
#include "distributed.h"

static const psb_epk ALWAYS = 0, NEVER = INT64_MAX;

/* bytes of the result of a step */
enum { SIZES = PSB_FOUND * sizeof(psb_epk) };

/* Return the i-th of CONVERTED formats that the device converts to; of the first MOLDS it changes values,
 * too. The mold belongs to the caller. */
enum { DIAG = 14, MOLDS = DIAG + 3, CONVERTED = MOLDS + 11 };
const struct X(mat) *device_mold(int i);

/* Make a sorted m x n band with gaps, zeros and duplicates. */
struct X(coo_mat) *band_matrix(psb_ipk m, psb_ipk n);

/* Make the k-th of ZOO test matrices. */
enum { ZOO = FEW + 3 };
struct X(coo_mat) *conversion_sample(int k);

/* Check that a and b have the same format and equal arrays. */
void check_same_arrays(struct X(mat) *a, struct X(mat) *b);

/* Check that all arrays that are not empty are valid on the device only. */
void check_on_device_only(struct X(mat) *a);

/* Convert a on the device or on the host, by the threshold `from`; NULL if the format refuses, with the
 * reason in `why`. */
struct X(mat) *convert_by_threshold(struct X(mat) *a, const struct X(mat) *m, psb_epk from, char *why,
                                    unsigned len);

/* Convert a on the device; NULL if the format refuses. */
struct X(mat) *convert_on_device(struct X(mat) *a, const struct X(mat) *m);

/* Operations on the values of a matrix. */
void add_values_on_device(TCase *t);
/* Assembly of distributed matrices. */
void add_assembly_on_device(TCase *t);
/* Sparse algebra; once: tests without a loop. */
void add_algebra_on_device(TCase *t, TCase *once);
#endif
