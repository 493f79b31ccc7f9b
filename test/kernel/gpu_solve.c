/* gpu_solve.c -- test/kernel: solves on a GPU: time of an iteration, its bytes, and what a solve costs
 * besides; --help describes it. */
#include "psb_cuda_format.h"
#include "psb_linsolve.h"
#include "psb_testing.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "cg_graph.h"
#include "matrix.h"
#include "solve_cost.h"

const char *const program = "gpu_solve";

static const char help[] =
    "mpiexec -n P gpu_solve [OPTION]... SPEC...\n"
    "gpu_solve --costs                   the table of docs/solvers.md\n"
    "\n"
    "Solve A x = b by kept solvers (psb_solver) with a diagonal preconditioner on a GPU, in double.\n"
    "SPEC is lap7:200, lap7:200,200,400, or another of psb_gen.h: the whole matrix, in even blocks of\n"
    "rows.  For each format and method:\n"
    "  iter. us  an iteration: the difference of solves of few and of many iterations over that of\n"
    "            these numbers; whole cycles of restarted methods; the median of the rounds\n"
    "  bytes us  the bytes that an iteration must move (--costs), by the bandwidth of a copy in this run\n"
    "  ratio     of the two; 2 pass: of an iteration with two passes of Gram-Schmidt\n"
    "  graph     the iteration over that of cg_device as a CUDA graph\n"
    "  new ms    psb_solver_new\n"
    "  first, fresh, kept   milliseconds of a solve less its iterations: the first of the method in this\n"
    "            process, the first of another solver, the median of later ones of one solver\n"
    "  alloc     allocations of a later solve, on the host and the device; to, from device: bytes of\n"
    "            arrays (not the results of sums)\n"
    "Before these: psb_geall and psb_geasb, and with a first use, psb_set_scal: the first vector of this\n"
    "process, and the median of later ones.\n"
    "\n"
    "  --formats LIST    hlg,hdiag,csrg\n"
    "  --methods LIST    cg,bicgstab,rgmres,minres,fcg,fgmres,gcr,idr,tfqmr\n"
    "  --rounds N        rounds (5)\n"
    "  --longest N       most iterations of a solve (220)\n";

enum { MOST_ROUNDS = 99, CREATED = 11, PLENTY = 10000 };

static int rounds = 5, longest = 220;
static const char *formats = "hlg,hdiag,csrg",
                  *methods = "cg,bicgstab,rgmres,minres,fcg,fgmres,gcr,idr,tfqmr";

static const struct flag table[] = { { "formats", .text = &formats },
                                     { "methods", .text = &methods },
                                     { "rounds", .number = &rounds, 1, MOST_ROUNDS },
                                     { "longest", .number = &longest, 2, 100000 },
                                     { 0 } };

/* A x = b on the device. */
struct system {
    psb_ctxt *ctxt;
    int me, np;
    const char *what;
    double vector, rate; /* bytes of a vector here; bytes per second of a copy */
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(vect) *b, *x;
};

/* Of a method in a format: microseconds, and the seconds of solves less those of their iterations. */
struct measured {
    int few, many;
    double iteration, created, first, fresh, kept;
    double allocations, to_device, from_device; /* bytes of transfers */
};

/* --- clocks and counters --- */

static double started(const struct system *s)
{
    good(psb_cuda_DeviceSync(), "device");
    good(psb_barrier(s->ctxt), "start");
    return psb_wtime();
}

static double since(const struct system *s, double begun)
{
    return slowest(s->ctxt, now() - begun);
}

/* The allocations since psb_alloc_fail_at(PLENTY), which are at most PLENTY. */
static double allocations(void)
{
    int left = 0;
    psb_expect_errors(1);
    for (void *p; psb_alloc(&p, 1, 1, "counting") == PSB_OK && left < PLENTY; left++)
        psb_free(p);
    psb_expect_errors(0);
    psb_clean_errstack();
    psb_alloc_fail_at(0);
    return PLENTY - left - 1;
}

/* --- solves --- */

static double make_solver(struct system *s, const struct solve_method *m, int iterations,
                          struct X(solver) **solver)
{
    char text[100];
    snprintf(text, sizeof text, "%s, prec=diag, itmax=%d, tol=1e-300, divergence=1e300", m->name, iterations);
    const double begun = started(s);
    good(X(solver_new)(solver, s->a, text), m->name);
    return since(s, begun);
}

/* Seconds of a solve from the guess 0, and how many iterations it made. */
static double solve(struct system *s, struct X(solver) *solver, int *iterations)
{
    struct psb_solve_result res;
    good(X(vect_zero)(s->x), "x");
    const double begun = started(s);
    good(X(solver_solve)(solver, s->b, s->x, &res), "solve");
    *iterations = res.iterations;
    return since(s, begun);
}

/* A solve whose allocations and transfers are counted. */
static void count(struct system *s, struct X(solver) *solver, struct measured *r)
{
    int made;
    psb_transfers_reset();
    psb_alloc_fail_at(PLENTY);
    solve(s, solver, &made);
    r->allocations = slowest(s->ctxt, allocations());
    const struct psb_transfer_counts moved = psb_transfers(NULL);
    r->to_device = slowest(s->ctxt, (double)moved.put_bytes);
    r->from_device = slowest(s->ctxt, (double)moved.get_bytes);
}

/* Solves of few and of many iterations in turns; a solve that ends early counts with those that it made. */
static void time_iterations(struct system *s, struct X(solver) *few, struct X(solver) *many,
                            struct measured *r)
{
    double us[MOST_ROUNDS], kept[MOST_ROUNDS];
    solve(s, many, &r->many); /* memory */
    for (int i = 0; i < rounds; i++) {
        const double a = solve(s, few, &r->few), b = solve(s, many, &r->many);
        us[i] = 1e6 * (b - a) / (r->many - r->few);
        kept[i] = a;
    }
    r->iteration = median_of(us, rounds);
    r->kept = median_of(kept, rounds);
}

static struct measured measure(struct system *s, const struct solve_method *m)
{
    struct X(solver) *few, *many, *fresh;
    struct measured r;
    const int cycle = m->restart ? m->restart : 20, most = longest / cycle * cycle;
    r.created = make_solver(s, m, cycle, &few);
    r.first = solve(s, few, &r.few);
    count(s, few, &r);
    make_solver(s, m, most > cycle ? most : 2 * cycle, &many);
    time_iterations(s, few, many, &r);
    X(solver_free)(few);
    X(solver_free)(many);
    make_solver(s, m, cycle, &fresh);
    r.fresh = solve(s, fresh, &r.few);
    X(solver_free)(fresh);
    const double iterations = 1e-6 * r.iteration * r.few;
    r.first -= iterations;
    r.fresh -= iterations;
    r.kept -= iterations;
    return r;
}

/* --- results --- */

static void note(const struct system *s, const char *method, const char *quantity, double value,
                 const char *unit)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", method, quantity);
    if (s->me == 0)
        record(s->what, LETTER, s->np, s->a ? X(sp_fmt)(s->a) : "-", name, value, unit);
}

/* Microseconds of the bytes of an iteration. */
static double ideal(const struct system *s, const struct solve_method *m, int passes)
{
    const struct solve_cost c = solve_cost_of(m, passes);
    return 1e6 * (c.products * (double)X(sp_bytes)(s->a) + c.vectors * s->vector) / s->rate;
}

static void print_number(int width, int digits, double x)
{
    if (isnan(x))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, digits, x);
}

static void report(const struct system *s, const struct solve_method *m, const struct measured *r,
                   double graph)
{
    const double one = ideal(s, m, 1), two = m->orthogonalises ? ideal(s, m, 2) : NAN;
    const bool is_cg = strcmp(m->name, "cg") == 0;
    note(s, m->name, "iteration", r->iteration, "us");
    note(s, m->name, "iteration over its bytes", r->iteration / one, "ratio");
    note(s, m->name, "iteration over its bytes, two passes", r->iteration / two, "ratio");
    note(s, m->name, "iteration over cg_device", is_cg ? r->iteration / graph : NAN, "ratio");
    note(s, m->name, "psb_solver_new", 1e3 * r->created, "ms");
    note(s, m->name, "first solve", 1e3 * r->first, "ms");
    note(s, m->name, "first solve of another solver", 1e3 * r->fresh, "ms");
    note(s, m->name, "later solve", 1e3 * r->kept, "ms");
    note(s, m->name, "later solve: allocations", r->allocations, "allocations");
    note(s, m->name, "later solve: to the device", r->to_device, "bytes");
    note(s, m->name, "later solve: from the device", r->from_device, "bytes");
    if (s->me > 0)
        return;
    printf("%-12s %4d %4d", m->name, r->few, r->many);
    print_number(9, 2, r->iteration);
    print_number(9, 2, one);
    print_number(6, 3, r->iteration / one);
    print_number(6, 3, r->iteration / two);
    print_number(6, 3, is_cg ? r->iteration / graph : NAN);
    printf(" | %7.2f %7.2f %7.2f %7.2f | %5.0f %8.0f %8.0f\n", 1e3 * r->created, 1e3 * r->first,
           1e3 * r->fresh, 1e3 * r->kept, r->allocations, r->to_device, r->from_device);
    fflush(stdout);
}

/* --- a matrix --- */

/* The first vector of this process, and later ones: created, and filled too. */
static void time_vectors(struct system *s)
{
    double created[CREATED], filled[CREATED];
    for (int i = 0; i < CREATED; i++) {
        struct X(vect) *v;
        const double begun = started(s);
        good(X(geall)(&v, s->rows), "vector");
        good(X(geasb)(v, &psb_vect_cuda), "vector");
        created[i] = 1e3 * since(s, begun);
        good(X(set_scal)(1, v), "vector");
        filled[i] = 1e3 * since(s, begun);
        X(gefree)(v);
    }
    const double later = median_of(created + 1, CREATED - 1),
                 later_filled = median_of(filled + 1, CREATED - 1);
    note(s, "vector", "created, the first", created[0], "ms");
    note(s, "vector", "created, later", later, "ms");
    note(s, "vector", "created and filled, the first", filled[0], "ms");
    note(s, "vector", "created and filled, later", later_filled, "ms");
    if (s->me == 0)
        printf("%s, %d processes: copy %.1f GB/s; a vector %.3f ms, filled %.3f, then %.3f, filled %.3f\n",
               s->what, s->np, 1e-9 * s->rate, created[0], filled[0], later, later_filled);
}

static double time_graph(const struct system *s)
{
#ifdef WITH_CUDA
    if (psb_cuda_stream()) {
        const struct cg_times us = X(cg_times)(s->ctxt, s->rows, s->a);
        note(s, "cg_device", "iteration as a graph", us.graph, "us");
        note(s, "cg_device", "iteration by calls", us.calls, "us");
        return us.graph;
    }
#endif
    (void)s;
    return NAN;
}

static const struct solve_method *method_by_name(const char *name)
{
    const struct solve_method *m;
    for (int i = 0; (m = solve_method(i)); i++)
        if (strcmp(m->name, name) == 0 && solve_is_known(m))
            return m;
    return NULL;
}

static void measure_methods(struct system *s, double graph)
{
    char name[32];
    for (const char *list = methods; list;) {
        next_name(&list, name, sizeof name);
        const struct solve_method *m = method_by_name(name);
        if (m) {
            const struct measured r = measure(s, m);
            report(s, m, &r, graph);
        } else if (s->me == 0)
            printf("%-12s psb_solve has no such method\n", name);
    }
}

static void measure_format(struct system *s, const char *format)
{
    const struct X(mat) *mold = X(mat_by_name)(format);
    if (!mold)
        refuse("formats", format, "names of formats");
    good(X(spcnv)(s->a, mold), format);
    good(X(spmv)(1, s->a, s->b, 0, s->x, 'N'), "product"); /* all operands are on the device now */
    const double graph = time_graph(s);
    if (s->me == 0) {
        printf("%-12s %9s %9s %9s %6s %6s %6s | %7s %7s %7s %7s | %5s %8s %8s\n%-12s %9s", X(sp_fmt)(s->a),
               "few, many", "iter. us", "bytes us", "ratio", "2 pass", "graph", "new ms", "first", "fresh",
               "kept", "alloc", "to, from", "device", "cg_device", "");
        print_number(9, 2, graph);
        puts("");
    }
    measure_methods(s, graph);
}

static void measure_matrix(psb_ctxt *ctxt, const char *what)
{
    struct system s = { .ctxt = ctxt, .what = what };
    struct X(triplets) t;
    char format[32];
    psb_info(ctxt, &s.me, &s.np);
    good(X(matrix_own)(ctxt, what, &t), what);
    good(X(matrix_assemble)(ctxt, &t, &X(csr_mold).mat, &s.rows, &s.a), what);
    X(triplets_free)(&t);
    s.vector = (double)psb_cd_local_rows(s.rows) * sizeof(T);
    s.rate = copy_bandwidth();
    time_vectors(&s);
    struct X(vect) **const v[] = { &s.b, &s.x };
    for (int i = 0; i < 2; i++) {
        good(X(geall)(v[i], s.rows), "vector");
        good(X(geasb)(*v[i], &psb_vect_cuda), "vector");
    }
    good(X(set_scal)(1, s.b), "b");
    for (const char *list = formats; list;) {
        next_name(&list, format, sizeof format);
        measure_format(&s, format);
    }
    X(gefree)(s.b);
    X(gefree)(s.x);
    X(spfree)(s.a);
    psb_cdfree(s.rows);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--costs") == 0) {
        print_solve_costs(stdout);
        return EXIT_SUCCESS;
    }
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    for (int i = optind; i < argc; i++)
        measure_matrix(ctxt, argv[i]);
    finish(ctxt);
    return EXIT_SUCCESS;
}
