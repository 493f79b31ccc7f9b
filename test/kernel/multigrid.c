/* multigrid.c -- test/kernel: solvers by their texts: time of the set-up, of the set-up for new values and of
 * a solve, over the time of a product; --help describes it. */
#include "psb_cuda_format.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

static const char help[] =
    "mpiexec -n P multigrid [OPTION]... MATRIX...\n"
    "\n"
    "Solve A x = b, b = 1, for each MATRIX (lap7:64, another of psb_gen.h, or a Matrix Market file).\n"
    "  setup     psb_solver_new: the first in this process, and the median of later ones\n"
    "  update    psb_solver_update, as for new values\n"
    "  solve     the median of solves by a kept solver\n"
    "and each over the median of products by the matrix in this format.\n"
    "\n"
    "  --type T          s, d, c or z (d)\n"
    "  --format NAME     storage (HLG on a GPU, else CSR)\n"
    "  --solver TEXT     of psb_solve_parse (cg, tol=1e-8, prec=amg)\n"
    "  --rounds N        set-ups and solves (5)\n"
    "  --view            print the solver, too\n";

enum { MOST_ROUNDS = 99, PRODUCTS = 21 };

static const char *format = "", *solver = "cg, tol=1e-8, prec=amg";
static int rounds = 5;
static bool view;
static const struct flag table[] = { { "format", .text = &format },
                                     { "solver", .text = &solver },
                                     { "rounds", .number = &rounds, 1, MOST_ROUNDS },
                                     { "view", .on = &view },
                                     { 0 } };

/* A x = b, and its solver. */
struct job {
    psb_ctxt *ctxt;
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(vect) *b, *x;
    struct X(solver) *s;
    struct psb_solve_result result;
};

static void multiply(void *arg)
{
    struct job *j = arg;
    good(X(spmv)(1, j->a, j->b, 0, j->x, 'N'), "product");
}

static void create(void *arg)
{
    struct job *j = arg;
    X(solver_free)(j->s);
    good(X(solver_new)(&j->s, j->a, solver), solver);
}

static void update(void *arg)
{
    good(X(solver_update)(((struct job *)arg)->s), "update");
}

static void solve(void *arg)
{
    struct job *j = arg;
    good(X(set_scal)(0, j->x), "guess");
    good(X(solver_solve)(j->s, j->b, j->x, &j->result), "solve");
}

static void open_job(struct job *j, const char *what, bool on_device)
{
    struct X(triplets) t;
    const struct X(mat) *mold = X(mat_by_name)(*format ? format : on_device ? "HLG" : "CSR");
    if (!mold)
        refuse("format", format, "the name of a format");
    const struct psb_vmold *where = X(mat_dev)(mold)->device ? &psb_vect_cuda : NULL;
    good(X(matrix_own)(j->ctxt, what, &t), what);
    good(X(matrix_assemble)(j->ctxt, &t, mold, &j->rows, &j->a), what);
    X(triplets_free)(&t);
    struct X(vect) **const v[] = { &j->b, &j->x };
    for (int i = 0; i < 2; i++) {
        good(X(geall)(v[i], j->rows), "vector");
        good(X(geasb)(*v[i], where), "vector");
        good(X(set_scal)(1, *v[i]), "vector");
    }
}

static void run(psb_ctxt *ctxt, const char *what, bool on_device)
{
    struct job j = { .ctxt = ctxt };
    char name[64];
    int me, np;
    psb_info(ctxt, &me, &np);
    matrix_name(name, sizeof name, what);
    open_job(&j, what, on_device);
    const struct {
        const char *name;
        double seconds;
    } of[] = { { "product", slowest(ctxt, median_time(3, PRODUCTS, multiply, &j)) },
               { "first setup", slowest(ctxt, median_time(0, 1, create, &j)) },
               { "setup", slowest(ctxt, median_time(0, rounds, create, &j)) },
               { "update", slowest(ctxt, median_time(1, rounds, update, &j)) },
               { "solve", slowest(ctxt, median_time(1, rounds, solve, &j)) } };
    if (me == 0)
        printf("%s, %d processes, %s, %s: %d iterations, residual %.2e\n", name, np, X(sp_fmt)(j.a), solver,
               j.result.iterations, j.result.residual);
    for (size_t i = 0; i < sizeof of / sizeof *of && me == 0; i++) {
        printf("  %-12s %10.3f ms %8.1f products\n", of[i].name, 1e3 * of[i].seconds,
               of[i].seconds / of[0].seconds);
        record(name, LETTER, np, X(sp_fmt)(j.a), of[i].name, 1e3 * of[i].seconds, "ms");
    }
    if (me == 0)
        record(name, LETTER, np, X(sp_fmt)(j.a), "iterations", j.result.iterations, "iterations");
    if (view)
        good(X(solver_view)(j.s, stdout), "view");
    X(solver_free)(j.s);
    X(gefree)(j.b);
    X(gefree)(j.x);
    X(spfree)(j.a);
    psb_cdfree(j.rows);
}

int X(multigrid)(int argc, char **argv)
{
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start(true);
    const bool on_device = psb_cuda_device() != NULL;
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i], on_device);
    finish(ctxt);
    return EXIT_SUCCESS;
}
