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

/* The conversion of a to a format fails as in FAILS, and makes no matrix. */
#define REFUSES(a, mold, ...) FAILS(refusal((a), (mold)), __VA_ARGS__)
psb_err refusal(struct X(mat) *a, const struct X(mat) *mold);

/* Make a vector of n elements with these values. */
struct X(vect) *vector(psb_ipk n, const T *values, const struct psb_vmold *where);

/* Test matrix k of ZOO: every kind but FULL, in sizes around 0, 1 and multiples of 16. */
enum { SIZES = 21, KINDS = FULL, ZOO = SIZES * KINDS };
struct X(coo_mat) *zoo_matrix(int k);

/* An m x n matrix of ones: row i has `longest` entries if i is a multiple of `period`, else `length`; entry k
 * is in column (step i + shift (i / 128) + stride k) % n. */
struct pattern {
    psb_ipk m, n, length, longest, period, step, shift, stride;
};
struct X(coo_mat) *pattern_matrix(const struct pattern *q);

/* An m x `more` matrix of ones: the first n rows have `more` entries, the others one, in columns 0, 1, ... */
struct X(coo_mat) *matrix_with_long_rows(psb_ipk m, psb_ipk n, psb_ipk more);

/* y = alpha op(A) x + beta y with k columns, on arrays and on vectors, both with EXTRA rows in excess of the
 * m of y and the n of x that are needed. */
enum { EXTRA = 3 };
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
#define JOB OWNER(product_job_free) struct job

/* Compute the product on vectors. */
psb_err product_on_vectors(struct job *j, struct X(mat) *a);

/* Compare j->got with the reference product of s. */
void check_job(const struct job *j, const struct X(coo_mat) *s, const char *what);

/* Compute the product, on vectors or on arrays, and compare it with the reference product of s. */
void check_product_on_vectors(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s);
void check_product_on_arrays(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s);

/* Check that the first n elements of v have the bits of those of `want`. */
void check_vector_values(struct X(vect) *v, psb_epk n, const T *want);

/* A mold of HYB without a limit of padding. */
struct X(hyb_mat) hyb_with(enum psb_hyb partition, psb_ipk width);

/* Return whether op(s) has an entry in row i, column j. */
int has_entry(const struct X(coo_mat) *s, char trans, psb_ipk i, psb_ipk j);

/* Check that a has the format of m and the entries of s, and converts to COO ordered by rows. */
void check_equal(struct X(mat) *a, const struct X(mat) *m, const struct X(coo_mat) *s);

/* Compare alpha op(a) x + beta y, of k columns, with the reference product of s; what must not be read is
 * NaN. Unless j < 0, element j of column j % k of x is `poison`: the rows with an entry in column j must not
 * be finite, all others must be right. */
void check_format_product(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha,
                          T beta, psb_ipk j, R poison);
void check_csmv(struct X(mat) *a, const struct X(coo_mat) *s, char trans, T alpha, T beta);

/* Check conversions of s to m, from COO and CSR, products, changes of values, and that a copy keeps its own.
 */
void check_mold(const struct X(mat) *m, struct X(coo_mat) *s);

/* Overwrite and add to some entries of s: of duplicates the first one changes; nothing else changes. */
void check_puts(struct X(mat) *a, const struct X(coo_mat) *s);

/* Check that a value for an entry that s lacks, of wide matrices for some of them, is an error that names the
 * entry, and that nothing changes. */
void check_missing_entries(struct X(mat) *a, const struct X(coo_mat) *s);
#endif
