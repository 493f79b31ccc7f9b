/* host_measure.c -- test/kernel: the list of runners, their times, and the bandwidth of the
 * machine. */
#include "psb_base.h"
#include "psb_team.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "host_spmv.h"

enum { TRIAD = 1 << 23, TRIES = 3 };

/* Least seconds of a measurement; where the least counts, short ones escape other work of the machine. */
static double long_enough(void)
{
    return opt.least ? 0.002 : 0.02;
}

void X(use_threads)(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
    /* LIBRSB uses the number of threads at its start, whatever it is told */
    omp_set_max_active_levels(n > 1);
#else
    (void)n;
#endif
}

/* --- times --- */

/* Returns the seconds of one of n products, after one that is not counted, on the slowest process. */
static double seconds(const struct problem *p, const struct runner *r, enum way w, int n)
{
    r->kind->product(p, r->a, w);
    good(psb_barrier(p->ctxt), r->name);
    double begun = psb_wtime();
    for (int i = 0; i < n; i++)
        r->kind->product(p, r->a, w);
    double t = psb_wtime() - begun;
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(p->ctxt));
    return t / n;
}

/* Returns how many products last LONG_ENOUGH. */
static int repetitions(const struct problem *p, const struct runner *r, enum way w)
{
    double t = 0;
    int n = 1;
    while ((t = seconds(p, r, w, n)) * n < long_enough() / 4 && n < 1 << 20)
        n *= 2;
    return (int)fmax(1, ceil(long_enough() / t));
}

double X(typical)(const double *of)
{
    double least = of[0];
    for (int i = 1; i < opt.rounds; i++)
        least = fmin(least, of[i]);
    return opt.least ? least : median_of(of, opt.rounds);
}

/* --- the machine --- */

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
    double t = psb_wtime() - begun;
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(p->ctxt));
    return 24.0 * TRIAD * p->np / t;
}

/* --- runners --- */

/* Make r once; returns 0 if it refuses this matrix. */
static int make_runner(const struct problem *p, struct runner *r)
{
    psb_err e = r->kind->make(p, r);
    if (e != PSB_EPADDING && e != PSB_ENOTIMPL)
        good(e, r->name);
    if (e != PSB_OK && p->me == 0)
        printf("%-12s left out: %s\n", r->name, psb_errmsg());
    return e == PSB_OK;
}

void X(host_enter)(struct field *f, const struct problem *p, const char *list, struct runner r)
{
    double convert = INFINITY, tune = INFINITY, unit = INFINITY;
    if (f->n == MOST_RUNNERS || (f->n > 0 && !stands_in(r.name, list)))
        return;
    X(use_threads)(r.threads ? r.threads : opt.team[0]);
    for (int left = p->np > 1 || opt.only ? 1 : TRIES; left > 0; left--) {
        if (!make_runner(p, &r))
            return;
        const struct runner *csr = f->n > 0 ? &f->r[0] : &r;
        unit = fmin(unit, seconds(p, csr, ONE, repetitions(p, csr, ONE)));
        convert = fmin(convert, r.convert);
        tune = fmin(tune, r.tune);
        if (left > 1)
            r.kind->free(r.a);
    }
    r.convert = isfinite(convert) ? convert : NAN;
    r.tune = isfinite(tune) ? tune : NAN;
    r.unit = unit;
    f->r[f->n++] = r;
}

void X(host_leave)(struct field *f)
{
    for (int k = 0; k < f->n; k++)
        f->r[k].kind->free(f->r[k].a);
    f->n = 0;
}

int X(team_runs)(const struct runner *r, int team, enum way w)
{
    return (r->threads == 0 || r->threads == opt.team[team]) && (r->kind->ways & 1U << w) &&
           (w == ONE || !opt.only);
}

/* --- rounds --- */

static void measure_one(struct runner *r, const struct problem *p, int team, int round)
{
    for (enum way w = ONE; w < WAYS; w++) {
        int *n = &r->reps[team][w];
        if (!X(team_runs)(r, team, w))
            continue;
        if (round == 0)
            *n = repetitions(p, r, w);
        r->t[team][w][round] = seconds(p, r, w, *n);
    }
}

void X(host_measure)(struct field *f, const struct problem *p)
{
    for (int i = 0; i < opt.rounds; i++)
        for (int t = 0; t < opt.nteams; t++) {
            X(use_threads)(opt.team[t]);
            triad_bandwidth(p, opt.team[t]);
            f->triad[t][i] = triad_bandwidth(p, opt.team[t]);
            for (int k = 0; k < f->n; k++)
                measure_one(&f->r[k], p, t, i);
        }
}

/* Fill y with NaN: a product must write all of y. */
static void spoil(const struct problem *p)
{
    for (size_t i = 0; i < (size_t)(p->rows > p->cols ? p->rows : p->cols) * COLUMNS; i++)
        p->y[i] = (T)NAN;
}

static void check_one(struct runner *r, const struct problem *p, int team)
{
    for (enum way w = ONE; w < WAYS; w++) {
        if (!X(team_runs)(r, team, w))
            continue;
        spoil(p);
        r->kind->product(p, r->a, w);
        if (r->kind->fetch)
            r->kind->fetch(p);
        r->error = fmax(r->error, X(host_error)(p, w));
    }
}

int X(host_check)(struct field *f, const struct problem *p)
{
    int wrong = 0;
    for (int t = 0; t < opt.nteams; t++) {
        X(use_threads)(opt.team[t]);
        for (int k = 0; k < f->n; k++)
            check_one(&f->r[k], p, t);
    }
    for (int k = 0; k < f->n; k++) {
        const struct runner *r = &f->r[k];
        wrong += !(r->error <= 1);
        if (!(r->error <= 1) && p->me == 0)
            fprintf(stderr, "host_spmv: %s: %s is wrong: its error is %.3g times the bound\n", p->name,
                    r->name, r->error);
    }
    return wrong;
}
