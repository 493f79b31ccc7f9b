/* solve_petsc.c -- test/kernel: one system solved by PSBC and by PETSc in one run; --help describes
 * it. */
#include "psb_linsolve.h"
#include "psb_util.h"
#include "petsc.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "matrix.h"

enum { MOST_ROUNDS = 99 };
const char *const program = "solve_petsc";

static const char help[] =
    "mpiexec -n P solve_petsc [OPTION]... MATRIX...\n"
    "\n"
    "Solve A x = b, all elements of b 1, from the guess 0, by PSBC and by PETSc with the same method,\n"
    "preconditioner, criterion (the 2-norm of the residual over that of b) and partition (even blocks\n"
    "of rows). MATRIX is lap7:128, another of psb_gen.h, or a Matrix Market file.  In each round each\n"
    "of the two makes its preconditioner and solves, in turn; printed are the iterations, the medians\n"
    "of milliseconds for the preconditioner, for an iteration and for both together, the residual of\n"
    "the last solution, and the medians of the rounds' ratios of PETSc's time to ours.  PETSc runs\n"
    "without threads: OMP_NUM_THREADS=1 is fair.\n"
    "\n"
    "  --solve TEXT    method, preconditioner and options, as psb_solve (\"cg, prec=diag\")\n"
    "  --pc NAME       another preconditioner for PETSc by its name, as hypre for BoomerAMG\n"
    "  --format NAME   our format (HDIA)\n"
    "  --rounds N      rounds (5)\n";

static int rounds = 5;
static const char *format = "HDIA", *pc_name = "";
static struct psb_solve_options options;

static void set_solve(const char *s)
{
    good(psb_solve_parse(s, &options), "option --solve");
}

static const struct flag table[] = { { "solve", .set = set_solve },
                                     { "pc", .text = &pc_name },
                                     { "format", .text = &format },
                                     { "rounds", .number = &rounds, 1, MOST_ROUNDS },
                                     { 0 } };

static const char *const methods[PSB_NMETHODS] = {
    [PSB_CG] = KSPCG,     [PSB_CG_PIPELINED] = KSPPIPECG, [PSB_FCG] = KSPFCG,      [PSB_CGS] = KSPCGS,
    [PSB_BICG] = KSPBICG, [PSB_BICGSTAB] = KSPBCGS,       [PSB_RGMRES] = KSPGMRES, [PSB_FGMRES] = KSPFGMRES,
    [PSB_GCR] = KSPGCR,   [PSB_MINRES] = KSPMINRES,       [PSB_TFQMR] = KSPTFQMR,
};
static const char *const precs[PSB_NPRECS] = {
    [PSB_PREC_NONE] = PCNONE,
    [PSB_PREC_DIAG] = PCJACOBI,
    [PSB_PREC_BJAC] = PCBJACOBI,
    [PSB_PREC_AMG] = PCGAMG,
};

/* --- the system ----------------------------------------------------------------------------------------- */

struct system {
    psb_ctxt *ctxt;
    int me, np;
    psb_desc *desc; /* ours */
    struct X(spmat) *a;
    struct X(vect) *b, *x;
    Mat pa; /* PETSc's */
    Vec pb, px;
};

static void make_theirs(struct system *s, const struct X(triplets) *t)
{
    const psb_ipk rows = psb_cd_local_rows(s->desc);
    PetscInt *i, *j;
    good(psb_alloc(&i, (size_t)t->nnz, sizeof *i, "PETSc's rows"), "PETSc's matrix");
    good(psb_alloc(&j, (size_t)t->nnz, sizeof *j, "PETSc's columns"), "PETSc's matrix");
    for (psb_epk k = 0; k < t->nnz; k++) {
        i[k] = (PetscInt)t->ia[k];
        j[k] = (PetscInt)t->ja[k];
    }
    s->pa = petsc_matrix(rows, rows, t->m, t->n);
    petsc(MatSetPreallocationCOO(s->pa, t->nnz, i, j));
    petsc(MatSetValuesCOO(s->pa, t->val, INSERT_VALUES));
    petsc(MatCreateVecs(s->pa, &s->px, &s->pb));
    petsc(VecSet(s->pb, 1));
    psb_free(i);
    psb_free(j);
}

static void make_system(struct system *s, psb_ctxt *ctxt, const char *what)
{
    struct X(triplets) t;
    const struct X(mat) *mold = X(mat_by_name)(format);
    *s = (struct system){ .ctxt = ctxt };
    psb_info(ctxt, &s->me, &s->np);
    good(mold ? PSB_OK : PSB_EARG, "option --format");
    good(X(matrix_own)(ctxt, what, &t), what);
    good(X(matrix_assemble)(ctxt, &t, mold, &s->desc, &s->a), what);
    good(X(vects_like)(s->a, &s->x, &s->b), "vectors");
    good(X(set_scal)(1, s->b), "b");
    make_theirs(s, &t);
    X(triplets_free)(&t);
}

static void free_system(struct system *s)
{
    X(gefree)(s->b);
    X(gefree)(s->x);
    X(spfree)(s->a);
    psb_cdfree(s->desc);
    petsc(VecDestroy(&s->pb));
    petsc(VecDestroy(&s->px));
    petsc(MatDestroy(&s->pa));
}

/* --- solves --------------------------------------------------------------------------------------------- */

/* Seconds of the preconditioner and of the solve, on the slowest process. */
struct outcome {
    int iterations;
    double setup, solve, residual;
};

/* Start a time, or return the time since. */
static double watch(const struct system *s, double since)
{
    const double t = slowest(s->ctxt, psb_wtime() - since);
    return since == 0 ? psb_wtime() : t;
}

static struct outcome solve_ours(struct system *s)
{
    struct outcome o;
    struct psb_solve_result res;
    struct X(prec) *p = NULL;
    good(X(set_scal)(0, s->x), "x");
    double t = watch(s, 0);
    good(X(precinit_opt)(&p, &options.prec), "preconditioner");
    good(X(precbld)(p, s->a, NULL, NULL), "preconditioner");
    o.setup = watch(s, t);
    t = watch(s, 0);
    good(X(krylov)(s->a, p, s->b, s->x, &options, &res), "solve");
    o.solve = watch(s, t);
    o.iterations = res.iterations;
    o.residual = res.residual;
    X(precfree)(p);
    return o;
}

static void make_solver(struct system *s, KSP *ksp)
{
    PC pc;
    petsc(KSPCreate(PETSC_COMM_WORLD, ksp));
    petsc(KSPSetType(*ksp, methods[options.method]));
    petsc(KSPGetPC(*ksp, &pc));
    petsc(PCSetType(pc, *pc_name ? pc_name : precs[options.prec.type]));
    if (options.method != PSB_CG && options.method != PSB_CG_PIPELINED && options.method != PSB_MINRES &&
        options.method != PSB_FCG && options.method != PSB_BICG)
        petsc(KSPSetPCSide(*ksp, PC_RIGHT));
    if (options.method != PSB_MINRES)
        petsc(KSPSetNormType(*ksp, KSP_NORM_UNPRECONDITIONED));
    if (options.restart && (options.method == PSB_RGMRES || options.method == PSB_FGMRES))
        petsc(KSPGMRESSetRestart(*ksp, options.restart));
    petsc(KSPSetTolerances(*ksp, options.tol, 0, PETSC_DEFAULT, options.itmax));
    petsc(KSPSetOperators(*ksp, s->pa, s->pa));
}

static double residual_of(struct system *s)
{
    Vec r;
    PetscReal norm, norm_b;
    petsc(VecDuplicate(s->pb, &r));
    petsc(MatResidual(s->pa, s->pb, s->px, r));
    petsc(VecNorm(r, NORM_2, &norm));
    petsc(VecNorm(s->pb, NORM_2, &norm_b));
    petsc(VecDestroy(&r));
    return norm / norm_b;
}

static struct outcome solve_theirs(struct system *s)
{
    struct outcome o;
    KSP ksp;
    PetscInt n;
    petsc(VecSet(s->px, 0));
    double t = watch(s, 0);
    make_solver(s, &ksp);
    petsc(KSPSetUp(ksp));
    petsc(KSPSetUpOnBlocks(ksp));
    o.setup = watch(s, t);
    t = watch(s, 0);
    petsc(KSPSolve(ksp, s->pb, s->px));
    o.solve = watch(s, t);
    petsc(KSPGetIterationNumber(ksp, &n));
    o.iterations = (int)n;
    petsc(KSPDestroy(&ksp));
    o.residual = residual_of(s);
    return o;
}

/* --- report --------------------------------------------------------------------------------------------- */

enum { SETUP, ITERATION, TOTAL, TIMES };

/* Milliseconds of a round. */
static void set_times(const struct outcome *o, double t[TIMES][MOST_ROUNDS], int round)
{
    t[SETUP][round] = 1e3 * o->setup;
    t[ITERATION][round] = 1e3 * o->solve / (o->iterations > 0 ? o->iterations : 1);
    t[TOTAL][round] = 1e3 * (o->setup + o->solve);
}

static void print_line(const char *who, const struct outcome *o, double t[TIMES][MOST_ROUNDS])
{
    printf("%-10s %10d %10.3f %10.4f %10.1f   %.2e\n", who, o->iterations, median_of(t[SETUP], rounds),
           median_of(t[ITERATION], rounds), median_of(t[TOTAL], rounds), o->residual);
}

static struct {
    double ours[TIMES][MOST_ROUNDS], theirs[TIMES][MOST_ROUNDS], ratio[TIMES][MOST_ROUNDS];
} ms;

static void record_times(const struct system *s, const char *what, const char *prec)
{
    static const char *const names[] = { "setup", "iteration", "with the preconditioner" };
    char matrix[80], quantity[200];
    matrix_name(matrix, sizeof matrix, what);
    for (int i = ITERATION; i < TIMES; i++) {
        const int n = snprintf(quantity, sizeof quantity, "%s, prec=%s: %s", psb_method_name(options.method),
                               prec, names[i]);
        record(matrix, LETTER, s->np, X(sp_fmt)(s->a), quantity, median_of(ms.ours[i], rounds), "ms");
        record(matrix, LETTER, s->np, "PETSc AIJ", quantity, median_of(ms.theirs[i], rounds), "ms");
        snprintf(quantity + n, sizeof quantity - (size_t)n, ", speed over PETSc");
        record(matrix, LETTER, s->np, X(sp_fmt)(s->a), quantity, median_of(ms.ratio[i], rounds), "ratio");
    }
}

static void compare(psb_ctxt *ctxt, const char *what)
{
    struct system s;
    struct outcome o, p;
    char prec[100];
    make_system(&s, ctxt, what);
    for (int r = 0; r < rounds; r++) {
        o = solve_ours(&s);
        p = solve_theirs(&s);
        set_times(&o, ms.ours, r);
        set_times(&p, ms.theirs, r);
        for (int i = 0; i < TIMES; i++)
            ms.ratio[i][r] = ms.theirs[i][r] / ms.ours[i][r];
    }
    good(psb_prec_text(&options.prec, prec, sizeof prec), "preconditioner");
    if (s.me == 0) {
        printf("%s, processes %d: %s, %s, tol %g\n%-10s %10s %10s %10s %10s   %s\n", what, s.np,
               psb_method_name(options.method), prec, options.tol, "", "iterations", "setup ms", "iter. ms",
               "total ms", "residual");
        print_line(X(sp_fmt)(s.a), &o, ms.ours);
        print_line("PETSc AIJ", &p, ms.theirs);
        printf("%-10s %10s %10.2f %10.2f %10.2f\n", "ratio", "", median_of(ms.ratio[SETUP], rounds),
               median_of(ms.ratio[ITERATION], rounds), median_of(ms.ratio[TOTAL], rounds));
        if (fmax(o.residual, p.residual) < 2 * options.tol) /* both have converged */
            record_times(&s, what, prec);
    }
    free_system(&s);
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt = start(false);
    petsc(PetscInitializeNoArguments());
    set_solve("cg, prec=diag");
    read_command(argc, argv, table, help);
    if (!methods[options.method] || (!precs[options.prec.type] && !*pc_name) ||
        options.stop != PSB_STOP_RELATIVE)
        stop("option --solve", "PETSc has no such method, preconditioner or criterion");
    for (int i = optind; i < argc; i++)
        compare(ctxt, argv[i]);
    petsc(PetscFinalize());
    finish(ctxt);
    return EXIT_SUCCESS;
}
