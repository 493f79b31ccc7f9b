/* options.c -- room: linsolve.  Options of factors, preconditioners and solvers: names, ranges, text. */
#include "psb_linsolve.h"
#include "kr_column.h"
#include "number.h"
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct psb_factor_options psb_factor_defaults = { .kind = PSB_ILU0, .drop = 1e-3, .block = 2 };
const struct psb_prec_options psb_prec_defaults = {
    .type = PSB_PREC_DIAG,
    .factor = { .kind = PSB_ILU0, .drop = 1e-3, .block = 2 },
    .overlap = 1,
    .inv_fill = -1,
    .inv_drop = 0.1,
    .degree = 4,
    .eig_ratio = 30,
};
const struct psb_solve_options psb_solve_defaults = {
    .method = PSB_BICGSTAB,
    .prec = { .type = PSB_PREC_DIAG,
              .factor = { .kind = PSB_ILU0, .drop = 1e-3, .block = 2 },
              .overlap = 1,
              .inv_fill = -1,
              .inv_drop = 0.1,
              .degree = 4,
              .eig_ratio = 30 },
    .stop = PSB_STOP_RELATIVE,
    .tol = 1e-6,
    .itmax = 1000,
    .omega = 1,
    .divergence = 1e6,
};

/* --- names ---------------------------------------------------------------------------------------------- */

static const char *const factor_names[PSB_NFACTORS] = {
    [PSB_ILU0] = "ilu0", [PSB_MILU0] = "milu0", [PSB_ILUK] = "iluk", [PSB_ILUT] = "ilut",
    [PSB_IC0] = "ic0",   [PSB_BILU0] = "bilu0", [PSB_BIC0] = "bic0",
};
static const char *const prec_names[PSB_NPRECS] = {
    [PSB_PREC_NONE] = "none",
    [PSB_PREC_DIAG] = "diag",
    [PSB_PREC_L1] = "l1-jacobi",
    [PSB_PREC_BJAC] = "bjac",
    [PSB_PREC_RAS] = "ras",
    [PSB_PREC_AS] = "as",
    [PSB_PREC_ASH] = "ash",
    [PSB_PREC_AINV] = "ainv",
    [PSB_PREC_INVK] = "invk",
    [PSB_PREC_INVT] = "invt",
    [PSB_PREC_CHEBYSHEV] = "chebyshev",
    [PSB_PREC_NEUMANN] = "neumann",
};
static const char *const method_names[PSB_NMETHODS] = {
    [PSB_CG] = "cg",
    [PSB_CG_SINGLE] = "cg-single",
    [PSB_CG_PIPELINED] = "cg-pipelined",
    [PSB_FCG] = "fcg",
    [PSB_CGS] = "cgs",
    [PSB_BICG] = "bicg",
    [PSB_BICGSTAB] = "bicgstab",
    [PSB_BICGSTABL] = "bicgstabl",
    [PSB_RGMRES] = "rgmres",
    [PSB_FGMRES] = "fgmres",
    [PSB_GCR] = "gcr",
    [PSB_MINRES] = "minres",
    [PSB_RICHARDSON] = "richardson",
};
static const char *const stop_names[] = {
    [PSB_STOP_BACKWARD] = "backward",
    [PSB_STOP_RELATIVE] = "relative",
    [PSB_STOP_REDUCTION] = "reduction",
    [PSB_STOP_ABSOLUTE] = "absolute",
};
static const char *const outcome_names[PSB_NOUTCOMES] = {
    [PSB_CONVERGED] = "converged",  [PSB_MAX_ITERATIONS] = "reached the maximal number of iterations",
    [PSB_BREAKDOWN] = "broke down", [PSB_DIVERGED] = "diverged",
    [PSB_STAGNATED] = "stagnated",
};
enum { NSTOPS = sizeof stop_names / sizeof *stop_names };

static const char *name_of(const char *const *names, int n, int i)
{
    return i >= 0 && i < n && names[i] ? names[i] : "";
}

const char *psb_factor_name(enum psb_factor_kind kind)
{
    return name_of(factor_names, PSB_NFACTORS, (int)kind);
}

const char *psb_prec_name(enum psb_prec_type type)
{
    return name_of(prec_names, PSB_NPRECS, (int)type);
}

const char *psb_method_name(enum psb_method method)
{
    return name_of(method_names, PSB_NMETHODS, (int)method);
}

const char *psb_stop_name(enum psb_stop stop)
{
    return name_of(stop_names, NSTOPS, (int)stop);
}

const char *psb_outcome_name(enum psb_outcome outcome)
{
    return name_of(outcome_names, PSB_NOUTCOMES, (int)outcome);
}

/* --- numbers and their ranges --------------------------------------------------------------------------- */

struct number {
    const char *name;
    size_t offset;
    int whole; /* 1: an int; 0: a double */
    double least, most;
    int above; /* 1: least itself is excluded */
};

#define PREC(field)  offsetof(struct psb_prec_options, field)
#define SOLVE(field) offsetof(struct psb_solve_options, field)
static const struct number prec_numbers[] = {
    { .name = "fill", .offset = PREC(factor.fill), .whole = 1, .most = INT_MAX },
    { .name = "drop", .offset = PREC(factor.drop), .most = DBL_MAX },
    { .name = "block", .offset = PREC(factor.block), .whole = 1, .least = 1, .most = PSB_BLOCK_MOST },
    { .name = "tiny", .offset = PREC(factor.tiny), .most = DBL_MAX },
    { .name = "factor_sweeps", .offset = PREC(factor.sweeps), .whole = 1, .most = INT_MAX },
    { .name = "sweeps", .offset = PREC(sweeps), .whole = 1, .most = INT_MAX },
    { .name = "overlap", .offset = PREC(overlap), .whole = 1, .most = INT_MAX },
    { .name = "inv_fill", .offset = PREC(inv_fill), .whole = 1, .least = -1, .most = INT_MAX },
    { .name = "inv_drop", .offset = PREC(inv_drop), .most = DBL_MAX },
    { .name = "degree", .offset = PREC(degree), .whole = 1, .most = INT_MAX },
    { .name = "eig_ratio", .offset = PREC(eig_ratio), .least = 1, .most = DBL_MAX, .above = 1 },
};
static const struct number solve_numbers[] = {
    { .name = "tol", .offset = SOLVE(tol), .most = DBL_MAX, .above = 1 },
    { .name = "itmax", .offset = SOLVE(itmax), .whole = 1, .most = INT_MAX },
    { .name = "restart", .offset = SOLVE(restart), .whole = 1, .most = INT_MAX },
    { .name = "omega", .offset = SOLVE(omega), .most = DBL_MAX, .above = 1 },
    { .name = "divergence", .offset = SOLVE(divergence), .least = 1, .most = DBL_MAX, .above = 1 },
    { .name = "trace", .offset = SOLVE(itrace), .whole = 1, .most = INT_MAX },
};
enum {
    NPREC = sizeof prec_numbers / sizeof *prec_numbers,
    NSOLVE = sizeof solve_numbers / sizeof *solve_numbers,
};

static double value_of(const struct number *k, const void *options)
{
    const char *at = (const char *)options + k->offset;
    return k->whole ? *(const int *)at : *(const double *)at;
}

static psb_err check_number(const struct number *k, double v)
{
    PSB_CHECK(v >= k->least && v <= k->most && !(k->above && v == k->least), PSB_EARG,
              "option %s is %g; expected a number %s %g and <= %.*g", k->name, v,
              k->above ? ">" : ">=", k->least, k->whole ? 10 : 3, k->most);
    PSB_CHECK(!k->whole || v == (double)(int)v, PSB_EARG, "option %s is %g; expected a whole number", k->name,
              v);
    return PSB_OK;
}

static psb_err check_numbers(const struct number *table, int n, const void *options)
{
    for (int i = 0; i < n; i++)
        PSB_TRY(check_number(&table[i], value_of(&table[i], options)));
    return PSB_OK;
}

psb_err psb_factor_check(const struct psb_factor_options *o)
{
    PSB_NEED(o, "options of factors");
    PSB_CHECK(*psb_factor_name(o->kind), PSB_EARG, "option kind is %d; expected a kind of factors",
              (int)o->kind);
    struct psb_prec_options all = psb_prec_defaults;
    all.factor = *o;
    PSB_TRY(check_numbers(prec_numbers, NPREC, &all));
    PSB_CHECK(o->sweeps == 0 || (o->kind != PSB_MILU0 && o->kind != PSB_ILUT), PSB_EARG,
              "option factor_sweeps is %d; expected 0 for factors %s", o->sweeps, psb_factor_name(o->kind));
    return PSB_OK;
}

psb_err psb_prec_check(const struct psb_prec_options *o)
{
    PSB_NEED(o, "options of a preconditioner");
    PSB_CHECK(*psb_prec_name(o->type), PSB_EARG, "option type is %d; expected a type of preconditioner",
              (int)o->type);
    PSB_TRY(psb_factor_check(&o->factor));
    return PSB_PASS(check_numbers(prec_numbers, NPREC, o));
}

psb_err psb_solve_check_method(const struct psb_solve_options *o)
{
    PSB_NEED(o, "options of a solver");
    PSB_CHECK(*psb_method_name(o->method), PSB_EARG, "option method is %d; expected a method",
              (int)o->method);
    PSB_CHECK(*psb_stop_name(o->stop), PSB_EARG, "option stop is %d; expected one of enum psb_stop",
              (int)o->stop);
    PSB_TRY(check_numbers(solve_numbers, NSOLVE, o));
    PSB_CHECK(o->method != PSB_BICGSTABL || o->restart <= PSB_MOST_BICGSTAB_L, PSB_EARG,
              "option restart is %d; expected at most %d for bicgstabl", o->restart, PSB_MOST_BICGSTAB_L);
    return PSB_OK;
}

psb_err psb_solve_check(const struct psb_solve_options *o)
{
    PSB_TRY(psb_solve_check_method(o));
    return PSB_PASS(psb_prec_check(&o->prec));
}

/* --- words ---------------------------------------------------------------------------------------------- */

enum { WORD = 600 }; /* bytes of a word, the terminating 0 included */

/* Copy text[0..n) without spaces at both ends to `word`. */
static psb_err copy_word(const char *text, size_t n, char *word)
{
    size_t skip = strspn(text, " \t\n");
    if (skip > n)
        skip = n;
    while (n > skip && strchr(" \t\n", text[n - 1]))
        n--;
    PSB_CHECK(n - skip < WORD, PSB_EARG, "a word of the options has %zu letters; expected fewer than %d",
              n - skip, WORD);
    memcpy(word, text + skip, n - skip);
    word[n - skip] = 0;
    return PSB_OK;
}

/* Copy the next word of *text, which ends at a comma outside of parentheses, and advance *text; *text becomes
 * NULL after the last word. */
static psb_err next_word(const char **text, char *word)
{
    const char *p = *text;
    int depth = 0;
    for (; *p && (*p != ',' || depth > 0); p++) {
        depth += (*p == '(') - (*p == ')');
        PSB_CHECK(depth >= 0, PSB_EARG, "the options \"%s\" have a ')' without '('", *text);
    }
    PSB_CHECK(depth == 0, PSB_EARG, "the options \"%s\" have a '(' without ')'", *text);
    PSB_TRY(copy_word(*text, (size_t)(p - *text), word));
    *text = *p ? p + 1 : NULL;
    return PSB_OK;
}

static int find_name(const char *const *names, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (names[i] && strcasecmp(names[i], word) == 0)
            return i;
    return -1;
}

/* Record that `word` is none of the names. */
static psb_err unknown(const char *what, const char *word, const char *const *names, int n)
{
    char list[400] = "";
    for (int i = 0; i < n; i++)
        if (names[i])
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", names[i]);
    return PSB_FAIL(PSB_EARG, "%s \"%s\" is not known; expected one of%s", what, word, list);
}

/* The '=' of a word, from which blanks before it are removed; NULL if there is none. */
static char *find_equals(char *word)
{
    char *equals = strchr(word, '='), *to = equals;
    while (to && to > word && isspace((unsigned char)to[-1]))
        to--;
    if (to)
        memmove(to, equals, strlen(equals) + 1);
    return to;
}

/* Set the number named by word[0..equals) from the text after it; *found = 0 if no option has that name. */
static psb_err set_number(const struct number *table, int n, char *word, char *equals, void *options,
                          int *found)
{
    double v;
    *found = 0;
    for (int i = 0; i < n; i++) {
        const struct number *k = &table[i];
        if (strlen(k->name) != (size_t)(equals - word) || strncasecmp(k->name, word, strlen(k->name)) != 0)
            continue;
        const char *text = equals + 1 + strspn(equals + 1, " \t\n");
        PSB_CHECK(psb_read_number(text, &v), PSB_EARG, "option %s is \"%s\"; expected a number", k->name,
                  text);
        PSB_TRY(check_number(k, v));
        if (k->whole)
            *(int *)((char *)options + k->offset) = (int)v;
        else
            *(double *)((char *)options + k->offset) = v;
        *found = 1;
        return PSB_OK;
    }
    return PSB_OK;
}

/* Record that no option is called as in `word`; the names of the table, and `more`, are expected. */
static psb_err unknown_option(const struct number *table, int n, const char *word, const char *more)
{
    char list[400] = "";
    for (int i = 0; i < n; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s=", table[i].name);
    return PSB_FAIL(PSB_EARG, "option \"%s\" is not known; expected one of%s%s", word, list, more);
}

/* --- text of a preconditioner --------------------------------------------------------------------------- */

/* A kind of factors; "ilu(2)" is ILU(k) with k = 2, "ilu" is ILU(0). */
static psb_err set_factor(const char *word, struct psb_factor_options *o)
{
    char number[PSB_NUMBER];
    int64_t fill;
    int kind = strcasecmp(word, "ilu") == 0 ? PSB_ILU0 : find_name(factor_names, PSB_NFACTORS, word);
    if (kind < 0 && strncasecmp(word, "ilu(", 4) == 0) {
        const char *p = word + 4 + strspn(word + 4, " "), *end = p + strcspn(p, " )");
        snprintf(number, sizeof number, "%.*s", (int)(end - p), p);
        end += strspn(end, " ");
        PSB_CHECK(strcmp(end, ")") == 0 && strlen(p) < sizeof number && psb_read_integer(number, &fill) &&
                      fill >= 0 && fill <= INT_MAX,
                  PSB_EARG, "the kind of factors is \"%s\"; expected ilu(K) with 0 <= K <= %d", word,
                  INT_MAX);
        kind = PSB_ILUK;
        o->fill = (int)fill;
    }
    if (kind < 0)
        return unknown("kind of factors", word, factor_names, PSB_NFACTORS);
    o->kind = (enum psb_factor_kind)kind;
    return PSB_OK;
}

static int has_factors(enum psb_prec_type type)
{
    return type == PSB_PREC_BJAC || type == PSB_PREC_RAS || type == PSB_PREC_AS || type == PSB_PREC_ASH;
}

static psb_err set_prec_word(char *word, struct psb_prec_options *o)
{
    int found;
    char *equals = find_equals(word);
    PSB_CHECK(equals || has_factors(o->type), PSB_EARG,
              "the options of %s have the word \"%s\"; expected OPTION=NUMBER: it has no factors",
              psb_prec_name(o->type), word);
    if (!equals)
        return set_factor(word, &o->factor);
    PSB_TRY(set_number(prec_numbers, NPREC, word, equals, o, &found));
    return found ? PSB_OK : unknown_option(prec_numbers, NPREC, word, "");
}

/* The words in parentheses, which end with the text. */
static psb_err set_prec_words(const char *open, struct psb_prec_options *o)
{
    char inside[WORD], word[WORD];
    const char *close = strrchr(open, ')');
    PSB_CHECK(close && close[1] == 0, PSB_EARG, "the preconditioner's options \"%s\" do not end with ')'",
              open);
    PSB_TRY(copy_word(open + 1, (size_t)(close - open - 1), inside));
    for (const char *p = *inside ? inside : NULL; p;) {
        PSB_TRY(next_word(&p, word));
        PSB_TRY(set_prec_word(word, o));
    }
    return PSB_OK;
}

psb_err psb_prec_parse(const char *text, struct psb_prec_options *o)
{
    char all[WORD], name[WORD];
    struct psb_prec_options new = psb_prec_defaults;
    PSB_NEED(text, "the name of a preconditioner");
    PSB_NEED(o, "where to store the options");
    PSB_TRY(copy_word(text, strlen(text), all));
    const char *open = strchr(all, '(');
    PSB_TRY(copy_word(all, open ? (size_t)(open - all) : strlen(all), name));
    int type = find_name(prec_names, PSB_NPRECS, name);
    if (type < 0)
        return PSB_PASS(unknown("preconditioner", name, prec_names, PSB_NPRECS));
    new.type = (enum psb_prec_type)type;
    if (open)
        PSB_TRY(set_prec_words(open, &new));
    *o = new;
    return PSB_OK;
}

psb_err psb_prec_text(const struct psb_prec_options *o, char *text, size_t size)
{
    char words[400] = "", number[PSB_NUMBER];
    PSB_TRY(psb_prec_check(o));
    PSB_NEED(text, "where to store the text");
    if (has_factors(o->type))
        snprintf(words, sizeof words, ", %s", psb_factor_name(o->factor.kind));
    for (int i = 0; i < NPREC; i++) {
        double v = value_of(&prec_numbers[i], o);
        if (v != value_of(&prec_numbers[i], &psb_prec_defaults)) {
            psb_print_shortest(number, v);
            snprintf(words + strlen(words), sizeof words - strlen(words), ", %s=%s", prec_numbers[i].name,
                     number);
        }
    }
    const char *open = *words ? "(" : "", *close = *words ? ")" : "", *inside = *words ? words + 2 : "";
    int n = snprintf(NULL, 0, "%s%s%s%s", psb_prec_name(o->type), open, inside, close);
    PSB_CHECK(n >= 0 && (size_t)n < size, PSB_EARG, "argument size is %zu; expected at least %d", size,
              n + 1);
    snprintf(text, size, "%s%s%s%s", psb_prec_name(o->type), open, inside, close);
    return PSB_OK;
}

/* --- text of a solver ----------------------------------------------------------------------------------- */

static psb_err set_method(const char *word, struct psb_solve_options *o)
{
    int method = strcasecmp(word, "gmres") == 0 ? PSB_RGMRES : find_name(method_names, PSB_NMETHODS, word);
    if (method < 0)
        return unknown("method", word, method_names, PSB_NMETHODS);
    o->method = (enum psb_method)method;
    return PSB_OK;
}

static psb_err set_stop(const char *word, struct psb_solve_options *o)
{
    int stop = find_name(stop_names, NSTOPS, word);
    if (stop < 0)
        return unknown("criterion stop", word, stop_names, NSTOPS);
    o->stop = (enum psb_stop)stop;
    return PSB_OK;
}

static psb_err set_solve_word(char *word, struct psb_solve_options *o)
{
    int found;
    char *equals = find_equals(word);
    if (!equals)
        return set_method(word, o);
    if (strncasecmp(word, "prec=", 5) == 0)
        return psb_prec_parse(equals + 1, &o->prec);
    if (strncasecmp(word, "stop=", 5) == 0)
        return set_stop(equals + 1 + strspn(equals + 1, " \t\n"), o);
    PSB_TRY(set_number(solve_numbers, NSOLVE, word, equals, o, &found));
    return found ? PSB_OK : unknown_option(solve_numbers, NSOLVE, word, " stop= prec=");
}

psb_err psb_solve_parse(const char *text, struct psb_solve_options *o)
{
    char word[WORD];
    struct psb_solve_options new = psb_solve_defaults;
    PSB_NEED(text, "the name of a method");
    PSB_NEED(o, "where to store the options");
    for (const char *p = text; p;) {
        PSB_TRY(next_word(&p, word));
        PSB_TRY(set_solve_word(word, &new));
    }
    PSB_TRY(psb_solve_check(&new));
    *o = new;
    return PSB_OK;
}
