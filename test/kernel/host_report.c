/* host_report.c -- test/kernel: the results of host_spmv: a table, and one row for each in a file. */
#include "psb_base.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "host_spmv.h"

/* The figures of a runner. */
struct line {
    double t, share, transposed,
        many; /* seconds; share of the limit; T/N; 8 products over one with 8 columns */
};

static struct line line_of(const struct runner *r, const struct problem *p, int team, double bandwidth)
{
    const double bytes = r->bytes + sizeof(T) * ((double)p->m + (double)p->n);
    struct line l = { X(typical)(r->t[team][ONE]), NAN, NAN, NAN };
    l.share = bytes / bandwidth / l.t;
    if (X(team_runs)(r, team, TRANSPOSED))
        l.transposed = X(typical)(r->t[team][TRANSPOSED]) / l.t;
    if (X(team_runs)(r, team, MANY))
        l.many = COLUMNS * l.t / X(typical)(r->t[team][MANY]);
    return l;
}

static int is_peer(const struct runner *r)
{
    return strcmp(r->kind->whose, "PETSc") == 0 || strcmp(r->kind->whose, "LIBRSB") == 0;
}

static double best_peer(const struct field *f, int team)
{
    double best = NAN; /* fmin prefers a number to NAN */
    for (int k = 0; k < f->n; k++)
        if (is_peer(&f->r[k]) && X(team_runs)(&f->r[k], team, ONE))
            best = fmin(best, X(typical)(f->r[k].t[team][ONE]));
    return best;
}

static void print_row(const struct runner *r, const struct line *l, double peer)
{
    printf("%-12s %9.4f %7.2f %8.2f %6.2f %6.2f %8.1f %8.1f %9.2f %7.2g\n", r->name, 1e3 * l->t, l->share,
           peer / l->t, l->transposed, l->many, r->convert / r->unit, r->tune / r->unit, 1e-6 * r->bytes,
           r->error);
}

static void file(FILE *to, const struct problem *p, int team, double bandwidth, const struct runner *r,
                 const struct line *l)
{
    fprintf(to, "%s\t%c\t%d\t%d\t%lld\t%lld\t%lld\t%.4g\t%s\t%s\t%.6g\t%.4g\t%.4g\t%.4g", p->name, LETTER,
            p->np, opt.team[team], (long long)p->m, (long long)p->n, (long long)p->nnz, 1e-9 * bandwidth,
            r->name, r->kind->whose, 1e3 * l->t, l->share, l->transposed, l->many);
    fprintf(to, "\t%.4g\t%.4g\t%.4g\t%.4g\t%.6g\t%.3g\n", 1e3 * r->convert, r->convert / r->unit,
            1e3 * r->tune, r->tune / r->unit, 1e-6 * r->bytes, r->error);
}

void X(host_report)(const struct field *f, const struct problem *p, int team)
{
    const double bandwidth = median_of(f->triad[team], opt.rounds), peer = best_peer(f, team);
    if (p->me != 0)
        return;
    printf("\n%s: %lld by %lld, %lld entries, type %c; %d process%s, %d thread%s; triad %.1f GB/s\n", p->name,
           (long long)p->m, (long long)p->n, (long long)p->nnz, LETTER, p->np, p->np > 1 ? "es" : "",
           opt.team[team], opt.team[team] > 1 ? "s" : "", 1e-9 * bandwidth);
    printf("%-12s %9s %7s %8s %6s %6s %8s %8s %9s %7s\n", "format", "ms", "limit", "x peers", "T/N", "8 col",
           "convert", "tune", "MB", "error");
    for (int k = 0; k < f->n; k++) {
        const struct runner *r = &f->r[k];
        if (!X(team_runs)(r, team, ONE))
            continue;
        const struct line l = line_of(r, p, team, bandwidth);
        print_row(r, &l, peer);
        if (opt.tsv)
            file(opt.tsv, p, team, bandwidth, r, &l);
    }
    fflush(stdout);
}
