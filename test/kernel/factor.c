/* factor.c -- test/kernel: incomplete factors and their solves in PSBC and in PETSc, in one run, on one
 * process and one thread; --help describes it. */
#include "psb_linsolve.h"
#include "psb_util.h"
#include "petsc.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "psb_type.h"
#include "matrix.h"

const char *const program = "factor";

enum { MOST = 99 };
static int rounds = 9;
static const struct flag table[] = { { "rounds", .number = &rounds, 1, MOST }, { 0 } };
static const char help[] =
    "usage: OMP_NUM_THREADS=1 factor [--rounds N] [--tsv FILE] MATRIX ...\n"
    "\n"
    "MATRIX is lap7:128 or another name of matrix.h, or a file, whose diagonal is replaced by 1 plus\n"
    "the sum of the moduli in its row, so that the factors exist.  Processor time, so that other\n"
    "programs disturb little, of these steps, in every round (9) in turn: making the factors from\n"
    "nothing, the pattern and the values (psb_factor_bld; MatILUFactorSymbolic and MatLUFactorNumeric,\n"
    "or those of Cholesky); new values in the same pattern (psb_factor_renew; MatLUFactorNumeric), for\n"
    "the second time, since the first renewal allocates memory that the factors keep; a solve with both\n"
    "triangles (psb_factor_solve; MatSolve).  Printed are medians of milliseconds, and the medians and\n"
    "the ratio of the least of PETSc's time over ours.  The solutions of both are compared.\n";

enum step { MAKE_FACTORS, RENEW, SOLVE, STEPS };
static const char *const steps[STEPS] = { "make", "renew", "solve" };

static const struct method {
    const char *name;
    struct psb_factor_options ours;
    MatFactorType theirs;
} methods[] = {
    { "ILU(0)", { .kind = PSB_ILU0, .block = 1 }, MAT_FACTOR_ILU },
    { "ILU(1)", { .kind = PSB_ILUK, .fill = 1, .block = 1 }, MAT_FACTOR_ILU },
    { "IC(0)", { .kind = PSB_IC0, .block = 1 }, MAT_FACTOR_ICC },
};
enum { METHODS = sizeof methods / sizeof *methods };

/* The matrix in both libraries, a right-hand side, and the solution of each. */
struct problem {
    psb_ipk n;
    struct X(mat) *a;
    struct X(vect) *b, *x;
    Mat pa;
    Vec pb, px;
    PetscInt *ptr;
};

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void load(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    struct X(compressed) rows;
    struct X(mat) *none;
    T *b;
    good(X(matrix_to_factor)(ctxt, what, &p->a), what);
    p->n = p->a->nrows;
    good(X(csr_view)(p->a, &rows, &none), what);
    good(psb_alloc(&p->ptr, (size_t)p->n + 1, sizeof *p->ptr, "PETSc's rows"), what);
    for (psb_ipk i = 0; i <= p->n; i++)
        p->ptr[i] = (PetscInt)rows.ptr[i];
    good(X(vect_new)(&p->b, p->n, NULL), what);
    good(X(vect_new)(&p->x, p->n, NULL), what);
    good(X(host_write)(p->b, &b), what);
    for (psb_ipk i = 0; i < p->n; i++)
        b[i] = X(x_at)(i);
    petsc(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, p->n, p->n, p->ptr, rows.idx, rows.val, &p->pa));
    petsc(MatCreateVecs(p->pa, &p->px, NULL));
    petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, p->n, b, &p->pb));
}

static void unload(struct problem *p)
{
    petsc(MatDestroy(&p->pa));
    petsc(VecDestroy(&p->pb));
    petsc(VecDestroy(&p->px));
    X(mat_free)(p->a);
    X(gefree)(p->b);
    X(gefree)(p->x);
    psb_free(p->ptr);
}

static void time_ours(struct problem *p, const struct method *m, double *t)
{
    struct X(factor) *f = NULL;
    double begun = cpu_seconds();
    good(X(factor_bld)(p->a, &m->ours, NULL, NULL, NULL, &f), m->name);
    t[MAKE_FACTORS] = cpu_seconds() - begun;
    good(X(factor_renew)(f, p->a, NULL), m->name);
    begun = cpu_seconds();
    good(X(factor_renew)(f, p->a, NULL), m->name);
    t[RENEW] = cpu_seconds() - begun;
    begun = cpu_seconds();
    good(X(factor_solve)(f, p->b, p->x, 'N', 0), m->name);
    t[SOLVE] = cpu_seconds() - begun;
    X(factor_free)(f);
}

static void numeric(Mat f, const struct problem *p, const struct method *m, const MatFactorInfo *info)
{
    petsc(m->theirs == MAT_FACTOR_ICC ? MatCholeskyFactorNumeric(f, p->pa, info)
                                      : MatLUFactorNumeric(f, p->pa, info));
}

static void time_theirs(struct problem *p, const struct method *m, double *t)
{
    Mat f;
    IS row, col;
    MatFactorInfo info;
    petsc(MatFactorInfoInitialize(&info));
    info.levels = m->ours.fill;
    info.fill = m->ours.fill ? 2 : 1;
    petsc(MatGetOrdering(p->pa, MATORDERINGNATURAL, &row, &col));
    double begun = cpu_seconds();
    petsc(MatGetFactor(p->pa, MATSOLVERPETSC, m->theirs, &f));
    petsc(m->theirs == MAT_FACTOR_ICC ? MatICCFactorSymbolic(f, p->pa, row, &info)
                                      : MatILUFactorSymbolic(f, p->pa, row, col, &info));
    numeric(f, p, m, &info);
    t[MAKE_FACTORS] = cpu_seconds() - begun;
    numeric(f, p, m, &info);
    begun = cpu_seconds();
    numeric(f, p, m, &info);
    t[RENEW] = cpu_seconds() - begun;
    begun = cpu_seconds();
    petsc(MatSolve(f, p->pb, p->px));
    t[SOLVE] = cpu_seconds() - begun;
    petsc(MatDestroy(&f));
    petsc(ISDestroy(&row));
    petsc(ISDestroy(&col));
}

static void compare(struct problem *p, const struct method *m)
{
    const T *x;
    const PetscScalar *y;
    good(X(host_read)(p->x, &x), m->name);
    petsc(VecGetArrayRead(p->px, &y));
    if (!(X(difference)(p->n, y, x) <= 1e-10))
        stop(m->name, "the solutions differ");
    petsc(VecRestoreArrayRead(p->px, &y));
}

/* Milliseconds of each step: ours, and PETSc's. */
static void measure(struct problem *p, const struct method *m, double (*t)[2][MOST])
{
    for (int r = 0; r < rounds; r++) {
        double ours[STEPS], theirs[STEPS];
        time_ours(p, m, ours);
        time_theirs(p, m, theirs);
        for (int s = 0; s < STEPS; s++) {
            t[s][0][r] = 1e3 * ours[s];
            t[s][1][r] = 1e3 * theirs[s];
        }
    }
    compare(p, m);
}

static void report(const char *name, const struct method *m, double (*t)[2][MOST])
{
    for (int s = 0; s < STEPS; s++) {
        double ratio[MOST], least[2] = { INFINITY, INFINITY };
        char quantity[32];
        for (int r = 0; r < rounds; r++) {
            ratio[r] = t[s][1][r] / t[s][0][r];
            least[0] = fmin(least[0], t[s][0][r]);
            least[1] = fmin(least[1], t[s][1][r]);
        }
        printf("%-8s %-8s %9.1f ms  PETSc %9.1f ms  ratio %.2f, of the least %.2f\n", m->name, steps[s],
               median_of(t[s][0], rounds), median_of(t[s][1], rounds), median_of(ratio, rounds),
               least[1] / least[0]);
        snprintf(quantity, sizeof quantity, "%s: %s", m->name, steps[s]);
        record(name, LETTER, 1, "PSBC", quantity, median_of(t[s][0], rounds), "ms");
        record(name, LETTER, 1, "PETSc", quantity, median_of(t[s][1], rounds), "ms");
    }
}

int main(int argc, char **argv)
{
    static double t[STEPS][2][MOST];
    struct problem p;
    read_command(argc, argv, table, help);
    petsc(PetscInitializeNoArguments());
    psb_ctxt *ctxt = start(false);
    for (int i = optind; i < argc; i++) {
        load(&p, ctxt, argv[i]);
        printf("%s, %d rows, %d rounds\n", argv[i], p.n, rounds);
        for (int m = 0; m < METHODS; m++) {
            measure(&p, &methods[m], t);
            report(argv[i], &methods[m], t);
        }
        unload(&p);
    }
    finish(ctxt);
    petsc(PetscFinalize());
    return EXIT_SUCCESS;
}
