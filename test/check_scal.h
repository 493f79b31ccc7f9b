/* check_scal.h -- test: the parts of suite scal, and what they share. */
#ifndef CHECK_SCAL_H
#define CHECK_SCAL_H
#include "multivector.h"

/* Dot products into scalars; a whole iteration; all on the present transport. */
void add_scal_dots(TCase *c);
void add_scal_iteration(TCase *c);
/* Sums that fail: wrong arguments, and failures of one process. */
void add_scal_failures(TCase *c);
/* Wrong arguments of scalars and of sums of vectors. */
void add_scal_wrong_arguments(TCase *c);
/* The choice of a transport for sums; the test cases of sums by each transport. */
void add_scal_transports(TCase *c);
void add_scal_sums(Suite *s);

enum { BENCH_VECTORS = 6, BENCH_SCALARS = 3 };

/* Vectors and scalars of one descriptor. */
struct scal_bench {
    psb_desc *d;
    struct X(vect) *v[BENCH_VECTORS];
    struct X(scal) *s[BENCH_SCALARS];
    T all[BENCH_VECTORS][CELLS];
};

/* Make them on a new descriptor, the vectors at `place`, the scalars at `scalars`; free them and the
 * descriptor. */
void scal_bench_make(struct scal_bench *b, enum distribution distribution, const struct psb_vmold *place,
                     const struct psb_vmold *scalars);
void scal_bench_free(struct scal_bench *b);
#define SCAL_BENCH OWNER(scal_bench_free) struct scal_bench
/* Set the vectors to random numbers, the same in each call. */
void scal_bench_load(struct scal_bench *b);

/* Make a scalar of d with this value; return the value of one; do a and b differ by rounding errors only? */
struct X(scal) *make_scalar(psb_desc *d, T value, const struct psb_vmold *place);
T scalar_value(const struct X(scal) *s);
static inline void free_scalar(struct X(scal) **s)
{
    psb_scal_free(*s);
}
#define SCALAR OWNER(free_scalar) struct X(scal)
int is_near(T a, T b);

/* z = gamma y + delta z, u = d z, and <z,u>, <u,u>, <x,y>, with factors and results in scalars or on the
 * host. */
void epilogue_dots(struct scal_bench *b, int by_scalars, T *dots);
#endif
