/* format_checks.h -- test: test matrices and checks for the suite of formats. */
#ifndef FORMAT_CHECKS_H
#define FORMAT_CHECKS_H
#include "psb_cuda.h"
#include "psb_ext.h"
#include "sample.h"

/* The i-th registered format, NULL past the last. */
const struct X(mat) *mold(int i);

/* The columns of op(a). */
psb_ipk cols_of(const struct X(mat) *a, char trans);

/* Make a vector of n elements with these values. */
struct X(vect) *vector(psb_ipk n, const T *values, const struct psb_vmold *where);

/* Test matrix k of ZOO: every kind but FULL, in sizes around 0, 1 and multiples of 16. */
enum { SIZES = 21, KINDS = FULL, ZOO = SIZES * KINDS };
struct X(coo_mat) *zoo_matrix(int k);

/* An m x `more` matrix of ones: the first n rows have `more` entries, the others one, in columns 0, 1, ... */
struct X(coo_mat) *matrix_with_long_rows(psb_ipk m, psb_ipk n, psb_ipk more);

/* A mold of HYB without a limit of padding. */
struct X(hyb_mat) hyb_with(enum psb_hyb partition, psb_ipk width);

/* Return whether op(s) has an entry in row i, column j. */
int has_entry(const struct X(coo_mat) *s, char trans, psb_ipk i, psb_ipk j);

/* Check that a has the format of m and the entries of s, and converts to COO ordered by rows. */
void check_equal(struct X(mat) *a, const struct X(mat) *m, const struct X(coo_mat) *s);

/* Compare alpha op(a) x + beta y with the reference product of s; what must not be read is NaN. */
void check_csmv(struct X(mat) *a, const struct X(coo_mat) *s, char trans, T alpha, T beta);

/* Overwrite and add to some entries of s: of duplicates the first one changes; nothing else changes. */
void check_puts(struct X(mat) *a, const struct X(coo_mat) *s);

/* Check that a value for an entry that s lacks is an error that names the entry, and that nothing changes. */
void check_missing_entries(struct X(mat) *a, const struct X(coo_mat) *s);
#endif
