/* gpu_solve.h -- test/kernel: cuSPARSE's triangular solve, for gpu_solve.  For typed sources. */
#ifndef GPU_SOLVE_H
#define GPU_SOLVE_H
#include "psb_cuda_format.h"
#include "psb_type.h"

/* A triangle in cuSPARSE, analysed, with vectors; all in device memory. */
struct peer;

/* Make *p for the triangle a, in CSRG, and vectors x and y; return the seconds that the analysis took. */
double peer_make(struct X(mat) *a, const T *x, T *y, struct peer **p);
/* y = a^-1 x, queued. */
void peer_solve(struct peer *p);
void peer_free(struct peer *p);
#endif
