/* check_dist.h -- test: the parts of suite dist. */
#ifndef CHECK_DIST_H
#define CHECK_DIST_H
#include "distributed.h"

/* An error on one process is returned on all. */
void add_errors_on_one(TCase *c);
/* The test case of allocations that fail on one process. */
void add_no_memory(Suite *s);
#endif
