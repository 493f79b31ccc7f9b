/* check_err.h -- test: the parts of program check_err. */
#ifndef CHECK_ERR_H
#define CHECK_ERR_H
#include "ck.h"

void add_basics(TCase *c);
#endif
