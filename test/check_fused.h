/* check_fused.h -- test: the parts of suite fused, and what they share. */
#ifndef CHECK_FUSED_H
#define CHECK_FUSED_H
#include "multivector.h"

/* Matrices larger than a thread block; the test case of errors. */
void add_fused_large(TCase *c);
void add_fused_errors(Suite *s);

/* The vectors of a call: x, y, z, and one more. */
enum who { OF_X, OF_Y, OF_Z, OF_U, VECTORS };

/* A matrix and the vectors of calls with it. */
struct fused_bench {
    struct distributed *w;
    psb_desc *dom, *range;
    psb_ipk n; /* rows of op(A) */
    struct X(vect) *v[VECTORS];
    int parts; /* number of local sums that are rounded before they are added (psb_gedot, shared rows) */
};

/* Make the vectors for products with op(A), at `place`; free them. */
struct fused_bench fused_bench(struct distributed *w, char trans, const struct psb_vmold *place);
void fused_bench_free(struct fused_bench *b);
#define FUSED_BENCH OWNER(fused_bench_free) struct fused_bench

/* z = gamma y + delta z, <x,y>, <u,z> and <u,u>. */
struct X(epilogue) full_epilogue(struct X(vect) *const *v, T gamma, T delta);

/* distribute(), then assemble the matrix in CSR. */
struct distributed assembled_sample(enum sample_kind kind, psb_ipk m, psb_ipk n, enum distribution row,
                                    enum distribution col);
#endif
