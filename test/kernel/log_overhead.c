/* log_overhead.c -- test/kernel: what recording (PSB_LOG=summary) costs a product in CSR; --help describes
 * it. */
#include "bench.h"
#include "events.h"
#include "psb_log.h"
#include "psb_trace.h"
#include "psb_util.h"
#include "triplets.h"
#include <getopt.h>
#include <stdlib.h>
#include <time.h>
#include "psb_type.h"
#include "matrix.h"

const char *const program = "log_overhead";
static const char help[] =
    "OMP_NUM_THREADS=1 taskset -c 0 log_overhead [OPTION]... MATRIX\n"
    "\n"
    "Multiply MATRIX (pde2d:100, ...) in CSR on one process in samples of twenty products, by turns with\n"
    "nothing recorded, PSB_LOG=summary, and nothing again.  Times are those of the processor, so that other\n"
    "programs count less; a ratio is over the mean of the samples before and after.\n"
    "\n"
    "  --pairs N    samples with a summary (501)\n";

enum { PRODUCTS = 20, RANGES = 5000, MOST_PAIRS = 999 };

static int pairs = 501;
static const struct flag table[] = { { "pairs", .number = &pairs, 1, MOST_PAIRS }, { 0 } };

struct system {
    psb_desc *desc;
    struct X(spmat) *a;
    struct X(vect) *x, *y;
};

static void make_system(psb_ctxt *ctxt, const char *what, struct system *s)
{
    struct X(triplets) t;
    good(X(matrix_own)(ctxt, what, &t), what);
    good(X(matrix_assemble)(ctxt, &t, X(mat_by_name)("CSR"), &s->desc, &s->a), what);
    good(X(vects_like)(s->a, &s->x, &s->y), "vectors");
    good(X(set_scal)(1, s->x), "x");
    X(triplets_free)(&t);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_log(const char *items)
{
    good(psb_log_set(items), "the log");
}

/* Seconds of a product. */
static double time_products(const struct system *s, const char *items)
{
    set_log(items);
    good(X(spmv)(1, s->a, s->x, 0, s->y, 'N'), "product");
    const double t = processor_time();
    for (int i = 0; i < PRODUCTS; i++)
        good(X(spmv)(1, s->a, s->x, 0, s->y, 'N'), "product");
    return (processor_time() - t) / PRODUCTS;
}

/* How many ranges are recorded in a product. */
static double ranges_of_product(const struct system *s)
{
    long long times = 0;
    int n;
    psb_events_reset();
    time_products(s, "summary:/dev/null");
    for (const struct psb_event *e = psb_events(&n), *end = e + n; e < end; e++)
        times += e->times;
    return (double)times / (PRODUCTS + 1);
}

/* Seconds of one range. */
static double time_ranges(const char *items)
{
    set_log(items);
    const double t = processor_time();
    for (int i = 0; i < RANGES; i++) {
        const struct psb_range r = psb_range_begin(NULL, "a range", "");
        psb_range_end(&r);
    }
    return (processor_time() - t) / RANGES;
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void put(const char *what, const char *quantity, double value, const char *unit)
{
    printf("%-46s %10.4f %s\n", quantity, value, unit);
    record(what, LETTER, 1, "CSR", quantity, value, unit);
}

static void put_ratios(const char *what, const char *quantity, double *ratio)
{
    char text[80];
    static const char *const quarter[] = { "lower quartile", "median", "upper quartile" };
    qsort(ratio, (size_t)pairs, sizeof *ratio, upwards);
    for (int q = 0; q < 3; q++) {
        snprintf(text, sizeof text, "%s, %s", quantity, quarter[q]);
        put(what, text, ratio[pairs * (q + 1) / 4], "ratio");
    }
}

int main(int argc, char **argv)
{
    static double off[MOST_PAIRS], on[MOST_PAIRS], again[MOST_PAIRS], range[2][MOST_PAIRS];
    static const char *const items[] = { "", "summary:/dev/null" };
    struct system s;
    psb_ctxt *ctxt = start(false);
    read_command(argc, argv, table, help);
    const char *what = argv[optind];
    make_system(ctxt, what, &s);
    for (int i = 0; i < pairs; i++) {
        off[i] = time_products(&s, items[0]);
        on[i] = time_products(&s, items[1]);
        again[i] = time_products(&s, items[0]);
        on[i] /= (off[i] + again[i]) / 2;
        again[i] /= off[i];
        for (int k = 0; k < 2; k++)
            range[k][i] = time_ranges(items[k]);
    }
    const double product = median_of(off, pairs), ranges = ranges_of_product(&s);
    put(what, "product", 1e6 * product, "us");
    put(what, "ranges in a product", ranges, "ranges");
    put(what, "a range that is not recorded", 1e9 * median_of(range[0], pairs), "ns");
    put(what, "a range that is recorded", 1e9 * median_of(range[1], pairs), "ns");
    put(what, "recorded ranges over the product", ranges * median_of(range[1], pairs) / product, "ratio");
    put_ratios(what, "recorded over not recorded", on);
    put_ratios(what, "not recorded over the same before", again);
    set_log("");
    X(gefree)(s.x);
    X(gefree)(s.y);
    X(spfree)(s.a);
    psb_cdfree(s.desc);
    finish(ctxt);
    return EXIT_SUCCESS;
}
