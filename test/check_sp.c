/* check_sp.c -- test: suite "sp": operations on distributed matrices other than the product with one
 * vector, compared with reference matrices in long double for all distributions of rows and all formats. */
#include "config.h"
#include "check_sp.h"
#include <stdlib.h>
#include "minimal_format.h"
#include "suites.h"

static Suite *distributed_matrices(void)
{
    Suite *s = suite_create("distributed matrices");
    sp_values_tests(s);
    sp_products_tests(s);
    sp_gemm_tests(s);
    sp_parts_tests(s);
    sp_solves_tests(s);
    sp_colours_tests(s);
    sp_errors_tests(s);
    others_tests(s);
    sp_prune_tests(s);
    sp_renum_tests(s);
    return s;
}

int check_sp(void)
{
    return run_suite(FAKE_DEVICE | MINIMAL_FORMAT, distributed_matrices);
}
