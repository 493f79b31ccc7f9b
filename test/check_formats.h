/* check_formats.h -- test: the parts of suite "formats"; each adds a test case to s. */
#ifndef CHECK_FORMATS_H
#define CHECK_FORMATS_H
#include "format_checks.h"

void formats_layouts_tests(Suite *s);
void formats_hyb_tests(Suite *s);
void formats_auto_tests(Suite *s);
void formats_rsb_tests(Suite *s);
void formats_coo_tests(Suite *s);
void formats_half_tests(Suite *s);
void formats_narrow_tests(Suite *s);
void formats_solves_tests(Suite *s, int n); /* n formats */
#endif
