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
#include "psb_util.h"
#include "petsc.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "matrix.h"

const char *const program = "assembly";

enum { BLOCK = 1000, MOST = 99 };
enum kind { SPINS, SPRN, VALUES, COO, KINDS };
static const char *const names[KINDS] = { "psb_spins", "psb_sprn", "MatSetValues", "COO" };

/* The entries of the rows owned here: those of row i are start[i] .. start[i+1]-1. */
struct entries {
    psb_ipk m;
    psb_lpk first, n;
    psb_epk *start;
    psb_lpk *ia, *ja;
    PetscInt *pi, *pj;
    double *val;
};

static struct entries make_entries(psb_ctxt *ctxt, int nx)
{
    int me, np;
    char what[32];
    struct psb_d_triplets t;
    psb_info(ctxt, &me, &np);
    snprintf(what, sizeof what, "lap7:%d", nx);
    good(psb_d_matrix_own(ctxt, what, &t), what);
    struct entries s = { .n = t.m, .first = block_start(t.m, me, np), .ia = t.ia, .ja = t.ja, .val = t.val };
    s.m = (psb_ipk)(block_start(t.m, me + 1, np) - s.first);
    good(psb_alloc_zero(&s.start, (size_t)s.m + 1, sizeof *s.start, "rows"), "memory");
    good(psb_alloc(&s.pi, (size_t)t.nnz, sizeof *s.pi, "entries"), "memory");
    good(psb_alloc(&s.pj, (size_t)t.nnz, sizeof *s.pj, "entries"), "memory");
    for (psb_epk k = 0; k < t.nnz; k++) {
        s.start[t.ia[k] - s.first + 1] = k + 1;
        s.pi[k] = (PetscInt)t.ia[k];
        s.pj[k] = (PetscInt)t.ja[k];
    }
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
        good(psb_spins(b.n, b.ia, b.ja, b.val, a), "a call of PSBC");
        spent += MPI_Wtime() - t;
    }
    return spent;
}

static double assemble(psb_ctxt *ctxt, const struct entries *s, psb_desc **desc, psb_dspmat **a)
{
    double t = MPI_Wtime();
    good(psb_cdall_nl(desc, ctxt, s->m), "a call of PSBC");
    good(psb_spall(a, *desc, s->start[s->m]), "a call of PSBC");
    double spent = MPI_Wtime() - t + insert(s, *a);
    t = MPI_Wtime();
    good(psb_cdasb(*desc), "a call of PSBC");
    good(psb_spasb(*a, psb_d_mat_by_name("CSR"), PSB_DUPL_ADD), "a call of PSBC");
    return spent + MPI_Wtime() - t;
}

static double refill(const struct entries *s, psb_dspmat *a)
{
    double t = MPI_Wtime();
    good(psb_sprn(a, 1), "a call of PSBC");
    double spent = MPI_Wtime() - t + insert(s, a);
    t = MPI_Wtime();
    good(psb_spasb(a, NULL, PSB_DUPL_ADD), "a call of PSBC");
    return spent + MPI_Wtime() - t;
}

/* --- PETSc --- */

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
    *a = petsc_matrix(s->m, s->m, s->n, s->n);
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
    *a = petsc_matrix(s->m, s->m, s->n, s->n);
    petsc(MatSetPreallocationCOO(*a, s->start[s->m], i, j));
    petsc(MatSetValuesCOO(*a, s->val, INSERT_VALUES));
    return MPI_Wtime() - t;
}

/* --- rounds --- */

/* Check that both libraries hold the same matrix: |A x| for x_i = 1 + i mod 7 agrees. */
static void compare(psb_dspmat *a, Mat b, const struct entries *s)
{
    psb_dvect *x = NULL, *y = NULL;
    Vec u, v;
    double ours, theirs;
    good(psb_geall(&x, psb_d_sp_row_desc(a)), "a call of PSBC");
    good(psb_geall(&y, psb_d_sp_row_desc(a)), "a call of PSBC");
    petsc(MatCreateVecs(b, &u, &v));
    for (psb_lpk g = s->first; g < s->first + s->m; g++) {
        double e = 1 + (double)(g % 7);
        good(psb_geins(1, &g, &e, x, PSB_DUPL_OVERWRITE), "a call of PSBC");
        petsc(VecSetValue(u, (PetscInt)g, e, INSERT_VALUES));
    }
    good(psb_geasb(x, NULL), "a call of PSBC");
    good(psb_geasb(y, NULL), "a call of PSBC");
    petsc(VecAssemblyBegin(u));
    petsc(VecAssemblyEnd(u));
    good(psb_spmv(1.0, a, x, 0.0, y, 'N'), "a call of PSBC");
    petsc(MatMult(b, u, v));
    good(psb_genrm2(y, &ours), "a call of PSBC");
    petsc(VecNorm(v, NORM_2, &theirs));
    if (!(fabs(ours - theirs) <= 1e-12 * theirs)) {
        char why[80];
        snprintf(why, sizeof why, "ours is %.17g, PETSc's %.17g", ours, theirs);
        stop("|A x|", why);
    }
    psb_gefree(x);
    psb_gefree(y);
    petsc(VecDestroy(&u));
    petsc(VecDestroy(&v));
}

static void one_round(psb_ctxt *ctxt, const struct entries *s, const PetscInt *in, const PetscInt *out,
                      int first, double *t)
{
    psb_desc *desc = NULL;
    psb_dspmat *a = NULL;
    Mat b, c;
    PetscInt *i, *j;
    size_t n = (size_t)s->start[s->m];
    good(psb_copy(&i, s->pi, n, sizeof *i, "indices"), "a call of PSBC");
    good(psb_copy(&j, s->pj, n, sizeof *j, "indices"), "a call of PSBC");
    MPI_Barrier(MPI_COMM_WORLD);
    t[SPINS] = slowest(ctxt, assemble(ctxt, s, &desc, &a));
    t[SPRN] = slowest(ctxt, refill(s, a));
    t[VALUES] = slowest(ctxt, set_values(s, in, out, &b));
    if (first)
        compare(a, b, s);
    psb_spfree(a);
    psb_cdfree(desc);
    petsc(MatDestroy(&b));
    MPI_Barrier(MPI_COMM_WORLD);
    t[COO] = slowest(ctxt, set_coo(s, i, j, &c));
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
        printf("%-14s %8.1f ms\n", names[k], 1e3 * median_of(t[k], rounds));
    printf("psb_spins / faster of PETSc's two: %.2f\n", median_of(best, rounds));
    printf("psb_spins / psb_sprn:              %.2f\n", median_of(again, rounds));
}

int main(int argc, char **argv)
{
    const int nx = argument(argc, argv, 1, 1, 1000, 128);
    const int rounds = argument(argc, argv, 2, 1, MOST, 9);
    static double t[KINDS][MOST];
    int me;
    petsc(PetscInitializeNoArguments());
    psb_ctxt *ctxt = start(false);
    psb_info(ctxt, &me, NULL);
    struct entries s = make_entries(ctxt, nx);
    PetscInt *in, *out;
    good(psb_alloc(&in, (size_t)s.m, sizeof *in, "counts"), "memory");
    good(psb_alloc(&out, (size_t)s.m, sizeof *out, "counts"), "memory");
    count(&s, in, out);
    for (int r = 0; r < rounds; r++) {
        double one[KINDS];
        one_round(ctxt, &s, in, out, r == 0, one);
        for (int k = 0; k < KINDS; k++)
            t[k][r] = one[k];
    }
    if (me == 0)
        report(t, rounds, s.n);
    finish(ctxt);
    petsc(PetscFinalize());
    return EXIT_SUCCESS;
}
