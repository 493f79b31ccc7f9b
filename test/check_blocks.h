/* check_blocks.h -- room: test.  Tests of BSR and Blocked-ELL, part of suite "formats". */
#ifndef CHECK_BLOCKS_H
#define CHECK_BLOCKS_H
#include <check.h>
#include "psb_base.h"

/* Register molds with other block sizes as formats, so that the contract is tested for them. */
PSB_MUST_CHECK psb_err blocks_register(void);

/* Add the tests beyond the contract: storage, choice and refusal of blocks, and all kernels. */
void blocks_tests(Suite *s);
#endif
