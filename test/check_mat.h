/* check_mat.h -- test: the parts of suite "mat": each adds a test case to s; n is the number of
 * formats. */
#ifndef CHECK_MAT_H
#define CHECK_MAT_H
#include "suites.h"
#include "check_blocks.h"
#include "psb_cuda.h"
#include "dense.h"

void mat_values_tests(Suite *s, int n);
void mat_parts_tests(Suite *s, int n);
void mat_errors_tests(Suite *s, int n);
/* Objects of several threads. */
void add_objects_of_threads(TCase *c);

enum { MOST = 40 }; /* the most rows or columns of few() */

/* The name of format i. */
const char *name_of(int i);

/* The message for a matrix d that is not square, until the next call. */
const char *not_square(const struct dense *d);
#endif
