/* solve_history.c -- tools: the residual history of a solution: a file of text, a plot by gnuplot. */
#include "config.h"
#include "solve.h"
#include "say.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void write_value(void *file, int it, int n, const double *estimate)
{
    (void)n;
    if (file)
        fprintf(file, "%d %.9e\n", it, estimate[0]);
}

static psb_err open_history_files(const struct solve_task *t, struct solve_history *h)
{
    PSB_CHECK(!t->plot || system("command -v gnuplot >/dev/null 2>&1") == 0, PSB_EIO,
              "--plot: gnuplot is not installed, so %s cannot be written (Debian: gnuplot-nox)", t->plot);
    h->values = t->history ? fopen(t->history, "w+") : tmpfile();
    PSB_CHECK(h->values, PSB_EIO, "%s: cannot be written: %s", or_else(t->history, "a temporary file"),
              strerror(errno));
    fprintf(h->values, "# iteration  %s residual\n", psb_stop_name(t->options.stop));
    h->nowhere = fopen("/dev/null", "w");
    PSB_CHECK(h->nowhere, PSB_EIO, "/dev/null: cannot be written: %s", strerror(errno));
    return PSB_OK;
}

psb_err solve_history_open(struct solve_task *t, struct solve_history *h)
{
    psb_err e = PSB_OK;
    *h = (struct solve_history){ NULL, NULL };
    if (!t->history && !t->plot && !t->report)
        return PSB_OK;
    if (t->me == 0)
        e = open_history_files(t, h);
    PSB_TRY(psb_agree(t->ctxt, e));
    t->options.monitor = write_value;
    t->options.arg = h->values;
    if (t->options.itrace == 0) { /* every iteration calls the monitor, and nothing is printed */
        t->options.itrace = 1;
        t->options.trace = h->nowhere;
    }
    return PSB_OK;
}

/* --- the plot --- */

/* Write s between quotes as gnuplot reads it. */
static void print_quoted(FILE *to, const char *s)
{
    putc('\'', to);
    for (; *s; s++)
        fputs(*s == '\'' ? "''" : (const char[]){ *s, '\0' }, to);
    putc('\'', to);
}

static void write_script(const struct solve_task *t, FILE *values, FILE *to)
{
    int c;
    const char *pdf = strcmp(strrchr(t->plot, '.'), ".pdf") == 0 ? "pdfcairo" : "pngcairo";
    fprintf(to, "set terminal %s\nset output ", pdf);
    print_quoted(to, t->plot);
    fprintf(to,
            "\nset logscale y\nset format y '%%.0e'\nset grid\nset xlabel 'iteration'\nset ylabel '%s "
            "residual'\n",
            psb_stop_name(t->options.stop));
    fprintf(to, "plot '-' using 1:2 with lines title '%s'\n", psb_method_name(t->options.method));
    rewind(values);
    while ((c = getc(values)) != EOF)
        putc(c, to);
    fputs("e\n", to);
}

static psb_err draw_plot(const struct solve_task *t, FILE *values)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *to = popen("gnuplot", "w");
    if (to)
        write_script(t, values, to);
    int status = to ? pclose(to) : -1;
    signal(SIGPIPE, before);
    PSB_CHECK(status == 0, PSB_EIO, "%s: gnuplot has failed", t->plot);
    return PSB_OK;
}

psb_err solve_history_close(const struct solve_task *t, struct solve_history *h, bool solved)
{
    psb_err e = solved && h->values && t->plot ? draw_plot(t, h->values) : PSB_OK;
    bool bad = h->values && ferror(h->values);
    bad = (h->values && fclose(h->values) != 0) || bad;
    if (h->nowhere)
        fclose(h->nowhere);
    *h = (struct solve_history){ NULL, NULL };
    PSB_TRY(e);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", or_else(t->history, "a temporary file"),
              strerror(errno));
    return PSB_OK;
}
