/* host_spmv.c -- room: test/kernel.  y = A x on the host: our formats beside each other, beside PETSc's, and
 * beside the bandwidth of this machine, all measured in one run.
 *
 *     host_spmv_d MATRIX...      double;  host_spmv_s: single, without PETSc
 *
 * MATRIX is a Matrix Market file or what psb_gen_parse understands: lap7:100.  Threads: OMP_NUM_THREADS.
 *
 * Every format takes its turn in each of ROUNDS rounds, for at least 20 ms; a time is the median of its
 * rounds, a ratio that of medians.  Columns: milliseconds of a product; the share of the limit, which is what
 * the format's arrays, x and y take in bytes over the bandwidth of a triad (24 bytes an element) of this run;
 * times as fast as the best of PETSc; transposed over untransposed; 8 products over one with 8 columns;
 * conversion from sorted triplets over a product of our CSR; bytes.  Formats that would pad too much are left
 * out. */
#include "psb_ext.h"
#include "psb_team.h"
#include "psb_util.h"
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "peers.h"

enum { ROUNDS = 7, MOST = 40, COLUMNS = 8, TRIAD = 1 << 23 };

/* What takes part. */
struct runner {
    const char *name;
    struct X(mat) *a;        /* ours, or */
    const struct peer *peer; /* another's */
    void *theirs;
    double bytes, convert, n[ROUNDS], t[ROUNDS], many[ROUNDS];
};

static struct runner all[MOST];
static int nall;
static T *x, *y, *right; /* room for COLUMNS columns; what CSR says */

static void stop(const char *what)
{
    fprintf(stderr, "host_spmv: %s: %s\n", what, psb_errmsg());
    exit(EXIT_FAILURE);
}

static void psb(psb_err e, const char *what)
{
    if (e != PSB_OK)
        stop(what);
}

/* --- products ------------------------------------------------------------------------------------------ */

static void multiply(const struct runner *r, char trans, int columns)
{
    if (r->peer)
        r->peer->product(r->theirs, x, y, trans);
    else if (columns > 1)
        psb(X(mat_csmm)(1, r->a, columns, x, 0, y, trans), r->name);
    else
        psb(X(mat_csmv)(1, r->a, x, 0, y, trans), r->name);
}

/* Seconds of one, of so many that they take 20 ms. */
static double time_of(const struct runner *r, char trans, int columns)
{
    double begun, seconds = 0;
    int n = 0;
    multiply(r, trans, columns);
    for (begun = psb_wtime(); seconds < 0.02; seconds = psb_wtime() - begun, n++)
        multiply(r, trans, columns);
    return seconds / n;
}

static int by_value(const void *a, const void *b)
{
    double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

static double median(const double *of)
{
    double t[ROUNDS];
    memcpy(t, of, sizeof t);
    qsort(t, ROUNDS, sizeof *t, by_value);
    return t[ROUNDS / 2];
}

/* --- the machine --------------------------------------------------------------------------------------- */

struct triad {
    double *a, *b, *c;
};

static void triad_part(void *job, int t, int p)
{
    const struct triad *q = job;
    const psb_epk each = TRIAD / p;
    double *restrict a = q->a;
    for (psb_epk i = t * each; i < (t + 1) * each; i++)
        a[i] = q->b[i] + 3 * q->c[i];
}

static double triad_bandwidth(void)
{
    struct triad q;
    double *arrays, t[ROUNDS];
    psb(psb_alloc_zero(&arrays, 3 * (size_t)TRIAD, sizeof *arrays, "triad"), "triad");
    q = (struct triad){ arrays, arrays + TRIAD, arrays + 2 * TRIAD };
    for (int i = -1; i < ROUNDS; i++) {
        double begun = psb_wtime();
        psb_team(psb_threads(TRIAD), triad_part, &q);
        if (i >= 0)
            t[i] = psb_wtime() - begun;
    }
    psb_free(arrays);
    return 24.0 * TRIAD / median(t);
}

/* --- the matrix ---------------------------------------------------------------------------------------- */

static struct X(mat) *load(psb_ctxt *ctxt, const char *what)
{
    struct psb_gen g;
    struct X(triplets) t;
    struct X(mat) *a;
    psb_desc *rows;
    if (!strchr(what, '/') && strchr(what, ':')) {
        psb(psb_gen_parse(what, &g), what);
        psb(psb_cdall_nl(&rows, ctxt, (psb_ipk)g.m), what);
        psb(X(generate)(&g, rows, NULL, NULL, &t), what);
        psb_cdfree(rows);
    } else {
        psb(X(mm_read)(what, NULL, NULL, &t), what);
    }
    psb(X(mat_new)(&X(coo_mold).mat, (psb_ipk)t.m, (psb_ipk)t.n, 0, &a), what);
    struct X(coo_mat) *coo = (struct X(coo_mat) *)a;
    psb(X(coo_reserve)(coo, t.nnz), what);
    for (psb_epk k = 0; k < t.nnz; k++) {
        coo->ia[k] = (psb_ipk)t.ia[k];
        coo->ja[k] = (psb_ipk)t.ja[k];
        coo->val[k] = t.val[k];
    }
    a->nnz = t.nnz;
    psb(X(coo_fix)(coo, PSB_DUPL_ADD), what);
    X(triplets_free)(&t);
    return a;
}

/* --- who takes part ------------------------------------------------------------------------------------ */

static void add_ours(struct X(mat) *source, const struct X(mat) *mold)
{
    struct runner *r = &all[nall];
    *r = (struct runner){ .name = mold->ops->fmt, .convert = INFINITY };
    for (int i = 0; i < 3; i++) {
        double begun = psb_wtime();
        psb_err e = X(mat_convert)(source, mold, &r->a);
        double took = psb_wtime() - begun;
        if (e != PSB_OK) {
            printf("%-12s %s\n", r->name, psb_errmsg());
            return;
        }
        r->convert = took < r->convert ? took : r->convert;
        if (i < 2)
            X(mat_free)(r->a);
    }
    r->bytes = (double)X(mat_bytes)(r->a);
    nall++;
}

static void add_peer(struct X(mat) *csr, const struct peer *peer)
{
    struct runner *r = &all[nall];
    struct X(lines) l;
    struct X(mat) *made;
    *r = (struct runner){ .name = peer->name, .peer = peer };
    psb(X(csr_view)(csr, &l, &made), peer->name);
    double begun = psb_wtime();
    psb(peer->make(&l, &r->theirs), peer->name);
    r->convert = psb_wtime() - begun;
    nall++;
}

static const struct runner *named(const char *name)
{
    for (int i = 0; i < nall; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

static void enter(struct X(mat) *source)
{
    const struct X(mat) *mold;
    nall = 0;
    for (int i = 0; (mold = X(mat_format)(i)) && nall < MOST; i++)
        add_ours(source, mold);
#ifdef WITH_PETSC
    for (int i = 0; X(petsc_peers)[i] && nall < MOST; i++)
        add_peer(named("CSR")->a, X(petsc_peers)[i]);
#else
    (void)add_peer;
#endif
}

static void leave(void)
{
    for (int i = 0; i < nall; i++)
        if (all[i].peer)
            all[i].peer->free(all[i].theirs);
        else
            X(mat_free)(all[i].a);
}

/* --- the table ----------------------------------------------------------------------------------------- */

static double worst_of(psb_ipk m)
{
    double worst = 0, most = 0;
    for (psb_ipk i = 0; i < m; i++) {
        worst = fmax(worst, (double)ABS(y[i] - right[i]));
        most = fmax(most, (double)ABS(right[i]));
    }
    return most > 0 ? worst / most : worst;
}

static void rounds(void)
{
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < nall; k++) {
            struct runner *r = &all[k];
            r->n[i] = time_of(r, 'N', 1);
            r->t[i] = time_of(r, 'T', 1);
            r->many[i] = r->peer ? NAN : time_of(r, 'N', COLUMNS);
        }
}

/* Returns the best of ours over the best of PETSc. */
static double report(const struct X(mat) *a, double bandwidth)
{
    double theirs = INFINITY, ours = INFINITY, csr = median(named("CSR")->n);
    for (int k = 0; k < nall; k++) {
        double *best = all[k].peer ? &theirs : &ours;
        *best = fmin(*best, median(all[k].n));
    }
    printf("%-12s %9s %7s %9s %6s %6s %8s %10s %9s\n", "format", "ms", "limit", "x PETSc", "T/N", "8 col",
           "convert", "MB", "error");
    for (int k = 0; k < nall; k++) {
        const struct runner *r = &all[k];
        double t = median(r->n), bytes = r->bytes + sizeof(T) * ((double)a->nrows + a->ncols);
        multiply(r, 'N', 1);
        printf("%-12s %9.4f %7.2f %9.2f %6.2f %6.2f %8.1f %10.2f %9.2g\n", r->name, 1e3 * t,
               r->peer ? NAN : bytes / bandwidth / t, theirs / t, median(r->t) / t,
               COLUMNS * t / median(r->many), r->convert / csr, 1e-6 * r->bytes, worst_of(a->nrows));
    }
    return theirs / ours;
}

static double run(psb_ctxt *ctxt, const char *what)
{
    struct X(mat) *a = load(ctxt, what);
    size_t most = (size_t)(a->nrows > a->ncols ? a->nrows : a->ncols);
    double bandwidth = triad_bandwidth();
    printf("\n%s: %d by %d, %lld entries; %d threads, triad %.1f GB/s\n", what, a->nrows, a->ncols,
           (long long)a->nnz, psb_threads(INT64_MAX), 1e-9 * bandwidth);
    psb(psb_alloc(&x, most * COLUMNS, sizeof *x, "x"), what);
    psb(psb_alloc_zero(&y, most * COLUMNS, sizeof *y, "y"), what);
    psb(psb_alloc_zero(&right, most, sizeof *right, "y"), what);
    for (size_t i = 0; i < most * COLUMNS; i++)
        x[i] = (T)(1 + (double)(i % 17) / 16);
    enter(a);
    psb(X(mat_csmv)(1, named("CSR")->a, x, 0, right, 'N'), what);
    rounds();
    double ratio = report(a, bandwidth);
    leave();
    psb_free(x);
    psb_free(y);
    psb_free(right);
    X(mat_free)(a);
    return ratio;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    double sum = 0;
    psb(psb_init(&ctxt), "MPI");
    psb(psb_ext_init(), "formats");
    for (int i = 1; i < argc; i++)
        sum += log(run(ctxt, argv[i]));
    if (argc > 2)
        printf("\nbest of ours over the best of PETSc, geometric mean of %d matrices: %.3f\n", argc - 1,
               exp(sum / (argc - 1)));
    psb_exit(ctxt);
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
