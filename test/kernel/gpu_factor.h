/* gpu_factor.h -- test/kernel: cuSPARSE's incomplete factors and triangular solves, for gpu_factor.  Double
 * precision. */
#ifndef GPU_FACTOR_H
#define GPU_FACTOR_H
#include "psb_cuda_format.h"
#include "psb_type.h"

/* csrilu02; csric02 of a lower triangle; SpSV with a triangle. */
enum peer_kind { PEER_ILU, PEER_IC, PEER_SOLVE };

/* A matrix in cuSPARSE, analysed; all in device memory. */
struct peer;

/* Make *p for the matrix a, in CSRG, with x and y on the device for PEER_SOLVE; by_level: cuSPARSE's policy
 * for factors.  Return the seconds that the analysis took. */
double peer_make(enum peer_kind kind, struct X(mat) *a, int by_level, const T *x, T *y, struct peer **p);
/* Bring the values of a back to where factors will be, and wait. */
void peer_reset(struct peer *p);
/* Queue the factorisation, or y = a^-1 x. */
void peer_run(struct peer *p);
/* The factors, in the order of the entries of a; the caller frees them. */
T *peer_values(struct peer *p);
void peer_free(struct peer *p);
#endif
