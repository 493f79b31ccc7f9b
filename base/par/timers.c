/* timers.c -- base/par: named timers. */
#include "psb_timers.h"
#include "psb_coll.h"
#include <string.h>

struct timer {
    char name[PSB_TIMER_NAME];
    long long calls;
    double seconds, begun;
    int running;
};

static struct timer timers[PSB_TIMERS];
static int ntimers;

/* --- one process --------------------------------------------------------------------------------------- */

/* Return the index of a timer, -1 if there is none of that name. */
static int find_timer(const char *name)
{
    for (int i = 0; i < ntimers; i++)
        if (strcmp(timers[i].name, name) == 0)
            return i;
    return -1;
}

psb_err psb_get_timer_idx(const char *name, int *idx)
{
    PSB_CHECK(name && *name, PSB_EARG, "argument name is %s; expected a name", name ? "empty" : "NULL");
    PSB_NEED(idx, "where to store the number of the timer");
    size_t length = strlen(name);
    PSB_CHECK(length < PSB_TIMER_NAME, PSB_EARG, "argument name is \"%s\", %zu bytes; expected fewer than %d",
              name, length, PSB_TIMER_NAME);
    int i = find_timer(name);
    if (i < 0) {
        PSB_CHECK(ntimers < PSB_TIMERS, PSB_ENOMEM,
                  "no space for a timer \"%s\"; expected at most %d of them", name, PSB_TIMERS);
        i = ntimers++;
        memcpy(timers[i].name, name, length + 1);
    }
    *idx = i;
    return PSB_OK;
}

static psb_err check_idx(int idx, int least)
{
    PSB_CHECK(idx >= least && idx < ntimers, PSB_EARG, "argument idx is %d; expected %d <= idx < %d", idx,
              least, ntimers);
    return PSB_OK;
}

psb_err psb_tic(int idx)
{
    PSB_TRY(check_idx(idx, 0));
    PSB_CHECK(!timers[idx].running, PSB_ESTATE, "timer \"%s\" runs; expected psb_toc before psb_tic",
              timers[idx].name);
    timers[idx].running = 1;
    timers[idx].begun = psb_wtime();
    return PSB_OK;
}

static void stop_timer(struct timer *t)
{
    t->seconds += psb_wtime() - t->begun;
    t->calls++;
    t->running = 0;
}

psb_err psb_toc(int idx)
{
    PSB_TRY(check_idx(idx, 0));
    PSB_CHECK(timers[idx].running, PSB_ESTATE, "timer \"%s\" does not run; expected psb_tic before psb_toc",
              timers[idx].name);
    stop_timer(&timers[idx]);
    return PSB_OK;
}

void psb_toc_all(void)
{
    for (int i = 0; i < ntimers; i++)
        if (timers[i].running)
            stop_timer(&timers[i]);
}

psb_err psb_get_timer(int idx, long long *calls, double *seconds)
{
    PSB_TRY(check_idx(idx, 0));
    if (calls)
        *calls = timers[idx].calls;
    if (seconds)
        *seconds = timers[idx].seconds;
    return PSB_OK;
}

void psb_reset_timers(void)
{
    for (int i = 0; i < ntimers; i++) {
        timers[i].calls = timers[i].running = 0;
        timers[i].seconds = 0;
    }
}

/* --- all processes ------------------------------------------------------------------------------------- */

/* The timers of a table, and their values over all processes. */
struct timer_table {
    int n;
    char name[PSB_TIMERS][PSB_TIMER_NAME];
    psb_lpk calls[PSB_TIMERS];
    double least[PSB_TIMERS], sum[PSB_TIMERS], most[PSB_TIMERS];
};

static psb_err fill_table(struct timer_table *t)
{
    for (int i = 0; i < t->n; i++) {
        int k = find_timer(t->name[i]);
        PSB_CHECK(k < 0 || !timers[k].running, PSB_ESTATE,
                  "timer \"%s\" still runs; expected psb_toc before psb_print_timers", t->name[i]);
        t->calls[i] = k < 0 ? 0 : timers[k].calls;
        t->least[i] = t->sum[i] = t->most[i] = k < 0 ? 0 : timers[k].seconds;
    }
    return PSB_OK;
}

static psb_err print_table(const struct timer_table *t, int np, FILE *to)
{
    int wide = 5;
    for (int i = 0; i < t->n; i++)
        wide = (int)strlen(t->name[i]) > wide ? (int)strlen(t->name[i]) : wide;
    fprintf(to, "%-*s %10s %12s %12s %12s\n", wide, "timer", "calls", "least s", "average s", "most s");
    for (int i = 0; i < t->n; i++)
        fprintf(to, "%-*s %10" PRId64 " %12.6f %12.6f %12.6f\n", wide, t->name[i], t->calls[i], t->least[i],
                t->sum[i] / np, t->most[i]);
    PSB_CHECK(fflush(to) == 0 && !ferror(to), PSB_EIO, "the table of timers cannot be written");
    return PSB_OK;
}

psb_err psb_print_timers(psb_ctxt *ctxt, int idx, FILE *to)
{
    static struct timer_table t; /* too large for a stack */
    int me, np;
    psb_info(ctxt, &me, &np);
    /* Process 0 chooses the timers; all processes get their names. */
    psb_err e = me == 0 ? check_idx(idx, -1) : PSB_OK;
    if (e == PSB_OK && me == 0 && !to)
        e = PSB_FAIL(PSB_EARG, "argument to is NULL; expected a file on process 0");
    PSB_TRY(psb_agree(ctxt, e));
    t.n = idx < 0 ? ntimers : 1;
    for (int i = 0; i < t.n && me == 0; i++)
        memcpy(t.name[i], timers[idx < 0 ? i : idx].name, PSB_TIMER_NAME);
    PSB_TRY(psb_bcast(ctxt, 1, &t.n, 0));
    PSB_TRY(psb_bcast(ctxt, (psb_epk)t.n * PSB_TIMER_NAME, t.name[0], 0));
    PSB_TRY(psb_agree(ctxt, fill_table(&t)));
    PSB_TRY(psb_max(ctxt, t.n, t.calls, 0));
    PSB_TRY(psb_min(ctxt, t.n, t.least, 0));
    PSB_TRY(psb_sum(ctxt, t.n, t.sum, 0));
    PSB_TRY(psb_max(ctxt, t.n, t.most, 0));
    return PSB_PASS(psb_agree(ctxt, me == 0 ? print_table(&t, np, to) : PSB_OK));
}
