/* kr_device.c -- linsolve: runs of Krylov methods whose coefficients are on the device of the vectors. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include "channel.h"
#include "sums.h"
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "kr_device.t.h"

/* Iterations are captured from this one on, so many in a graph: after two of them the vectors of each method
 * are where they were. */
enum { CAPTURED_FROM = 8, IN_GRAPH = 2, MOST_AHEAD = 16 };
_Static_assert(MOST_AHEAD + IN_GRAPH < PSB_REPORTS, "reports that have not been taken are kept");
_Static_assert(sizeof(struct psb_report) <= 4 * PSB_REPORT_WORDS, "four bytes in each word");

/* What a reduction that has not begun sums: the epilogue of v or, unless w is NULL, of w = A v. */
struct waiting {
    bool waits;
    const struct X(vect) *v;
    struct X(vect) *w;
    struct X(epilogue) e;
};

/* Tests are numbered in the order in which the method makes them: it has asked for `asked`, the device has
 * been given `given` of them, and the reports of `taken` have come. */
struct tests {
    unsigned asked, given, taken;
};

/* Where the last halo and the last sums between devices landed, NULL: there were none, and the bytes of rows
 * for which their channels were made. */
struct turns {
    const void *halo, *sums;
    size_t halo_row, sums_row;
};

struct X(kr_device) {
    const struct psb_device *on;
    struct X(scal) **scal; /* the coefficients */
    T **at;                /* their memory */
    int n, used;
    struct psb_dual column; /* struct psb_column */
    struct psb_report_ring *ring;

    struct X(vec_steps) steps; /* after the reduction that waits */
    struct waiting next;
    struct tests of;
    unsigned begun;          /* tests of earlier runs */
    unsigned target;         /* after the end: the tests that all processes make */
    int first;               /* iterations of earlier runs */
    unsigned ahead;          /* the most tests that are given and not taken */
    bool ended, agreed;      /* the column has; the processes know */
    bool refused;            /* sums were, so the others know that this process has failed */
    bool unsafe, at_first;   /* its norm is to be computed in another way; in the first test */
    const struct X(vect) *r; /* the residual */

    /* The graph of IN_GRAPH iterations, and what it was captured for. */
    void *graph;
    const void *x, *diagonal;
    const struct X(mat) *ad, *ah;
    int kept;              /* the first vector of the method in the pool */
    struct turns at_start; /* of each run */
    bool capturing, cannot_capture;
    struct tests before;         /* the capture */
    struct turns before_capture; /* too */
};

/* --- opening -------------------------------------------------------------------------------------------- */

/* Does applying the preconditioner need no host, and, on several processes, no messages? */
static bool prec_stays(const struct X(kr) *s)
{
    if (X(kr_has_identity)(s))
        return true;
    const struct X(vect) *d = X(prec_diagonal)(s->p);
    return d && d->desc == s->x->desc && d->v.on == s->x->v.on;
}

/* Can this process keep all of an iteration on the device? */
static bool stays_on_device(const struct X(kr) *s)
{
    const struct X(vect) *x = s->x;
    const struct psb_device *on = x->v.on;
    if (s->host_only || s->k != 1 || s->op->calls.apply || s->right || s->o->stop == PSB_STOP_BACKWARD ||
        !on || !on->X(vec))
        return false;
    return on->X(vec)->steps && on->X(vec)->epilogue && on->X(vec)->axpbys && prec_stays(s) &&
           !psb_desc_overlap(x->desc)->counted && X(mat_side)(s->op->a->ad, 'N', x, s->r) == PSB_DEV &&
           (psb_np_of(s->ctxt) == 1 || strcmp(psb_cd_transport(x->desc, NULL), "lsa") == 0);
}

static psb_err make_device(struct X(kr) *s)
{
    struct X(kr_device) *d;
    void *p;
    PSB_TRY(psb_alloc_zero(&s->device, 1, sizeof *s->device, "solve on a device"));
    d = s->device;
    d->on = s->x->v.on;
    PSB_TRY(psb_dual_init(&d->column, 1, sizeof(struct psb_column), d->on, "column of a solve"));
    PSB_TRY(d->on->alloc_host(&p, sizeof *d->ring));
    d->ring = memset(p, 0, sizeof *d->ring);
    return PSB_OK;
}

/* Have n coefficients. */
static psb_err make_coefficients(struct X(kr) *s, int n)
{
    struct X(kr_device) *d = s->device;
    const struct psb_vmold mold = { .name = "solve", .device = X(mat_dev)(s->op->a->ad)->device };
    psb_err e = PSB_OK;
    if (n > d->n) {
        e = psb_resize(&d->scal, (size_t)n, sizeof *d->scal, "coefficients");
        PSB_THEN(e, psb_resize(&d->at, (size_t)n, sizeof *d->at, "coefficients"));
        PSB_TRY(X(kr_agree)(s, e));
    }
    for (; d->n < n; d->n++)
        PSB_TRY(X(scal_new)(&d->scal[d->n], s->x->desc, &mold));
    return PSB_OK;
}

/* The column and the coefficients at the beginning of a run. */
static psb_err begin_run(struct X(kr) *s, int n, T **c)
{
    struct X(kr_device) *d = s->device;
    struct psb_column *column;
    d->begun = d->of.given;
    d->of = (struct tests){ d->begun, d->begun, d->begun };
    d->first = s->it;
    d->ahead = 1;
    d->used = n;
    d->next.waits = d->ended = d->refused = d->agreed = d->unsafe = d->capturing = d->cannot_capture = false;
    PSB_TRY(psb_dual_write(&d->column, PSB_HOST, &column));
    *column = X(kr_column)(s, 0);
    column->ring = d->ring;
    column->number = d->begun;
    PSB_TRY(psb_dual_update(&d->column, PSB_DEV, &column));
    d->steps = (struct X(vec_steps)){ .column = column };
    for (int i = 0; i < n; i++) {
        PSB_TRY(psb_dual_write(&d->scal[i]->v, PSB_DEV, &d->at[i]));
        PSB_TRY(d->on->zero(d->at[i], sizeof(T)));
        c[i] = d->at[i];
    }
    return PSB_OK;
}

static void free_graph(struct X(kr_device) *d)
{
    if (d->graph)
        d->on->free_graph(d->graph);
    d->graph = NULL;
}

static struct turns turns_now(const struct X(kr) *s)
{
    const struct psb_channel *halo = psb_desc_halo(s->x->desc)->channel, *sums = psb_sums_channel(s->x->desc);
    return (struct turns){ psb_channel_landed(halo), psb_channel_landed(sums),
                           halo ? psb_channel_row(halo) : 0, sums ? psb_channel_row(sums) : 0 };
}

static bool same_halo(const struct turns *a, const struct turns *b)
{
    return a->halo == b->halo && a->halo_row == b->halo_row;
}

static bool same_sums(const struct turns *a, const struct turns *b)
{
    return a->sums == b->sums && a->sums_row == b->sums_row;
}

/* What a channel exchanges lands in two places in turn, and a graph, which makes an even number of exchanges
 * and sums, has their addresses: begin each run in the same turn, by one more of them if need be.  After that
 * other addresses are those of new memory.  All processes do the same.  Collective. */
static psb_err meet_turns(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    struct X(vect) *const one[] = { s->former };
    struct X(epilogue) e = X(kr_epilogue)(1, one, one);
    struct turns now = turns_now(s);
    e.to[0] = d->scal[0];
    if (d->at_start.halo && !same_halo(&now, &d->at_start))
        PSB_TRY(X(kr_agree)(s, X(halo)(s->former, 'N')));
    if (d->at_start.sums && !same_sums(&now, &d->at_start))
        PSB_TRY(X(kr_agree)(s, X(gefused)(s->former, &e, NULL)));
    now = turns_now(s);
    if (!same_halo(&now, &d->at_start) || !same_sums(&now, &d->at_start))
        free_graph(d);
    d->at_start = now;
    return PSB_OK;
}

psb_err X(kr_device_open)(struct X(kr) *s, int n, T **c)
{
    bool stays = stays_on_device(s);
    s->on_device = false;
    PSB_TRY(psb_reduce(s->ctxt, PSB_MIN, PSB_KIND_b, 1, &stays, PSB_OK));
    if (!stays)
        return PSB_OK;
    if (!s->device)
        PSB_TRY(X(kr_agree)(s, make_device(s)));
    PSB_TRY(make_coefficients(s, n));
    if (psb_np_of(s->ctxt) > 1 && strcmp(psb_cd_sums_transport(s->x->desc, NULL), "lsa") != 0)
        return PSB_OK;
    PSB_TRY(meet_turns(s));
    PSB_TRY(X(kr_agree)(s, begin_run(s, n, c)));
    s->on_device = true;
    return PSB_OK;
}

const char *X(kr_device_text)(const struct X(kr) *s)
{
    return s->device->used == 0 ? "on the host"
           : s->device->graph   ? "on the device, iterations by a graph"
                                : "on the device";
}

void X(kr_device_forget)(struct X(kr) *s)
{
    if (s->device)
        free_graph(s->device);
}

void X(kr_device_free)(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    if (!d)
        return;
    if (d->on) {
        d->on->drain();
        free_graph(d);
        psb_dual_free(&d->column);
    }
    if (d->ring)
        d->on->free_host(d->ring);
    for (int i = 0; i < d->n; i++)
        X(scal_free)(d->scal[i]);
    psb_free(d->scal);
    psb_free(d->at);
    psb_free(d);
    s->device = NULL;
}

/* --- what is queued ------------------------------------------------------------------------------------- */

static int index_of(const struct X(kr_device) *d, const T *c)
{
    int i = 0;
    while (i < d->used - 1 && d->at[i] != c)
        i++;
    return i;
}

const struct X(scal) *X(kr_device_scalar)(const struct X(kr) *s, const T *c)
{
    return c ? s->device->scal[index_of(s->device, c)] : NULL;
}

/* Start the reduction that waits, with its steps.  A process that failed makes the exchanges of one that did
 * not, and tells the others in place of its sums. */
static psb_err start_reduction(struct X(kr) *s, const struct X(vec_steps) *steps)
{
    struct waiting *q = &s->device->next;
    q->waits = false;
    q->e.steps = q->e.ndots > 0 ? steps : NULL;
    if (s->failed == PSB_OK && q->w)
        return X(spmv_fused)(1, s->op->a, q->v, 0, q->w, 'N', &q->e, NULL);
    if (s->failed == PSB_OK)
        return X(gefused)(q->v, &q->e, NULL);
    if (s->device->capturing) /* nothing of it is done */
        return PSB_OK;
    if (q->w)
        X(kr_note)(s, X(spmv)(1, s->op->a, q->v, 0, q->w, 'N'));
    if (q->e.ndots > 0 && psb_sums_channel(s->x->desc))
        psb_channel_refuse(psb_sums_channel(s->x->desc));
    return PSB_OK;
}

void X(kr_flush)(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    if (!s->on_device || (!d->next.waits && d->steps.n == 0))
        return;
    const struct X(vec_steps) steps = d->steps;
    d->steps.n = 0;
    d->of.given = d->of.asked;
    const bool sums = d->next.waits && d->next.e.ndots > 0;
    if (d->next.waits)
        X(kr_note)(s, start_reduction(s, &steps));
    else if (s->failed == PSB_OK)
        X(kr_note)(s, d->on->X(vec)->steps(&steps));
    d->refused = d->refused || (sums && s->failed != PSB_OK && !d->capturing);
}

void X(kr_device_step)(struct X(kr) *s, const struct X(vec_step) *step)
{
    struct X(kr_device) *d = s->device;
    if (d->steps.n == PSB_MOST_STEPS)
        X(kr_flush)(s);
    d->steps.step[d->steps.n++] = *step;
}

psb_err X(kr_device_reduce)(struct X(kr) *s, const struct X(vect) *v, struct X(vect) *w,
                            const struct X(epilogue) *e, const T *by, T *dots)
{
    struct X(kr_device) *d = s->device;
    X(kr_flush)(s);
    d->next = (struct waiting){ .waits = true, .v = v, .w = w, .e = *e };
    d->next.e.gamma_by = X(kr_device_scalar)(s, by);
    for (int i = 0; i < e->ndots; i++)
        d->next.e.to[i] = d->scal[index_of(d, dots) + i];
    if (e->ndots == 0)
        X(kr_flush)(s);
    return PSB_OK;
}

/* --- reports -------------------------------------------------------------------------------------------- */

/* Take the next report, if it has come. */
static bool take_report(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    struct psb_column c = X(kr_column)(s, 0);
    struct psb_report r;
    const bool first = d->of.taken == d->begun;
    if (d->of.taken == d->of.given || !psb_read_report(d->ring, d->of.taken + 1, &r))
        return false;
    d->of.taken++;
    if (!first && s->failed == PSB_OK) {
        s->steps[s->it].alpha = r.alpha;
        s->steps[s->it].beta = r.beta;
    }
    d->ended = !r.active;
    d->unsafe = r.ending == PSB_ENDS_UNSAFE;
    d->at_first = first;
    if (d->unsafe) /* X(kr_test) makes this test */
        return true;
    s->it += !first;
    c.active = r.active;
    c.certain = r.certain;
    c.ending = (enum psb_ending)r.ending;
    c.why = r.why;
    c.estimate = r.estimate;
    c.iterations = r.iterations;
    c.first = first ? r.estimate : c.first;
    X(kr_take_column)(s, 0, &c);
    X(kr_close_iteration)(s, first, r.active);
    return true;
}

/* Nothing has come: has the device failed, or a neighbour? */
static psb_err check_device(struct X(kr) *s)
{
    const struct X(kr_device) *d = s->device;
    struct psb_report r;
    bool idle = true;
    PSB_TRY(psb_channel_check(psb_sums_channel(s->x->desc)));
    PSB_TRY(psb_channel_check(psb_desc_halo(s->x->desc)->channel));
    if (d->on->poll)
        PSB_TRY(d->on->poll(&idle));
    PSB_CHECK(!idle || psb_read_report(d->ring, d->of.taken + 1, &r), PSB_EDEVICE,
              "the device has made no report of iteration %d; expected one", s->it + 1);
    return PSB_OK;
}

/* Take the reports that have come; a device that has nothing left to do is given more from now on. */
static void take_reports(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    while (!d->ended && take_report(s))
        ;
    if (d->of.taken == d->of.given && d->of.given > d->begun && d->ahead < MOST_AHEAD)
        d->ahead++;
}

/* Take reports until no more than d->ahead are to come. */
static psb_err follow(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    unsigned long turns = 0;
    while (!d->ended && d->of.given - d->of.taken > d->ahead)
        if (!take_report(s) && ++turns % 1024 == 0)
            PSB_TRY(check_device(s));
    return s->failed;
}

/* --- the test ------------------------------------------------------------------------------------------- */

/* Iterations that the method has asked for, over all runs. */
static int asked_iterations(const struct X(kr_device) *d)
{
    return d->first + (int)(d->of.asked - d->begun) - 1;
}

/* The memory of the inverse diagonal; NULL: M is 1. */
static const void *diagonal_of(const struct X(kr) *s)
{
    return X(kr_has_identity)(s) ? NULL : X(prec_diagonal)(s->p)->v.dev;
}

/* Is there a graph for this run? */
static bool has_graph(const struct X(kr) *s)
{
    const struct X(kr_device) *d = s->device;
    return d->graph && d->kept == s->kept && d->x == s->x->v.dev && d->diagonal == diagonal_of(s) &&
           d->ad == s->op->a->ad && d->ah == s->op->a->ah;
}

/* Begin to capture, if that can be done. */
static void begin_capture(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    free_graph(d);
    d->before = d->of;
    d->before_capture = turns_now(s);
    psb_expect_errors(1);
    d->capturing = d->on->capture && d->on->capture() == PSB_OK;
    psb_expect_errors(0);
    d->cannot_capture = !d->capturing;
}

/* The calls since begin_capture were not made: the run is where it was then, as a reduction like that one
 * waits. */
static void end_capture(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    psb_expect_errors(1);
    const bool good = d->on->captured(&d->graph) == PSB_OK && s->failed == PSB_OK;
    const struct turns now = turns_now(s);
    psb_expect_errors(0);
    if (!good)
        free_graph(d);
    d->of = d->before;
    d->capturing = false;
    d->cannot_capture = !good;
    d->x = s->x->v.dev;
    d->diagonal = diagonal_of(s);
    d->kept = s->kept;
    d->ad = s->op->a->ad;
    d->ah = s->op->a->ah;
    if (!good && (!same_halo(&now, &d->before_capture) || !same_sums(&now, &d->before_capture)))
        return; /* exchanges were counted and not made: the solve fails */
    /* An error is found again by calls, if they fail too. */
    s->failed = PSB_OK;
    X(kr_speak)(s);
}

/* The graph changes vectors unseen: what the host may have of them is old. */
static psb_err mark_vectors(struct X(kr) *s)
{
    T *p;
    PSB_TRY(psb_dual_update(&s->x->v, PSB_DEV, &p));
    for (int i = s->kept; i < s->taken; i++)
        PSB_TRY(psb_dual_update(&s->pool[i]->v, PSB_DEV, &p));
    return PSB_OK;
}

/* Launch the graph until the column has ended, or its last iterations are too few. */
static psb_err run_graph(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    while (!d->ended && asked_iterations(d) + IN_GRAPH <= s->o->itmax) {
        PSB_TRY(mark_vectors(s));
        PSB_TRY(d->on->launch(d->graph));
        d->of.given += IN_GRAPH;
        d->of.asked += IN_GRAPH;
        PSB_TRY(follow(s));
        take_reports(s);
    }
    return PSB_OK;
}

/* Go on by the graph, or begin to capture it; else make the device's last iteration, and wait for its report.
 */
static psb_err go_on(struct X(kr) *s)
{
    struct X(kr_device) *d = s->device;
    const int made = asked_iterations(d) - d->first;
    take_reports(s);
    PSB_TRY(follow(s));
    if (d->ended)
        return PSB_OK;
    if (has_graph(s) && made >= IN_GRAPH && made % IN_GRAPH == 0)
        PSB_TRY(run_graph(s));
    else if (!d->cannot_capture && made == CAPTURED_FROM && made + d->first + IN_GRAPH <= s->o->itmax)
        begin_capture(s);
    if (!d->ended && !d->capturing && asked_iterations(d) >= s->o->itmax) {
        X(kr_flush)(s);
        d->ahead = 0;
        return follow(s);
    }
    return PSB_OK;
}

/* The column has ended, or this process has failed: all processes make as many tests, so that none waits for
 * another one; then they agree. */
static psb_err come_to_an_end(struct X(kr) *s, bool *go)
{
    struct X(kr_device) *d = s->device;
    int target = (int)(d->of.asked - d->begun);
    *go = true;
    if (s->failed != PSB_OK && !d->refused && !d->agreed) /* the others learn it by the sums that wait */
        return PSB_OK;
    if (!d->agreed)
        PSB_TRY(psb_reduce(s->ctxt, PSB_MAX, PSB_KIND_OF(&target), 1, &target, PSB_OK));
    if (!d->agreed)
        d->target = d->begun + (unsigned)target;
    d->agreed = true;
    *go = d->of.asked < d->target;
    if (*go)
        return PSB_OK;
    PSB_TRY(X(kr_agree)(s, PSB_OK));
    if (!d->unsafe)
        return PSB_OK;
    s->host_only = s->col[0].active = true;
    const psb_err e = X(kr_test)(s, d->r, NULL, d->at_first, go);
    *go = false;
    return e;
}

psb_err X(kr_device_test)(struct X(kr) *s, const struct X(vect) *r, const T *rr, bool first, bool *go)
{
    struct X(kr_device) *d = s->device;
    X(kr_device_step)(s,
                      &(struct X(vec_step)){ .kind = first ? PSB_STEP_TEST_FIRST : PSB_STEP_TEST, .a = rr });
    d->of.asked++;
    d->r = r;
    *go = true;
    if (d->capturing && d->of.asked - d->before.asked < IN_GRAPH)
        return PSB_OK;
    if (d->capturing)
        end_capture(s);
    if (!d->agreed && s->failed == PSB_OK)
        X(kr_note)(s, go_on(s));
    return PSB_PASS(d->ended || d->agreed || s->failed != PSB_OK ? come_to_an_end(s, go) : PSB_OK);
}

psb_err X(kr_device_close)(struct X(kr) *s, psb_err e)
{
    struct X(kr_device) *d = s->device;
    if (!s->on_device)
        return PSB_PASS(e);
    d->next.waits = false; /* without effect on x */
    s->on_device = false;
    if (d->capturing)
        end_capture(s);
    return PSB_PASS(e);
}
