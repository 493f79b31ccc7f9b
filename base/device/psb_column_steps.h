/* psb_column_steps.h -- base/device: how the steps of an iteration change a column: on the host, and, in
 * CUDA, by one thread of a device.  PSB_EVERYWHERE: how these functions are declared. */
#ifndef PSB_COLUMN_STEPS_H
#define PSB_COLUMN_STEPS_H
#include "psb_column.h"
#include <math.h>
#include <string.h>
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

PSB_EVERYWHERE bool psb_is_finite(double a)
{
    return a - a == 0;
}

/* Not a number if the norm b has overflowed: a / b would be 0. */
PSB_EVERYWHERE double psb_quotient_of_norms(double a, double b)
{
    return a == 0 ? 0 : psb_is_finite(b) ? a / b : b - b;
}

PSB_EVERYWHERE void psb_end_column(struct psb_column *c, enum psb_ending ending, const char *why)
{
    c->active = false;
    c->certain = false;
    c->ending = ending;
    c->why = why;
}

/* Does the quotient of modulus q by a divisor of modulus den (zero: it is 0) count? */
PSB_EVERYWHERE bool psb_accept_ratio(struct psb_column *c, bool zero, double den, double q, const char *what)
{
    const bool finite = psb_is_finite(den) && psb_is_finite(q), accepted = c->active && finite && !zero;
    if (c->active && zero && what)
        psb_end_column(c, PSB_ENDS_BROKEN, what);
    else if (c->active && !finite)
        psb_end_column(c, PSB_ENDS_OUT_OF_RANGE, NULL);
    return accepted;
}

PSB_EVERYWHERE void psb_demand_positive(struct psb_column *c, double d, const char *what)
{
    if (!c->active || d > 0)
        return;
    psb_end_column(c, psb_is_finite(d) ? PSB_ENDS_BROKEN : PSB_ENDS_OUT_OF_RANGE, what);
    c->certain = d < -c->tiny;
}

/* Apply the criterion to its value for an active column, after c->it iterations. */
PSB_EVERYWHERE void psb_judge_column(struct psb_column *c, double value, bool first)
{
    if (first)
        c->first = value;
    c->estimate = value;
    c->iterations = c->it;
    if (value <= c->tol)
        psb_end_column(c, PSB_ENDS_SMALL, NULL);
    else if (!psb_is_finite(value))
        psb_end_column(c, PSB_ENDS_NOT_FINITE, NULL);
    else if (value > c->divergence * c->first)
        psb_end_column(c, PSB_ENDS_LARGE, NULL);
    else if (c->it >= c->itmax)
        psb_end_column(c, PSB_ENDS_LAST, NULL);
}

PSB_EVERYWHERE void psb_report_column(struct psb_column *c)
{
    struct psb_report r;
    unsigned piece[PSB_REPORT_WORDS];
    memset(&r, 0, sizeof r);
    r.estimate = c->estimate;
    r.alpha = c->alpha;
    r.beta = c->beta;
    r.why = c->why;
    r.ending = c->ending;
    r.iterations = c->iterations;
    r.active = c->active;
    r.certain = c->certain;
    memset(piece, 0, sizeof piece);
    memcpy(piece, &r, sizeof r);
    c->number++;
    for (int i = 0; i < PSB_REPORT_WORDS; i++)
        c->ring->word[c->number % PSB_REPORTS][i] = (unsigned long long)c->number << 32 | piece[i];
}

/* Count an iteration, unless this is the first test, test the norm with this square, and report. */
PSB_EVERYWHERE void psb_test_column(struct psb_column *c, double square, bool first)
{
    c->it += !first;
    if (c->active && !(psb_is_finite(square) && square >= c->least_square))
        psb_end_column(c, PSB_ENDS_UNSAFE, NULL);
    else if (c->active)
        psb_judge_column(c, psb_quotient_of_norms(sqrt(square), c->divisor), first);
    if (c->ring)
        psb_report_column(c);
}

/* The report with this number, if it has come. */
static inline bool psb_read_report(const struct psb_report_ring *ring, unsigned number, struct psb_report *r)
{
    unsigned piece[PSB_REPORT_WORDS];
    for (int i = 0; i < PSB_REPORT_WORDS; i++) {
        const unsigned long long word = ring->word[number % PSB_REPORTS][i];
        if (word >> 32 != number)
            return false;
        piece[i] = (unsigned)word;
    }
    memcpy(r, piece, sizeof *r);
    return true;
}
#endif
