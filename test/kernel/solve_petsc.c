/* solve_petsc.c -- test/kernel: one system solved by PSBC and by PETSc in one run; --help describes
 * it. */
#include "psb_linsolve.h"
#include "psb_util.h"
#include "petsc.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "psb_type.h"
#include "amg.t.h"
#include "matrix.h"

enum { MOST_ROUNDS = 99 };
const char *const program = "solve_petsc";

static const char help[] =
    "mpiexec -n P solve_petsc [OPTION]... MATRIX...\n"
    "\n"
    "Solve A x = b, all elements of b 1, from the guess 0, by PSBC and by PETSc with the same method,\n"
    "preconditioner, criterion (the 2-norm of the residual over that of b) and partition (even blocks\n"
    "of rows). MATRIX is lap7:128, another of psb_gen.h, or a Matrix Market file.  In each round all\n"
    "make their preconditioners and solve, in turn; printed are the iterations, the medians of\n"
    "milliseconds for the preconditioner, for an iteration, for both together and of the processor for\n"
    "both, the entries of all levels over those of A, the residual of the last solution, and the\n"
    "medians of the rounds' ratios of PETSc's times to ours.  PETSc runs without threads:\n"
    "OMP_NUM_THREADS=1 is fair.\n"
    "\n"
    "  --solve TEXT    method, preconditioner and options, as psb_solve (\"cg, prec=diag\")\n"
    "  --pc TEXT       another preconditioner for PETSc, \"NAME OPTIONS\" or \"LABEL: NAME OPTIONS\", as\n"
    "                  \"hypre\" for BoomerAMG; several times: all of them\n"
    "  --rigid         matrices are elasticity:NX, rigid bodies are given to the preconditioners\n"
    "  --format NAME   our format (HDIA)\n"
    "  --rounds N      rounds (5)\n";

static int rounds = 5;
static const char *format = "HDIA";
static bool rigid;
static struct psb_solve_options options;

static void set_solve(const char *s)
{
    good(psb_solve_parse(s, &options), "option --solve");
}

/* Seconds of the preconditioner and of the solve, on the slowest process, and the processor's for both. */
struct outcome {
    int iterations;
    double setup, solve, cpu, residual, complexity;
};

enum { SETUP, ITERATION, TOTAL, CPU, TIMES };

/* A preconditioner of PETSc with its options, or ours, the first; in milliseconds by rounds, and over ours.
 */
static struct solver {
    char label[80], pc[40], options[400];
    struct outcome last;
    double ms[TIMES][MOST_ROUNDS], ratio[TIMES][MOST_ROUNDS];
} solvers[6] = { { .label = "" }, { .label = "PETSc" } };
static int nsolvers = 1;

static void add_pc(const char *s)
{
    struct solver *p = &solvers[nsolvers++];
    const char *colon = strchr(s, ':');
    if (nsolvers > (int)(sizeof solvers / sizeof *solvers))
        refuse("pc", s, "at most 5 preconditioners");
    if (colon)
        snprintf(p->label, sizeof p->label, "%.*s", (int)(colon - s), s);
    else
        snprintf(p->label, sizeof p->label, "%s", s);
    sscanf(colon ? colon + 1 : s, "%39s %399[^\n]", p->pc, p->options);
}

static const struct flag table[] = { { "solve", .set = set_solve },
                                     { "pc", .set = add_pc },
                                     { "rigid", .on = &rigid },
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
    struct X(nullspace) *rigid;
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

/* The coordinates of the nodes of elasticity:NX, and rigid bodies of them. */
static void make_rigid(struct system *s, const char *what)
{
    struct X(vect) *xyz;
    struct psb_gen g;
    MatNullSpace space;
    PetscScalar *to;
    good(matrix_parse(what, &g), what);
    good(X(geall)(&xyz, s->desc), "coordinates");
    for (psb_ipk l = 0; l < psb_cd_local_rows(s->desc); l++) {
        const psb_lpk i = psb_loc_to_glob(s->desc, l), k = i / 3;
        const psb_lpk at[] = { k % g.nx, k / g.nx % g.ny, k / g.nx / g.ny };
        good(X(geins)(1, &i, &(T){ (T)at[i % 3] }, xyz, PSB_DUPL_ADD), "coordinates");
    }
    good(X(geasb)(xyz, NULL), "coordinates");
    good(X(nullspace_rigid)(&s->rigid, 3, xyz), "rigid bodies");
    petsc(MatSetBlockSize(s->pa, 3));
    petsc(VecSetBlockSize(s->px, 3));
    petsc(VecGetArray(s->px, &to));
    good(X(get_vect)(xyz, psb_cd_local_rows(s->desc), to), "coordinates");
    petsc(VecRestoreArray(s->px, &to));
    petsc(MatNullSpaceCreateRigidBody(s->px, &space));
    petsc(MatSetNearNullSpace(s->pa, space));
    petsc(MatNullSpaceDestroy(&space));
    X(gefree)(xyz);
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
    if (rigid)
        make_rigid(s, what);
    X(triplets_free)(&t);
}

static void free_system(struct system *s)
{
    X(gefree)(s->b);
    X(gefree)(s->x);
    X(nullspace_free)(s->rigid);
    X(spfree)(s->a);
    psb_cdfree(s->desc);
    petsc(VecDestroy(&s->pb));
    petsc(VecDestroy(&s->px));
    petsc(MatDestroy(&s->pa));
}

/* --- solves --------------------------------------------------------------------------------------------- */

/* Start a time, or return the time since. */
static double watch(const struct system *s, double since)
{
    const double t = slowest(s->ctxt, psb_wtime() - since);
    return since == 0 ? psb_wtime() : t;
}

/* Seconds of this process's processor. */
static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The entries of all levels over those of the finest; 1 for other preconditioners. */
static double our_complexity(const struct X(prec) *p)
{
    const struct amg *q = p->options.type == PSB_PREC_AMG ? p->data : NULL;
    double sum = 0, finest = 1;
    psb_epk n;
    for (int l = 0; q && l < q->n; l++) {
        good(X(nnz)(q->level[l].a, &n), "entries");
        finest = l == 0 ? (double)n : finest;
        sum += (double)n;
    }
    return q ? sum / finest : 1;
}

static struct outcome solve_ours(struct system *s)
{
    struct outcome o;
    struct psb_solve_result res;
    struct X(prec) *p = NULL;
    good(X(set_scal)(0, s->x), "x");
    double t = watch(s, 0), cpu = processor_time();
    good(X(precinit_opt)(&p, &options.prec), "preconditioner");
    if (s->rigid)
        good(X(prec_set_near_null)(p, s->rigid), "rigid bodies");
    good(X(precbld)(p, s->a, NULL, NULL), "preconditioner");
    o.setup = watch(s, t);
    t = watch(s, 0);
    good(X(krylov)(s->a, p, s->b, s->x, &options, &res), "solve");
    o.solve = watch(s, t);
    o.cpu = slowest(s->ctxt, processor_time() - cpu);
    o.iterations = res.iterations;
    o.residual = res.residual;
    o.complexity = our_complexity(p);
    X(precfree)(p);
    return o;
}

static void make_solver(struct system *s, const struct solver *by, KSP *ksp)
{
    PC pc;
    petsc(PetscOptionsClear(NULL));
    petsc(PetscOptionsInsertString(NULL, getenv("PETSC_OPTIONS"))); /* -log_view is read at the end */
    petsc(PetscOptionsInsertString(NULL, by->options));
    petsc(KSPCreate(PETSC_COMM_WORLD, ksp));
    petsc(KSPSetType(*ksp, methods[options.method]));
    petsc(KSPGetPC(*ksp, &pc));
    petsc(PCSetType(pc, *by->pc ? by->pc : precs[options.prec.type]));
    if (options.method != PSB_CG && options.method != PSB_CG_PIPELINED && options.method != PSB_MINRES &&
        options.method != PSB_FCG && options.method != PSB_BICG)
        petsc(KSPSetPCSide(*ksp, PC_RIGHT));
    if (options.method != PSB_MINRES)
        petsc(KSPSetNormType(*ksp, KSP_NORM_UNPRECONDITIONED));
    if (options.restart && (options.method == PSB_RGMRES || options.method == PSB_FGMRES))
        petsc(KSPGMRESSetRestart(*ksp, options.restart));
    petsc(KSPSetTolerances(*ksp, options.tol, 0, PETSC_DEFAULT, options.itmax));
    petsc(KSPSetOperators(*ksp, s->pa, s->pa));
    petsc(PCSetFromOptions(pc));
}

/* As our_complexity; NAN if PETSc does not show the levels. */
static double their_complexity(const struct system *s, KSP ksp)
{
    PC pc;
    PetscInt n = 0;
    Mat *level = NULL;
    MatInfo info;
    double sum;
    petsc(MatGetInfo(s->pa, MAT_GLOBAL_SUM, &info));
    const double finest = sum = info.nz_used;
    petsc(KSPGetPC(ksp, &pc));
    petsc(PCGetCoarseOperators(pc, &n, &level));
    for (PetscInt l = 0; l < n - 1; l++) {
        Mat copy;
        petsc(MatConvert(level[l], MATAIJ, MAT_INITIAL_MATRIX, &copy));
        petsc(MatGetInfo(copy, MAT_GLOBAL_SUM, &info));
        sum += info.nz_used;
        petsc(MatDestroy(&copy));
        petsc(MatDestroy(&level[l]));
    }
    petsc(PetscFree(level));
    return n > 1 ? sum / finest : NAN;
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

static struct outcome solve_theirs(struct system *s, const struct solver *by, bool last)
{
    struct outcome o;
    KSP ksp;
    PetscInt n;
    petsc(VecSet(s->px, 0));
    double t = watch(s, 0), cpu = processor_time();
    make_solver(s, by, &ksp);
    petsc(KSPSetUp(ksp));
    petsc(KSPSetUpOnBlocks(ksp));
    o.setup = watch(s, t);
    t = watch(s, 0);
    petsc(KSPSolve(ksp, s->pb, s->px));
    o.solve = watch(s, t);
    o.cpu = slowest(s->ctxt, processor_time() - cpu);
    petsc(KSPGetIterationNumber(ksp, &n));
    o.iterations = (int)n;
    o.complexity = last && *by->pc ? their_complexity(s, ksp) : 1;
    petsc(KSPDestroy(&ksp));
    o.residual = residual_of(s);
    return o;
}

/* --- report --------------------------------------------------------------------------------------------- */

static void set_times(struct solver *by, int round)
{
    const struct outcome *o = &by->last;
    by->ms[SETUP][round] = 1e3 * o->setup;
    by->ms[ITERATION][round] = 1e3 * o->solve / (o->iterations > 0 ? o->iterations : 1);
    by->ms[TOTAL][round] = 1e3 * (o->setup + o->solve);
    by->ms[CPU][round] = 1e3 * o->cpu;
    for (int i = 0; i < TIMES; i++)
        by->ratio[i][round] = by->ms[i][round] / solvers[0].ms[i][round];
}

static void print_solver(const struct solver *by)
{
    const struct outcome *o = &by->last;
    printf("%-26.26s %5d", by->label, o->iterations);
    for (int i = 0; i < TIMES; i++)
        printf(i == ITERATION ? " %9.3f" : " %9.1f", median_of(by->ms[i], rounds));
    printf(" %6.3f  %.1e", o->complexity, o->residual);
    for (int i = 0; i < TIMES && by > solvers; i++)
        printf(" %6.2f", median_of(by->ratio[i], rounds));
    printf("\n");
}

static void record_solver(const struct system *s, const char *matrix, const char *prec, struct solver *by)
{
    static const char *const names[] = { "setup", "iteration", "with the preconditioner", "processor" };
    const bool converged = by->last.residual < 2 * options.tol;
    char quantity[300];
    const int n = snprintf(quantity, sizeof quantity, "%s, prec=%s: ", psb_method_name(options.method), prec);
    snprintf(quantity + n, sizeof quantity - (size_t)n, "iterations");
    record(matrix, LETTER, s->np, by->label, quantity, converged ? by->last.iterations : INFINITY,
           "iterations");
    snprintf(quantity + n, sizeof quantity - (size_t)n, "complexity");
    record(matrix, LETTER, s->np, by->label, quantity, by->last.complexity, "ratio");
    for (int i = 0; i < TIMES && converged && rounds > 1; i++) {
        const int m = snprintf(quantity + n, sizeof quantity - (size_t)n, "%s", names[i]);
        record(matrix, LETTER, s->np, by->label, quantity, median_of(by->ms[i], rounds), "ms");
        snprintf(quantity + n + m, sizeof quantity - (size_t)(n + m), ", speed over %s", by->label);
        if (by > solvers)
            record(matrix, LETTER, s->np, solvers[0].label, quantity, median_of(by->ratio[i], rounds),
                   "ratio");
    }
}

static void report(const struct system *s, const char *what)
{
    char prec[200], matrix[80];
    matrix_name(matrix, sizeof matrix, what);
    good(psb_prec_text(&options.prec, prec, sizeof prec), "preconditioner");
    if (s->me > 0)
        return;
    snprintf(solvers[0].label, sizeof solvers[0].label, "%s", X(sp_fmt)(s->a));
    printf("%s, processes %d: %s, %s, tol %g\n%-26s %5s %9s %9s %9s %9s %6s  residual  ratios of times\n",
           what, s->np, psb_method_name(options.method), prec, options.tol, "", "it.", "setup ms", "iter. ms",
           "total ms", "cpu ms", "entries");
    for (int i = 0; i < nsolvers; i++) {
        print_solver(&solvers[i]);
        record_solver(s, matrix, prec, &solvers[i]);
    }
}

static void compare(psb_ctxt *ctxt, const char *what)
{
    struct system s;
    make_system(&s, ctxt, what);
    for (int r = 0; r < rounds; r++)
        for (struct solver *by = solvers; by < solvers + nsolvers; by++) {
            by->last = by == solvers ? solve_ours(&s) : solve_theirs(&s, by, r == rounds - 1);
            set_times(by, r);
        }
    report(&s, what);
    free_system(&s);
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt = start(false);
    petsc(PetscInitializeNoArguments());
    set_solve("cg, prec=diag");
    read_command(argc, argv, table, help);
    const bool named = nsolvers > 1;
    if (!named)
        nsolvers = 2;
    if (!methods[options.method] || (!precs[options.prec.type] && !named) ||
        options.stop != PSB_STOP_RELATIVE)
        stop("option --solve", "PETSc has no such method, preconditioner or criterion");
    for (int i = optind; i < argc; i++)
        compare(ctxt, argv[i]);
    petsc(PetscFinalize());
    finish(ctxt);
    return EXIT_SUCCESS;
}
