/* check_sp.c -- room: test.  Suite "sp": operations on distributed matrices other than the product with one
 * vector, compared with reference matrices in long double for all distributions of rows and all formats. */
#include "config.h"
#include "check_sp.h"
#include <stdlib.h>
#include "minimal_format.h"
#include "suites.h"

int check_sp(void)
{
    setenv("PSB_DEVICE", "fake", 0);
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || X(mat_register)(&minimal_mold.mat) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    Suite *s = suite_create("distributed matrices");
    sp_values_tests(s);
    sp_products_tests(s);
    sp_parts_tests(s);
    sp_solves_tests(s);
    sp_errors_tests(s);
    return ck_end(ctxt, collective_count(ck_run(s)));
}
