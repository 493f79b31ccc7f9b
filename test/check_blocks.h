/* check_blocks.h -- room: test.  BSR and Blocked-ELL, whose molds have many parameters. */
#ifndef CHECK_BLOCKS_H
#define CHECK_BLOCKS_H
#include <check.h>
#include "psb_base.h"

/* Register some molds of other blocks as formats of their own, so that they are held to the contract. */
PSB_MUST_CHECK psb_err blocks_register(void);

/* What the contract does not say: how blocks lie, are chosen and refused, and all kernels. */
void blocks_tests(Suite *s);
#endif
