/* gpu_solve.c -- test/kernel: triangular solves on a GPU with the ILU(0) factors of matrices, by PSBC
 * and by cuSPARSE's SpSV, in one run.
 *
 *     gpu_solve [--tune] MATRIX ...
 *
 * MATRIX is lap7:100 or another name of matrix.h, or a file, whose diagonal is replaced by 1 plus the sum of
 * the moduli in its row, so that the factors exist.  L is a unit lower triangle, U an upper triangle with its
 * diagonal stored.  For each, and both libraries in turns: the median time of ROUNDS rounds of BATCH solves
 * of one column in CSRG, with the analysis kept; the time of the first solve of a copy of the triangle minus
 * that of a later one, in solves: the analysis.  Then the geometric mean of the ratios.  --tune: also times
 * of other choices of the kernel. */
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include "levels.h"
#include "triangle.h"
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "bench.h"
#include "factor_inside.t.h"
#include "gpu_compare.h"
#include "gpu_solve.h"
#include "matrix.h"

const char *const program = "gpu_solve";
enum { ROUNDS = 15, BATCH = 10, COPIES = 5 };

/* A triangle on the device, and vectors. */
struct job {
    struct X(mat) *t;
    struct X(vect) *x, *y, *z; /* z: cuSPARSE's solution */
    struct peer *peer;
    double theirs; /* seconds of cuSPARSE's analysis */
};

static void solve(const struct job *j, const struct X(mat) *t)
{
    good(X(mat_vect_sv)(1, t, j->x, 0, j->y, 'N', 'U', NULL), "solve");
}

/* --- cuSPARSE ------------------------------------------------------------------------------------------- */

static void open_peer(struct job *j)
{
#ifdef WITH_CUSPARSE
    const T *x;
    T *z;
    if (!psb_cuda_stream())
        return;
    good(psb_dual_read(&j->x->v, PSB_DEV, &x), "x");
    good(psb_dual_write(&j->z->v, PSB_DEV, &z), "z");
    j->theirs = peer_make(j->t, x, z, &j->peer);
#else
    (void)j;
#endif
}

static void solve_by_peer(const struct job *j)
{
#ifdef WITH_CUSPARSE
    if (j->peer)
        peer_solve(j->peer);
#else
    (void)j;
#endif
}

static void close_peer(struct job *j)
{
#ifdef WITH_CUSPARSE
    if (j->peer)
        peer_free(j->peer);
#endif
    j->peer = NULL;
}

/* The largest difference of y and z over the largest element. */
static double difference(const struct job *j)
{
    const T *y, *z;
    double most = 0, off = 0;
    if (!j->peer)
        return 0;
    good(X(host_read)(j->y, &y), "y");
    good(X(host_read)(j->z, &z), "z");
    for (psb_ipk i = 0; i < j->t->nrows; i++) {
        most = fmax(most, ABS(z[i]));
        off = fmax(off, isnan(ABS(y[i] - z[i])) ? INFINITY : ABS(y[i] - z[i]));
    }
    return off / most;
}

/* --- times ---------------------------------------------------------------------------------------------- */

/* Seconds of a solve, the mean of BATCH. */
static double time_of(const struct job *j, int theirs)
{
    good(psb_cuda_DeviceSync(), "device");
    const double begun = psb_wtime();
    for (int b = 0; b < BATCH; b++)
        if (theirs)
            solve_by_peer(j);
        else
            solve(j, j->t);
    good(psb_cuda_DeviceSync(), "device");
    return (psb_wtime() - begun) / BATCH;
}

/* Median times of both, after a warm-up. */
static void measure(const struct job *j, double t[2])
{
    double all[2][ROUNDS];
    for (int r = -1; r < ROUNDS; r++)
        for (int w = 0; w < 2; w++) {
            const double s = time_of(j, w);
            if (r >= 0)
                all[w][r] = s;
        }
    t[0] = median_of(all[0], ROUNDS);
    t[1] = median_of(all[1], ROUNDS);
}

/* Seconds of the first solve of a copy, the median of COPIES. */
static double first_solve(const struct job *j)
{
    double all[COPIES];
    for (int c = 0; c < COPIES; c++) {
        struct X(mat) *t;
        good(X(mat_clone)(j->t, &t), "copy");
        good(psb_cuda_DeviceSync(), "device");
        const double begun = psb_wtime();
        solve(j, t);
        good(psb_cuda_DeviceSync(), "device");
        all[c] = psb_wtime() - begun;
        X(mat_free)(t);
    }
    return median_of(all, COPIES);
}

/* Times of parts of the analysis: memory, rows by level, places of columns. */
static void time_analysis(const struct job *j)
{
    const struct X(csr_mat) *c = (struct X(csr_mat) *)j->t;
    const struct psb_level_steps *k = psb_level_steps_of(j->t->on);
    const size_t n = (size_t)j->t->nrows;
    struct psb_pattern p = { .n = j->t->nrows };
    struct psb_dual d;
    double t[4];
    psb_ipk *order;
    good(psb_dual_read(&c->irp, PSB_DEV, &p.irp), "row pointers");
    good(psb_dual_read(&c->ja, PSB_DEV, &p.ja), "columns");
    good(psb_dual_init(&d, 2 * n + (size_t)j->t->nnz, sizeof *order, j->t->on, "order"), "order");
    t[0] = psb_wtime();
    good(psb_dual_write(&d, PSB_DEV, &order), "order");
    t[1] = psb_wtime();
    good(k->order(&p, j->t->is.upper, order, order + n), "order");
    good(psb_cuda_DeviceSync(), "device");
    t[2] = psb_wtime();
    good(k->rename(j->t->nnz, p.ja, order + n, order + 2 * n), "places");
    good(psb_cuda_DeviceSync(), "device");
    t[3] = psb_wtime();
    printf("    analysis: memory %.1f us, order %.1f us, places %.1f us\n", 1e6 * (t[1] - t[0]),
           1e6 * (t[2] - t[1]), 1e6 * (t[3] - t[2]));
    psb_dual_free(&d);
}

/* The best times of other choices. */
static void tune(const struct job *j)
{
    static const int rows[] = { PSB_ROWS_SHORT, PSB_ROWS_MEDIUM, PSB_ROWS_LONG },
                     warps[] = { 8, 12, 16, 32, 48 };
    static const int leads[] = { 8192, 32768, 1 << 30 };
    for (int l = 0; l < 3; l++)
        for (int w = 0; w < 5; w++) {
            printf("    rows %d, warps %2d:", rows[l], warps[w]);
            for (int d = 0; d < 3; d++) {
                double best = INFINITY;
                psb_solve_choice = (struct psb_solve_choice){ rows[l], warps[w], leads[d] };
                for (int r = 0; r < 3; r++)
                    best = fmin(best, time_of(j, 0));
                printf("  lead %d %.1f us", leads[d], 1e6 * best);
            }
            putchar('\n');
        }
    psb_solve_choice = (struct psb_solve_choice){ 0 };
}

/* --- a matrix ------------------------------------------------------------------------------------------- */

static void report(const struct job *j, const char *name, const char *which)
{
    double t[2];
    measure(j, t);
    const double first = first_solve(j), off = difference(j);
    printf("%-20s %s %9d rows %10lld entries  ours %9.1f us  analysis %5.1f solves", name, which, j->t->nrows,
           (long long)j->t->nnz, 1e6 * t[0], (first - t[0]) / t[0]);
    if (j->peer) {
        printf("  SpSV %9.1f us  analysis %5.1f solves  ratio %.2f  difference %.0e", 1e6 * t[1],
               j->theirs / t[1], t[1] / t[0], off);
        add_ratio(t[1], t[0]);
    }
    putchar('\n');
    fflush(stdout);
    comparison.wrong += !(off < 1e4 * EPS);
}

static void run_triangle(struct X(mat) *t, const char *name, const char *which)
{
    struct job j = { .t = t };
    const psb_ipk n = t->nrows;
    T *px;
    good(X(vect_new_n)(&j.x, n, 1, &psb_vect_cuda), "x");
    good(X(vect_new_n)(&j.y, n, 1, &psb_vect_cuda), "y");
    good(X(vect_new_n)(&j.z, n, 1, &psb_vect_cuda), "z");
    good(X(host_write)(j.x, &px), "x");
    for (psb_ipk i = 0; i < n; i++)
        px[i] = X(x_at)(i);
    open_peer(&j);
    report(&j, name, which);
    if (comparison.tunes) {
        time_analysis(&j);
        tune(&j);
    }
    close_peer(&j);
    X(gefree)(j.x);
    X(gefree)(j.y);
    X(gefree)(j.z);
}

static void run(psb_ctxt *ctxt, const char *what)
{
    struct X(mat) *a;
    struct X(factor) *f;
    char name[32];
    good(X(matrix_to_factor)(ctxt, what, &a), what);
    good(X(factor_bld)(a, &psb_factor_defaults, NULL, &X(csrg_mold).mat, NULL, &f), "factors");
    good(X(mat_make_nonunit)(f->u), "U");
    matrix_name(name, sizeof name, what);
    run_triangle(f->l, name, "L");
    run_triangle(f->u, name, "U");
    X(factor_free)(f);
    X(mat_free)(a);
}

int main(int argc, char **argv)
{
    compare_matrices(argc, argv, run, "SpSV", "some solutions differ");
    return EXIT_SUCCESS;
}
