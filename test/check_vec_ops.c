/* check_vec_ops.c -- test: each operation of a device's table (psb_vec_ops.t.h) compared with the
 * host's: many sizes, aliased arguments, NaN and infinity, zero factors, several columns. */
#include "check_vec_ops.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "sample.h"

enum { ARRAYS = 3, FACTORS = 4, EDGE = 16 };

static const int sizes[] = { 0, 1, 31, 257, 100003 };
static const int columns[] = { 1, 3, 8 };
static const T edge = 55;

/* --- arrays on host and device --- */

/* EDGE more elements before and after the array must not change. */
struct both {
    psb_epk n;
    T *host, *dev;
};

static T *block(const struct both *a)
{
    return a->host - EDGE;
}

static size_t block_bytes(const struct both *a)
{
    return (size_t)(a->n + 2 * EDGE) * sizeof(T);
}

static struct both make(psb_epk n)
{
    struct both a = { .n = n };
    void *dev;
    a.host = malloc(block_bytes(&a));
    ck_assert_ptr_nonnull(a.host);
    OK(psb_cuda_device()->alloc(&dev, block_bytes(&a), "a block"));
    a.dev = (T *)dev + EDGE;
    fill_vector((psb_ipk)n + 2 * EDGE, a.host, edge);
    a.host += EDGE;
    return a;
}

static void free_both(struct both *a)
{
    free(block(a));
    psb_cuda_device()->free(a->dev - EDGE);
}

#define BOTH OWNER(free_both) struct both

static void make_all(psb_epk n, struct both a[ARRAYS])
{
    for (int j = 0; j < ARRAYS; j++)
        a[j] = make(n);
}

static void free_all(struct both a[ARRAYS])
{
    for (int j = 0; j < ARRAYS; j++)
        free_both(&a[j]);
}

static void copy_to_device(const struct both *a)
{
    OK(psb_cuda_device()->put(a->dev - EDGE, block(a), block_bytes(a)));
}

/* The first element of `got`, edges included, that differs from the host's by more than the slack. */
static psb_epk first_difference(const struct both *a, const T *got, long double slack)
{
    psb_epk i = -EDGE;
    for (; i < a->n + EDGE; i++) {
        struct want w = { a->host[i], i < 0 || i >= a->n ? 0 : slack };
        if (memcmp(&got[EDGE + i], &a->host[i], sizeof *got) != 0 && !is_right(got[EDGE + i], &w))
            break;
    }
    return i;
}

/* Compare both sides, edges included. */
static void compare(const struct both *a, long double slack, const char *what)
{
    HEAP T *got = malloc(block_bytes(a));
    ck_assert_ptr_nonnull(got);
    OK(psb_cuda_device()->get(got, a->dev - EDGE, block_bytes(a)));
    psb_epk i = first_difference(a, got, slack);
    if (i < a->n + EDGE)
        ck_abort_msg("%s: element %d of %d is %g %g, expected %g %g within %Lg", what, (int)i, (int)a->n,
                     (double)RE(got[EDGE + i]), (double)IM(got[EDGE + i]), (double)RE(a->host[i]),
                     (double)IM(a->host[i]), slack);
}

/* --- values --- */

/* 0.5 <= |v| < 2 */
static T value(struct rng *r)
{
    double re = 0.9 * rng_real(r), im = 1.4 * rng_real(r);
    return MAKE(re < 0 ? re - 0.5 : re + 0.5, im);
}

/* The last is 1, so that comparisons attain their bound. */
static void fill_values(const struct both *a, uint64_t seed)
{
    struct rng r = { seed };
    for (psb_epk i = 0; i < a->n; i++)
        a->host[i] = i == a->n - 1 ? 1 : value(&r);
}

/* Complex infinities and division by 0 are used only for operations whose result is the same everywhere
 * (`plain`). */
static void add_nan_and_infinity(const struct both *a, int shift, int plain)
{
    for (psb_epk i = 0; i < a->n; i++) {
        psb_epk at = i + shift;
        if (at % 29 == 5)
            a->host[i] = MAKE(NAN, NAN);
        else if (at % 31 == 7 && (plain || !CPLX))
            a->host[i] = MAKE(at % 2 ? INFINITY : -INFINITY, 1);
        else if (at % 37 == 2 && (plain || !CPLX))
            a->host[i] = 0;
    }
}

/* --- elementwise operations --- */

typedef const struct X(vec_ops) vec_ops;

enum each_op { FILL, AXPBY, AXPBYZ, UPD_XYZ, MLT, DIV, INV, ABSOLUTE, CMP, ADDCONST, MASK };

struct each {
    const char *name;
    enum each_op op;
    int m, outs,
        fresh; /* number of arguments; sets of arguments as bits: those written, those only written */
    int factors, zero[4]; /* number of factors, and for each the set of arguments not read if it is 0 */
    double most;          /* bound of the sum of moduli of the terms of an element */
    int plain;            /* works on parts of complex numbers, or on moduli */
};

/* Constraints of all kinds for MASK; some are satisfied exactly. */
static psb_err run_each(enum each_op op, vec_ops *o, psb_epk n, const T *f, T *const *v)
{
    switch (op) {
    case FILL:
        return o->fill(n, f[0], v[0]);
    case AXPBY:
        return o->axpby(n, f[0], v[0], f[1], v[1]);
    case AXPBYZ:
        return o->axpbyz(n, f[0], v[0], f[1], v[1], v[2]);
    case UPD_XYZ:
        return o->upd_xyz(n, f[0], f[1], f[2], f[3], v[0], v[1], v[2]);
    case MLT:
        return o->mlt(n, f[0], v[0], v[1], f[1], v[2]);
    case DIV:
        return o->div(n, v[0], v[1], v[2]);
    case INV:
        return o->inv(n, v[0], v[1]);
    case ABSOLUTE:
        return o->abs(n, v[0], v[1]);
    case CMP:
        return o->cmp(n, (R)RE(f[0]), v[0], v[1]);
    case ADDCONST:
        return o->addconst(n, f[0], v[0], v[1]);
    default:
        return o->mask(n, v[0], v[1], v[2]);
    }
}

static const struct each eachs[] = {
    { "fill", FILL, 1, 1, 1, 1, { 0 }, 0, 1 },
    { "axpby", AXPBY, 2, 2, 0, 2, { 1, 2 }, 8, 0 },
    { "axpbyz", AXPBYZ, 3, 4, 4, 2, { 1, 2 }, 8, 0 },
    { "upd_xyz", UPD_XYZ, 3, 6, 0, 4, { 1, 2, 0, 4 }, 20, 0 },
    { "mlt", MLT, 3, 4, 0, 2, { 3, 4 }, 12, 0 },
    { "div", DIV, 3, 4, 4, 0, { 0 }, 4, 0 },
    { "inv", INV, 2, 2, 2, 0, { 0 }, 2, 0 },
    { "abs", ABSOLUTE, 2, 2, 2, 0, { 0 }, 2, 1 },
    { "cmp", CMP, 2, 2, 2, 1, { 0 }, 0, 1 },
    { "addconst", ADDCONST, 2, 2, 2, 1, { 0 }, 4, 1 },
    { "mask", MASK, 3, 4, 4, 0, { 0 }, 0, 1 },
};
enum { EACHS = sizeof eachs / sizeof *eachs };

static void fill_constraints(const struct both *a)
{
    static const double c[] = { 2, 1, 0, -1, -2, 1.4, -1.6, NAN };
    for (psb_epk i = 0; i < a->n; i++)
        a->host[i] = (R)c[i % 8];
}

/* Set the arguments that must not be read to NaN. */
static void overwrite_unread(const struct each *q, const T *f, const struct both *a)
{
    int unread = q->fresh;
    for (int i = 0; i < q->factors; i++)
        unread |= f[i] == 0 ? q->zero[i] : 0;
    for (int j = 0; j < q->m; j++)
        if (unread >> j & 1)
            fill_vector((psb_ipk)a[j].n, a[j].host, MAKE(NAN, NAN));
}

/* Argument j is array is[j]. */
static void compare_operation(const struct each *q, const T *f, const int *is, int special, struct both *a)
{
    T *host[ARRAYS], *dev[ARRAYS];
    int written = 0;
    for (int j = 0; j < ARRAYS; j++) {
        fill_values(&a[j], (uint64_t)j + 1);
        if (special)
            add_nan_and_infinity(&a[j], 11 * j, q->plain);
        host[j] = a[is[j]].host;
        dev[j] = a[is[j]].dev;
    }
    if (q->op == MASK)
        fill_constraints(&a[0]);
    if (is[1] == 1 && is[2] == 2)
        overwrite_unread(q, f, a);
    for (int j = 0; j < ARRAYS; j++)
        copy_to_device(&a[j]);
    OK(run_each(q->op, &X(vec_host), a->n, f, host));
    OK(run_each(q->op, psb_cuda_device()->X(vec), a->n, f, dev));
    for (int j = 0; j < q->m; j++)
        written |= (q->outs >> j & 1) << is[j];
    for (int j = 0; j < ARRAYS; j++)
        compare(&a[j], written >> j & 1 ? (CPLX ? 20 : 5) * EPS * q->most : 0, q->name);
}

/* Choose factors by the digits of `which`. */
static void choose_factors(int which, T *f)
{
    const T factor[] = { 0, 1, -1, MAKE(0.3, 0.8) };
    for (int i = 0; i < FACTORS; i++, which /= 4)
        f[i] = factor[which % 4];
}

static void try_all_factors(const struct each *q, const int *is, int special, struct both *a)
{
    T f[FACTORS];
    int all = 1 << 2 * q->factors, step = all > 16 && (a->n > 1000 || ck_step(all) > 1) ? 37 : 1;
    for (int which = 0; which < all; which += step) {
        choose_factors(which, f);
        compare_operation(q, f, is, special, a);
    }
}

TEST(element_by_element)
{
    static const int same[][ARRAYS] = { { 0, 1, 2 }, { 0, 0, 2 }, { 0, 1, 1 }, { 0, 1, 0 }, { 0, 0, 0 } };
    const struct each *q = &eachs[_i];
    for (int s = 0; s < 5; s++) {
        struct both a[ARRAYS];
        make_all(sizes[s], a);
        for (int k = 0; k < (q->op == UPD_XYZ ? 1 : q->m < 3 ? 2 : 5); k++)
            try_all_factors(q, same[k], 0, a);
        try_all_factors(q, same[0], 1, a);
        free_all(a);
    }
}

/* --- rows given by a list --- */

/* Every third row, in random order. */
static psb_ipk list_of(psb_ipk n, psb_ipk *idx)
{
    psb_ipk m = (n + 2) / 3;
    for (psb_ipk i = 0; i < m; i++)
        idx[i] = 3 * (psb_ipk)((i * 7919LL + 3) % m);
    return m;
}

TEST(listed_rows)
{
    const psb_ipk n = sizes[_i / 3], k = columns[_i % 3];
    BOTH x = make((psb_epk)n * k), buf = make((psb_epk)n * k);
    vec_ops *o = psb_cuda_device()->X(vec);
    HEAP psb_ipk *idx = malloc(((size_t)n + 1) * sizeof *idx);
    void *dev;
    ck_assert_ptr_nonnull(idx);
    psb_ipk m = list_of(n, idx);
    OK(psb_cuda_device()->alloc(&dev, ((size_t)m + 1) * sizeof *idx, "indices"));
    OK(psb_cuda_device()->put(dev, idx, (size_t)m * sizeof *idx));
    fill_values(&x, 1);
    fill_values(&buf, 2);
    copy_to_device(&x);
    copy_to_device(&buf);
    OK(X(vec_host).scatter_add(m, idx, k, buf.host, x.host));
    OK(o->scatter_add(m, dev, k, buf.dev, x.dev));
    compare(&x, 0, "scatter_add");
    for (int f = 0; f < 3; f++) { /* NaN is not read if beta is 0 */
        const T beta = f == 2 ? (T)0.75 : f;
        x.host[0] = f ? 1 : NAN;
        copy_to_device(&x);
        OK(X(vec_host).scatter(m, idx, k, buf.host, beta, x.host));
        OK(o->scatter(m, dev, k, buf.dev, beta, x.dev));
        compare(&x, f == 2 ? 8 * EPS : 0, "scatter");
    }
    copy_to_device(&x);
    OK(X(vec_host).gth(m, idx, k, x.host, buf.host));
    OK(o->gth(m, dev, k, x.dev, buf.dev));
    compare(&buf, 0, "gth");
    psb_cuda_device()->free(dev);
}

/* Lists of m shared rows on the device: loc, the rows idx[0..m), start and place, of 2 to 4 owners each, one
 * of which is this process. */
static psb_ipk *lists_of(psb_ipk m, const psb_ipk *idx, psb_ipk *host)
{
    psb_ipk *start = host + m, *place = start + m + 1, n = 0;
    start[0] = 0;
    for (psb_ipk i = 0; i < m; i++) {
        const psb_ipk owners = 2 + i % 3;
        host[i] = idx[i];
        start[i + 1] = start[i] + owners;
        for (psb_ipk o = 0; o < owners; o++)
            place[start[i] + o] = o == i % owners ? -1 : n++;
    }
    const size_t bytes = (size_t)(2 * m + 1 + start[m]) * sizeof *host;
    void *dev;
    OK(psb_cuda_device()->alloc(&dev, bytes, "lists"));
    OK(psb_cuda_device()->put(dev, host, bytes));
    return dev;
}

TEST(rows_with_several_owners)
{
    const psb_ipk n = sizes[_i / 12], k = columns[_i / 4 % 3];
    BOTH x = make((psb_epk)n * k), in = make((psb_epk)3 * n * k);
    HEAP psb_ipk *idx = malloc(((size_t)n + 1) * sizeof *idx),
                 *host = malloc(6 * ((size_t)n + 2) * sizeof *host);
    ck_assert(idx && host);
    const psb_ipk m = list_of(n, idx);
    psb_ipk *dev = lists_of(m, idx, host);
    struct X(vec_owners) t = { .op = (enum psb_ovrl)(PSB_OVRL_SUM + _i % 4), .n = m, .k = k };
    fill_values(&x, 1);
    fill_values(&in, 2);
    copy_to_device(&x);
    copy_to_device(&in);
    t.loc = host, t.start = host + m, t.place = host + 2 * m + 1, t.in = in.host, t.x = x.host;
    OK(X(vec_host).join_owners(&t));
    t.loc = dev, t.start = dev + m, t.place = dev + 2 * m + 1, t.in = in.dev, t.x = x.dev;
    OK(psb_cuda_device()->X(vec)->join_owners(&t));
    compare(&x, 0, "join_owners");
    psb_cuda_device()->free(dev);
}

/* --- reductions over rows --- */

enum over_op { DOT, DOT_ITSELF, SUMSQ, WSUMSQ, WSUMSQ_WHERE, ASUM, AMAX, MIN, MINQUOTIENT };

struct over {
    const char *name;
    enum over_op op;
    int parts;
    double slack; /* relative; 1: that of a sum of n terms */
};

static psb_err run_over(enum over_op op, vec_ops *o, psb_ipk n, int k, T *const *v, double *res)
{
    switch (op) {
    case DOT:
    case DOT_ITSELF:
        return o->dot(n, k, v[0], v[op == DOT], res);
    case SUMSQ:
        return o->sumsq(n, k, v[0], res);
    case WSUMSQ:
    case WSUMSQ_WHERE:
        return o->wsumsq(n, k, v[0], v[1], op == WSUMSQ ? NULL : v[2], res);
    case ASUM:
        return o->asum(n, k, v[0], res);
    case AMAX:
        return o->amax(n, k, v[0], res);
    case MIN:
        return o->min(n, k, v[0], res);
    default:
        return o->minquotient(n, k, v[0], v[2], res);
    }
}

static const struct over overs[] = {
    { "dot", DOT, 2, 1 },
    { "dot of x and x", DOT_ITSELF, 2, 1 },
    { "sumsq", SUMSQ, 1, 1 },
    { "wsumsq", WSUMSQ, 1, 1 },
    { "wsumsq where id", WSUMSQ_WHERE, 1, 1 },
    { "asum", ASUM, 1, 1 },
    { "amax", AMAX, 1, 4 * DBL_EPSILON },
    { "min", MIN, 1, 0 },
    { "minquotient", MINQUOTIENT, 1, 0 },
};
enum { OVERS = sizeof overs / sizeof *overs };

/* Bound of the difference of results for column j: each side adds in blocks of 512 rows or in as many parts.
 * Terms of a dot product are smaller than the sums of squares. */
static double slack_of(const struct over *q, psb_ipk n, int k, int j, T *const *v, double want)
{
    double size = fabs(want);
    if (q->slack != 1)
        return q->slack * size;
    if (q->parts == 2) {
        size = 0;
        for (psb_ipk i = 0; i < n; i++)
            size += (double)ABS(v[0][(psb_epk)i * k + j]) * (double)ABS(v[1][(psb_epk)i * k + j]);
    }
    return (n / 256 + 100) * DBL_EPSILON * size;
}

static int agrees(double got, double want, double slack)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= slack;
}

/* Two runs give the same bits, and those of the host up to rounding. */
static void compare_reduction(const struct over *q, psb_ipk n, int k, const struct both *a)
{
    T *host[] = { a[0].host, a[1].host, a[2].host }, *dev[] = { a[0].dev, a[1].dev, a[2].dev };
    vec_ops *o = psb_cuda_device()->X(vec);
    size_t m = (size_t)(k * q->parts);
    HEAP double *want = malloc(m * sizeof *want), *got = malloc(m * sizeof *got),
                *again = malloc(m * sizeof *again);
    ck_assert(want && got && again);
    OK(run_over(q->op, &X(vec_host), n, k, host, want));
    OK(run_over(q->op, o, n, k, dev, got));
    OK(run_over(q->op, o, n, k, dev, again));
    ck_assert_mem_eq(got, again, m * sizeof *got);
    if (q->op == DOT_ITSELF)
        host[1] = host[0];
    for (size_t i = 0; i < m; i++) {
        int j = (int)i / q->parts;
        double slack = slack_of(q, n, k, j, host, want[i]);
        ck_assert_msg(agrees(got[i], want[i], isfinite(slack) ? slack : 0),
                      "%s of %d rows: result %d of %d columns is %g, expected %g within %g", q->name, n, j, k,
                      got[i], want[i], slack);
    }
}

/* The third array has a 0 in every third row, beginning with row 0. */
static void fill_all(psb_ipk n, int k, struct both *a)
{
    for (int j = 0; j < ARRAYS; j++)
        fill_values(&a[j], (uint64_t)j + 7);
    for (psb_ipk i = 0; i < n; i += 3)
        fill_vector(k, a[2].host + (psb_epk)i * k, 0);
}

/* Put a NaN into the last column of this row, and an infinity into the first. */
static void put_nan_and_infinity(psb_ipk n, int k, int row, struct both *a)
{
    if (row < 0 || row >= n)
        return;
    a[0].host[(psb_epk)row * k] = MAKE(INFINITY, 1);
    a[0].host[(psb_epk)row * k + k - 1] = MAKE(NAN, NAN);
}

static void try_all_overs(psb_ipk n, int k)
{
    struct both a[ARRAYS];
    make_all((psb_epk)n * k, a);
    static const int spoilt[] = { -1, 0, 2 }; /* no row, a row with a 0, a row without */
    for (int t = 0; t < 3; t++) {
        fill_all(n, k, a);
        put_nan_and_infinity(n, k, spoilt[t], a);
        for (int j = 0; j < ARRAYS; j++)
            copy_to_device(&a[j]);
        for (int i = 0; i < OVERS; i++)
            compare_reduction(&overs[i], n, k, a);
        for (int j = 0; j < ARRAYS; j++)
            compare(&a[j], 0, "what a reduction reads");
    }
    free_all(a);
}

TEST(row_reductions)
{
    try_all_overs(sizes[_i / 3], columns[_i % 3]);
}

/* Numbers of columns around those that a kernel handles at a time and that fit in a block of threads. */
TEST(reductions_of_many_columns)
{
    static const int many[] = { 100, 128, 129, 256, 257, 600 };
    for (int i = 0; i < 5; i++)
        try_all_overs(sizes[i] < 1000 ? sizes[i] : 700, many[_i]);
}

/* The squares of these moduli overflow or underflow. */
TEST(moduli_out_of_range)
{
    const double top = (double)TMAX / 16, low = 1 / top;
    const T x[] = { MAKE(top, top), MAKE(0, top), MAKE(low, low), MAKE(top, low), MAKE(-low, 0) };
    double got, want;
    for (int n = 1; n <= 5; n++) {
        BOTH a = make(n), z = make(n);
        vec_ops *o = psb_cuda_device()->X(vec);
        for (int from = 0; from + n <= 5; from++) {
            memcpy(a.host, x + from, (size_t)n * sizeof(T));
            copy_to_device(&a);
            copy_to_device(&z);
            OK(X(vec_host).amax(n, 1, a.host, &want));
            OK(o->amax(n, 1, a.dev, &got));
            ck_assert(isfinite(want) && fabs(got - want) <= 4 * DBL_EPSILON * want);
            OK(X(vec_host).asum(n, 1, a.host, &want));
            OK(o->asum(n, 1, a.dev, &got));
            ck_assert(isfinite(want) && fabs(got - want) <= 10 * DBL_EPSILON * want);
            OK(X(vec_host).abs(n, a.host, z.host));
            OK(o->abs(n, a.dev, z.dev));
            compare(&z, n == 1 ? 4 * EPS * ABS(z.host[0]) : 8 * EPS * top, "abs");
        }
    }
}

/* --- single precision --- */

/* To single precision, in the first bytes of y, and back; 70 columns are more than one launch takes. */
TEST(single_precision)
{
    const psb_ipk n = sizes[_i / 4], k = _i % 4 < 3 ? columns[_i % 4] : n < 1000 ? 70 : 2;
    BOTH x = make((psb_epk)n * k), y = make((psb_epk)n * k), z = make((psb_epk)n * k);
    vec_ops *o = psb_cuda_device()->X(vec);
    R down[70], up[70];
    for (int j = 0; j < 70; j++) {
        down[j] = (R)(j + 1);
        up[j] = (R)ldexp(3, -j);
    }
    fill_values(&x, 1);
    add_nan_and_infinity(&x, 3, 1);
    copy_to_device(&x);
    copy_to_device(&y);
    copy_to_device(&z);
    OK(X(vec_host).narrow(n, k, down, x.host, (TS *)y.host));
    OK(X(vec_host).widen(n, k, up, (TS *)y.host, z.host));
    for (psb_epk i = 0; i < x.n; i++) {
        const TS low = (TS)(down[i % k] * x.host[i]);
        const T want = up[i % k] * (T)low;
        ck_assert(memcmp(&low, (TS *)y.host + i, sizeof low) == 0 || low != low);
        ck_assert(memcmp(&want, &z.host[i], sizeof want) == 0 || want != want);
    }
    OK(o->narrow(n, k, down, x.dev, (TS *)y.dev));
    OK(o->widen(n, k, up, (TS *)y.dev, z.dev));
    compare(&z, 0, "widen");
}

/* --- many vectors in one pass --- */

/* Vectors x[0..m) and y on both sides; x[1] is NaN. */
struct many {
    int m;
    struct both x[PSB_MOST_VECTORS], y;
    const T *host[PSB_MOST_VECTORS], *dev[PSB_MOST_VECTORS];
};

static void make_many(psb_ipk n, int m, struct many *v)
{
    v->m = m;
    v->y = make(n);
    for (int i = 0; i < m; i++) {
        v->x[i] = make(n);
        fill_values(&v->x[i], (uint64_t)i + 7);
        if (i == 1)
            fill_vector(n, v->x[i].host, MAKE(NAN, NAN));
        copy_to_device(&v->x[i]);
        v->host[i] = v->x[i].host;
        v->dev[i] = v->x[i].dev;
    }
}

/* y = beta y + the sum; factor 1 is 0, so that x[1] is not read. */
static void try_sum_of_many(struct many *v, T beta)
{
    T alpha[PSB_MOST_VECTORS];
    for (int i = 0; i < v->m; i++)
        alpha[i] = i == 1 ? 0 : MAKE(0.25 * (i % 5) - 0.6, 0.5);
    fill_values(&v->y, 3);
    if (beta == 0)
        fill_vector((psb_ipk)v->y.n, v->y.host, MAKE(NAN, NAN));
    copy_to_device(&v->y);
    OK(X(vec_host).maxpby(v->y.n, v->m, alpha, v->host, beta, v->y.host));
    OK(psb_cuda_device()->X(vec)->maxpby(v->y.n, v->m, alpha, v->dev, beta, v->y.dev));
    compare(&v->y, (CPLX ? 20 : 5) * EPS * 2 * (v->m + 1) * (v->m + 1), "the sum of many vectors");
}

/* The products of the vectors and y with y: the host's up to rounding, and the same bits twice. */
static void try_products_of_many(struct many *v)
{
    static const struct over q = { "many dots", DOT, 2, 1 };
    const psb_ipk n = (psb_ipk)v->y.n;
    double want[2 * PSB_MOST_VECTORS], got[2 * PSB_MOST_VECTORS], again[2 * PSB_MOST_VECTORS];
    vec_ops *o = psb_cuda_device()->X(vec);
    fill_values(&v->y, 3);
    copy_to_device(&v->y);
    v->host[0] = v->y.host;
    v->dev[0] = v->y.dev;
    OK(X(vec_host).dots(n, v->m, v->host, v->y.host, want));
    OK(o->dots(n, v->m, v->dev, v->y.dev, got));
    OK(o->dots(n, v->m, v->dev, v->y.dev, again));
    ck_assert_mem_eq(got, again, 2 * (size_t)v->m * sizeof *got);
    for (int i = 0; i < v->m; i++) {
        T *const pair[] = { (T *)v->host[i], v->y.host };
        const double bound = slack_of(&q, n, 1, 0, pair, want[2 * i]), slack = isfinite(bound) ? bound : 0;
        double one[2];
        OK(X(vec_host).dot(n, 1, v->host[i], v->y.host, one));
        ck_assert_mem_eq(one, want + 2 * i, sizeof one);
        for (int part = 2 * i; part < 2 * i + 2; part++)
            ck_assert_msg(agrees(got[part], want[part], slack), "product %d of %d: %g, expected %g within %g",
                          i, v->m, got[part], want[part], slack);
    }
    compare(&v->y, 0, "what products of many read");
}

TEST(many_vectors)
{
    static const int counts[] = { 1, 2, 5, 31, PSB_MOST_VECTORS };
    const T beta[] = { 0, 1, -1, MAKE(0.3, 0.8) };
    struct many v;
    make_many(sizes[_i % 5], counts[_i / 5], &v);
    for (int b = 0; b < 4; b++)
        try_sum_of_many(&v, beta[b]);
    try_products_of_many(&v);
    for (int i = 0; i < v.m; i++)
        free_both(&v.x[i]);
    free_both(&v.y);
}

/* --- blocks of columns --- */

/* The products of all columns of x and y (of x with itself if y is x): the host's up to rounding, those of
 * single columns, and the same bits twice. */
static void try_gram(psb_ipk n, int k, const struct both *x, const struct both *y)
{
    enum { ALL = 2 * PSB_MOST_BLOCK * PSB_MOST_BLOCK };
    static double want[ALL], got[ALL], again[ALL];
    const double slack = (n / 256 + 100) * DBL_EPSILON * 8 * n * 9;
    double column[2 * PSB_MOST_BLOCK];
    OK(X(vec_host).gram(n, k, x->host, y->host, want));
    OK(psb_cuda_device()->X(vec)->gram(n, k, x->dev, y->dev, got));
    OK(psb_cuda_device()->X(vec)->gram(n, k, x->dev, y->dev, again));
    ck_assert_mem_eq(got, again, 2 * (size_t)(k * k) * sizeof *got);
    for (int e = 0; e < 2 * k * k; e++)
        ck_assert_msg(agrees(got[e], want[e], slack), "product %d of %d^2: %g, expected %g within %g", e / 2,
                      k, got[e], want[e], slack);
    OK(X(vec_host).dot(n, k, x->host, y->host, column));
    for (int j = 0; j < 2 * k; j++)
        ck_assert(agrees(want[2 * (j / 2) * (k + 1) + j % 2], column[j], slack));
}

static void try_block_axpy(psb_ipk n, int k, T beta, const struct both *x, const struct both *y)
{
    static T c[PSB_MOST_BLOCK * PSB_MOST_BLOCK];
    for (int e = 0; e < k * k; e++)
        c[e] = MAKE(0.25 * (e % 7) - 0.6, 0.1 * (e % 5));
    fill_values(y, 5);
    if (beta == 0)
        fill_vector(n * k, y->host, MAKE(NAN, NAN));
    copy_to_device(y);
    OK(X(vec_host).block_axpy(n, k, x->host, c, beta, y->host));
    OK(psb_cuda_device()->X(vec)->block_axpy(n, k, x->dev, c, beta, y->dev));
    compare(y, (CPLX ? 20 : 5) * EPS * 3 * (k + 1) * (k + 1), "the product of a block");
    for (psb_ipk i = 0; i < n && beta == 0; i += 1 + n / 7)
        for (int j = 0; j < k; j++) {
            T sum = 0;
            for (int l = 0; l < k; l++)
                sum += x->host[i * k + l] * c[l * k + j];
            ck_assert(ABS(sum - y->host[i * k + j]) <= 20 * EPS * 3 * k * k);
        }
    compare(x, 0, "the block");
}

TEST(blocks_of_columns)
{
    static const int many[] = { 1, 2, 3, 8, 9, 15, 16, 23, PSB_MOST_BLOCK };
    const T beta[] = { 0, 1, MAKE(0.3, 0.8) };
    const int k = many[_i / 5];
    const psb_ipk n = k > 9 && sizes[_i % 5] > 10000 ? 10007 : sizes[_i % 5];
    struct both x = make(n * k), y = make(n * k);
    fill_values(&x, 3);
    fill_values(&y, 4);
    copy_to_device(&x);
    copy_to_device(&y);
    try_gram(n, k, &x, &y);
    try_gram(n, k, &x, &x);
    for (int b = 0; b < 3; b++)
        try_block_axpy(n, k, beta[b], &x, &y);
    free_both(&x);
    free_both(&y);
}

/* --- epilogues of products --- */

/* On one side: z = gamma y + delta z, then <y,u>, <z,z>, <u,z>. */
static psb_err run_epilogue(vec_ops *o, psb_ipk n, T gamma, T delta, T *const *v, double *sum)
{
    const struct X(vec_epilogue) t = {
        .gamma = { gamma, NULL },
        .delta = { delta, NULL },
        .z = v[1],
        .ndots = 3,
        .left = { v[0], v[1], v[2] },
        .right = { v[2], v[1], v[1] },
    };
    return o->epilogue(n, v[0], &t, sum);
}

static void try_epilogue(psb_ipk n, T gamma, T delta)
{
    static const int left[] = { 0, 1, 2 }, right[] = { 2, 1, 1 };
    struct both a[ARRAYS];
    double want[6], got[6], again[2];
    make_all(n, a);
    for (int j = 0; j < ARRAYS; j++)
        fill_values(&a[j], (uint64_t)j + 7);
    if (delta == 0)
        fill_vector(n, a[1].host, MAKE(NAN, NAN));
    for (int j = 0; j < ARRAYS; j++)
        copy_to_device(&a[j]);
    OK(run_epilogue(&X(vec_host), n, gamma, delta, (T *const[]){ a[0].host, a[1].host, a[2].host }, want));
    OK(run_epilogue(psb_cuda_device()->X(vec), n, gamma, delta, (T *const[]){ a[0].dev, a[1].dev, a[2].dev },
                    got));
    compare(&a[0], 0, "y");
    compare(&a[1], 16 * (long double)EPS * (ABS(gamma) + ABS(delta)), "z");
    for (int d = 0; d < 3; d++) {
        const T *l = a[left[d]].host, *r = a[right[d]].host;
        double size = 0;
        OK(X(vec_host).dot(n, 1, l, r, again));
        ck_assert(again[0] == want[2 * d] && again[1] == want[2 * d + 1]);
        for (psb_ipk i = 0; i < n; i++)
            size += 2 * (double)ABS(l[i]) + 2 * (double)ABS(r[i]);
        size *= (n / 256 + 100) * DBL_EPSILON * 8 + 16 * (double)EPS;
        ck_assert_msg(agrees(got[2 * d], want[2 * d], size) && agrees(got[2 * d + 1], want[2 * d + 1], size),
                      "product %d of %d rows is %g %g, expected %g %g within %g", d, n, got[2 * d],
                      got[2 * d + 1], want[2 * d], want[2 * d + 1], size);
    }
    free_all(a);
}

TEST(product_epilogues)
{
    const T factor[] = { 0, 1, -1, MAKE(1.5, 0.25) };
    for (int k = 0; k < 16; k++)
        try_epilogue(sizes[_i], factor[k % 4], factor[k / 4]);
}

void vec_ops_cases(Suite *s)
{
    TCase *c = ck_tcase(s, "tables");
    ck_add_loop_tests(c, EACHS, element_by_element);
    ck_add_loop_tests(c, 15, listed_rows);
    ck_add_loop_tests(c, 60, rows_with_several_owners);
    ck_add_loop_tests(c, 15, row_reductions);
    ck_add_loop_tests(c, 6, reductions_of_many_columns);
    ck_add_tests(c, moduli_out_of_range);
    ck_add_loop_tests(c, 20, single_precision);
    ck_add_loop_tests(c, 25, many_vectors);
    ck_add_loop_tests(c, 45, blocks_of_columns);
    ck_add_loop_tests(c, 5, product_epilogues);
}
