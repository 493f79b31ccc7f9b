/* check_device_ranges.c -- test: programs with a device: ranges for a profiler. */
#include <stdio.h>
#include <string.h>
#include "check_device.h"

/* A fake device that records ranges: the names begun so far, and the number open. */
static struct psb_device recording;
static char range_log[4000];
static int depth;

static void push(const char *of, const char *what)
{
    const size_t n = strlen(range_log);
    snprintf(range_log + n, sizeof range_log - n, "%d %s %s;", depth++, of, what);
}

static void pop(void)
{
    ck_assert_int_gt(depth--, 0);
}

static const struct psb_device *where_recorded(void)
{
    recording = psb_device_fake;
    recording.range_push = push;
    recording.range_pop = pop;
    return &recording;
}

static const struct psb_vmold recorded = { .name = "recording", .device = where_recorded };

static void check_said(const char *what)
{
    ck_assert_int_eq(depth, 0);
    ck_assert_msg(strstr(range_log, what), "\"%s\" has no \"%s\"", range_log, what);
    range_log[0] = '\0';
}

/* A CSRG on the recording device. */
static const struct X(mat) *recorded_mold(void)
{
    static struct X(mat_ops) mine;
    static struct X(mat_dev_ops) dev;
    static struct X(csrg_mat) mold;
    mold = X(csrg_mold);
    mine = *mold.mat.ops;
    dev = *mine.dev;
    dev.device = where_recorded;
    dev.transposed = &mold.mat;
    mine.dev = &dev;
    mine.fmt = "MINE";
    mold.mat.ops = &mine;
    range_log[0] = '\0';
    return &mold.mat;
}

/* Conversions, products on both sides and copies each have a range, which also ends after an error. */
TEST(profiler_ranges)
{
    COO *s = sample(SPREAD, 40, 33);
    MAT *a = convert(&s->mat, recorded_mold());
    check_said("0 MINE conversion;");
    struct job j = product_job(a, 1, 'N', &recorded, &recorded);
    check_product_on_vectors(&j, a, s);
    ck_assert_ptr_nonnull(strstr(range_log, "0 vector to device;"));
    ck_assert_ptr_nonnull(strstr(range_log, "0 MINE product;"));
    ck_assert_ptr_nonnull(strstr(range_log, "1 CSR values to device;"));
    check_said("0 vector to host;");
    check_product_on_arrays(&j, a, s);
    check_said("0 MINE product;");
    product_job_free(&j);
    j = product_job(a, 1, 'T', &recorded, &recorded);
    psb_err e = PSB_ENOMEM;
    for (long n = 1; e != PSB_OK; n++) {
        psb_alloc_fail_at(n);
        e = product_on_vectors(&j, a);
        psb_alloc_fail_at(0);
        ck_assert(e == PSB_OK || e == PSB_ENOMEM);
        ck_assert_int_eq(depth, 0);
    }
    check_said("0 MINE product;");
    product_job_free(&j);
}

TEST(range_of_a_fused_product)
{
    enum { N = 5 };
    const psb_lpk at[N] = { 0, 1, 2, 3, 4 };
    const T two[N] = { 2, 2, 2, 2, 2 };
    struct X(epilogue) e = { .ndots = 1 };
    DESC *d = NULL;
    SPMAT *a = NULL;
    VECT *x = NULL, *y = NULL;
    T dot = 0;
    OK(psb_cdall_nl(&d, ctxt, N));
    OK(X(spall)(&a, d, 0));
    OK(X(spins)(N, at, at, two, a));
    OK(psb_cdasb(d));
    OK(X(spasb)(a, recorded_mold(), PSB_DUPL_ADD));
    OK(X(geall)(&x, d));
    OK(X(geall)(&y, d));
    OK(X(geasb)(x, &recorded));
    OK(X(geasb)(y, &recorded));
    OK(X(set_scal)(3, x));
    e.dot[0].left = x, e.dot[0].right = y;
    range_log[0] = '\0';
    OK(X(spmv_fused)(1, a, x, 0, y, 'N', &e, &dot));
    ck_assert(dot == 90);
    ck_assert_ptr_nonnull(strstr(range_log, "0 MINE fused product;"));
    ck_assert_int_eq(depth, 0);
}

/* A halo exchange with one process moves nothing, but has its ranges. */
TEST(ranges_of_a_halo_exchange)
{
    DESC *d = NULL;
    VECT *x = NULL;
    OK(psb_cdall_nl(&d, ctxt, 5));
    OK(psb_cdasb(d));
    OK(X(geall)(&x, d));
    OK(X(geasb)(x, &recorded));
    range_log[0] = '\0';
    OK(X(halo)(x, 'N'));
    ck_assert_ptr_nonnull(strstr(range_log, "0 halo start;"));
    check_said("0 halo end;");
    OK(X(halo_start)(x, 'T'));
    check_said("0 halo start;");
    FAILS(X(halo_start)(x, 'T'), PSB_ESTATE, "being exchanged");
    OK(X(halo_end)(x));
    check_said("0 halo end;");
}

void add_device_ranges(TCase *c)
{
    ck_add_tests(c, profiler_ranges, range_of_a_fused_product, ranges_of_a_halo_exchange);
}
