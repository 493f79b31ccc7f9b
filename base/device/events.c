/* events.c -- base/device: what is recorded of ranges, if PSB_LOG asks for a summary or a trace. */
#include "events.h"
#include "lines.h"
#include "psb_alloc.h"
#include "psb_stage.h"
#include "psb_trace.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 16, MOST_SPANS = 1 << 21 };

static struct psb_event events[PSB_EVENTS];
static int nevents;
static struct psb_note notes[PSB_NOTES];
static int nnotes;
static struct psb_span *spans;
static long nspans, space, lost;
static char stages[PSB_STAGES][PSB_STAGE_NAME] = { "main" };
static int nstages = 1, stack[DEPTH], depth;
static double began;
static atomic_flag taken = ATOMIC_FLAG_INIT;

double psb_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take(void)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        continue;
}

static void give(void)
{
    atomic_flag_clear_explicit(&taken, memory_order_release);
}

/* --- events --------------------------------------------------------------------------------------------- */

/* The event of r, in an open table with linear probing by the addresses of the names; the last place is that
 * of all others. */
static int find_event(const struct psb_range *r, int stage)
{
    const uintptr_t places = PSB_EVENTS - 1,
                    at = (uintptr_t)r->of * 31 + (uintptr_t)r->what + (uintptr_t)stage;
    uintptr_t i = at % places;
    while (events[i].of && (events[i].of != r->of || events[i].what != r->what || events[i].stage != stage))
        i = (i + 1) % places;
    if (!events[i].of && 2 * nevents >= PSB_EVENTS) {
        events[places].of = "others";
        events[places].what = "";
        return (int)places;
    }
    if (!events[i].of) {
        nevents++;
        events[i] = (struct psb_event){ .stage = stage, .of = r->of, .what = r->what };
    }
    return (int)i;
}

static void add_span(int event, double from, double to)
{
    if (nspans == space) {
        const long more = space ? 2 * space : 4096;
        struct psb_span *new = more <= MOST_SPANS ? realloc(spans, (size_t)more * sizeof *new) : NULL;
        if (!new) {
            lost++;
            return;
        }
        spans = new;
        space = more;
    }
    spans[nspans++] = (struct psb_span){ event, from, to };
}

static void log_call(const struct psb_range *r, double seconds)
{
    char bytes[48] = "", items[48] = "";
    if (r->bytes > 0)
        snprintf(bytes, sizeof bytes, ", %.0f bytes", r->bytes);
    if (r->items > 0)
        snprintf(items, sizeof items, ", %lld iterations", r->items);
    psb_log_line(PSB_LOGS_CALLS, "call: %s%s%s: %.3g s%s%s", r->of, *r->what ? " " : "", r->what, seconds,
                 bytes, items);
}

void psb_record(const struct psb_range *r)
{
    const double now = psb_clock();
    if (psb_logs(PSB_LOGS_CALLS))
        log_call(r, now - r->since);
    if (!psb_logs(PSB_LOGS_SUMMARY | PSB_LOGS_TRACE))
        return;
    take();
    began = !began || r->since < began ? r->since : began;
    const int i = find_event(r, stack[depth]);
    struct psb_event *e = &events[i];
    e->times++;
    e->items += r->items;
    e->seconds += now - r->since;
    e->bytes += r->bytes;
    e->flops += r->flops;
    e->device |= r->on && !r->on_host;
    if (psb_logs(PSB_LOGS_TRACE))
        add_span(i, r->since, now);
    give();
}

void psb_note(const char *fmt, ...)
{
    char text[PSB_NOTE];
    va_list args;
    int i = 0;
    if (!psb_logs(PSB_LOGS_SUMMARY))
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    take();
    while (i < nnotes && strcmp(notes[i].text, text) != 0)
        i++;
    if (i == nnotes && i < PSB_NOTES)
        strcpy(notes[nnotes++].text, text);
    if (i < PSB_NOTES)
        notes[i].times++;
    give();
}

const struct psb_note *psb_notes(int *n)
{
    *n = nnotes;
    return notes;
}

const struct psb_event *psb_events(int *n)
{
    *n = PSB_EVENTS;
    return events;
}

const struct psb_span *psb_spans(long *n, long * not )
{
    *n = nspans;
    *not = lost;
    return spans;
}

double psb_recorded_seconds(void)
{
    return began > 0 ? psb_clock() - began : 0;
}

void psb_events_reset(void)
{
    take();
    memset(events, 0, sizeof events);
    memset(notes, 0, sizeof notes);
    nnotes = 0;
    free(spans);
    spans = NULL;
    nevents = 0;
    nspans = space = lost = 0;
    nstages = 1;
    depth = 0;
    began = psb_clock();
    give();
}

/* --- stages --------------------------------------------------------------------------------------------- */

const char *psb_stage_name(int i)
{
    return i >= 0 && i < nstages ? stages[i] : NULL;
}

psb_err psb_stage_push(const char *name)
{
    int i = 0;
    PSB_CHECK(name && *name, PSB_EARG, "argument name is %s; expected a name", name ? "empty" : "NULL");
    PSB_CHECK(strlen(name) < PSB_STAGE_NAME, PSB_EARG,
              "argument name is \"%s\"; expected fewer than %d bytes", name, PSB_STAGE_NAME);
    PSB_CHECK(depth + 1 < DEPTH, PSB_ESTATE, "%d stages are open; expected psb_stage_pop before", depth);
    while (i < nstages && strcmp(stages[i], name) != 0)
        i++;
    PSB_CHECK(i < PSB_STAGES, PSB_ENOMEM, "no space for a stage \"%s\"; expected at most %d of them", name,
              PSB_STAGES);
    take();
    if (i == nstages)
        strcpy(stages[nstages++], name);
    stack[++depth] = i;
    give();
    return PSB_OK;
}

psb_err psb_stage_pop(void)
{
    PSB_CHECK(depth > 0, PSB_ESTATE, "no stage is open; expected psb_stage_push before");
    take();
    depth--;
    give();
    return PSB_OK;
}
