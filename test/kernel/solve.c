/* solve.c -- test/kernel: solves with the ILU(0) factors of a matrix in PSBC and in PETSc, in one run.
 *
 *     OMP_NUM_THREADS=1 solve MATRIX ...
 *
 * MATRIX is lap7:100 or another name of matrix.h, or a file.  Diagonal entries of files are replaced by 1
 * plus the sum of the moduli in their row, so that the factors exist.  Timed: psb_factor_solve, y = U^-1 D^-1
 * L^-1 x, and MatSolve with the natural ordering, in turns.  Prints the entries of the factors, the best
 * times of ROUNDS rounds in milliseconds, PETSc's over ours, and the largest difference of the two solutions
 * over the largest element. PETSc uses no threads. */
#include "psb_linsolve.h"
#include "psb_util.h"
#include <petscmat.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

const char *const program = "solve";
enum { ROUNDS = 40 };
static const char help[] = "usage: solve MATRIX ...\n";

static void petsc(PetscErrorCode e)
{
    if (e != 0)
        stop("PETSc", "an error");
}

/* --- PETSc ------------------------------------------------------------------------------------------ */

struct peer {
    PetscInt *ptr, *idx;
    Mat a, factor;
    Vec x, y;
};

static void peer_make(struct X(mat) *a, const T *x, T *y, struct peer *p)
{
    struct X(compressed) l;
    struct X(mat) *none;
    MatFactorInfo info;
    IS order;
    good(X(csr_view)(a, &l, &none), "rows");
    good(psb_alloc(&p->ptr, (size_t)l.n + 1, sizeof *p->ptr, "PETSc's rows"), "PETSc");
    good(psb_alloc(&p->idx, (size_t)a->nnz, sizeof *p->idx, "PETSc's columns"), "PETSc");
    for (psb_ipk i = 0; i <= l.n; i++)
        p->ptr[i] = (PetscInt)l.ptr[i];
    for (psb_epk k = 0; k < a->nnz; k++)
        p->idx[k] = l.idx[k];
    petsc(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, l.n, l.n, p->ptr, p->idx, l.val, &p->a));
    petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, l.n, x, &p->x));
    petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, l.n, y, &p->y));
    petsc(ISCreateStride(PETSC_COMM_SELF, l.n, 0, 1, &order));
    petsc(ISSetIdentity(order));
    petsc(MatFactorInfoInitialize(&info));
    info.fill = 1;
    info.levels = 0;
    petsc(MatGetFactor(p->a, MATSOLVERPETSC, MAT_FACTOR_ILU, &p->factor));
    petsc(MatILUFactorSymbolic(p->factor, p->a, order, order, &info));
    petsc(MatLUFactorNumeric(p->factor, p->a, &info));
    petsc(ISDestroy(&order));
}

static void peer_free(struct peer *p)
{
    petsc(MatDestroy(&p->factor));
    petsc(MatDestroy(&p->a));
    petsc(VecDestroy(&p->x));
    petsc(VecDestroy(&p->y));
    psb_free(p->ptr);
    psb_free(p->idx);
}

/* --- measurement ------------------------------------------------------------------------------------ */

static double difference(psb_ipk n, const T *y, const T *z)
{
    double most = 0, off = 0;
    for (psb_ipk i = 0; i < n; i++) {
        most = fmax(most, fabs(z[i]));
        off = fmax(off, fabs(y[i] - z[i]));
    }
    return off / most;
}

static void measure(const struct X(factor) *f, struct X(vect) *x, struct X(vect) *y, struct peer *p,
                    double best[2])
{
    best[0] = best[1] = INFINITY;
    for (int r = 0; r < ROUNDS; r++) {
        double t = psb_wtime();
        good(X(factor_solve)(f, x, y, 'N', 0), "solve");
        best[0] = fmin(best[0], psb_wtime() - t);
        t = psb_wtime();
        petsc(MatSolve(p->factor, p->x, p->y));
        best[1] = fmin(best[1], psb_wtime() - t);
    }
}

static int run(psb_ctxt *ctxt, const char *what)
{
    struct X(mat) *a;
    struct X(factor) *f;
    struct X(vect) *x, *y;
    struct peer p;
    const T *py;
    T *px, *pz;
    double best[2];
    char name[32];
    good(X(matrix_to_factor)(ctxt, what, &a), what);
    const psb_ipk n = a->nrows;
    good(X(vect_new_n)(&x, n, 1, NULL), "x");
    good(X(vect_new_n)(&y, n, 1, NULL), "y");
    good(X(host_write)(x, &px), "x");
    good(psb_alloc_zero(&pz, (size_t)n, sizeof *pz, "z"), "z");
    for (psb_ipk i = 0; i < n; i++)
        px[i] = X(x_at)(i);
    good(X(factor_bld)(a, &psb_factor_defaults, NULL, NULL, NULL, &f), "factors");
    peer_make(a, px, pz, &p);
    measure(f, x, y, &p, best);
    good(X(host_read)(y, &py), "y");
    const double off = difference(n, py, pz);
    matrix_name(name, sizeof name, what);
    printf("%-20s %9d rows %10lld entries  ours %8.3f  PETSc %8.3f  ratio %.2f  difference %.0e\n", name, n,
           (long long)X(factor_nnz)(f), 1e3 * best[0], 1e3 * best[1], best[1] / best[0], off);
    peer_free(&p);
    psb_free(pz);
    X(factor_free)(f);
    X(gefree)(x);
    X(gefree)(y);
    X(mat_free)(a);
    return !(off < 1e-12);
}

int main(int argc, char **argv)
{
    static const struct option table[] = { { "help", no_argument, NULL, 'h' }, { 0 } };
    psb_ctxt *ctxt;
    int wrong = 0;
    read_command(argc, argv, table, help, NULL);
    good(psb_init(&ctxt), "MPI");
    petsc(PetscInitializeNoArguments());
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    petsc(PetscFinalize());
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
