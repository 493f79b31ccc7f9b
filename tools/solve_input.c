/* solve_input.c -- tools: the input files of PSBLAS's programs pdegen and fileread: a value on each
 * line, and words that are ignored. */
#include "config.h"
#include "solve.h"
#include "number.h"
#include "say.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- the text --- */

static psb_err read_input_text(const char *path, struct solve_input *in)
{
    FILE *f = path ? fopen(path, "r") : stdin;
    PSB_CHECK(f, PSB_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    size_t n = fread(in->text, 1, INPUT_SIZE, f);
    const bool bad = ferror(f);
    const int error = errno;
    if (path)
        fclose(f);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be read: %s", in->name, strerror(error));
    PSB_CHECK(n < INPUT_SIZE, PSB_EIO, "%s: more than %d bytes; expected an input file of a few lines",
              in->name, INPUT_SIZE - 1);
    in->text[n] = '\0';
    return PSB_OK;
}

psb_err solve_input_load(psb_ctxt *ctxt, const char *path, struct solve_input *in)
{
    int me;
    psb_info(ctxt, &me, NULL);
    in->name = or_else(path, "standard input");
    PSB_TRY(psb_agree(ctxt, me == 0 ? read_input_text(path, in) : PSB_OK));
    return psb_bcast(ctxt, INPUT_SIZE, in->text, 0);
}

/* Return the first word, which may stand in quotes, of the next line that is not blank; NULL at the end of
 * the file. */
static char *next_word(struct solve_input *in)
{
    while (*in->at) {
        char *line = in->at, *end = line + strcspn(line, "\n");
        in->at = end + (*end != '\0');
        *end = '\0';
        in->line++;
        char *word = line + strspn(line, " \t\r");
        if (!*word)
            continue;
        const char quote[] = { *word, '\0' };
        const bool quoted = *word == '\'' || *word == '"';
        word += quoted;
        word[strcspn(word, quoted ? quote : " \t\r")] = '\0';
        return word;
    }
    return NULL;
}

/* --- values --- */

static bool is_any(const char *word)
{
    int64_t n;
    return psb_read_integer(word, &n);
}

static bool is_count(const char *word)
{
    int64_t n;
    return psb_read_integer(word, &n) && n >= 0;
}

static bool is_size(const char *word)
{
    int64_t n;
    return psb_read_integer(word, &n) && n >= 1;
}

/* Copy a number, in which Fortran may have written the exponent with a d.  Returns whether it is one and
 * >= 0. */
static bool copy_number(const char *word, char number[INPUT_WORD])
{
    double x;
    snprintf(number, INPUT_WORD, "%s", word);
    for (char *p = number; *p; p++)
        *p = *p == 'd' || *p == 'D' ? 'e' : *p;
    return strlen(word) < INPUT_WORD && psb_read_number(number, &x) && isfinite(x) && x >= 0;
}

static bool is_number(const char *word)
{
    char number[INPUT_WORD];
    return copy_number(word, number);
}

static bool is_method(const char *word)
{
    struct psb_solve_options o;
    return !strpbrk(word, ",=") && psb_solve_parse(word, &o) == PSB_OK;
}

static bool is_format(const char *word)
{
    const char *format;
    return find_format(word, strlen(word), &format) == PSB_OK;
}

static bool is_word(const char *word)
{
    return *word != '\0';
}

static const char *const precs[] = { "NONE", "DIAG", "BJAC", NULL };
static const char *const grid_parts[] = { "1", "3", NULL }, *const graph_parts[] = { "BLOCK", "GRAPH", NULL };
static const char *const stops[] = { "1", "2", NULL };
static const char *const block_solvers[] = { "ILU", "ILUT", "AINV", "INVK", "INVT", NULL };
static const char *const milus[] = { "NONE", "MILU", NULL }, *const scalings[] = { "NONE", NULL };
static const char *const file_types[] = { "MM", "HB", NULL };

/* What a line may hold: one of the words `choice` in any letter case, or what `valid` accepts. */
static const struct {
    const char *what, *expected;
    const char *const *choice;
    bool (*valid)(const char *word);
} input_values[INPUT_VALUES] = {
    [INPUT_METHOD] = { "the method", "BICGSTAB, CG, RGMRES or another of psb_solve_parse",
                       .valid = is_method },
    [INPUT_PREC] = { "the preconditioner", "NONE, DIAG or BJAC", .choice = precs },
    [INPUT_FORMAT] = { "the storage format", "CSR, COO, ELL or another of --format", .valid = is_format },
    [INPUT_GRID] = { "the size of the domain", "a whole number >= 1", .valid = is_size },
    [INPUT_GRID_PART] = { "the partition", "1 (blocks of rows) or 3 (boxes of points)",
                          .choice = grid_parts },
    [INPUT_STOP] = { "the stopping criterion", "1 (backward error) or 2 (relative residual)",
                     .choice = stops },
    [INPUT_ITMAX] = { "the maximal number of iterations", "a whole number >= 0", .valid = is_count },
    [INPUT_TRACE] = { "the trace", "a whole number", .valid = is_any },
    [INPUT_RESTART] = { "the restart", "a whole number", .valid = is_any },
    [INPUT_BLOCK_SOLVER] = { "the solver of blocks", "ILU, ILUT, AINV, INVK or INVT",
                             .choice = block_solvers },
    [INPUT_MILU] = { "the variant of ILU", "MILU or NONE", .choice = milus },
    [INPUT_SCALING] = { "the scaling", "NONE; other scalings are not offered", .choice = scalings },
    [INPUT_FILL] = { "the fill of the factors", "a whole number >= 0", .valid = is_count },
    [INPUT_INV_FILL] = { "the fill of the inverse", "a whole number >= 0", .valid = is_count },
    [INPUT_DROP] = { "the threshold of the factors", "a number >= 0", .valid = is_number },
    [INPUT_INV_DROP] = { "the threshold of the inverse", "a number >= 0", .valid = is_number },
    [INPUT_ORTHOGONAL] = { "the orthogonalisation", "a word", .valid = is_word },
    [INPUT_MATRIX] = { "the matrix", "the name of a file", .valid = is_word },
    [INPUT_RHS] = { "the right-hand side", "the name of a file, or NONE", .valid = is_word },
    [INPUT_FILE_TYPE] = { "the type of the file", "MM (Matrix Market) or HB (Harwell-Boeing)",
                          .choice = file_types },
    [INPUT_GRAPH_PART] = { "the partition", "BLOCK or GRAPH", .choice = graph_parts },
    [INPUT_TOL] = { "the tolerance", "a number > 0", .valid = is_number },
};

/* A line is there if the number on the first line is at least `from`; otherwise its value is `absent`. */
struct input_line {
    enum solve_value value;
    int from;
    const char *absent;
};

struct input_form {
    int least; /* on the first line */
    int n;
    const struct input_line *line;
};

static const struct input_line grid_lines[] = {
    { INPUT_METHOD, 0, NULL },        { INPUT_PREC, 0, NULL },        { INPUT_FORMAT, 0, NULL },
    { INPUT_GRID, 0, NULL },          { INPUT_GRID_PART, 4, "3" },    { INPUT_STOP, 5, "1" },
    { INPUT_ITMAX, 6, "500" },        { INPUT_TRACE, 7, "-1" },       { INPUT_RESTART, 8, "1" },
    { INPUT_BLOCK_SOLVER, 9, "ILU" }, { INPUT_MILU, 9, "NONE" },      { INPUT_SCALING, 9, "NONE" },
    { INPUT_FILL, 9, "0" },           { INPUT_INV_FILL, 9, "1" },     { INPUT_DROP, 9, "0.1" },
    { INPUT_INV_DROP, 9, "0.1" },     { INPUT_ORTHOGONAL, 9, "LLK" },
};
static const struct input_line c_lines[] = {
    { INPUT_METHOD, 0, NULL }, { INPUT_PREC, 0, NULL },    { INPUT_FORMAT, 0, NULL },
    { INPUT_GRID, 0, NULL },   { INPUT_STOP, 0, NULL },    { INPUT_ITMAX, 0, NULL },
    { INPUT_TRACE, 0, NULL },  { INPUT_RESTART, 0, NULL },
};
static const struct input_line file_lines[] = {
    { INPUT_MATRIX, 0, NULL },     { INPUT_RHS, 0, NULL },     { INPUT_FILE_TYPE, 0, NULL },
    { INPUT_METHOD, 0, NULL },     { INPUT_PREC, 0, NULL },    { INPUT_FORMAT, 0, NULL },
    { INPUT_GRAPH_PART, 0, NULL }, { INPUT_STOP, 7, "1" },     { INPUT_ITMAX, 8, "500" },
    { INPUT_TRACE, 9, "-1" },      { INPUT_RESTART, 10, "1" }, { INPUT_TOL, 11, "1e-6" },
};
static const struct input_form grid_form = { 3, sizeof grid_lines / sizeof *grid_lines, grid_lines };
static const struct input_form c_form = { 0, sizeof c_lines / sizeof *c_lines, c_lines };
static const struct input_form file_form = { 5, sizeof file_lines / sizeof *file_lines, file_lines };

static psb_err read_form(struct solve_input *in, const struct input_form *form)
{
    int64_t entries = 0;
    in->at = in->text;
    const char *word = next_word(in);
    PSB_CHECK(word && psb_read_integer(word, &entries) && entries >= form->least, PSB_EARG,
              "%s:%d: the number of entries is \"%.80s\"; expected a whole number >= %d", in->name, in->line,
              or_else(word, ""), form->least);
    for (const struct input_line *l = form->line; l < form->line + form->n; l++) {
        word = entries < l->from ? l->absent : next_word(in);
        PSB_CHECK(word, PSB_EARG, "%s:%d: the file ends before %s; expected %s", in->name, in->line,
                  input_values[l->value].what, input_values[l->value].expected);
        const char *const *choice = input_values[l->value].choice;
        int i = 0;
        if (choice)
            while (choice[i] && strcasecmp(choice[i], word) != 0)
                i++;
        PSB_CHECK(choice ? choice[i] != NULL : input_values[l->value].valid(word), PSB_EARG,
                  "%s:%d: %s is \"%.80s\"; expected %s", in->name, in->line, input_values[l->value].what,
                  word, input_values[l->value].expected);
        in->value[l->value] = choice ? choice[i] : word;
    }
    return PSB_OK;
}

/* --- options --- */

static bool is(const char *value, const char *word)
{
    return value && strcmp(value, word) == 0;
}

/* The word, or "0" if its number is below 1: a trace or restart then means none, or the method's own. */
static const char *positive(const char *word)
{
    int64_t n;
    return psb_read_integer(word, &n) && n > 0 ? word : "0";
}

/* Store in `text` the preconditioner that stands for BJAC and the lines about the solver of its blocks. */
static psb_err set_block_solver(struct solve_input *in, char *text)
{
    const char *const *v = in->value, *solver = or_else(v[INPUT_BLOCK_SOLVER], "");
    const char *fill = v[INPUT_FILL], *inv_fill = v[INPUT_INV_FILL];
    const bool milu = is(v[INPUT_MILU], "MILU"), levels = fill && positive(fill) == fill;
    char drop[INPUT_WORD] = "", inv_drop[INPUT_WORD] = "";
    if (*solver) {
        copy_number(v[INPUT_DROP], drop);
        copy_number(v[INPUT_INV_DROP], inv_drop);
    }
    if (is(solver, "ILUT"))
        snprintf(text, INPUT_TEXT, "bjac(ilut, fill=%s, drop=%s)", fill, drop);
    else if (is(solver, "AINV"))
        snprintf(text, INPUT_TEXT, "ainv(inv_fill=%s, inv_drop=%s)", inv_fill, inv_drop);
    else if (is(solver, "INVK"))
        snprintf(text, INPUT_TEXT, "invk(fill=%s, inv_fill=%s)", fill, inv_fill);
    else if (is(solver, "INVT"))
        snprintf(text, INPUT_TEXT, "invt(fill=%s, drop=%s, inv_fill=%s, inv_drop=%s)", fill, drop, inv_fill,
                 inv_drop);
    else if (levels)
        snprintf(text, INPUT_TEXT, "bjac(iluk, fill=%s)", fill);
    else
        snprintf(text, INPUT_TEXT, "bjac(%s)", milu ? "milu0" : "ilu0");
    PSB_CHECK(!is(solver, "ILU") || !milu || !levels, PSB_EARG, "%s: MILU with fill %s; expected fill 0",
              in->name, fill);
    return PSB_OK;
}

static psb_err set_grid(const struct solve_input *in, const char *given[MOST_OPTIONS])
{
    given[KEY_SIZE] = in->value[INPUT_GRID];
    given[KEY_PARTITION] = is(in->value[INPUT_GRID_PART], "3") ? "3d" : "block";
    return PSB_OK;
}

static psb_err set_files(struct solve_input *in, const char *given[MOST_OPTIONS])
{
    const char *const *v = in->value;
    given[KEY_MATRIX] = v[INPUT_MATRIX];
    given[KEY_RHS] = strcasecmp(v[INPUT_RHS], "NONE") == 0 ? NULL : v[INPUT_RHS];
    given[KEY_FILE_TYPE] = v[INPUT_FILE_TYPE];
    given[KEY_PARTITION] = is(v[INPUT_GRAPH_PART], "GRAPH") ? "metis" : "block";
    double tol = 0;
    copy_number(v[INPUT_TOL], in->tol);
    PSB_CHECK(psb_read_number(in->tol, &tol) && tol > 0, PSB_EARG,
              "%s:%d: the tolerance is %s; expected a number > 0", in->name, in->line, in->tol);
    given[KEY_TOL] = in->tol;
    return PSB_OK;
}

psb_err solve_input_parse(struct solve_input *in, const struct solve_program *p,
                          const char *given[MOST_OPTIONS])
{
    const bool grid = p->system == KEY_SIZE;
    const char *const *v = in->value;
    PSB_TRY(read_form(in, !grid ? &file_form : given[KEY_C_INPUT] ? &c_form : &grid_form));
    given[KEY_METHOD] = v[INPUT_METHOD];
    given[KEY_FORMAT] = v[INPUT_FORMAT];
    given[KEY_STOP] = is(v[INPUT_STOP], "1") ? "backward" : "relative";
    given[KEY_ITMAX] = v[INPUT_ITMAX];
    given[KEY_TRACE] = positive(v[INPUT_TRACE]);
    given[KEY_RESTART] = positive(v[INPUT_RESTART]);
    given[KEY_PREC] = v[INPUT_PREC];
    if (is(v[INPUT_PREC], "BJAC")) {
        given[KEY_PREC] = in->prec;
        if (is(v[INPUT_BLOCK_SOLVER], "AINV"))
            say_error("%s: the orthogonalisation %s is not used", in->name, v[INPUT_ORTHOGONAL]);
        PSB_TRY(set_block_solver(in, in->prec));
    }
    return grid ? set_grid(in, given) : set_files(in, given);
}
