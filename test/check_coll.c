/* check_coll.c -- test: collective calls: every kind and length, in one and two phases. */
#include "config.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ctxt.h"
#include "merge.h"
#include "pieces.h"
#include "coll.h"

static const psb_epk lengths[] = { 0, 1, 4, 5, 8, 9, LONG };
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* --- expected results --- */

/* The result of op for element i of processes 0 to upto - 1. */
static double _Complex expected(enum psb_op op, enum psb_kind kind, int i, int upto)
{
    double _Complex e = element(kind, 0, i), sum = 0;
    double squares = 0;
    for (int r = 0; r < upto; r++) {
        double _Complex x = element(kind, r, i);
        sum += x;
        squares += creal(x * conj(x));
        if ((op == PSB_MAX && creal(x) > creal(e)) || (op == PSB_MIN && creal(x) < creal(e)) ||
            (op == PSB_AMX && creal(x * conj(x)) > creal(e * conj(e))) ||
            (op == PSB_AMN && creal(x * conj(x)) < creal(e * conj(e))))
            e = x;
    }
    return op == PSB_SUM ? sum : op == PSB_NRM2 ? sqrt(squares) : e;
}

static int close_to(double _Complex x, double _Complex y, double tol)
{
    return cabs(x - y) <= tol * cabs(y);
}

static void check_reduced(enum psb_op op, enum psb_kind kind, psb_epk n, const void *x, int root)
{
    double tol = op == PSB_NRM2 ? np * (kind == PSB_KIND_s ? FLT_EPSILON : DBL_EPSILON) : 0;
    if (root >= 0 && root != me) {
        check_unchanged(kind, x, me, n);
        return;
    }
    for (psb_epk i = 0; i < n; i++)
        collective_note(close_to(get(kind, x, i), expected(op, kind, (int)i, np), tol), __FILE__, __LINE__,
                        "op %d, kind %d, n %d, root %d, element %d: %g, expected %g", op, kind, (int)n, root,
                        (int)i, creal(get(kind, x, i)), creal(expected(op, kind, (int)i, np)));
    check_guard(kind, x, n);
}

void check_reduction(enum psb_op op, enum psb_kind kind, psb_epk n, int root, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    if (split) {
        GOOD(psb_any_reduce_start(ctxt, op, kind, n, &x, root, &req));
        GOOD(psb_wait(&req));
        EXPECT(!req);
    } else {
        GOOD(psb_any_reduce(ctxt, op, kind, n, &x, root));
    }
    check_reduced(op, kind, n, &x, root);
}

TEST(reductions)
{
    enum psb_kind kind = (enum psb_kind)_i;
    for (int op = 0; op < PSB_NOPS; op++)
        for (int k = 0; k < LENGTHS && psb_merge_of(op, _i); k++)
            for (int split = 0; split < 2; split++) {
                check_reduction((enum psb_op)op, kind, lengths[k], -1, split);
                check_reduction((enum psb_op)op, kind, lengths[k], 0, split);
                check_reduction((enum psb_op)op, kind, lengths[k], np - 1, split);
            }
}

/* The kinds of elements that each operation is defined for. */
TEST(kinds_of_each_operation)
{
    const char *ops = "sum max min amx amn nrm2";
    const char has[PSB_NKINDS][7] = { "111110", "111110", "111111", "111111", "100110", "100110",
                                      "011000", "000000", "111110", "111110", "111110" };
    for (int kind = 0; kind < PSB_NKINDS; kind++)
        for (int op = 0; op < PSB_NOPS; op++) {
            union array x;
            fill((enum psb_kind)kind, &x, me, 3);
            if (has[kind][op] == '0')
                BAD(psb_any_reduce(ctxt, (enum psb_op)op, (enum psb_kind)kind, 3, &x, -1), PSB_EARG,
                    "argument x is of type ");
            EXPECT((psb_merge_of(op, kind) != NULL) == (has[kind][op] == '1'));
        }
    EXPECT(strlen(ops) > 0 && !psb_merge_of(PSB_NOPS, 0) && !psb_merge_of(0, PSB_NKINDS) &&
           !psb_merge_of(-1, 0));
}

static void scan(int exclusive, enum psb_kind kind, psb_epk n, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    if (split) {
        GOOD(psb_any_scan_start(ctxt, exclusive, kind, n, &x, &req));
        GOOD(psb_wait(&req));
    } else {
        GOOD(psb_any_scan(ctxt, exclusive, kind, n, &x));
    }
    for (psb_epk i = 0; i < n; i++)
        EXPECT(get(kind, &x, i) == expected(PSB_SUM, kind, (int)i, me + !exclusive));
    check_guard(kind, &x, n);
}

static void bcast(enum psb_kind kind, psb_epk n, int root, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    if (split) {
        GOOD(psb_any_bcast_start(ctxt, kind, n, &x, root, &req));
        GOOD(psb_wait(&req));
    } else {
        GOOD(psb_any_bcast(ctxt, kind, n, &x, root));
    }
    check_unchanged(kind, &x, root, n);
}

TEST(scans_and_broadcasts)
{
    for (int k = 0; k < LENGTHS; k++)
        for (int split = 0; split < 2; split++) {
            for (int root = 0; root < np; root++)
                bcast((enum psb_kind)_i, lengths[k], root, split);
            for (int exclusive = 0; exclusive < 2 && psb_merge_of(PSB_SUM, _i); exclusive++)
                scan(exclusive, (enum psb_kind)_i, lengths[k], split);
        }
}

/* --- gathering --- */

static void gather(enum psb_kind kind, psb_epk n, int root)
{
    union array x, all;
    int mine = root < 0 || root == me;
    fill(kind, &x, me, n);
    fill(kind, &all, 99, np * n);
    GOOD(psb_any_gather(ctxt, kind, n, &x, mine ? &all : NULL, root));
    check_unchanged(kind, &x, me, n);
    for (psb_epk i = 0; i < np * n && mine; i++)
        EXPECT(get(kind, &all, i) == element(kind, (int)(i / n), (int)(i % n)));
    if (mine)
        check_guard(kind, &all, np * n);
}

/* Process r contributes n + r elements, or none if n is 0 and r is odd. */
static void gatherv(enum psb_kind kind, psb_epk n, int root)
{
    union array x, all;
    psb_epk count[8], at = 0, mine = n == 0 && me % 2 ? 0 : n + me;
    int here = root < 0 || root == me;
    for (int r = 0; r < np; r++)
        count[r] = n == 0 && r % 2 ? 0 : n + r;
    fill(kind, &x, me, mine);
    fill(kind, &all, 99, LONG);
    GOOD(psb_any_gatherv(ctxt, kind, mine, &x, here ? &all : NULL, here ? count : NULL, root));
    for (int r = 0; r < np && here; r++)
        for (psb_epk i = 0; i < count[r]; i++, at++)
            EXPECT(get(kind, &all, at) == element(kind, r, (int)i));
    if (here)
        EXPECT(get(kind, &all, at) == element(kind, 99, (int)at));
}

TEST(gathering)
{
    const psb_epk n[] = { 0, 1, 5, EACH };
    for (int k = 0; k < 4; k++)
        for (int root = -1; root < np; root++) {
            gather((enum psb_kind)_i, n[k], root);
            gatherv((enum psb_kind)_i, n[k] == EACH ? EACH - 8 : n[k], root);
        }
}

/* --- calls by typed names --- */

TEST(typed_names)
{
    float s = -1;
    double d[2] = { me, -2.0 * me }, all[8];
    psb_ipk i = me;
    psb_lpk l = (psb_lpk)1 << 40;
    float _Complex c = CMPLXF(0, 1);
    double _Complex z = CMPLX(1, me);
    bool any = me == np - 1, every = me != np - 1;
    char text[20] = "not yet";
    psb_epk count[8];
    GOOD(psb_sum(ctxt, 1, &i, -1));
    EXPECT(i == np * (np - 1) / 2);
    GOOD(psb_sum(ctxt, 1, &l, -1));
    EXPECT(l == np * ((psb_lpk)1 << 40));
    GOOD(psb_nrm2(ctxt, 1, &s, -1));
    EXPECT(fabs(s * s - np) < 1e-5);
    GOOD(psb_max(ctxt, 2, d, -1));
    EXPECT(d[0] == np - 1 && d[1] == 0);
    d[0] = d[1] = me;
    GOOD(psb_min(ctxt, 2, d, -1));
    EXPECT(d[0] == 0 && d[1] == 0);
    GOOD(psb_amx(ctxt, 1, &z, -1));
    EXPECT(z == CMPLX(1, np - 1));
    GOOD(psb_amn(ctxt, 1, &z, -1));
    GOOD(psb_sum(ctxt, 1, &c, -1));
    EXPECT(c == CMPLXF(0, (float)np));
    GOOD(psb_max(ctxt, 1, &any, -1));
    GOOD(psb_min(ctxt, 1, &every, -1));
    EXPECT(any && !every);
    if (me == 0)
        strcpy(text, "a string");
    GOOD(psb_bcast(ctxt, 20, text, 0));
    EXPECT(strcmp(text, "a string") == 0);
    d[0] = 1;
    GOOD(psb_scan_sum(ctxt, 1, d));
    EXPECT(d[0] == me + 1);
    d[0] = 1;
    GOOD(psb_exscan_sum(ctxt, 1, d));
    EXPECT(d[0] == me);
    const double mine = me;
    GOOD(psb_gather(ctxt, 1, &mine, all, -1));
    for (int r = 0; r < np; r++) {
        EXPECT(all[r] == r);
        count[r] = 1;
    }
    GOOD(psb_gatherv(ctxt, 1, &mine, all, count, 0));
}

TEST(typed_names_in_two_phases)
{
    double d[9];
    psb_request *req[9] = { NULL };
    for (int k = 0; k < 9; k++)
        d[k] = me + 1;
    GOOD(psb_sum_start(ctxt, 1, &d[0], -1, &req[0]));
    GOOD(psb_max_start(ctxt, 1, &d[1], -1, &req[1]));
    GOOD(psb_min_start(ctxt, 1, &d[2], -1, &req[2]));
    GOOD(psb_amx_start(ctxt, 1, &d[3], -1, &req[3]));
    GOOD(psb_amn_start(ctxt, 1, &d[4], -1, &req[4]));
    GOOD(psb_nrm2_start(ctxt, 1, &d[5], -1, &req[5]));
    GOOD(psb_scan_sum_start(ctxt, 1, &d[6], &req[6]));
    GOOD(psb_exscan_sum_start(ctxt, 1, &d[7], &req[7]));
    GOOD(psb_bcast_start(ctxt, 1, &d[8], np - 1, &req[8]));
    for (int k = 0; k < 9; k++)
        GOOD(psb_wait(&req[_i ? 8 - k : k]));
    const double squares = np * (np + 1) * (2 * np + 1) / 6.0, sum = np * (np + 1) / 2.0;
    const double want[] = { sum, np, 1, np, 1, sqrt(squares), (me + 1) * (me + 2) / 2.0, me * (me + 1) / 2.0,
                            np };
    for (int k = 0; k < 9; k++)
        EXPECT(fabs(d[k] - want[k]) <= (k == 5 ? np * DBL_EPSILON * want[k] : 0));
}

/* Another collective call and messages between the phases; then psb_test until the first call ends. */
TEST(calls_between_the_phases)
{
    double a[LONG], b = me, c = me;
    psb_request *ra = NULL, *rb = NULL;
    int done = 0;
    for (int i = 0; i < LONG; i++)
        a[i] = i;
    GOOD(psb_sum_start(ctxt, LONG, a, -1, &ra));
    GOOD(psb_sum_start(ctxt, 1, &b, 0, &rb));
    GOOD(psb_sum(ctxt, 1, &c, -1));
    GOOD(psb_barrier(ctxt));
    EXPECT(c == np * (np - 1) / 2);
    while (!done)
        GOOD(psb_test(ra, &done));
    EXPECT(a[1] == 1);
    GOOD(psb_wait(&ra));
    GOOD(psb_wait(&rb));
    EXPECT(a[LONG - 1] == np * (LONG - 1.0) && b == (me == 0 ? c : me));
}

/* --- order of sums, extreme values --- */

static const double wild[] = { 1e16, 1, -1e16, 3, 1e-5, -7e15, 1e8, 0.1 };

/* The documented order: first pairs of the lowest processes until a power of two is left, then halves. */
static double sum_by_halves(const double *x, int n)
{
    return n == 1 ? x[0] : sum_by_halves(x, n / 2) + sum_by_halves(x + n / 2, n / 2);
}

static double in_order(int i)
{
    double x[8];
    int two = 1, n = 0;
    while (2 * two <= np)
        two *= 2;
    for (int r = 0; r < np; n++) {
        int pair = n < np - two;
        x[n] = pair ? wild[(r + i) % 8] + wild[(r + 1 + i) % 8] : wild[(r + i) % 8];
        r += 1 + pair;
    }
    return sum_by_halves(x, two);
}

TEST(order_of_sums)
{
    double x[LONG], y[LONG];
    psb_request *req = NULL;
    int n = _i ? LONG : 8;
    for (int i = 0; i < n; i++)
        x[i] = y[i] = wild[(me + i) % 8];
    GOOD(psb_sum(ctxt, n, x, -1));
    GOOD(psb_sum_start(ctxt, n, y, -1, &req));
    GOOD(psb_wait(&req));
    for (int i = 0; i < n; i++) {
        double must = in_order(i);
        EXPECT(memcmp(&x[i], &must, sizeof must) == 0);
        EXPECT(memcmp(&y[i], &must, sizeof must) == 0);
        x[i] = wild[(me + i) % 8];
    }
    GOOD(psb_sum(ctxt, n, x, 0));
    EXPECT(me != 0 || memcmp(x, y, (size_t)n * sizeof *x) == 0);
}

TEST(extreme_values)
{
    psb_ipk i = me == 0 ? INT32_MIN : INT32_MAX;
    psb_lpk l = me == 0 ? INT64_MIN : INT64_MAX, sum = INT64_MAX;
    double d = DBL_MAX / np, nan = me == np - 1 ? NAN : me;
    float s = FLT_MIN / 64;
    GOOD(psb_amx(ctxt, 1, &i, -1));
    GOOD(psb_amx(ctxt, 1, &l, -1));
    EXPECT(i == INT32_MIN && l == INT64_MIN);
    GOOD(psb_sum(ctxt, 1, &sum, -1));
    EXPECT((uint64_t)sum == (uint64_t)np * INT64_MAX);
    GOOD(psb_nrm2(ctxt, 1, &d, -1));
    EXPECT(close_to(d, DBL_MAX / np * sqrt(np), np * DBL_EPSILON));
    GOOD(psb_nrm2(ctxt, 1, &s, -1));
    EXPECT(close_to(s, FLT_MIN / 64 * sqrt(np), 1e-4));
    for (int op = 0; op < PSB_NOPS; op++) {
        double x = nan;
        GOOD(psb_any_reduce(ctxt, (enum psb_op)op, PSB_KIND_d, 1, &x, -1));
        EXPECT(isnan(x));
        x = np - 1 - me == np - 1 ? NAN : me;
        GOOD(psb_any_reduce(ctxt, (enum psb_op)op, PSB_KIND_d, 1, &x, -1));
        EXPECT(isnan(x));
    }
    d = -3;
    GOOD(psb_nrm2(ctxt, 1, &d, me < 0));
    EXPECT(me > 0 || close_to(d, 3 * sqrt(np), np * DBL_EPSILON));
}

/* Sums of short integers wrap around; unsigned integers are compared as unsigned. */
TEST(extreme_integers)
{
    int8_t c = me == 0 ? INT8_MIN : INT8_MAX, csum = INT8_MAX;
    int16_t s = me == 0 ? INT16_MIN : INT16_MAX, ssum = INT16_MAX;
    size_t u = me == 0 ? SIZE_MAX : 1, least = u;
    GOOD(psb_amx(ctxt, 1, &c, -1));
    GOOD(psb_amx(ctxt, 1, &s, -1));
    GOOD(psb_max(ctxt, 1, &u, -1));
    GOOD(psb_amn(ctxt, 1, &least, -1));
    EXPECT(c == INT8_MIN && s == INT16_MIN && u == SIZE_MAX && least == (np > 1 ? 1 : SIZE_MAX));
    GOOD(psb_sum(ctxt, 1, &csum, -1));
    GOOD(psb_sum(ctxt, 1, &ssum, -1));
    EXPECT((uint8_t)csum == (uint8_t)(np * INT8_MAX) && (uint16_t)ssum == (uint16_t)(np * INT16_MAX));
}

/* Every integer type of a size selects the kind of that size. */
TEST(integer_types)
{
    long l = 1;
    long long ll = 1, all[8];
    unsigned long ul = 1;
    unsigned long long ull = 1;
    signed char c = (signed char)me;
    short s = (short)me;
    GOOD(psb_sum(ctxt, 1, &l, -1));
    GOOD(psb_sum(ctxt, 1, &ll, -1));
    GOOD(psb_sum(ctxt, 1, &ul, -1));
    GOOD(psb_scan_sum(ctxt, 1, &ull));
    EXPECT(l == np && ll == np && ul == (unsigned long)np && ull == (unsigned long long)me + 1);
    GOOD(psb_gather(ctxt, 1, &ll, all, -1));
    EXPECT(all[np - 1] == np);
    GOOD(psb_min(ctxt, 1, &c, -1));
    GOOD(psb_bcast(ctxt, 1, &s, np - 1));
    EXPECT(c == 0 && s == np - 1);
    EXPECT(PSB_KIND_OF(&l) == PSB_KIND_l && PSB_KIND_OF((int64_t *)NULL) == PSB_KIND_l);
    EXPECT(PSB_KIND_OF((size_t *)NULL) == PSB_KIND_u && PSB_KIND_OF((int8_t *)NULL) == PSB_KIND_i1);
}

/* Of elements with equal moduli the result is that of the lowest process. */
TEST(ties)
{
    double _Complex z = me % 2 ? CMPLX(4, 3) : CMPLX(3, -4), y = z;
    GOOD(psb_amx(ctxt, 1, &z, -1));
    GOOD(psb_amn(ctxt, 1, &y, -1));
    EXPECT(z == CMPLX(3, -4) && y == CMPLX(3, -4));
}

/* Arrays longer than one message. */
TEST(long_messages)
{
    size_t was = psb_set_piece((size_t[]){ 24, 1000, 8000, 7999 }[_i]);
    for (int split = 0; split < 2; split++) {
        check_reduction(PSB_SUM, PSB_KIND_z, LONG, -1, split);
        check_reduction(PSB_AMX, PSB_KIND_d, LONG, np - 1, split);
        scan(split, PSB_KIND_l, LONG, split);
        bcast(PSB_KIND_i, LONG, np - 1, split);
    }
    gather(PSB_KIND_c, EACH, -1);
    gatherv(PSB_KIND_s, EACH - 8, 0);
    psb_set_piece(was);
}

/* --- errors --- */

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

/* With two phases either may return the error. */
static psb_err end(psb_err e, psb_request **req)
{
    return e == PSB_OK ? psb_wait(req) : e;
}

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
        return end(psb_any_reduce_start(ctxt, (enum psb_op)op, (enum psb_kind)kind, n, x, root, &req), &req);
    case SCAN_START:
        return end(psb_any_scan_start(ctxt, 1, (enum psb_kind)kind, n, x, &req), &req);
    default:
        return end(psb_any_bcast_start(ctxt, (enum psb_kind)kind, n, x, root, &req), &req);
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
            reduce(PSB_SUM, PSB_KIND_d, 3, -1, all);
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
    reduce(PSB_SUM, PSB_KIND_d, 3, -1, 0);
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
            e = end(e, &req);
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

/* Allocation n of process `who` fails in call `which`; return whether the call failed. */
static int allocation_fails(enum call which, int kind, int who, int n)
{
    union array x;
    fill((enum psb_kind)kind, &x, me, EACH);
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err e = call(which, PSB_SUM, kind, EACH, &x, which == BCAST || which == BCAST_START ? 0 : -1);
    psb_alloc_fail_at(0);
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    if (failed)
        check_unchanged((enum psb_kind)kind, &x, me, EACH);
    reduce(PSB_SUM, PSB_KIND_d, LONG, -1, 1);
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

void add_collective(Suite *s)
{
    TCase *c = collective_tcase(s, "collective calls");
    ck_add_loop_tests(c, PSB_NKINDS, reductions);
    ck_add_tests(c, kinds_of_each_operation);
    ck_add_loop_tests(c, PSB_NKINDS, scans_and_broadcasts, gathering);
    ck_add_tests(c, typed_names);
    ck_add_loop_tests(c, 2, typed_names_in_two_phases);
    ck_add_tests(c, calls_between_the_phases);
    ck_add_loop_tests(c, 2, order_of_sums);
    ck_add_tests(c, extreme_values, extreme_integers, integer_types, ties);
    ck_add_loop_tests(c, 4, long_messages);
    add_collective_errors(c);
}
