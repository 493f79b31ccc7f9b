/* check_owners.h -- test: rows with several owners of vectors on devices: see check_owners.c. */
#ifndef CHECK_OWNERS_H
#define CHECK_OWNERS_H
#include <check.h>

/* Add the tests to a case whose fixture chooses how rows are exchanged. */
void add_owners(TCase *c);
#endif
