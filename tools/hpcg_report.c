/* hpcg_report.c -- tools: the report of psb-hpcg in the form of the HPCG benchmark, version 3.1, and as JSON.
 */
#include "config.h"
#include "command_line.h"
#include "hpcg.h"
#include "psb_alloc.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REPORT = 1 << 14 };

/* The lines KEY=VALUE of the report, and the section that their keys begin with. */
struct hpcg_text {
    char all[REPORT];
    size_t length;
    const char *section;
};

/* Append the line SECTION::KEY=VALUE. */
static void put(struct hpcg_text *t, const char *key, const char *format, ...) PSB_PRINTF(3, 4);
static void put(struct hpcg_text *t, const char *key, const char *format, ...)
{
    va_list args;
    t->length += (size_t)snprintf(t->all + t->length, REPORT - t->length, "%s::%s=", t->section, key);
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->all + t->length, REPORT - t->length, format, args);
    va_end(args);
    t->length += (size_t)snprintf(t->all + t->length, REPORT - t->length, "\n");
}

/* Begin a section, with a line of its own. */
static void begin(struct hpcg_text *t, const char *section)
{
    t->section = section;
    t->length += (size_t)snprintf(t->all + t->length, REPORT - t->length, "%s=\n", section);
}

static void result(struct hpcg_text *t, bool passed)
{
    put(t, "Result", passed ? "PASSED" : "FAILED");
}

/* --- the count of operations and of bytes, as the reference has them --- */

/* Of all sets: floating-point operations by kind, and bytes read and written. */
struct hpcg_counts {
    double flops[TIMES], reads, writes;
};

static struct hpcg_counts count(const struct hpcg_results *r)
{
    const double sets = r->sets, its = sets * r->needed, n = (double)r->rows[0], nz = (double)r->entries[0];
    const double vectors = 3 * its + sets, products = its + sets, entry = sizeof(double) + sizeof(int);
    struct hpcg_counts c = { .reads = 2 * vectors * 2 * n * 8 + products * (nz * entry + n * 8),
                             .writes = vectors * 8 * (1 + n) + products * n * 8 };
    c.flops[TIME_DOT] = c.flops[TIME_SUM] = vectors * 2 * n;
    c.flops[TIME_PRODUCT] = products * 2 * nz;
    for (int l = 0; l < LEVELS; l++) {
        const bool last = l == LEVELS - 1;
        const double rows = (double)r->rows[l], entries = (double)r->entries[l];
        c.flops[TIME_CYCLE] += its * (last ? 4 : 10) * entries;
        c.reads += its * ((last ? 2 : 5) * entries * entry + (last ? 1 : 3) * rows * 8);
        c.writes += its * (last ? rows * 8 : rows * 8 + 2 * entries * 8);
    }
    for (int k = TIME_DOT; k < TIMES; k++)
        c.flops[TIME_ALL] += c.flops[k];
    return c;
}

/* --- sections --- */

static void put_problem(struct hpcg_text *t, const struct hpcg_results *r)
{
    static const char *const direction[] = { "x", "y", "z" };
    const struct hpcg_task *k = r->task;
    char key[16];
    begin(t, "Machine Summary");
    put(t, "Distributed Processes", "%d", k->np);
    put(t, "Threads per processes", "%d", k->threads);
    begin(t, "Global Problem Dimensions");
    for (int d = 0; d < 3; d++) {
        snprintf(key, sizeof key, "Global n%s", direction[d]);
        put(t, key, "%" PRId64, (psb_lpk)k->grid[d] * k->box[d]);
    }
    begin(t, "Processor Dimensions");
    for (int d = 0; d < 3; d++) {
        snprintf(key, sizeof key, "np%s", direction[d]);
        put(t, key, "%d", k->grid[d]);
    }
    begin(t, "Local Domain Dimensions");
    put(t, "nx", "%d", k->box[0]);
    put(t, "ny", "%d", k->box[1]);
    put(t, "Lower ipz", "0");
    put(t, "Upper ipz", "%d", k->grid[2] - 1);
    put(t, "nz", "%d", k->box[2]);
}

static void put_system(struct hpcg_text *t, const struct hpcg_results *r)
{
    begin(t, "########## Problem Summary  ##########");
    begin(t, "Setup Information");
    put(t, "Setup Time", "%g", r->setup);
    begin(t, "Linear System Information");
    put(t, "Number of Equations", "%" PRId64, r->rows[0]);
    put(t, "Number of Nonzero Terms", "%" PRId64, r->entries[0]);
    begin(t, "Multigrid Information");
    put(t, "Number of coarse grid levels", "%d", LEVELS - 1);
    begin(t, "Multigrid Information::Coarse Grids");
    for (int l = 1; l < LEVELS; l++) {
        put(t, "Grid Level", "%d", l);
        put(t, "Number of Equations", "%" PRId64, r->rows[l]);
        put(t, "Number of Nonzero Terms", "%" PRId64, r->entries[l]);
        put(t, "Number of Presmoother Steps", "1");
        put(t, "Number of Postsmoother Steps", "1");
    }
}

static void put_memory(struct hpcg_text *t, const struct hpcg_results *r)
{
    double all = r->optimised_bytes;
    for (int l = 0; l < LEVELS; l++)
        all += r->bytes[l];
    begin(t, "########## Memory Use Summary  ##########");
    begin(t, "Memory Use Information");
    put(t, "Total memory used for data (Gbytes)", "%g", all / 1e9);
    put(t, "Memory used for OptimizeProblem data (Gbytes)", "%g", r->optimised_bytes / 1e9);
    put(t, "Bytes per equation (Total memory / Number of Equations)", "%g", all / (double)r->rows[0]);
    put(t, "Memory used for linear system and CG (Gbytes)", "%g", r->bytes[0] / 1e9);
    begin(t, "Memory Use Information::Coarse Grids");
    for (int l = 1; l < LEVELS; l++) {
        put(t, "Grid Level", "%d", l);
        put(t, "Memory used", "%g", r->bytes[l] / 1e9);
    }
}

/* The tests: TestCG, TestSymmetry, the residual, TestNorms. */
static bool cg_passes(const struct hpcg_results *r)
{
    return r->cg_most[0] <= 12 && r->cg_most[1] <= 2;
}

static bool symmetry_passes(const struct hpcg_results *r)
{
    return r->asymmetry[0] <= 1 && r->asymmetry[1] <= 1;
}

static bool norms_pass(const struct hpcg_results *r)
{
    return r->variance < 1e-6;
}

static void put_tests(struct hpcg_text *t, const struct hpcg_results *r)
{
    begin(t, "########## V&V Testing Summary  ##########");
    begin(t, "Spectral Convergence Tests");
    result(t, cg_passes(r));
    begin(t, "Spectral Convergence Tests::Unpreconditioned");
    put(t, "Maximum iteration count", "%d", r->cg_most[0]);
    put(t, "Expected iteration count", "12");
    begin(t, "Spectral Convergence Tests::Preconditioned");
    put(t, "Maximum iteration count", "%d", r->cg_most[1]);
    put(t, "Expected iteration count", "2");
    begin(t, "Departure from Symmetry |x'Ay-y'Ax|/(2*||x||*||A||*||y||)/epsilon");
    result(t, symmetry_passes(r));
    put(t, "Departure for SpMV", "%g", r->asymmetry[0]);
    put(t, "Departure for MG", "%g", r->asymmetry[1]);
    begin(t, "########## Iterations Summary  ##########");
    begin(t, "Iteration Count Information");
    result(t, r->reached);
    put(t, "Reference CG iterations per set", "%d", REFERENCE_ITERATIONS);
    put(t, "Optimized CG iterations per set", "%d", r->needed);
    put(t, "Total number of reference iterations", "%d", REFERENCE_ITERATIONS * r->sets);
    put(t, "Total number of optimized iterations", "%d", r->needed * r->sets);
    begin(t, "########## Reproducibility Summary  ##########");
    begin(t, "Reproducibility Information");
    result(t, norms_pass(r));
    put(t, "Scaled residual mean", "%g", r->mean);
    put(t, "Scaled residual variance", "%g", r->variance);
}

/* The kinds of time, and of operations, in the report's order. */
static const struct {
    int k;
    const char *time, *flops;
} kinds[] = { { TIME_DOT, "DDOT", "Raw DDOT" },
              { TIME_SUM, "WAXPBY", "Raw WAXPBY" },
              { TIME_PRODUCT, "SpMV", "Raw SpMV" },
              { TIME_CYCLE, "MG", "Raw MG" },
              { TIME_ALL, "Total", "Total" } };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The rating; legacy: that of version 2.4, which does not count the set-up. */
static double rate(const struct hpcg_results *r, double work, bool legacy)
{
    const double overhead = r->sets * (r->optimisation + (legacy ? 0 : r->setup)) / 10;
    return work * REFERENCE_ITERATIONS / r->needed / (r->seconds[TIME_ALL] + overhead) / 1e9;
}

static void put_performance(struct hpcg_text *t, const struct hpcg_results *r)
{
    const struct hpcg_counts c = count(r);
    const double all = r->seconds[TIME_ALL], share = (double)REFERENCE_ITERATIONS / r->needed;
    begin(t, "########## Performance Summary (times in sec) ##########");
    begin(t, "Benchmark Time Summary");
    put(t, "Optimization phase", "%g", r->optimisation);
    for (int i = 0; i < KINDS; i++)
        put(t, kinds[i].time, "%g", r->seconds[kinds[i].k]);
    begin(t, "Floating Point Operations Summary");
    for (int i = 0; i < KINDS; i++)
        put(t, kinds[i].flops, "%g", c.flops[kinds[i].k]);
    put(t, "Total with convergence overhead", "%g", c.flops[TIME_ALL] * share);
    begin(t, "GB/s Summary");
    put(t, "Raw Read B/W", "%g", c.reads / all / 1e9);
    put(t, "Raw Write B/W", "%g", c.writes / all / 1e9);
    put(t, "Raw Total B/W", "%g", (c.reads + c.writes) / all / 1e9);
    put(t, "Total with convergence and optimization phase overhead", "%g",
        rate(r, c.reads + c.writes, false));
    begin(t, "GFLOP/s Summary");
    for (int i = 0; i < KINDS; i++)
        put(t, kinds[i].k == TIME_ALL ? "Raw Total" : kinds[i].flops, "%g",
            c.flops[kinds[i].k] / r->seconds[kinds[i].k] / 1e9);
    put(t, "Total with convergence overhead", "%g", c.flops[TIME_ALL] * share / all / 1e9);
    put(t, "Total with convergence and optimization phase overhead", "%g", rate(r, c.flops[TIME_ALL], false));
    begin(t, "User Optimization Overheads");
    put(t, "Optimization phase time (sec)", "%g", r->optimisation);
    if (r->ten_calls > 0)
        put(t, "Optimization phase time vs reference SpMV+MG time", "%g", r->optimisation / r->ten_calls);
    begin(t, "DDOT Timing Variations");
    put(t, "Min DDOT MPI_Allreduce time", "%g", r->dot_least);
    put(t, "Max DDOT MPI_Allreduce time", "%g", r->dot_most);
    put(t, "Avg DDOT MPI_Allreduce time", "%g", r->dot_mean);
}

/* Why the run is not valid; NULL if it is. */
static const char *fault(const struct hpcg_results *r)
{
    if (r->diagonals)
        return "a format of diagonals exploits the stencil";
    if (r->task->reference > 0)
        return "the reference was not run";
    if (!cg_passes(r))
        return "too many iterations with the enlarged diagonal";
    if (!symmetry_passes(r))
        return "the product or the cycle is not symmetric";
    if (!r->reached)
        return "the residual of the reference was not reached";
    return norms_pass(r) ? NULL : "the residuals of sets differ";
}

static void put_summary(struct hpcg_text *t, const struct hpcg_results *r)
{
    const double work = count(r).flops[TIME_ALL];
    begin(t, "Final Summary");
    if (fault(r)) {
        put(t, "HPCG result is", "INVALID.");
        put(t, "Reason", "%s", fault(r));
        put(t, "Unofficial GFLOP/s", "%g", rate(r, work, false));
        return;
    }
    put(t, "HPCG result is VALID with a GFLOP/s rating of", "%g", rate(r, work, false));
    put(t, "HPCG 2.4 rating for historical reasons is", "%g", rate(r, work, true));
    if (r->seconds[TIME_ALL] >= OFFICIAL_SECONDS)
        return;
    put(t, "Results are valid but execution time (sec) is", "%g", r->seconds[TIME_ALL]);
    put(t, "Official results execution time (sec) must be at least", "%d", OFFICIAL_SECONDS);
}

/* --- JSON --- */

#ifdef HAVE_JANSSON
#include "json.h"
#include "number.h"

/* The lines of the report; a key that comes again has the array of its values. */
static json_t *lines_json(char *text)
{
    json_t *all = json_object();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, '=');
        double x;
        *value++ = 0;
        if (!*value)
            continue;
        json_t *new = psb_read_number(value, &x) ? json_number(x) : json_text(value),
               *old = json_object_get(all, line);
        if (!old) {
            json_object_set_new(all, line, new);
        } else {
            if (!json_is_array(old))
                json_object_set_new(all, line, json_pack("[O]", old));
            json_array_append_new(json_object_get(all, line), new);
        }
    }
    return all;
}

static psb_err write_json(const struct hpcg_results *r, char *text)
{
    json_t *why = fault(r) ? json_text(fault(r)) : json_null();
    return json_write(json_pack("{s:s,s:o,s:s,s:s,s:b,s:o,s:o,s:o,s:o}", "program", "psb-hpcg", "machine",
                                json_machine(&r->machine), "format", r->task->format, "order",
                                r->task->coloured ? "colour" : "rows", "valid", !fault(r), "why", why,
                                "rating", json_number(rate(r, count(r).flops[TIME_ALL], false)),
                                "reference_residual", json_number(r->reference), "report", lines_json(text)),
                      r->task->json);
}
#else
static psb_err write_json(const struct hpcg_results *r, char *text)
{
    (void)text;
    return PSB_FAIL(PSB_ENOTIMPL, "%s: this program was built without jansson", r->task->json);
}
#endif

/* --- all --- */

psb_err hpcg_report(const struct hpcg_results *r, bool *valid)
{
    const struct hpcg_task *k = r->task;
    struct hpcg_text *t;
    *valid = !fault(r);
    if (k->me != 0)
        return PSB_OK;
    PSB_TRY(psb_alloc_zero(&t, 1, sizeof *t, "report"));
    put_problem(t, r);
    put_system(t, r);
    put_memory(t, r);
    put_tests(t, r);
    put_performance(t, r);
    put_summary(t, r);
    FILE *f = k->output ? fopen(k->output, "w") : stdout;
    bool bad = !f || fprintf(f, "HPCG-Benchmark\nversion=3.1\nRelease date=March 28, 2019\n%s", t->all) < 0;
    bad = (f && k->output && fclose(f) != 0) || bad;
    psb_err e = bad ? PSB_FAIL(PSB_EIO, "%s: cannot be written: %s", or_else(k->output, "stdout"),
                               strerror(errno))
                    : PSB_OK;
    if (e == PSB_OK && k->json)
        e = write_json(r, t->all);
    psb_free(t);
    return e;
}
