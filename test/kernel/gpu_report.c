/* gpu_report.c -- test/kernel: the results of gpu_spmv: a table, and one row for each in a file. */
#include "psb_base.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"

static double seconds(const struct runner *r)
{
    return median_of(r->t, opt.rounds * REPS);
}

/* Returns the largest over the smallest median of a round. */
static double spread(const struct runner *r)
{
    double lo = INFINITY, hi = 0;
    for (int i = 0; i < opt.rounds; i++) {
        const double t = median_of(r->t + i * REPS, REPS);
        lo = fmin(lo, t);
        hi = fmax(hi, t);
    }
    return hi / lo;
}

/* Returns the fastest runner of `whose` that is correct and not refused; NULL if there is none. */
static const struct runner *best(const struct field *f, const char *whose, int csr)
{
    const struct runner *b = NULL;
    for (const struct runner *r = f->r; r < f->r + f->n; r++)
        if (!*r->refused && r->error <= 1 && strcmp(r->kind->whose, whose) == 0 && (!csr || r->is_csr) &&
            (!b || seconds(r) < seconds(b)))
            b = r;
    return b;
}

/* The values that all runners of a matrix are compared with; NAN: none. */
struct scale {
    double copy, peer, csr;
};

static struct scale scale_of(const struct field *f)
{
    const struct runner *peer = best(f, "cuSPARSE", 0), *csr = best(f, "cuSPARSE", 1);
    return (struct scale){ median_of(f->copy, opt.rounds), peer ? seconds(peer) : NAN,
                           csr ? seconds(csr) : NAN };
}

/* --- the table --- */

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
    const double t = seconds(r), bandwidth = p->bytes / t;
    printf("%-20s %9.4f %8.1f %8s %10s %7s %7.3f %7.2g", name, 1e3 * t, 1e-9 * bandwidth,
           show(of_copy, sizeof of_copy, "%.3f", bandwidth / by->copy),
           show(x_best, sizeof x_best, "%.3f", by->peer / t), show(x_csr, sizeof x_csr, "%.3f", by->csr / t),
           spread(r), r->error);
    if (!isnan(r->convert))
        printf(" %9.3f %9.0f", r->convert, r->convert / t);
    puts(r->error <= 1 ? "" : "  WRONG");
}

static const char *product_name(char *to, size_t len)
{
    const char *op = opt.trans == 'N' ? "A" : opt.trans == 'T' ? "A^T" : "A^H";
    snprintf(to, len, opt.columns > 1 ? "Y = %s X, %d columns" : "y = %s x", op, opt.columns);
    return to;
}

static void print_summary(const struct field *f, const struct problem *p)
{
    const struct runner *ours = best(f, "ours", 0), *theirs = best(f, "cuSPARSE", 0),
                        *cub = best(f, "CUB", 0);
    printf("%s, type %c: best of ours ", p->name, LETTER);
    printf(ours ? "%s %.4f ms" : "none", ours ? ours->name : "", ours ? 1e3 * seconds(ours) : 0);
    printf(theirs ? ", of cuSPARSE %s %.4f ms" : ", of cuSPARSE none", theirs ? theirs->name : "",
           theirs ? 1e3 * seconds(theirs) : 0);
    if (ours && theirs)
        printf(": %.3f times as fast", seconds(theirs) / seconds(ours));
    if (ours && cub)
        printf("; of CUB %.4f ms: %.3f", 1e3 * seconds(cub), seconds(cub) / seconds(ours));
    puts("");
}

/* --- the file --- */

static void file(FILE *to, const struct problem *p, const struct runner *r, const struct scale *by)
{
    const double t = *r->refused ? NAN : seconds(r), bandwidth = p->bytes / t;
    fprintf(to, "%s\t%c\t%c\t%d\t%d\t%d\t%d\t%lld\t%.5g\t%s\t%s\t%s", p->name, LETTER, opt.trans, opt.columns,
            p->copies, p->m, p->n, (long long)p->nnz, 1e-9 * by->copy, r->name, r->kind->whose,
            *r->format ? r->format : "-");
    fprintf(to, "\t%.6g\t%.5g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.3g\t%s\n", 1e3 * t, 1e-9 * bandwidth,
            bandwidth / by->copy, by->peer / t, by->csr / t, *r->refused ? NAN : spread(r), r->convert,
            r->convert / t, r->error, *r->refused ? r->refused : "-");
}

void X(gpu_report)(const struct field *f, const struct problem *p)
{
    const struct scale by = scale_of(f);
    char product[40], copy[32];
    printf("\n%s: %d by %d, %lld entries", p->name, p->m, p->n, (long long)p->nnz);
    if (p->copies > 1)
        printf(" in %d copies", p->copies);
    printf(", type %c, %s; copy %s GB/s\n", LETTER, product_name(product, sizeof product),
           show(copy, sizeof copy, "%.1f", 1e-9 * by.copy));
    printf("%-20s %9s %8s %8s %10s %7s %7s %7s%s\n", "format", "ms", "GB/s", "of copy", "x cuSPARSE", "x CSR",
           "spread", "error", opt.conversions ? " convert s  products" : "");
    for (int k = 0; k < f->n; k++) {
        print_row(&f->r[k], p, &by);
        if (opt.tsv)
            file(opt.tsv, p, &f->r[k], &by);
    }
    print_summary(f, p);
    fflush(stdout);
    if (opt.tsv)
        fflush(opt.tsv);
}
