/* check_coll.c -- test: collective calls: every kind and length, in one and two phases. */
#include "config.h"
#include <stdbool.h>
#include <string.h>
#include "check_ctxt.h"
#include "merge.h"
#include "pieces.h"

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
        EXPECT_SAYING(close_to(get(kind, x, i), expected(op, kind, (int)i, np), tol),
                      "op %d, kind %d, n %d, root %d, element %d: %g, expected %g", op, kind, (int)n, root,
                      (int)i, creal(get(kind, x, i)), creal(expected(op, kind, (int)i, np)));
    check_guard(kind, x, n);
}

void check_reduction(enum psb_op op, enum psb_kind kind, psb_epk n, int root, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    GOOD(split ? waited(psb_any_reduce_start(ctxt, op, kind, n, &x, root, &req), &req)
               : psb_any_reduce(ctxt, op, kind, n, &x, root));
    EXPECT(!req);
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
    static const char has[PSB_NKINDS][7] = { /* sum max min amx amn nrm2 */ "111110",
                                             "111110",
                                             "111111",
                                             "111111",
                                             "100110",
                                             "100110",
                                             "011000",
                                             "000000",
                                             "111110",
                                             "111110",
                                             "111110" };
    for (int kind = 0; kind < PSB_NKINDS; kind++)
        for (int op = 0; op < PSB_NOPS; op++) {
            union array x;
            fill((enum psb_kind)kind, &x, me, 3);
            if (has[kind][op] == '0')
                BAD(psb_any_reduce(ctxt, (enum psb_op)op, (enum psb_kind)kind, 3, &x, -1), PSB_EARG,
                    "argument x is of type ");
            EXPECT((psb_merge_of(op, kind) != NULL) == (has[kind][op] == '1'));
        }
    EXPECT(!psb_merge_of(PSB_NOPS, 0) && !psb_merge_of(0, PSB_NKINDS) && !psb_merge_of(-1, 0));
}

static void scan(int exclusive, enum psb_kind kind, psb_epk n, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    GOOD(split ? waited(psb_any_scan_start(ctxt, exclusive, kind, n, &x, &req), &req)
               : psb_any_scan(ctxt, exclusive, kind, n, &x));
    for (psb_epk i = 0; i < n; i++)
        EXPECT(get(kind, &x, i) == expected(PSB_SUM, kind, (int)i, me + !exclusive));
    check_guard(kind, &x, n);
}

static void bcast(enum psb_kind kind, psb_epk n, int root, int split)
{
    union array x;
    psb_request *req = NULL;
    fill(kind, &x, me, n);
    GOOD(split ? waited(psb_any_bcast_start(ctxt, kind, n, &x, root, &req), &req)
               : psb_any_bcast(ctxt, kind, n, &x, root));
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
