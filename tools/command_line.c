/* command_line.c -- tools: what the programs have in common: main, options, names of formats, files to be
 * written. */
#include "config.h"
#include "command_line.h"
#include "load.h"
#include "number.h"
#include "psb_cuda.h"
#include "psb_rsb.h"
#include "psb_version.h"
#include "say.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- main --- */

static char command[2000];

const char *program_command(void)
{
    return command;
}

static void note_command(int argc, char **argv)
{
    size_t n = 0;
    for (int i = 0; i < argc && n < sizeof command; i++)
        n += (size_t)snprintf(command + n, sizeof command - n,
                              strpbrk(argv[i], " (&;*?$\"") ? "%s'%s'" : "%s%s", i ? " " : "", argv[i]);
    if (n >= sizeof command)
        strcpy(command + sizeof command - 5, " ...");
}

void print_version(const struct program *p)
{
    const struct psb_version_info *v = psb_version();
    printf("%s (%s)\n", p->name, v->name);
    for (const struct psb_feature *f = v->feature; f->name; f++)
        printf("  %-14s %-3s  %s\n", f->name, f->built_in ? "yes" : "no", f->purpose);
}

static int run_program(const struct program *p, psb_ctxt *ctxt, int argc, char **argv)
{
    const char *given[MOST_OPTIONS] = { NULL };
    int me;
    psb_info(ctxt, &me, NULL);
    say_who(p->name, me == 0);
    if (p->read(p, argc, argv, given) != PSB_OK)
        return complain(MISUSED);
    if (given[OPTION_HELP] && me == 0) {
        p->show_help(p);
    } else if (given[OPTION_VERSION] && me == 0) {
        print_version(p);
    }
    if (given[OPTION_HELP] || given[OPTION_VERSION])
        return EXIT_SUCCESS;
    if (psb_cuda_init(ctxt) != PSB_OK || psb_agree(ctxt, psb_rsb_init()) != PSB_OK)
        return complain(FAILED);
    int status = p->run(p, ctxt, given);
    load_end();
    psb_rsb_exit();
    psb_cuda_exit();
    return status;
}

int program_main(const struct program *p, int argc, char **argv)
{
    psb_ctxt *ctxt;
    note_command(argc, argv);
    psb_err e = psb_init(&ctxt);
    PSB_THEN(e, psb_set_index_base(1)); /* rows in messages count as in files */
    if (e != PSB_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], psb_errtext());
        return FAILED;
    }
    int status = say_end(run_program(p, ctxt, argc, argv));
    psb_exit(ctxt);
    return status;
}

void print_wrapped(const char *text, int indent)
{
    enum { WIDE = 110 };
    while ((int)strlen(text) > WIDE - indent) {
        int n = WIDE - indent;
        while (n > 0 && text[n] != ' ')
            n--;
        n = n > 0 ? n : WIDE - indent;
        printf("%.*s\n%*s", n, text, indent, "");
        text += n + (text[n] == ' ');
    }
    puts(text);
}

/* --- options --- */

static const char *option_name(const struct option *table, int k)
{
    while (table->name && table->val != k)
        table++;
    return table->name;
}

/* Report the error of the option that getopt_long has just rejected; `word` is the argument with the
 * option. */
static psb_err bad_option(const struct option *table, int k, const char *word)
{
    PSB_CHECK(k != ':', PSB_EARG, "%s needs an argument", word);
    PSB_CHECK(optopt == 0 || !option_name(table, optopt), PSB_EARG, "%s: this option takes no argument",
              word);
    PSB_CHECK(optopt == 0, PSB_EARG, "-%c: there is no such option",
              optopt); /* the option may be one of several letters in a word */
    return PSB_FAIL(PSB_EARG, "%s: there is no such option", word);
}

/* The word that getopt_long reads next: it skips operands. */
static const char *next_option(int argc, char **argv)
{
    int at = optind;
    while (at < argc && (argv[at][0] != '-' || !argv[at][1]))
        at++;
    return at < argc ? argv[at] : "";
}

psb_err command_line_read(int argc, char **argv, const struct option *table, int operands,
                          const char *given[MOST_OPTIONS])
{
    opterr = 0;
    for (;;) {
        const char *word = next_option(argc, argv);
        int k = getopt_long(argc, argv, ":h", table, NULL);
        if (k == -1)
            break;
        if (k == ':' || k == '?')
            return bad_option(table, k, word);
        k = k == 'h' ? OPTION_HELP : k;
        PSB_CHECK(!given[k] || k == OPTION_HELP || k == OPTION_VERSION, PSB_EARG,
                  "--%s stands twice; expected once", option_name(table, k));
        given[k] = optarg ? optarg : "";
    }
    for (int k = 0; k < operands && optind < argc; k++)
        given[OPERAND + k] = argv[optind++];
    PSB_CHECK(optind == argc || given[OPTION_HELP], PSB_EARG,
              "unexpected argument \"%.80s\"; options begin with --", argv[optind]);
    return PSB_OK;
}

const char *or_else(const char *s, const char *otherwise)
{
    return s ? s : otherwise;
}

psb_err letter_option(const char *name, const char *s, const char *choice, char *out)
{
    PSB_CHECK(s[0] && !s[1] && strchr(choice, s[0]), PSB_EARG,
              "%s is \"%.80s\"; expected one of the letters %s", name, s, choice);
    *out = s[0];
    return PSB_OK;
}

psb_err count_option(const char *name, const char *s, int most, int *out)
{
    int64_t n;
    PSB_CHECK(psb_read_integer(s, &n) && n >= 1 && n <= most, PSB_EARG,
              "%s is \"%.80s\"; expected a whole number from 1 to %d", name, s, most);
    *out = (int)n;
    return PSB_OK;
}

/* --- formats --- */

psb_err find_format(const char *name, size_t length, const char **format)
{
    char text[32], names[400] = "";
    snprintf(text, sizeof text, "%.*s", length < 31 ? (int)length : 31, name);
    const struct psb_d_mat *mold = psb_d_mat_by_name(text);
    const char *known = mold ? NULL : strstr(psb_errmsg(), "expected one of");
    if (known) /* copied, since the next message replaces this one */
        snprintf(names, sizeof names, "%s", known);
    PSB_CHECK(mold || psb_rsb_available() || strcasecmp(text, "rsb") != 0, PSB_EARG,
              "--format: RSB is off: this build has no LIBRSB (Debian: librsb-dev)");
    PSB_CHECK(mold, PSB_EARG, "--format: no format is called \"%s\"; %s", text, names);
    *format = psb_d_mat_get_fmt(mold);
    return PSB_OK;
}

/* --- files --- */

psb_err check_reports(const char **json, const char *csv, const char *report)
{
    static char beside[PATH_MAX];
    const size_t n = report ? strlen(report) : 0;
#ifndef HAVE_JANSSON
    PSB_CHECK(!*json && !csv && !report, PSB_EARG,
              "--%s: this program was built without jansson (Debian: libjansson-dev)",
              *json ? "json"
              : csv ? "csv"
                    : "report");
#endif
    PSB_CHECK(!report || (n > 5 && n < sizeof beside && strcmp(report + n - 5, ".html") == 0), PSB_EARG,
              "--report is \"%.80s\"; expected a name that ends with .html", report);
    snprintf(beside, sizeof beside, "%.*s.json", (int)(n > 5 ? n - 5 : 0), report ? report : "");
    if (report && !*json)
        *json = beside;
    (void)csv;
    return PSB_OK;
}

/* Check that an output can be written: a file that is not there is made. */
static psb_err touch_output(struct file_option *k)
{
    struct stat about;
    const bool there = stat(k->path, &about) == 0, is_link = !there && lstat(k->path, &about) == 0;
    if (is_link) /* to a file that is not there */
        return PSB_OK;
    if (there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return PSB_OK;
    FILE *f = fopen(k->path, "a");
    PSB_CHECK(f, PSB_EIO, "%s: cannot be written: %s", k->path, strerror(errno));
    fclose(f);
    k->made = !there;
    return PSB_OK;
}

static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static psb_err check_outputs_here(struct file_option *files)
{
    for (struct file_option *k = files; k->name; k++)
        if (k->output && k->path)
            PSB_TRY(touch_output(k));
    for (const struct file_option *k = files; k->name; k++)
        for (const struct file_option *i = files; k->output && k->path && i < k; i++)
            PSB_CHECK(!i->path || !same_file(k->path, i->path), PSB_EARG,
                      "%s is %s, the file of %s; expected another one", k->name, k->path, i->name);
    return PSB_OK;
}

psb_err check_outputs(psb_ctxt *ctxt, struct file_option *files)
{
    int me;
    psb_info(ctxt, &me, NULL);
    const psb_err e = me == 0 ? check_outputs_here(files) : PSB_OK;
    for (struct file_option *k = files; k->name; k++)
        if (k->made)
            remove(k->path);
    return psb_agree(ctxt, e);
}

const char *owners_file(const char *partition)
{
    return strncmp(partition, "owners:", 7) == 0 ? partition + 7 : NULL;
}
