/* check_device.c -- test: programs with a device, a GPU if there is one, else the fake device:
 * products of every GPU format compared with the host's, changes of values between them. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "check_device.h"
#include "psb_log_lines.h"

int device_is_fake(void)
{
    return psb_cuda_device() == &psb_device_fake;
}

/* --- products of GPU formats --- */

/* Matrices that every format accepts, and others; rows, columns. */
static const struct {
    enum sample_kind kind;
    psb_ipk m, n;
} some[] = {
    { NOTHING, 0, 0 },  { NOTHING, 0, 5 }, { NOTHING, 5, 0 },     { NOTHING, 9, 9 },
    { FULL, 1, 1 },     { FULL, 17, 9 },   { FULL, 70, 40 },      { TRIDIAG, 200, 190 },
    { SPREAD, 40, 33 }, { TWICE, 33, 40 }, { DENSE_ROW, 65, 70 }, { DENSE_COL, 130, 64 },
};
enum { SOME = sizeof some / sizeof *some };

/* Matrix q in format f; NULL if the format refuses it. */
static struct X(mat) *some_in(int q, int f, struct X(coo_mat) **s)
{
    struct X(mat) *a = NULL;
    *s = sample(some[q].kind, some[q].m, some[q].n);
    psb_err e = X(mat_convert)(&(*s)->mat, X(mat_format)(f), &a);
    ck_assert(e == PSB_OK || e == PSB_EPADDING);
    return a;
}

/* All numbers of columns, x and y on host or device, every op; device and host agree up to rounding. */
TEST(gpu_formats_match_the_host)
{
    static const psb_ipk many[] = { 1, 4, 8, 16, 17 };
    const struct psb_vmold *place[] = { &psb_vect_cuda, &psb_vect_host };
    for (int q = SOME - 1; q >= 0; q -= ck_step(SOME)) {
        COO *s = NULL;
        MAT *a = some_in(q, _i, &s);
        for (int c = 0; a && a->on && c < 5 * 3 * 4; c++) {
            JOB j = product_job(a, many[c / 12], op_codes[c / 4 % 3], place[c & 1], place[c >> 1 & 1]);
            ck_assert_int_eq(X(mat_side)(a, j.trans, j.vx, j.vy), c % 4 ? PSB_HOST : PSB_DEV);
            check_product_on_vectors(&j, a, s);
            check_product_on_arrays(&j, a, s);
        }
    }
}

/* --- changes of values --- */

/* Every op on the device, with one column and with several. */
static void check_on_device(struct X(mat) *a, const struct X(coo_mat) *s)
{
    for (int t = 0; t < 3; t++)
        for (psb_ipk k = 1; k < 5; k += 3) {
            JOB j = product_job(a, k, op_codes[t], &psb_vect_cuda, &psb_vect_cuda);
            check_product_on_vectors(&j, a, s);
        }
}

/* The device copy follows every change of values that keeps the pattern. */
static void check_changes(struct X(mat) *a, struct X(coo_mat) *s)
{
    const psb_epk half = s->mat.nnz / 2;
    check_on_device(a, s);
    random_vector((psb_ipk)s->mat.nnz, s->val, 77);
    OK(X(mat_reinit)(a, 1));
    OK(X(mat_csput)(a, half, s->ia, s->ja, s->val, PSB_DUPL_ADD));
    OK(X(mat_csput)(a, s->mat.nnz - half, s->ia + half, s->ja + half, s->val + half, PSB_DUPL_OVERWRITE));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    check_on_device(a, s);
    for (psb_epk k = 0; k < half; k++)
        s->val[k] = MAKE(k % 5, 1);
    OK(X(mat_csput)(a, half, s->ia, s->ja, s->val, PSB_DUPL_OVERWRITE));
    check_on_device(a, s);
    fill_vector((psb_ipk)s->mat.nnz, s->val, 0);
    OK(X(mat_zero_vals)(a));
    check_on_device(a, s);
}

TEST(new_values_reach_the_device)
{
    for (int q = SOME - 1; q >= 0; q -= ck_step(SOME)) {
        COO *s = NULL;
        MAT *a = some_in(q, _i, &s);
        if (a && a->on && some[q].kind != TWICE)
            check_changes(a, s);
    }
}

/* --- refill of a matrix on a descriptor --- */

enum { ROWS = 60 };

/* Three diagonals on one process, with new values each time. */
static void insert(struct X(spmat) *a, struct X(coo_mat) *s, uint64_t seed)
{
    random_vector((psb_ipk)s->mat.nnz, s->val, seed);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        OK(X(spins)(1, &(psb_lpk){ s->ia[k] }, &(psb_lpk){ s->ja[k] }, &s->val[k], a));
}

/* The device has memory for one vector only: y is unchanged, with beta == 0 and without. */
static void check_spmv_fails(struct X(spmat) *a, struct X(vect) **v, const T *y, char trans)
{
    const T betas[] = { 2, 0 };
    if (!device_is_fake() || X(mat_side)(a->ad, trans, v[0], v[1]) != PSB_DEV)
        return;
    psb_cuda_fake_limit(1);
    for (int b = 0; b < 2; b++) {
        FAILS(X(spmv)(1, a, v[0], betas[b], v[1], trans), PSB_ENOMEM, "no device memory for ");
        check_vector_values(v[1], ROWS, y);
    }
    psb_cuda_fake_limit(0);
}

static void check_spmv(struct X(spmat) *a, struct X(coo_mat) *s, psb_desc *d)
{
    for (int t = 0; t < 3; t++) {
        JOB j = product_job(&s->mat, 1, op_codes[t], NULL, NULL);
        struct X(vect) *v[2];
        for (int k = 0; k < 2; k++) {
            OK(X(geall)(&v[k], d));
            OK(X(geasb)(v[k], &psb_vect_cuda));
            OK(X(set_vect)(v[k], ROWS, k ? j.y : j.x));
        }
        check_spmv_fails(a, v, j.y, op_codes[t]);
        OK(X(spmv)(j.alpha, a, v[0], j.beta, v[1], op_codes[t]));
        OK(X(get_vect)(v[1], ROWS, j.got));
        check_job(&j, s, "spmv");
        X(gefree)(v[0]);
        X(gefree)(v[1]);
    }
}

TEST(refill_reaches_the_device)
{
    DESC *d = NULL;
    SPMAT *a = NULL;
    COO *s = sample(TRIDIAG, ROWS, ROWS);
    OK(psb_cdall_nl(&d, ctxt, ROWS));
    OK(X(spall)(&a, d, 3 * ROWS));
    insert(a, s, 1);
    OK(psb_cdasb(d));
    psb_err e = X(spasb)(a, X(mat_format)(_i), PSB_DUPL_ADD);
    for (uint64_t seed = 2; e == PSB_OK && seed < 5; seed++) {
        check_spmv(a, s, d);
        OK(X(sprn)(a, 1));
        insert(a, s, seed);
        OK(X(spasb)(a, NULL, PSB_DUPL_ADD));
    }
    if (e == PSB_OK)
        check_spmv(a, s, d);
    else
        ck_assert_int_eq(e, PSB_EPADDING);
}

/* --- places of vectors --- */

/* PSB_LOG=hints tells, once, that vectors are not where their matrix is. */
TEST(hint_of_places)
{
    COO *s = sample(TRIDIAG, 20, 20);
    MAT *a = convert(&s->mat, X(mat_by_name)("elg"));
    JOB j = product_job(a, 1, 'N', &psb_vect_cuda, &psb_vect_host);
    OK(psb_log_set("hints"));
    ck_stderr_begin();
    for (int twice = 0; twice < 2; twice++)
        OK(product_on_vectors(&j, a));
    const char *text = ck_stderr_end();
    const char *hint = strstr(text, "psb: hint: a product runs on the host: the matrix (ELG) is on ");
    OK(psb_log_set(NULL));
    ck_assert_msg(hint && strstr(hint, "y on host") && !strstr(hint + 1, "psb: hint"), "%s", text);
}

static Suite *device(void)
{
    const int n = number_of_formats();
    Suite *s = suite_create("device");
    TCase *c = ck_tcase(s, "memory");
    add_device_memory(c, n);
    add_device_queries(c);
    ck_add_tests(c, hint_of_places);
    c = ck_tcase(s, "ranges");
    add_device_ranges(c);
    c = ck_tcase(s, "products");
    ck_add_loop_tests(c, n, gpu_formats_match_the_host, new_values_reach_the_device,
                      refill_reaches_the_device);
    return s;
}

int check_device(void)
{
    return run_suite(0, device);
}
