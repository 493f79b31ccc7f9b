/* check_device_memory.c -- test: programs with a device: device memory that runs out. */
#include <stdio.h>
#include <string.h>
#include "check_device.h"

/* The newest error says how many bytes were asked for and how many are free: fewer, but enough for less. */
static void check_message(const char *array)
{
    size_t asked = 0, unused = 0, all = 0;
    const char *text = strstr(psb_errmsg(), "no device memory for ");
    ck_assert_msg(text && strstr(text, array), "\"%s\" names no %s", psb_errmsg(), array);
    ck_assert_int_eq(
        sscanf(strstr(text, ": ") + 2, "%zu bytes asked, %zu free of %zu", &asked, &unused, &all), 3);
    ck_assert(asked > unused && unused <= all);
}

psb_err use_on_device(size_t bytes, const char *name)
{
    struct psb_dual d;
    void *p = NULL;
    OK(psb_dual_init(&d, bytes, 1, psb_cuda_device(), name));
    const psb_err e = psb_dual_write(&d, PSB_DEV, &p);
    ck_assert(e == PSB_OK || (!d.valid && !d.dev && !p));
    psb_dual_free(&d);
    return e;
}

static size_t bytes_of(const struct job *j)
{
    return j->vx->v.bytes + j->vy->v.bytes;
}

/* The product fails, with beta == 0 and without. */
static void check_fails(struct job *j, struct X(mat) *a)
{
    const T betas[] = { j->beta, 0 };
    for (int b = 0; b < 2; b++) {
        j->beta = betas[b];
        FAILS(product_on_vectors(j, a), PSB_ENOMEM, "no device memory for ");
        check_message("");
        check_vector_values(j->vx, j->n, j->x);
        check_vector_values(j->vy, j->m, j->y);
    }
    j->beta = betas[0];
}

/* The device has memory for the vectors and `more` bytes, too little for the product: the product fails, the
 * vectors and the host's copy of the matrix are unchanged, and the product succeeds once there is enough. */
static void check_too_small(const struct X(mat) *mold, struct X(coo_mat) *s, char trans, size_t more)
{
    MAT *a = convert(&s->mat, mold);
    JOB j = product_job(a, 1, trans, &psb_vect_cuda, &psb_vect_cuda);
    ck_assert_uint_gt(X(mat_bytes)(a), more);
    psb_cuda_fake_limit(bytes_of(&j) + more);
    check_fails(&j, a);
    check_product_on_arrays(&j, a, s);
    check_equal(a, mold, s);
    psb_cuda_fake_limit(0);
    check_product_on_vectors(&j, a, s);
}

TEST(matrix_too_large)
{
    const struct X(mat) *mold = X(mat_format)(_i);
    if (!device_is_fake())
        return;
    COO *s = sample(TRIDIAG, 30, 29);
    MAT *a = convert(&s->mat, mold);
    const size_t entries = (size_t)a->nnz *
                           (sizeof(T) + sizeof(psb_ipk)); /* the size of the transposed matrix at least */
    const size_t more[] = { 0, entries / 4, entries / 2 };
    for (int t = 0; a->on && t < 3; t++)
        for (int k = 0; k < 3; k++)
            check_too_small(mold, s, op_codes[t], more[k]);
}

/* ELL does not fit, diagonals do. */
TEST(other_format_fits)
{
    if (!device_is_fake())
        return;
    COO *s = sample(TRIDIAG, 500, 500);
    MAT *a = convert(&s->mat, &X(elg_mold).mat), *d = convert(&s->mat, &X(diag_mold).mat);
    JOB j = product_job(a, 1, 'N', &psb_vect_cuda, &psb_vect_cuda);
    psb_cuda_fake_limit(bytes_of(&j) + (X(mat_bytes)(a) + X(mat_bytes)(d)) / 2);
    FAILS(product_on_vectors(&j, a), PSB_ENOMEM, "no device memory for HLL ");
    OK(X(mat_cscnv)(&a, d));
    ck_assert_int_eq(X(mat_side)(a, 'N', j.vx, j.vy), PSB_DEV);
    check_product_on_vectors(&j, a, s);
    psb_cuda_fake_limit(0);
}

/* The values are on the host and stay there. */
TEST(vector_too_large)
{
    enum { N = 100 };
    const T *on_device = NULL;
    T x[N], sum[N];
    VECT *a = NULL, *b = NULL;
    if (!device_is_fake())
        return;
    random_vector(N, x, 1);
    for (int i = 0; i < N; i++)
        sum[i] = x[i] + x[i];
    OK(X(vect_bld)(&a, N, 1, x, NULL));
    psb_cuda_fake_limit(sizeof x + sizeof x / 2);
    OK(X(vect_cnv)(a, &psb_vect_cuda));
    OK(X(vect_bld)(&b, N, 1, x, NULL));
    OK(X(vect_cnv)(b, &psb_vect_cuda));
    OK(X(device_read)(a, &on_device));
    FAILS(X(device_read)(b, &on_device), PSB_ENOMEM, "no device memory for vector: ");
    check_message("vector");
    FAILS(X(geaxpby)(1, a, 1, b), PSB_ENOMEM, "no device memory for vector: ");
    check_vector_values(a, N, x);
    check_vector_values(b, N, x);
    OK(X(vect_cnv)(b, NULL));
    OK(X(geaxpby)(1, a, 1, b));
    check_vector_values(b, N, sum);
    psb_cuda_fake_limit(0);
}

/* More than any device has; then a little more than is free. */
TEST(array_too_large)
{
    size_t asked = 0, unused = 0;
    if (!psb_cuda_device()) {
        printf("skipped: no device\n");
        return;
    }
    if (device_is_fake())
        psb_cuda_fake_limit(1 << 20);
    FAILS(use_on_device((size_t)1 << 50, "far too much"), PSB_ENOMEM, "no device memory for far too much: ");
    check_message("far too much");
    ck_assert_int_eq(sscanf(strstr(psb_errmsg(), "much: "), "much: %zu bytes asked, %zu", &asked, &unused),
                     2);
    ck_assert_uint_eq(asked, (size_t)1 << 50);
    FAILS(use_on_device(unused + ((size_t)1 << 30), "a little too much"), PSB_ENOMEM,
          "no device memory for a little too much: ");
    check_message("a little too much");
    OK(use_on_device(1 << 19, "a little"));
    psb_cuda_fake_limit(0);
}

void add_device_memory(TCase *c, int n)
{
    ck_add_loop_tests(c, n, matrix_too_large);
    ck_add_tests(c, other_format_fits, vector_too_large, array_too_large);
}
