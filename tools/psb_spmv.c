/* psb_spmv.c -- tools: the program psb-spmv: products of one matrix in one or several storage formats. */
#include "config.h"
#include "command_line.h"
#include "load.h"
#include "say.h"
#include "spmv_petsc.h"
#include "spmv_run.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static struct options options;

static psb_err read_spmv_options(const struct program *p, int argc, char **argv,
                                 const char *given[MOST_OPTIONS])
{
    (void)p;
    return options_read(argc, argv, given, &options);
}

static void show_spmv_help(const struct program *p)
{
    (void)p;
    fputs(options_help, stdout);
}

static psb_err add_format(struct task *t, const char *format)
{
    PSB_CHECK(t->nformats < MOST_FORMATS, PSB_EARG, "--format and --compare name more than %d formats",
              MOST_FORMATS);
    t->format[t->nformats++] = format;
    return PSB_OK;
}

static psb_err add_named(struct task *t, const char *name, size_t length)
{
    const char *format;
    PSB_TRY(find_format(name, length, &format));
    return add_format(t, format);
}

static psb_err add_peer(struct task *t, const char *name, size_t length)
{
    if (length == 6 && strncasecmp(name, "librsb", 6) == 0)
        return add_named(t, "rsb", 3);
    if (length == 5 && strncasecmp(name, PETSC_AIJ, 5) == 0) {
        PSB_CHECK(
            petsc_scalar(), PSB_EARG,
            "--compare petsc: built without PETSc; expected configure --with-petsc (Debian: petsc-dev)");
        PSB_TRY(add_format(t, PETSC_AIJ));
        return t->options->trans == 'N' ? add_format(t, PETSC_SELL) : PSB_OK;
    }
    PSB_CHECK(length == 8 && strncasecmp(name, CUSPARSE, 8) == 0, PSB_EARG,
              "--compare is \"%.80s\"; expected a list of cusparse, petsc, librsb", t->options->compare);
    PSB_CHECK(psb_cuda_device(), PSB_EARG, "--compare cusparse: there is no device to compare on");
    return add_format(t, CUSPARSE);
}

/* Add what the names in `list` stand for. */
static psb_err add_list(struct task *t, const char *list,
                        psb_err (*add)(struct task *t, const char *name, size_t length))
{
    for (const char *p = list;; p++) {
        const size_t length = strcspn(p, ",");
        PSB_TRY(add(t, p, length));
        p += length;
        if (!*p)
            return PSB_OK;
    }
}

static psb_err choose_formats(struct task *t)
{
    const struct options *o = t->options;
    const struct psb_d_mat *mold;
    if (strcmp(o->format, "all") != 0)
        PSB_TRY(add_list(t, o->format, add_named));
    else
        while (t->nformats < MOST_FORMATS && (mold = psb_d_mat_format(t->nformats)))
            PSB_TRY(add_format(t, psb_d_mat_get_fmt(mold)));
    return o->compare ? add_list(t, o->compare, add_peer) : PSB_OK;
}

/* Check that the scalar type can hold the number. */
static psb_err check_number(const char *name, struct number x, char type)
{
    const bool single = type == 's' || type == 'c', real = type == 's' || type == 'd';
    const double most = single ? FLT_MAX : DBL_MAX;
    PSB_CHECK(!x.pair || !real, PSB_EARG,
              "%s is complex and the type is %c; expected RE alone, or --type c or z", name, type);
    PSB_CHECK(fmax(fabs(x.re), fabs(x.im)) <= most, PSB_EARG, "%s is beyond the range of type %c, +-%.8g",
              name, type, most);
    return PSB_OK;
}

/* --- the run --- */

static int run_and_report(const struct task *t, struct report *p)
{
    static psb_err (*const run[])(const struct task *t, struct report *p) = {
        ['s'] = psb_s_spmv_run, ['d'] = psb_d_spmv_run, ['c'] = psb_c_spmv_run, ['z'] = psb_z_spmv_run
    };
    if (psb_agree(t->ctxt, run[(int)p->type](t, p)) != PSB_OK)
        return complain(FAILED);
    if (t->me == 0)
        report_foot(p);
    psb_err e = t->me == 0 ? report_files(p) : PSB_OK;
    if (psb_agree(t->ctxt, e) != PSB_OK)
        return complain(FAILED);
    int status = 0;
    const bool all = strcmp(p->options->format, "all") == 0;
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

/* Look at the matrix, and check what depends on it. */
static int check_and_run(struct task *t, struct report *p)
{
    struct psb_mm_header file = { 0 };
    const struct options *o = t->options;
    t->m = t->n = t->gen.m;
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
    if (check_number("--alpha", o->alpha, p->type) != PSB_OK ||
        check_number("--beta", o->beta, p->type) != PSB_OK)
        return complain(MISUSED);
    int status = run_and_report(t, p);
    machine_free(&p->machine);
    picture_free(p->picture);
    return status;
}

static psb_err parse_spec(const char *spec, struct psb_gen *gen)
{
    if (!spec || psb_gen_parse(spec, gen) == PSB_OK)
        return PSB_OK;
    return PSB_FAIL(PSB_EARG, "--generate: %s", say_why());
}

static int run_spmv(const struct program *program, psb_ctxt *ctxt, const char *given[MOST_OPTIONS])
{
    const struct options *o = &options;
    struct task t = { .options = o, .ctxt = ctxt };
    struct report *p;
    struct file_option files[] = {
        { .name = "--matrix", .path = o->matrix },
        { .name = "--x", .path = o->x },
        { .name = "--y", .path = o->y },
        { .name = "--partition", .path = owners_file(o->partition) },
        { .name = "--output", .path = o->output, .output = true },
        { .name = "--json", .path = o->json, .output = true },
        { .name = "--csv", .path = o->csv, .output = true },
        { .name = "--report", .path = o->report, .output = true },
        { .name = NULL },
    };
    (void)program;
    (void)given;
    psb_info(ctxt, &t.me, &t.np);
    if (psb_agree(ctxt, choose_formats(&t)) != PSB_OK || parse_spec(o->generate, &t.gen) != PSB_OK)
        return complain(MISUSED);
    psb_err e = check_outputs(ctxt, files);
    if (e != PSB_OK)
        return complain(e == PSB_EARG ? MISUSED : FAILED);
    if (psb_agree(ctxt, psb_alloc_zero(&p, 1, sizeof *p, "report")) != PSB_OK)
        return complain(FAILED);
    int status = check_and_run(&t, p);
    petsc_end();
    psb_free(p);
    return status;
}

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "psb-spmv", .read = read_spmv_options, .show_help = show_spmv_help, .run = run_spmv
    };
    return program_main(&program, argc, argv);
}
