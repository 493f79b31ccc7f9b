/* check_ctxt.c -- test: contexts, agreement, counters and timers. */
#include "config.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_trace.h"
#include "check_ctxt.h"
#include "psb_log.h"
#include "psb_timers.h"

/* --- elements of every kind --- */

double _Complex element(enum psb_kind kind, int r, int i)
{
    int re = (r * 7 + i * 3 + r * i) % 11 - 5, im = (r + 2 * i) % 5 - 2;
    if (kind == PSB_KIND_b)
        return re > 0;
    if (kind == PSB_KIND_h)
        return 'k' + re;
    if (kind == PSB_KIND_u)
        return re + 5;
    return kind == PSB_KIND_c || kind == PSB_KIND_z ? CMPLX(re, im) : re;
}

/* clang-format off */
#define EACH_KIND(X) \
    X(i, psb_ipk) X(l, psb_lpk) X(s, float) X(d, double) X(c, float _Complex) X(z, double _Complex) \
    X(b, bool) X(h, char) X(u, size_t) X(i1, int8_t) X(i2, int16_t)
#define GET(kind, type) case PSB_KIND_##kind: return ((const type *)x)[i];
#define SET(kind, type) case PSB_KIND_##kind: ((type *)x)[i] = (type)value; break;
/* clang-format on */

double _Complex get(enum psb_kind kind, const void *x, psb_epk i)
{
    switch (kind) {
        EACH_KIND(GET)
    default:
        return NAN;
    }
}

void set(enum psb_kind kind, void *x, psb_epk i, double _Complex value)
{
    switch (kind) {
        EACH_KIND(SET)
    default:
        break;
    }
}

static double _Complex guard(enum psb_kind kind)
{
    return kind == PSB_KIND_b ? 1 : 42;
}

void fill(enum psb_kind kind, void *x, int r, psb_epk n)
{
    for (psb_epk i = 0; i < n; i++)
        set(kind, x, i, element(kind, r, (int)i));
    set(kind, x, n, guard(kind));
}

void check_guard(enum psb_kind kind, const void *x, psb_epk n)
{
    EXPECT(get(kind, x, n) == guard(kind));
}

void check_unchanged(enum psb_kind kind, const void *x, int r, psb_epk n)
{
    for (psb_epk i = 0; i < n; i++)
        EXPECT(get(kind, x, i) == element(kind, r, (int)i));
    check_guard(kind, x, n);
}

psb_err waited(psb_err e, psb_request **req)
{
    return e == PSB_OK ? psb_wait(req) : e;
}

/* --- contexts --- */

/* Check a sum of ranks on a context. */
static void check_sum(psb_ctxt *c)
{
    int rank, size, sum;
    psb_info(c, &rank, &size);
    sum = rank;
    GOOD(psb_sum(c, 1, &sum, -1));
    EXPECT(sum == size * (size - 1) / 2);
}

/* Each process is in three contexts; the middle one is freed first. */
TEST(overlapping_contexts)
{
    psb_ctxt *c[3] = { NULL };
    const int colour[] = { me % 2, me / 2, 0 };
    for (int k = 0; k < 3; k++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, colour[k], -me, &comm);
        GOOD(psb_init_comm(&c[k], comm));
        MPI_Comm_free(&comm);
    }
    double x[3] = { 1, 1, 1 };
    psb_request *req[3] = { NULL };
    for (int k = 0; k < 3; k++)
        GOOD(psb_sum_start(c[k], 1, &x[k], -1, &req[k]));
    for (int k = 2; k >= 0; k--)
        GOOD(psb_wait(&req[k]));
    for (int k = 0; k < 3; k++) {
        int size;
        psb_info(c[k], NULL, &size);
        EXPECT(x[k] == size);
    }
    psb_exit(c[1]);
    check_sum(c[0]);
    check_sum(ctxt);
    check_sum(c[2]);
    psb_exit(c[2]);
    check_sum(c[0]);
    psb_exit(c[0]);
    check_sum(ctxt);
}

/* An error on one context does not affect another. */
TEST(errors_of_one_context)
{
    psb_ctxt *c = NULL;
    MPI_Comm comm;
    double x = 1;
    MPI_Comm_split(MPI_COMM_WORLD, me > 0, me, &comm);
    GOOD(psb_init_comm(&c, comm));
    MPI_Comm_free(&comm);
    psb_err e = psb_sum(c, me == 0 ? -1 : 1, &x, -1);
    EXPECT((e == PSB_EARG) == (me == 0));
    check_sum(ctxt);
    check_sum(c);
    psb_exit(c);
}

TEST(null_context)
{
    psb_ctxt *const none = NULL;
    const char *null_ctxt = "argument ctxt is NULL; expected a context";
    double x = 0, y;
    psb_epk one = 1;
    psb_request *req = NULL;
    int rank = 7, size = 7;
    psb_info(none, &rank, &size);
    EXPECT(rank == -1 && size == -1);
    psb_info(ctxt, NULL, NULL);
    EXPECT(psb_comm_of(none) == MPI_COMM_NULL);
    psb_exit(none);
    psb_traffic_reset(none);
    EXPECT(psb_traffic(none).messages == 0);
    BAD(psb_barrier(none), PSB_EARG, null_ctxt);
    BAD(psb_agree(none, PSB_OK), PSB_EARG, null_ctxt);
    BAD(psb_sum(none, 1, &x, 0), PSB_EARG, null_ctxt);
    BAD(psb_scan_sum(none, 1, &x), PSB_EARG, null_ctxt);
    BAD(psb_bcast(none, 1, &x, 0), PSB_EARG, null_ctxt);
    BAD(psb_sum_start(none, 1, &x, 0, &req), PSB_EARG, null_ctxt);
    BAD(psb_scan_sum_start(none, 1, &x, &req), PSB_EARG, null_ctxt);
    BAD(psb_bcast_start(none, 1, &x, 0, &req), PSB_EARG, null_ctxt);
    BAD(psb_gather(none, 1, &x, &y, 0), PSB_EARG, null_ctxt);
    BAD(psb_gatherv(none, 1, &x, &y, &one, 0), PSB_EARG, null_ctxt);
    BAD(psb_snd(none, 1, &x, 0, 0), PSB_EARG, null_ctxt);
    BAD(psb_rcv(none, 1, &x, 0, 0), PSB_EARG, null_ctxt);
    BAD(psb_print_timers(none, -1, stdout), PSB_EARG, null_ctxt);
    EXPECT(!req);
}

TEST(context_allocation_fails)
{
    psb_ctxt *c = NULL;
    int last = me == np - 1;
    BAD(psb_init_comm(&c, MPI_COMM_NULL), PSB_EARG, "argument comm is MPI_COMM_NULL");
    BAD(psb_init(last ? NULL : &c), PSB_EARG, last ? "argument ctxt is NULL" : "another process");
    BAD(psb_init_comm(last ? NULL : &c, MPI_COMM_WORLD), PSB_EARG,
        last ? "argument ctxt is NULL" : "another process");
    psb_alloc_fail_at(last);
    BAD(psb_init(&c), PSB_ENOMEM, last ? "no memory for context" : "another process");
    EXPECT(!c);
    GOOD(psb_init(&c));
    check_sum(c);
    psb_exit(c);
    if (np > 1) {
        MPI_Comm half, inter;
        MPI_Comm_split(MPI_COMM_WORLD, me > 0, me, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me > 0 ? 0 : 1, 1, &inter);
        c = NULL;
        BAD(psb_init_comm(&c, inter), PSB_EARG, "argument comm is an intercommunicator");
        EXPECT(!c);
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
}

/* --- agreement --- */

TEST(agreement)
{
    char named[60];
    for (int who = 0; who < np; who++) {
        psb_err e = me >= who ? PSB_FAIL(PSB_EIO, "the file of process %d", me) : PSB_OK;
        BAD(psb_agree(ctxt, e), PSB_EIO, "the file of process %d", me >= who ? me : who);
        snprintf(named, sizeof named, "on process %d: ", who);
        EXPECT(me >= who || strstr(psb_errmsg(), named));
        GOOD(psb_agree(ctxt, PSB_OK));
        BAD(psb_agree_on(ctxt, 7, 1, e), PSB_EIO, "the file of process");
    }
}

/* Values that must be equal on all processes. */
TEST(agreement_on_values)
{
    GOOD(psb_agree_on(ctxt, INT64_MAX, -1, PSB_OK));
    GOOD(psb_agree_on(ctxt, INT64_MIN, INT_MAX, PSB_OK));
    BAD(psb_agree_on(NULL, 1, 1, PSB_OK), PSB_EARG, "argument ctxt is NULL");
    for (int who = 0; who < np && np > 1; who++) {
        BAD(psb_agree_on(ctxt, me == who ? 5 : 6, 0, PSB_OK), PSB_EARG, "argument n is ");
        BAD(psb_agree_on(ctxt, 5, me == who ? 3 : 2, PSB_OK), PSB_EARG, "argument root is ");
    }
}

/* Long error messages are truncated. */
TEST(long_error_messages)
{
    char giant[2000];
    memset(giant, 'x', sizeof giant - 1);
    giant[sizeof giant - 1] = '\0';
    psb_err e = me == 0 ? PSB_FAIL(PSB_EIO, "%s", giant) : PSB_OK;
    BAD(psb_agree(ctxt, e), PSB_EIO, "xxxxxxxxxx");
}

/* --- counters --- */

TEST(traffic)
{
    double x = 1, many[LONG] = { 0 };
    struct psb_msg out = { (me + 1) % np, 24, many }, *in = NULL;
    int nin, rounds = 0;
    while (np > 1 << rounds)
        rounds++;
    psb_traffic_reset(ctxt);
    EXPECT(psb_traffic(ctxt).messages == 0 && psb_traffic(ctxt).bytes == 0);
    GOOD(psb_sum(ctxt, 1, &x, -1));
    struct psb_traffic t = psb_traffic(ctxt);
    EXPECT(np & (np - 1) ? t.messages <= rounds : t.messages == rounds);
    EXPECT(t.bytes == 128 * t.messages);
    GOOD(psb_sum(ctxt, LONG, many, -1));
    EXPECT(psb_traffic(ctxt).bytes - t.bytes == t.messages * (128 + (long long)sizeof many));
    psb_traffic_reset(ctxt);
    GOOD(psb_exchange(ctxt, &out, 1, &in, &nin));
    psb_msgs_free(in, nin);
    EXPECT(psb_traffic(ctxt).messages == 1 && psb_traffic(ctxt).bytes == 24);
    psb_traffic_reset(ctxt);
    GOOD(psb_snd(ctxt, 1, &x, (me + 1) % np, 0));
    EXPECT(psb_traffic(ctxt).messages == 1 && psb_traffic(ctxt).bytes == 16 + 8);
    GOOD(psb_rcv(ctxt, 1, &x, (me + np - 1) % np, 0));
    EXPECT(psb_traffic(ctxt).messages == 1);
}

/* --- timers --- */

static void busy_wait(double seconds)
{
    for (double until = psb_wtime() + seconds; psb_wtime() < until;)
        ;
}

/* Read the table that process 0 printed. */
static void printed(int idx, char *text, size_t size)
{
    FILE *f = me == 0 ? tmpfile() : NULL;
    GOOD(psb_print_timers(ctxt, idx, f));
    text[0] = '\0';
    if (f) {
        rewind(f);
        text[fread(text, 1, size - 1, f)] = '\0';
        fclose(f);
    }
}

TEST(timers)
{
    char text[2000];
    int a, b, c, again, lines = 0, calls = 0;
    double seconds, least = 0, average = 0, most = 0;
    long long n;
    GOOD(psb_get_timer_idx("product", &a));
    GOOD(psb_get_timer_idx(me == 0 ? "a name that is rather longer than the others" : "elsewhere", &b));
    GOOD(psb_get_timer_idx("product", &again));
    EXPECT(a == again && a != b);
    psb_reset_timers();
    for (int k = 0; k < 3 + (me == 0); k++) {
        GOOD(psb_tic(a));
        GOOD(psb_tic(b));
        busy_wait(0.001 * (me + 1));
        GOOD(psb_toc(b));
        GOOD(psb_toc(a));
    }
    GOOD(psb_get_timer(a, &n, &seconds));
    EXPECT(n == 3 + (me == 0) && seconds >= 0.001 * (me + 1) * (double)n);
    GOOD(psb_get_timer(a, NULL, NULL));
    printed(-1, text, sizeof text);
    if (me == 0) {
        for (char *p = text; *p; p++)
            lines += *p == '\n';
        EXPECT(lines >= 3 && strncmp(text, "timer ", 6) == 0);
        const char *row = strstr(text, "\nproduct ");
        EXPECT(row && sscanf(row, " product %d %lf %lf %lf", &calls, &least, &average, &most) == 4);
        EXPECT(calls == 4 && least <= average && average <= most && most >= 0.003 * np);
        row = strstr(text, "\na name");
        EXPECT(row && sscanf(row + 45, "%d %lf %lf %lf", &calls, &least, &average, &most) == 4);
        EXPECT(calls == 4 && (np == 1 ? least > 0 : least == 0) && most >= 0.004);
    }
    printed(a, text, sizeof text);
    EXPECT(me > 0 || (strstr(text, "product") && !strstr(text, "a name")));
    GOOD(psb_get_timer_idx("left running", &c));
    GOOD(psb_tic(a));
    GOOD(psb_tic(c));
    psb_toc_all();
    BAD(psb_toc(a), PSB_ESTATE, "does not run");
    psb_reset_timers();
    GOOD(psb_get_timer(a, &n, &seconds));
    EXPECT(n == 0 && seconds == 0);
}

/* Stages nest, and keep what each process has recorded; the summary has those of all processes. */
TEST(stages)
{
    static char text[8000];
    const char *last = me == np - 1 ? "on the last \"one\"" : "assembly";
    double one = 1;
    setenv("PSB_LOG", "summary", 1);
    psb_log_reset();
    GOOD(psb_stage_push("assembly"));
    GOOD(psb_sum(ctxt, 1, &one, -1));
    GOOD(psb_stage_push(last));
    psb_record(&(struct psb_range){
        .of = "work", .what = "of it", .since = psb_clock() - 2, .bytes = 1e9, .items = 7 });
    GOOD(psb_stage_pop());
    GOOD(psb_stage_pop());
    psb_record(&(struct psb_range){ .of = "psb_d_thing", .what = "", .since = psb_clock() - 1 });
    FILE *f = me == 0 ? tmpfile() : NULL;
    GOOD(psb_log_summary(ctxt, PSB_LOG_JSON, f));
    if (f) {
        rewind(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        EXPECT(strstr(text,
                      "{\"stage\": \"on the last \\\"one\\\"\", \"call\": \"work of it\", \"times\": 1, ") !=
               NULL);
        EXPECT(!strstr(text, "\"stage\": \"assembly\", \"call\": \"work of it\"") == (np == 1));
        EXPECT(
            strstr(text, "\"stage\": \"main\", \"call\": \"psb_thing\", \"times\": 1, \"most_seconds\": 1") !=
            NULL);
    }
    BAD(psb_log_trace(ctxt, stdout), PSB_ESTATE, "PSB_LOG has no item trace");
    BAD(psb_log_summary(ctxt, PSB_LOG_TEXT, NULL), PSB_EARG,
        "argument to is NULL; expected a file on process 0");
    BAD(psb_log_summary(ctxt, (enum psb_log_form)(me == np - 1 ? 3 : PSB_LOG_TEXT), stdout), PSB_EARG,
        "argument form is 3; expected PSB_LOG_SCREEN, PSB_LOG_TEXT or PSB_LOG_JSON");
    unsetenv("PSB_LOG");
    psb_log_reset();
    BAD(psb_log_summary(ctxt, PSB_LOG_TEXT, stdout), PSB_ESTATE, "PSB_LOG has no item summary");
}

TEST(wrong_stages)
{
    char name[3];
    psb_log_reset();
    BAD(psb_stage_push(NULL), PSB_EARG, "argument name is NULL");
    BAD(psb_stage_push(""), PSB_EARG, "argument name is empty");
    BAD(psb_stage_push("a name of more than thirty-one bytes"), PSB_EARG, "expected fewer than 32 bytes");
    BAD(psb_stage_pop(), PSB_ESTATE, "no stage is open");
    int open = 0;
    while (psb_stage_push("deep") == PSB_OK)
        open++;
    EXPECT(open == 15);
    while (open-- > 0)
        GOOD(psb_stage_pop());
    for (int i = 2; i < 32; i++) { /* "main" and "deep" are two */
        snprintf(name, sizeof name, "%d", i);
        GOOD(psb_stage_push(name));
        GOOD(psb_stage_pop());
    }
    BAD(psb_stage_push("one more"), PSB_ENOMEM, "no space for a stage \"one more\"; expected at most 32");
    psb_log_reset();
}

static void work(void)
{
    const struct psb_range range = psb_range_begin(NULL, "work", "of it");
    psb_range_end(&range);
}

static int lines_received;

static int refuse(enum psb_log_level level, const char *line, void *data)
{
    (void)level, (void)line, (void)data;
    lines_received++;
    return 1;
}

/* Calls, and an error of one process, in a file of each process; one that all write. */
TEST(logs_of_processes)
{
    char path[40], line[300], who[40];
    int calls = 0, own = 0, of_last = 0, wrong = 0;
    GOOD(psb_log_set("call,file:check_ctxt.log.%i"));
    work();
    EXPECT(psb_agree(ctxt, me == np - 1 ? PSB_FAIL(PSB_EIO, "no disk") : PSB_OK) == PSB_EIO);
    GOOD(psb_log_set("errors,file:check_ctxt.log"));
    if (me == np - 1)
        EXPECT(PSB_FAIL(PSB_EIO, "no tape") == PSB_EIO);
    GOOD(psb_log_set(NULL));
    snprintf(path, sizeof path, "check_ctxt.log.%d", me);
    snprintf(who, sizeof who, np > 1 ? "psb: process %d: " : "psb: ", me);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        own += strncmp(line, who, strlen(who)) == 0;
        wrong += strncmp(line, who, strlen(who)) != 0;
        calls += strstr(line, "call: work of it: ") != NULL;
        of_last += strstr(line, "no disk\n") && strstr(line, ": error: ");
    }
    EXPECT(f && own >= 2 && !wrong && calls >= 1 && of_last == 1);
    if (f)
        fclose(f);
    remove(path);
    GOOD(psb_barrier(ctxt));
    f = me == 0 ? fopen("check_ctxt.log", "r") : NULL;
    snprintf(who, sizeof who, np > 1 ? "psb: process %d: error: " : "psb: error: ", np - 1);
    EXPECT(me > 0 || (f && fgets(line, sizeof line, f) && strncmp(line, who, strlen(who)) == 0));
    if (f)
        fclose(f);
    if (me == 0)
        remove("check_ctxt.log");
    psb_clean_errstack();
}

/* The callback of one process fails: the calls go on everywhere. */
TEST(log_callback_fails)
{
    double one = 1;
    lines_received = 0;
    GOOD(psb_log_set(me == 0 ? "debug,file:/dev/null" : "off"));
    psb_log_set_callback(refuse, NULL);
    for (int i = 0; i < 3; i++) {
        work();
        GOOD(psb_sum(ctxt, 1, &one, -1));
    }
    EXPECT(lines_received == (me == 0));
    psb_log_set_callback(NULL, NULL);
    GOOD(psb_log_set(NULL));
}

TEST(wrong_use_of_timers)
{
    char giant[PSB_TIMER_NAME + 1], name[20];
    int a, idx = -7, last = me == np - 1;
    memset(giant, 'x', PSB_TIMER_NAME);
    giant[PSB_TIMER_NAME] = '\0';
    GOOD(psb_get_timer_idx("misused", &a));
    BAD(psb_get_timer_idx(NULL, &idx), PSB_EARG, "argument name is NULL");
    BAD(psb_get_timer_idx("", &idx), PSB_EARG, "argument name is empty");
    BAD(psb_get_timer_idx(giant, &idx), PSB_EARG, "48 bytes; expected fewer than 48");
    BAD(psb_get_timer_idx("x", NULL), PSB_EARG, "argument idx is NULL");
    BAD(psb_tic(-1), PSB_EARG, "argument idx is -1; expected 0 <= idx < ");
    BAD(psb_tic(PSB_TIMERS), PSB_EARG, "argument idx is 128");
    BAD(psb_toc(-1), PSB_EARG, "argument idx is -1");
    BAD(psb_toc(PSB_TIMERS), PSB_EARG, "argument idx is 128; expected 0 <= idx < ");
    BAD(psb_get_timer(-1, NULL, NULL), PSB_EARG, "argument idx is -1");
    BAD(psb_get_timer(PSB_TIMERS, NULL, NULL), PSB_EARG, "argument idx is 128; expected 0 <= idx < ");
    BAD(psb_toc(a), PSB_ESTATE, "timer \"misused\" does not run; expected psb_tic before");
    GOOD(psb_tic(a));
    BAD(psb_tic(a), PSB_ESTATE, "timer \"misused\" runs; expected psb_toc before");
    if (!last)
        GOOD(psb_toc(a));
    BAD(psb_print_timers(ctxt, -1, stdout), PSB_ESTATE, "timer \"misused\" still runs");
    psb_toc_all();
    BAD(psb_print_timers(ctxt, me == 0 ? -2 : 0, stdout), PSB_EARG,
        "argument idx is -2; expected -1 <= idx < ");
    BAD(psb_print_timers(ctxt, a, NULL), PSB_EARG, "argument to is NULL; expected a file on process 0");
    FILE *full = me == 0 ? fopen("/dev/full", "w") : NULL;
    if (collective_count(full != NULL))
        BAD(psb_print_timers(ctxt, a, full), PSB_EIO, "the table of timers cannot be written");
    if (full)
        fclose(full);
    psb_err e = PSB_OK;
    for (int k = 0; k <= PSB_TIMERS && e == PSB_OK; k++) {
        snprintf(name, sizeof name, "number %d", k);
        e = psb_get_timer_idx(name, &idx);
    }
    BAD(e, PSB_ENOMEM, "no space for a timer \"number ");
    EXPECT(idx == PSB_TIMERS - 1);
}

static Suite *contexts(void)
{
    Suite *s = suite_create("contexts");
    TCase *c = collective_tcase(s, "contexts");
    ck_add_tests(c, overlapping_contexts, errors_of_one_context, null_context, stages, wrong_stages,
                 logs_of_processes, log_callback_fails, context_allocation_fails, agreement,
                 agreement_on_values, long_error_messages, traffic, timers, wrong_use_of_timers);
    add_collective(s);
    add_messages(s);
    return s;
}

int main(void)
{
    return collective_main(contexts);
}
