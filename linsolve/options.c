/* options.c -- linsolve: options of factors, preconditioners and solvers: names, ranges, text. */
#include "psb_linsolve.h"
#include "kr_column.h"
#include "base_inside.h"
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#define FACTOR_DEFAULTS .kind = PSB_ILU0, .drop = 1e-3, .block = 2
#define PREC_DEFAULTS \
    .type = PSB_PREC_DIAG, .factor = { FACTOR_DEFAULTS }, .overlap = 1, .inv_fill = -1, .inv_drop = 0.1, \
    .degree = 4, .eig_ratio = 30, .omega = 1, .theta = 0.01, .levels = 20, .coarse = 200, .presweeps = -1, \
    .postsweeps = -1, .gather = 200, .passes = 3, .smoother = "chebyshev(degree=1, eig_ratio=5)"
const struct psb_factor_options psb_factor_defaults = { FACTOR_DEFAULTS };
const struct psb_prec_options psb_prec_defaults = { PREC_DEFAULTS };
const struct psb_solve_options psb_solve_defaults = {
    .method = PSB_BICGSTAB,
    .prec = { PREC_DEFAULTS },
    .stop = PSB_STOP_RELATIVE,
    .tol = 1e-6,
    .itmax = 1000,
    .omega = 1,
    .divergence = 1e6,
};
const struct psb_lsmr_options psb_lsmr_defaults = { .atol = 1e-6, .btol = 1e-6, .itmax = 1000 };

/* --- names ---------------------------------------------------------------------------------------------- */

static const char *const factor_names[PSB_NFACTORS] = {
    [PSB_ILU0] = "ilu0", [PSB_MILU0] = "milu0", [PSB_ILUK] = "iluk", [PSB_ILUT] = "ilut",
    [PSB_IC0] = "ic0",   [PSB_BILU0] = "bilu0", [PSB_BIC0] = "bic0",
};
static const char *const prec_names[PSB_NPRECS] = {
#define PSB_PREC_TYPE(type, name, table) [type] = name,
#include "prec_types.h"
#undef PSB_PREC_TYPE
};
static const char *const method_names[PSB_NMETHODS] = {
#define PSB_KR_METHOD(method, name, function) [method] = name,
#include "kr_methods.h"
#undef PSB_KR_METHOD
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
/* Values of options of preconditioners that are words, the default first. */
static const char *const precisions[] = { "double", "single" };
static const char *const directions[] = { "forward", "backward", "symmetric" };
static const char *const halos[] = { "colour", "once" };
static const char *const orders[] = { "natural", "colour", "rows" };
static const char *const kinds[] = { "first", "fourth" };
static const char *const aggregations[] = { "coupled", "decoupled", "matching" };
static const char *const prolongators[] = { "smoothed", "unsmoothed" };
static const char *const cycles[] = { "V", "W", "F", "K", "KCG", "add" };
enum {
    NDIRECTIONS = sizeof directions / sizeof *directions,
    NAGGREGATIONS = sizeof aggregations / sizeof *aggregations,
    NCYCLES = sizeof cycles / sizeof *cycles
};

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

/* Append to text, which ends the string at the latest at its last byte. */
static void append_text(char *text, size_t size, const char *fmt, ...) PSB_PRINTF(3, 4);
static void append_text(char *text, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + strlen(text), size - strlen(text), fmt, args);
    va_end(args);
}

/* *found = the place of `word` among n names, compared without case; `what` it names, for the error. */
static psb_err find_name(const char *what, const char *const *names, int n, const char *word, int *found)
{
    char list[400] = "";
    for (int i = 0; i < n; i++)
        if (names[i] && strcasecmp(names[i], word) == 0) {
            *found = i;
            return PSB_OK;
        } else if (names[i]) {
            append_text(list, sizeof list, " %s", names[i]);
        }
    return PSB_FAIL(PSB_EARG, "%s \"%s\" is not known; expected one of%s", what, word, list);
}

/* --- numbers and their ranges --------------------------------------------------------------------------- */

struct option_number {
    const char *name;
    size_t offset;
    bool whole; /* an int, else a double */
    double least, most;
    bool above; /* least itself is excluded */
};

#define PREC(field)  offsetof(struct psb_prec_options, field)
#define SOLVE(field) offsetof(struct psb_solve_options, field)
static const struct option_number prec_numbers[] = {
    { .name = "fill", .offset = PREC(factor.fill), .whole = true, .most = INT_MAX },
    { .name = "drop", .offset = PREC(factor.drop), .most = DBL_MAX },
    { .name = "block", .offset = PREC(factor.block), .whole = true, .least = 1, .most = PSB_BLOCK_MOST },
    { .name = "tiny", .offset = PREC(factor.tiny), .most = DBL_MAX },
    { .name = "factor_sweeps", .offset = PREC(factor.sweeps), .whole = true, .most = INT_MAX },
    { .name = "sweeps", .offset = PREC(sweeps), .whole = true, .most = INT_MAX },
    { .name = "overlap", .offset = PREC(overlap), .whole = true, .most = INT_MAX },
    { .name = "inv_fill", .offset = PREC(inv_fill), .whole = true, .least = -1, .most = INT_MAX },
    { .name = "inv_drop", .offset = PREC(inv_drop), .most = DBL_MAX },
    { .name = "degree", .offset = PREC(degree), .whole = true, .most = INT_MAX },
    { .name = "eig_ratio", .offset = PREC(eig_ratio), .least = 1, .most = DBL_MAX, .above = true },
    { .name = "omega", .offset = PREC(omega), .most = 2, .above = true },
    { .name = "theta", .offset = PREC(theta), .most = DBL_MAX },
    { .name = "levels", .offset = PREC(levels), .whole = true, .least = 1, .most = PSB_MOST_LEVELS },
    { .name = "coarse", .offset = PREC(coarse), .whole = true, .most = 10000 },
    { .name = "unknowns", .offset = PREC(unknowns), .whole = true, .most = 1000 },
    { .name = "presweeps", .offset = PREC(presweeps), .whole = true, .least = -1, .most = INT_MAX },
    { .name = "postsweeps", .offset = PREC(postsweeps), .whole = true, .least = -1, .most = INT_MAX },
    { .name = "passes", .offset = PREC(passes), .whole = true, .least = 1, .most = 20 },
    { .name = "gather", .offset = PREC(gather), .whole = true, .most = INT_MAX },
};
static const struct option_number solve_numbers[] = {
    { .name = "tol", .offset = SOLVE(tol), .most = DBL_MAX, .above = true },
    { .name = "itmax", .offset = SOLVE(itmax), .whole = true, .most = INT_MAX },
    { .name = "restart", .offset = SOLVE(restart), .whole = true, .most = INT_MAX },
    { .name = "omega", .offset = SOLVE(omega), .most = DBL_MAX, .above = true },
    { .name = "divergence", .offset = SOLVE(divergence), .least = 1, .most = DBL_MAX, .above = true },
    { .name = "trace", .offset = SOLVE(itrace), .whole = true, .most = INT_MAX },
};
#define LSMR(field) offsetof(struct psb_lsmr_options, field)
static const struct option_number lsmr_numbers[] = {
    { .name = "atol", .offset = LSMR(atol), .most = DBL_MAX },
    { .name = "btol", .offset = LSMR(btol), .most = DBL_MAX },
    { .name = "damp", .offset = LSMR(damp), .most = DBL_MAX },
    { .name = "itmax", .offset = LSMR(itmax), .whole = true, .most = INT_MAX },
};
enum {
    NLSMR = sizeof lsmr_numbers / sizeof *lsmr_numbers,
    NPREC = sizeof prec_numbers / sizeof *prec_numbers,
    NSOLVE = sizeof solve_numbers / sizeof *solve_numbers,
};

static double option_value(const struct option_number *k, const void *options)
{
    const char *at = (const char *)options + k->offset;
    return k->whole ? *(const int *)at : *(const double *)at;
}

static psb_err check_number(const struct option_number *k, double v)
{
    PSB_CHECK(v >= k->least && v <= k->most && !(k->above && v == k->least), PSB_EARG,
              "option %s is %g; expected a number %s %g and <= %.*g", k->name, v,
              k->above ? ">" : ">=", k->least, k->whole ? 10 : 3, k->most);
    PSB_CHECK(!k->whole || v == (double)(int)v, PSB_EARG, "option %s is %g; expected a whole number", k->name,
              v);
    return PSB_OK;
}

static psb_err check_numbers(const struct option_number *table, int n, const void *options)
{
    for (int i = 0; i < n; i++)
        PSB_TRY(check_number(&table[i], option_value(&table[i], options)));
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

psb_err psb_smoother_parse(const char *texts, int level, struct psb_prec_options *o)
{
    char text[PSB_SMOOTHER_TEXT];
    size_t n = strcspn(texts, ";");
    for (; level > 0 && texts[n]; level--) {
        texts += n + 1;
        n = strcspn(texts, ";");
    }
    snprintf(text, sizeof text, "%.*s", (int)n, texts);
    PSB_TRY(psb_prec_parse(text, o));
    PSB_CHECK(o->type != PSB_PREC_NONE && o->type != PSB_PREC_AMG && o->type != PSB_PREC_USER, PSB_EARG,
              "option smoother is %s; expected another preconditioner", psb_prec_name(o->type));
    return PSB_PASS(psb_prec_check(o));
}

static psb_err check_amg(const struct psb_prec_options *o)
{
    struct psb_prec_options s;
    int level = 0;
    PSB_CHECK(memchr(o->smoother, 0, sizeof o->smoother), PSB_EARG,
              "option smoother has no 0 at its end; expected fewer than %d letters", PSB_SMOOTHER_TEXT);
    for (const char *text = o->smoother; text; text = strchr(text + 1, ';'))
        PSB_TRY(psb_smoother_parse(o->smoother, level++, &s));
    PSB_CHECK(o->presweeps != 0 || o->postsweeps != 0, PSB_EARG,
              "options presweeps and postsweeps are 0; expected one of them > 0");
    return PSB_OK;
}

psb_err psb_prec_check(const struct psb_prec_options *o)
{
    PSB_NEED(o, "options of a preconditioner");
    PSB_CHECK(*psb_prec_name(o->type), PSB_EARG, "option type is %d; expected a type of preconditioner",
              (int)o->type);
    PSB_CHECK(!o->single || (o->type != PSB_PREC_NONE && o->type != PSB_PREC_USER && !o->keep_zeros),
              PSB_EARG, "option precision is single for %s%s; expected double", psb_prec_name(o->type),
              o->keep_zeros ? " that keeps zeros" : "");
    PSB_CHECK(*name_of(directions, NDIRECTIONS, (int)o->direction), PSB_EARG,
              "option direction is %d; expected one of enum psb_sweep_direction", (int)o->direction);
    PSB_CHECK(!o->coloured || o->type == PSB_PREC_BJAC, PSB_EARG,
              "option order is colour for %s; expected natural, or bjac", psb_prec_name(o->type));
    PSB_CHECK(*name_of(aggregations, NAGGREGATIONS, (int)o->aggregation), PSB_EARG,
              "option aggregation is %d; expected one of enum psb_aggregation", (int)o->aggregation);
    PSB_CHECK(
        o->aggregation != PSB_AGGREGATION_MATCHING || o->passes > 1 || o->unsmoothed, PSB_EARG,
        "option passes is %d with smoothed prolongators, which would fill the levels; expected 2 or more, or "
        "prolongator=unsmoothed",
        o->passes);
    PSB_CHECK(!o->by_rows || o->type == PSB_PREC_GS || o->type == PSB_PREC_SSOR, PSB_EARG,
              "option order is rows for %s; expected gs or ssor", psb_prec_name(o->type));
    PSB_CHECK(*name_of(cycles, NCYCLES, (int)o->cycle), PSB_EARG,
              "option cycle is %d; expected one of enum psb_cycle", (int)o->cycle);
    if (o->type == PSB_PREC_AMG)
        PSB_TRY(check_amg(o));
    PSB_TRY(psb_factor_check(&o->factor));
    return PSB_PASS(check_numbers(prec_numbers, NPREC, o));
}

psb_err psb_lsmr_check(const struct psb_lsmr_options *o)
{
    PSB_NEED(o, "options of psb_lsmr");
    return PSB_PASS(check_numbers(lsmr_numbers, NLSMR, o));
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
    PSB_CHECK(o->method != PSB_IDR || o->restart <= PSB_MOST_IDR_S, PSB_EARG,
              "option restart is %d; expected at most %d for idr", o->restart, PSB_MOST_IDR_S);
    return PSB_OK;
}

psb_err psb_solve_check_cycle(enum psb_method method, const struct psb_prec_options *o)
{
    const bool varies = o->type == PSB_PREC_AMG && (o->cycle == PSB_CYCLE_K || o->cycle == PSB_CYCLE_KCG);
    PSB_CHECK(!varies || method == PSB_FCG || method == PSB_FGMRES || method == PSB_GCR ||
                  method == PSB_RICHARDSON,
              PSB_EARG,
              "option cycle is %s, which changes from one application to the next, for method %s; expected "
              "fcg, fgmres, gcr or richardson",
              cycles[o->cycle], psb_method_name(method));
    return PSB_OK;
}

psb_err psb_solve_check(const struct psb_solve_options *o)
{
    PSB_TRY(psb_solve_check_method(o));
    PSB_TRY(psb_prec_check(&o->prec));
    return PSB_PASS(psb_solve_check_cycle(o->method, &o->prec));
}

/* --- words ---------------------------------------------------------------------------------------------- */

enum { WORD = 1000 }; /* bytes of a word, the terminating 0 included */

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

/* Set the number named by word[0..equals) from the text after it; `more`: other options, for the error. */
static psb_err set_number(const struct option_number *table, int n, char *word, char *equals, void *options,
                          const char *more)
{
    char list[400] = "";
    double v;
    for (int i = 0; i < n; i++) {
        const struct option_number *k = &table[i];
        append_text(list, sizeof list, " %s=", k->name);
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
        return PSB_OK;
    }
    return PSB_FAIL(PSB_EARG, "option \"%s\" is not known; expected one of%s%s", word, list, more);
}

/* --- text of a preconditioner --------------------------------------------------------------------------- */

/* A kind of factors; "ilu(2)" is ILU(k) with k = 2, "ilu" is ILU(0). */
static psb_err set_factor(const char *word, struct psb_factor_options *o)
{
    char number[PSB_NUMBER];
    int64_t fill;
    int kind = PSB_ILU0;
    if (strncasecmp(word, "ilu(", 4) == 0) {
        const char *p = word + 4 + strspn(word + 4, " "), *end = p + strcspn(p, " )");
        snprintf(number, sizeof number, "%.*s", (int)(end - p), p);
        end += strspn(end, " ");
        PSB_CHECK(strcmp(end, ")") == 0 && strlen(p) < sizeof number && psb_read_integer(number, &fill) &&
                      fill >= 0 && fill <= INT_MAX,
                  PSB_EARG, "the kind of factors is \"%s\"; expected ilu(K) with 0 <= K <= %d", word,
                  INT_MAX);
        kind = PSB_ILUK;
        o->fill = (int)fill;
    } else if (strcasecmp(word, "ilu") != 0) {
        PSB_TRY(find_name("kind of factors", factor_names, PSB_NFACTORS, word, &kind));
    }
    o->kind = (enum psb_factor_kind)kind;
    return PSB_OK;
}

static bool has_factors(enum psb_prec_type type)
{
    return type == PSB_PREC_BJAC || type == PSB_PREC_RAS || type == PSB_PREC_AS || type == PSB_PREC_ASH;
}

/* OPTION=VALUE. */
static psb_err set_prec_option(char *word, char *equals, struct psb_prec_options *o)
{
    const char *value = equals + 1 + strspn(equals + 1, " \t\n");
    int found = 0;
    if (strncasecmp(word, "precision=", 10) == 0) {
        PSB_TRY(find_name("precision", precisions, 2, value, &found));
        o->single = found == 1;
    } else if (strncasecmp(word, "direction=", 10) == 0) {
        PSB_TRY(find_name("direction", directions, NDIRECTIONS, value, &found));
        o->direction = (enum psb_sweep_direction)found;
    } else if (strncasecmp(word, "halo=", 5) == 0) {
        PSB_TRY(find_name("halo", halos, 2, value, &found));
        o->halo_once = found == 1;
    } else if (strncasecmp(word, "order=", 6) == 0) {
        PSB_TRY(find_name("order", orders, 3, value, &found));
        o->coloured = found == 1;
        o->by_rows = found == 2;
    } else if (strncasecmp(word, "kind=", 5) == 0) {
        PSB_TRY(find_name("kind", kinds, 2, value, &found));
        o->fourth_kind = found == 1;
    } else if (strncasecmp(word, "aggregation=", 12) == 0) {
        PSB_TRY(find_name("aggregation", aggregations, NAGGREGATIONS, value, &found));
        o->aggregation = (enum psb_aggregation)found;
    } else if (strncasecmp(word, "prolongator=", 12) == 0) {
        PSB_TRY(find_name("prolongator", prolongators, 2, value, &found));
        o->unsmoothed = found == 1;
    } else if (strncasecmp(word, "cycle=", 6) == 0) {
        PSB_TRY(find_name("cycle", cycles, NCYCLES, value, &found));
        o->cycle = (enum psb_cycle)found;
    } else if (strncasecmp(word, "smoother=", 9) == 0) {
        PSB_CHECK(strlen(value) < sizeof o->smoother, PSB_EARG,
                  "option smoother has %zu letters; expected fewer than %zu", strlen(value),
                  sizeof o->smoother);
        strcpy(o->smoother, value);
    } else {
        return set_number(
            prec_numbers, NPREC, word, equals, o,
            " precision= direction= halo= order= kind= aggregation= prolongator= cycle= smoother=");
    }
    return PSB_OK;
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
        char *equals = find_equals(word);
        PSB_CHECK(equals || has_factors(o->type), PSB_EARG,
                  "the options of %s have the word \"%s\"; expected OPTION=NUMBER: it has no factors",
                  psb_prec_name(o->type), word);
        PSB_TRY(equals ? set_prec_option(word, equals, o) : set_factor(word, &o->factor));
    }
    return PSB_OK;
}

psb_err psb_prec_parse(const char *text, struct psb_prec_options *o)
{
    char all[WORD], name[WORD];
    struct psb_prec_options new = psb_prec_defaults;
    int type = PSB_PREC_NONE;
    PSB_NEED(text, "the name of a preconditioner");
    PSB_NEED(o, "where to store the options");
    PSB_TRY(copy_word(text, strlen(text), all));
    const char *open = strchr(all, '(');
    PSB_TRY(copy_word(all, open ? (size_t)(open - all) : strlen(all), name));
    PSB_TRY(find_name("preconditioner", prec_names, PSB_NPRECS, name, &type));
    new.type = (enum psb_prec_type)type;
    if (open)
        PSB_TRY(set_prec_words(open, &new));
    *o = new;
    return PSB_OK;
}

/* Append the numbers of a table that differ from the defaults; `before` each: "(" or ", ", then ", ".  Return
 * what would stand before a further one. */
static const char *append_numbers(const struct option_number *table, int n, const void *options,
                                  const void *defaults, const char *before, char *text, size_t size)
{
    char number[PSB_NUMBER];
    for (int i = 0; i < n; i++) {
        const double v = option_value(&table[i], options);
        if (v == option_value(&table[i], defaults))
            continue;
        psb_print_shortest(number, v);
        append_text(text, size, "%s%s=%s", before, table[i].name, number);
        before = ", ";
    }
    return before;
}

/* The same for an option that is a word, if `differs` from the default. */
static const char *append_word(const char *name, const char *value, bool differs, const char *before,
                               char *text, size_t size)
{
    if (!differs)
        return before;
    append_text(text, size, "%s%s=%s", before, name, value);
    return ", ";
}

psb_err psb_prec_text(const struct psb_prec_options *o, char *text, size_t size)
{
    char all[900] = "";
    const char *before = "(";
    PSB_TRY(psb_prec_check(o));
    PSB_NEED(text, "where to store the text");
    append_text(all, sizeof all, "%s", psb_prec_name(o->type));
    if (has_factors(o->type)) {
        append_text(all, sizeof all, "(%s", psb_factor_name(o->factor.kind));
        before = ", ";
    }
    before = append_numbers(prec_numbers, NPREC, o, &psb_prec_defaults, before, all, sizeof all);
    before = append_word("precision", precisions[o->single], o->single, before, all, sizeof all);
    before = append_word("direction", directions[o->direction], o->direction != PSB_SWEEP_FORWARD, before,
                         all, sizeof all);
    before = append_word("halo", halos[o->halo_once], o->halo_once, before, all, sizeof all);
    before = append_word("order", orders[o->by_rows ? 2 : o->coloured], o->by_rows || o->coloured, before,
                         all, sizeof all);
    before = append_word("kind", kinds[o->fourth_kind], o->fourth_kind, before, all, sizeof all);
    before = append_word("aggregation", aggregations[o->aggregation],
                         o->aggregation != PSB_AGGREGATION_COUPLED, before, all, sizeof all);
    before = append_word("prolongator", prolongators[o->unsmoothed], o->unsmoothed, before, all, sizeof all);
    before = append_word("cycle", cycles[o->cycle], o->cycle != PSB_CYCLE_V, before, all, sizeof all);
    before = append_word("smoother", o->smoother, strcmp(o->smoother, psb_prec_defaults.smoother) != 0,
                         before, all, sizeof all);
    append_text(all, sizeof all, "%s", *before == ',' ? ")" : "");
    PSB_CHECK(strlen(all) < size, PSB_EARG, "argument size is %zu; expected at least %zu", size,
              strlen(all) + 1);
    strcpy(text, all);
    return PSB_OK;
}

/* --- text of a solver ----------------------------------------------------------------------------------- */

static psb_err set_solve_word(char *word, struct psb_solve_options *o)
{
    char *equals = find_equals(word);
    int method = PSB_RGMRES, stop = PSB_STOP_RELATIVE;
    if (!equals) {
        if (strcasecmp(word, "gmres") != 0)
            PSB_TRY(find_name("method", method_names, PSB_NMETHODS, word, &method));
        o->method = (enum psb_method)method;
        return PSB_OK;
    }
    const char *value = equals + 1 + strspn(equals + 1, " \t\n");
    if (strncasecmp(word, "prec=", 5) == 0)
        return psb_prec_parse(value, &o->prec);
    if (strncasecmp(word, "stop=", 5) != 0)
        return set_number(solve_numbers, NSOLVE, word, equals, o, " stop= prec=");
    PSB_TRY(find_name("criterion stop", stop_names, NSTOPS, value, &stop));
    o->stop = (enum psb_stop)stop;
    return PSB_OK;
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

void psb_solve_text(const struct psb_solve_options *o, char *text, size_t size)
{
    char prec[900] = "";
    (void)!psb_prec_text(&o->prec, prec, sizeof prec);
    snprintf(text, size, "%s, stop=%s", psb_method_name(o->method), psb_stop_name(o->stop));
    append_numbers(solve_numbers, NSOLVE, o, &psb_solve_defaults, ", ", text, size);
    if (o->prec.type != PSB_PREC_USER) /* which no text makes */
        append_text(text, size, ", prec=%s", prec);
}
