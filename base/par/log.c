/* log.c -- base/par: the summary and the trace of a program. */
#include "psb_log.h"
#include "coll.h"
#include "ctxt.h"
#include "events.h"
#include "lines.h"
#include "psb_alloc.h"
#include "psb_dual.h"
#include "psb_trace.h"
#include "psb_transfer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { NAME = 40, SCREEN_LINES = 12, MIB = 1 << 20 };

/* An event of a process, or of all. */
struct call {
    char stage[PSB_STAGE_NAME], name[NAME];
    double times, items, most, least, bytes, flops; /* seconds: the same on one process */
    int device, used;
};

/* What process 0 prints. */
struct log {
    int np, n;
    struct call *call; /* of all processes, those of the same name merged */
    double seconds, copy;
    double most_memory;              /* of a process, bytes */
    double most_held[PSB_OWNERS][2]; /* of a process, bytes in arrays: on the host, on devices */
    int nnotes;
    struct psb_note *note; /* of all processes, each text once */
    long long messages, bytes;
    struct psb_transfer_counts moved;
};

static const char *const owners[PSB_OWNERS] = {
    [PSB_OF_MATRICES] = "matrices",
    [PSB_OF_VECTORS] = "vectors",
    [PSB_OF_HALOS] = "halos",
    [PSB_OF_PRECS] = "preconditioners",
};

/* --- all processes -------------------------------------------------------------------------------------- */

/* Calls for all scalars have one name. */
static void name_call(struct call *c, const struct psb_event *e)
{
    const char *stage = psb_stage_name(e->stage);
    const bool typed = strncmp(e->of, "psb_", 4) == 0 && e->of[4] && e->of[5] == '_';
    snprintf(c->stage, sizeof c->stage, "%s", stage ? stage : "main");
    snprintf(c->name, sizeof c->name, "%s%s%s%s", typed ? "psb_" : "", e->of + (typed ? 6 : 0),
             *e->what ? " " : "", e->what);
}

/* The events of this process; with all: also those that are not used, so that numbers stay. */
static psb_err own_calls(bool all, struct call **own, int *n)
{
    int most;
    const struct psb_event *e = psb_events(&most);
    *n = 0;
    PSB_TRY(psb_alloc_zero(own, (size_t)most, sizeof **own, "calls of a summary"));
    for (int i = 0; i < most; i++) {
        if (!e[i].of && !all)
            continue;
        struct call *c = *own + (*n)++;
        if (!e[i].of)
            continue;
        name_call(c, &e[i]);
        c->times = (double)e[i].times;
        c->items = (double)e[i].items;
        c->most = c->least = e[i].seconds;
        c->bytes = e[i].bytes;
        c->flops = e[i].flops;
        c->device = e[i].device;
        c->used = 1;
    }
    return PSB_OK;
}

/* Gather n elements of `size` bytes of each process to *all of process 0, count[r] from process r.  err: as
 * in psb_agree. */
static psb_err gather_bytes(psb_ctxt *ctxt, long n, size_t size, const void *own, void *all, psb_epk **count,
                            psb_err err)
{
    const bool first = psb_rank_of(ctxt) == 0;
    psb_epk bytes = err == PSB_OK ? (psb_epk)((size_t)n * size) : 0, sum = 0;
    char *got = NULL;
    *count = NULL;
    if (first)
        PSB_THEN(err, psb_alloc(count, (size_t)psb_np_of(ctxt), sizeof **count, "lengths"));
    PSB_TRY(psb_agree(ctxt, err));
    psb_err e = psb_gather_5(ctxt, 1, &bytes, *count, 0);
    for (int r = 0; first && r < psb_np_of(ctxt); r++)
        sum += (*count)[r];
    if (first)
        PSB_THEN(e, psb_alloc(&got, (size_t)sum, 1, "log"));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_gatherv(ctxt, bytes, (const char *)own, got, *count, 0));
    if (e != PSB_OK) {
        psb_free(got);
        psb_free(*count);
        *count = NULL;
        return e;
    }
    for (int r = 0; first && r < psb_np_of(ctxt); r++)
        (*count)[r] /= (psb_epk)size;
    *(void **)all = got;
    return PSB_OK;
}

static bool same_call(const struct call *a, const struct call *b)
{
    return strcmp(a->stage, b->stage) == 0 && strcmp(a->name, b->name) == 0;
}

static void add_call(struct call *to, const struct call *from)
{
    to->times = to->times > from->times ? to->times : from->times;
    to->items = to->items > from->items ? to->items : from->items;
    to->most = to->most > from->most ? to->most : from->most;
    to->least = to->least < from->least ? to->least : from->least;
    to->bytes += from->bytes;
    to->flops += from->flops;
    to->device |= from->device;
    to->used += from->used;
}

/* One line per name: those of a process, which may have a name twice, are added first. */
static int merge_calls(struct call *c, psb_epk n)
{
    int m = 0;
    for (psb_epk i = 0; i < n; i++) {
        int k = 0;
        while (k < m && !same_call(&c[k], &c[i]))
            k++;
        if (k < m)
            add_call(&c[k], &c[i]);
        else
            c[m++] = c[i];
    }
    return m;
}

static int by_time(const void *x, const void *y)
{
    const struct call *a = x, *b = y;
    const int stage = strcmp(a->stage, b->stage);
    return stage ? stage : a->most < b->most ? 1 : a->most > b->most ? -1 : strcmp(a->name, b->name);
}

static psb_err gather_calls(psb_ctxt *ctxt, struct log *log)
{
    struct call *own = NULL;
    psb_epk *count = NULL;
    int n = 0;
    const psb_err err = own_calls(false, &own, &n);
    const psb_err e = gather_bytes(ctxt, err == PSB_OK ? merge_calls(own, n) : 0, sizeof *own, own,
                                   &log->call, &count, err);
    psb_free(own);
    PSB_TRY(e);
    psb_epk sum = 0;
    for (int r = 0; count && r < log->np; r++)
        sum += count[r];
    psb_free(count);
    log->n = merge_calls(log->call, sum);
    for (int i = 0; i < log->n; i++)
        if (log->call[i].used < log->np)
            log->call[i].least = 0;
    if (log->n > 0)
        qsort(log->call, (size_t)log->n, sizeof *log->call, by_time);
    return PSB_OK;
}

/* The times are those of the process with most. */
static psb_err gather_notes(psb_ctxt *ctxt, struct log *log)
{
    int n;
    psb_epk *count = NULL, sum = 0;
    const struct psb_note *own = psb_notes(&n);
    PSB_TRY(gather_bytes(ctxt, n, sizeof *own, own, &log->note, &count, PSB_OK));
    for (int r = 0; count && r < log->np; r++)
        sum += count[r];
    psb_free(count);
    for (psb_epk i = 0; i < sum; i++) {
        struct psb_note *to = log->note;
        while (to < log->note + log->nnotes && strcmp(to->text, log->note[i].text) != 0)
            to++;
        if (to == log->note + log->nnotes)
            log->note[log->nnotes++] = log->note[i];
        else if (to->times < log->note[i].times)
            to->times = log->note[i].times;
    }
    return PSB_OK;
}

/* The bytes a second that copies of all processes at once read and write; 0 without memory. */
static psb_err measure_copy(psb_ctxt *ctxt, double *rate)
{
    enum { BYTES = 32 * MIB, TIMES = 3 };
    char *a = NULL, *b = NULL;
    psb_expect_errors(1);
    const bool able = psb_alloc_zero(&a, BYTES, 1, "copy") == PSB_OK &&
                      psb_alloc_zero(&b, BYTES, 1, "copy") == PSB_OK;
    psb_expect_errors(0);
    psb_err e = PSB_OK;
    *rate = 0;
    for (int i = 0; i < TIMES && e == PSB_OK; i++) {
        e = psb_barrier(ctxt);
        const double since = psb_clock();
        if (able)
            memcpy(i % 2 ? a : b, i % 2 ? b : a, BYTES);
        const double now = able ? 2. * BYTES / (psb_clock() - since) : 0;
        *rate = now > *rate ? now : *rate;
    }
    psb_free(a);
    psb_free(b);
    PSB_TRY(e);
    return psb_sum(ctxt, 1, rate, 0);
}

static psb_err gather_sums(psb_ctxt *ctxt, struct log *log)
{
    struct rusage usage;
    const struct psb_traffic sent = psb_traffic(ctxt);
    const struct psb_transfer_counts moved = psb_transfers(NULL);
    long long sums[] = {
        sent.messages, sent.bytes, moved.puts, moved.put_bytes, moved.gets, moved.get_bytes
    };
    double most[] = { psb_recorded_seconds(), 0 };
    most[1] = getrusage(RUSAGE_SELF, &usage) == 0 ? 1024. * (double)usage.ru_maxrss : 0;
    PSB_TRY(psb_sum(ctxt, 6, sums, 0));
    for (int i = 0; i < PSB_OWNERS; i++) {
        log->most_held[i][0] = (double)psb_dual_most((enum psb_owner)i, PSB_HOST);
        log->most_held[i][1] = (double)psb_dual_most((enum psb_owner)i, PSB_DEV);
    }
    PSB_TRY(psb_max(ctxt, 2, most, 0));
    PSB_TRY(psb_max(ctxt, 2 * PSB_OWNERS, &log->most_held[0][0], 0));
    log->messages = sums[0];
    log->bytes = sums[1];
    log->moved = (struct psb_transfer_counts){ sums[2], sums[4], sums[3], sums[5] };
    log->seconds = most[0];
    log->most_memory = most[1];
    return PSB_OK;
}

/* --- text ----------------------------------------------------------------------------------------------- */

/* Print x in `wide` characters, or a dash if it is 0, not known. */
static void print_known(const char *format, int wide, double x, FILE *to)
{
    if (x > 0)
        fprintf(to, format, x);
    else
        fprintf(to, "%*s", wide, "-");
}

static void print_call(const struct call *c, double copy, FILE *to)
{
    const double s = c->most > 0 && !c->device ? c->most : INFINITY;
    fprintf(to, "  %-*s %9.0f %9.4f", NAME - 8, c->name, c->times, c->most);
    print_known(" %7.2f", 8, c->least > 0 ? c->most / c->least : 0, to);
    print_known(" %8.2f", 9, 1e-9 * c->flops / s, to);
    print_known(" %8.2f", 9, 1e-9 * c->bytes / s, to);
    print_known(" %6.0f %%", 9, copy > 0 ? 100 * c->bytes / s / copy : 0, to);
    fprintf(to, c->items > 0 ? "  %.0f iterations\n" : "\n", c->items);
}

static void print_calls(const struct log *log, int lines, FILE *to)
{
    const char *stage = "";
    int line = 0, left_out = 0;
    for (int i = 0; i < log->n; i++) {
        if (strcmp(stage, log->call[i].stage) != 0) {
            stage = log->call[i].stage;
            line = 0;
            fprintf(to, "\nstage %-*s %9s %9s %7s %8s %8s %8s\n", NAME - 12, stage, "times", "seconds",
                    "max/min", "GFLOP/s", "GB/s", "of copy");
        }
        if (line++ < lines)
            print_call(&log->call[i], log->copy, to);
        else
            left_out++;
    }
    if (left_out)
        fprintf(to, "\n%d calls that take less time: PSB_LOG=summary:FILE\n", left_out);
}

/* What arrays took at most on a side, and what was chosen. */
static void print_held(const struct log *log, int side, FILE *to)
{
    bool some = false;
    for (int i = 0; i < PSB_OWNERS; i++)
        if (log->most_held[i][side] > 0) {
            fprintf(to, "%s %s %.3f MB",
                    some   ? ","
                    : side ? "on its device:"
                           : "arrays at most:",
                    owners[i], 1e-6 * log->most_held[i][side]);
            some = true;
        }
    if (some)
        fputc('\n', to);
}

static void print_notes(const struct log *log, FILE *to)
{
    for (int i = 0; i < log->nnotes; i++) {
        fputs(log->note[i].text, to);
        if (log->note[i].times > 1)
            fprintf(to, ", %lld times", log->note[i].times);
        fputc('\n', to);
    }
}

static void print_text(const struct log *log, int lines, FILE *to)
{
    fprintf(to,
            "psb: %d process%s, %.3f s; seconds of the slowest process, with calls inside; copies of all: "
            "%.3g GB/s\n",
            log->np, log->np > 1 ? "es" : "", log->seconds, 1e-9 * log->copy);
    print_calls(log, lines, to);
    fprintf(to, "\nmessages: %lld, %.3f MB, %.0f bytes each", log->messages, 1e-6 * (double)log->bytes,
            (double)log->bytes / (double)(log->messages ? log->messages : 1));
    if (log->moved.puts + log->moved.gets > 0)
        fprintf(to, "; to devices: %lld, %.3f MB; to hosts: %lld, %.3f MB", log->moved.puts,
                1e-6 * (double)log->moved.put_bytes, log->moved.gets, 1e-6 * (double)log->moved.get_bytes);
    fprintf(to, "; memory of a process: at most %.1f MB\n", 1e-6 * log->most_memory);
    print_held(log, 0, to);
    print_held(log, 1, to);
    print_notes(log, to);
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void print_string(const char *s, FILE *to)
{
    fputc('"', to);
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            fprintf(to, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, to);
    fputc('"', to);
}

static void print_json(const struct log *log, FILE *to)
{
    fprintf(to, "{\"processes\": %d, \"seconds\": %.9g, \"copy_bytes_per_second\": %.9g,\n", log->np,
            log->seconds, log->copy);
    fprintf(to, "\"messages\": %lld, \"message_bytes\": %lld,\n", log->messages, log->bytes);
    fprintf(to,
            "\"to_device\": %lld, \"to_device_bytes\": %lld, \"to_host\": %lld, \"to_host_bytes\": %lld,\n",
            log->moved.puts, log->moved.put_bytes, log->moved.gets, log->moved.get_bytes);
    fprintf(to, "\"most_memory_bytes\": %.0f,\n\"most_array_bytes\": {", log->most_memory);
    for (int i = 0; i < PSB_OWNERS; i++)
        fprintf(to, "%s\"%s\": {\"host\": %.0f, \"device\": %.0f}", i ? ",\n" : "\n", owners[i],
                log->most_held[i][0], log->most_held[i][1]);
    fputs("},\n\"choices\": [", to);
    for (int i = 0; i < log->nnotes; i++) {
        fputs(i ? ",\n{\"choice\": " : "\n{\"choice\": ", to);
        print_string(log->note[i].text, to);
        fprintf(to, ", \"times\": %lld}", log->note[i].times);
    }
    fputs("],\n\"calls\": [", to);
    for (int i = 0; i < log->n; i++) {
        const struct call *c = &log->call[i];
        fputs(i ? ",\n{\"stage\": " : "\n{\"stage\": ", to);
        print_string(c->stage, to);
        fputs(", \"call\": ", to);
        print_string(c->name, to);
        fprintf(to, ", \"times\": %.0f, \"most_seconds\": %.9g, \"least_seconds\": %.9g", c->times, c->most,
                c->least);
        fprintf(to, ", \"bytes\": %.0f, \"flops\": %.0f, \"iterations\": %.0f, \"device\": %s}", c->bytes,
                c->flops, c->items, c->device ? "true" : "false");
    }
    fputs("\n]}\n", to);
}

static psb_err check_stream(psb_ctxt *ctxt, int item, const char *name, FILE *to)
{
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_err e = psb_logs(item)
                    ? PSB_OK
                    : PSB_FAIL(PSB_ESTATE, "PSB_LOG has no item %s; expected one, there or by psb_log_set",
                               name);
    if (e == PSB_OK && psb_rank_of(ctxt) == 0 && !to)
        e = PSB_FAIL(PSB_EARG, "argument to is NULL; expected a file on process 0");
    return psb_agree(ctxt, e);
}

static psb_err written(psb_ctxt *ctxt, FILE *to)
{
    const bool lost = psb_rank_of(ctxt) == 0 && (fflush(to) != 0 || ferror(to));
    return psb_agree(ctxt, lost ? PSB_FAIL(PSB_EIO, "the log cannot be written") : PSB_OK);
}

static psb_err check_form(enum psb_log_form form)
{
    PSB_CHECK(form == PSB_LOG_SCREEN || form == PSB_LOG_TEXT || form == PSB_LOG_JSON, PSB_EARG,
              "argument form is %d; expected PSB_LOG_SCREEN, PSB_LOG_TEXT or PSB_LOG_JSON", (int)form);
    return PSB_OK;
}

psb_err psb_log_summary(psb_ctxt *ctxt, enum psb_log_form form, FILE *to)
{
    struct log log = { .n = 0 };
    PSB_TRY(check_stream(ctxt, PSB_LOGS_SUMMARY, "summary", to));
    PSB_TRY(psb_agree(ctxt, check_form(form)));
    log.np = psb_np_of(ctxt);
    psb_err e = gather_calls(ctxt, &log);
    PSB_THEN(e, gather_notes(ctxt, &log));
    PSB_THEN(e, gather_sums(ctxt, &log));
    PSB_THEN(e, measure_copy(ctxt, &log.copy));
    if (e == PSB_OK && psb_rank_of(ctxt) == 0) {
        if (form == PSB_LOG_JSON)
            print_json(&log, to);
        else
            print_text(&log, form == PSB_LOG_TEXT ? log.n : SCREEN_LINES, to);
    }
    psb_free(log.call);
    psb_free(log.note);
    PSB_TRY(e);
    return PSB_PASS(written(ctxt, to));
}

/* --- traces --------------------------------------------------------------------------------------------- */

/* The spans of process r, with its names; exchanges have a line of their own, since calls run meanwhile. */
static void print_spans(int r, const struct call *name, const struct psb_span *s, psb_epk n, double zero,
                        FILE *to)
{
    fprintf(
        to,
        "%s{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": {\"name\": \"process %d\"}}",
        r ? ",\n" : "", r, r);
    fprintf(to, ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": 1, ", r);
    fputs("\"args\": {\"name\": \"exchanges\"}}", to);
    for (psb_epk i = 0; i < n; i++) {
        const struct call *c = &name[s[i].event];
        fputs(",\n{\"name\": ", to);
        print_string(c->name, to);
        fputs(", \"cat\": ", to);
        print_string(c->stage, to);
        fprintf(to, ", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f}", r,
                strcmp(c->name, "halo under way") == 0, 1e6 * (s[i].from - zero),
                1e6 * (s[i].to - s[i].from));
    }
}

/* Clocks are compared where all leave a barrier; ts 0 is when the first process began to record. */
static psb_err zero_of(psb_ctxt *ctxt, double *zero)
{
    PSB_TRY(psb_barrier(ctxt));
    const double now = psb_clock();
    double span = psb_recorded_seconds();
    PSB_TRY(psb_max(ctxt, 1, &span, -1));
    *zero = now - span;
    return PSB_OK;
}

psb_err psb_log_trace(psb_ctxt *ctxt, FILE *to)
{
    struct call *own = NULL, *call = NULL;
    struct psb_span *span = NULL;
    double zero, *zeros = NULL;
    psb_epk *names = NULL, *count = NULL;
    long nspans, lost;
    int n = 0;
    PSB_TRY(check_stream(ctxt, PSB_LOGS_TRACE, "trace", to));
    const struct psb_span *mine = psb_spans(&nspans, &lost);
    psb_err e = zero_of(ctxt, &zero);
    PSB_THEN(e, psb_alloc(&zeros, (size_t)psb_np_of(ctxt), sizeof *zeros, "clocks"));
    PSB_THEN(e, own_calls(true, &own, &n));
    e = gather_bytes(ctxt, n, sizeof *own, own, &call, &names, e);
    PSB_THEN(e, gather_bytes(ctxt, nspans, sizeof *mine, mine, &span, &count, PSB_OK));
    PSB_THEN(e, psb_gather_5(ctxt, 1, &zero, zeros, 0));
    psb_lpk missing = lost;
    PSB_THEN(e, psb_sum(ctxt, 1, &missing, 0));
    if (e == PSB_OK && count) {
        psb_epk at = 0;
        fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", to);
        for (int r = 0; r < psb_np_of(ctxt); at += count[r++])
            print_spans(r, call + (size_t)r * (size_t)n, span + at, count[r], zeros[r], to);
        fprintf(to, "\n], \"otherData\": {\"spans_left_out\": %lld}}\n", (long long)missing);
    }
    psb_free(own);
    psb_free(call);
    psb_free(span);
    psb_free(zeros);
    psb_free(names);
    psb_free(count);
    PSB_TRY(e);
    return PSB_PASS(written(ctxt, to));
}

/* --- at the start and the end -------------------------------------------------------------------------- */

static bool ends_in(const char *s, const char *end)
{
    return strlen(s) >= strlen(end) && strcmp(s + strlen(s) - strlen(end), end) == 0;
}

/* The file of the item of PSB_LOG, "" for stderr. */
static psb_err item_path(const char *item, char path[PSB_LOG_PATH])
{
    PSB_TRY(psb_log_file(item, path));
    PSB_CHECK(*path || strcmp(item, "trace") != 0, PSB_EARG,
              "PSB_LOG has the item trace; expected trace:FILE");
    return PSB_OK;
}

/* Check that the item can be written at the end; no new file is left. */
static psb_err check_item(const char *item)
{
    char path[PSB_LOG_PATH];
    struct stat about;
    PSB_TRY(item_path(item, path));
    const bool there = lstat(path, &about) == 0;
    if (!*path || (there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
        return PSB_OK;
    FILE *f = fopen(path, "a");
    PSB_CHECK(f, PSB_EIO, "%s cannot be written, which PSB_LOG names: %s", path, strerror(errno));
    fclose(f);
    if (!there)
        remove(path);
    return PSB_OK;
}

static void tell_no_log(void)
{
    psb_log_line(PSB_LOGS_ERRORS, "no log: %s", psb_errmsg());
}

void psb_log_at_start(const psb_ctxt *ctxt)
{
    const bool first = psb_rank_of(ctxt) == 0;
    psb_log_open();
    if (first && psb_logs(PSB_LOGS_SUMMARY) && check_item("summary") != PSB_OK)
        tell_no_log();
    if (first && psb_logs(PSB_LOGS_TRACE) && check_item("trace") != PSB_OK)
        tell_no_log();
}

/* Write the item to its file, or to stderr. */
static psb_err write_item(psb_ctxt *ctxt, const char *item)
{
    char path[PSB_LOG_PATH] = "";
    const bool first = psb_rank_of(ctxt) == 0, trace = strcmp(item, "trace") == 0;
    psb_err e = item_path(item, path);
    FILE *to = e != PSB_OK || !first ? NULL : *path ? fopen(path, "w") : stderr;
    if (e == PSB_OK && first && !to)
        e = PSB_FAIL(PSB_EIO, "%s cannot be written, which PSB_LOG names", path);
    e = psb_agree(ctxt, e);
    PSB_THEN(e, trace ? psb_log_trace(ctxt, to)
                      : psb_log_summary(ctxt,
                                        !*path                   ? PSB_LOG_SCREEN
                                        : ends_in(path, ".json") ? PSB_LOG_JSON
                                                                 : PSB_LOG_TEXT,
                                        to));
    if (to && to != stderr && fclose(to) != 0 && e == PSB_OK)
        e = PSB_FAIL(PSB_EIO, "%s cannot be written, which PSB_LOG names", path);
    return e;
}

void psb_log_at_exit(psb_ctxt *ctxt)
{
    psb_err e = psb_logs(PSB_LOGS_SUMMARY) ? write_item(ctxt, "summary") : PSB_OK;
    if (e == PSB_OK && psb_logs(PSB_LOGS_TRACE))
        e = write_item(ctxt, "trace");
    if (e != PSB_OK && psb_rank_of(ctxt) == 0)
        tell_no_log();
    psb_events_reset();
}

void psb_log_reset(void)
{
    psb_events_reset();
    psb_tell(psb_log_set(NULL));
}
