/* amg_options.c -- cbind: options of AMG4PSBLAS in words of psb_prec_parse. */
#include "cbind.h"
#include "amg.h"
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

static const struct {
    const char *name, *type;
} types[] = { { "NONE", "none" },
              { "NOPREC", "none" },
              { "DIAG", "diag" },
              { "JACOBI", "diag" },
              { "L1-DIAG", "l1-jacobi" },
              { "L1-JACOBI", "l1-jacobi" },
              { "BJAC", "bjac" },
              { "AS", "as" },
              { "ML", "amg" } };

/* Values that are words: of option `what`, and what stands for it here. */
static const struct amg_word {
    enum psb_cbind_setting setting;
    const char *what, *value, *word;
} words[] = {
    { PSB_AMG_CYCLE, "ML_CYCLE", "VCYCLE", "V" },
    { PSB_AMG_CYCLE, "ML_CYCLE", "WCYCLE", "W" },
    { PSB_AMG_CYCLE, "ML_CYCLE", "KCYCLE", "K" },
    { PSB_AMG_CYCLE, "ML_CYCLE", "KCYCLESYM", "KCG" },
    { PSB_AMG_CYCLE, "ML_CYCLE", "ADD", "add" },
    { PSB_AMG_AGGREGATION, "PAR_AGGR_ALG", "DEC", "decoupled" },
    { PSB_AMG_AGGREGATION, "PAR_AGGR_ALG", "DECOUPLED", "decoupled" },
    { PSB_AMG_AGGREGATION, "PAR_AGGR_ALG", "COUPLED", "coupled" },
    { PSB_AMG_MATCHING, "AGGR_TYPE", "SOC1", "" },
    { PSB_AMG_MATCHING, "AGGR_TYPE", "MATCHBOXP", "matching" },
    { PSB_AMG_PROLONGATOR, "AGGR_PROL", "SMOOTHED", "smoothed" },
    { PSB_AMG_PROLONGATOR, "AGGR_PROL", "UNSMOOTHED", "unsmoothed" },
    { PSB_AMG_NOTHING, "AGGR_ORD", "NATURAL", "" },
    { PSB_AMG_NOTHING, "AGGR_FILTER", "FILTER", "" },
    { PSB_AMG_NOTHING, "AGGR_OMEGA_ALG", "EIG_EST", "" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "FBGS", "ssor(halo=once)" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "GS", "gs(halo=once)" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "FWGS", "gs(halo=once)" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "BGS", "gs(direction=backward, halo=once)" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "BWGS", "gs(direction=backward, halo=once)" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "JACOBI", "diag" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "L1-JACOBI", "l1-jacobi" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "POLY", "chebyshev" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "BJAC", "bjac" },
    { PSB_AMG_SMOOTHER, "SMOOTHER_TYPE", "AS", "as" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "ILU", "ilu" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "MILU", "milu0" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "ILUT", "ilut" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "INVK", "invk" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "INVT", "invt" },
    { PSB_AMG_SUB_SOLVE, "SUB_SOLVE", "AINV", "ainv" },
    { PSB_AMG_RESTR, "SUB_RESTR", "HALO", "halo" },
    { PSB_AMG_RESTR, "SUB_RESTR", "NONE", "none" },
    { PSB_AMG_PROL, "SUB_PROL", "NONE", "none" },
    { PSB_AMG_PROL, "SUB_PROL", "SUM", "sum" },
    { PSB_AMG_NOTHING, "COARSE_MAT", "DIST", "" },
    { PSB_AMG_NOTHING, "COARSE_MAT", "REPL", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "UMF", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "MUMPS", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "SLU", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "SLUDIST", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "ILU", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "JACOBI", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "GS", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "BJAC", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "KRM", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "L1-JACOBI", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "L1-BJAC", "" },
    { PSB_AMG_NOTHING, "COARSE_SOLVE", "L1-FBGS", "" },
};

/* Values that are numbers; one: others than 1 are refused. */
static const struct amg_number {
    enum psb_cbind_setting setting;
    const char *what;
    bool one;
} numbers[] = {
    { PSB_AMG_SWEEPS, "SMOOTHER_SWEEPS", false },
    { PSB_AMG_FILL, "SUB_FILLIN", false },
    { PSB_AMG_INV_FILL, "INV_FILLIN", false },
    { PSB_AMG_OVERLAP, "SUB_OVR", false },
    { PSB_AMG_DEGREE, "POLY_DEGREE", false },
    { PSB_AMG_LEVELS, "MAX_LEVS", false },
    { PSB_AMG_COARSE, "MIN_COARSE_SIZE", false },
    { PSB_AMG_COARSE_EACH, "MIN_COARSE_SIZE_PER_PROCESS", false },
    { PSB_AMG_THETA, "AGGR_THRESH", false },
    { PSB_AMG_THETA, "AGGR_THRSH", false },
    { PSB_AMG_DROP, "SUB_ILUTHRS", false },
    { PSB_AMG_SIZE, "AGGR_SIZE", false },
    { PSB_AMG_NOTHING, "CYCLE_SWEEPS", true },
    { PSB_AMG_NOTHING, "OUTER_SWEEPS", true },
};

/* Options that tell how the coarsest level is solved approximately; it is solved exactly here. */
static const char *const no_effect[] = { "COARSE_SUBSOLVE", "COARSE_SWEEPS",  "COARSE_FILLIN",
                                         "COARSE_INVFILL",  "COARSE_ILUTHRS", "KRM_METHOD",
                                         "KRM_KPREC",       "KRM_SUB_SOLVE",  "KRM_GLOBAL",
                                         "KRM_EPS",         "KRM_IRST",       "KRM_ISTOPC",
                                         "KRM_ITMAX",       "KRM_ITRACE",     "KRM_FILLIN" };

enum {
    TYPES = sizeof types / sizeof *types,
    WORDS = sizeof words / sizeof *words,
    NUMBERS = sizeof numbers / sizeof *numbers,
    NO_EFFECT = sizeof no_effect / sizeof *no_effect,
    TEXT = 4000 /* more than psb_prec_parse reads */
};

/* Append to text. */
static void add_text(char *text, const char *fmt, ...) PSB_PRINTF(2, 3);
static void add_text(char *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + strlen(text), TEXT - strlen(text), fmt, args);
    va_end(args);
}

psb_err psb_cbind_amg_init(const char *ptype, struct psb_cbind_amg *s)
{
    char list[TEXT] = "";
    *s = (struct psb_cbind_amg){ 0 };
    for (int i = 0; i < TYPES; i++) {
        if (psb_cbind_same_word(ptype, types[i].name))
            s->type = types[i].type;
        add_text(list, " %s", types[i].name);
    }
    PSB_CHECK(s->type, PSB_EARG, "argument ptype is \"%s\"; expected one of%s", ptype, list);
    return PSB_OK;
}

/* --- the text ------------------------------------------------------------------------------------------- */

/* What is set for a level. */
static const struct psb_cbind_value *value_of(const struct psb_cbind_amg *s, int level,
                                              enum psb_cbind_setting i)
{
    return i < PSB_AMG_BY_LEVEL && s->on[level][i].set ? &s->on[level][i] : &s->of[i];
}

static const char *word_of(const struct psb_cbind_amg *s, int level, enum psb_cbind_setting i,
                           const char *otherwise)
{
    const struct psb_cbind_value *v = value_of(s, level, i);
    return v->set ? v->word : otherwise;
}

static void add_number(const struct psb_cbind_amg *s, int level, enum psb_cbind_setting i, const char *name,
                       char *text)
{
    const struct psb_cbind_value *v = value_of(s, level, i);
    if (v->set)
        add_text(text, ", %s=%.17g", name, v->number);
}

/* Incomplete factors of blocks, of overlap as SUB_RESTR and SUB_PROL say. */
static void add_blocks(const struct psb_cbind_amg *s, int level, const char *kind, const char *sub,
                       char *text)
{
    const bool reads = strcmp(word_of(s, level, PSB_AMG_RESTR, "halo"), "halo") == 0;
    const bool adds = strcmp(word_of(s, level, PSB_AMG_PROL, "none"), "sum") == 0;
    const bool overlaps = strcmp(kind, "as") == 0 && (reads || adds);
    const int fill = (int)value_of(s, level, PSB_AMG_FILL)->number;
    add_text(text, "%s(", !overlaps ? "bjac" : !adds ? "ras" : reads ? "as" : "ash");
    if (strcmp(sub, "ilu") == 0 && fill > 0)
        add_text(text, "ilu(%d)", fill);
    else
        add_text(text, "%s", strcmp(sub, "ilu") == 0 ? "ilu0" : sub);
    if (strcmp(sub, "ilut") == 0) {
        add_number(s, level, PSB_AMG_FILL, "fill", text);
        add_number(s, level, PSB_AMG_DROP, "drop", text);
    }
    if (overlaps)
        add_number(s, level, PSB_AMG_OVERLAP, "overlap", text);
    add_text(text, ")");
}

/* The smoother of a level, or a preconditioner of one level, of this kind. */
static void add_smoother(const struct psb_cbind_amg *s, int level, const char *kind, char *text)
{
    const char *sub = word_of(s, level, PSB_AMG_SUB_SOLVE, "ilu");
    const bool inverse = strncmp(sub, "inv", 3) == 0 || strcmp(sub, "ainv") == 0;
    if (strcmp(kind, "chebyshev") == 0) {
        const struct psb_cbind_value *degree = value_of(s, level, PSB_AMG_DEGREE);
        add_text(text, "chebyshev(eig_ratio=5, degree=%g)", degree->set ? degree->number : 1);
    } else if (strcmp(kind, "bjac") == 0 && inverse) {
        add_text(text, "%s(inv_drop=%.17g", sub, psb_prec_defaults.inv_drop);
        add_number(s, level, PSB_AMG_FILL, "fill", text);
        add_number(s, level, PSB_AMG_INV_FILL, "inv_fill", text);
        add_text(text, ")");
    } else if (strcmp(kind, "bjac") == 0 || strcmp(kind, "as") == 0) {
        add_blocks(s, level, kind, sub, text);
    } else {
        add_text(text, "%s", kind);
    }
}

static void smoother_of_level(const struct psb_cbind_amg *s, int level, char *text)
{
    add_smoother(s, level, word_of(s, level, PSB_AMG_SMOOTHER, "chebyshev"), text);
}

/* The number of levels until that whose smoother all further levels have. */
static int own_levels(const struct psb_cbind_amg *s)
{
    for (int n = PSB_MOST_LEVELS - 1; n > 0; n--) {
        char text[TEXT] = "", before[TEXT] = "";
        smoother_of_level(s, n, text);
        smoother_of_level(s, n - 1, before);
        if (strcmp(text, before) != 0)
            return n;
    }
    return 0;
}

static void multigrid_text(const struct psb_cbind_amg *s, int np, char *text)
{
    const double each = s->of[PSB_AMG_COARSE_EACH].number, coarse = s->of[PSB_AMG_COARSE].number;
    const double size = s->of[PSB_AMG_SIZE].set ? s->of[PSB_AMG_SIZE].number : 4;
    add_text(text, "amg(cycle=%s", word_of(s, 0, PSB_AMG_CYCLE, "V"));
    add_text(text, ", prolongator=%s", word_of(s, 0, PSB_AMG_PROLONGATOR, "smoothed"));
    if (*word_of(s, 0, PSB_AMG_MATCHING, ""))
        add_text(text, ", aggregation=matching, passes=%g", ceil(log2(size > 1 ? size : 2)));
    else
        add_text(text, ", aggregation=%s", word_of(s, 0, PSB_AMG_AGGREGATION, "coupled"));
    add_number(s, 0, PSB_AMG_LEVELS, "levels", text);
    add_number(s, 0, PSB_AMG_THETA, "theta", text);
    add_number(s, 0, PSB_AMG_SWEEPS, "sweeps", text);
    add_number(s, 0, PSB_AMG_PRESWEEPS, "presweeps", text);
    add_number(s, 0, PSB_AMG_POSTSWEEPS, "postsweeps", text);
    if (s->of[PSB_AMG_COARSE].set && coarse >= 0)
        add_text(text, ", coarse=%g", coarse);
    else if (s->of[PSB_AMG_COARSE_EACH].set && each >= 0)
        add_text(text, ", coarse=%g", each * np);
    const int last = own_levels(s);
    for (int level = 0; level <= last && (last > 0 || s->of[PSB_AMG_SMOOTHER].set); level++) {
        add_text(text, "%s", level == 0 ? ", smoother=" : ";");
        smoother_of_level(s, level, text);
    }
    add_text(text, ")");
}

psb_err psb_cbind_amg_options(const struct psb_cbind_amg *s, int np, struct psb_prec_options *o)
{
    char text[TEXT] = "";
    const bool levels = strcmp(s->type, "amg") == 0;
    PSB_CHECK(levels || !s->of[PSB_AMG_SWEEPS].set || s->of[PSB_AMG_SWEEPS].number == 1, PSB_ENOTIMPL,
              "option SMOOTHER_SWEEPS is %g for preconditioner %s; expected 1, or ML",
              s->of[PSB_AMG_SWEEPS].number, s->type);
    for (int level = 0; level < PSB_MOST_LEVELS; level++) {
        const double fill = value_of(s, level, PSB_AMG_FILL)->number;
        PSB_CHECK(fill == 0 || strcmp(word_of(s, level, PSB_AMG_SUB_SOLVE, ""), "milu0") != 0, PSB_ENOTIMPL,
                  "option SUB_FILLIN is %g for SUB_SOLVE MILU; expected 0", fill);
    }
    if (levels)
        multigrid_text(s, np, text);
    else
        add_smoother(s, 0, s->type, text);
    PSB_TRY(psb_prec_parse(text, o));
    o->keep_zeros = o->type == PSB_PREC_DIAG; /* as PSBLAS's DIAG */
    return PSB_PASS(psb_prec_check(o));
}

/* --- options -------------------------------------------------------------------------------------------- */

static psb_err fail_unknown(const char *what, bool is_word)
{
    char list[TEXT] = "";
    for (int i = 0; i < WORDS && is_word; i++)
        if (i == 0 || strcmp(words[i].what, words[i - 1].what) != 0)
            add_text(list, " %s", words[i].what);
    for (int i = 0; i < NUMBERS && !is_word; i++)
        add_text(list, " %s", numbers[i].what);
    return PSB_FAIL(PSB_EARG, "option \"%s\" with %s is not known; expected one of%s", what,
                    is_word ? "a word" : "a number", list);
}

/* Set a value on the levels that `w` names. */
static psb_err store(struct psb_cbind_amg *s, const char *what, enum psb_cbind_setting setting,
                     struct psb_cbind_value v, struct psb_cbind_where w)
{
    const double levels = s->of[PSB_AMG_LEVELS].set ? s->of[PSB_AMG_LEVELS].number : psb_prec_defaults.levels;
    const int end = w.ilev == 0 || w.ilmax >= levels ? PSB_MOST_LEVELS : (int)w.ilmax;
    const bool all = w.ilev <= 1 && end == PSB_MOST_LEVELS;
    PSB_CHECK(w.ilev >= 0 && (w.ilev == 0 || w.ilmax >= w.ilev), PSB_EARG,
              "option %s is set on levels %d to %d; expected 1 or more, in ascending order", what, w.ilev,
              w.ilmax);
    PSB_CHECK(
        all || setting < PSB_AMG_BY_LEVEL, PSB_ENOTIMPL,
        "option %s is set on levels %d to %d; expected 1 to %g, or one of SMOOTHER_TYPE SUB_SOLVE SUB_RESTR "
        "SUB_PROL SUB_FILLIN INV_FILLIN SUB_OVR POLY_DEGREE SUB_ILUTHRS",
        what, w.ilev, w.ilmax, levels);
    v.set = true;
    if (all)
        s->of[setting] = v;
    for (int l = all ? 0 : w.ilev - 1; l < end && setting < PSB_AMG_BY_LEVEL; l++)
        s->on[l][setting] = all ? (struct psb_cbind_value){ 0 } : v;
    return PSB_OK;
}

static psb_err set_word(struct psb_cbind_amg *s, const char *what, const char *word, struct psb_cbind_where w)
{
    char list[TEXT] = "";
    for (int i = 0; i < WORDS; i++) {
        if (!psb_cbind_same_word(what, words[i].what))
            continue;
        if (psb_cbind_same_word(word, words[i].value))
            return store(s, what, words[i].setting, (struct psb_cbind_value){ .word = words[i].word }, w);
        add_text(list, " %s", words[i].value);
    }
    PSB_CHECK(!*list, PSB_EARG, "option %s is \"%s\"; expected one of%s", what, word, list);
    return fail_unknown(what, true);
}

static psb_err set_number(struct psb_cbind_amg *s, const char *what, double v, struct psb_cbind_where w)
{
    for (int i = 0; i < NUMBERS; i++) {
        enum psb_cbind_setting setting = numbers[i].setting;
        if (!psb_cbind_same_word(what, numbers[i].what))
            continue;
        PSB_CHECK(fabs(v) <= INT32_MAX, PSB_EARG, "option %s is %g; expected a number below 2^31", what, v);
        PSB_CHECK(!numbers[i].one || v == 1, PSB_ENOTIMPL, "option %s is %g; expected 1", what, v);
        if (setting == PSB_AMG_SWEEPS && w.pos)
            setting = psb_cbind_same_word(w.pos, "PRE") ? PSB_AMG_PRESWEEPS : PSB_AMG_POSTSWEEPS;
        return store(s, what, setting, (struct psb_cbind_value){ .number = v }, w);
    }
    return fail_unknown(what, false);
}

static psb_err check_position(const char *what, const char *pos)
{
    PSB_CHECK(!pos || psb_cbind_same_word(pos, "PRE") || psb_cbind_same_word(pos, "POST"), PSB_EARG,
              "argument pos is \"%s\"; expected PRE or POST", pos);
    PSB_CHECK(
        !pos || psb_cbind_same_word(what, "SMOOTHER_SWEEPS"), PSB_ENOTIMPL,
        "option %s is set for pos %s; expected SMOOTHER_SWEEPS: the smoother is the same before and after",
        what, pos);
    return PSB_OK;
}

psb_err psb_cbind_amg_set(struct psb_cbind_amg *s, const char *what, const char *word, double number,
                          struct psb_cbind_where where)
{
    struct psb_cbind_amg new = *s;
    struct psb_prec_options o;
    PSB_NEED(what, "the name of an option");
    for (int i = 0; i < NO_EFFECT; i++)
        if (psb_cbind_same_word(what, no_effect[i]))
            return PSB_OK;
    PSB_TRY(check_position(what, where.pos));
    PSB_TRY(word ? set_word(&new, what, word, where) : set_number(&new, what, number, where));
    PSB_TRY(psb_cbind_amg_options(&new, 1, &o));
    *s = new;
    return PSB_OK;
}
