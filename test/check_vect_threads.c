/* check_vect_threads.c -- test: vectors on one process: the same results for any number of threads,
 * accurate long sums. */
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "check_vect.h"

enum { LONG = 70001 };

static void set_threads(int n)
{
    psb_set_thread_grain(n > 1 ? 1 : 16384);
#ifdef _OPENMP
    omp_set_num_threads(n);
    ck_assert_int_eq(psb_threads(LONG), n);
#endif
}

/* Every computation once; dot: 36 numbers. */
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
    struct X(vect) *const same[5] = { v[0], v[0], v[0], v[0], v[0] };
    OK(X(gedots)(5, v, same, dot + 3));
    OK(X(gemaxpy)(3, dot + 3, v, v[3]));
    double complex gram[9] = { 0 };
    OK(X(vect_gram)(v[0], v[3], gram));
    for (int e = 0; e < 9; e++)
        dot[18 + e] = dot[27 + e] = MAKE(creal(gram[e]), cimag(gram[e]));
    OK(X(vect_block_axpy)(v[0], dot + 27, 2, v[1]));
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
TEST(results_for_any_number_of_threads)
{
    const int k = _i ? 3 : 1, n = LONG / k, number[] = { 1, 4, 3 };
    static T from[LONG], all[3][5][LONG];
    T dot[3][36] = { 0 };
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

/* With lists too: gathered elements return to their places. */
TEST(lists_with_threads)
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

/* The error of a long sum grows with n / 512, not with n. */
TEST(accuracy_of_long_sums)
{
    static T x[LONG];
    VECT *v = NULL;
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
}

void add_vect_threads(TCase *c)
{
    ck_add_sampled_tests(c, 2, results_for_any_number_of_threads, lists_with_threads);
    ck_add_tests(c, accuracy_of_long_sums);
}
