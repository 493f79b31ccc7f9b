/* gpu_factor.c -- test/kernel: ILU(0) and IC(0) on a GPU by PSBC, and by cuSPARSE's csrilu02 and
 * csric02, in one run.
 *
 *     gpu_factor [--tune] MATRIX ...
 *
 * MATRIX is lap7:100 or another name of matrix.h, or a file, whose diagonal is replaced by 1 plus the sum of
 * the moduli in its row, so that the factors exist.  For each, and both libraries in turns: the median time
 * of ROUNDS factorisations of new values in a pattern that has been analysed, each until the device has
 * finished; the time of the first factorisation minus that: the analysis, in factorisations.  cuSPARSE works
 * in place: the time to copy the values to their place is not counted; csric02 gets the lower triangle.  The
 * policy of cuSPARSE is the faster one.  PSBC's time includes the comparison of patterns and the check of
 * pivots.  Also the time of 5 sweeps instead of the elimination, and, with --tune, of other choices of the
 * kernel. */
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include "ldu.h"
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "bench.h"
#include "gpu_compare.h"
#include "gpu_factor.h"
#include "matrix.h"

const char *const program = "gpu_factor";
enum { ROUNDS = 15, SWEEPS = 5 };

/* A matrix in CSRG, and its factors. */
struct job {
    struct X(mat) *a;
    struct X(factor) *f;
    struct psb_factor_options o;
    double bld; /* seconds of the first factorisation */
};

/* --- PSBC ----------------------------------------------------------------------------------------------- */

static double time_of_build(const struct job *j, struct X(factor) **f)
{
    good(psb_cuda_DeviceSync(), "device");
    const double begun = psb_wtime();
    good(X(factor_bld)(j->a, &j->o, NULL, j->a, &psb_vect_cuda, f), "factors");
    good(psb_cuda_DeviceSync(), "device");
    return psb_wtime() - begun;
}

static double time_of_renewal(const struct job *j)
{
    good(psb_cuda_DeviceSync(), "device");
    const double begun = psb_wtime();
    good(X(factor_renew)(j->f, j->a, NULL), "new values");
    good(psb_cuda_DeviceSync(), "device");
    return psb_wtime() - begun;
}

/* The median time, after a warm-up. */
static double ours(const struct job *j)
{
    double all[ROUNDS];
    for (int r = -2; r < ROUNDS; r++) {
        const double s = time_of_renewal(j);
        if (r >= 0)
            all[r] = s;
    }
    return median_of(all, ROUNDS);
}

static void tune(const struct job *j)
{
    static const int lanes[] = { 4, 8, 16, 32 }, warps[] = { 8, 16, 24, 32, 48, 64 };
    for (int l = 0; l < 4; l++) {
        printf("    lanes %2d:", lanes[l]);
        for (int w = 0; w < 6; w++) {
            psb_ldu_choice = (struct psb_ldu_choice){ lanes[l], warps[w] };
            double best = INFINITY;
            for (int r = 0; r < 4; r++)
                best = fmin(best, time_of_renewal(j));
            printf("  warps %d %.0f us", warps[w], 1e6 * best);
        }
        putchar('\n');
    }
    psb_ldu_choice = (struct psb_ldu_choice){ 0 };
}

/* Seconds of a factorisation by sweeps. */
static double sweeps(const struct job *j)
{
    struct job s = *j;
    s.o.sweeps = SWEEPS;
    time_of_build(&s, &s.f);
    const double t = ours(&s);
    X(factor_free)(s.f);
    return t;
}

/* --- cuSPARSE ------------------------------------------------------------------------------------------- */

#ifdef WITH_CUSPARSE
/* Seconds of a factorisation, and of the analysis before it. */
static double theirs(struct peer *p)
{
    double all[ROUNDS];
    for (int r = -2; r < ROUNDS; r++) {
        peer_reset(p);
        const double begun = psb_wtime();
        peer_factor(p);
        good(psb_cuda_DeviceSync(), "device");
        if (r >= 0)
            all[r] = psb_wtime() - begun;
    }
    return median_of(all, ROUNDS);
}

/* The largest relative difference of the pivots: those of csric02 are the roots of ours. */
static double difference(const struct job *j, const struct X(mat) *a, struct peer *p)
{
    T *val = peer_values(p);
    const T *inv;
    const psb_epk *irp;
    const psb_ipk *ja;
    double off = 0;
    const struct X(csr_mat) *c = (const struct X(csr_mat) *)a;
    good(X(host_read)(j->f->inv, &inv), "pivots");
    good(psb_dual_read(&c->irp, PSB_HOST, &irp), "row pointers");
    good(psb_dual_read(&c->ja, PSB_HOST, &ja), "columns");
    for (psb_ipk i = 0; i < a->nrows; i++)
        for (psb_epk k = irp[i]; k < irp[i + 1]; k++)
            if (ja[k] == i) {
                const double d = j->f->u ? val[k] : val[k] * val[k], e = fabs(d * inv[i] - 1);
                off = isnan(e) ? INFINITY : fmax(off, e);
            }
    free(val);
    return off;
}

static void compare(const struct job *j, struct X(mat) *a, double t)
{
    double best = INFINITY, analysis = 0, off = 0;
    for (int by_level = 0; by_level < 2; by_level++) {
        struct peer *p;
        const double first = peer_make(a, !j->f->u, by_level, &p), now = theirs(p);
        off = fmax(off, difference(j, a, p));
        analysis = now < best ? first : analysis;
        best = fmin(best, now);
        peer_free(p);
    }
    printf("  cuSPARSE %9.1f us  analysis %5.1f factorisations  ratio %.2f  difference %.0e", 1e6 * best,
           analysis / best, best / t, off);
    add_ratio(best, t);
    comparison.wrong += !(off < 1e4 * EPS);
}
#endif

/* csric02 gets the lower triangle. */
static void compare_with_peer(const struct job *j, double t)
{
#ifdef WITH_CUSPARSE
    struct X(mat) *lower = NULL;
    if (!psb_cuda_stream())
        return;
    if (!j->f->u) {
        good(X(mat_tril)(j->a, 0, NULL, &lower, NULL), "lower triangle");
        good(X(mat_cscnv)(&lower, &X(csrg_mold).mat), "lower triangle");
    }
    compare(j, lower ? lower : j->a, t);
    X(mat_free)(lower);
#else
    (void)j;
    (void)t;
#endif
}

/* --- a matrix ------------------------------------------------------------------------------------------- */

/* Renewals must not come to the host. */
static void check_place(const struct job *j)
{
    psb_transfers_reset();
    time_of_renewal(j);
    if (psb_transfers(NULL).get_bytes > 1000) {
        printf("  (%lld bytes to the host)", psb_transfers(NULL).get_bytes);
        comparison.wrong++;
    }
}

static void run_kind(struct X(mat) *a, enum psb_factor_kind kind, const char *name)
{
    struct job j = { .a = a, .o = psb_factor_defaults };
    j.o.kind = kind;
    j.bld = time_of_build(&j, &j.f);
    const double t = ours(&j);
    printf("%-20s %s %9d rows %10lld entries  ours %9.1f us  analysis %5.1f factorisations", name,
           psb_factor_name(kind), a->nrows, (long long)a->nnz, 1e6 * t, (j.bld - t) / t);
    check_place(&j);
    compare_with_peer(&j, t);
    printf("  %d sweeps %.1f us\n", SWEEPS, 1e6 * sweeps(&j));
    if (comparison.tunes)
        tune(&j);
    fflush(stdout);
    X(factor_free)(j.f);
}

static void run(psb_ctxt *ctxt, const char *what)
{
    struct X(mat) *a;
    char name[32];
    good(X(matrix_to_factor)(ctxt, what, &a), what);
    good(X(mat_cscnv)(&a, &X(csrg_mold).mat), what);
    good(X(mat_scal)(a, 1), what);
    matrix_name(name, sizeof name, what);
    run_kind(a, PSB_ILU0, name);
    run_kind(a, PSB_IC0, name);
    X(mat_free)(a);
}

int main(int argc, char **argv)
{
    compare_matrices(argc, argv, run, "cuSPARSE", "some factors differ, or were computed on the host");
    return EXIT_SUCCESS;
}
