/* gpu_compare.h -- test/kernel: a program that times PSBC on a device beside cuSPARSE, for gpu_factor
 * and gpu_solve. */
#ifndef GPU_COMPARE_H
#define GPU_COMPARE_H
#include "psb_ctxt.h"

/* What the command line says, and what was found. */
struct comparison {
    int tunes; /* --tune */
    int wrong; /* results that are wrong */
    int ratios;
    double log_ratios; /* the sum of their logarithms */
};
extern struct comparison comparison;

/* Add the ratio of two times of the same work. */
void add_ratio(double peers, double ours);

/* Read the command line [--tune] MATRIX ..., call run for each matrix, and print the geometric mean of the
 * ratios, "geometric mean of `peer` over ours".  Exits if there is no device, and after the last matrix if a
 * result was wrong, with the message `complaint`. */
void compare_matrices(int argc, char **argv, void (*run)(psb_ctxt *ctxt, const char *what), const char *peer,
                      const char *complaint);
#endif
