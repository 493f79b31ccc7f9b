/* suites.c -- test: all suites of one scalar type; the argument is the name of the suite to run. */
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
    /* clang-format off */
    { "formats", check_formats },
    { "mat", check_mat },
    { "ops", check_ops },
    { "vect", check_vect },
    { "front", check_front },
    { "mm", check_mm },
    { "hb", check_hb },
    { "raw", check_raw },
    { "open", check_open },
    { "device", check_device },
    { "convert", check_convert },
    { "dist", check_dist },
    { "asm", check_asm },
    { "sp", check_sp },
    { "geops", check_geops },
    { "halo", check_halo },
    { "read", check_read },
    { "gen", check_gen },
    { "fused", check_fused },
    { "scal", check_scal },
    { "factor", check_factor },
    { "prec", check_prec },
    { "krylov", check_krylov },
    { "failures", check_failures },
    { "ended", check_ended },
    /* clang-format on */
};
enum { SUITES = sizeof suites / sizeof *suites };

int main(int argc, char **argv)
{
    for (int i = 0; i < SUITES; i++)
        if (argc == 2 && strcmp(argv[1], suites[i].name) == 0)
            return suites[i].run();
    fprintf(stderr, "%s: expected one argument of", argv[0]);
    for (int i = 0; i < SUITES; i++)
        fprintf(stderr, " %s", suites[i].name);
    fprintf(stderr, "\n");
    return EXIT_FAILURE;
}
