/* gpu_factor.h -- test/kernel: cuSPARSE's incomplete factors, for gpu_factor.  Double precision. */
#ifndef GPU_FACTOR_H
#define GPU_FACTOR_H
#include "psb_cuda_format.h"
#include "psb_type.h"

/* A matrix in cuSPARSE, analysed, with its factors in place of its values; all in device memory. */
struct peer;

/* Make *p for the matrix a, in CSRG: csrilu02, or csric02 of its lower triangle if `cholesky`; by_level:
 * cuSPARSE's policy.  Return the seconds that the analysis took. */
double peer_make(struct X(mat) *a, int cholesky, int by_level, struct peer **p);
/* Bring the values of a back, and wait. */
void peer_reset(struct peer *p);
/* Queue the factorisation. */
void peer_factor(struct peer *p);
/* The factors, in the order of the entries of a; the caller frees them. */
T *peer_values(struct peer *p);
void peer_free(struct peer *p);
#endif
