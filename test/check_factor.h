/* check_factor.h -- test: the parts of suite factor, and what they share. */
#ifndef CHECK_FACTOR_H
#define CHECK_FACTOR_H
#include "psb_linsolve.h"
#include "sample.h"
#include "factor_inside.t.h"

/* What each kind computes; solves, renewals and sweeps; pivots. */
void add_factor_kinds(TCase *c);
void add_factor_solves(TCase *c);
void add_factor_pivots(TCase *c);
/* The test cases of factors on a device, and of arguments. */
void add_factor_device(Suite *s);
void add_factor_errors(Suite *s);

#define FACTOR OWNER(free_factor) struct X(factor)
void free_factor(struct X(factor) **f);

enum { MOST_ROWS = 40 };

/* A dense copy of factors or of a matrix, by rows. */
typedef T square[MOST_ROWS * MOST_ROWS];

/* A random matrix of n rows with a dominant diagonal; `hermitian`: with a Hermitian pattern and values, and a
 * real diagonal. */
struct X(mat) *dominant_matrix(psb_ipk n, int hermitian, uint64_t seed);
/* The matrix of three rows [2 1 0; 4 d 1; 0 1 3], without its entry (1, 1) if `missing`.  Its second pivot is
 * d - 2. */
struct X(mat) *three_row_matrix(T d, int missing);
/* The Hermitian matrix [4 2; 2 d]. */
struct X(mat) *hermitian_pair(T d);

/* Factors of three_row_matrix(d, missing) with this option `tiny`: the error, or the number of pivots that
 * are replaced; the PRESENT first ones miss no entry. */
enum { PRESENT = 8, PIVOT_CASES = 10 };
extern const struct pivot_case {
    double d, tiny;
    const char *message;
    psb_epk boosted;
    int missing;
} pivot_cases[PIVOT_CASES];

/* Defaults, with one level of fill for ILU(k), one more entry for ILUT, and blocks of three rows. */
struct psb_factor_options factor_options_of(enum psb_factor_kind kind);
/* Is it a kind for Hermitian matrices? */
int is_cholesky(enum psb_factor_kind kind);
/* Factors of a on the host, with these options and with those of factor_options_of. */
struct X(factor) *factors_with_options(const struct X(mat) *a, struct psb_factor_options o);
struct X(factor) *factors_of_kind(const struct X(mat) *a, enum psb_factor_kind kind);

/* d = the entries of a; stored[...] = 1 for those stored, unless it is NULL. */
void copy_to_square(const struct X(mat) *a, T *d, char *stored);
/* p = L D U. */
void product_of_factors(const struct X(factor) *f, T *p);
/* A bound of the rounding errors in elements of L D U, and of solutions, of n rows. */
double factor_bound(psb_ipk n);

/* Check that two factors have the same bits. */
void check_same_factors(const struct X(factor) *f, const struct X(factor) *g);
/* Check that f and g, of n rows, give the same solutions but for rounding errors, by every op. */
void check_same_solutions(const struct X(factor) *f, const struct X(factor) *g, const struct psb_vmold *place,
                          int sweeps);
#endif
