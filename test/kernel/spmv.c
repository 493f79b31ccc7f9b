/* spmv.c -- test/kernel: the frame of gpu_spmv and host_spmv: the matrix, the list of runners, their results.
 */
#include "coll.h"
#include "psb_cuda_format.h"
#include "psb_util.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "spmv.h"

/* --- the matrix --- */

/* Split WHAT or WHAT*COPIES into `base` and *copies, which is 0 if there is no *COPIES. */
static psb_err split(const char *what, char *base, size_t len, int *copies)
{
    const char *star = strrchr(what, '*');
    const size_t n = star ? (size_t)(star - what) : strlen(what);
    char *end = NULL;
    *copies = 0;
    PSB_CHECK(n > 0 && n < len, PSB_EARG,
              "argument MATRIX is \"%.60s\"; expected a name of 1 to %zu characters", what, len - 1);
    memcpy(base, what, n);
    base[n] = '\0';
    if (!star)
        return PSB_OK;
    long r = strtol(star + 1, &end, 10);
    PSB_CHECK(end > star + 1 && *end == '\0' && r >= 1 && r < 1000000000, PSB_EARG,
              "argument MATRIX is \"%.60s\"; expected a whole number of copies, from 1, after the *", what);
    *copies = (int)r;
    return PSB_OK;
}

psb_err X(spmv_check_name)(const char *what)
{
    char base[1024];
    int copies;
    PSB_TRY(split(what, base, sizeof base, &copies));
    if (matrix_is_generated(base))
        return matrix_parse(base, &(struct psb_gen){ .m = 0 });
    FILE *f = fopen(base, "r");
    PSB_CHECK(f, PSB_EIO, "argument MATRIX is \"%.60s\"; expected a file that can be read, or lap7:100, ...",
              what);
    fclose(f);
    return PSB_OK;
}

/* Returns the number of copies that have at least `fill` entries. */
static int copies_for(psb_epk nnz, psb_epk fill)
{
    const psb_epk r = nnz > 0 ? (fill + nnz - 1) / nnz : 1;
    return r < 1 ? 1 : r < INT_MAX ? (int)r : INT_MAX;
}

static psb_err load_rows(struct problem *p, const char *base)
{
    struct X(triplets) t;
    PSB_TRY(X(matrix_own)(p->ctxt, base, &t));
    p->m = t.m;
    p->n = t.n;
    p->row0 = block_start(t.m, p->me, p->np);
    p->rows = (psb_ipk)(block_start(t.m, p->me + 1, p->np) - p->row0);
    psb_err e = t.m <= INT_MAX ? X(matrix_from_rows)(&t, p->row0, p->rows, &p->a)
                               : PSB_FAIL(PSB_EARG, "%s has 2^31 rows and more; expected fewer", base);
    X(triplets_free)(&t);
    return e;
}

/* Repeat the matrix as the options say, on one process. */
static psb_err repeat(struct problem *p, bool generated)
{
    const int fill = opt.fill >= 0 ? opt.fill : generated ? 0 : opt.usual;
    if (p->copies == 0)
        p->copies = copies_for(p->a->mat.nnz, p->np == 1 ? fill : 0);
    PSB_TRY(X(matrix_repeat)(&p->a, p->copies));
    p->m *= p->copies;
    p->n *= p->copies;
    p->rows = p->a->mat.nrows;
    p->col0 = block_start(p->n, p->me, p->np);
    p->cols = (psb_ipk)(block_start(p->n, p->me + 1, p->np) - p->col0);
    p->nnz = p->a->mat.nnz;
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, &p->nnz, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(p->ctxt)));
    return PSB_OK;
}

static psb_err make_arrays(struct problem *p)
{
    const size_t most = (size_t)(p->rows > p->cols ? p->rows : p->cols) * (size_t)opt.width;
    PSB_TRY(psb_alloc(&p->x, most, sizeof *p->x, "x"));
    PSB_TRY(psb_alloc_zero(&p->y, most, sizeof *p->y, "y"));
    for (size_t k = 0; k < most; k++)
        p->x[k] = X(x_at)(p->col0 + (psb_lpk)k);
    return X(right_make)(&p->right[ONE], p->a, opt.columns, opt.trans);
}

psb_err X(spmv_load)(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    char base[1024];
    *p = (struct problem){ .ctxt = ctxt };
    psb_info(ctxt, &p->me, &p->np);
    PSB_TRY(split(what, base, sizeof base, &p->copies));
    matrix_name(p->name, sizeof p->name, base);
    psb_err e = load_rows(p, base);
    if (e == PSB_OK)
        e = repeat(p, matrix_is_generated(base));
    if (e == PSB_OK)
        e = make_arrays(p);
    if (e != PSB_OK)
        X(spmv_unload)(p);
    return e;
}

void X(spmv_unload)(struct problem *p)
{
    if (p->a)
        X(mat_free)(&p->a->mat);
    psb_free(p->x);
    psb_free(p->y);
    X(gefree)(p->vx);
    X(gefree)(p->vy);
    for (int w = 0; w < WAYS; w++)
        X(right_free)(&p->right[w]);
    *p = (struct problem){ .copies = 0 };
}

/* --- runners --- */

void X(use_threads)(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
    /* LIBRSB uses the number of threads at its start, whatever it is told */
    omp_set_max_active_levels(n > 1);
#else
    (void)n;
#endif
}

/* Store the reason of error e, without its place and the general meaning of its code. */
static void set_refusal(struct runner *r, psb_err e)
{
    const char *said = psb_errmsg(), *general = strstr(said, psb_strerror(e));
    if (general && strncmp(general + strlen(psb_strerror(e)), ": ", 2) == 0)
        said = general + strlen(psb_strerror(e)) + 2;
    snprintf(r->refused, sizeof r->refused, "%s", said);
}

void X(enter)(struct field *f, const struct problem *p, const char *list, struct runner r)
{
    double convert = INFINITY, tune = INFINITY;
    if (f->n == MOST_RUNNERS || !stands_in(r.name, list))
        return;
    X(use_threads)(r.threads ? r.threads : opt.team[0]);
    for (int left = opt.tries; left > 0 && !*r.refused; left--) {
        r.convert = r.tune = r.bytes = NAN;
        psb_err e = r.kind->make(p, &r);
        if (e != PSB_EPADDING && e != PSB_ENOTIMPL && e != PSB_ENOMEM)
            good(e, r.name);
        if (e != PSB_OK)
            set_refusal(&r, e);
        else if (left > 1)
            r.kind->free(r.a);
        convert = fmin(convert, r.convert); /* fmin prefers a number to NAN */
        tune = fmin(tune, r.tune);
    }
    r.convert = isfinite(convert) ? convert : NAN;
    r.tune = isfinite(tune) ? tune : NAN;
    f->r[f->n++] = r;
}

void X(leave)(struct field *f)
{
    for (int k = 0; k < f->n; k++)
        if (!*f->r[k].refused)
            f->r[k].kind->free(f->r[k].a);
    f->n = 0;
}

bool X(takes_part)(const struct runner *r, int team, enum way w)
{
    return !*r->refused && (r->threads == 0 || r->threads == opt.team[team]) && (r->kind->ways & 1U << w) &&
           (w == ONE || !opt.only);
}

/* --- results --- */

/* Fill y with NaN: a product must write all of it. */
static psb_err spoil(const struct problem *p, const struct runner *r)
{
    T *dy;
    if (!r->kind->vectors) {
        for (size_t i = 0; i < (size_t)(p->rows > p->cols ? p->rows : p->cols) * (size_t)opt.width; i++)
            p->y[i] = (T)NAN;
        return PSB_OK;
    }
    PSB_TRY(X(set_scal)(MAKE(NAN, NAN), p->vy));
    if (!p->dy)
        return PSB_OK;
    PSB_TRY(X(device_update)(p->vy, &dy));
    PSB_CHECK(dy == p->dy, PSB_ESTATE, "y has moved on the device; expected it to stay");
    return PSB_OK;
}

static psb_err check_product(const struct problem *p, struct runner *r, enum way w)
{
    const T *y = p->y;
    PSB_TRY(spoil(p, r));
    PSB_TRY(r->kind->product(p, r->a, w));
    if (r->kind->vectors)
        PSB_TRY(X(host_read)(p->vy, &y));
    r->error = fmax(r->error, slowest(p->ctxt, X(right_error)(&p->right[w], y)));
    return PSB_OK;
}

int X(check)(struct field *f, const struct problem *p)
{
    int wrong = 0;
    for (int k = 0; k < f->n; k++) {
        struct runner *r = &f->r[k];
        for (int t = 0; t < opt.nteams; t++) {
            X(use_threads)(opt.team[t]);
            for (enum way w = ONE; w < WAYS; w++)
                if (X(takes_part)(r, t, w))
                    good(check_product(p, r, w), r->name);
        }
        wrong += !(r->error <= 1);
        if (!(r->error <= 1) && p->me == 0)
            fprintf(stderr, "%s: %s: %s %s is wrong: its error is %.3g times the bound\n", program, p->name,
                    r->kind->whose, r->name, r->error);
    }
    return wrong;
}

double X(seconds)(const struct runner *r, int team, enum way w)
{
    const double *t = r->t[team][w];
    double least = t[0];
    for (int i = 1; i < opt.times; i++)
        least = fmin(least, t[i]);
    return opt.least ? least : median_of(t, opt.times);
}

const struct runner *X(best)(const struct field *f, const char *whose, int team)
{
    const struct runner *b = NULL;
    for (const struct runner *r = f->r; r < f->r + f->n; r++)
        if (X(takes_part)(r, team, ONE) && r->error <= 1 && strcmp(r->kind->whose, whose) == 0 &&
            (!b || X(seconds)(r, team, ONE) < X(seconds)(b, team, ONE)))
            b = r;
    return b;
}

double X(bytes_moved)(const struct problem *p, const struct runner *r)
{
    const double csr = (double)p->nnz * (sizeof(T) + 4) + 4 * ((double)p->m + 1);
    return (opt.on_host ? r->bytes : csr) + (double)sizeof(T) * opt.columns * ((double)p->m + (double)p->n);
}

/* --- the file --- */

/* The name of ONE: "product", and what is special about it. */
static void name_product(char *to, size_t len, int team)
{
    char columns[24] = "", threads[24] = "";
    if (opt.columns > 1)
        snprintf(columns, sizeof columns, ", %d columns", opt.columns);
    if (opt.on_host && opt.team[team] > 1)
        snprintf(threads, sizeof threads, ", %d threads", opt.team[team]);
    snprintf(to, len, "product%s%s%s",
             opt.trans == 'N'   ? ""
             : opt.trans == 'T' ? ", A^T"
                                : ", A^H",
             columns, threads);
}

/* What is known of a runner besides the time of its product. */
static void record_runner(const struct runner *r, const struct problem *p, int team, const char *product,
                          double bandwidth)
{
    const double t = X(seconds)(r, team, ONE);
    const struct {
        const char *what;
        double value;
        const char *unit;
    } all[] = {
        { "", 1e3 * t, "ms" },
        { ": transposed", X(takes_part)(r, team, TRANSPOSED) ? 1e3 * X(seconds)(r, team, TRANSPOSED) : NAN,
          "ms" },
        { ": of 8 columns", X(takes_part)(r, team, MANY) ? 1e3 * X(seconds)(r, team, MANY) : NAN, "ms" },
        { ": conversion", r->convert, "s" },
        { ": tuner", r->tune, "s" },
        { ": memory", 1e-6 * r->bytes, "MB" },
        { ": share of the bandwidth", X(bytes_moved)(p, r) / t / bandwidth, "ratio" },
        { ": wrong, error over its bound", r->error <= 1 ? NAN : r->error, "ratio" },
    };
    char quantity[96], method[40];
    snprintf(method, sizeof method, "%s%s", strcmp(r->kind->whose, "cuSPARSE") ? "" : "cuSPARSE ", r->name);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(quantity, sizeof quantity, "%s%s", product, all[i].what);
        record(p->name, LETTER, p->np, method, quantity, all[i].value, all[i].unit);
    }
}

void X(spmv_record)(const struct field *f, const struct problem *p, int team)
{
    const double bandwidth = median_of(f->bandwidth[team], opt.rounds);
    char product[64], quantity[96];
    name_product(product, sizeof product, team);
    record(p->name, LETTER, p->np, "-", "entries", (double)p->nnz, "entries");
    snprintf(quantity, sizeof quantity, "%s: bandwidth", product);
    record(p->name, LETTER, p->np, "-", quantity, 1e-9 * bandwidth, "GB/s");
    snprintf(quantity, sizeof quantity, "%s: refused", product);
    for (const struct runner *r = f->r; r < f->r + f->n; r++)
        if (X(takes_part)(r, team, ONE))
            record_runner(r, p, team, product, bandwidth);
        else if (*r->refused)
            record(p->name, LETTER, p->np, r->name, quantity, 1, "matrices");
}
