/* solve_cost.c -- test/kernel: what an iteration of a Krylov method moves. */
#include "psb_linsolve.h"
#include "solve_cost.h"

/* Of each pass: what it reads > what it writes.  d is the diagonal of the preconditioner, l former vectors.
 */
static const struct solve_method methods[] = {
    /* p > q; q r d > r z; x p z > x p */
    { .name = "cg", .products = 1, .precs = 1, .reductions = 2, .fixed = 12 },
    /* z r > w; z p w s x r d > p s x r z */
    { .name = "cg-single", .products = 1, .precs = 1, .reductions = 1, .fixed = 15 },
    /* m > n; n z m q w s u p x r d > z q s p x r u w m */
    { .name = "cg-pipelined", .products = 1, .precs = 1, .reductions = 1, .fixed = 22 },
    /* x p z > x p; p r > q; q r d > r z */
    { .name = "fcg", .products = 1, .precs = 1, .reductions = 2, .fixed = 13 },
    /* z > w; w q q' d > q' w; z d d' x r q > d' x r (the last d are directions) */
    { .name = "minres", .products = 1, .precs = 1, .reductions = 2, .fixed = 17 },
    /* z s > v; r v d > r z'; z' r > u; x z z' r u s > x r; r p v d > p z (s: the shadow residual) */
    { .name = "bicgstab", .products = 2, .precs = 2, .reductions = 3, .fixed = 25 },
    /* l = 2, steps 0 and 1 of i: r[0..i] u[0..i] d > u[0..i] z; z s > u[i+1]; r[0..i] u[0..i+1] y d > r[0..i]
     * y z; z s > r[i+1], without s in the last; r[0..l]; y r[0..l] u[0..l] s > y r[0] u[0] */
    { .name = "bicgstabl", .products = 2, .precs = 2, .reductions = 2.5, .fixed = 28.5 },
    /* z s > q; u q d x > q z x; z > w; r w s > r; r q p d > u p z */
    { .name = "cgs", .products = 2, .precs = 2, .reductions = 2, .fixed = 23 },
    /* p p' > w; p' > w'; x p r w r' w' d > x r r' z z'; z z' p p' > p p' (primes: the shadow system) */
    { .name = "bicg", .products = 2, .precs = 2, .reductions = 2, .fixed = 23 },
    /* v d > v z; z > w; l+1 of v, w; l+1 of v, w > w; a restart: all of v > t; t d x > x; x b > r */
    { .name = "rgmres",
      .restart = 30,
      .products = 1,
      .precs = 1,
      .reductions = 1,
      .fixed = 12,
      .former = 2,
      .restarting = 8,
      .products_again = 1,
      .precs_again = 1,
      .orthogonalises = true },
    /* the same; a restart: all of z, x > x; x b > r */
    { .name = "fgmres",
      .restart = 30,
      .products = 1,
      .precs = 1,
      .reductions = 1,
      .fixed = 12,
      .former = 2,
      .restarting = 5,
      .products_again = 1,
      .orthogonalises = true },
    /* p > q; l of q, q; l of p, l of q, p q r > p q; x p r q d > x r p */
    { .name = "gcr", .restart = 30, .products = 1, .precs = 1, .reductions = 3, .fixed = 16, .former = 3 },
    /* s = 4, steps i = 0 .. s-1: r, s-i of g and u, d > u; u, s of p > g; i of g and u, g u x r > g u x r;
     * then r d > v; v r > z; x v r z, s of p > x r */
    { .name = "idr", .products = 1, .precs = 1, .reductions = 2, .fixed = 23.2 },
    /* Two iterations, D the diagonal: w az > w; z d x w r, y v D > d x r, y z; z > az; w az s > w;
     * z d x w r, y D, az v > d x r, y z, v; z v s > az v */
    { .name = "tfqmr", .products = 1, .precs = 1, .reductions = 2.5, .fixed = 21 },
    /* x b > r; r d x > x */
    { .name = "richardson", .products = 1, .precs = 1, .reductions = 1, .fixed = 7 },
};

const struct solve_method *solve_method(int i)
{
    return i < (int)(sizeof methods / sizeof *methods) ? &methods[i] : NULL;
}

/* The second pass finds its sums in the pass that subtracts the first: l + 1 former vectors and w > w. */
struct solve_cost solve_cost_of(const struct solve_method *m, int passes)
{
    const double mean = m->restart > 0 ? (m->restart - 1) / 2.0 : 0,
                 again = m->restart > 0 ? 1.0 / m->restart : 0;
    const double second = m->orthogonalises && passes == 2 ? 1 : 0;
    return (struct solve_cost){ .products = m->products + again * m->products_again,
                                .precs = m->precs + again * m->precs_again,
                                .reductions = m->reductions + again * m->products_again + second,
                                .vectors = m->fixed + mean * m->former + again * m->restarting +
                                           second * (3 + mean) };
}

bool solve_is_known(const struct solve_method *m)
{
    struct psb_solve_options o;
    const bool known = psb_solve_parse(m->name, &o) == PSB_OK;
    psb_clean_errstack();
    return known;
}

static void print_solve_cost(FILE *to, const struct solve_method *m, int passes)
{
    const struct solve_cost c = solve_cost_of(m, passes);
    fprintf(to, "| `%s`%s | %.2g | %.2g | %.2g | %.3g | %.3g |\n", m->name,
            !m->orthogonalises ? ""
            : passes == 2      ? ", two passes"
                               : ", one pass",
            c.products, c.precs, c.reductions, c.vectors, 7 * c.products + c.vectors);
}

void print_solve_costs(FILE *to)
{
    const struct solve_method *m;
    fputs("| method | products | preconditioner | reductions | vectors | 7-point stencil "
          "|\n|---|---|---|---|---|---|\n",
          to);
    for (int i = 0; (m = solve_method(i)); i++)
        for (int passes = 1; passes <= 1 + m->orthogonalises; passes++)
            print_solve_cost(to, m, passes);
}
