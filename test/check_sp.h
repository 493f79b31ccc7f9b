/* check_sp.h -- test: the parts of suite "sp"; each adds a test case to s. */
#ifndef CHECK_SP_H
#define CHECK_SP_H
#include "sp_reference.h"

void sp_values_tests(Suite *s);
void sp_products_tests(Suite *s);
void sp_gemm_tests(Suite *s);
void sp_parts_tests(Suite *s);
void sp_solves_tests(Suite *s);
void sp_colours_tests(Suite *s);
void sp_errors_tests(Suite *s);
void others_tests(Suite *s);
void sp_prune_tests(Suite *s);
void sp_renum_tests(Suite *s);
#endif
