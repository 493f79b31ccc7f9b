/* check_vec_ops.h -- test: tests of tables of vector operations, part of suite "vect". */
#ifndef CHECK_VEC_OPS_H
#define CHECK_VEC_OPS_H
#include "ck.h"

/* Compare each operation of the table of the device in use (psb_cuda_device) with the host's. */
void vec_ops_cases(Suite *s);
#endif
