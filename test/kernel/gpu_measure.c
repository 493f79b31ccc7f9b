/* gpu_measure.c -- test/kernel: the list of runners and the rounds of measurement. */
#include "psb_cuda.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"

/* Store the reason of error e, without its place and the general meaning of its code. */
static void set_refusal(struct runner *r, psb_err e)
{
    const char *said = psb_errmsg(), *general = strstr(said, psb_strerror(e));
    if (general && strncmp(general + strlen(psb_strerror(e)), ": ", 2) == 0)
        said = general + strlen(psb_strerror(e)) + 2;
    snprintf(r->refused, sizeof r->refused, "%s", said);
}

void X(gpu_enter)(struct field *f, const struct problem *p, struct runner r)
{
    if (f->n == MOST_RUNNERS)
        return;
    r.convert = NAN;
    psb_err e = r.kind->make(p, &r);
    if (e != PSB_EPADDING && e != PSB_ENOTIMPL && e != PSB_ENOMEM)
        good(e, r.name);
    if (e != PSB_OK)
        set_refusal(&r, e);
    f->r[f->n++] = r;
}

void X(gpu_leave)(struct field *f)
{
    for (int k = 0; k < f->n; k++)
        if (!*f->r[k].refused)
            f->r[k].kind->free(f->r[k].a);
    f->n = 0;
}

/* A GPU that was idle, or has only copied, is slower at first, which would fall to the first runners of a
 * round: run products of one, not counted. */
static void warm_up(struct field *f, const struct problem *p, int round)
{
    const double SECONDS = 0.05, begin = psb_wtime();
    int k = 0;
    while (k < f->n && *f->r[k].refused)
        k++;
    while (psb_cuda_stream() && k < f->n && psb_wtime() - begin < SECONDS)
        good(X(time_products)(p, &f->r[k], f->r[k].t + round * REPS), f->r[k].name);
}

/* Every second round runs in the opposite order, so that no runner always follows the same one. */
void X(gpu_measure)(struct field *f, const struct problem *p)
{
    for (int i = 0; i < opt.rounds; i++) {
        f->copy[i] = X(copy_bandwidth)();
        warm_up(f, p, i);
        for (int k = 0; k < f->n; k++) {
            struct runner *r = &f->r[i % 2 ? f->n - 1 - k : k];
            if (!*r->refused)
                good(X(time_products)(p, r, r->t + i * REPS), r->name);
        }
    }
}

int X(gpu_check)(struct field *f, const struct problem *p)
{
    int wrong = 0;
    for (int k = 0; k < f->n; k++) {
        struct runner *r = &f->r[k];
        if (*r->refused)
            continue;
        good(X(gpu_error)(p, r), r->name);
        wrong += !(r->error <= 1);
        if (!(r->error <= 1))
            fprintf(stderr, "%s: %s: %s %s is wrong: its error is %.3g times the bound\n", program, p->name,
                    r->kind->whose, r->name, r->error);
    }
    return wrong;
}
