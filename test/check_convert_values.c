/* check_convert_values.c -- test: operations on the values of a matrix on the device compared with
 * those on the host. */
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_convert.h"

/* A matrix in the i-th format, converted on the host and on the device; 0 if the format refuses. */
static int host_and_device_copies(int k, int i, struct X(mat) **h, struct X(mat) **d)
{
    char why[400];
    COO *s = conversion_sample(k);
    *h = convert_by_threshold(&s->mat, device_mold(i), NEVER, why, sizeof why);
    *d = convert_on_device(&s->mat, device_mold(i));
    return *h != NULL;
}

TEST(get_diag_on_device)
{
    T a[2200], b[2200];
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        MAT *h = NULL, *d = NULL;
        if (!host_and_device_copies(k, _i, &h, &d))
            continue;
        const psb_ipk n = h->nrows < h->ncols ? h->nrows : h->ncols;
        for (int unit = 0; unit < 2; unit++) {
            h->is.triangle = h->is.unit = d->is.triangle = d->is.unit = (unsigned char)unit;
            psb_transfers_reset();
            OK(X(mat_get_diag)(d, b));
            ck_assert_int_eq(psb_transfers(NULL).puts, 0);
            ck_assert_int_eq(psb_transfers(NULL).get_bytes, (long long)n * (long long)sizeof(T));
            check_on_device_only(d);
            OK(X(mat_get_diag)(h, a));
            ck_assert(n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
        }
    }
}

TEST(scaling_on_device)
{
    T by[2200];
    random_vector(2200, by, 9);
    by[3] = 0;
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO))
        for (int how = 0; how < 4; how++) {
            MAT *h = NULL, *d = NULL;
            if (!host_and_device_copies(k, _i, &h, &d))
                continue;
            psb_transfers_reset();
            if (how < 2) {
                OK(X(mat_scal)(d, how ? by[0] : 0));
                OK(X(mat_scal)(h, how ? by[0] : 0));
            } else {
                OK(X(mat_scalv)(d, by, how == 2 ? 'L' : 'R'));
                OK(X(mat_scalv)(h, by, how == 2 ? 'L' : 'R'));
            }
            ck_assert_int_eq(psb_transfers(NULL).gets, 0);
            ck_assert_int_le(psb_transfers(NULL).puts, how / 2);
            check_on_device_only(d);
            check_same_arrays(h, d);
        }
}

/* New values for entries of s; how == 0: in order, 1: in reverse order, 2: random entries, some repeated.
 * Returns their number. */
static psb_epk batch(const struct X(coo_mat) *s, int how, psb_ipk *ia, psb_ipk *ja, T *val)
{
    struct rng r = { 31 };
    const psb_epk n = s->mat.nnz, most = how == 2 ? 2 * n : n;
    for (psb_epk k = 0; k < most; k++) {
        const psb_epk e = how == 0 ? k : how == 1 ? n - 1 - k : rng_below(&r, (int)n);
        ia[k] = s->ia[e];
        ja[k] = s->ja[e];
        val[k] = random_scalar(&r);
    }
    return most;
}

TEST(refill_on_device)
{
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        const size_t capacity = 2 * (size_t)s->mat.nnz + 1;
        HEAP psb_ipk *ia = malloc(capacity * sizeof *ia);
        HEAP psb_ipk *ja = malloc(capacity * sizeof *ja);
        HEAP T *val = malloc(capacity * sizeof *val);
        MAT *h = NULL, *d = NULL;
        OK(X(mat_set_sorted)(&s->mat, PSB_BY_ROWS));
        if (host_and_device_copies(k, _i, &h, &d)) {
            for (int how = 0; how < 6; how++) {
                const enum psb_dupl dupl = how < 3 ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
                const psb_epk n = batch(s, how % 3, ia, ja, val);
                psb_transfers_reset();
                OK(X(mat_csput)(d, n, ia, ja, val, dupl));
                ck_assert_int_le(psb_transfers(NULL).get_bytes, SIZES);
                check_on_device_only(d);
                OK(X(mat_csput)(h, n, ia, ja, val, dupl));
                if (how == 3) {
                    OK(X(mat_zero_vals)(h));
                    OK(X(mat_zero_vals)(d));
                    check_on_device_only(d);
                }
            }
            check_same_arrays(h, d);
        }
    }
    psb_cuda_convert_from(before);
}

/* On a full device a clone copies nothing to it, and there is no memory for a diagonal or for factors: the
 * host does the work. */
TEST(no_memory_on_device)
{
    MAT *h = NULL, *d = NULL, *c = NULL;
    T got[1000], want[1000], by[1000];
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    if (psb_cuda_device() == &psb_device_fake && host_and_device_copies(FEW, _i, &h, &d)) {
        OK(X(mat_sync)(d));
        psb_cuda_fake_limit(1);
        OK(X(mat_clone)(d, &c));
        check_same_arrays(h, c);
        OK(X(mat_get_diag)(h, want));
        OK(X(mat_get_diag)(d, got));
        ck_assert(memcmp(got, want, (size_t)(h->nrows < h->ncols ? h->nrows : h->ncols) * sizeof(T)) == 0);
        random_vector(h->nrows, by, 7);
        OK(X(mat_scalv)(h, by, 'L'));
        OK(X(mat_scalv)(d, by, 'L'));
        check_same_arrays(h, d);
    }
    psb_cuda_fake_limit(0);
    psb_cuda_convert_from(before);
}

/* A missing entry is named and nothing changes.  If an allocation fails, nothing changes or the host does the
 * work. */
TEST(failed_refills)
{
    MAT *h = NULL, *d = NULL;
    psb_ipk ia[300], ja[300];
    T val[300];
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    ck_assert(host_and_device_copies(FEW, _i, &h, &d));
    for (psb_ipk k = 0; k < 300; k++) {
        ia[k] = ja[k] = k + 6;
        val[k] = 1;
    }
    ia[120] = ja[120] = 5;
    FAILS(X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_ADD), PSB_EARG,
          "entry 96, row 102, column 102, is not in the pattern");
    ia[96] = ja[96] = ia[193] = ja[193] = ia[290] = ja[290] = 98;
    FAILS(X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_ADD), PSB_EARG,
          "entry 120, row 5, column 5, is not in the pattern");
    check_on_device_only(d);
    ia[120] = ja[120] = 99;
    for (int n = 1; n < 20; n++) {
        psb_alloc_fail_at(n);
        psb_err e = X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_OVERWRITE);
        psb_alloc_fail_at(0);
        if (n == 1)
            OK(X(mat_csput)(h, 300, ia, ja, val, PSB_DUPL_OVERWRITE));
        ck_assert(e == PSB_OK || e == PSB_ENOMEM);
        if (e == PSB_OK)
            check_same_arrays(h, d);
    }
    psb_cuda_convert_from(before);
}

void add_values_on_device(TCase *t)
{
    ck_add_loop_tests(t, MOLDS, get_diag_on_device, scaling_on_device, refill_on_device, no_memory_on_device,
                      failed_refills);
}
