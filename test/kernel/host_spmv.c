/* host_spmv.c -- test/kernel: y = A x on the host: all formats, PETSc, LIBRSB, and the bandwidth of
 * this machine, all measured in one run; --help says how. */
#include "psb_ext_format.h"
#include "psb_rsb_format.h"
#include "coll.h"
#include "psb_team.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "spmv.h"

enum { TRIAD = 1 << 23 };

/* --- our formats on one process --- */

static psb_err make(const struct problem *p, struct runner *r)
{
    struct X(mat) *a;
    double begun = psb_wtime();
    PSB_TRY(X(mat_convert)(&p->a->mat, r->how, &a));
    r->convert = psb_wtime() - begun;
    r->bytes = (double)X(mat_bytes)(a);
    r->a = a;
    return PSB_OK;
}

static psb_err product(const struct problem *p, void *a, enum way w)
{
    if (w == MANY)
        return X(mat_csmm)(1, a, COLUMNS, p->x, 0, p->y, 'N');
    return X(mat_csmv)(1, a, p->x, 0, p->y, w == ONE ? 'N' : 'T');
}

static void release(void *a)
{
    X(mat_free)(a);
}

static const struct kind ours = { "ours", 7, false, make, product, release };
static const struct kind chooser = { "AUTO", 7, false, make, product, release };
/* LIBRSB, called through our format, is not counted as ours. */
static const struct kind rsb = { "RSB", 7, false, make, product, release };

/* --- our formats on several processes --- */

static psb_desc *row, *col; /* the same if the matrix is square */
static struct X(spmat) *csr;

static psb_err make_spread(const struct problem *p, struct runner *r)
{
    struct X(spmat) *a;
    PSB_TRY(X(sp_clone)(csr, &a));
    psb_err e = X(spcnv)(a, r->how);
    if (e != PSB_OK) {
        X(spfree)(a);
        return e;
    }
    r->bytes = (double)X(sp_bytes)(a);
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, &r->bytes, 1, MPI_DOUBLE, MPI_SUM, psb_comm_of(p->ctxt)));
    r->a = a;
    return PSB_OK;
}

static psb_err product_spread(const struct problem *p, void *a, enum way w)
{
    (void)w;
    return X(spmv)(1, a, p->vx, 0, p->vy, 'N');
}

static void release_spread(void *a)
{
    X(spfree)(a);
}

static const struct kind spread = { "ours", 1U << ONE, true, make_spread, product_spread, release_spread };

static void assemble(struct problem *p)
{
    const struct X(coo_mat) *a = p->a;
    good(psb_cdall_nl(&row, p->ctxt, p->rows), "rows");
    col = row;
    if (p->m != p->n)
        good(psb_cdall_nl(&col, p->ctxt, p->cols), "columns");
    good(X(spall2)(&csr, row, col, a->mat.nnz), "matrix");
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        const psb_lpk i = p->row0 + a->ia[k], j = a->ja[k];
        good(X(spins)(1, &i, &j, &a->val[k], csr), "entries");
    }
    good(psb_cdasb(row), "rows");
    if (col != row)
        good(psb_cdasb(col), "columns");
    good(X(spasb)(csr, &X(csr_mold).mat, PSB_DUPL_ADD), "matrix");
    good(X(vects_like)(csr, &p->vx, &p->vy), "vectors");
    good(X(set_vect)(p->vx, p->cols, p->x), "x");
}

static void free_spread(void)
{
    X(spfree)(csr);
    if (col != row)
        psb_cdfree(col);
    psb_cdfree(row);
}

static void enter_one(struct field *f, const struct problem *p, const struct kind *kind,
                      const struct X(mat) *mold)
{
    struct runner r = { .kind = p->np > 1 ? &spread : kind, .how = mold };
    snprintf(r.name, sizeof r.name, "%s", mold->ops->fmt);
    X(enter)(f, p, f->n > 0 ? opt.formats : NULL, r);
}

/* CSR is first. */
static void enter_ours(struct field *f, const struct problem *p)
{
    static struct X(rsb_mat) threaded;
    const struct X(mat) *mold;
    threaded = X(rsb_mold);
    threaded.threads = 0;
    enter_one(f, p, &ours, &X(csr_mold).mat);
    for (int i = 0; (mold = X(mat_format)(i)); i++)
        if (strcmp(mold->ops->fmt, "RSB") == 0 && p->np == 1)
            enter_one(f, p, &rsb, &threaded.mat);
        else if (strcmp(mold->ops->fmt, "RSB") != 0 && strcmp(mold->ops->fmt, "CSR") != 0)
            enter_one(f, p, &ours, mold);
    enter_one(f, p, &chooser, &X(auto_mold).mat);
    if (p->np == 1)
        enter_one(f, p, &chooser, &X(tuned_mold).mat);
}

/* --- times --- */

/* Least seconds of a measurement; where the least counts, short ones escape other work of the machine. */
static double long_enough(void)
{
    return opt.least ? 0.002 : 0.02;
}

/* Returns the seconds of one of n products, after one that is not counted, on the slowest process. */
static double time_of(const struct problem *p, const struct runner *r, enum way w, int n)
{
    good(r->kind->product(p, r->a, w), r->name);
    good(psb_barrier(p->ctxt), r->name);
    double begun = psb_wtime();
    for (int i = 0; i < n; i++)
        good(r->kind->product(p, r->a, w), r->name);
    return slowest(p->ctxt, psb_wtime() - begun) / n;
}

/* Returns how many products last long_enough(). */
static int repetitions(const struct problem *p, const struct runner *r, enum way w)
{
    double t = 0;
    int n = 1;
    while ((t = time_of(p, r, w, n)) * n < long_enough() / 4 && n < 1 << 20)
        n *= 2;
    return (int)fmax(1, ceil(long_enough() / t));
}

static double *triad; /* three arrays */

static void triad_part(void *job, int t, int p)
{
    const psb_epk from = (psb_epk)TRIAD * t / p, to = (psb_epk)TRIAD * (t + 1) / p;
    double *restrict a = triad;
    const double *b = triad + TRIAD, *c = triad + 2 * TRIAD;
    (void)job;
    for (psb_epk i = from; i < to; i++)
        a[i] = b[i] + 3 * c[i];
}

/* Returns the bytes per second of all processes together. */
static double triad_bandwidth(const struct problem *p, int threads)
{
    if (!triad)
        good(psb_alloc_zero(&triad, 3 * (size_t)TRIAD, sizeof *triad, "triad"), "triad");
    good(psb_barrier(p->ctxt), "triad");
    double begun = psb_wtime();
    psb_team(threads, triad_part, NULL);
    return 24.0 * TRIAD * p->np / slowest(p->ctxt, psb_wtime() - begun);
}

static void measure(struct field *f, const struct problem *p)
{
    for (int i = 0; i < opt.rounds; i++)
        for (int t = 0; t < opt.nteams; t++) {
            X(use_threads)(opt.team[t]);
            triad_bandwidth(p, opt.team[t]);
            f->bandwidth[t][i] = triad_bandwidth(p, opt.team[t]);
            for (struct runner *r = f->r; r < f->r + f->n; r++)
                for (enum way w = ONE; w < WAYS; w++) {
                    if (!X(takes_part)(r, t, w))
                        continue;
                    if (i == 0)
                        r->reps[t][w] = repetitions(p, r, w);
                    r->t[t][w][i] = time_of(p, r, w, r->reps[t][w]);
                }
        }
}

/* --- the table --- */

static void print_row(const struct runner *r, const struct problem *p, int team, double peer, double csr,
                      double bandwidth)
{
    const double t = X(seconds)(r, team, ONE);
    const double transposed = X(takes_part)(r, team, TRANSPOSED) ? X(seconds)(r, team, TRANSPOSED) / t : NAN;
    const double many = X(takes_part)(r, team, MANY) ? COLUMNS * t / X(seconds)(r, team, MANY) : NAN;
    printf("%-12s %9.4f %7.2f %8.2f %6.2f %6.2f %8.1f %8.1f %9.2f %7.2g\n", r->name, 1e3 * t,
           X(bytes_moved)(p, r) / bandwidth / t, peer / t, transposed, many, r->convert / csr, r->tune / csr,
           1e-6 * r->bytes, r->error);
}

static void report(const struct field *f, const struct problem *p, int team)
{
    const double bandwidth = median_of(f->bandwidth[team], opt.rounds), csr = X(seconds)(&f->r[0], team, ONE);
    const struct runner *petsc = X(best)(f, "PETSc", team), *librsb = X(best)(f, "LIBRSB", team);
    const double peer = fmin(petsc ? X(seconds)(petsc, team, ONE) : NAN,
                             librsb ? X(seconds)(librsb, team, ONE) : NAN);
    if (p->me != 0)
        return;
    printf("\n%s: %lld by %lld, %lld entries, type %c; %d process%s, %d thread%s; triad %.1f GB/s\n", p->name,
           (long long)p->m, (long long)p->n, (long long)p->nnz, LETTER, p->np, p->np > 1 ? "es" : "",
           opt.team[team], opt.team[team] > 1 ? "s" : "", 1e-9 * bandwidth);
    printf("%-12s %9s %7s %8s %6s %6s %8s %8s %9s %7s\n", "format", "ms", "limit", "x peers", "T/N", "8 col",
           "convert", "tune", "MB", "error");
    for (const struct runner *r = f->r; r < f->r + f->n; r++)
        if (*r->refused)
            printf("%-12s refused: %s\n", r->name, r->refused);
        else if (X(takes_part)(r, team, ONE))
            print_row(r, p, team, peer, csr, bandwidth);
    fflush(stdout);
    X(spmv_record)(f, p, team);
}

/* --- the program --- */

/* Returns the number of wrong results. */
static int run(psb_ctxt *ctxt, const char *what)
{
    static struct field f;
    struct problem p;
    good(X(spmv_load)(&p, ctxt, what), what);
    if (p.np > 1) {
        assemble(&p);
    } else {
        good(X(right_make)(&p.right[TRANSPOSED], p.a, 1, 'T'), what);
        good(X(right_make)(&p.right[MANY], p.a, COLUMNS, 'N'), what);
    }
    enter_ours(&f, &p);
#ifdef WITH_PETSC
    X(enter_petsc)(&f, &p);
#endif
#ifdef WITH_RSB
    X(enter_rsb)(&f, &p);
#endif
    measure(&f, &p);
    int wrong = X(check)(&f, &p);
    for (int t = 0; t < opt.nteams; t++)
        report(&f, &p, t);
    X(leave)(&f);
    if (p.np > 1)
        free_spread();
    X(spmv_unload)(&p);
    return wrong;
}

int X(host_spmv)(int argc, char **argv)
{
    int wrong = 0, np, most = 1;
    host_read_options(argc, argv);
    psb_ctxt *ctxt = start(false);
    psb_info(ctxt, NULL, &np);
    opt.only |= np > 1;
    opt.tries = opt.only ? 1 : 3;
    for (int t = 0; t < opt.nteams; t++)
        most = opt.team[t] > most ? opt.team[t] : most;
    X(use_threads)(most);
    good(psb_rsb_init(), "formats");
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    psb_rsb_exit();
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
