/* sparse_algebra.c -- test/kernel: products, sums and transposes of sparse matrices, and PETSc's in the same
 * run; --help describes it. */
#include "psb_base.h"
#include "psb_util.h"
#ifdef WITH_PETSC
#include "petsc.h"
#else
#include "bench.h"
#include "psb_alloc.h"
#endif
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "matrix.h"

enum { MOST_ROUNDS = 99 };

static const char help[] =
    "mpiexec -n P sparse_algebra [OPTION]... MATRIX...\n"
    "\n"
    "For each MATRIX A (lap7:64, another of psb_gen.h, or a Matrix Market file), with the prolongator P of\n"
    "a smoothed aggregation, whose aggregates do not cross processes: A A; the same for new values; P^H A "
    "P;\n"
    "the same for new values; A + A; the transpose of A.  Printed are the rows and entries of the result,\n"
    "the median of milliseconds, the bytes of operands and result, each once, per second, and the ratio of\n"
    "PETSc's time to ours (type d, built with PETSc, which uses no threads: OMP_NUM_THREADS=1 is fair).\n"
    "\n"
    "  --type T        s, d, c or z (d)\n"
    "  --rounds N      rounds (5)\n";

static int rounds = 5;
static const struct flag table[] = { { "rounds", .number = &rounds, 1, MOST_ROUNDS }, { 0 } };

enum step { SQUARE, SQUARE_AGAIN, TRIPLE, TRIPLE_AGAIN, SUM, TRANSPOSE, STEPS };
static const char *const step_names[STEPS] = { "A A",           "A A again", "P^H A P",
                                               "P^H A P again", "A + A",     "transpose of A" };

struct algebra {
    psb_ctxt *ctxt;
    psb_desc *desc, *coarse;
    struct X(spmat) *a, *p, *aa, *pap, *sum, *made;
    double ours[STEPS][MOST_ROUNDS], theirs[STEPS][MOST_ROUNDS];
};

/* --- ours ----------------------------------------------------------------------------------------------- */

static void drop(struct X(spmat) **a)
{
    X(spfree)(*a);
    *a = NULL;
}

/* What the step needs, and is not timed. */
static void prepare(struct algebra *w, enum step s)
{
    if (s == SQUARE)
        drop(&w->aa);
    if (s == TRIPLE)
        drop(&w->pap);
    drop(&w->made);
    if (s == SUM)
        good(X(sp_clone)(w->a, &w->made), step_names[s]);
}

static psb_err run_step(struct algebra *w, enum step s)
{
    switch (s) {
    case SQUARE:
        return X(spgemm)(1, w->a, 'N', w->a, 'N', 0, NULL, NULL, NULL, &w->aa);
    case SQUARE_AGAIN:
        return X(spgemm_again)(1, w->a, w->a, 0, NULL, w->aa);
    case TRIPLE:
        return X(sprap)(NULL, w->a, w->p, NULL, &w->pap);
    case TRIPLE_AGAIN:
        return X(sprap_again)(NULL, w->a, w->p, w->pap);
    case SUM:
        return X(spaxpby)(1, w->a, 1, w->made);
    default:
        return X(sp_transp)(w->a, &w->made);
    }
}

/* --- PETSc's -------------------------------------------------------------------------------------------- */

#ifdef WITH_PETSC
static Mat their_a, their_p, their_aa, their_pap, their_made;

static Mat to_petsc(const struct X(spmat) *a)
{
    const psb_desc *row = X(sp_row_desc)(a), *col = X(sp_col_desc)(a);
    const psb_ipk m = psb_cd_local_rows(row), n = psb_cd_local_rows(col);
    const psb_epk nz = X(sp_nnz)(a);
    psb_lpk *i, *j;
    PetscInt *pi, *pj;
    T *v;
    psb_epk at = 0, got;
    good(psb_alloc(&i, (size_t)nz, sizeof *i, "PETSc"), "PETSc's matrix");
    good(psb_alloc(&j, (size_t)nz, sizeof *j, "PETSc"), "PETSc's matrix");
    good(psb_alloc(&v, (size_t)nz, sizeof *v, "PETSc"), "PETSc's matrix");
    good(psb_alloc(&pi, (size_t)nz, sizeof *pi, "PETSc"), "PETSc's matrix");
    good(psb_alloc(&pj, (size_t)nz, sizeof *pj, "PETSc"), "PETSc's matrix");
    for (psb_ipk r = 0; r < m; r++, at += got)
        good(X(sp_csget)(a, r, nz - at, i + at, j + at, v + at, &got), "PETSc's matrix");
    for (psb_epk k = 0; k < nz; k++) {
        pi[k] = (PetscInt)i[k];
        pj[k] = (PetscInt)j[k];
    }
    Mat b = petsc_matrix(m, n, psb_cd_global_rows(row), psb_cd_global_rows(col));
    petsc(MatSetPreallocationCOO(b, nz, pi, pj));
    petsc(MatSetValuesCOO(b, v, INSERT_VALUES));
    psb_free(i);
    psb_free(j);
    psb_free(v);
    psb_free(pi);
    psb_free(pj);
    return b;
}

static void prepare_theirs(enum step s)
{
    if (s == SQUARE && their_aa)
        petsc(MatDestroy(&their_aa));
    if (s == TRIPLE && their_pap)
        petsc(MatDestroy(&their_pap));
    if (their_made)
        petsc(MatDestroy(&their_made));
    if (s == SUM)
        petsc(MatDuplicate(their_a, MAT_COPY_VALUES, &their_made));
}

static void run_theirs(enum step s)
{
    switch (s) {
    case SQUARE:
        petsc(MatMatMult(their_a, their_a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &their_aa));
        break;
    case SQUARE_AGAIN:
        petsc(MatMatMult(their_a, their_a, MAT_REUSE_MATRIX, PETSC_DEFAULT, &their_aa));
        break;
    case TRIPLE:
        petsc(MatPtAP(their_a, their_p, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &their_pap));
        break;
    case TRIPLE_AGAIN:
        petsc(MatPtAP(their_a, their_p, MAT_REUSE_MATRIX, PETSC_DEFAULT, &their_pap));
        break;
    case SUM:
        petsc(MatAXPY(their_made, 1, their_a, DIFFERENT_NONZERO_PATTERN));
        break;
    default:
        petsc(MatTranspose(their_a, MAT_INITIAL_MATRIX, &their_made));
        break;
    }
}

static void measure_theirs(struct algebra *w, int round)
{
    if (round == 0) {
        their_a = to_petsc(w->a);
        their_p = to_petsc(w->p);
    }
    for (enum step s = 0; s < STEPS; s++) {
        prepare_theirs(s);
        good(psb_barrier(w->ctxt), step_names[s]);
        const double begun = psb_wtime();
        run_theirs(s);
        w->theirs[s][round] = slowest(w->ctxt, psb_wtime() - begun);
    }
    if (round == rounds - 1) {
        prepare_theirs(SQUARE);
        prepare_theirs(TRIPLE);
        petsc(MatDestroy(&their_a));
        petsc(MatDestroy(&their_p));
    }
}
#endif

/* --- report --------------------------------------------------------------------------------------------- */

static double bytes_of(const struct X(spmat) *a)
{
    return (double)X(sp_bytes)(a);
}

static void report(const struct algebra *w, const char *what, enum step s, const struct X(spmat) *result)
{
    const double operands[STEPS] = { 2 * bytes_of(w->a),
                                     2 * bytes_of(w->a),
                                     bytes_of(w->a) + 2 * bytes_of(w->p),
                                     bytes_of(w->a) + 2 * bytes_of(w->p),
                                     2 * bytes_of(w->a),
                                     bytes_of(w->a) };
    const double ms = 1e3 * median_of(w->ours[s], rounds), peer = median_of(w->theirs[s], rounds);
    double bytes = operands[s] + bytes_of(result);
    psb_epk nz;
    int me, np;
    psb_info(w->ctxt, &me, &np);
    good(X(nnz)(result, &nz), what);
    good(psb_sum(w->ctxt, 1, &bytes, -1), what);
    if (me != 0)
        return;
    printf("%-16s %-15s %10lld %12lld %10.3f %8.2f", what, step_names[s],
           (long long)psb_cd_global_rows(X(sp_row_desc)(result)), (long long)nz, ms, 1e-6 * bytes / ms);
    if (peer > 0)
        printf(" %8.2f", 1e3 * peer / ms);
    printf("\n");
    record(what, LETTER, np, step_names[s], "time", ms, "ms");
}

static void measure(struct algebra *w, const char *what)
{
    for (int i = 0; i < rounds; i++) {
#ifdef WITH_PETSC
        measure_theirs(w, i);
#endif
        for (enum step s = 0; s < STEPS; s++) {
            prepare(w, s);
            good(psb_barrier(w->ctxt), step_names[s]);
            const double begun = psb_wtime();
            good(run_step(w, s), step_names[s]);
            w->ours[s][i] = slowest(w->ctxt, psb_wtime() - begun);
            const struct X(spmat) *result = s <= SQUARE_AGAIN ? w->aa : s <= TRIPLE_AGAIN ? w->pap : w->made;
            if (i == rounds - 1)
                report(w, what, s, result);
        }
    }
}

static void run(psb_ctxt *ctxt, const char *what)
{
    static struct algebra w;
    struct X(triplets) t;
    char name[64];
    w = (struct algebra){ .ctxt = ctxt };
    matrix_name(name, sizeof name, what);
    good(X(matrix_own)(ctxt, what, &t), what);
    good(X(matrix_assemble)(ctxt, &t, &X(csr_mold).mat, &w.desc, &w.a), what);
    X(triplets_free)(&t);
    X(matrix_prolongator)(w.a, &w.coarse, &w.p);
    measure(&w, name);
    drop(&w.made);
    drop(&w.aa);
    drop(&w.pap);
    drop(&w.p);
    drop(&w.a);
    psb_cdfree(w.coarse);
    psb_cdfree(w.desc);
}

int X(sparse_algebra)(int argc, char **argv)
{
    int me;
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start(false);
    psb_info(ctxt, &me, NULL);
#ifdef WITH_PETSC
    petsc(PetscInitializeNoArguments());
#endif
    if (me == 0)
        printf("%-16s %-15s %10s %12s %10s %8s %8s\n", "matrix", "result", "rows", "entries", "ms", "GB/s",
               "x PETSc");
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i]);
#ifdef WITH_PETSC
    petsc(PetscFinalize());
#endif
    finish(ctxt);
    return EXIT_SUCCESS;
}
