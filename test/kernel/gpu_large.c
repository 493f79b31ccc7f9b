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
 * PSB_DEVICE=fake runs the program without a GPU; its times mean nothing.  A format for which there is not
 * enough memory is left out.  Exit status: 0; 1: a result is wrong or something failed. */
#include "gpu_formats.h"
#include "psb_cuda_format.h"
#include "psb_team.h"
#include "psb_testing.h"
#include "psb_threads.h"
#include <math.h>
#include <stdlib.h>
#include "bench.h"
#include "psb_type.h"
#include "device_formats.h"

enum { NX = 441, MOST = 1290, POINTS = 27, REPS = 11 }; /* MOST^3 is below 2^31 */

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

/* --- CSRG --- */

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

struct timed {
    const struct problem *p;
    struct X(mat) *a;
};

static void product(void *arg)
{
    const struct timed *t = arg;
    good(X(mat_vect_mv)(1, t->a, t->p->x, 0, t->p->y, 'N'), X(mat_get_fmt)(t->a));
}

/* Convert and multiply: y becomes that of the first product; returns the seconds to its end.  *a may be CSRG
 * itself. */
static psb_err convert(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a, double *seconds)
{
    const bool sent = mold == &X(csrg_mold).mat;
    PSB_TRY(X(set_scal)(MAKE(NAN, NAN), p->y));
    const double begin = now();
    if (sent)
        *a = p->rows;
    else
        PSB_TRY(X(mat_convert)(p->rows, mold, a));
    PSB_TRY(X(mat_vect_mv)(1, *a, p->x, 0, p->y, 'N'));
    *seconds = now() - begin + (sent ? p->sent : 0);
    PSB_CHECK(!X(vect_is_host)(p->y), PSB_ENOTIMPL, "%s was multiplied on the host", mold->ops->fmt);
    return PSB_OK;
}

/* Returns whether the product is right. */
static bool run_format(const struct problem *p, const struct X(mat) *mold)
{
    struct X(mat) *a = NULL;
    double worst = 0, made;
    psb_err e = convert(p, mold, &a, &made);
    if (e == PSB_ENOMEM) {
        printf("%-6s left out: %s\n", mold->ops->fmt, psb_errmsg());
    } else {
        good(e, mold->ops->fmt);
        good(compare(p, &worst), mold->ops->fmt);
        const double each = median_time(0, REPS, product, &(struct timed){ p, a });
        printf("%-6s %11lld %8.2f %10.2f %9.3f %8.2g  %s\n", mold->ops->fmt, (long long)a->nnz,
               1e-9 * (double)X(mat_bytes)(a), made, 1e3 * each, worst, worst <= 1 ? "right" : "WRONG");
    }
    fflush(stdout);
    if (a != p->rows)
        X(mat_free)(a);
    return worst <= 1;
}

/* --- the program --- */

/* Returns the first format of *list and moves *list past it. */
static const struct X(mat) *next_format(const char **list)
{
    char name[24];
    next_name(list, name, sizeof name);
    const struct X(mat) *mold = X(mat_by_name)(name);
    if (!mold || !is_on_device(mold))
        stop(name, "expected csrg, hlg, hdiag, or another format with products on the device");
    return mold;
}

int X(gpu_large)(int argc, char **argv)
{
    struct problem p = { .nx = argument(argc, argv, 1, 1, MOST, NX) };
    const char *formats = argc > 2 ? argv[2] : "csrg,hlg,hdiag";
    bool right = true;
    psb_ctxt *ctxt = start_on_device();
    for (const char *s = formats; s;)
        (void)next_format(&s);
    p.m = p.nx * p.nx * p.nx;
    p.nnz = entries_before(p.nx, p.m);
    psb_cuda_convert_from(0);
    printf("type %c; %d^3 points: %d rows, %lld entries, %.2f times 2^31\n", LETTER, p.nx, p.m,
           (long long)p.nnz, ldexp((double)p.nnz, -31));
    fflush(stdout);
    good(make(&p), "CSRG");
    printf("%-6s %11s %8s %10s %9s %8s\n", "", "entries", "GB", "convert s", "ms", "error");
    while (formats)
        right &= run_format(&p, next_format(&formats));
    X(mat_free)(p.rows);
    X(gefree)(p.x);
    X(gefree)(p.y);
    finish(ctxt);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
