/* check_vect.c -- room: test.  Vectors on one process: random operations on vectors of the host and of two
 * devices, compared with plain arrays; repeated with a GPU if there is one. */
#include "suites.h"
#include "config.h"
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "psb_cuda.h"
#include "check_vec_ops.h"
#include "counting_device.h"
#include "sample.h"

/* Values are small integers, so that all results but square roots are exact. */
enum { N = 37, VECTORS = 6, LARGE = 60 };

static psb_ctxt *ctxt;
static psb_desc *desc;
static const struct psb_vmold *const places[] = { &psb_vect_host, &psb_vect_cuda, &counting_device_vect };

static T whole(struct rng *r)
{
    int re = rng_below(r, 9) - 4, im = rng_below(r, 9) - 4;
    return MAKE(re, im);
}

/* --- a vector and its expected values --- */

struct pair {
    struct X(vect) *v;
    T must[N];
};

static void check_values(const T *now, const T *must)
{
    for (int i = 0; i < N; i++)
        ck_assert_msg(now[i] == must[i], "element %d is %g, expected %g", i, (double)RE(now[i]),
                      (double)RE(must[i]));
}

static void check_pair(struct pair *p)
{
    T now[N];
    OK(X(get_vect)(p->v, N, now));
    check_values(now, p->must);
}

static int size_of(const struct pair *p)
{
    double most = 0;
    for (int i = 0; i < N; i++)
        most = fmax(most, fabs((double)RE(p->must[i])) + fabs((double)IM(p->must[i])));
    return (int)most;
}

static void open_pair(struct pair *p, const struct psb_vmold *where)
{
    memset(p->must, 0, sizeof p->must);
    OK(X(geall)(&p->v, desc));
    OK(X(geasb)(p->v, where));
    check_pair(p);
}

/* --- operations --- */

static void set_scal(struct pair *x, struct pair *y, struct rng *r)
{
    T a = whole(r);
    (void)y;
    OK(X(set_scal)(a, x->v));
    fill_vector(N, x->must, a);
}

static void axpby(struct pair *x, struct pair *y, struct rng *r)
{
    const T factor[] = { 0, 1, -1, 2 };
    T alpha = factor[rng_below(r, 4)], beta = factor[rng_below(r, 4)];
    OK(X(geaxpby)(alpha, x->v, beta, y->v));
    for (int i = 0; i < N; i++)
        y->must[i] = alpha * x->must[i] + beta * y->must[i];
}

static void dot(struct pair *x, struct pair *y, struct rng *r)
{
    T got, must = 0;
    (void)r;
    OK(X(gedot)(x->v, y->v, &got));
    for (int i = 0; i < N; i++)
        must += CONJ(x->must[i]) * y->must[i];
    ck_assert(got == must);
}

static void nrm2(struct pair *x, struct pair *y, struct rng *r)
{
    R got;
    double sum = 0;
    (void)y, (void)r;
    OK(X(genrm2)(x->v, &got));
    for (int i = 0; i < N; i++)
        sum += (double)RE(x->must[i]) * RE(x->must[i]) + (double)IM(x->must[i]) * IM(x->must[i]);
    ck_assert(fabs((double)got - sqrt(sum)) <= 2 * EPS * sqrt(sum));
}

static void set_some(struct pair *x, struct pair *y, struct rng *r)
{
    T from[N];
    int n = rng_below(r, N + 1);
    (void)y;
    for (int i = 0; i < n; i++)
        x->must[i] = from[i] = whole(r);
    OK(X(set_vect)(x->v, n, from));
}

static void get_all(struct pair *x, struct pair *y, struct rng *r)
{
    (void)y, (void)r;
    check_pair(x);
}

static void get_element(struct pair *x, struct pair *y, struct rng *r)
{
    T got;
    int i = rng_below(r, N);
    (void)y;
    OK(X(getelem)(x->v, i, &got));
    ck_assert(got == x->must[i]);
}

static void host_update(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    int i = rng_below(r, N);
    (void)y;
    OK(X(host_update)(x->v, &p));
    p[i] = x->must[i] = whole(r);
}

static void host_write(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    (void)y;
    OK(X(host_write)(x->v, &p));
    for (int i = 0; i < N; i++)
        p[i] = x->must[i] = whole(r);
}

/* Overwrite some or all elements on the device, as a kernel of the application may. */
static void write_on_device(struct pair *x, T *dev, int from, int to, struct rng *r)
{
    for (int i = from; i < to; i++)
        x->must[i] = whole(r);
    OK(x->v->v.on->put(dev + from, x->must + from, (size_t)(to - from) * sizeof(T)));
}

static void device_update(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    int i = rng_below(r, N);
    (void)y;
    if (!x->v->v.on) {
        FAILS(X(device_update)(x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_update)(x->v, &p));
    write_on_device(x, p, i, i + 1, r);
}

static void device_write(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    (void)y;
    if (!x->v->v.on) {
        FAILS(X(device_write)(x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_write)(x->v, &p));
    write_on_device(x, p, 0, N, r);
}

static void read_both(struct pair *x, struct pair *y, struct rng *r)
{
    const T *p;
    T now[N];
    (void)y, (void)r;
    OK(X(host_read)(x->v, &p));
    check_values(p, x->must);
    if (x->v->v.on) {
        OK(X(device_read)(x->v, &p));
        OK(x->v->v.on->get(now, p, sizeof now));
        check_values(now, x->must);
    }
}

/* With one process the halo is empty. */
static void halo(struct pair *x, struct pair *y, struct rng *r)
{
    (void)y;
    OK(X(halo)(x->v, rng_below(r, 2) ? 'N' : 'T'));
}

/* --- elementwise operations, reductions, lists --- */

static struct pair third; /* the third operand of operations on three vectors */

static void axpbyz(struct pair *x, struct pair *y, struct rng *r)
{
    const T factor[] = { 0, 1, -1, 2 };
    T alpha = factor[rng_below(r, 4)], beta = factor[rng_below(r, 4)];
    OK(X(geaxpbyz)(alpha, x->v, beta, y->v, third.v));
    for (int i = 0; i < N; i++)
        third.must[i] = alpha * x->must[i] + beta * y->must[i];
}

static void upd_xyz(struct pair *x, struct pair *y, struct rng *r)
{
    const T factor[] = { 0, 1, -1 };
    T f[4];
    for (int i = 0; i < 4; i++)
        f[i] = factor[rng_below(r, 3)];
    if (x == y) {
        FAILS(X(upd_xyz)(f[0], f[1], f[2], f[3], x->v, y->v, third.v), PSB_EARG, "x and y are the same");
        return;
    }
    OK(X(upd_xyz)(f[0], f[1], f[2], f[3], x->v, y->v, third.v));
    for (int i = 0; i < N; i++) {
        y->must[i] = f[0] * x->must[i] + f[1] * y->must[i];
        third.must[i] = f[2] * y->must[i] + f[3] * third.must[i];
    }
}

static void scal(struct pair *x, struct pair *y, struct rng *r)
{
    T a = rng_below(r, 3) - 1;
    (void)y;
    OK(X(gescal)(a, x->v));
    for (int i = 0; i < N; i++)
        x->must[i] *= a;
}

/* Elements are from a small set, so that products stay small. */
static void mlt(struct pair *x, struct pair *y, struct rng *r)
{
    OK(X(gecmp)(x->v, 2, third.v));
    for (int i = 0; i < N; i++)
        third.must[i] = ABS(x->must[i]) >= 2;
    if (rng_below(r, 2)) {
        OK(X(gemlt)(third.v, y->v));
        for (int i = 0; i < N; i++)
            y->must[i] *= third.must[i];
    } else {
        OK(X(gemlt2)(-1, third.v, x->v, 1, y->v));
        for (int i = 0; i < N; i++)
            y->must[i] = (x == y ? x->must[i] : y->must[i]) - third.must[i] * x->must[i];
    }
}

/* By 1/2, 1/4 and -1: exact. */
static void divide(struct pair *x, struct pair *y, struct rng *r)
{
    const T by[] = { 1, -1, 0.5 };
    T d = by[rng_below(r, 3)];
    OK(X(set_scal)(d, third.v));
    fill_vector(N, third.must, d);
    OK(rng_below(r, 2) ? X(gediv)(x->v, third.v) : X(gediv_check)(x->v, third.v));
    for (int i = 0; i < N; i++)
        x->must[i] /= d;
    OK(X(geinv)(third.v, third.v));
    fill_vector(N, third.must, 1 / d);
    OK(X(gediv2_check)(x->v, third.v, y->v));
    for (int i = 0; i < N; i++)
        y->must[i] = x->must[i] * d;
    for (int i = 0; i < N && x == y; i++)
        x->must[i] = y->must[i];
}

static void add_constant(struct pair *x, struct pair *y, struct rng *r)
{
    T b = whole(r);
    OK(X(geaddconst)(x->v, b, y->v));
    for (int i = 0; i < N; i++)
        y->must[i] = x->must[i] + b;
}

static void absolute(struct pair *x, struct pair *y, struct rng *r)
{
    (void)r;
    for (int i = 0; i < N; i++) /* real values: the moduli of complex ones are not exact */
        x->must[i] = RE(x->must[i]);
    OK(X(set_vect)(x->v, N, x->must));
    OK(X(geabs)(x->v, y->v));
    for (int i = 0; i < N; i++)
        y->must[i] = (R)fabs((double)RE(x->must[i]));
}

static void extremes(struct pair *x, struct pair *y, struct rng *r)
{
    R top, sum, low;
    double must_top = 0, must_sum = 0, must_low = INFINITY;
    (void)y, (void)r;
    for (int i = 0; i < N; i++) {
        must_top = fmax(must_top, (double)ABS(x->must[i]));
        must_sum += (double)ABS(x->must[i]);
        must_low = fmin(must_low, (double)RE(x->must[i]));
    }
    OK(X(geamax)(x->v, &top));
    OK(X(geasum)(x->v, &sum));
    ck_assert(fabs((double)top - must_top) <= EPS * must_top);
    ck_assert(fabs((double)sum - must_sum) <= (N + 2) * EPS * must_sum);
    if (!CPLX) {
        OK(X(gemin)(x->v, &low));
        ck_assert((double)low == must_low);
    }
}

static void lists(struct pair *x, struct pair *y, struct rng *r)
{
    psb_ipk idx[N];
    T buf[N], beta = rng_below(r, 3) - 1;
    int n = rng_below(r, N);
    for (int i = 0; i < n; i++)
        idx[i] = rng_below(r, N);
    OK(X(vect_gth)(x->v, n, idx, buf));
    for (int i = 0; i < n; i++)
        ck_assert(buf[i] == x->must[idx[i]]);
    OK(X(vect_sct)(n, idx, buf, beta, y->v));
    for (int i = 0; i < n; i++) /* an index may occur more than once */
        y->must[idx[i]] = beta * y->must[idx[i]] + buf[i];
    enum psb_dupl how = rng_below(r, 2) ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
    for (int i = 0; i < n; i++) {
        buf[i] = whole(r);
        y->must[idx[i]] = how == PSB_DUPL_ADD ? y->must[idx[i]] + buf[i] : buf[i];
    }
    OK(X(vect_ins)(n, idx, buf, y->v, how));
}

static void get_entry(struct pair *x, struct pair *y, struct rng *r)
{
    T got;
    int i = rng_below(r, N);
    (void)y;
    OK(X(vect_get_entry)(x->v, i, &got));
    ck_assert(got == x->must[i]);
}

static void sync_both(struct pair *x, struct pair *y, struct rng *r)
{
    (void)y, (void)r;
    ck_assert_int_eq(X(vect_is_host)(x->v) + X(vect_is_dev)(x->v) + X(vect_is_sync)(x->v), 1);
    OK(X(vect_sync)(x->v));
    ck_assert(x->v->v.on ? X(vect_is_sync)(x->v) : X(vect_is_host)(x->v));
}

/* The vector is replaced by its clone, on another device. */
static void replace_by_clone(struct pair *x, struct pair *y, struct rng *r)
{
    struct X(vect) *new;
    (void)y;
    OK(X(vect_clone)(x->v, &new));
    OK(X(vect_zero)(x->v));
    X(gefree)(x->v);
    OK(X(vect_cnv)(new, places[rng_below(r, 3)]));
    x->v = new;
}

static void (*const operations[])(struct pair *, struct pair *, struct rng *) = {
    set_scal,  axpby,         axpby,       axpby,        dot,           nrm2,
    set_some,  get_all,       get_element, host_write,   host_update,   device_write,
    read_both, device_update, halo,        axpbyz,       axpbyz,        upd_xyz,
    scal,      mlt,           divide,      add_constant, absolute,      extremes,
    lists,     get_entry,     sync_both,   upd_xyz,      device_update, replace_by_clone,
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Each vector is the third operand for a while. */
static void exchange_third(struct pair *p)
{
    struct pair was = third;
    third = *p;
    *p = was;
}

START_TEST(random_sequence)
    {
        struct rng r = { (uint64_t)_i };
        struct pair p[VECTORS];
        for (int k = 0; k < VECTORS; k++)
            open_pair(&p[k], places[k % 3]);
        open_pair(&third, places[_i % 3]);
        for (int k = 0; k < 3000; k++) {
            struct pair *x = &p[rng_below(&r, VECTORS)], *y = &p[rng_below(&r, VECTORS)];
            operations[rng_below(&r, OPERATIONS)](x, y, &r);
            if (size_of(x) > LARGE)
                set_scal(x, NULL, &r);
            if (size_of(y) > LARGE)
                set_scal(y, NULL, &r);
            if (size_of(&third) > LARGE)
                set_scal(&third, NULL, &r);
            if (k % 10 == 0)
                exchange_third(&p[rng_below(&r, VECTORS)]);
        }
        check_pair(&third);
        X(gefree)(third.v);
        for (int k = 0; k < VECTORS; k++) {
            check_pair(&p[k]);
            X(gefree)(p[k].v);
        }
        ck_assert_int_eq(counting_device_blocks, 0);
    }
END_TEST

/* --- threads --- */

enum { LONG = 70001 };

static void set_threads(int n)
{
    psb_set_thread_grain(n > 1 ? 1 : 16384);
#ifdef _OPENMP
    omp_set_num_threads(n);
    ck_assert_int_eq(psb_threads(LONG), n);
#endif
}

/* Every computation once. */
static void compute_all(struct X(vect) *const *v, T *dot, R (*real)[3])
{
    OK(X(geaxpbyz)(2, v[0], MAKE(-1, 3), v[1], v[2]));
    OK(X(upd_xyz)(1, 2, 3, 4, v[0], v[2], v[3]));
    OK(X(gemlt2)(2, v[0], v[1], 1, v[3]));
    OK(X(geabs)(v[3], v[4]));
    OK(X(geaddconst)(v[4], 1, v[4]));
    OK(X(gediv)(v[3], v[4]));
    OK(X(geinv)(v[4], v[4]));
    OK(X(gedot)(v[0], v[3], dot));
    OK(X(genrm2)(v[2], real[0]));
    OK(X(genrm2_weightmask)(v[2], v[3], v[4], real[1]));
    OK(X(geasum)(v[3], real[2]));
    OK(X(geamax)(v[3], real[3]));
    OK(X(gecmp)(v[3], 1, v[4]));
    OK(X(gescal)(3, v[2]));
    if (!CPLX) {
        int ok;
        OK(X(gemin)(v[3], real[4]));
        OK(X(minquotient)(v[2], v[3], real[5]));
        OK(X(mask)(v[4], v[3], v[4], &ok));
    }
}

/* The results are bitwise equal for any number of threads. */
START_TEST(results_for_any_number_of_threads)
    {
        const int k = _i ? 3 : 1, n = LONG / k, number[] = { 1, 4, 3 };
        static T from[LONG], all[3][5][LONG];
        T dot[3][3] = { 0 };
        R real[3][6][3];
        memset(real, 0, sizeof real);
        for (int t = 0; t < 3; t++) {
            struct X(vect) *v[5];
            set_threads(number[t]);
            for (int j = 0; j < 5; j++) {
                random_vector(n * k, from, (uint64_t)j);
                OK(X(vect_bld)(&v[j], n, k, from, NULL));
            }
            compute_all(v, dot[t], real[t]);
            for (int j = 0; j < 5; j++) {
                OK(X(get_vect)(v[j], n, all[t][j]));
                X(gefree)(v[j]);
            }
        }
        set_threads(1);
        for (int t = 1; t < 3; t++) {
            ck_assert_mem_eq(dot[t], dot[0], sizeof *dot);
            ck_assert_mem_eq(real[t], real[0], sizeof *real);
            for (int j = 0; j < 5; j++)
                ck_assert_mem_eq(all[t][j], all[0][j], (size_t)(n * k) * sizeof(T));
        }
    }
END_TEST

/* With lists too: gathered elements return to their places. */
START_TEST(lists_with_threads)
    {
        const int k = _i ? 3 : 1, n = LONG / k;
        static T from[LONG], buf[LONG], to[LONG];
        static psb_ipk idx[LONG];
        for (int i = 0; i < n; i++)
            idx[i] = (psb_ipk)((i * 7LL + 3) % n);
        random_vector(n * k, from, 1);
        memset(to, 0, sizeof to);
        set_threads(4);
        OK(X(vec_host).gth(n, idx, k, from, buf));
        OK(X(vec_host).scatter_add(n, idx, k, buf, to));
        set_threads(1);
        for (int i = 0; i < n * k; i++)
            ck_assert(buf[i] == from[idx[i / k] * k + i % k]);
        ck_assert_mem_eq(to, from, (size_t)(n * k) * sizeof(T));
    }
END_TEST

/* The error of a long sum grows with n / 512, not with n. */
START_TEST(accuracy_of_long_sums)
    {
        static T x[LONG];
        struct X(vect) *v;
        T dot;
        R norm, sum;
        long double _Complex must = 0;
        long double size = 0;
        random_vector(LONG, x, 8);
        for (int i = 0; i < LONG; i++) {
            must += conjl((long double _Complex)x[i]) * x[i];
            size += cabsl((long double _Complex)x[i]);
        }
        OK(X(vect_bld)(&v, LONG, 1, x, NULL));
        OK(X(gedot)(v, v, &dot));
        OK(X(genrm2)(v, &norm));
        OK(X(geasum)(v, &sum));
        long double slack = EPS + (512 / 8 + LONG / 512 + 8) * DBL_EPSILON;
        ck_assert(fabsl(RE(dot) - creall(must)) <= slack * creall(must));
        ck_assert(fabsl(norm - sqrtl(creall(must))) <= slack * norm);
        ck_assert(fabsl(sum - size) <= slack * size);
        X(gefree)(v);
    }
END_TEST

/* --- a failing device --- */

enum { TRIALS = 14 };

static psb_err try_on_device(int i, struct X(vect) *x, struct X(vect) *y, T *sum)
{
    R real;
    psb_ipk zero = 0;
    T val = 1;
    switch (i) {
    case 0:
        return X(gedot)(x, y, sum);
    case 1:
        return X(geaxpby)(1, x, 2, y);
    case 2:
        return X(set_scal)(3, x);
    case 3:
        return X(geaxpbyz)(1, x, 2, y, x);
    case 4:
        return X(gemlt)(x, y);
    case 5:
        return X(gemlt2)(1, x, y, 0, y);
    case 6:
        return X(geabs)(x, y);
    case 7:
        return X(gecmp)(x, 1, y);
    case 8:
        return X(genrm2_weight)(x, y, &real);
    case 9:
        return X(geasum)(x, &real);
    case 10:
        return X(vect_sync)(x);
    case 11:
        PSB_TRY(X(gescal)(1, x)); /* the newest copy is on the device */
        return X(vect_cnv)(x, &psb_vect_cuda);
    case 12:
        return X(geaddconst)(x, 1, y);
    default:
        PSB_TRY(X(vect_sync)(x));
        return X(vect_sct)(1, &zero, &val, 0, x);
    }
}

/* A failed operation changes nothing, on either side. */
START_TEST(device_fails)
    {
        struct rng r = { (uint64_t)_i };
        struct pair p[2];
        for (int n = 1, failed = 1; failed; n++) {
            T sum;
            open_pair(&p[0], &counting_device_vect);
            open_pair(&p[1], &counting_device_vect);
            host_write(&p[0], NULL, &r);
            host_write(&p[1], NULL, &r);
            counting_device_fails_in = n;
            psb_err e = try_on_device(_i, p[0].v, p[1].v, &sum);
            failed = counting_device_fails_in == 0;
            counting_device_fails_in = 0;
            ck_assert(failed ? e == PSB_ENOMEM || e == PSB_EDEVICE : e == PSB_OK);
            ck_assert(failed || n > 1);
            for (int k = 0; k < 2 && failed; k++)
                check_pair(&p[k]);
            X(gefree)(p[0].v);
            X(gefree)(p[1].v);
        }
        ck_assert_int_eq(counting_device_blocks, 0);
    }
END_TEST

START_TEST(assembly_fails)
    {
        for (int n = 1, failed = 1; failed; n++) {
            struct pair p;
            const psb_lpk row = 5;
            const T value = 7;
            OK(X(geall)(&p.v, desc));
            OK(X(geins)(1, &row, &value, p.v, PSB_DUPL_OVERWRITE));
            counting_device_fails_in = n;
            psb_err e = X(geasb)(p.v, &counting_device_vect);
            failed = counting_device_fails_in == 0;
            counting_device_fails_in = 0;
            ck_assert_int_eq(e, failed ? PSB_ENOMEM : PSB_OK);
            ck_assert(failed || n > 1);
            if (failed)
                OK(X(geasb)(p.v, &counting_device_vect));
            fill_vector(N, p.must, 0);
            p.must[row] = value;
            check_pair(&p);
            X(gefree)(p.v);
        }
        ck_assert_int_eq(counting_device_blocks, 0);
    }
END_TEST

/* --- arguments --- */

static void check_other_arguments(struct X(vect) *x, struct X(vect) *build)
{
    struct X(vect) *new = NULL;
    T val[2] = { 1, 1 };
    psb_ipk idx[2] = { 0, N }, below = -1;
    FAILS(X(vect_new_n)(NULL, 1, 1, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_new_n)(&new, -1, 1, NULL), PSB_EARG, "argument n is -1");
    FAILS(X(vect_new_n)(&new, 1, 0, NULL), PSB_EARG, "argument k is 0");
    FAILS(X(vect_bld)(NULL, 1, 1, val, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_bld)(&new, -1, 1, val, NULL), PSB_EARG, "argument n is -1");
    FAILS(X(vect_bld)(&new, 1, 0, val, NULL), PSB_EARG, "argument k is 0");
    FAILS(X(vect_bld)(&new, 1, 1, NULL, NULL), PSB_EARG, "argument from ");
    FAILS(X(geall_n)(NULL, desc, 1), PSB_EARG, "argument x ");
    FAILS(X(geall_n)(&new, NULL, 1), PSB_EARG, "argument desc ");
    FAILS(X(geall_n)(&new, desc, -3), PSB_EARG, "argument k is -3");
    FAILS(X(vect_ins)(1, idx, val, NULL, PSB_DUPL_ADD), PSB_EARG, "argument x ");
    FAILS(X(vect_ins)(-1, idx, val, x, PSB_DUPL_ADD), PSB_EARG, "argument n is -1");
    FAILS(X(vect_ins)(1, NULL, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx ");
    FAILS(X(vect_ins)(1, idx, NULL, x, PSB_DUPL_ADD), PSB_EARG, "argument val ");
    FAILS(X(vect_ins)(2, idx, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_ins)(1, &below, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx[0] is -1");
    FAILS(X(vect_ins)(1, idx, val, x, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
    FAILS(X(vect_clone)(NULL, &new), PSB_EARG, "argument x ");
    FAILS(X(vect_clone)(x, NULL), PSB_EARG, "argument y ");
    FAILS(X(vect_cnv)(NULL, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_sync)(NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_zero)(NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_get_entry)(NULL, 0, val), PSB_EARG, "argument x ");
    FAILS(X(vect_get_entry)(x, N, val), PSB_EARG, "argument i is 37");
    FAILS(X(vect_get_entry)(x, -1, val), PSB_EARG, "argument i is -1");
    FAILS(X(vect_get_entry)(x, 0, NULL), PSB_EARG, "argument val ");
    FAILS(X(vect_gth)(NULL, 1, idx, val), PSB_EARG, "argument x ");
    FAILS(X(vect_gth)(x, -1, idx, val), PSB_EARG, "argument n is -1");
    FAILS(X(vect_gth)(x, 1, NULL, val), PSB_EARG, "argument idx ");
    FAILS(X(vect_gth)(x, 1, idx, NULL), PSB_EARG, "argument buf ");
    FAILS(X(vect_gth)(x, 2, idx, val), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_sct)(1, idx, val, 1, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_sct)(-1, idx, val, 1, x), PSB_EARG, "argument n is -1");
    FAILS(X(vect_sct)(1, NULL, val, 1, x), PSB_EARG, "argument idx ");
    FAILS(X(vect_sct)(1, idx, NULL, 1, x), PSB_EARG, "argument buf ");
    FAILS(X(vect_sct)(2, idx, val, 1, x), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_gth)(x, 1, &below, val), PSB_EARG, "argument idx[0] is -1; expected 0 <= idx < 37");
    FAILS(X(vect_sct)(1, &below, val, 1, x), PSB_EARG, "argument idx[0] is -1; expected 0 <= idx < 37");
    FAILS(X(get_vect)(NULL, 1, val), PSB_EARG, "argument x ");
    FAILS(X(get_vect)(x, -1, val), PSB_EARG, "argument n is -1; expected 0 <= n <= 37");
    FAILS(X(set_vect)(NULL, 1, val), PSB_EARG, "argument x is NULL");
    FAILS(X(set_vect)(x, N + 1, val), PSB_EARG, "argument n is 38; expected 0 <= n <= 37");
    FAILS(X(set_vect)(x, 1, NULL), PSB_EARG, "argument from is NULL; expected an array of 1 rows");
    FAILS(X(get_vect)(x, 1, NULL), PSB_EARG, "argument to is NULL");
    FAILS(X(getelem)(NULL, 1, val), PSB_EARG, "argument x is NULL");
    FAILS(X(getelem)(x, 1, val), PSB_EARG, "argument x is local");
    FAILS(X(halo_start)(build, 'N'), PSB_ESTATE, "not assembled");
    ck_assert_ptr_null(new);
    ck_assert(X(vect_get_nrows)(x) == N && X(vect_get_ncols)(x) == 1);
    ck_assert(X(vect_sizeof)(x) == N * sizeof(T));
    ck_assert(X(vect_get_nrows)(NULL) == 0 && X(vect_get_ncols)(NULL) == 0 && X(vect_sizeof)(NULL) == 0);
    ck_assert(!X(vect_is_host)(NULL) && !X(vect_is_dev)(NULL) && !X(vect_is_sync)(NULL));
}

/* The calls that return addresses, on either side. */
static void check_access_arguments(struct X(vect) *x)
{
    T *p = NULL;
    const T *q = NULL;
    psb_err (*const read[])(const struct X(vect) *, const T **) = { X(host_read), X(device_read) };
    psb_err (*const change[])(struct X(vect) *, T **) = { X(host_write), X(host_update), X(device_write),
                                                          X(device_update) };
    for (int k = 0; k < 2; k++) {
        FAILS(read[k](NULL, &q), PSB_EARG, "argument x is NULL; expected a vector");
        FAILS(read[k](x, NULL), PSB_EARG, "argument p is NULL; expected where to store the address");
    }
    for (int k = 0; k < 4; k++) {
        FAILS(change[k](NULL, &p), PSB_EARG, "argument x is NULL; expected a vector");
        FAILS(change[k](x, NULL), PSB_EARG, "argument p is NULL; expected where to store the address");
    }
    FAILS(X(device_read)(x, &q), PSB_ESTATE, "no device copy");
    ck_assert(!p && !q);
}

START_TEST(wrong_arguments)
    {
        struct X(vect) *x, *y, *build;
        T val = 1;
        R norm;
        psb_lpk row = N;
        OK(X(vect_new)(&x, N, NULL));
        OK(X(vect_new)(&y, N + 1, NULL));
        OK(X(geall)(&build, desc));
        FAILS(X(vect_new)(NULL, 1, NULL), PSB_EARG, "argument x ");
        FAILS(X(vect_new)(&x, -1, NULL), PSB_EARG, "argument n is -1");
        FAILS(X(geall)(NULL, desc), PSB_EARG, "argument x ");
        FAILS(X(geall)(&x, NULL), PSB_EARG, "argument desc ");
        FAILS(X(geins)(1, &row, &val, NULL, PSB_DUPL_ADD), PSB_EARG, "argument x ");
        FAILS(X(geins)(1, NULL, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw ");
        FAILS(X(geins)(1, &row, NULL, build, PSB_DUPL_ADD), PSB_EARG, "argument val ");
        FAILS(X(geins)(-1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument n is -1");
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is 37");
        row = -1;
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is -1");
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
        FAILS(X(geins)(0, NULL, NULL, x, PSB_DUPL_ADD), PSB_ESTATE, "BUILD");
        FAILS(X(geasb)(NULL, NULL), PSB_EARG, "argument x is NULL");
        FAILS(X(geasb)(x, NULL), PSB_EARG, "argument x is local");
        FAILS(X(set_scal)(1, NULL), PSB_EARG, "argument x ");
        FAILS(X(get_vect)(x, N + 1, &val), PSB_EARG, "argument n is 38");
        FAILS(X(set_vect)(x, -1, &val), PSB_EARG, "argument n is -1");
        FAILS(X(getelem)(build, N, &val), PSB_EARG, "argument g is 37");
        FAILS(X(getelem)(build, 0, NULL), PSB_EARG, "argument val ");
        FAILS(X(geaxpby)(1, x, 1, y), PSB_EARG, "x (37 rows, columns: 1) and y (38, 1) differ");
        FAILS(X(geaxpby)(1, x, 1, NULL), PSB_EARG, "argument y ");
        FAILS(X(geaxpby)(1, build, 1, build), PSB_ESTATE, "not assembled");
        FAILS(X(gedot)(x, x, NULL), PSB_EARG, "argument res ");
        FAILS(X(genrm2)(NULL, &norm), PSB_EARG, "argument x ");
        FAILS(X(halo)(x, 'N'), PSB_EARG, "argument x is local");
        FAILS(X(halo)(build, 'N'), PSB_ESTATE, "not assembled");
        FAILS(X(gather)(x, &val, 0), PSB_EARG, "argument x is local");
        check_access_arguments(x);
        check_other_arguments(x, build);
        X(gefree)(x);
        X(gefree)(y);
        X(gefree)(build);
        X(gefree)(NULL);
    }
END_TEST

START_TEST(allocation_fails)
    {
        struct X(vect) *x;
        psb_err e = PSB_ENOMEM;
        int n = 1;
        for (; e != PSB_OK; n++) {
            psb_alloc_fail_at(n);
            x = NULL;
            e = X(vect_new)(&x, N, places[_i]);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK ? x != NULL : e == PSB_ENOMEM && x == NULL);
        }
        ck_assert_int_gt(n, 2);
        X(gefree)(x);
    }
END_TEST

static Suite *vectors(void)
{
    Suite *s = suite_create("vectors");
    TCase *c = ck_tcase(s, "random");
    ck_add_sampled_test(c, random_sequence, 20);
    c = ck_tcase(s, "threads");
    ck_add_sampled_test(c, results_for_any_number_of_threads, 2);
    ck_add_sampled_test(c, lists_with_threads, 2);
    tcase_add_test(c, accuracy_of_long_sums);
    c = ck_tcase(s, "failures");
    ck_add_sampled_test(c, device_fails, TRIALS);
    tcase_add_test(c, assembly_fails);
    tcase_add_test(c, wrong_arguments);
    ck_add_sampled_test(c, allocation_fails, 3);
    vec_ops_cases(s);
    return s;
}

/* All tests on one device. */
static int run_on(const char *device)
{
    setenv("PSB_DEVICE", device, 1);
    if (psb_cuda_init(ctxt) != PSB_OK) {
        psb_print_errmsg();
        return 1;
    }
    int failed = ck_run(vectors());
    psb_cuda_exit();
    return failed;
}

/* On the fake device, and on a GPU if there is one; if PSB_DEVICE is set, on the device it names. */
int check_vect(void)
{
    const char *asked = getenv("PSB_DEVICE");
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || psb_cdall_nl(&desc, ctxt, N) != PSB_OK || psb_cdasb(desc) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    int gpu = psb_cuda_device() && psb_cuda_device() != &psb_device_fake;
    psb_cuda_exit();
    int failed = (!asked || !gpu) && run_on("fake");
    failed |= gpu && run_on("cuda");
    psb_cdfree(desc);
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
