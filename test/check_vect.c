/* check_vect.c -- test: vectors on one process: random operations on vectors of the host and of two
 * devices, compared with plain arrays; repeated with a GPU if there is one. */
#include "config.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "check_vec_ops.h"
#include "check_vect.h"

/* Values are small integers, so that all results but square roots are exact. */
enum { VECTORS = 6, LARGE = 60 };

psb_desc *vect_desc;
const struct psb_vmold *const vect_places[PLACES] = { &psb_vect_host, &psb_vect_cuda, &counting_device_vect };

static T whole(struct rng *r)
{
    int re = rng_below(r, 9) - 4, im = rng_below(r, 9) - 4;
    return MAKE(re, im);
}

/* --- a vector and its expected values --- */

static void check_values(const T *now, const T *must)
{
    for (int i = 0; i < ROWS; i++)
        ck_assert_msg(now[i] == must[i], "element %d is %g, expected %g", i, (double)RE(now[i]),
                      (double)RE(must[i]));
}

void check_vect_pair(struct pair *p)
{
    T now[ROWS];
    OK(X(get_vect)(p->v, ROWS, now));
    check_values(now, p->must);
}

static int size_of(const struct pair *p)
{
    double most = 0;
    for (int i = 0; i < ROWS; i++)
        most = fmax(most, fabs((double)RE(p->must[i])) + fabs((double)IM(p->must[i])));
    return (int)most;
}

void open_vect_pair(struct pair *p, const struct psb_vmold *where)
{
    memset(p->must, 0, sizeof p->must);
    OK(X(geall)(&p->v, vect_desc));
    OK(X(geasb)(p->v, where));
    check_vect_pair(p);
}

/* --- operations --- */

/* The operands of an operation, and where random numbers come from. */
struct step {
    struct pair *x, *y;
    struct rng *r;
};

static void set_scal(struct step s)
{
    T a = whole(s.r);
    OK(X(set_scal)(a, s.x->v));
    fill_vector(ROWS, s.x->must, a);
}

static void axpby(struct step s)
{
    const T factor[] = { 0, 1, -1, 2 };
    T alpha = factor[rng_below(s.r, 4)], beta = factor[rng_below(s.r, 4)];
    OK(X(geaxpby)(alpha, s.x->v, beta, s.y->v));
    for (int i = 0; i < ROWS; i++)
        s.y->must[i] = alpha * s.x->must[i] + beta * s.y->must[i];
}

static void dot(struct step s)
{
    T got, must = 0;
    OK(X(gedot)(s.x->v, s.y->v, &got));
    for (int i = 0; i < ROWS; i++)
        must += CONJ(s.x->must[i]) * s.y->must[i];
    ck_assert(got == must);
}

static void nrm2(struct step s)
{
    R got;
    double sum = 0;
    OK(X(genrm2)(s.x->v, &got));
    for (int i = 0; i < ROWS; i++)
        sum += (double)RE(s.x->must[i]) * RE(s.x->must[i]) + (double)IM(s.x->must[i]) * IM(s.x->must[i]);
    ck_assert(fabs((double)got - sqrt(sum)) <= 2 * EPS * sqrt(sum));
}

static void set_some(struct step s)
{
    T from[ROWS];
    int n = rng_below(s.r, ROWS + 1);
    for (int i = 0; i < n; i++)
        s.x->must[i] = from[i] = whole(s.r);
    OK(X(set_vect)(s.x->v, n, from));
}

static void get_all(struct step s)
{
    check_vect_pair(s.x);
}

static void get_element(struct step s)
{
    T got;
    int i = rng_below(s.r, ROWS);
    OK(X(getelem)(s.x->v, i, &got));
    ck_assert(got == s.x->must[i]);
}

static void host_update(struct step s)
{
    T *p;
    int i = rng_below(s.r, ROWS);
    OK(X(host_update)(s.x->v, &p));
    p[i] = s.x->must[i] = whole(s.r);
}

void write_vect_pair(struct pair *x, struct rng *r)
{
    T *p;
    OK(X(host_write)(x->v, &p));
    for (int i = 0; i < ROWS; i++)
        p[i] = x->must[i] = whole(r);
}

static void write_all(struct step s)
{
    write_vect_pair(s.x, s.r);
}

/* Overwrite some or all elements on the device, as a kernel of the application may. */
static void write_on_device(struct pair *x, T *dev, int from, int to, struct rng *r)
{
    for (int i = from; i < to; i++)
        x->must[i] = whole(r);
    OK(x->v->v.on->put(dev + from, x->must + from, (size_t)(to - from) * sizeof(T)));
}

static void device_update(struct step s)
{
    T *p;
    int i = rng_below(s.r, ROWS);
    if (!s.x->v->v.on) {
        FAILS(X(device_update)(s.x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_update)(s.x->v, &p));
    write_on_device(s.x, p, i, i + 1, s.r);
}

static void device_write(struct step s)
{
    T *p;
    if (!s.x->v->v.on) {
        FAILS(X(device_write)(s.x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_write)(s.x->v, &p));
    write_on_device(s.x, p, 0, ROWS, s.r);
}

static void read_both(struct step s)
{
    const T *p;
    T now[ROWS];
    OK(X(host_read)(s.x->v, &p));
    check_values(p, s.x->must);
    if (s.x->v->v.on) {
        OK(X(device_read)(s.x->v, &p));
        OK(s.x->v->v.on->get(now, p, sizeof now));
        check_values(now, s.x->must);
    }
}

/* With one process the halo is empty. */
static void halo(struct step s)
{
    OK(X(halo)(s.x->v, rng_below(s.r, 2) ? 'N' : 'T'));
}

/* --- elementwise operations, reductions, lists --- */

static struct pair third; /* the third operand of operations on three vectors */

static void axpbyz(struct step s)
{
    const T factor[] = { 0, 1, -1, 2 };
    T alpha = factor[rng_below(s.r, 4)], beta = factor[rng_below(s.r, 4)];
    OK(X(geaxpbyz)(alpha, s.x->v, beta, s.y->v, third.v));
    for (int i = 0; i < ROWS; i++)
        third.must[i] = alpha * s.x->must[i] + beta * s.y->must[i];
}

static void upd_xyz(struct step s)
{
    const T factor[] = { 0, 1, -1 };
    T f[4];
    for (int i = 0; i < 4; i++)
        f[i] = factor[rng_below(s.r, 3)];
    if (s.x == s.y) {
        FAILS(X(upd_xyz)(f[0], f[1], f[2], f[3], s.x->v, s.y->v, third.v), PSB_EARG, "x and y are the same");
        return;
    }
    OK(X(upd_xyz)(f[0], f[1], f[2], f[3], s.x->v, s.y->v, third.v));
    for (int i = 0; i < ROWS; i++) {
        s.y->must[i] = f[0] * s.x->must[i] + f[1] * s.y->must[i];
        third.must[i] = f[2] * s.y->must[i] + f[3] * third.must[i];
    }
}

static void scal(struct step s)
{
    T a = rng_below(s.r, 3) - 1;
    OK(X(gescal)(a, s.x->v));
    for (int i = 0; i < ROWS; i++)
        s.x->must[i] *= a;
}

/* Elements are from a small set, so that products stay small. */
static void mlt(struct step s)
{
    OK(X(gecmp)(s.x->v, 2, third.v));
    for (int i = 0; i < ROWS; i++)
        third.must[i] = ABS(s.x->must[i]) >= 2;
    if (rng_below(s.r, 2)) {
        OK(X(gemlt)(third.v, s.y->v));
        for (int i = 0; i < ROWS; i++)
            s.y->must[i] *= third.must[i];
    } else {
        OK(X(gemlt2)(-1, third.v, s.x->v, 1, s.y->v));
        for (int i = 0; i < ROWS; i++)
            s.y->must[i] = (s.x == s.y ? s.x->must[i] : s.y->must[i]) - third.must[i] * s.x->must[i];
    }
}

/* By 1/2, 1/4 and -1: exact. */
static void divide(struct step s)
{
    const T by[] = { 1, -1, 0.5 };
    T d = by[rng_below(s.r, 3)];
    OK(X(set_scal)(d, third.v));
    fill_vector(ROWS, third.must, d);
    OK(rng_below(s.r, 2) ? X(gediv)(s.x->v, third.v) : X(gediv_check)(s.x->v, third.v));
    for (int i = 0; i < ROWS; i++)
        s.x->must[i] /= d;
    OK(X(geinv)(third.v, third.v));
    fill_vector(ROWS, third.must, 1 / d);
    OK(X(gediv2_check)(s.x->v, third.v, s.y->v));
    for (int i = 0; i < ROWS; i++)
        s.y->must[i] = s.x->must[i] * d;
    for (int i = 0; i < ROWS && s.x == s.y; i++)
        s.x->must[i] = s.y->must[i];
}

static void add_constant(struct step s)
{
    T b = whole(s.r);
    OK(X(geaddconst)(s.x->v, b, s.y->v));
    for (int i = 0; i < ROWS; i++)
        s.y->must[i] = s.x->must[i] + b;
}

static void absolute(struct step s)
{
    for (int i = 0; i < ROWS; i++) /* real values: the moduli of complex ones are not exact */
        s.x->must[i] = RE(s.x->must[i]);
    OK(X(set_vect)(s.x->v, ROWS, s.x->must));
    OK(X(geabs)(s.x->v, s.y->v));
    for (int i = 0; i < ROWS; i++)
        s.y->must[i] = (R)fabs((double)RE(s.x->must[i]));
}

static void extremes(struct step s)
{
    R top, sum, low;
    double must_top = 0, must_sum = 0, must_low = INFINITY;
    for (int i = 0; i < ROWS; i++) {
        must_top = fmax(must_top, (double)ABS(s.x->must[i]));
        must_sum += (double)ABS(s.x->must[i]);
        must_low = fmin(must_low, (double)RE(s.x->must[i]));
    }
    OK(X(geamax)(s.x->v, &top));
    OK(X(geasum)(s.x->v, &sum));
    ck_assert(fabs((double)top - must_top) <= EPS * must_top);
    ck_assert(fabs((double)sum - must_sum) <= (ROWS + 2) * EPS * must_sum);
    if (!CPLX) {
        OK(X(gemin)(s.x->v, &low));
        ck_assert((double)low == must_low);
    }
}

static void lists(struct step s)
{
    psb_ipk idx[ROWS];
    T buf[ROWS], beta = rng_below(s.r, 3) - 1;
    int n = rng_below(s.r, ROWS);
    for (int i = 0; i < n; i++)
        idx[i] = rng_below(s.r, ROWS);
    OK(X(vect_gth)(s.x->v, n, idx, buf));
    for (int i = 0; i < n; i++)
        ck_assert(buf[i] == s.x->must[idx[i]]);
    OK(X(vect_sct)(n, idx, buf, beta, s.y->v));
    for (int i = 0; i < n; i++) /* an index may occur more than once */
        s.y->must[idx[i]] = beta * s.y->must[idx[i]] + buf[i];
    enum psb_dupl how = rng_below(s.r, 2) ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
    for (int i = 0; i < n; i++) {
        buf[i] = whole(s.r);
        s.y->must[idx[i]] = how == PSB_DUPL_ADD ? s.y->must[idx[i]] + buf[i] : buf[i];
    }
    OK(X(vect_ins)(n, idx, buf, s.y->v, how));
}

static void get_entry(struct step s)
{
    T got;
    int i = rng_below(s.r, ROWS);
    OK(X(vect_get_entry)(s.x->v, i, &got));
    ck_assert(got == s.x->must[i]);
}

static void sync_both(struct step s)
{
    ck_assert_int_eq(X(vect_is_host)(s.x->v) + X(vect_is_dev)(s.x->v) + X(vect_is_sync)(s.x->v), 1);
    OK(X(vect_sync)(s.x->v));
    ck_assert(s.x->v->v.on ? X(vect_is_sync)(s.x->v) : X(vect_is_host)(s.x->v));
}

/* The vector is replaced by its clone, on another device. */
static void replace_by_clone(struct step s)
{
    struct X(vect) *new;
    OK(X(vect_clone)(s.x->v, &new));
    OK(X(vect_zero)(s.x->v));
    X(gefree)(s.x->v);
    OK(X(vect_cnv)(new, vect_places[rng_below(s.r, 3)]));
    s.x->v = new;
}

static void (*const operations[])(struct step) = {
    set_scal,  axpby,         axpby,       axpby,        dot,           nrm2,
    set_some,  get_all,       get_element, write_all,    host_update,   device_write,
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

TEST(random_sequence)
{
    struct rng r = { (uint64_t)_i };
    struct pair p[VECTORS];
    for (int k = 0; k < VECTORS; k++)
        open_vect_pair(&p[k], vect_places[k % 3]);
    open_vect_pair(&third, vect_places[_i % 3]);
    for (int k = 0; k < 3000; k++) {
        struct pair *x = &p[rng_below(&r, VECTORS)],
                    *y = &p[rng_below(&r, VECTORS)], *const used[] = { x, y, &third };
        operations[rng_below(&r, OPERATIONS)]((struct step){ x, y, &r });
        for (int i = 0; i < 3; i++)
            if (size_of(used[i]) > LARGE)
                set_scal((struct step){ .x = used[i], .r = &r });
        if (k % 10 == 0)
            exchange_third(&p[rng_below(&r, VECTORS)]);
    }
    check_vect_pair(&third);
    X(gefree)(third.v);
    for (int k = 0; k < VECTORS; k++) {
        check_vect_pair(&p[k]);
        X(gefree)(p[k].v);
    }
    ck_assert_int_eq(counting_device_blocks, 0);
}

/* A vector on a device has no memory on the host, and none on the device before its first use. */
TEST(new_vectors_on_a_device)
{
    struct X(vect) *x, *y;
    psb_transfers_reset();
    OK(X(geall)(&x, vect_desc));
    OK(X(geasb)(x, &counting_device_vect));
    OK(X(vect_clone)(x, &y));
    ck_assert_int_eq(counting_device_blocks, 0);
    OK(X(set_scal)(3, x));
    OK(X(geaxpby)(1, x, 2, y));
    OK(X(geaxpby)(1, y, 1, x));
    ck_assert_int_eq(counting_device_blocks, 2);
    X(gefree)(y);
    OK(X(vect_clone)(x, &y));
    OK(X(vect_zero)(y));
    OK(X(vect_copy)(x, y));
    ck_assert(!x->v.host && !y->v.host);
    ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
    T value;
    OK(X(getelem)(x, 0, &value));
    ck_assert(value == 6);
    X(gefree)(x);
    X(gefree)(y);
    ck_assert_int_eq(counting_device_blocks, 0);
}

static Suite *vectors(void)
{
    Suite *s = suite_create("vectors");
    TCase *c = ck_tcase(s, "random");
    ck_add_sampled_tests(c, 20, random_sequence);
    ck_add_tests(c, new_vectors_on_a_device);
    c = ck_tcase(s, "threads");
    add_vect_threads(c);
    c = ck_tcase(s, "failures");
    add_vect_errors(c);
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
    if (ck_init(&ctxt) != PSB_OK || psb_cdall_nl(&vect_desc, ctxt, ROWS) != PSB_OK ||
        psb_cdasb(vect_desc) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    int gpu = psb_cuda_device() && psb_cuda_device() != &psb_device_fake;
    psb_cuda_exit();
    int failed = (!asked || !gpu) && run_on("fake");
    failed |= gpu && run_on("cuda");
    psb_cdfree(vect_desc);
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
