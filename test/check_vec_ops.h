/* check_vec_ops.h -- room: test.  Tables of vector operations. */
#ifndef CHECK_VEC_OPS_H
#define CHECK_VEC_OPS_H
#include "ck.h"

/* Each operation of the table of the device in use (psb_cuda_device), beside the host's. */
void vec_ops_cases(Suite *s);
#endif
