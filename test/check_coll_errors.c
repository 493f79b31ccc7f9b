/* check_coll_errors.c -- test: collective calls with wrong arguments, without memory, and without a process.
 */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ctxt.h"
#include "pieces.h"
#include "coll.h"

/* Wrong arguments, and the text of the error message. */
struct wrong {
    const char *message;
    psb_epk n;
    int op, kind, root, null;
};

static const struct wrong wrongs[] = {
    { "argument n is -1; expected 0 <= n", -1, PSB_SUM, PSB_KIND_d, 0, 0 },
    { "argument n is 9223372036854775807; expected", INT64_MAX, PSB_SUM, PSB_KIND_d, 0, 0 },
    { "argument x is NULL; expected 3 elements", 3, PSB_SUM, PSB_KIND_d, 0, 1 },
    { "argument kind is 11; expected 0 <= kind < 11", 3, PSB_SUM, PSB_NKINDS, 0, 0 },
    { "argument kind is -1; expected", 3, PSB_SUM, -1, 0, 0 },
    { "argument root is 99; expected ", 3, PSB_SUM, PSB_KIND_d, 99, 0 },
    { "argument root is -2; expected ", 3, PSB_SUM, PSB_KIND_d, -2, 0 },
    { "argument op is -1; expected 0 <= op < 6", 3, PSB_NOPS, PSB_KIND_d, 0, 0 },
    { "there is no maximum of those", 3, PSB_MAX, PSB_KIND_z, 0, 0 },
    { "there is no sum of those", 3, PSB_SUM, PSB_KIND_h, 0, 0 },
};
enum { WRONGS = sizeof wrongs / sizeof *wrongs };

enum call { REDUCE, SCAN, BCAST, GATHER, GATHERV, REDUCE_START, SCAN_START, BCAST_START, CALLS };

static psb_err call(enum call which, int op, int kind, psb_epk n, void *x, int root)
{
    static union array all;
    psb_epk count[8];
    psb_request *req = NULL;
    for (int r = 0; r < np; r++)
        count[r] = n;
    switch (which) {
    case REDUCE:
        return psb_any_reduce(ctxt, (enum psb_op)op, (enum psb_kind)kind, n, x, root);
    case SCAN:
        return psb_any_scan(ctxt, 0, (enum psb_kind)kind, n, x);
    case BCAST:
        return psb_any_bcast(ctxt, (enum psb_kind)kind, n, x, root);
    case GATHER:
        return psb_any_gather(ctxt, (enum psb_kind)kind, n, x, &all, root);
    case GATHERV:
        return psb_any_gatherv(ctxt, (enum psb_kind)kind, n, x, &all, count, root);
    case REDUCE_START:
        return waited(psb_any_reduce_start(ctxt, (enum psb_op)op, (enum psb_kind)kind, n, x, root, &req),
                      &req);
    case SCAN_START:
        return waited(psb_any_scan_start(ctxt, 1, (enum psb_kind)kind, n, x, &req), &req);
    default:
        return waited(psb_any_bcast_start(ctxt, (enum psb_kind)kind, n, x, root, &req), &req);
    }
}

/* Return whether the call has this argument. */
static int applies_to(enum call which, const struct wrong *w)
{
    int scan = which == SCAN || which == SCAN_START, op = which == REDUCE || which == REDUCE_START;
    return !(scan && (w->root != 0)) && (op || w->op == PSB_SUM) && (op || scan || w->kind != PSB_KIND_h);
}

/* An argument is wrong on the last process only, then on all processes. */
TEST(wrong_arguments)
{
    union array x;
    for (int k = 0; k < WRONGS; k++)
        for (int all = 0; all < 2; all++) {
            const struct wrong *w = &wrongs[k], fine = { "", 3, PSB_SUM, PSB_KIND_d, 0, 0 };
            const struct wrong *a = all || me == np - 1 ? w : &fine;
            if (!applies_to((enum call)_i, w))
                continue;
            fill(PSB_KIND_d, &x, me, 3);
            BAD(call((enum call)_i, a->op, a->kind, a->n, a->null ? NULL : &x, a->root), PSB_EARG,
                w->message);
            check_unchanged(PSB_KIND_d, &x, me, 3);
            if (!all && me < np - 1)
                EXPECT(strstr(psb_errmsg(), "on process ") != NULL);
            check_reduction(PSB_SUM, PSB_KIND_d, 3, -1, all);
        }
}

TEST(different_arguments)
{
    union array x;
    int last = me == np - 1 && np > 1;
    enum call c = (enum call)_i;
    if (np == 1)
        return;
    fill(PSB_KIND_d, &x, me, 5);
    if (c != GATHERV)
        BAD(call(c, PSB_SUM, PSB_KIND_d, 3 + last, &x, 0), PSB_EARG,
            "argument n is 3 on process 0 and 4 on process ");
    BAD(call(c, PSB_SUM, PSB_KIND_d + last, 2, &x, 0), PSB_EARG,
        "argument x is of type double on process 0 and float complex on");
    if (c != SCAN && c != SCAN_START)
        BAD(call(c, PSB_SUM, PSB_KIND_d, 3, &x, last), PSB_EARG,
            "argument root is 0 on process 0 and 1 on process ");
    BAD(last ? psb_agree(ctxt, PSB_OK) : call(c, PSB_SUM, PSB_KIND_d, 3, &x, 0), PSB_EARG, "calls psb_");
    check_unchanged(PSB_KIND_d, &x, me, 5);
    check_reduction(PSB_SUM, PSB_KIND_d, 3, -1, 0);
}

TEST(wrong_counts)
{
    double x[3] = { 1, 2, 3 }, all[24];
    psb_epk count[8];
    for (int r = 0; r < np; r++)
        count[r] = 2;
    BAD(psb_gatherv(ctxt, me == np - 1 ? 3 : 2, x, all, count, 0), PSB_EARG,
        "is 2; expected 3, which process ");
    count[0] = me == 0 ? -5 : 2;
    BAD(psb_gatherv(ctxt, 2, x, all, count, 0), PSB_EARG, "argument count[0] is -5; expected at least 0");
    BAD(psb_gatherv(ctxt, 2, x, all, (psb_epk *)NULL, 0), PSB_EARG, "argument count is NULL");
    count[0] = INT64_MAX / 8 - 1;
    if (np > 1)
        BAD(psb_gatherv(ctxt, 2, x, all, count, 0), PSB_EARG, " elements to gather");
    count[0] = 2;
    BAD(psb_gatherv(ctxt, 2, x, me == 0 ? NULL : all, count, 0), PSB_EARG,
        "argument all is NULL; expected space for ");
    BAD(psb_gather(ctxt, 2, x, me == np - 1 ? NULL : all, -1), PSB_EARG,
        "argument all is NULL; expected space for ");
    GOOD(psb_gatherv(ctxt, 2, x, all, count, 0));
}

TEST(invalid_requests)
{
    double x = 1;
    int done;
    psb_request *req = NULL;
    BAD(psb_wait(NULL), PSB_EARG, "argument req is NULL");
    BAD(psb_wait(&req), PSB_EARG, "argument *req is NULL");
    BAD(psb_test(NULL, &done), PSB_EARG, "argument req is NULL");
    for (int which = 0; which < 3; which++) {
        psb_request **where = me == np - 1 ? NULL : &req;
        psb_err e = which == 0   ? psb_sum_start(ctxt, 1, &x, -1, where)
                    : which == 1 ? psb_scan_sum_start(ctxt, 1, &x, where)
                                 : psb_bcast_start(ctxt, 1, &x, 0, where);
        if (me < np - 1)
            e = waited(e, &req);
        BAD(e, PSB_EARG, "argument req is NULL; expected where to store");
    }
    GOOD(psb_sum_start(ctxt, 1, &x, -1, &req));
    BAD(psb_test(req, NULL), PSB_EARG, "argument done is NULL");
    GOOD(psb_wait(&req));
    EXPECT(x == np);
}

/* One of three pending calls fails on one process; they are ended in any order. */
TEST(one_of_three_calls_fails)
{
    double x[3][LONG];
    psb_request *req[3] = { NULL };
    const int order[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 0 } };
    int done = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < LONG; i++)
            x[k][i] = i + k;
        int bad = k == 1 && me == np - 1;
        GOOD(psb_sum_start(ctxt, bad ? -4 : k == 1 ? 2 : LONG, x[k], -1, &req[k]));
    }
    while (!done)
        GOOD(psb_test(req[order[_i][0]], &done));
    for (int k = 0; k < 3; k++) {
        int which = order[_i][k];
        if (which == 1)
            BAD(psb_wait(&req[1]), PSB_EARG, "argument n is -4");
        else
            GOOD(psb_wait(&req[which]));
        EXPECT(!req[which]);
        for (int i = 0; i < LONG; i++)
            EXPECT(x[which][i] == (which == 1 ? 1 : np) * (double)(i + which));
    }
}

/* Allocation n of process `who` fails in call `which`, while another call has the memory that the context
 * keeps; return whether the call failed. */
static int allocation_fails(enum call which, int kind, int who, int n)
{
    union array x;
    double other[EACH] = { 0 };
    psb_request *req = NULL;
    fill((enum psb_kind)kind, &x, me, EACH);
    GOOD(psb_sum_start(ctxt, EACH, other, -1, &req));
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err e = call(which, PSB_SUM, kind, EACH, &x, which == BCAST || which == BCAST_START ? 0 : -1);
    psb_alloc_fail_at(0);
    GOOD(psb_wait(&req));
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    if (failed)
        check_unchanged((enum psb_kind)kind, &x, me, EACH);
    check_reduction(PSB_SUM, PSB_KIND_d, LONG, -1, 1);
    return failed > 0;
}

TEST(allocation_fails_on_one_process)
{
    size_t was = psb_set_piece(100);
    const int least[CALLS] = { 1, 1, 1, 0, 1, 1, 1, 1 };
    for (int who = 0; who<np; who += np> 1 ? np - 1 : 1) {
        int n = 1;
        while (allocation_fails((enum call)_i, PSB_KIND_d, who, n) && n < 20)
            n++;
        EXPECT(n > least[_i] && n < 20);
    }
    psb_set_piece(was);
}

/* A context has memory for one request; a second one that gets none fails, and the first goes on. */
TEST(memory_of_requests)
{
    const int poor = me == np - 1;
    double x[2] = { 1, 1 };
    psb_request *req[2] = { NULL };
    psb_alloc_fail_at(poor);
    GOOD(psb_sum_start(ctxt, 1, &x[0], -1, &req[0]));
    psb_err e = psb_sum_start(ctxt, 1, &x[1], -1, &req[1]);
    psb_alloc_fail_at(0);
    EXPECT(poor ? e == PSB_ENOMEM && !req[1] : e == PSB_OK);
    if (!poor)
        BAD(psb_wait(&req[1]), PSB_ENOMEM, "on process ");
    GOOD(psb_wait(&req[0]));
    EXPECT(x[0] == np && x[1] == 1);
}

/* One process does not come to a sum: the others learn which, and later calls fail at once. */
TEST(missing_process)
{
    psb_ctxt *c = NULL;
    double x[LONG] = { 1 };
    char text[40];
    const int missing = _i ? np - 1 : 0;
    snprintf(text, sizeof text, "process %d did not come", missing);
    setenv("PSB_HALO_TIMEOUT", "3", 1); /* long for a sum, also on a busy machine */
    GOOD(psb_init_comm(&c, MPI_COMM_WORLD));
    unsetenv("PSB_HALO_TIMEOUT");
    GOOD(psb_reduce_in_time(c, PSB_SUM, PSB_KIND_d, 1, x, PSB_OK));
    EXPECT(x[0] == np);
    if (me != missing && np > 1) {
        BAD(psb_reduce_in_time(c, PSB_SUM, PSB_KIND_d, _i ? LONG : 1, x, PSB_OK), PSB_EMPI, text);
        BAD(psb_barrier(c), PSB_EMPI, text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    psb_exit(c);
}

/* The same if it comes later: it learns of it at the latest by the next call, and nobody waits for ever. */
TEST(late_process)
{
    psb_ctxt *c = NULL;
    double x = 1;
    setenv("PSB_HALO_TIMEOUT", "1", 1);
    GOOD(psb_init_comm(&c, MPI_COMM_WORLD));
    unsetenv("PSB_HALO_TIMEOUT");
    if (me == np - 1)
        MPI_Barrier(MPI_COMM_WORLD); /* the others have given up */
    psb_err e = psb_reduce_in_time(c, PSB_SUM, PSB_KIND_d, 1, &x, PSB_OK);
    EXPECT(np == 1 || me == np - 1 || e == PSB_EMPI);
    if (me != np - 1)
        MPI_Barrier(MPI_COMM_WORLD);
    if (np > 1)
        BAD(psb_barrier(c), PSB_EMPI, "did not come");
    psb_exit(c);
}

void add_collective_errors(TCase *c)
{
    ck_add_loop_tests(c, 2, missing_process);
    ck_add_tests(c, late_process);
    ck_add_loop_tests(c, CALLS, wrong_arguments, different_arguments);
    ck_add_tests(c, wrong_counts, invalid_requests);
    ck_add_loop_tests(c, 3, one_of_three_calls_fails);
    ck_add_tests(c, memory_of_requests);
    ck_add_loop_tests(c, CALLS, allocation_fails_on_one_process);
}
