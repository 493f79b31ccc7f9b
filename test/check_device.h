/* check_device.h -- test: the parts of suite "device". */
#ifndef CHECK_DEVICE_H
#define CHECK_DEVICE_H
#include "psb_cuda.h"
#include "sample.h"
#include "suites.h"

/* Return whether the device in use is the fake one. */
int device_is_fake(void);

/* y = alpha op(A) x + beta y with k columns, on arrays and on vectors. */
struct job {
    psb_ipk m, n, k;
    char trans;
    T alpha, beta, *x, *y, *got;
    struct X(vect) *vx, *vy;
};

/* Make a job for a, with random x and y, also as vectors of_x and of_y; free it. */
struct job product_job(const struct X(mat) *a, psb_ipk k, char trans, const struct psb_vmold *of_x,
                       const struct psb_vmold *of_y);
void product_job_free(struct job *j);

/* Compute the product on vectors. */
psb_err product_on_vectors(struct job *j, struct X(mat) *a);

/* Compute the product, on vectors or on arrays, and compare it with the reference product of s. */
void check_product_on_vectors(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s);
void check_product_on_arrays(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s);

/* Check that the n elements of v have the bits of those of `want`. */
void check_vector_values(struct X(vect) *v, psb_epk n, const T *want);

/* Device memory that runs out, for n formats. */
void add_device_memory(TCase *c, int n);
/* Queries, long transfers, settings of the fake device, names. */
void add_device_queries(TCase *c);
/* Ranges for a profiler. */
void add_device_ranges(TCase *c);
#endif
