/* command_line.h -- tools: what the programs have in common: main, options, names of formats, files to be
 * written. */
#ifndef PSB_COMMAND_LINE_H
#define PSB_COMMAND_LINE_H
#include "psb_ctxt.h"
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* The option's number is the member val of struct option: below any character. */
enum { OPERAND, OPERAND_2, OPTION_HELP, OPTION_VERSION, FIRST_OPTION, MOST_OPTIONS = 32 };

/* A program.  given[k]: the argument of option k, "" if the option has none, NULL if it was not given. */
struct program {
    const char *name;
    const void *of; /* what else the functions need */
    /* Read the command line by command_line_read.  Local.  PSB_EARG. */
    psb_err (*read)(const struct program *p, int argc, char **argv, const char *given[MOST_OPTIONS]);
    void (*show_help)(const struct program *p);
    /* Do the work, and return the exit status.  Collective. */
    int (*run)(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS]);
};

/* The body of main: returns the exit status. */
int program_main(const struct program *p, int argc, char **argv);

/* Returns the command line of this program; it ends with " ..." if it is too long.  Local. */
const char *program_command(void);

/* Print the version, and what was built in.  Local. */
void print_version(const struct program *p);

/* Print `text` from column `indent` on, broken into as many lines as needed.  Local. */
void print_wrapped(const char *text, int indent);

/* given[k] becomes the argument of option k of the table, as above; given[OPERAND] and given[OPERAND_2] the
 * arguments that belong to no option, at most `operands`, 0 to 2.  The table contains help and version.
 * Local.  PSB_EARG, naming the word that is wrong. */
PSB_MUST_CHECK psb_err command_line_read(int argc, char **argv, const struct option *table, int operands,
                                         const char *given[MOST_OPTIONS]);

/* Return s, or `otherwise` where s is NULL. */
const char *or_else(const char *s, const char *otherwise);

/* Set *out to the argument s of option `name`, one of the letters in `choice`; a whole number from 1 to
 * `most`.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err letter_option(const char *name, const char *s, const char *choice, char *out);
PSB_MUST_CHECK psb_err count_option(const char *name, const char *s, int most, int *out);

/* Set *format to the name, as the library spells it, of the storage format called name[0..length).  Local.
 * PSB_EARG, with the names of all formats. */
PSB_MUST_CHECK psb_err find_format(const char *name, size_t length, const char **format);

/* Check the arguments of --json, --csv and --report, NULL for those not given: with --report FILE.html *json
 * becomes FILE.json if it is NULL.  Local.  PSB_EARG: this build writes no JSON, or the name of the page does
 * not end in .html. */
PSB_MUST_CHECK psb_err check_reports(const char **json, const char *csv, const char *report);

/* A file that an option names. */
struct file_option {
    const char *name, *path; /* path NULL: the option is not given */
    bool output, made;
};

/* Check on process 0 that the outputs can be written, and that none of them is a file before it in the list,
 * which ends with a name NULL.  The files stay as they are.  Collective.  PSB_EIO; PSB_EARG. */
PSB_MUST_CHECK psb_err check_outputs(psb_ctxt *ctxt, struct file_option *files);

/* The path in the argument "owners:FILE" of --partition, else NULL.  Local. */
const char *owners_file(const char *partition);
#endif
