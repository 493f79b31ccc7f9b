/* gpu_convert.c -- test/kernel: conversions, refills and changes of values on the host and on the
 * device.
 *
 *     gpu_convert [--type TYPE] [MATRIX]...      lap7:200 lap27:160, or others that gpu_spmv knows
 *
 * Seconds are medians of ROUNDS; they include allocating the result, but not freeing it.  Columns: the host
 * with all threads of the process; the host with one thread; the device with its input on the device; the
 * device with its input on the host.  The results of the device are compared with those of the host, array by
 * array and bit by bit. */
#include "psb_cuda_format.h"
#include "psb_testing.h"
#include "psb_threads.h"
#include "psb_util.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

enum { ROUNDS = 5 };
static int wrong;

/* A conversion from one format to another. */
struct job {
    const char *name;
    const struct X(mat) *from, *to; /* from NULL: triplets */
};

/* --- time --- */

/* Returns the seconds of a conversion, NAN if the format refuses; *b becomes the last result. */
static double convert(struct X(mat) *a, const struct X(mat) *to, psb_epk from, struct X(mat) **b)
{
    double t[ROUNDS];
    const psb_epk before = psb_cuda_convert_from(from);
    for (int i = -1; i < ROUNDS; i++) {
        X(mat_free)(*b);
        *b = NULL;
        const double begin = now();
        psb_err e = X(mat_convert)(a, to, b);
        if (e == PSB_EPADDING) {
            (void)psb_pop_errmsg(NULL, 0);
            psb_cuda_convert_from(before);
            return NAN;
        }
        good(e, to->ops->fmt);
        if (i >= 0)
            t[i] = now() - begin;
    }
    psb_cuda_convert_from(before);
    return median_of(t, ROUNDS);
}

/* --- comparison of arrays --- */

static bool same(struct psb_dual *a, struct psb_dual *b)
{
    const void *p, *q;
    if (a->bytes != b->bytes)
        return false;
    if (a->bytes == 0)
        return true;
    good(psb_dual_read(a, PSB_HOST, &p), "array");
    good(psb_dual_read(b, PSB_HOST, &q), "array");
    return memcmp(p, q, a->bytes) == 0;
}

static const char *compare(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *p[PSB_MOST_ARRAYS], *q[PSB_MOST_ARRAYS];
    if (!a || !b)
        return a == b ? "refused" : "REFUSED BY ONE";
    const int n = X(mat_arrays)(a, p);
    bool equal = n == X(mat_arrays)(b, q);
    for (int i = 0; i < n && equal; i++)
        equal = same(p[i], q[i]);
    wrong += !equal;
    return equal ? "equal" : "DIFFERENT";
}

/* --- tables --- */

static void line(const char *what, double host, double one, double on_device, double from_host,
                 const char *verdict)
{
    printf("%-14s %10.3f %10.3f %10.3f %10.3f %9.1f %9.1f  %s\n", what, 1e3 * host, 1e3 * one,
           1e3 * on_device, 1e3 * from_host, host / on_device, host / from_host, verdict);
    fflush(stdout);
}

static void one_conversion(const struct job *j, struct X(coo_mat) *s)
{
    struct X(mat) *rows = &s->mat, *on_device = NULL, *h = NULL, *d = NULL, *u = NULL;
    double alone = NAN;
    if (j->from) {
        const psb_epk before = psb_cuda_convert_from(0);
        good(X(mat_convert)(&s->mat, &X(csr_mold).mat, &rows), "CSR");
        good(X(mat_convert)(&s->mat, j->from, &on_device), j->from->ops->fmt);
        psb_cuda_convert_from(before);
    }
    const psb_epk grain = psb_set_thread_grain(INT64_MAX);
    const double one = convert(rows, j->to, INT64_MAX, &h);
    psb_set_thread_grain(grain);
    const double host = convert(rows, j->to, INT64_MAX, &h);
    if (on_device)
        alone = convert(on_device, j->to, 0, &d);
    const double from_host = convert(rows, j->to, 0, &u);
    const char *verdict = compare(h, u);
    line(j->name, host, one, alone, from_host, on_device ? compare(h, d) : verdict);
    X(mat_free)(u);
    X(mat_free)(d);
    X(mat_free)(h);
    X(mat_free)(on_device);
    if (rows != &s->mat)
        X(mat_free)(rows);
}

/* --- values --- */

enum change { REFILL, GET_DIAG, SCAL, SCALV, CHANGES };
static const char *const change_name[CHANGES] = { "refill", "get_diag", "scal", "scalv" };

struct values {
    enum change change;
    struct X(mat) *a;
    const struct X(coo_mat) *s;
    T *d;
};

static void apply_change(void *arg)
{
    const struct values *v = arg;
    psb_err e = v->change == REFILL
                    ? X(mat_csput)(v->a, v->s->mat.nnz, v->s->ia, v->s->ja, v->s->val, PSB_DUPL_OVERWRITE)
                : v->change == GET_DIAG ? X(mat_get_diag)(v->a, v->d)
                : v->change == SCAL     ? X(mat_scal)(v->a, 1)
                                        : X(mat_scalv)(v->a, v->d, 'L');
    good(e, change_name[v->change]);
}

static double time_of(enum change change, struct X(mat) *a, const struct X(coo_mat) *s, T *d)
{
    return median_time(1, ROUNDS, apply_change, &(struct values){ change, a, s, d });
}

/* Do the same calls on the host's matrix and on the device's, and compare their arrays at the end. */
static void changes(const struct X(mat) *to, struct X(coo_mat) *s)
{
    struct X(mat) *h = NULL, *d = NULL;
    T *diagonal;
    char name[32];
    const psb_ipk n = s->mat.nrows > s->mat.ncols ? s->mat.nrows : s->mat.ncols;
    if (isnan(convert(&s->mat, to, INT64_MAX, &h)) || isnan(convert(&s->mat, to, 0, &d)))
        return;
    good(psb_alloc_zero(&diagonal, (size_t)n, sizeof *diagonal, "a diagonal"), "memory");
    for (int i = 0; i < CHANGES; i++) {
        const enum change c = (enum change)i;
        psb_cuda_convert_from(INT64_MAX);
        const psb_epk grain = psb_set_thread_grain(INT64_MAX);
        const double one = time_of(c, h, s, diagonal);
        psb_set_thread_grain(grain);
        const double host = time_of(c, h, s, diagonal);
        psb_cuda_convert_from(0);
        snprintf(name, sizeof name, "%s %s", to->ops->fmt, change_name[i]);
        (void)time_of(c, d, s, diagonal); /* as many times as the host */
        line(name, host, one, time_of(c, d, s, diagonal), NAN, "");
    }
    psb_cuda_convert_from(PSB_CUDA_CONVERT_FROM);
    printf("%-14s %s\n", to->ops->fmt, compare(h, d));
    psb_free(diagonal);
    X(mat_free)(h);
    X(mat_free)(d);
}

/* --- matrices --- */

static void run(psb_ctxt *ctxt, const char *what)
{
    const struct job jobs[] = {
        { "COO->CSRG", NULL, &X(csrg_mold).mat },
        { "COO->HLG", NULL, &X(hlg_mold).mat },
        { "CSR->HLG", &X(csrg_mold).mat, &X(hlg_mold).mat },
        { "CSR->ELG", &X(csrg_mold).mat, &X(elg_mold).mat },
        { "CSR->HDIAG", &X(csrg_mold).mat, &X(hdiag_mold).mat },
        { "CSR->DIAG", &X(csrg_mold).mat, &X(diag_mold).mat },
        { "HLG->CSRG", &X(hlg_mold).mat, &X(csrg_mold).mat },
    };
    struct X(coo_mat) *s;
    good(X(matrix_one)(ctxt, what, &s), what);
    printf("\n%s: %d rows, %lld entries, type %c; milliseconds\n", what, s->mat.nrows, (long long)s->mat.nnz,
           LETTER);
    printf("%-14s %10s %10s %10s %10s %9s %9s\n", "", "host", "1 thread", "device", "from host", "x device",
           "x from h.");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        one_conversion(&jobs[i], s);
    changes(&X(csrg_mold).mat, s);
    changes(&X(hlg_mold).mat, s);
    changes(&X(hdiag_mold).mat, s);
    X(mat_free)(&s->mat);
}

int X(gpu_convert)(int argc, char **argv)
{
    psb_ctxt *ctxt = start_on_device();
    if (argc == 1) {
        run(ctxt, "lap7:200");
        run(ctxt, "lap27:160");
    }
    for (int i = 1; i < argc; i++)
        run(ctxt, argv[i]);
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
