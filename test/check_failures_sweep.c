/* check_failures_sweep.c -- test: each allocation of each collective call fails on one process.  All
 * processes return, with the same code; of products, which inform neighbours only, the others succeed or
 * report MPI's code. */
#include "config.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_failures.h"
#include "multivector.h"
#include "prec_inside.t.h"

/* --- transports --- */

/* Where matrix and vectors are, and what PSB_HALO is. */
static const struct {
    const char *halo, *hosts;
    int on_device;
} transports[] = {
    { NULL, NULL, 0 },  { "staged", NULL, 1 }, { "mpi", NULL, 1 },
    { "lsa", NULL, 1 }, { "nccl", NULL, 1 },   { "lsa+nccl", "2", 1 },
};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

static void open_transport(int i)
{
    int id = (int)getpid();
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(failing_path, sizeof failing_path, "test/check_failures-%d.mtx", id);
    snprintf(failing_hb_path, sizeof failing_hb_path, "%s/test/data/random.rua",
             getenv("srcdir") ? getenv("srcdir") : ".");
    if (transports[i].hosts)
        play_hosts(transports[i].hosts);
    if (transports[i].halo)
        setenv("PSB_HALO", transports[i].halo, 1);
}

static void close_transport(int i)
{
    if (me == 0)
        remove(failing_path);
    halo_by_default();
    if (transports[i].hosts)
        play_hosts(NULL);
}

/* --- the sweep --- */

static char now[200];       /* what is tried */
static unsigned limit = 60; /* seconds of a call */

/* A call does not return: say which. */
static void late(int sig)
{
    (void)sig;
    (void)!write(STDERR_FILENO, now, strlen(now));
    _exit(EXIT_FAILURE);
}

/* Does the message say that call psb_NAME, or psb_?_NAME, failed with this code? */
static int names(const char *message, const char *name, psb_err code)
{
    const char *call = strstr(message, ": psb_");
    call = call ? call + strlen(": psb_") : "";
    call += call[0] && call[1] == '_' ? 2 : 0; /* the type */
    const char *end = strchr(call, ':');
    return strncmp(call, name, strcspn(name, " ")) == 0 && end && strstr(end, psb_strerror(code)) == end + 2;
}

/* Allocation n of call c fails on process `who` (0: none fails); if that is an error on all, the call
 * succeeds when repeated.  Return the allocations made there if none has failed. */
static long try(const struct call *c, int by, int who, long n)
{
    BENCH b = { .desc = NULL };
    int code[2];
    bench_make(&b, transports[by].on_device, c->columns);
    if (c->prepare)
        c->prepare(&b, c->arg);
    snprintf(now, sizeof now, "process %d waits: %s %s over %s, allocation %ld of process %d fails\n", me,
             c->name, c->arg, transports[by].halo ? transports[by].halo : "the host", n, who);
    psb_alloc_fail_at(n == 0 ? CK_NEVER : me == who ? n : 0);
    const psb_err e = c->run(&b, c->arg);
    long made = n == 0 ? ck_allocations() : 0;
    psb_alloc_fail_at(0);
    code[0] = (int)e;
    code[1] = -(int)e;
    MPI_Allreduce(MPI_IN_PLACE, code, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(&made, 1, MPI_LONG, who, MPI_COMM_WORLD);
    const int may_differ = !c->agrees && (me == who || e == PSB_OK || e == PSB_EMPI);
    EXPECT_SAYING(code[0] == -code[1] || may_differ, "%s here: %s: %s", now, psb_strerror(e), psb_errmsg());
    EXPECT_SAYING(n || e == PSB_OK, "%s: %s", now, psb_errmsg());
    EXPECT_SAYING(e == PSB_OK || names(psb_errmsg(), c->name, e), "%s here: %s", now, psb_errmsg());
    if (e != PSB_OK && code[0] == -code[1])
        GOOD(c->run(&b, c->arg));
    psb_clean_errstack();
    return made;
}

/* Up to 200 allocations, or up to 4 in a sample. */
static void sweep(const struct call *c, int by, struct rng *r)
{
    const int who = np - 1 - rng_below(r, 2) % np, sampled = getenv("CHECK_ZOO") != NULL;
    const long all = try(c, by, who, 0), step = all / (sampled ? 4 : 200) + 1;
    for (long n = 1 + rng_below(r, (int)step); n <= all; n += step) {
        alarm(limit);
        (void)try(c, by, who, n);
    }
}

TEST(allocations_fail)
{
    struct rng r = { (uint64_t)_i };
    const char *seconds = getenv("CK_DEFAULT_TIMEOUT");
    limit = seconds ? (unsigned)atoi(seconds) : limit;
    signal(SIGALRM, late);
    alarm(limit);
    open_transport(_i % TRANSPORTS);
    sweep(&failing_calls[_i / TRANSPORTS], _i % TRANSPORTS, &r);
    close_transport(_i % TRANSPORTS);
}

/* --- a wrong argument --- */

static const char *const kinds[] = { "diag",
                                     "ainv",
                                     "ras",
                                     "as",
                                     "ash",
                                     "chebyshev",
                                     "neumann",
                                     "gs",
                                     "ssor(omega=1.5)",
                                     "diag(precision=single)",
                                     "as(precision=single)",
                                     "amg(coarse=4)" };
enum { KINDS = sizeof kinds / sizeof *kinds, EXCHANGING = 2 /* kinds from here on exchange halos */ };

static psb_err apply_wrongly(const struct bench *b, int what)
{
    return X(precapply)(b->prec, what == 0 ? NULL : b->p.b, what == 1 ? NULL : b->p.x, what == 2 ? '?' : 'N');
}

/* A wrong argument on one process, at the first application and later: no process waits for it until the time
 * limit, a neighbour fails too, and the next application computes the same as before. */
TEST(wrong_arguments)
{
    const int by = _i % TRANSPORTS, kind = _i / TRANSPORTS % KINDS, who = np - 1;
    const int k = 1 + _i / TRANSPORTS / KINDS;
    struct bench b;
    R before[2] = { 0 }, after[2] = { 0 };
    if (sizeof(R) == sizeof(float) && strstr(kinds[kind], "single"))
        return;
    open_transport(by);
    bench_make(&b, transports[by].on_device, k);
    built_prec(&b, kinds[kind]);
    for (int turn = 0; turn < 6; turn++) {
        const psb_err e = me == who ? apply_wrongly(&b, turn % 3) : apply_prec(&b, "");
        EXPECT(e == PSB_EARG || (me != who && (e == PSB_OK || e == PSB_EMPI)));
        EXPECT(e != PSB_OK || by > 0 || kind < EXCHANGING || me != who - 1);
        EXPECT(e == PSB_OK || !strstr(psb_errmsg(), "PSB_HALO_TIMEOUT"));
        psb_clean_errstack();
        MPI_Barrier(MPI_COMM_WORLD); /* GPUs may learn of the failure later */
        X(spmv_settle)(b.p.a);
        X(prec_settle)(b.prec);
        GOOD(apply_prec(&b, ""));
        GOOD(X(genrm2)(b.p.x, turn == 0 ? before : after));
        EXPECT(turn == 0 || memcmp(before, after, (size_t)k * sizeof *after) == 0);
    }
    bench_free(&b);
    close_transport(by);
}

/* --- after the end --- */

/* Return the number of calls on b[] that do not fail with PSB_ESTATE. */
static int not_refused(struct bench *b, const char *after)
{
    int bad = 0;
    for (int i = 0; i < nfailing_calls; i++) {
        const psb_err e = failing_calls[i].run(&b[i], failing_calls[i].arg);
        bad += e != PSB_ESTATE;
        if (e != PSB_ESTATE)
            printf("%s %s after %s: %s: %s\n", failing_calls[i].name, failing_calls[i].arg, after,
                   psb_strerror(e), psb_errmsg());
    }
    return bad + (psb_cuda_init(ctxt) != PSB_ESTATE);
}

/* After psb_exit, and after MPI_Finalize, all calls fail. */
int check_ended(void)
{
    struct bench *b = calloc((size_t)nfailing_calls, sizeof *b);
    int bad;
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK)
        return EXIT_FAILURE;
    psb_info(ctxt, &me, &np);
    for (int i = 0; i < nfailing_calls; i++) {
        open_transport(i % (TRANSPORTS - 1));
        bench_make(&b[i], transports[i % (TRANSPORTS - 1)].on_device, failing_calls[i].columns);
        if (failing_calls[i].prepare)
            failing_calls[i].prepare(&b[i], failing_calls[i].arg);
        close_transport(i % (TRANSPORTS - 1));
    }
    psb_exit(ctxt);
    bad = not_refused(b, "psb_exit");
    MPI_Finalize();
    bad += not_refused(b, "MPI_Finalize");
    for (int i = 0; i < nfailing_calls; i++)
        bench_free(&b[i]);
    free(b);
    psb_cuda_exit();
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

static Suite *failures(void)
{
    Suite *s = suite_create("failures");
    TCase *c = collective_tcase(s, "collective calls");
    ck_add_loop_tests(c, nfailing_calls * TRANSPORTS, allocations_fail);
    c = collective_tcase(s, "wrong arguments");
    ck_add_loop_tests(c, 2 * KINDS * TRANSPORTS, wrong_arguments);
    return s;
}

int check_failures(void)
{
    return run_suite(FAKE_IF_SEVERAL, failures);
}
