/* assembly.c -- test/kernel: assembly of a distributed matrix in PSBC and in PETSc, in one run.
 *
 *     mpiexec -n P assembly [NX [ROUNDS]]
 *
 * The matrix is the 7-point Laplacian of NX^3 (128) rows in blocks of consecutive rows, double precision.
 * Indices and values are computed before timing.  Timed:
 *
 * - psb_spins: psb_cdall_nl, psb_spall, psb_spins in blocks of 1,000 rows, psb_cdasb, psb_spasb to CSR.
 * - psb_sprn: psb_sprn, the same psb_spins again, psb_spasb.
 * - MatSetValues: MatMPIAIJSetPreallocation, exact; MatSetValues row by row; MatAssemblyBegin, End.
 * - COO: MatSetPreallocationCOO, MatSetValuesCOO.
 *
 * Methods that accept entries in pieces receive blocks of 1,000 rows, which the program writes to the same
 * small buffer just before, as an application would; writing them is not timed.  COO receives all entries at
 * once.  In every round each method runs once, in turn, from nothing; a ratio is the median of the ratios of
 * the rounds. */
#include "psb_base.h"
#include <petscmat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, MOST = 99 };
enum kind { SPINS, SPRN, VALUES, COO, KINDS };
static const char *const names[KINDS] = { "psb_spins", "psb_sprn", "MatSetValues", "COO" };

static void psb(psb_err e)
{
    if (e != PSB_OK) {
        psb_print_errmsg();
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

static void petsc(PetscErrorCode e)
{
    if (e != 0)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* The entries of the rows owned here: those of row i are start[i] .. start[i+1]-1. */
struct entries {
    psb_ipk m;
    psb_lpk first, n;
    psb_epk *start;
    psb_lpk *ia, *ja;
    PetscInt *pi, *pj;
    double *val;
};

static psb_epk stencil(psb_lpk nx, psb_lpk g, struct entries *s, psb_epk k)
{
    const psb_lpk x = g % nx, y = g / nx % nx, z = g / nx / nx;
    const struct {
        int inside;
        psb_lpk j;
    } at[] = { { z > 0, g - nx * nx }, { y > 0, g - nx },      { x > 0, g - 1 },           { 1, g },
               { x < nx - 1, g + 1 },  { y < nx - 1, g + nx }, { z < nx - 1, g + nx * nx } };
    for (int i = 0; i < 7; i++)
        if (at[i].inside) {
            s->ia[k] = g;
            s->ja[k] = at[i].j;
            s->pi[k] = (PetscInt)g;
            s->pj[k] = (PetscInt)at[i].j;
            s->val[k++] = at[i].j == g ? 6 : -1;
        }
    return k;
}

static struct entries make_entries(psb_lpk nx)
{
    int me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    struct entries s = { .n = nx * nx * nx };
    s.first = s.n * me / np;
    s.m = (psb_ipk)(s.n * (me + 1) / np - s.first);
    size_t most = 7 * (size_t)s.m;
    psb(psb_alloc(&s.start, (size_t)s.m + 1, sizeof *s.start, "rows"));
    psb(psb_alloc(&s.ia, most, sizeof *s.ia, "entries"));
    psb(psb_alloc(&s.ja, most, sizeof *s.ja, "entries"));
    psb(psb_alloc(&s.pi, most, sizeof *s.pi, "entries"));
    psb(psb_alloc(&s.pj, most, sizeof *s.pj, "entries"));
    psb(psb_alloc(&s.val, most, sizeof *s.val, "entries"));
    s.start[0] = 0;
    for (psb_ipk i = 0; i < s.m; i++)
        s.start[i + 1] = stencil(nx, s.first + i, &s, s.start[i]);
    return s;
}

/* A block of 1,000 rows in a small buffer, written just before it is inserted. */
struct block {
    psb_epk n;
    psb_ipk rows;
    psb_epk start[BLOCK + 1];
    psb_lpk ia[7 * BLOCK], ja[7 * BLOCK];
    PetscInt pi[7 * BLOCK], pj[7 * BLOCK];
    double val[7 * BLOCK];
};

static void write_block(const struct entries *s, psb_ipk i, struct block *b)
{
    psb_epk k = s->start[i];
    b->rows = s->m - i < BLOCK ? s->m - i : BLOCK;
    size_t n = (size_t)(s->start[i + b->rows] - k);
    b->n = (psb_epk)n;
    for (psb_ipk r = 0; r <= b->rows; r++)
        b->start[r] = s->start[i + r] - k;
    memcpy(b->ia, s->ia + k, n * sizeof *b->ia);
    memcpy(b->ja, s->ja + k, n * sizeof *b->ja);
    memcpy(b->pi, s->pi + k, n * sizeof *b->pi);
    memcpy(b->pj, s->pj + k, n * sizeof *b->pj);
    memcpy(b->val, s->val + k, n * sizeof *b->val);
}

/* --- PSBC --- */

/* Returns the seconds spent in psb_spins. */
static double insert(const struct entries *s, psb_dspmat *a)
{
    static struct block b;
    double spent = 0;
    for (psb_ipk i = 0; i < s->m; i += BLOCK) {
        write_block(s, i, &b);
        double t = MPI_Wtime();
        psb(psb_spins(b.n, b.ia, b.ja, b.val, a));
        spent += MPI_Wtime() - t;
    }
    return spent;
}

static double assemble(psb_ctxt *ctxt, const struct entries *s, psb_desc **desc, psb_dspmat **a)
{
    double t = MPI_Wtime();
    psb(psb_cdall_nl(desc, ctxt, s->m));
    psb(psb_spall(a, *desc, s->start[s->m]));
    double spent = MPI_Wtime() - t + insert(s, *a);
    t = MPI_Wtime();
    psb(psb_cdasb(*desc));
    psb(psb_spasb(*a, psb_d_mat_by_name("CSR"), PSB_DUPL_ADD));
    return spent + MPI_Wtime() - t;
}

static double refill(const struct entries *s, psb_dspmat *a)
{
    double t = MPI_Wtime();
    psb(psb_sprn(a, 1));
    double spent = MPI_Wtime() - t + insert(s, a);
    t = MPI_Wtime();
    psb(psb_spasb(a, NULL, PSB_DUPL_ADD));
    return spent + MPI_Wtime() - t;
}

/* --- PETSc --- */

static Mat new_mat(const struct entries *s)
{
    Mat a;
    petsc(MatCreate(PETSC_COMM_WORLD, &a));
    petsc(MatSetSizes(a, s->m, s->m, (PetscInt)s->n, (PetscInt)s->n));
    petsc(MatSetType(a, MATAIJ));
    return a;
}

/* Count the entries of each row inside and outside the square block. */
static void count(const struct entries *s, PetscInt *in, PetscInt *out)
{
    for (psb_ipk i = 0; i < s->m; i++) {
        in[i] = out[i] = 0;
        for (psb_epk k = s->start[i]; k < s->start[i + 1]; k++)
            ++*(s->ja[k] >= s->first && s->ja[k] < s->first + s->m ? &in[i] : &out[i]);
    }
}

/* Returns the seconds spent in MatSetValues. */
static double set_rows(const struct entries *s, Mat a)
{
    static struct block b;
    double spent = 0;
    for (psb_ipk i = 0; i < s->m; i += BLOCK) {
        write_block(s, i, &b);
        double t = MPI_Wtime();
        for (psb_ipk r = 0; r < b.rows; r++) {
            psb_epk k = b.start[r];
            petsc(MatSetValues(a, 1, b.pi + k, (PetscInt)(b.start[r + 1] - k), b.pj + k, b.val + k,
                               INSERT_VALUES));
        }
        spent += MPI_Wtime() - t;
    }
    return spent;
}

static double set_values(const struct entries *s, const PetscInt *in, const PetscInt *out, Mat *a)
{
    double t = MPI_Wtime();
    *a = new_mat(s);
    petsc(MatSeqAIJSetPreallocation(*a, 0, in));
    petsc(MatMPIAIJSetPreallocation(*a, 0, in, 0, out));
    double spent = MPI_Wtime() - t + set_rows(s, *a);
    t = MPI_Wtime();
    petsc(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
    return spent + MPI_Wtime() - t;
}

/* i and j are overwritten. */
static double set_coo(const struct entries *s, PetscInt *i, PetscInt *j, Mat *a)
{
    double t = MPI_Wtime();
    *a = new_mat(s);
    petsc(MatSetPreallocationCOO(*a, s->start[s->m], i, j));
    petsc(MatSetValuesCOO(*a, s->val, INSERT_VALUES));
    return MPI_Wtime() - t;
}

/* --- rounds --- */

/* Returns the time of the slowest process. */
static double slowest(double t)
{
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return t;
}

/* Check that both libraries hold the same matrix: |A x| for x_i = 1 + i mod 7 agrees. */
static void compare(psb_dspmat *a, Mat b, const struct entries *s)
{
    psb_dvect *x = NULL, *y = NULL;
    Vec u, v;
    double ours, theirs;
    psb(psb_geall(&x, psb_d_sp_row_desc(a)));
    psb(psb_geall(&y, psb_d_sp_row_desc(a)));
    petsc(MatCreateVecs(b, &u, &v));
    for (psb_lpk g = s->first; g < s->first + s->m; g++) {
        double e = 1 + (double)(g % 7);
        psb(psb_geins(1, &g, &e, x, PSB_DUPL_OVERWRITE));
        petsc(VecSetValue(u, (PetscInt)g, e, INSERT_VALUES));
    }
    psb(psb_geasb(x, NULL));
    psb(psb_geasb(y, NULL));
    petsc(VecAssemblyBegin(u));
    petsc(VecAssemblyEnd(u));
    psb(psb_spmv(1.0, a, x, 0.0, y, 'N'));
    petsc(MatMult(b, u, v));
    psb(psb_genrm2(y, &ours));
    petsc(VecNorm(v, NORM_2, &theirs));
    if (!(fabs(ours - theirs) <= 1e-12 * theirs)) {
        fprintf(stderr, "assembly: |A x| is %.17g, PETSc's %.17g\n", ours, theirs);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    psb_gefree(x);
    psb_gefree(y);
    petsc(VecDestroy(&u));
    petsc(VecDestroy(&v));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void one_round(psb_ctxt *ctxt, const struct entries *s, const PetscInt *in, const PetscInt *out,
                      int first, double *t)
{
    psb_desc *desc = NULL;
    psb_dspmat *a = NULL;
    Mat b, c;
    PetscInt *i, *j;
    size_t n = (size_t)s->start[s->m];
    psb(psb_copy(&i, s->pi, n, sizeof *i, "indices"));
    psb(psb_copy(&j, s->pj, n, sizeof *j, "indices"));
    MPI_Barrier(MPI_COMM_WORLD);
    t[SPINS] = slowest(assemble(ctxt, s, &desc, &a));
    t[SPRN] = slowest(refill(s, a));
    t[VALUES] = slowest(set_values(s, in, out, &b));
    if (first)
        compare(a, b, s);
    psb_spfree(a);
    psb_cdfree(desc);
    petsc(MatDestroy(&b));
    MPI_Barrier(MPI_COMM_WORLD);
    t[COO] = slowest(set_coo(s, i, j, &c));
    petsc(MatDestroy(&c));
    psb_free(i);
    psb_free(j);
}

static void report(double t[KINDS][MOST], int rounds, psb_lpk n)
{
    double best[MOST], again[MOST];
    for (int r = 0; r < rounds; r++) {
        best[r] = t[SPINS][r] / (t[VALUES][r] < t[COO][r] ? t[VALUES][r] : t[COO][r]);
        again[r] = t[SPINS][r] / t[SPRN][r];
    }
    printf("7-point Laplacian, %lld rows, %d rounds\n", (long long)n, rounds);
    for (int k = 0; k < KINDS; k++)
        printf("%-14s %8.1f ms\n", names[k], 1e3 * median(t[k], rounds));
    printf("psb_spins / faster of PETSc's two: %.2f\n", median(best, rounds));
    printf("psb_spins / psb_sprn:              %.2f\n", median(again, rounds));
}

int main(int argc, char **argv)
{
    psb_lpk nx = argc > 1 ? atoll(argv[1]) : 128;
    int rounds = argc > 2 ? atoi(argv[2]) : 9, me;
    static double t[KINDS][MOST];
    if (nx < 1 || nx > 1000 || rounds < 1 || rounds > MOST) {
        fprintf(stderr, "assembly: expected NX from 1 to 1000, ROUNDS from 1 to %d\n", MOST);
        return EXIT_FAILURE;
    }
    petsc(PetscInitialize(NULL, NULL, NULL, NULL));
    psb_ctxt *ctxt;
    psb(psb_init(&ctxt));
    psb_info(ctxt, &me, NULL);
    struct entries s = make_entries(nx);
    PetscInt *in, *out;
    psb(psb_alloc(&in, (size_t)s.m, sizeof *in, "counts"));
    psb(psb_alloc(&out, (size_t)s.m, sizeof *out, "counts"));
    count(&s, in, out);
    for (int r = 0; r < rounds; r++) {
        double now[KINDS];
        one_round(ctxt, &s, in, out, r == 0, now);
        for (int k = 0; k < KINDS; k++)
            t[k][r] = now[k];
    }
    if (me == 0)
        report(t, rounds, s.n);
    psb_exit(ctxt);
    petsc(PetscFinalize());
    return EXIT_SUCCESS;
}
