/* gpu_spmv.c -- test/kernel: y = A x on one GPU: all formats, cuSPARSE, and the copy bandwidth of this
 * GPU, all measured in one run; --help says how. */
#include "psb_cuda_format.h"
#ifdef WITH_CUSPARSE
#include <cuda_runtime_api.h>
#endif
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "spmv.h"
#include "device_formats.h"

enum { WARM = 5 };

/* --- vectors and formats on the device --- */

static psb_err make_vectors(struct problem *p)
{
    const psb_ipk nx = opt.trans == 'N' ? p->cols : p->rows, ny = opt.trans == 'N' ? p->rows : p->cols;
    PSB_TRY(X(vect_bld)(&p->vx, nx, opt.columns, p->x, &psb_vect_cuda));
    PSB_TRY(X(vect_new_n)(&p->vy, ny, opt.columns, &psb_vect_cuda));
    PSB_TRY(X(device_read)(p->vx, &p->dx));
    return X(device_update)(p->vy, &p->dy);
}

static psb_err product(const struct problem *p, void *a, enum way w)
{
    (void)w;
    return X(mat_vect_mv)(1, a, p->vx, 0, p->vy, opt.trans);
}

/* Convert, within the limit of --limit. */
static psb_err convert(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a)
{
    struct X(mat) *own;
    if (opt.limit < 0)
        return X(mat_convert)(&p->a->mat, mold, a);
    PSB_TRY(psb_alloc(&own, mold->ops->size, 1, "a mold"));
    memcpy(own, mold, mold->ops->size);
    set_limit(own, opt.limit);
    psb_err e = X(mat_convert)(&p->a->mat, own, a);
    psb_free(own);
    return e;
}

/* Convert, and multiply once, which moves the arrays to the device. */
static psb_err make(const struct problem *p, struct runner *r)
{
    const struct X(mat) *mold = r->how;
    struct X(mat) *a;
    const double begun = psb_wtime();
    PSB_TRY(convert(p, mold, &a));
    psb_err e = product(p, a, ONE);
    if (e == PSB_OK)
        e = psb_cuda_DeviceSync();
    if (opt.conversions)
        r->convert = psb_wtime() - begun;
    if (e == PSB_OK && p->nnz > 0 && X(vect_is_host)(p->vy))
        e = PSB_FAIL(PSB_ENOTIMPL, "%s computes this product on the host", X(mat_get_fmt)(a));
    if (e != PSB_OK) {
        X(mat_free)(a);
        return e;
    }
    r->a = a;
    r->bytes = (double)X(mat_bytes)(a);
    if (mold->ops->storage.choose)
        snprintf(r->format, sizeof r->format, "%s", X(mat_get_fmt)(a));
    return PSB_OK;
}

static void release(void *a)
{
    X(mat_free)(a);
}

static const struct kind ours = { "ours", 1U << ONE, true, make, product, release };
/* Not counted among the formats it chooses from. */
static const struct kind chooser = { "AUTO", 1U << ONE, true, make, product, release };

static void enter_one(struct field *f, const struct problem *p, const struct X(mat) *mold)
{
    struct runner r = { .kind = mold->ops->storage.choose ? &chooser : &ours, .how = mold };
    snprintf(r.name, sizeof r.name, "%s", mold->ops->fmt);
    X(enter)(f, p, NULL, r);
}

/* CSRNG with numbers of 1, 2, 2 and 4 bytes, if they hold the matrix exactly, as a Laplacian. */
static void enter_narrow(struct field *f, const struct problem *p)
{
    static const char *const names[] = { "CSRNG int8", "CSRNG half", "CSRNG bfloat16", "CSRNG single" };
    static struct X(csrn_mat) molds[4];
    for (int i = 0; i < 4; i++) {
        struct runner r = { .kind = &ours, .how = &molds[i].mat };
        struct X(mat) *exact = NULL;
        molds[i] = X(csrng_mold);
        molds[i].values = (enum psb_values)(PSB_VALUES_INT8 + i);
        molds[i].most = 0;
        snprintf(r.name, sizeof r.name, "%s", names[i]);
        if (X(mat_convert)(&p->a->mat, &molds[i].mat, &exact) == PSB_OK)
            X(enter)(f, p, NULL, r);
        X(mat_free)(exact);
    }
    psb_clean_errstack();
}

static const struct X(mat) *format_at(const char **list)
{
    char name[24];
    next_name(list, name, sizeof name);
    return X(mat_by_name)(name);
}

static void enter_ours(struct field *f, const struct problem *p)
{
    const struct X(mat) *mold;
    for (int i = 0; !opt.formats && (mold = X(mat_format)(i)); i++)
        if (is_on_device(mold))
            enter_one(f, p, mold);
    if (!opt.formats) {
        enter_one(f, p, &X(autog_mold).mat);
        enter_one(f, p, &X(tunedg_mold).mat);
        enter_narrow(f, p);
    }
    for (const char *s = opt.formats; s && (mold = format_at(&s));)
        enter_one(f, p, mold);
}

/* --- times --- */

static psb_err multiply(const struct problem *p, const struct runner *r)
{
    for (int i = 0; i < opt.batch; i++)
        PSB_TRY(r->kind->product(p, r->a, ONE));
    return PSB_OK;
}

/* Without a GPU: times by the host's clock. */
static psb_err by_the_host(const struct problem *p, const struct runner *r, double *t)
{
    for (int i = -1; i < REPS; i++) {
        const double begun = psb_wtime();
        PSB_TRY(multiply(p, r));
        PSB_TRY(psb_cuda_DeviceSync());
        if (i >= 0)
            t[i] = (psb_wtime() - begun) / opt.batch;
    }
    return PSB_OK;
}

#ifdef WITH_CUSPARSE
static cudaEvent_t event[REPS + 1];

static psb_err ok(cudaError_t e)
{
    PSB_CHECK(e == cudaSuccess, PSB_EDEVICE, "%s", cudaGetErrorString(e));
    return PSB_OK;
}

/* Times from events between any two batches of products.  All are submitted at once, so none waits for the
 * host. */
static psb_err by_events(const struct problem *p, const struct runner *r, double *t)
{
    const cudaStream_t stream = psb_cuda_stream();
    for (int i = 0; i <= REPS; i++)
        if (!event[i])
            PSB_TRY(ok(cudaEventCreate(&event[i])));
    for (int i = -WARM; i < REPS; i++) {
        PSB_TRY(multiply(p, r));
        if (i >= -1)
            PSB_TRY(ok(cudaEventRecord(event[i + 1], stream)));
    }
    PSB_TRY(ok(cudaEventSynchronize(event[REPS])));
    for (int i = 0; i < REPS; i++) {
        float ms;
        PSB_TRY(ok(cudaEventElapsedTime(&ms, event[i], event[i + 1])));
        t[i] = 1e-3 * (double)ms / opt.batch;
    }
    return PSB_OK;
}
#endif

/* Store the seconds of a product, the mean of a batch, for each of REPS batches. */
static void time_products(const struct problem *p, const struct runner *r, double *t)
{
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream()) {
        good(by_events(p, r, t), r->name);
        return;
    }
#endif
    good(by_the_host(p, r, t), r->name);
}

/* A GPU that was idle, or has only copied, is slower at first, which would fall to the first runners of a
 * round: run products of one, not counted. */
static void warm_up(struct field *f, const struct problem *p)
{
    const double SECONDS = 0.05, begin = psb_wtime();
    double t[REPS];
    int k = 0;
    while (k < f->n && *f->r[k].refused)
        k++;
    while (psb_cuda_stream() && k < f->n && psb_wtime() - begin < SECONDS)
        time_products(p, &f->r[k], t);
}

/* Every second round runs in the opposite order, so that no runner always follows the same one. */
static void measure(struct field *f, const struct problem *p)
{
    for (int i = 0; i < opt.rounds; i++) {
        f->bandwidth[0][i] = copy_bandwidth();
        warm_up(f, p);
        for (int k = 0; k < f->n; k++) {
            struct runner *r = &f->r[i % 2 ? f->n - 1 - k : k];
            if (!*r->refused)
                time_products(p, r, r->t[0][ONE] + i * REPS);
        }
    }
}

/* --- the table --- */

/* Returns the largest over the smallest median of a round. */
static double spread(const struct runner *r)
{
    double lo = INFINITY, hi = 0;
    for (int i = 0; i < opt.rounds; i++) {
        const double t = median_of(r->t[0][ONE] + i * REPS, REPS);
        lo = fmin(lo, t);
        hi = fmax(hi, t);
    }
    return hi / lo;
}

/* The values that all runners of a matrix are compared with; NAN: none. */
struct scale {
    double copy, peer, csr;
};

static struct scale scale_of(const struct field *f)
{
    const struct runner *peer = X(best)(f, "cuSPARSE", 0);
    struct scale s = { median_of(f->bandwidth[0], opt.rounds), peer ? X(seconds)(peer, 0, ONE) : NAN, NAN };
    for (const struct runner *r = f->r; r < f->r + f->n; r++)
        if (r->is_csr && !*r->refused && r->error <= 1)
            s.csr = fmin(s.csr, X(seconds)(r, 0, ONE));
    return s;
}

/* Print x as short as it is, "-" for NAN. */
static const char *show(char *to, size_t len, const char *form, double x)
{
    if (isnan(x))
        return "-";
    snprintf(to, len, form, x);
    return to;
}

static void print_row(const struct runner *r, const struct problem *p, const struct scale *by)
{
    char name[64], of_copy[16], x_best[16], x_csr[16];
    snprintf(name, sizeof name, "%s%s%s%s%s", strcmp(r->kind->whose, "cuSPARSE") ? "" : "cuSPARSE ", r->name,
             *r->format ? " (" : "", r->format, *r->format ? ")" : "");
    if (*r->refused) {
        printf("%-20s refused: %s\n", name, r->refused);
        return;
    }
    const double t = X(seconds)(r, 0, ONE), bandwidth = X(bytes_moved)(p, r) / t;
    printf("%-20s %9.4f %8.1f %8s %10s %7s %7.3f %7.2g", name, 1e3 * t, 1e-9 * bandwidth,
           show(of_copy, sizeof of_copy, "%.3f", bandwidth / by->copy),
           show(x_best, sizeof x_best, "%.3f", by->peer / t), show(x_csr, sizeof x_csr, "%.3f", by->csr / t),
           spread(r), r->error);
    if (!isnan(r->convert))
        printf(" %9.3f %9.0f", r->convert, r->convert / t);
    puts(r->error <= 1 ? "" : "  WRONG");
}

static void print_summary(const struct field *f, const struct problem *p)
{
    static const char *const whose[] = { "ours", "cuSPARSE", "CUB" };
    double t[3] = { NAN, NAN, NAN };
    printf("%s, type %c: best of", p->name, LETTER);
    for (int k = 0; k < 3; k++) {
        const struct runner *b = X(best)(f, whose[k], 0);
        if (!b && k == 2)
            break;
        t[k] = b ? X(seconds)(b, 0, ONE) : NAN;
        printf("%s %s %s", k ? ", of" : "", whose[k], b ? b->name : "none");
        if (b)
            printf(" %.4f ms", 1e3 * t[k]);
        if (k && t[0] > 0 && t[k] > 0)
            printf(": %.3f times as fast", t[k] / t[0]);
    }
    puts("");
}

static void report(const struct field *f, const struct problem *p)
{
    const struct scale by = scale_of(f);
    const char *op = opt.trans == 'N' ? "A" : opt.trans == 'T' ? "A^T" : "A^H";
    char copy[32];
    printf("\n%s: %lld by %lld, %lld entries", p->name, (long long)p->m, (long long)p->n, (long long)p->nnz);
    if (p->copies > 1)
        printf(" in %d copies", p->copies);
    printf(", type %c, ", LETTER);
    printf(opt.columns > 1 ? "Y = %s X, %d columns" : "y = %s x", op, opt.columns);
    printf("; copy %s GB/s\n", show(copy, sizeof copy, "%.1f", 1e-9 * by.copy));
    printf("%-20s %9s %8s %8s %10s %7s %7s %7s%s\n", "format", "ms", "GB/s", "of copy", "x cuSPARSE", "x CSR",
           "spread", "error", opt.conversions ? " convert s  products" : "");
    for (int k = 0; k < f->n; k++)
        print_row(&f->r[k], p, &by);
    print_summary(f, p);
    fflush(stdout);
    X(spmv_record)(f, p, 0);
}

/* --- the program --- */

/* Returns the number of wrong results; 1 if the matrix cannot be read. */
static int run(psb_ctxt *ctxt, const char *what)
{
    static struct field f;
    struct problem p;
    if (X(spmv_load)(&p, ctxt, what) != PSB_OK) {
        fprintf(stderr, "%s: %s: %s\n", program, what, psb_errmsg());
        return 1;
    }
    good(make_vectors(&p), what);
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        X(enter_gpu_peers)(&f, &p);
#endif
    enter_ours(&f, &p);
    measure(&f, &p);
    int wrong = X(check)(&f, &p);
    report(&f, &p);
    X(leave)(&f);
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        X(leave_gpu_peers)();
#endif
    X(spmv_unload)(&p);
    return wrong;
}

static void wrong_command(psb_err e, const char *option)
{
    if (e == PSB_OK)
        return;
    fprintf(stderr, "%s: %s%s\n", program, option, psb_errmsg());
    exit(2);
}

int X(gpu_spmv)(int argc, char **argv)
{
    int wrong = 0, np;
    gpu_read_options(argc, argv);
    for (int i = optind; i < argc; i++)
        wrong_command(X(spmv_check_name)(argv[i]), "");
    psb_ctxt *ctxt = start_on_device();
    psb_info(ctxt, NULL, &np);
    if (np > 1)
        stop("MPI", "there are several processes; expected one");
    for (const char *s = opt.formats; s;) /* known once the device is initialised */
        if (!format_at(&s))
            wrong_command(PSB_EARG, "--formats: ");
#ifdef WITH_CUSPARSE
    printf("cuSPARSE %s\n", X(cusparse_version)());
#endif
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
