/* gpu_compare.c -- test/kernel: a program that times PSBC on a device beside cuSPARSE. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include "bench.h"
#include "gpu_compare.h"
#include "psb_cuda.h"

struct comparison comparison;

void add_ratio(double peers, double ours)
{
    comparison.log_ratios += log(peers / ours);
    comparison.ratios++;
}

static void set(int key, const char *s)
{
    (void)s;
    comparison.tunes |= key == 't';
}

void compare_matrices(int argc, char **argv, void (*run)(psb_ctxt *ctxt, const char *what), const char *peer,
                      const char *complaint)
{
    static const struct option table[] = {
        { "help", no_argument, NULL, 'h' },
        { "tune", no_argument, NULL, 't' },
        { 0 },
    };
    char help[80];
    psb_ctxt *ctxt;
    snprintf(help, sizeof help, "usage: %s [--tune] MATRIX ...\n", program);
    read_command(argc, argv, table, help, set);
    good(psb_init(&ctxt), "MPI");
    good(psb_cuda_init(ctxt), "device");
    if (!psb_cuda_device())
        stop("device", "there is none; PSB_DEVICE=fake is one for tests");
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i]);
    if (comparison.ratios > 0)
        printf("geometric mean of %s over ours: %.2f\n", peer,
               exp(comparison.log_ratios / comparison.ratios));
    psb_cuda_exit();
    psb_exit(ctxt);
    if (comparison.wrong > 0)
        stop("results", complaint);
}
