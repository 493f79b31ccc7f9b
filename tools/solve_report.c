/* solve_report.c -- tools: the report of psb-pargen and psb-fileread: the lines of PSBLAS's programs.
 */
#include "config.h"
#include "solve.h"
#include <inttypes.h>

static void print_seconds(const char *what, double x)
{
    printf("%-30s: %12.5e s\n", what, x);
}

static void print_bytes(const char *what, double x)
{
    printf("%-30s: %12.0f bytes\n", what, x);
}

static void print_number(const char *what, double x)
{
    printf("%-30s: %12.5e\n", what, x);
}

static void print_count(const char *what, int64_t n)
{
    printf("%-30s: %12" PRId64 "\n", what, n);
}

static void print_text(const char *what, const char *text)
{
    printf("%-30s: %s\n", what, text);
}

static int silent(const struct solve_report *r)
{
    return r->task->me != 0;
}

void solve_report_problem(const struct solve_report *r)
{
    const struct solve_task *t = r->task;
    if (silent(r))
        return;
    if (t->matrix)
        print_text("Matrix", t->matrix);
    else if (t->pde.dims == 2)
        printf("%-30s: pde2d, %" PRId64 " by %" PRId64 " points\n", "Problem", t->pde.nx, t->pde.ny);
    else
        printf("%-30s: pde3d, %" PRId64 " by %" PRId64 " by %" PRId64 " points\n", "Problem", t->pde.nx,
               t->pde.ny, t->pde.nz);
    print_text("Partition", t->partition);
    print_count("Number of processes", t->np);
    print_count("Threads of a process", r->threads);
    print_count("Linear system size", t->rows);
}

void solve_report_matrix(const struct solve_report *r)
{
    if (silent(r))
        return;
    print_count("Entries of A", r->entries);
    printf("%-30s: %s on %s, type %c\n", "Storage format of A", r->format, r->where, r->task->type);
    print_text("Storage of the descriptor", r->descriptor);
    print_seconds("Matrix creation time", r->creation);
    fflush(stdout);
}

void solve_report_method(const struct solve_report *r)
{
    const struct psb_solve_options *o = &r->task->options;
    if (silent(r))
        return;
    print_text("Preconditioner", r->prec);
    print_seconds("Preconditioner time", r->preparation);
    print_text("Iterative method", psb_method_name(o->method));
    printf("%-30s: %s <= %g\n", "Stopping criterion", psb_stop_name(o->stop), o->tol);
    fflush(stdout);
}

void solve_report_solution(const struct solve_report *r)
{
    const struct psb_solve_result *res = &r->result;
    if (silent(r))
        return;
    print_seconds("Time to solve system", r->solution);
    print_seconds("Time per iteration", r->solution / (res->iterations > 0 ? res->iterations : 1));
    print_count("Number of iterations", res->iterations);
    print_number("Convergence indicator on exit", res->estimate);
    print_number("True residual on exit", res->residual);
    printf("%-30s: %s%s%s\n", "Outcome", psb_outcome_name(res->outcome), *res->why ? ": " : "", res->why);
    print_bytes("Memory of A", r->matrix_bytes);
    print_bytes("Memory of the preconditioner", r->prec_bytes);
    print_bytes("Memory of the descriptor", r->desc_bytes);
    fflush(stdout);
}
