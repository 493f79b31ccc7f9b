/* gpu_factor.c -- test/kernel: ILU(0), IC(0) and triangular solves on a GPU by PSBC, and by cuSPARSE's
 * csrilu02, csric02 and SpSV, in one run; --help describes it. */
#include "psb_cuda_format.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include "psb_type.h"
#include "factor_inside.t.h"
#include "bench.h"
#include "gpu_factor.h"
#include "matrix.h"

const char *const program = "gpu_factor";
static const char help[] =
    "usage: gpu_factor [--tsv FILE] MATRIX ...\n"
    "\n"
    "MATRIX is lap7:100 or another name of matrix.h, or a file, whose diagonal is replaced by 1 plus\n"
    "the sum of the moduli in its row, so that the factors exist.\n"
    "\n"
    "ILU(0), IC(0): the median time of 15 factorisations of new values in a pattern that has been\n"
    "analysed, each until the device has finished; the time of the first one minus that, in\n"
    "factorisations: the analysis. cuSPARSE works in place: the time to copy the values to their place\n"
    "is not counted; csric02 gets the lower triangle.  The policy of cuSPARSE is the faster one.\n"
    "ILU(1), ILU(0) of blocks of 2 rows: the same, of PSBC alone.\n"
    "PSBC's time includes the comparison of patterns and the check of pivots.  Also the time of 5\n"
    "sweeps instead of the elimination.\n"
    "\n"
    "L, U: solves of one column in CSRG with the factors of ILU(0), L with a unit diagonal, U with its\n"
    "diagonal stored: the median time of 15 rounds of 10 solves, both libraries in turns; the time of\n"
    "the first solve of a copy minus that, in solves: the analysis.\n";

enum { ROUNDS = 15, BATCH = 10, COPIES = 5, SWEEPS = 5, WARM = 2 };

static int wrong;

/* The ratios of times of factorisations, and of solves. */
static struct {
    int n;
    double logs;
} ratios[2];

/* Of `quantity` of a matrix; peers NAN: there is none. */
static void add_ratio(int solves, const char *name, const char *quantity, double peers, double ours)
{
    record(name, LETTER, 1, "PSBC", quantity, 1e6 * ours, "us");
    if (isnan(peers))
        return;
    record(name, LETTER, 1, "cuSPARSE", quantity, 1e6 * peers, "us");
    ratios[solves].logs += log(peers / ours);
    ratios[solves].n++;
}

/* --- factors -------------------------------------------------------------------------------------------- */

/* A matrix in CSRG, and its factors. */
struct job {
    struct X(mat) *a;
    struct X(factor) *f;
    struct psb_factor_options o;
};

static double time_of_build(struct job *j)
{
    const double begun = now();
    good(X(factor_bld)(j->a, &j->o, NULL, j->a, &psb_vect_cuda, &j->f), "factors");
    return now() - begun;
}

static void renew(void *arg)
{
    const struct job *j = arg;
    good(X(factor_renew)(j->f, j->a, NULL), "new values");
}

/* Seconds of a factorisation by sweeps. */
static double sweeps(const struct job *j)
{
    struct job s = *j;
    s.o.sweeps = SWEEPS;
    time_of_build(&s);
    const double t = median_time(WARM, ROUNDS, renew, &s);
    X(factor_free)(s.f);
    return t;
}

#ifdef WITH_CUSPARSE
static double time_of_peer(struct peer *p)
{
    double all[ROUNDS];
    for (int r = -WARM; r < ROUNDS; r++) {
        peer_reset(p);
        const double begun = psb_wtime();
        peer_run(p);
        const double t = now() - begun;
        if (r >= 0)
            all[r] = t;
    }
    return median_of(all, ROUNDS);
}

/* The largest relative difference of the pivots: those of csric02 are the roots of ours. */
static double difference_of_pivots(const struct job *j, const struct X(mat) *a, struct peer *p)
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

/* Returns the seconds of its factorisation. */
static double compare_factors(const struct job *j, struct X(mat) *a, double t)
{
    double best = INFINITY, analysis = 0, off = 0;
    for (int by_level = 0; by_level < 2; by_level++) {
        struct peer *p;
        const double first = peer_make(j->f->u ? PEER_ILU : PEER_IC, a, by_level, NULL, NULL, &p);
        const double time = time_of_peer(p);
        off = fmax(off, difference_of_pivots(j, a, p));
        analysis = time < best ? first : analysis;
        best = fmin(best, time);
        peer_free(p);
    }
    printf("  cuSPARSE %9.1f us  analysis %5.1f factorisations  ratio %.2f  difference %.0e", 1e6 * best,
           analysis / best, best / t, off);
    wrong += !(off < 1e4 * EPS);
    return best;
}
#endif

/* Returns the seconds of cuSPARSE; NAN: it is not there.  csric02 gets the lower triangle. */
static double compare_with_peer(const struct job *j, double t)
{
#ifdef WITH_CUSPARSE
    struct X(mat) *lower = NULL;
    if (!psb_cuda_stream())
        return NAN;
    if (!j->f->u) {
        good(X(mat_tril)(j->a, 0, NULL, &lower, NULL), "lower triangle");
        good(X(mat_cscnv)(&lower, &X(csrg_mold).mat), "lower triangle");
    }
    const double theirs = compare_factors(j, lower ? lower : j->a, t);
    X(mat_free)(lower);
    return theirs;
#else
    (void)j;
    (void)t;
    return NAN;
#endif
}

/* Renewals must not come to the host. */
static void check_place(struct job *j)
{
    psb_transfers_reset();
    renew(j);
    good(psb_cuda_DeviceSync(), "device");
    if (psb_transfers(NULL).get_bytes > 1000) {
        printf("  (%lld bytes to the host)", psb_transfers(NULL).get_bytes);
        wrong++;
    }
}

static void run_factors(struct X(mat) *a, enum psb_factor_kind kind, const char *name)
{
    struct job j = { .a = a, .o = psb_factor_defaults };
    j.o.kind = kind;
    j.o.fill = kind == PSB_ILUK;
    const double first = time_of_build(&j), t = median_time(WARM, ROUNDS, renew, &j);
    printf("%-20s %s %9d rows %10lld entries  ours %9.1f us  analysis %5.1f factorisations", name,
           psb_factor_name(kind), a->nrows, (long long)a->nnz, 1e6 * t, (first - t) / t);
    check_place(&j);
    add_ratio(0, name, psb_factor_name(kind),
              kind == PSB_ILU0 || kind == PSB_IC0 ? compare_with_peer(&j, t) : NAN, t);
    printf("  %d sweeps %.1f us\n", SWEEPS, 1e6 * sweeps(&j));
    fflush(stdout);
    X(factor_free)(j.f);
}

/* --- solves --------------------------------------------------------------------------------------------- */

/* A triangle on the device, and vectors. */
struct triangle {
    struct X(mat) *t;
    struct X(vect) *x, *y, *z; /* z: cuSPARSE's solution */
    struct peer *peer;
    double analysis; /* seconds of cuSPARSE's */
};

static void solve_by_peer(const struct triangle *j)
{
#ifdef WITH_CUSPARSE
    if (j->peer)
        peer_run(j->peer);
#else
    (void)j;
#endif
}

static void open_peer(struct triangle *j)
{
#ifdef WITH_CUSPARSE
    const T *x;
    T *z;
    if (!psb_cuda_stream())
        return;
    good(psb_dual_read(&j->x->v, PSB_DEV, &x), "x");
    good(psb_dual_write(&j->z->v, PSB_DEV, &z), "z");
    j->analysis = peer_make(PEER_SOLVE, j->t, 0, x, z, &j->peer);
#else
    (void)j;
#endif
}

/* Of y and z. */
static double difference(const struct triangle *j)
{
    const T *y, *z;
    if (!j->peer)
        return 0;
    good(X(host_read)(j->y, &y), "y");
    good(X(host_read)(j->z, &z), "z");
    return X(difference)(j->t->nrows, z, y);
}

/* Median seconds of a solve, ours and cuSPARSE's. */
static void measure(const struct triangle *j, double t[2])
{
    double all[2][ROUNDS];
    for (int r = -1; r < ROUNDS; r++)
        for (int theirs = 0; theirs < 2; theirs++) {
            const double begun = now();
            for (int b = 0; b < BATCH; b++)
                if (theirs)
                    solve_by_peer(j);
                else
                    good(X(mat_vect_sv)(1, j->t, j->x, 0, j->y, 'N', 'U', NULL), "solve");
            const double s = (now() - begun) / BATCH;
            if (r >= 0)
                all[theirs][r] = s;
        }
    t[0] = median_of(all[0], ROUNDS);
    t[1] = median_of(all[1], ROUNDS);
}

/* Seconds of the first solve of a copy, the median of COPIES. */
static double first_solve(const struct triangle *j)
{
    double all[COPIES];
    for (int c = 0; c < COPIES; c++) {
        struct X(mat) *t;
        good(X(mat_clone)(j->t, &t), "copy");
        const double begun = now();
        good(X(mat_vect_sv)(1, t, j->x, 0, j->y, 'N', 'U', NULL), "solve");
        all[c] = now() - begun;
        X(mat_free)(t);
    }
    return median_of(all, COPIES);
}

static void report(const struct triangle *j, const char *name, const char *which)
{
    double t[2];
    measure(j, t);
    const double first = first_solve(j), off = difference(j);
    printf("%-20s %s %9d rows %10lld entries  ours %9.1f us  analysis %5.1f solves", name, which, j->t->nrows,
           (long long)j->t->nnz, 1e6 * t[0], (first - t[0]) / t[0]);
    if (j->peer) {
        printf("  SpSV %9.1f us  analysis %5.1f solves  ratio %.2f  difference %.0e", 1e6 * t[1],
               j->analysis / t[1], t[1] / t[0], off);
    }
    add_ratio(1, name, *which == 'L' ? "L: solve" : "U: solve", j->peer ? t[1] : NAN, t[0]);
    putchar('\n');
    fflush(stdout);
    wrong += !(off < 1e4 * EPS);
}

static void run_triangle(struct X(mat) *t, const char *name, const char *which)
{
    struct triangle j = { .t = t };
    struct X(vect) **const v[] = { &j.x, &j.y, &j.z };
    T *x;
    for (int i = 0; i < 3; i++)
        good(X(vect_new_n)(v[i], t->nrows, 1, &psb_vect_cuda), "vector");
    good(X(host_write)(j.x, &x), "x");
    for (psb_ipk i = 0; i < t->nrows; i++)
        x[i] = X(x_at)(i);
    open_peer(&j);
    report(&j, name, which);
#ifdef WITH_CUSPARSE
    if (j.peer)
        peer_free(j.peer);
#endif
    for (int i = 0; i < 3; i++)
        X(gefree)(*v[i]);
}

/* --- the program ---------------------------------------------------------------------------------------- */

static void run(psb_ctxt *ctxt, const char *what)
{
    struct X(mat) *a;
    struct X(factor) *f;
    char name[32];
    matrix_name(name, sizeof name, what);
    good(X(matrix_to_factor)(ctxt, what, &a), what);
    good(X(factor_bld)(a, &psb_factor_defaults, NULL, &X(csrg_mold).mat, NULL, &f), "factors");
    good(X(mat_make_nonunit)(f->u), "U");
    good(X(mat_cscnv)(&a, &X(csrg_mold).mat), what);
    good(X(mat_scal)(a, 1), what);
    run_factors(a, PSB_ILU0, name);
    run_factors(a, PSB_IC0, name);
    run_factors(a, PSB_ILUK, name);
    run_factors(a, PSB_BILU0, name);
    run_triangle(f->l, name, "L");
    run_triangle(f->u, name, "U");
    X(factor_free)(f);
    X(mat_free)(a);
}

int main(int argc, char **argv)
{
    static const struct flag table[] = { { 0 } };
    static const char *const of[] = { "factorisations", "solves" };
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i]);
    for (int k = 0; k < 2; k++)
        if (ratios[k].n > 0)
            printf("geometric mean of cuSPARSE over ours, %s: %.2f\n", of[k],
                   exp(ratios[k].logs / ratios[k].n));
    finish(ctxt);
    if (wrong > 0)
        stop("results", "some factors or solutions differ, or factors were computed on the host");
    return EXIT_SUCCESS;
}
