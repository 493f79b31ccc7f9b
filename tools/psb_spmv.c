/* psb_spmv.c -- room: tools.  The program psb-spmv: products of one matrix in one or several storage
 * formats. */
#include "config.h"
#include "say.h"
#include "spmv_run.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FAILED = 1, MISUSED = 2 }; /* exit status */

static int complain(int status)
{
    say_error(status == MISUSED ? "%s; see psb-spmv --help" : "%s", say_why());
    return status;
}

/* --- options --- */

static psb_err add_format(struct task *t, const char *name, size_t length)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", length < 31 ? (int)length : 31, name);
    const struct psb_d_mat *mold = psb_d_mat_by_name(text);
    PSB_CHECK(mold || psb_rsb_available() || strcasecmp(text, "rsb") != 0, PSB_EARG,
              "--format: RSB is off: this build has no LIBRSB (Debian: librsb-dev)");
    PSB_CHECK(mold, PSB_EARG, "--format: no format is called \"%s\"; there are%s", text, t->known);
    PSB_CHECK(t->nformats < MOST_FORMATS, PSB_EARG, "--format names more than %d formats", MOST_FORMATS);
    t->format[t->nformats++] = mold->ops->fmt;
    return PSB_OK;
}

static size_t append_name(struct task *t, size_t n, const struct psb_d_mat *mold)
{
    if (!mold || n >= sizeof t->known)
        return n;
    return n + (size_t)snprintf(t->known + n, sizeof t->known - n, " %s", mold->ops->fmt);
}

/* List all formats, each as " NAME", and those that choose a format. */
static void list_formats(struct task *t)
{
    static const char *const choosers[] = { "AUTO", "TUNED", "AUTOG" };
    size_t n = 0;
    for (int i = 0; psb_d_mat_format(i); i++)
        n = append_name(t, n, psb_d_mat_format(i));
    for (int i = 0; i < 3; i++)
        n = append_name(t, n, psb_d_mat_by_name(choosers[i]));
}

static psb_err choose_formats(struct task *t)
{
    const char *p = t->options->format;
    list_formats(t);
    if (strcmp(p, "all") == 0) {
        for (; t->nformats < MOST_FORMATS && psb_d_mat_format(t->nformats); t->nformats++)
            t->format[t->nformats] = psb_d_mat_format(t->nformats)->ops->fmt;
        return PSB_OK;
    }
    for (;; p++) {
        size_t length = strcspn(p, ",");
        PSB_TRY(add_format(t, p, length));
        p += length;
        if (!*p)
            return PSB_OK;
    }
}

/* Check that the scalar type can hold the number. */
static psb_err check_number(const char *name, struct number x, char type)
{
    int single = type == 's' || type == 'c', real = type == 's' || type == 'd';
    double most = single ? FLT_MAX : DBL_MAX;
    PSB_CHECK(!x.pair || !real, PSB_EARG,
              "%s is complex and the type is %c; expected RE alone, or --type c or z", name, type);
    PSB_CHECK(isinf(x.re) || isinf(x.im) || !(fmax(fabs(x.re), fabs(x.im)) > most), PSB_EARG,
              "%s is beyond the range of type %c, +-%.8g", name, type, most);
    return PSB_OK;
}

static psb_err check_numbers(const struct options *o, char type)
{
    PSB_TRY(check_number("--alpha", o->alpha, type));
    return check_number("--beta", o->beta, type);
}

static psb_err read_head(const char *path, struct psb_mm_info *info)
{
    struct psb_hb_info hb;
    if (!psb_hb_named(path))
        return psb_mm_info(path, info);
    PSB_TRY(psb_hb_info(path, &hb));
    *info = hb.mm;
    return PSB_OK;
}

/* Process 0 reads the head of the file and sends the sizes to the others. */
static psb_err read_sizes(struct task *t, int *is_complex)
{
    struct psb_mm_info info = { 0 };
    psb_err e = t->me == 0 ? read_head(t->options->matrix, &info) : PSB_OK;
    PSB_TRY(psb_agree(t->ctxt, e));
    psb_lpk news[] = { info.m, info.n, info.field == PSB_MM_COMPLEX };
    PSB_MPI(MPI_Bcast(news, 3, MPI_INT64_T, 0, psb_comm_of(t->ctxt)));
    t->m = news[0];
    t->n = news[1];
    *is_complex = news[2] != 0;
    return PSB_OK;
}

/* --- the run --- */

static psb_err run(const struct task *t, struct report *p)
{
    switch (p->type) {
    case 's':
        return psb_s_spmv_run(t, p);
    case 'd':
        return psb_d_spmv_run(t, p);
    case 'c':
        return psb_c_spmv_run(t, p);
    default:
        return psb_z_spmv_run(t, p);
    }
}

/* Returns the exit status of the results, and prints a line for each refused or wrong one. */
static int exit_status(const struct report *p)
{
    int status = 0;
    int all = strcmp(p->options->format, "all") == 0;
    for (int i = 0; i < p->nresults; i++) {
        const struct result *k = &p->result[i];
        if (*k->refused && !all)
            say_error("%s refuses the matrix: %s", k->format, k->refused);
        if (k->wrong)
            say_error("%s: the error %.3g exceeds what rounding explains, %.3g", k->format, k->error,
                      k->bound);
        status = k->wrong || (*k->refused && !all) ? FAILED : status;
    }
    return status;
}

static int measure(const struct task *t, struct report *p)
{
    const char *json = t->options->json;
    if (psb_agree(t->ctxt, run(t, p)) != PSB_OK)
        return complain(FAILED);
    if (t->me == 0)
        report_foot(p);
    psb_err e = json && t->me == 0 ? report_json(p, json) : PSB_OK;
    if (psb_agree(t->ctxt, e) != PSB_OK)
        return complain(FAILED);
    return exit_status(p);
}

static int read_and_measure(struct task *t, struct report *p)
{
    int is_complex = 0;
    const struct options *o = t->options;
    if (o->matrix && read_sizes(t, &is_complex) != PSB_OK)
        return complain(FAILED);
    p->options = o;
    p->rows = t->m;
    p->cols = t->n;
    p->type = o->type ? o->type : is_complex ? 'z' : 'd';
    if (check_numbers(o, p->type) != PSB_OK)
        return complain(MISUSED);
    int status = measure(t, p);
    machine_free(&p->machine);
    return status;
}

/* Check that the file can be written: open it for appending, which creates it or leaves it unchanged. */
static psb_err try_output(const char *path)
{
    FILE *f = path ? fopen(path, "a") : NULL;
    PSB_CHECK(f || !path, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    if (f)
        fclose(f);
    return PSB_OK;
}

/* Process 0 checks the output files before anything takes time. */
static psb_err try_outputs(const struct task *t)
{
    psb_err e = t->me == 0 ? try_output(t->options->output) : PSB_OK;
    if (e == PSB_OK && t->me == 0)
        e = try_output(t->options->json);
    return psb_agree(t->ctxt, e);
}

static int check_and_run(struct task *t)
{
    struct report *p;
    const char *spec = t->options->generate;
    if (choose_formats(t) != PSB_OK || (spec && psb_gen_parse(spec, &t->gen) != PSB_OK))
        return complain(MISUSED);
    if (try_outputs(t) != PSB_OK)
        return complain(FAILED);
    t->m = t->n = t->gen.m;
    if (psb_agree(t->ctxt, psb_alloc_zero(&p, 1, sizeof *p, "report")) != PSB_OK)
        return complain(FAILED);
    int status = read_and_measure(t, p);
    psb_free(p);
    return status;
}

static int show_version(void)
{
    const struct psb_version_info *v = psb_version();
    printf("psb-spmv (%s)\n", v->name);
    for (const struct psb_feature *f = v->feature; f->name; f++)
        printf("  %-14s %-3s  %s\n", f->name, f->built_in ? "yes" : "no", f->purpose);
    return EXIT_SUCCESS;
}

static int show_help(void)
{
    fputs(options_help, stdout);
    return EXIT_SUCCESS;
}

static int run_in_context(psb_ctxt *ctxt, int argc, char **argv)
{
    struct options o;
    struct task t = { .options = &o, .ctxt = ctxt };
    psb_info(ctxt, &t.me, &t.np);
    say_who(t.me == 0);
    if (options_parse(argc, argv, &o) != PSB_OK)
        return complain(MISUSED);
    if (o.help || o.version)
        return t.me != 0 ? EXIT_SUCCESS : o.help ? show_help() : show_version();
    if (psb_cuda_init(ctxt) != PSB_OK || psb_agree(ctxt, psb_rsb_init()) != PSB_OK)
        return complain(FAILED);
    int status = check_and_run(&t);
    psb_rsb_exit();
    psb_cuda_exit();
    return status;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    if (psb_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return FAILED;
    }
    int status = run_in_context(ctxt, argc, argv);
    psb_exit(ctxt);
    return status;
}
