/* solve_cost.h -- test/kernel: what an iteration of a Krylov method moves. */
#ifndef SOLVE_COST_H
#define SOLVE_COST_H
#include <stdbool.h>
#include <stdio.h>

/* The counts of an iteration; of a restarted method, means over a cycle, with the vectors it keeps by
 * default. Vectors are those that passes over the vectors read or write, each once in a pass that needs it,
 * where a pass ends at a sum over all rows, or at a product.  Sums are computed in the pass that has their
 * operands last, the preconditioner is a diagonal, applied in the pass that makes its argument, and its
 * result is stored. */
struct solve_cost {
    double products, precs, reductions, vectors;
};

/* A method, by its name for psb_solve. */
struct solve_method {
    const char *name;
    int restart;                        /* former vectors, or 0 */
    double products, precs, reductions; /* of an iteration, without those of a restart */
    double fixed, former, restarting;   /* vectors: of an iteration; for each former one; of a restart */
    int products_again, precs_again;    /* of a restart, which has a reduction if it has a product */
    bool orthogonalises;                /* by classical Gram-Schmidt, in one pass or two */
};

/* Returns the i-th method, NULL past the last. */
const struct solve_method *solve_method(int i);
/* Returns whether psb_solve knows it. */
bool solve_is_known(const struct solve_method *m);
/* Returns the cost with one pass of orthogonalisation or two. */
struct solve_cost solve_cost_of(const struct solve_method *m, int passes);
/* Write the table of docs/solvers.md. */
void print_solve_costs(FILE *to);
#endif
