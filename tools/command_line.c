/* command_line.c -- room: tools.  What the programs have in common: options, --version, names of formats,
 * files to be written. */
#include "config.h"
#include "command_line.h"
#include "number.h"
#include "psb_base.h"
#include "psb_rsb.h"
#include "psb_version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- options --- */

static const char *name_of(const struct option *table, int k)
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
    PSB_CHECK(optopt == 0 || !name_of(table, optopt), PSB_EARG, "%s: this option takes no argument", word);
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
                  "--%s stands twice; expected once", name_of(table, k));
        given[k] = optarg ? optarg : "";
    }
    if (optind < argc && operands > 0)
        given[OPERAND] = argv[optind++];
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

enum { KNOWN = 1024 };

static size_t append_name(char known[KNOWN], size_t n, const struct psb_d_mat *mold)
{
    if (!mold || n >= KNOWN)
        return n;
    return n + (size_t)snprintf(known + n, KNOWN - n, " %s", mold->ops->fmt);
}

/* List all formats, each as " NAME", and those that choose a format. */
static void list_formats(char known[KNOWN])
{
    static const char *const choosers[] = { "AUTO", "TUNED", "AUTOG" };
    size_t n = 0;
    for (int i = 0; psb_d_mat_format(i); i++)
        n = append_name(known, n, psb_d_mat_format(i));
    for (int i = 0; i < 3; i++)
        n = append_name(known, n, psb_d_mat_by_name(choosers[i]));
}

psb_err find_format(const char *name, size_t length, const char **format)
{
    char text[32], known[KNOWN] = "";
    snprintf(text, sizeof text, "%.*s", length < 31 ? (int)length : 31, name);
    const struct psb_d_mat *mold = psb_d_mat_by_name(text);
    PSB_CHECK(mold || psb_rsb_available() || strcasecmp(text, "rsb") != 0, PSB_EARG,
              "--format: RSB is off: this build has no LIBRSB (Debian: librsb-dev)");
    if (!mold)
        list_formats(known);
    PSB_CHECK(mold, PSB_EARG, "--format: no format is called \"%s\"; there are%s", text, known);
    *format = mold->ops->fmt;
    return PSB_OK;
}

/* --- files --- */

psb_err check_json(const char *path)
{
#ifdef HAVE_JANSSON
    (void)path;
#else
    PSB_CHECK(!path, PSB_EARG, "--json: this program was built without jansson (Debian: libjansson-dev)");
#endif
    return PSB_OK;
}

/* Check that an output can be written: a file that is not there is made. */
static psb_err touch(struct file_option *k)
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

/* Check that output k is none of the files before it. */
static psb_err check_apart(const struct file_option *files, const struct file_option *k)
{
    for (const struct file_option *i = files; i < k; i++)
        PSB_CHECK(!i->path || !same_file(k->path, i->path), PSB_EARG,
                  "%s is %s, the file of %s; expected another one", k->name, k->path, i->name);
    return PSB_OK;
}

psb_err check_outputs(struct file_option *files)
{
    psb_err e = PSB_OK;
    for (struct file_option *k = files; k->name && e == PSB_OK; k++)
        e = k->output && k->path ? touch(k) : PSB_OK;
    for (struct file_option *k = files; k->name && e == PSB_OK; k++)
        e = k->output && k->path ? check_apart(files, k) : PSB_OK;
    for (struct file_option *k = files; k->name; k++)
        if (k->made)
            remove(k->path);
    return e;
}

const char *owners_file(const char *partition)
{
    return strncmp(partition, "owners:", 7) == 0 ? partition + 7 : NULL;
}

int show_version(const char *program)
{
    const struct psb_version_info *v = psb_version();
    printf("%s (%s)\n", program, v->name);
    for (const struct psb_feature *f = v->feature; f->name; f++)
        printf("  %-14s %-3s  %s\n", f->name, f->built_in ? "yes" : "no", f->purpose);
    return EXIT_SUCCESS;
}
