/* psb_spmv.c -- room: tools.  The program psb-spmv: products of one matrix in one or several storage
 * formats. */
#include "config.h"
#include "command_line.h"
#include "load.h"
#include "say.h"
#include "spmv_run.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options --- */

static psb_err add_format(struct task *t, const char *name, size_t length)
{
    const char *format;
    PSB_TRY(find_format(name, length, &format));
    PSB_CHECK(t->nformats < MOST_FORMATS, PSB_EARG, "--format names more than %d formats", MOST_FORMATS);
    t->format[t->nformats++] = format;
    return PSB_OK;
}

static psb_err choose_formats(struct task *t)
{
    const char *p = t->options->format;
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
    PSB_CHECK(fmax(fabs(x.re), fabs(x.im)) <= most, PSB_EARG, "%s is beyond the range of type %c, +-%.8g",
              name, type, most);
    return PSB_OK;
}

static psb_err check_numbers(const struct options *o, char type)
{
    PSB_TRY(check_number("--alpha", o->alpha, type));
    return check_number("--beta", o->beta, type);
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
    struct psb_mm_header file = { 0 };
    const struct options *o = t->options;
    if (o->matrix) {
        if (load_sizes(t->ctxt, o->matrix, psb_hb_named(o->matrix), &file) != PSB_OK)
            return complain(FAILED);
        t->m = file.m;
        t->n = file.n;
    }
    p->options = o;
    p->rows = t->m;
    p->cols = t->n;
    p->type = o->type ? o->type : file.field == PSB_MM_COMPLEX ? 'z' : 'd';
    if (check_numbers(o, p->type) != PSB_OK)
        return complain(MISUSED);
    int status = measure(t, p);
    machine_free(&p->machine);
    return status;
}

/* Process 0 checks the output files before anything takes time. */
static psb_err try_outputs(const struct task *t)
{
    const struct options *o = t->options;
    struct file_option files[] = {
        { .name = "--matrix", .path = o->matrix },
        { .name = "--x", .path = o->x },
        { .name = "--y", .path = o->y },
        { .name = "--partition", .path = owners_file(o->partition) },
        { .name = "--output", .path = o->output, .output = true },
        { .name = "--json", .path = o->json, .output = true },
        { .name = NULL },
    };
    return psb_agree(t->ctxt, t->me == 0 ? check_outputs(files) : PSB_OK);
}

static psb_err parse_spec(const char *spec, struct psb_gen *gen)
{
    if (psb_gen_parse(spec, gen) == PSB_OK)
        return PSB_OK;
    return PSB_FAIL(PSB_EARG, "--generate: %s", say_why());
}

static int check_and_run(struct task *t)
{
    struct report *p;
    const char *spec = t->options->generate;
    if (choose_formats(t) != PSB_OK || (spec && parse_spec(spec, &t->gen) != PSB_OK))
        return complain(MISUSED);
    psb_err e = try_outputs(t);
    if (e != PSB_OK)
        return complain(e == PSB_EARG ? MISUSED : FAILED);
    t->m = t->n = t->gen.m;
    if (psb_agree(t->ctxt, psb_alloc_zero(&p, 1, sizeof *p, "report")) != PSB_OK)
        return complain(FAILED);
    int status = read_and_measure(t, p);
    psb_free(p);
    return status;
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
    say_who("psb-spmv", t.me == 0);
    if (options_parse(argc, argv, &o) != PSB_OK)
        return complain(MISUSED);
    if (o.help || o.version)
        return t.me != 0 ? EXIT_SUCCESS : o.help ? show_help() : show_version("psb-spmv");
    if (psb_cuda_init(ctxt) != PSB_OK || psb_agree(ctxt, psb_rsb_init()) != PSB_OK)
        return complain(FAILED);
    int status = check_and_run(&t);
    load_end();
    psb_rsb_exit();
    psb_cuda_exit();
    return status;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    psb_err e = psb_init(&ctxt);
    if (e == PSB_OK)
        e = psb_set_index_base(1); /* rows in messages count as in files */
    if (e != PSB_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], psb_errtext());
        return FAILED;
    }
    int status = say_end(run_in_context(ctxt, argc, argv));
    psb_exit(ctxt);
    return status;
}
