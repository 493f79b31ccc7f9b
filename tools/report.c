/* report.c -- tools: the results of psb-spmv as a table. */
#include "config.h"
#include "report.h"
#include "lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_TEXT = 32 };

/* Number of decimals that print x with three digits. */
static int decimals(double x)
{
    return x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
}

/* Print x with three digits in unit[0] or a larger unit; each unit is `step` times the previous one. */
static const char *with_unit(double x, double step, const char *const unit[4], char text[SHORT_TEXT])
{
    int i = 0;
    for (; i < 3 && x >= 999.5 && unit[i + 1]; i++)
        x /= step;
    snprintf(text, SHORT_TEXT, "%.*f %s", decimals(x), x, unit[i]);
    return text;
}

static const char *bytes_text(double x, char text[SHORT_TEXT])
{
    static const char *const unit[] = { "kB", "MB", "GB", "TB" };
    return with_unit(x / 1e3, 1e3, unit, text);
}

static const char *seconds_text(double x, char text[SHORT_TEXT])
{
    static const char *const unit[] = { "us", "ms", "s", NULL };
    return with_unit(x * 1e6, 1e3, unit, text);
}

/* The factor printed before a vector: "", "2 ", "(-2) " or "(2+3i) ". */
static const char *factor_text(struct number x, char text[SHORT_TEXT])
{
    *text = '\0';
    if (x.im != 0)
        snprintf(text, SHORT_TEXT, "(%.6g%+.6gi) ", x.re, x.im);
    else if (x.re != 1)
        snprintf(text, SHORT_TEXT, x.re < 0 ? "(%.6g) " : "%.6g ", x.re);
    return text;
}

/* --- the text above the table --- */

static void print_product(const struct report *r)
{
    const struct options *o = r->options;
    char text[SHORT_TEXT];
    const char *op = o->trans == 'N' ? "A" : o->trans == 'T' ? "A^T" : "A^H";
    printf("product   y = %s%s x", factor_text(o->alpha, text), op);
    if (o->beta.re != 0 || o->beta.im != 0)
        printf(" + %sy", factor_text(o->beta, text));
    printf(", type %c, %d process%s, partition %s\n", r->type, r->machine.processes,
           r->machine.processes > 1 ? "es" : "", o->partition);
}

void report_head(const struct report *r)
{
    const struct options *o = r->options;
    printf("matrix    %s, %" PRId64 " by %" PRId64 ", %" PRId64 " entries\n",
           o->matrix ? o->matrix : o->generate, r->rows, r->cols, r->entries);
    print_product(r);
    printf("host      %s%s%s", r->machine.hosts ? r->machine.host[0] : "?",
           r->machine.hosts > 1 ? " and others, " : ", ",
           *r->machine.cpu ? r->machine.cpu : "processor not known");
    printf("; memory copies %.1f GB/s\n", r->machine.host_copy / 1e9);
    if (r->machine.gpu_copy > 0)
        printf("device    %s, %s; memory copies %.1f GB/s\n", r->machine.device, r->machine.gpu,
               r->machine.gpu_copy / 1e9);
    else if (strcmp(r->machine.device, "none") != 0)
        printf("device    %s, for tests: slow\n", r->machine.device);
    else {
        printf("device    none; GPU formats compute on the host\n");
        setenv("PSB_DEVICE", "none", 1); /* the library need not say so too */
    }
    printf("\n%-6s %-5s %12s %13s %9s %9s %9s %8s %8s %8s%s\n", "format", "where", "rows", "entries", "bytes",
           "convert", "product", "GFLOP/s", "GB/s", "of copy", o->check ? "  max error" : "");
    fflush(stdout);
}

/* --- one line of the table --- */

void report_result(const struct report *r, const struct result *k)
{
    if (*k->refused) {
        printf("%-6s ", k->format);
        char text[REASON + SHORT_TEXT];
        snprintf(text, sizeof text, "refused: %s", k->refused);
        print_wrapped(text, 7);
    } else {
        char size[SHORT_TEXT], conversion[SHORT_TEXT], product[SHORT_TEXT];
        double gflops = k->flops / 1e9, gbs = k->rate / 1e9;
        printf("%-6s %-5s %12" PRId64 " %13" PRId64 " %9s %9s %9s %8.*f %8.*f", k->format, k->where, r->rows,
               r->entries, bytes_text(k->bytes, size), seconds_text(k->conversion, conversion),
               seconds_text(k->product, product), decimals(gflops), gflops, decimals(gbs), gbs);
        if (k->copy > 0)
            printf(" %6.1f %%", 100 * k->rate / k->copy);
        else
            printf(" %8s", "-");
        if (k->error >= 0)
            printf(" %10.1e", k->error);
        if (strcmp(k->asked, k->format) != 0)
            printf("  (chosen by %s)", k->asked);
        if (r->machine.processes > 1 && strcmp(k->where, "host") != 0)
            printf("  halo: %s", k->halo);
        putchar('\n');
    }
    fflush(stdout);
}

/* --- the text below the table --- */

static void print_transfers(const struct result *k)
{
    printf("%-6s ", k->format);
    if (k->ntransfers == 0)
        puts("nothing");
    for (int i = 0; i < k->ntransfers; i++) {
        const struct cause_transfers *c = &k->transfers[i];
        printf("%*s%s: %lld copies to the device, %lld bytes; %lld back, %lld bytes\n", i ? 7 : 0, "",
               c->cause, c->t.puts, c->t.put_bytes, c->t.gets, c->t.get_bytes);
    }
}

/* Print how halos of vectors on a device were exchanged, and why not otherwise. */
static void print_halo(const struct report *r)
{
    const struct result *k = r->result;
    while (k < r->result + r->nresults && (*k->refused || strcmp(k->where, "host") == 0))
        k++;
    if (r->machine.processes == 1 || k == r->result + r->nresults || !*k->halo_reason)
        return;
    char text[REASON + SHORT_TEXT];
    snprintf(text, sizeof text, "%s (%s)", k->halo, k->halo_reason);
    printf("\nhalo      ");
    print_wrapped(text, 10);
}

void report_foot(const struct report *r)
{
    print_halo(r);
    if (!psb_logs(PSB_LOGS_TRANSFERS))
        return;
    puts("\nCopied between host and device during the timed products, all processes together:");
    for (int i = 0; i < r->nresults; i++)
        if (!*r->result[i].refused)
            print_transfers(&r->result[i]);
}
