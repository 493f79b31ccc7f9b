/* check_formats_rsb.c -- test: RSB, if the library was built with LIBRSB. */
#include "psb_rsb.h"
#include "check_formats.h"

static void check_rsb(const struct X(rsb_mat) *m, enum sample_kind kind)
{
    COO *s = sample(kind, 97, 120);
    check_mold(&m->mat, s);
}

TEST(rsb_molds)
{
    struct X(rsb_mat) plain = X(rsb_mold), tuned = plain, two = plain, all = plain, both = plain;
    if (!psb_rsb_available())
        return;
    tuned.rounds = both.rounds = 1;
    two.threads = 2;
    all.threads = both.threads = 0;
    for (int kind = 0; kind <= FULL; kind++)
        check_rsb(&plain, (enum sample_kind)kind);
    check_rsb(&tuned, TWICE);
    check_rsb(&tuned, SPREAD);
    check_rsb(&two, TWICE);
    check_rsb(&all, TWICE);
    check_rsb(&both, TWICE);
}

/* Convert a matrix that has one entry and these sizes to RSB, and free it. */
static psb_err try_rsb(const struct X(rsb_mat) *m, psb_ipk rows, psb_ipk cols, psb_epk nnz)
{
    struct X(coo_mat) b = X(coo_mold);
    MAT *a = NULL;
    b.ia = &(psb_ipk){ 0 };
    b.ja = &(psb_ipk){ 0 };
    b.val = &(T){ 1 };
    b.mat.nrows = rows;
    b.mat.ncols = cols;
    b.mat.nnz = nnz;
    OK(X(mat_new)(&m->mat, rows, cols, nnz, &a));
    psb_err e = m->mat.ops->storage.from_coo(a, &b);
    return e;
}

TEST(rsb_refusals)
{
    struct X(rsb_mat) m = X(rsb_mold);
    m.rounds = -1;
    FAILS(try_rsb(&m, 3, 3, 1), PSB_EARG, "the mold's rounds are -1; expected 0 <= rounds <= 16");
    m.rounds = 17;
    FAILS(try_rsb(&m, 3, 3, 1), PSB_EARG, "the mold's rounds are 17; expected 0 <= rounds <= 16");
    m.rounds = 0;
    m.threads = -1;
    FAILS(try_rsb(&m, 3, 3, 1), PSB_EARG, "the mold's threads are -1; expected > 0");
    m.threads = 0;
    if (!psb_rsb_available()) {
        FAILS(try_rsb(&m, 3, 3, 1), PSB_ENOTIMPL, "RSB is off: this library was built without LIBRSB");
        ck_assert_ptr_null(X(mat_by_name)("RSB"));
        OK(psb_rsb_init());
        ck_assert_ptr_null(X(mat_by_name)("RSB"));
        return;
    }
    OK(try_rsb(&m, 3, 3, 1));
    FAILS(try_rsb(&m, INT32_MAX, 3, 1), PSB_ENOTIMPL,
          "RSB: the matrix is 2147483647 x 3; LIBRSB holds up to");
    FAILS(try_rsb(&m, 3, INT32_MAX, 1), PSB_ENOTIMPL, "RSB: the matrix is 3 x 2147483647; LIBRSB holds up");
    FAILS(try_rsb(&m, 3, 3, (psb_epk)1 << 31), PSB_ENOTIMPL,
          "RSB: the matrix has 2147483648 entries; LIBRSB");
    psb_rsb_exit();
    psb_rsb_exit();
    FAILS(try_rsb(&m, 3, 3, 1), PSB_ESTATE, "RSB: LIBRSB does not run; expected psb_rsb_init before");
    OK(psb_rsb_init());
    OK(psb_rsb_init());
    OK(try_rsb(&m, 3, 3, 1));
    check_rsb(&m, TWICE);
}

/* Several threads of the caller multiply by the same matrix at the same time. */
TEST(rsb_in_a_parallel_region)
{
    enum { TEAM = 4, TIMES = 20 };
    COO *s = sample(TWICE, 200, 200);
    int bad[TEAM] = { 0 };
    if (!psb_rsb_available())
        return;
    MAT *a = convert(&s->mat, &X(rsb_mold).mat);
#ifdef _OPENMP
#pragma omp parallel for num_threads(TEAM)
#endif
    for (int t = 0; t < TEAM; t++)
        for (int k = 0; k < TIMES; k++) {
            T x[200], y[200];
            struct want w[200];
            random_vector(200, x, (uint64_t)(t * TIMES + k));
            sample_product(s, op_codes[k % 3], 1, x, 0, y, w);
            bad[t] += X(mat_csmv)(1, a, x, 0, y, op_codes[k % 3]) != PSB_OK || first_wrong(200, y, w) != 200;
        }
    for (int t = 0; t < TEAM; t++)
        ck_assert_int_eq(bad[t], 0);
}

void formats_rsb_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "rsb");
    ck_add_tests(c, rsb_molds, rsb_refusals, rsb_in_a_parallel_region);
}
