/* check_device.c -- room: test.  Programs with a device: device memory that runs out, ranges for a profiler,
 * products of every GPU format compared with the host's, changes of values between them.  On a GPU if there
 * is one, else on the fake device. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "suites.h"
#include "cost.h"
#include "locality.h"
#include "psb_cuda.h"
#include "sample.h"

static psb_ctxt *ctxt;

static int is_fake(void)
{
    return psb_cuda_device() == &psb_device_fake;
}

static T *new_zeros(psb_epk n)
{
    T *p = calloc((size_t)n + 1, sizeof *p);
    ck_assert_ptr_nonnull(p);
    return p;
}

/* --- a product and its operands --- */

/* y = alpha op(A) x + beta y with k columns, on arrays and on vectors. */
struct job {
    psb_ipk m, n, k;
    char trans;
    T alpha, beta, *x, *y, *got;
    struct X(vect) *vx, *vy;
};

static struct job job(const struct X(mat) *a, psb_ipk k, char trans, const struct psb_vmold *of_x,
                      const struct psb_vmold *of_y)
{
    struct job j = { .m = trans == 'N' ? a->nrows : a->ncols,
                     .n = trans == 'N' ? a->ncols : a->nrows,
                     .k = k,
                     .trans = trans,
                     .alpha = MAKE(0.7, -1.3),
                     .beta = MAKE(-0.4, 0.9) };
    j.x = new_zeros((psb_epk)j.n * k), j.y = new_zeros((psb_epk)j.m * k), j.got = new_zeros((psb_epk)j.m * k);
    random_vector(j.n * k, j.x, 1);
    random_vector(j.m * k, j.y, 2);
    OK(X(vect_bld)(&j.vx, j.n, k, j.x, of_x));
    OK(X(vect_bld)(&j.vy, j.m, k, j.y, of_y));
    return j;
}

static void job_free(struct job *j)
{
    X(gefree)(j->vx);
    X(gefree)(j->vy);
    free(j->x), free(j->y), free(j->got);
}

static psb_err on_vectors(struct job *j, struct X(mat) *a)
{
    return X(mat_vect_mv)(j->alpha, a, j->vx, j->beta, j->vy, j->trans);
}

/* Compare j->y with the reference product of s. */
static void check_product(const struct job *j, const struct X(coo_mat) *s, const char *what)
{
    T *x = new_zeros(j->n), *y = new_zeros(j->m), *got = new_zeros(j->m);
    struct want *w = calloc((size_t)j->m + 1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    for (psb_ipk c = 0; c < j->k; c++) {
        for (psb_ipk i = 0; i < j->n; i++)
            x[i] = j->x[(psb_epk)i * j->k + c];
        for (psb_ipk i = 0; i < j->m; i++) {
            y[i] = j->y[(psb_epk)i * j->k + c];
            got[i] = j->got[(psb_epk)i * j->k + c];
        }
        sample_product(s, j->trans, j->alpha, x, j->beta, y, w);
        const psb_ipk i = first_wrong(j->m, got, w);
        ck_assert_msg(i == j->m, "%s, %d x %d, op %c, column %d of %d: element %d is %g", what, s->mat.nrows,
                      s->mat.ncols, j->trans, c, j->k, i, (double)RE(got[i]));
    }
    free(x), free(y), free(got), free(w);
}

static void check_on_vectors(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s)
{
    OK(X(set_vect)(j->vy, j->m, j->y));
    OK(on_vectors(j, a));
    OK(X(get_vect)(j->vy, j->m, j->got));
    check_product(j, s, a->ops->fmt);
}

static void check_on_arrays(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s)
{
    memcpy(j->got, j->y, (size_t)j->m * (size_t)j->k * sizeof(T));
    OK(X(mat_csmm)(j->alpha, a, j->k, j->x, j->beta, j->got, j->trans));
    check_product(j, s, a->ops->fmt);
}

/* --- device memory runs out --- */

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

static void same_vector(struct X(vect) *v, psb_epk n, const T *want)
{
    T *got = new_zeros(n);
    OK(X(get_vect)(v, v->n, got));
    ck_assert(memcmp(got, want, (size_t)n * sizeof(T)) == 0);
    free(got);
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
        FAILS(on_vectors(j, a), PSB_ENOMEM, "no device memory for ");
        check_message("");
        same_vector(j->vx, j->n, j->x);
        same_vector(j->vy, j->m, j->y);
    }
    j->beta = betas[0];
}

/* The device has memory for the vectors and `more` bytes, too little for the product: the product fails, the
 * vectors and the host's copy of the matrix are unchanged, and the product succeeds once there is enough. */
static void check_too_small(const struct X(mat) *mold, struct X(coo_mat) *s, char trans, size_t more)
{
    struct X(mat) *a = convert(&s->mat, mold);
    struct job j = job(a, 1, trans, &psb_vect_cuda, &psb_vect_cuda);
    struct X(mat) *back;
    ck_assert_uint_gt(X(mat_bytes)(a), more);
    psb_cuda_fake_limit(bytes_of(&j) + more);
    check_fails(&j, a);
    check_on_arrays(&j, a, s);
    back = convert(a, &X(coo_mold).mat);
    ck_assert(same_entries((struct X(coo_mat) *)back, s));
    X(mat_free)(back);
    psb_cuda_fake_limit(0);
    check_on_vectors(&j, a, s);
    job_free(&j);
    X(mat_free)(a);
}

START_TEST(matrix_too_large)
    {
        const struct X(mat) *mold = X(mat_format)(_i);
        if (!is_fake())
            return;
        struct X(coo_mat) *s = sample(TRIDIAG, 30, 29);
        struct X(mat) *a = convert(&s->mat, mold);
        const size_t entries = (size_t)a->nnz *
                               (sizeof(T) + sizeof(psb_ipk)); /* the size of the transposed matrix at least */
        const size_t more[] = { 0, entries / 4, entries / 2 };
        for (int t = 0; a->on && t < 3; t++)
            for (int k = 0; k < 3; k++)
                check_too_small(mold, s, op_codes[t], more[k]);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* ELL does not fit, diagonals do. */
START_TEST(other_format_fits)
    {
        if (!is_fake())
            return;
        struct X(coo_mat) *s = sample(TRIDIAG, 500, 500);
        struct X(mat) *a = convert(&s->mat, &X(elg_mold).mat), *d = convert(&s->mat, &X(diag_mold).mat);
        struct job j = job(a, 1, 'N', &psb_vect_cuda, &psb_vect_cuda);
        psb_cuda_fake_limit(bytes_of(&j) + (X(mat_bytes)(a) + X(mat_bytes)(d)) / 2);
        FAILS(on_vectors(&j, a), PSB_ENOMEM, "no device memory for HLL ");
        OK(X(mat_cscnv)(&a, d));
        ck_assert_int_eq(X(mat_side)(a, 'N', j.vx, j.vy), PSB_DEV);
        check_on_vectors(&j, a, s);
        psb_cuda_fake_limit(0);
        job_free(&j);
        X(mat_free)(d);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* The values are on the host and stay there. */
START_TEST(vector_too_large)
    {
        enum { N = 100 };
        const T *on_device = NULL;
        T x[N], sum[N];
        struct X(vect) *a, *b;
        if (!is_fake())
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
        same_vector(a, N, x);
        same_vector(b, N, x);
        OK(X(vect_cnv)(b, NULL));
        OK(X(geaxpby)(1, a, 1, b));
        same_vector(b, N, sum);
        psb_cuda_fake_limit(0);
        X(gefree)(a);
        X(gefree)(b);
    }
END_TEST

/* More than any device has; then a little more than is free. */
START_TEST(array_too_large)
    {
        struct psb_dual d;
        void *p = NULL;
        size_t asked = 0, unused = 0;
        if (!psb_cuda_device()) {
            printf("skipped: no device\n");
            return;
        }
        if (is_fake())
            psb_cuda_fake_limit(1 << 20);
        OK(psb_dual_init(&d, (size_t)1 << 50, 1, psb_cuda_device(), "far too much"));
        FAILS(psb_dual_write(&d, PSB_DEV, &p), PSB_ENOMEM, "no device memory for far too much: ");
        check_message("far too much");
        ck_assert(!d.valid && !d.dev && !p);
        ck_assert_int_eq(
            sscanf(strstr(psb_errmsg(), "much: "), "much: %zu bytes asked, %zu", &asked, &unused), 2);
        ck_assert_uint_eq(asked, (size_t)1 << 50);
        psb_dual_free(&d);
        OK(psb_dual_init(&d, unused + ((size_t)1 << 30), 1, psb_cuda_device(), "a little too much"));
        FAILS(psb_dual_write(&d, PSB_DEV, &p), PSB_ENOMEM, "no device memory for a little too much: ");
        check_message("a little too much");
        psb_dual_free(&d);
        OK(psb_dual_init(&d, 1 << 19, 1, psb_cuda_device(), "a little"));
        OK(psb_dual_write(&d, PSB_DEV, &p));
        psb_dual_free(&d);
        psb_cuda_fake_limit(0);
    }
END_TEST

/* PSB_FAKE_BYTES is read when the device is chosen. */
START_TEST(fake_device_memory)
    {
        static const char *const wrong[] = { "0", "-1", " 5", "many", "12k", "99999999999999999999999" };
        struct psb_dual d;
        void *p;
        if (!is_fake())
            return;
        for (int k = 0; k < 6; k++) {
            char text[80];
            snprintf(text, sizeof text, "PSB_FAKE_BYTES is \"%s\"; expected a number of bytes >= 1",
                     wrong[k]);
            psb_cuda_exit();
            setenv("PSB_FAKE_BYTES", wrong[k], 1);
            FAILS(psb_cuda_init(ctxt), PSB_EARG, text);
            ck_assert_ptr_null(psb_cuda_device());
        }
        setenv("PSB_FAKE_BYTES", "100", 1);
        OK(psb_cuda_init(ctxt));
        for (size_t n = 100; n < 102; n++) {
            OK(psb_dual_init(&d, n, 1, psb_cuda_device(), "an array"));
            if (n == 100)
                OK(psb_dual_write(&d, PSB_DEV, &p));
            else
                FAILS(psb_dual_write(&d, PSB_DEV, &p), PSB_ENOMEM,
                      "an array: 101 bytes asked, 100 free of 100");
            psb_dual_free(&d);
        }
        psb_cuda_exit();
        unsetenv("PSB_FAKE_BYTES");
        OK(psb_cuda_init(ctxt));
        OK(psb_dual_init(&d, 101, 1, psb_cuda_device(), "an array"));
        OK(psb_dual_write(&d, PSB_DEV, &p));
        psb_dual_free(&d);
    }
END_TEST

/* PSB_FAKE_HOSTS too: with it each process has a device of its own. */
START_TEST(fake_hosts)
    {
        char one[32], other[32];
        unsigned long long host, same;
        if (!is_fake())
            return;
        OK(psb_cuda_device()->onesided->identify(one, &host));
        psb_cuda_exit();
        setenv("PSB_FAKE_HOSTS", "0", 1);
        FAILS(psb_cuda_init(ctxt), PSB_EARG, "PSB_FAKE_HOSTS is \"0\"; expected a number of hosts >= 1");
        setenv("PSB_FAKE_HOSTS", "7", 1);
        OK(psb_cuda_init(ctxt));
        OK(psb_cuda_device()->onesided->identify(other, &same));
        ck_assert(memcmp(one, other, sizeof one) != 0 && host == same);
        psb_cuda_exit();
        unsetenv("PSB_FAKE_HOSTS");
        OK(psb_cuda_init(ctxt));
        OK(psb_cuda_device()->onesided->identify(other, &same));
        ck_assert(memcmp(one, other, sizeof one) == 0 && host == same);
    }
END_TEST

/* --- GPU queries --- */

static psb_err (*const question[])(int *) = {
    psb_cuda_getDeviceCount, psb_cuda_getDevice,       psb_cuda_DeviceHasUVA,
    psb_cuda_WarpSize,       psb_cuda_MultiProcessors, psb_cuda_MaxThreadsPerMP,
    psb_cuda_MemoryBusWidth, psb_cuda_MemoryClockRate, psb_cuda_MaxRegistersPerBlock,
};
enum { QUESTIONS = sizeof question / sizeof *question, COPIED = 1 << 29 }; /* larger than a cache */

static void all_fail(psb_err e, const char *text)
{
    double d = 0;
    int n = 0;
    char name[20];
    for (int q = 0; q < QUESTIONS; q++)
        FAILS(question[q](&n), e, text);
    FAILS(psb_cuda_MemoryPeakBandwidth(&d), e, text);
    FAILS(psb_cuda_copy_time(1 << 20, 1, &d), e, text);
    FAILS(psb_cuda_DeviceName(name, sizeof name), e, text);
    FAILS(psb_cuda_setDevice(0), e, text);
    FAILS(psb_cuda_set_stream(NULL), e, text);
    ck_assert_ptr_null(psb_cuda_stream());
}

static void all_answer(void)
{
    double peak, seconds;
    int n, count;
    char name[8];
    for (int q = 0; q < QUESTIONS; q++) {
        OK(question[q](&n));
        ck_assert_int_ge(n, question[q] == psb_cuda_getDevice ? 0 : 1);
        FAILS(question[q](NULL), PSB_EARG, "argument out is NULL");
    }
    OK(psb_cuda_WarpSize(&n));
    ck_assert_int_eq(n, 32);
    OK(psb_cuda_MemoryPeakBandwidth(&peak));
    OK(psb_cuda_copy_time(COPIED, 3, &seconds));
    ck_assert_double_lt(2.0 * COPIED / seconds, 1e6 * peak);
    OK(psb_cuda_DeviceName(name, sizeof name));
    ck_assert_uint_gt(strlen(name), 0);
    OK(psb_cuda_getDeviceCount(&count));
    FAILS(psb_cuda_setDevice(count), PSB_EARG, "expected 0 <= device < ");
    OK(psb_cuda_set_stream(NULL));
    ck_assert_ptr_nonnull(psb_cuda_stream());
}

/* Forecasts are those of the measured machine with the nearest memory; the fake device has the first
 * machine's. */
START_TEST(forecasts_by_machine)
    {
        static const struct psb_cost_terms t = { .bytes = 1e9, .vectors = 1e8, .rows = 1e7, .sectors = 1e7 };
        for (int f = 0; f < PSB_COST_FORMATS; f++)
            for (const char *scalar = "sdcz"; *scalar; scalar++) {
                psb_cost_for(0);
                const double first = psb_cost_ns((enum psb_costed)f, *scalar, &t);
                psb_cost_for(5000);
                ck_assert_double_eq(psb_cost_ns((enum psb_costed)f, *scalar, &t), first);
                psb_cost_for(3300);
                const double slower = psb_cost_ns((enum psb_costed)f, *scalar, &t);
                ck_assert_double_gt(slower, 1.1 * first);
                psb_cost_for(900);
                ck_assert_double_eq(psb_cost_ns((enum psb_costed)f, *scalar, &t), slower);
            }
        double mbs = 0; /* of the GPU in use */
        if (psb_cuda_stream())
            OK(psb_cuda_MemoryPeakBandwidth(&mbs));
        psb_cost_for(1e-3 * mbs);
    }
END_TEST

/* Rows of `len` entries: entry k of row i is in column k * distance + i * shift. */
enum { READING = 256, LENGTH = 300 };
static double missed(double (*of)(psb_ipk, const psb_epk *, const psb_ipk *, size_t), int len, int distance,
                     int shift)
{
    static psb_epk irp[READING + 1];
    static psb_ipk ja[READING * LENGTH];
    for (int i = 0; i < READING; i++) {
        irp[i + 1] = (psb_epk)(i + 1) * len;
        for (int k = 0; k < len; k++)
            ja[i * len + k] = k * distance + i * shift;
    }
    return of(READING, irp, ja, 8);
}

/* A sector has four elements of 8 bytes. */
START_TEST(reads_that_miss)
    {
        ck_assert_double_le(missed(psb_misses_by_rows, 1, 1, 0), 0.1); /* all read the same element */
        ck_assert_double_eq(missed(psb_misses_by_rows, LENGTH, 1, 0), 0.25 * LENGTH / 1024); /* and row */
        ck_assert_double_eq(missed(psb_misses_by_rows, LENGTH, 4, 4 * LENGTH), 1); /* each its own sector */
        ck_assert_double_eq(missed(psb_misses_by_steps, LENGTH, 4, 4 * LENGTH), 1);
        /* Rows read the same far elements: too many for a tile of entries to share, not for 128 rows. */
        ck_assert_double_ge(missed(psb_misses_by_rows, LENGTH, 4, 0), 0.29);
        ck_assert_double_le(missed(psb_misses_by_steps, LENGTH, 4, 0), 0.02);
    }
END_TEST

/* The share in tiles of two rows of two entries each; the columns of the first two rows span far + 1. */
static double near_share(psb_ipk far)
{
    const psb_epk irp[] = { 0, 2, 4, 6, 8 };
    const psb_ipk ja[] = { 5, 6, 5 + far, 6, 6, 7, 6, 7 };
    return psb_share_near(4, irp, ja, 2, 100);
}

START_TEST(columns_in_16_bits)
    {
        ck_assert_double_eq(near_share(UINT16_MAX), 1);
        ck_assert_double_lt(near_share(UINT16_MAX + 1), 1);
        ck_assert_double_gt(near_share(UINT16_MAX + 1), 0);
        ck_assert_double_eq(psb_share_near(0, (psb_epk[]){ 0 }, NULL, 2, 100), 0);
        ck_assert_int_eq(psb_many_near(4, 8), 1);
        ck_assert_int_eq(psb_many_near(3, 8), 0);
    }
END_TEST

START_TEST(gpu_queries)
    {
        psb_cuda_exit();
        all_fail(PSB_ESTATE, "psb_cuda_init has not been called");
        OK(psb_cuda_init(ctxt));
        if (!psb_cuda_device() || is_fake())
            all_fail(PSB_EDEVICE, "no GPU is in use on this machine");
        else
            all_answer();
    }
END_TEST

/* In several pieces, and part of a piece. */
START_TEST(long_transfers)
    {
        const size_t n = ((size_t)9 << 20) + 777;
        struct psb_dual d;
        uint32_t *p;
        const uint32_t *q;
        void *on_device;
        if (!psb_cuda_device())
            return;
        OK(psb_dual_init(&d, n, sizeof *p, psb_cuda_device(), "a long array"));
        OK(psb_dual_write(&d, PSB_HOST, &p));
        for (size_t i = 0; i < n; i++)
            p[i] = (uint32_t)i * 2654435761u;
        OK(psb_dual_update(&d, PSB_DEV, &on_device));
        memset(d.host, 0, d.bytes);
        OK(psb_dual_read(&d, PSB_HOST, &q));
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(q[i], (uint32_t)i * 2654435761u);
        psb_dual_free(&d);
    }
END_TEST

/* --- ranges for a profiler --- */

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

/* Conversions, products on both sides and copies each have a range, which also ends after an error. */
START_TEST(profiler_ranges)
    {
        struct X(mat_ops) mine = *X(csrg_mold).mat.ops;
        struct X(csrg_mat) mold = X(csrg_mold);
        struct X(coo_mat) *s = sample(SPREAD, 40, 33);
        mine.device = where_recorded;
        mine.fmt = "MINE";
        mine.transposed = &mold.mat;
        mold.mat.ops = &mine;
        range_log[0] = '\0';
        struct X(mat) *a = convert(&s->mat, &mold.mat);
        check_said("0 MINE conversion;");
        struct job j = job(a, 1, 'N', &recorded, &recorded);
        check_on_vectors(&j, a, s);
        ck_assert_ptr_nonnull(strstr(range_log, "0 vector to device;"));
        ck_assert_ptr_nonnull(strstr(range_log, "0 MINE product;"));
        ck_assert_ptr_nonnull(strstr(range_log, "1 CSR values to device;"));
        check_said("0 vector to host;");
        check_on_arrays(&j, a, s);
        check_said("0 MINE product;");
        job_free(&j);
        j = job(a, 1, 'T', &recorded, &recorded);
        psb_err e = PSB_ENOMEM;
        for (long n = 1; e != PSB_OK; n++) {
            psb_alloc_fail_at(n);
            e = on_vectors(&j, a);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            ck_assert_int_eq(depth, 0);
        }
        check_said("0 MINE product;");
        job_free(&j);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(range_of_a_fused_product)
    {
        enum { N = 5 };
        const psb_lpk at[N] = { 0, 1, 2, 3, 4 };
        const T two[N] = { 2, 2, 2, 2, 2 };
        struct X(mat_ops) mine = *X(csrg_mold).mat.ops;
        struct X(csrg_mat) mold = X(csrg_mold);
        struct X(epilogue) e = { .ndots = 1 };
        psb_desc *d;
        struct X(spmat) *a;
        struct X(vect) *x, *y;
        T dot = 0;
        mine.device = where_recorded;
        mine.fmt = "MINE";
        mold.mat.ops = &mine;
        OK(psb_cdall_nl(&d, ctxt, N));
        OK(X(spall)(&a, d, 0));
        OK(X(spins)(N, at, at, two, a));
        OK(psb_cdasb(d));
        OK(X(spasb)(a, &mold.mat, PSB_DUPL_ADD));
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
        X(gefree)(x);
        X(gefree)(y);
        X(spfree)(a);
        psb_cdfree(d);
    }
END_TEST

/* A halo exchange with one process moves nothing, but has its ranges. */
START_TEST(ranges_of_a_halo_exchange)
    {
        psb_desc *d;
        struct X(vect) *x;
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
        X(gefree)(x);
        psb_cdfree(d);
    }
END_TEST

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
    if (e != PSB_EPADDING)
        OK(e);
    else
        X(mat_free)(&(*s)->mat);
    return a;
}

/* All numbers of columns, x and y on host or device, every op; device and host agree up to rounding. */
START_TEST(gpu_formats_match_the_host)
    {
        static const psb_ipk many[] = { 1, 4, 8, 16, 17 };
        const struct psb_vmold *place[] = { &psb_vect_cuda, &psb_vect_host };
        for (int q = SOME - 1; q >= 0; q -= ck_step(SOME)) {
            struct X(coo_mat) *s;
            struct X(mat) *a = some_in(q, _i, &s);
            for (int c = 0; a && a->on && c < 5 * 3 * 4; c++) {
                struct job j = job(a, many[c / 12], op_codes[c / 4 % 3], place[c & 1], place[c >> 1 & 1]);
                ck_assert_int_eq(X(mat_side)(a, j.trans, j.vx, j.vy), c % 4 ? PSB_HOST : PSB_DEV);
                check_on_vectors(&j, a, s);
                check_on_arrays(&j, a, s);
                job_free(&j);
            }
            if (a)
                X(mat_free)(&s->mat);
            X(mat_free)(a);
        }
    }
END_TEST

/* --- changes of values --- */

/* Every op on the device, with one column and with several. */
static void check_on_device(struct X(mat) *a, const struct X(coo_mat) *s)
{
    for (int t = 0; t < 3; t++)
        for (psb_ipk k = 1; k < 5; k += 3) {
            struct job j = job(a, k, op_codes[t], &psb_vect_cuda, &psb_vect_cuda);
            check_on_vectors(&j, a, s);
            job_free(&j);
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

START_TEST(new_values_reach_the_device)
    {
        for (int q = SOME - 1; q >= 0; q -= ck_step(SOME)) {
            struct X(coo_mat) *s;
            struct X(mat) *a = some_in(q, _i, &s);
            if (a && a->on && some[q].kind != TWICE)
                check_changes(a, s);
            if (a)
                X(mat_free)(&s->mat);
            X(mat_free)(a);
        }
    }
END_TEST

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
    if (!is_fake() || X(mat_side)(a->ad, trans, v[0], v[1]) != PSB_DEV)
        return;
    psb_cuda_fake_limit(1);
    for (int b = 0; b < 2; b++) {
        FAILS(X(spmv)(1, a, v[0], betas[b], v[1], trans), PSB_ENOMEM, "no device memory for ");
        same_vector(v[1], ROWS, y);
    }
    psb_cuda_fake_limit(0);
}

static void check_spmv(struct X(spmat) *a, struct X(coo_mat) *s, psb_desc *d)
{
    for (int t = 0; t < 3; t++) {
        struct job j = job(&s->mat, 1, op_codes[t], NULL, NULL);
        struct X(vect) *v[2];
        for (int k = 0; k < 2; k++) {
            OK(X(geall)(&v[k], d));
            OK(X(geasb)(v[k], &psb_vect_cuda));
            OK(X(set_vect)(v[k], ROWS, k ? j.y : j.x));
        }
        check_spmv_fails(a, v, j.y, op_codes[t]);
        OK(X(spmv)(j.alpha, a, v[0], j.beta, v[1], op_codes[t]));
        OK(X(get_vect)(v[1], ROWS, j.got));
        check_product(&j, s, "spmv");
        X(gefree)(v[0]);
        X(gefree)(v[1]);
        job_free(&j);
    }
}

START_TEST(refill_reaches_the_device)
    {
        psb_desc *d;
        struct X(spmat) *a;
        struct X(coo_mat) *s = sample(TRIDIAG, ROWS, ROWS);
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
        X(spfree)(a);
        psb_cdfree(d);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- names of the older guide --- */

typedef void call(void);

#define NAMES(name) #name, (call *)psb_gpu_##name, (call *)psb_cuda_##name
static const struct {
    const char *name;
    call *gpu, *cuda;
} calls[] = {
    { NAMES(init) },
    { NAMES(init_device) },
    { NAMES(exit) },
    { NAMES(device) },
    { NAMES(getDeviceCount) },
    { NAMES(getDevice) },
    { NAMES(setDevice) },
    { NAMES(DeviceHasUVA) },
    { NAMES(WarpSize) },
    { NAMES(MultiProcessors) },
    { NAMES(MaxThreadsPerMP) },
    { NAMES(MaxRegistersPerBlock) },
    { NAMES(MemoryClockRate) },
    { NAMES(MemoryBusWidth) },
    { NAMES(MemoryPeakBandwidth) },
    { NAMES(DeviceName) },
    { NAMES(DeviceSync) },
    { NAMES(copy_time) },
    { NAMES(stream) },
    { NAMES(set_stream) },
    { NAMES(convert_from) },
    { NAMES(fake_limit) },
};

/* PSB_LOG=hints tells, once, that vectors are not where their matrix is. */
START_TEST(hint_of_places)
    {
        char text[600] = "";
        struct X(coo_mat) *s = sample(TRIDIAG, 20, 20);
        struct X(mat) *a = NULL;
        FILE *log = tmpfile();
        const int err = dup(2);
        ck_assert(log && err >= 0 && setenv("PSB_LOG", "hints", 1) == 0);
        OK(X(mat_convert)(&s->mat, X(mat_by_name)("elg"), &a));
        struct job j = job(a, 1, 'N', &psb_vect_cuda, &psb_vect_host);
        dup2(fileno(log), 2);
        for (int twice = 0; twice < 2; twice++)
            OK(on_vectors(&j, a));
        dup2(err, 2);
        rewind(log);
        text[fread(text, 1, sizeof text - 1, log)] = '\0';
        const char *hint = strstr(text, "psb: hint: a product runs on the host: the matrix (ELG) is on ");
        ck_assert_msg(hint && strstr(hint, "y on host") && !strstr(hint + 1, "psb: hint"), "%s", text);
        job_free(&j);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
        fclose(log);
        close(err);
    }
END_TEST

START_TEST(older_names)
    {
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
            ck_assert_msg(calls[i].gpu == calls[i].cuda, "psb_gpu_%s is another function", calls[i].name);
    }
END_TEST

static Suite *device(int n)
{
    Suite *s = suite_create("device");
    TCase *c = ck_tcase(s, "memory");
    tcase_add_loop_test(c, matrix_too_large, 0, n);
    tcase_add_test(c, other_format_fits);
    tcase_add_test(c, vector_too_large);
    tcase_add_test(c, array_too_large);
    tcase_add_test(c, gpu_queries);
    tcase_add_test(c, forecasts_by_machine);
    tcase_add_test(c, reads_that_miss);
    tcase_add_test(c, columns_in_16_bits);
    tcase_add_test(c, long_transfers);
    tcase_add_test(c, fake_device_memory);
    tcase_add_test(c, fake_hosts);
    tcase_add_test(c, older_names);
    tcase_add_test(c, hint_of_places);
    c = ck_tcase(s, "ranges");
    tcase_add_test(c, profiler_ranges);
    tcase_add_test(c, range_of_a_fused_product);
    tcase_add_test(c, ranges_of_a_halo_exchange);
    c = ck_tcase(s, "products");
    tcase_add_loop_test(c, gpu_formats_match_the_host, 0, n);
    tcase_add_loop_test(c, new_values_reach_the_device, 0, n);
    tcase_add_loop_test(c, refill_reaches_the_device, 0, n);
    return s;
}

int check_device(void)
{
    int n = 0;
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    while (X(mat_format)(n))
        n++;
    return ck_end(ctxt, ck_run(device(n)));
}
