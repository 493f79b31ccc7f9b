/* check_scal.c -- test: suite scal: scalars of iterations, their products and quotients, and sums of
 * vectors with them as factors. */
#include "suites.h"
#include "psb_cuda.h"
#include "check_scal.h"

/* --- vectors and scalars of one descriptor --- */

void scal_bench_load(struct scal_bench *b)
{
    for (int i = 0; i < BENCH_VECTORS; i++) {
        random_vector(ROWS, b->all[i], (uint64_t)i + 1);
        multivector_load(b->v[i], b->all[i]);
    }
}

struct X(scal) *make_scalar(psb_desc *d, T value, const struct psb_vmold *place)
{
    struct X(scal) *s = NULL;
    GOOD(psb_scal_new(&s, d, place));
    GOOD(psb_scal_set(s, value));
    return s;
}

T scalar_value(const struct X(scal) *s)
{
    T v = sentinel;
    GOOD(psb_scal_get(s, &v));
    return v;
}

void scal_bench_make(struct scal_bench *b, enum distribution distribution, const struct psb_vmold *place,
                     const struct psb_vmold *scalars)
{
    b->d = rows_with_halo(distribution);
    for (int i = 0; i < BENCH_VECTORS; i++)
        b->v[i] = multivector(b->d, 1, b->all[i], place);
    for (int i = 0; i < BENCH_SCALARS; i++)
        b->s[i] = make_scalar(b->d, sentinel, scalars);
    scal_bench_load(b);
}

void scal_bench_free(struct scal_bench *b)
{
    for (int i = 0; i < BENCH_VECTORS; i++)
        psb_gefree(b->v[i]);
    for (int i = 0; i < BENCH_SCALARS; i++)
        psb_scal_free(b->s[i]);
    psb_cdfree(b->d);
}

/* --- scalars --- */

int is_near(T a, T b)
{
    return (double)ABS(a - b) <= 8 * EPS * (double)ABS(b);
}

TEST(products_and_quotients)
{
    const T a = MAKE(3, 1), b = MAKE(-0.25, 2);
    psb_desc *d = rows_with_halo(EVEN);
    for (int k = 0; k < PLACES * PLACES; k++) {
        SCALAR *x = make_scalar(d, a, places[k / PLACES]), *y = make_scalar(d, b, places[k % PLACES]),
               *z = NULL;
        GOOD(psb_scal_new(&z, d, places[k % PLACES]));
        EXPECT(scalar_value(x) == a && scalar_value(z) == 0);
        GOOD(psb_scal_multiply(x, y, z));
        EXPECT(is_near(scalar_value(z), a * b));
        GOOD(psb_scal_divide(z, y, z));
        EXPECT(is_near(scalar_value(z), a));
        GOOD(psb_scal_divide(y, x, z));
        EXPECT(is_near(scalar_value(z), b / a) && scalar_value(x) == a && scalar_value(y) == b);
        GOOD(psb_scal_set(y, 0));
        GOOD(psb_scal_divide(x, y, z));
        EXPECT(scalar_value(z) == 0);
        GOOD(psb_scal_divide(x, x, x));
        EXPECT(is_near(scalar_value(x), 1));
    }
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

TEST(roots)
{
    psb_desc *d = rows_with_halo(EVEN);
    SCALAR *x = make_scalar(d, MAKE(9, 4), places[_i / PLACES]), *y = NULL;
    GOOD(psb_scal_new(&y, d, places[_i % PLACES]));
    GOOD(psb_scal_root(x, y));
    EXPECT(scalar_value(y) == 3 && scalar_value(x) == MAKE(9, 4));
    GOOD(psb_scal_set(y, 2));
    GOOD(psb_scal_root(y, y));
    EXPECT(scalar_value(y) == (R)sqrt(2.));
    GOOD(psb_scal_set(x, -1));
    GOOD(psb_scal_root(x, y));
    EXPECT(isnan(RE(scalar_value(y))));
    psb_cdfree(d);
}

/* A program reads and writes a scalar on the device, also after the library has used its value on the host.
 */
TEST(addresses_of_a_scalar)
{
    const T five = 5, seven = 7;
    const struct psb_device *on = psb_vect_cuda.device();
    SCALAR *x = make_scalar(NULL, 3, &psb_vect_cuda), *host = make_scalar(NULL, 2, NULL);
    const T *read = NULL;
    T got, *p = NULL;
    BAD(psb_scal_device_update(host, &p), PSB_ESTATE, "has no device copy");
    BAD(psb_scal_device_read(x, NULL), PSB_EARG, "argument p is NULL");
    GOOD(psb_scal_device_read(x, &read));
    GOOD(on->get(&got, read, sizeof got));
    EXPECT(got == 3);
    for (int k = 0; k < 2; k++) {
        GOOD(psb_scal_device_update(x, &p));
        EXPECT(p == read);
        GOOD(on->put(p, k ? &seven : &five, sizeof *p));
        GOOD(psb_scal_multiply(x, host, host));
        EXPECT(scalar_value(x) == (k ? 7 : 5) && scalar_value(host) == (k ? 70 : 10));
    }
}

/* Scalars without descriptor are factors of vectors without one, such as of a product, and of no others. */
TEST(scalars_without_descriptor)
{
    enum { N = 7 };
    T x[N], want[N], got[N], zeros[ROWS] = { 0 };
    struct X(mat) *a = NULL;
    struct X(vect) *v = NULL, *av = NULL;
    psb_desc *d = rows_with_halo(EVEN);
    SCALAR *alpha = make_scalar(NULL, 2, places[_i]), *beta = make_scalar(NULL, -1, places[_i]);
    random_vector(N, x, 5);
    GOOD(X(mat_all)(N, N, 0, &a));
    for (psb_ipk i = 0; i < N; i++) {
        GOOD(psb_mat_csput(a, 1, &i, &i, &x[N - 1 - i], PSB_DUPL_ADD));
        want[i] = 2 * (x[N - 1 - i] * x[i]) - x[i];
    }
    GOOD(psb_mat_asb(a, PSB_DUPL_ADD));
    GOOD(psb_vect_bld(&v, N, 1, x, places[_i]));
    GOOD(psb_vect_bld(&av, N, 1, x, places[_i]));
    GOOD(psb_mat_vect_mv(1, a, v, 0, av, 'N'));
    struct X(axpby) sum = { 1, alpha, av, 1, beta, v, v };
    GOOD(psb_geaxpbys(1, &sum));
    GOOD(psb_get_vect(v, N, got));
    for (int i = 0; i < N; i++)
        EXPECT((double)ABS(got[i] - want[i]) <= 8 * EPS);
    struct X(vect) *far = multivector(d, 1, zeros, places[_i]);
    sum = (struct X(axpby)){ 1, alpha, far, 0, NULL, NULL, far };
    BAD(psb_geaxpbys(1, &sum), PSB_EARG, "is a scalar of another descriptor");
    psb_gefree(v);
    psb_gefree(av);
    psb_gefree(far);
    psb_cdfree(d);
    psb_mat_free(a);
}

/* A scalar keeps its descriptor, which cannot grow meanwhile. */
TEST(descriptor_of_a_scalar)
{
    psb_desc *d = rows_with_halo(EVEN);
    struct X(scal) *s = make_scalar(d, 5, &psb_vect_cuda);
    BAD(psb_cd_reinit(d), PSB_ESTATE, "");
    psb_cdfree(d);
    EXPECT(scalar_value(s) == 5);
    psb_scal_free(s);
    X(scal_free)(NULL);
}

/* --- sums of vectors --- */

/* The vectors x, y and z of two sums; all ways to repeat one. */
static const int patterns[][6] = {
    { 0, 1, 2, 3, 4, 5 }, { 0, 1, 1, 2, 0, 0 }, { 0, 1, 1, 1, 2, 2 },
    { 0, 1, 2, 2, 2, 2 }, { 0, 0, 0, 0, 0, 0 }, { 0, 1, 2, 0, 1, 3 },
    { 0, 1, 0, 0, 1, 1 }, { 0, 1, 2, 3, 2, 1 }, { 0, 1, 2, 0, 1, 2 },
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* The k-th combination of factors: number i of four is value[i], times scalar by[i] unless that is -1. */
static void choose(int k, T *value, int *by)
{
    const T some[] = { 1, 0, -1, MAKE(0.5, 0.25) };
    for (int i = 0; i < 4; i++, k /= 3) {
        value[i] = some[(k + i) % 4];
        by[i] = k % 3 == 2 ? -1 : (k + i) % BENCH_SCALARS;
    }
}

/* The sums at once; then one after the other on copies, with the products of factors.  The bits are the same.
 */
static void try_sums(struct scal_bench *b, const int *at, int k)
{
    T value[4], whole[4], want[BENCH_VECTORS][ROWS];
    int by[4];
    choose(k, value, by);
    for (int i = 0; i < 4; i++)
        whole[i] = by[i] < 0 ? value[i] : value[i] * scalar_value(b->s[by[i]]);
    scal_bench_load(b);
    for (int m = 0; m < 2; m++)
        GOOD(psb_geaxpbyz(whole[2 * m], b->v[at[3 * m]], whole[2 * m + 1], b->v[at[3 * m + 1]],
                          b->v[at[3 * m + 2]]));
    for (int i = 0; i < BENCH_VECTORS; i++)
        GOOD(psb_gather(b->v[i], want[i], -1));
    scal_bench_load(b);
    struct X(axpby) sum[2];
    for (int m = 0; m < 2; m++)
        sum[m] = (struct X(axpby)){ .alpha = value[2 * m],
                                    .alpha_by = by[2 * m] < 0 ? NULL : b->s[by[2 * m]],
                                    .x = b->v[at[3 * m]],
                                    .beta = value[2 * m + 1],
                                    .beta_by = by[2 * m + 1] < 0 ? NULL : b->s[by[2 * m + 1]],
                                    .y = b->v[at[3 * m + 1]],
                                    .z = b->v[at[3 * m + 2]] };
    GOOD(psb_geaxpbys(2, sum));
    for (int i = 0; i < BENCH_VECTORS; i++)
        check_exact(b->v[i], want[i], "two sums");
}

TEST(sums_of_vectors)
{
    struct scal_bench b;
    const T value[BENCH_SCALARS] = { 2, 0, MAKE(-1, 3) };
    scal_bench_make(&b, some_distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES],
                    places[_i / PLACES]);
    for (int i = 0; i < BENCH_SCALARS; i++)
        GOOD(psb_scal_set(b.s[i], value[i]));
    for (int k = 0; k < 81; k += 4)
        try_sums(&b, patterns[k % PATTERNS], k);
    scal_bench_free(&b);
    EXPECT(counting_device_blocks == 0);
}

/* A vector whose factor is 0, by its value or by a scalar, is not used, and may be NULL if by its value. */
TEST(sums_that_do_not_use_a_vector)
{
    SCAL_BENCH b;
    T nan[CELLS], twice[CELLS];
    scal_bench_make(&b, EVEN, places[_i], places[_i]);
    fill_vector(ROWS, nan, MAKE(NAN, NAN));
    for (int i = 0; i < ROWS; i++)
        twice[i] = 2 * b.all[1][i];
    multivector_load(b.v[0], nan);
    GOOD(psb_scal_set(b.s[0], 0));
    GOOD(psb_scal_set(b.s[1], 2));
    struct X(axpby) sum[] = {
        { 3, b.s[0], b.v[0], 1, b.s[1], b.v[1], b.v[2] },
        { 0, NULL, NULL, 1, NULL, b.v[2], b.v[3] },
    };
    GOOD(X(geaxpbys)(0, NULL));
    GOOD(psb_geaxpbys(2, sum));
    check_exact(b.v[2], twice, "2 y");
    check_exact(b.v[3], twice, "2 y again");
    struct X(axpby) other = { 1, b.s[1], b.v[1], 1, b.s[0], b.v[0], b.v[0] };
    GOOD(psb_geaxpbys(1, &other));
    check_exact(b.v[0], twice, "NaN overwritten");
}

/* --- suite --- */

static Suite *scalars(void)
{
    Suite *s = suite_create("scalars of iterations");
    TCase *c = collective_tcase(s, "scalars and factors");
    ck_add_tests(c, products_and_quotients, descriptor_of_a_scalar, addresses_of_a_scalar);
    ck_add_loop_tests(c, PLACES * PLACES, roots);
    ck_add_loop_tests(c, PLACES, scalars_without_descriptor);
    ck_add_sampled_tests(c, PLACES * PLACES, sums_of_vectors);
    ck_add_loop_tests(c, PLACES, sums_that_do_not_use_a_vector);
    add_scal_wrong_arguments(c);
    add_scal_transports(c);
    add_scal_sums(s);
    return s;
}

int check_scal(void)
{
    return run_suite(FAKE_IF_SEVERAL, scalars);
}
