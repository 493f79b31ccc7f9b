/* gpu_large.c -- test/kernel: a matrix with more than 2^31 entries on one GPU: conversions, and
 * products compared with sums computed on the host.
 *
 *     gpu_large [--type TYPE] [NX [FORMAT,...]]      441 csrg,hlg,hdiag
 *
 * The pattern is that of lap27:NX: NX^3 rows and (3 NX - 2)^3 entries, 2305199161 if NX is 441.  CSR is
 * filled on the host without triplets, sent to the device as CSRG, and freed; other formats are converted
 * from CSRG, on the device if they can.  Values and x are hashes with few bits, so that every sum is exact,
 * also in single precision: a correct product has no error at all, and a wrong offset shows.
 *
 *   GB         on the device, in addition to CSRG, which stays on it
 *   convert s  to the end of the first product, which is the one that is compared; CSRG: from the host
 *   ms         median of 11 products
 *   error      the largest error of an element over its rounding bound
 *
 * PSB_DEVICE=fake runs the program without a GPU; its times mean nothing.  Exit status: 0; 1 a result is
 * wrong or something failed; 2 the command line is wrong; 77 no GPU, or not enough memory. */
#include "gpu_formats.h"
#include "psb_team.h"
#include "psb_testing.h"
#include "psb_threads.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "psb_type.h"
#include "device_formats.h"

enum { NX = 441, MOST = 1290, POINTS = 27, REPS = 11, SKIPPED = 77 }; /* MOST^3 is below 2^31 */

static const char usual[] = "csrg,hlg,hdiag";

struct problem {
    psb_ipk nx, m;
    psb_epk nnz;
    struct X(mat) *rows; /* CSRG */
    double sent;         /* seconds to send it */
    struct X(vect) *x, *y;
};

/* --- the matrix --- */

/* near: how many of c - 1, c and c + 1 are in 0 .. nx-1.  near_below: the sum of near over all smaller c. */
static psb_epk near(psb_ipk nx, psb_epk c)
{
    return 1 + (c > 0) + (c < nx - 1);
}

static psb_epk near_below(psb_ipk nx, psb_epk c)
{
    return 3 * c - (c > 0) - (c == nx);
}

/* Returns the number of entries of the rows before row i <= NX^3. */
static psb_epk entries_before(psb_ipk nx, psb_epk i)
{
    const psb_epk x = i % nx, y = i / nx % nx, z = i / nx / nx, line = near_below(nx, nx);
    const psb_epk in_line = near_below(nx, x), in_plane = near_below(nx, y) * line + near(nx, y) * in_line;
    return near_below(nx, z) * line * line + near(nx, z) * in_plane;
}

/* Store the columns of row i, ascending; returns their number. */
static int columns_of(psb_ipk nx, psb_ipk i, psb_ipk *ja)
{
    const psb_ipk x = i % nx, y = i / nx % nx, z = i / nx / nx, end = nx - 1;
    int n = 0;
    for (psb_ipk w = z - (z > 0); w <= z + (z < end); w++)
        for (psb_ipk v = y - (y > 0); v <= y + (y < end); v++)
            for (psb_ipk u = x - (x > 0); u <= x + (x < end); u++)
                ja[n++] = (w * nx + v) * nx + u;
    return n;
}

static uint32_t hash(uint32_t h)
{
    h = (h ^ h >> 16) * UINT32_C(0x7feb352d);
    h = (h ^ h >> 15) * UINT32_C(0x846ca68b);
    return h ^ h >> 16;
}

/* Returns a multiple of 1/16 below 1, never 0. */
static T value_at(psb_ipk i, psb_ipk j)
{
    const uint32_t h = hash((uint32_t)i * UINT32_C(0x9e3779b1) + (uint32_t)j);
    return MAKE((2 * (double)(h % 16) - 15) / 16, (2 * (double)(h / 16 % 16) - 15) / 16);
}

static T x_of(psb_ipk j)
{
    const uint32_t h = hash((uint32_t)j);
    return MAKE(1 + (double)(h % 16) / 16, (double)(h / 16 % 16) / 16 - 0.5);
}

struct filling {
    psb_ipk nx;
    struct X(compressed) l;
    T *x;
};

static void fill_part(void *job, int t, int p)
{
    const struct filling *q = job;
    psb_epk i, end;
    psb_thread_range(q->l.n, t, p, &i, &end);
    for (psb_epk k = entries_before(q->nx, i); i < end; i++) {
        const psb_epk stop = k + columns_of(q->nx, (psb_ipk)i, q->l.idx + k);
        q->l.ptr[i] = k;
        q->x[i] = x_of((psb_ipk)i);
        for (; k < stop; k++)
            q->l.val[k] = value_at((psb_ipk)i, q->l.idx[k]);
    }
    if (t == p - 1)
        q->l.ptr[end] = entries_before(q->nx, end);
}

/* --- comparison --- */

struct comparing {
    psb_ipk nx, m;
    const T *y;
    double *worst; /* of each thread */
};

/* Returns the error of row i over (its entries + 8) eps sum |a||x|. */
static double error_of(const struct comparing *q, psb_ipk i)
{
    psb_ipk ja[POINTS];
    const int n = columns_of(q->nx, i, ja);
    double re = 0, im = 0, all = 0;
    for (int k = 0; k < n; k++) {
        const T a = value_at(i, ja[k]), x = x_of(ja[k]);
        const double ar = RE(a), ai = IM(a), xr = RE(x), xi = IM(x);
        re += ar * xr - ai * xi;
        im += ar * xi + ai * xr;
        all += (fabs(ar) + fabs(ai)) * (fabs(xr) + fabs(xi));
    }
    const double off = hypot((double)RE(q->y[i]) - re, (double)IM(q->y[i]) - im);
    const double error = off == 0 ? 0 : off / ((n + 8) * (double)EPS * all);
    return isnan(error) ? (double)INFINITY : error;
}

static void compare_part(void *job, int t, int p)
{
    const struct comparing *q = job;
    double worst = 0;
    psb_epk i, end;
    psb_thread_range(q->m, t, p, &i, &end);
    for (; i < end; i++)
        worst = fmax(worst, error_of(q, (psb_ipk)i));
    q->worst[t] = worst;
}

static psb_err compare(const struct problem *p, double *worst)
{
    const int team = psb_threads(p->m);
    struct comparing q = { .nx = p->nx, .m = p->m };
    PSB_TRY(X(host_read)(p->y, &q.y));
    PSB_TRY(psb_alloc(&q.worst, (size_t)team, sizeof *q.worst, "errors"));
    psb_team(team, compare_part, &q);
    *worst = 0;
    for (int t = 0; t < team; t++)
        *worst = fmax(*worst, q.worst[t]);
    psb_free(q.worst);
    return PSB_OK;
}

/* --- memory --- */

/* Returns the bytes of free host memory; INFINITY if the system does not say. */
static double host_memory(void)
{
    char line[128];
    double kb = (double)INFINITY;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %lf", &kb) != 1)
        continue;
    if (f)
        fclose(f);
    return 1024 * kb;
}

/* Check that the host has memory for CSR, x and y, and for the fake device's arrays, which are on the host
 * too. */
static psb_err check_memory(const struct problem *p)
{
    const double csr = (double)p->nnz * (sizeof(T) + sizeof(psb_ipk)) + 8 * ((double)p->m + 1);
    const double all = csr + 2 * (double)p->m * sizeof(T), need = psb_cuda_stream() ? all : 3 * all;
    const double left = host_memory();
    PSB_CHECK(need <= left, PSB_ENOMEM, "the host has %.1f GB left; expected %.1f GB", 1e-9 * left,
              1e-9 * need);
    return PSB_OK;
}

/* --- CSRG --- */

static double now(void)
{
    good(psb_cuda_DeviceSync(), "device");
    return psb_wtime();
}

/* If the device has no memory for CSRG, CSRG is on the host now and cannot be moved to the device. */
static psb_err send_rows(struct problem *p, struct X(mat) *csr)
{
    struct psb_dev_compressed on_device;
    const double begin = now();
    PSB_TRY(X(mat_convert)(csr, &X(csrg_mold).mat, &p->rows));
    PSB_TRY(X(csr_on_device)((struct X(csr_mat) *)p->rows, 0, &on_device));
    p->sent = now() - begin;
    return PSB_OK;
}

static psb_err make(struct problem *p)
{
    struct X(mat) *csr;
    struct filling q = { .nx = p->nx };
    PSB_TRY(check_memory(p));
    PSB_TRY(X(vect_new)(&p->x, p->m, &psb_vect_cuda));
    PSB_TRY(X(vect_new)(&p->y, p->m, &psb_vect_cuda));
    PSB_TRY(X(host_write)(p->x, &q.x));
    PSB_TRY(X(csr_make)(p->m, p->m, p->nnz, &csr, &q.l));
    const double begin = now();
    psb_team(psb_threads(p->nnz), fill_part, &q);
    printf("CSR on the host: %.2f GB, filled in %.1f s\n", 1e-9 * (double)X(mat_bytes)(csr), now() - begin);
    psb_err e = send_rows(p, csr);
    X(mat_free)(csr);
    return e;
}

/* --- one format --- */

static psb_err product(const struct problem *p, struct X(mat) *a)
{
    return X(mat_vect_mv)(1, a, p->x, 0, p->y, 'N');
}

/* Convert and multiply: y becomes that of the first product; returns the seconds to its end.  *a may be CSRG
 * itself. */
static psb_err convert(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a, double *seconds)
{
    const int sent = mold == &X(csrg_mold).mat;
    PSB_TRY(X(set_scal)(MAKE(NAN, NAN), p->y));
    const double begin = now();
    if (sent)
        *a = p->rows;
    else
        PSB_TRY(X(mat_convert)(p->rows, mold, a));
    PSB_TRY(product(p, *a));
    *seconds = now() - begin + (sent ? p->sent : 0);
    PSB_CHECK(!X(vect_is_host)(p->y), PSB_ENOTIMPL, "%s was multiplied on the host", mold->ops->fmt);
    return PSB_OK;
}

static psb_err time_products(const struct problem *p, struct X(mat) *a, double *seconds)
{
    double t[REPS];
    for (int i = 0; i < REPS; i++) {
        const double begin = now();
        PSB_TRY(product(p, a));
        t[i] = now() - begin;
    }
    *seconds = median_of(t, REPS);
    return PSB_OK;
}

static psb_err try_format(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a,
                          double *worst)
{
    double made, each;
    PSB_TRY(convert(p, mold, a, &made));
    PSB_TRY(compare(p, worst));
    PSB_TRY(time_products(p, *a, &each));
    printf("%-6s %11lld %8.2f %10.2f %9.3f %8.2g  %s\n", mold->ops->fmt, (long long)(*a)->nnz,
           1e-9 * (double)X(mat_bytes)(*a), made, 1e3 * each, *worst, *worst <= 1 ? "right" : "WRONG");
    return PSB_OK;
}

/* Returns the exit status of this format alone. */
static int run_format(const struct problem *p, const struct X(mat) *mold)
{
    struct X(mat) *a = NULL;
    double worst = 0;
    psb_err e = try_format(p, mold, &a, &worst);
    if (e == PSB_ENOMEM)
        printf("%-6s skipped: %s\n", mold->ops->fmt, psb_errmsg());
    else
        good(e, mold->ops->fmt);
    fflush(stdout);
    if (a != p->rows)
        X(mat_free)(a);
    return e == PSB_ENOMEM ? SKIPPED : worst <= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- the command line --- */

static _Noreturn void wrong_argument(const char *name, const char *said, const char *expected)
{
    fprintf(stderr, "%s: argument %s is \"%s\"; expected %s\n", program, name, said, expected);
    exit(2);
}

static psb_ipk side(const char *s)
{
    char *end;
    errno = 0;
    const long n = strtol(s, &end, 10);
    if (end == s || *end || errno || n < 1 || n > MOST)
        wrong_argument("NX", s, "a whole number from 1 to 1290");
    return (psb_ipk)n;
}

/* Returns the first format of *list and moves *list past it. */
static const struct X(mat) *next_format(const char **list)
{
    char name[24];
    next_name(list, name, sizeof name);
    const struct X(mat) *mold = X(mat_by_name)(name);
    if (!mold || !is_on_device(mold))
        wrong_argument("FORMAT", name, "csrg, hlg, hdiag, or another with products on the device");
    return mold;
}

/* --- the program --- */

static _Noreturn void skip(const char *why)
{
    printf("%s: skipped: %s\n", program, why);
    exit(SKIPPED);
}

/* A missing device or missing memory is no failure: skip. */
static void good_or_skip(psb_err e, psb_err none, const char *what)
{
    if (e == none)
        skip(psb_errmsg());
    good(e, what);
}

static void start(psb_ctxt *ctxt, const char *formats)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    if (np > 1)
        good(PSB_FAIL(PSB_EARG, "there are %d processes; expected one", np), "MPI");
    good_or_skip(psb_cuda_init(ctxt), PSB_EDEVICE, "device");
    while (formats)
        (void)next_format(&formats);
    if (!psb_cuda_device())
        skip("there is no GPU; PSB_DEVICE=fake tries this program without");
    psb_cuda_convert_from(0);
}

static void describe(const struct problem *p)
{
    char name[256] = "fake device: times mean nothing";
    if (psb_cuda_stream())
        good(psb_cuda_DeviceName(name, sizeof name), "device");
    printf("one %s, type %c; %d^3 points: %d rows, %lld entries, %.2f times 2^31\n", name, LETTER, p->nx,
           p->m, (long long)p->nnz, ldexp((double)p->nnz, -31));
    fflush(stdout);
}

/* Exit status: a wrong format first, then a skipped one. */
static int run_all(const struct problem *p, const char *formats)
{
    int status = EXIT_SUCCESS;
    printf("%-6s %11s %8s %10s %9s %8s\n", "", "entries", "GB", "convert s", "ms", "error");
    while (formats) {
        const int one = run_format(p, next_format(&formats));
        if (status != EXIT_FAILURE && one != EXIT_SUCCESS)
            status = one;
    }
    return status;
}

int X(gpu_large)(int argc, char **argv)
{
    psb_ctxt *ctxt;
    struct problem p = { .nx = argc > 1 ? side(argv[1]) : NX };
    const char *formats = argc > 2 ? argv[2] : usual;
    if (argc > 3)
        wrong_argument("3", argv[3], "no more than NX and FORMAT,...");
    p.m = p.nx * p.nx * p.nx;
    p.nnz = entries_before(p.nx, p.m);
    good(psb_init(&ctxt), "MPI");
    start(ctxt, formats);
    describe(&p);
    good_or_skip(make(&p), PSB_ENOMEM, "CSRG");
    const int status = run_all(&p, formats);
    X(mat_free)(p.rows);
    X(gefree)(p.x);
    X(gefree)(p.y);
    psb_cuda_exit();
    psb_exit(ctxt);
    return status;
}
