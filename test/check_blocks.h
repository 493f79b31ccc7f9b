/* check_blocks.h -- test: tests of BSR and Blocked-ELL, part of suite "formats". */
#ifndef CHECK_BLOCKS_H
#define CHECK_BLOCKS_H
#include <check.h>
#include "psb_base.h"

/* Initialise a suite that loops over all formats: ck_mpi_init, ck_init, then register MINIMAL and molds with
 * other block sizes as formats.  Return the number of formats; 0, with errors printed, on failure. */
int formats_init(psb_ctxt **ctxt);

/* Add the tests beyond the contract: storage, choice and refusal of blocks, and all kernels. */
void blocks_tests(Suite *s);
#endif
