/* solve_petsc.c -- test/kernel: one system solved by PSBC and by PETSc in one run; --help describes
 * it. */
#include "psb_ext.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include <getopt.h>
#include <petscksp.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

enum { MOST_ROUNDS = 99 };
const char *const program = "solve_petsc";

static const char help[] = //
    "mpiexec -n P solve_petsc [OPTION]... MATRIX...\n"
    "\n"
    "Solve A x = b, all elements of b 1, from the guess 0, by PSBC and by PETSc with the same method,\n"
    "preconditioner, criterion (the 2-norm of the residual over that of b) and partition (even blocks of "
    "rows).\n"
    "MATRIX is lap7:128, another of psb_gen.h, or a Matrix Market file.  In each round each of the two makes "
    "its\n"
    "preconditioner and solves, in turn; printed are the iterations, the medians of milliseconds for the\n"
    "preconditioner, for an iteration and for both together, the residual of the last solution, and the\n"
    "medians of the rounds' ratios of PETSc's time to ours.  PETSc runs without threads: OMP_NUM_THREADS=1 "
    "is\n"
    "fair.\n"
    "\n"
    "  --solve TEXT    method, preconditioner and options, as psb_solve (\"cg, prec=diag\")\n"
    "  --format NAME   our format (HDIA)\n"
    "  --rounds N      rounds (5)\n";

static struct {
    const char *format;
    int rounds;
    struct psb_solve_options solve;
} opt = { "HDIA", 5, { .tol = 0 } };

static const char *const methods[PSB_NMETHODS] = {
    [PSB_CG] = KSPCG,     [PSB_CG_PIPELINED] = KSPPIPECG, [PSB_FCG] = KSPFCG,      [PSB_CGS] = KSPCGS,
    [PSB_BICG] = KSPBICG, [PSB_BICGSTAB] = KSPBCGS,       [PSB_RGMRES] = KSPGMRES, [PSB_FGMRES] = KSPFGMRES,
    [PSB_GCR] = KSPGCR,   [PSB_MINRES] = KSPMINRES,
};
static const char *const precs[PSB_NPRECS] = {
    [PSB_PREC_NONE] = PCNONE,
    [PSB_PREC_DIAG] = PCJACOBI,
    [PSB_PREC_BJAC] = PCBJACOBI,
};

static void set(int key, const char *s)
{
    if (key == 's')
        good(psb_solve_parse(s, &opt.solve), "option --solve");
    else if (key == 'f')
        opt.format = s;
    else
        opt.rounds = (int)count("rounds", s, 1, MOST_ROUNDS, "a number from 1 to 99");
}

static void petsc(PetscErrorCode e)
{
    if (e != 0)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* --- the system ----------------------------------------------------------------------------------------- */

struct system {
    psb_ctxt *ctxt;
    int me, np;
    psb_lpk m, row0;
    psb_ipk rows;
    struct X(triplets) t; /* the entries of the rows owned here */
    psb_desc *desc;       /* ours */
    struct X(spmat) *a;
    struct X(vect) *b, *x;
    Mat pa; /* PETSc's */
    Vec pb, px;
};

/* Keep the entries of the rows owned here, of a file that every process has read. */
static void keep_own(struct system *s)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < s->t.nnz; k++)
        if (s->t.ia[k] >= s->row0 && s->t.ia[k] < s->row0 + s->rows) {
            s->t.ia[n] = s->t.ia[k];
            s->t.ja[n] = s->t.ja[k];
            s->t.val[n++] = s->t.val[k];
        }
    s->t.nnz = n;
}

static void make_ours(struct system *s)
{
    const struct X(mat) *mold = X(mat_by_name)(opt.format);
    good(mold ? PSB_OK : PSB_EARG, "option --format");
    good(psb_cdall_nl(&s->desc, s->ctxt, s->rows), "descriptor");
    good(X(spall)(&s->a, s->desc, s->t.nnz), "matrix");
    good(X(spins)(s->t.nnz, s->t.ia, s->t.ja, s->t.val, s->a), "entries");
    good(psb_cdasb(s->desc), "descriptor");
    good(X(spasb)(s->a, mold, PSB_DUPL_ADD), "matrix");
    good(X(geall)(&s->b, s->desc), "b");
    good(X(geall)(&s->x, s->desc), "x");
    good(X(geasb)(s->b, NULL), "b");
    good(X(geasb)(s->x, NULL), "x");
    good(X(set_scal)(1, s->b), "b");
}

static void make_theirs(struct system *s)
{
    PetscInt *i, *j;
    good(psb_alloc(&i, (size_t)s->t.nnz, sizeof *i, "PETSc's rows"), "PETSc's matrix");
    good(psb_alloc(&j, (size_t)s->t.nnz, sizeof *j, "PETSc's columns"), "PETSc's matrix");
    for (psb_epk k = 0; k < s->t.nnz; k++) {
        i[k] = (PetscInt)s->t.ia[k];
        j[k] = (PetscInt)s->t.ja[k];
    }
    petsc(MatCreate(PETSC_COMM_WORLD, &s->pa));
    petsc(MatSetSizes(s->pa, s->rows, s->rows, (PetscInt)s->m, (PetscInt)s->m));
    petsc(MatSetType(s->pa, MATAIJ));
    petsc(MatSetPreallocationCOO(s->pa, s->t.nnz, i, j));
    petsc(MatSetValuesCOO(s->pa, s->t.val, INSERT_VALUES));
    petsc(MatCreateVecs(s->pa, &s->px, &s->pb));
    petsc(VecSet(s->pb, 1));
    psb_free(i);
    psb_free(j);
}

static void make_system(struct system *s, psb_ctxt *ctxt, const char *what)
{
    *s = (struct system){ .ctxt = ctxt };
    psb_info(ctxt, &s->me, &s->np);
    good(X(matrix_read)(ctxt, what, &s->t), what);
    if (s->t.m != s->t.n)
        stop(what, "is not square");
    s->m = s->t.m;
    s->row0 = s->m * s->me / s->np;
    s->rows = (psb_ipk)(s->m * (s->me + 1) / s->np - s->row0);
    keep_own(s);
    make_ours(s);
    make_theirs(s);
    X(triplets_free)(&s->t);
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
    double t = psb_wtime() - since, most;
    MPI_Allreduce(&t, &most, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(s->ctxt));
    return since == 0 ? psb_wtime() : most;
}

static struct outcome solve_ours(struct system *s)
{
    struct outcome o;
    struct psb_solve_result res;
    struct X(prec) *p = NULL;
    good(X(set_scal)(0, s->x), "x");
    double t = watch(s, 0);
    good(X(precinit_opt)(&p, &opt.solve.prec), "preconditioner");
    good(X(precbld)(p, s->a, NULL, NULL), "preconditioner");
    o.setup = watch(s, t);
    t = watch(s, 0);
    good(X(krylov)(s->a, p, s->b, s->x, &opt.solve, &res), "solve");
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
    petsc(KSPSetType(*ksp, methods[opt.solve.method]));
    petsc(KSPGetPC(*ksp, &pc));
    petsc(PCSetType(pc, precs[opt.solve.prec.type]));
    if (opt.solve.method != PSB_CG && opt.solve.method != PSB_CG_PIPELINED &&
        opt.solve.method != PSB_MINRES && opt.solve.method != PSB_FCG && opt.solve.method != PSB_BICG)
        petsc(KSPSetPCSide(*ksp, PC_RIGHT));
    if (opt.solve.method != PSB_MINRES)
        petsc(KSPSetNormType(*ksp, KSP_NORM_UNPRECONDITIONED));
    if (opt.solve.restart && (opt.solve.method == PSB_RGMRES || opt.solve.method == PSB_FGMRES))
        petsc(KSPGMRESSetRestart(*ksp, opt.solve.restart));
    petsc(KSPSetTolerances(*ksp, opt.solve.tol, 0, PETSC_DEFAULT, opt.solve.itmax));
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

static void times_of(const struct outcome *o, double *ms)
{
    ms[SETUP] = 1e3 * o->setup;
    ms[ITERATION] = 1e3 * o->solve / (o->iterations > 0 ? o->iterations : 1);
    ms[TOTAL] = 1e3 * (o->setup + o->solve);
}

static double median(const double all[MOST_ROUNDS][TIMES], int which)
{
    double x[MOST_ROUNDS];
    for (int r = 0; r < opt.rounds; r++)
        x[r] = all[r][which];
    return median_of(x, opt.rounds);
}

static void print_line(const char *who, const struct outcome *o, const double all[MOST_ROUNDS][TIMES])
{
    printf("%-10s %10d %10.3f %10.4f %10.1f   %.2e\n", who, o->iterations, median(all, SETUP),
           median(all, ITERATION), median(all, TOTAL), o->residual);
}

static void compare(psb_ctxt *ctxt, const char *what)
{
    static double ours[MOST_ROUNDS][TIMES], theirs[MOST_ROUNDS][TIMES], ratio[MOST_ROUNDS][TIMES];
    struct system s;
    struct outcome o, p;
    char prec[100];
    make_system(&s, ctxt, what);
    for (int r = 0; r < opt.rounds; r++) {
        o = solve_ours(&s);
        p = solve_theirs(&s);
        times_of(&o, ours[r]);
        times_of(&p, theirs[r]);
        for (int i = 0; i < TIMES; i++)
            ratio[r][i] = theirs[r][i] / ours[r][i];
    }
    good(psb_prec_text(&opt.solve.prec, prec, sizeof prec), "preconditioner");
    if (s.me == 0) {
        printf("%s, processes %d: %s, %s, tol %g\n", what, s.np, psb_method_name(opt.solve.method), prec,
               opt.solve.tol);
        printf("%-10s %10s %10s %10s %10s   %s\n", "", "iterations", "setup ms", "iter. ms", "total ms",
               "residual");
        print_line(X(sp_fmt)(s.a), &o, ours);
        print_line("PETSc AIJ", &p, theirs);
        printf("%-10s %10s %10.2f %10.2f %10.2f\n", "ratio", "", median(ratio, SETUP),
               median(ratio, ITERATION), median(ratio, TOTAL));
    }
    free_system(&s);
}

int main(int argc, char **argv)
{
    static const struct option table[] = { { "solve", required_argument, NULL, 's' },
                                           { "format", required_argument, NULL, 'f' },
                                           { "rounds", required_argument, NULL, 'r' },
                                           { 0 } };
    psb_ctxt *ctxt;
    good(psb_init(&ctxt), "start");
    petsc(PetscInitializeNoArguments());
    good(psb_ext_init(), "formats");
    good(psb_solve_parse("cg, prec=diag", &opt.solve), "defaults");
    read_command(argc, argv, table, help, set);
    if (!methods[opt.solve.method] || !precs[opt.solve.prec.type] || opt.solve.stop != PSB_STOP_RELATIVE)
        stop("option --solve", "PETSc has no such method, preconditioner or criterion");
    for (int i = optind; i < argc; i++)
        compare(ctxt, argv[i]);
    petsc(PetscFinalize());
    psb_exit(ctxt);
    return EXIT_SUCCESS;
}
