/* check_ops.h -- test: the parts of suite "ops": each adds a test case to s; n is the number of
 * formats. */
#ifndef CHECK_OPS_H
#define CHECK_OPS_H
#include "suites.h"
#include "check_blocks.h"
#include "psb_cuda.h"
#include "kernels.h"
#include "psb_ext.h"
#include "dense.h"

void ops_products_tests(Suite *s, int n);
void ops_solves_tests(Suite *s, int n);
void ops_threads_tests(Suite *s, int n);
void ops_gpu_tests(Suite *s);

/* y = alpha op(a) x + beta before for k columns, compared with the sum over the triplets of s; the product
 * itself, with NaN where nothing must be read; the same with x on a device and y at `place`. */
void check_columns(const struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha,
                   const T *x, T beta, const T *before, const T *y);
void check_csmm(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha, T beta);
void check_vect_mv(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans,
                   const struct psb_vmold *place);

/* A triangle of n rows with large diagonal elements; unit: without stored diagonal.  s in a format, marked as
 * a triangle. */
struct X(coo_mat) *triangle(psb_ipk n, enum sample_kind kind, int upper, int unit);
struct X(mat) *triangle_in(struct X(coo_mat) *s, int format, int upper, int unit);

/* The product of a, which has the triplets s, and b, which has t: its values, its format, its number of
 * entries. */
void check_matrix_product(struct X(mat) *a, struct X(mat) *b, const struct X(coo_mat) *s,
                          const struct X(coo_mat) *t);

/* Kernels use p threads from now on. */
void use_threads(int p);
#endif
