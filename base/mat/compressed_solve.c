/* compressed_solve.c -- base/mat: triangular solves with compressed lines.
 *
 * op N gathers: x_i = (b_i - sum of the entries times their x) / diagonal, entries in the order in which
 * their x become known, so that the last one to wait for is added last.  Threads solve the blocks of a level
 * at the same time; every sum has the same order, so the bits do not depend on the number of threads.  A
 * transposed solve scatters, on one thread: to gather, it would need a transposed copy. */
#include "psb_format.h"
#include "psb_alloc.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "mat_inside.h"
#include "solve_plan.h"
#include "tuning.h"
#include "psb_type.h"

/* y = op(L)^-1 D x, k columns; d are the elements of D, or NULL.  y may be x. */
struct solve {
    const struct X(compressed) *l;
    struct X(triangle) t;
    const struct psb_solve_plan *plan;
    psb_ipk k;
    const T *x, *d;
    T *y;
};

/* --- one line ------------------------------------------------------------------------------------------- */

/* Set *from, *to to the entries of line i off the diagonal, and return the sum of those on it; 1 if unit. */
static inline T split_line(const struct X(compressed) *l, int upper, int unit, psb_ipk i, psb_epk *from,
                           psb_epk *to)
{
    T diagonal = 0;
    *from = l->ptr[i];
    *to = l->ptr[i + 1];
    if (unit)
        return 1;
    while (*from < *to && l->idx[upper ? *from : *to - 1] == i)
        diagonal += l->val[upper ? (*from)++ : --*to];
    return diagonal;
}

/* --- checks --------------------------------------------------------------------------------------------- */

/* Check that line i belongs to the triangle.  Indices ascend, so the outermost one decides. */
static psb_err check_line(const struct X(compressed) *l, struct X(triangle) t, psb_ipk i)
{
    const psb_epk first = l->ptr[i], end = l->ptr[i + 1];
    const psb_ipk outer = first < end ? l->idx[t.upper ? first : end - 1] : -1;
    if (outer >= 0)
        PSB_CHECK(t.upper ? outer >= i : outer <= i, PSB_EARG,
                  "row %" PRId64 ", column %" PRId64 " has an entry; expected %s triangle",
                  psb_row_number(t.by_cols ? outer : i), psb_row_number(t.by_cols ? i : outer),
                  t.upper != t.by_cols ? "an upper" : "a lower");
    if (t.unit)
        PSB_CHECK(outer != i, PSB_EARG,
                  "row %" PRId64 " stores a diagonal entry; expected none in a unit triangle",
                  psb_row_number(i));
    else
        PSB_CHECK(outer == i, PSB_EARG,
                  "row %" PRId64 " has no entry on the diagonal; expected an entry that is not 0",
                  psb_row_number(i));
    return PSB_OK;
}

/* Check that the diagonal of no line is 0. */
static psb_err check_diagonal(const struct X(compressed) *l, struct X(triangle) t)
{
    psb_epk from, to;
    for (psb_ipk i = 0; i < l->n; i++)
        PSB_CHECK(split_line(l, t.upper, t.unit, i, &from, &to) != 0, PSB_EARG,
                  "row %" PRId64 " has 0 on the diagonal; expected an entry that is not 0",
                  psb_row_number(i));
    return PSB_OK;
}

/* --- gathering, one column: lines are prefetched, since they are too short for the processor to predict --
 */

/* Lines lo .. hi-1 of a lower triangle, upwards.  chained: the x of the line before stays in a register,
 * since most lines wait for it; where only some do, the branch costs more.  Flags are constants in every
 * call. */
PSB_INLINE void lower_lines(const struct solve *q, int unit, int conjugate, int chained, psb_ipk lo,
                            psb_ipk hi)
{
    const struct X(compressed) l = *q->l;
    const T *x = q->x, *d = q->d;
    T *y = q->y, before = 0;
    for (psb_ipk i = lo; i < hi; i++) {
        psb_epk from, to;
        const T diagonal = split_line(&l, 0, unit, i, &from, &to);
        const int near = chained && i > lo && from < to && l.idx[to - 1] == i - 1;
        T s = d ? d[i] * x[i] : x[i];
        __builtin_prefetch(l.val + to + AHEAD);
        __builtin_prefetch(l.idx + to + AHEAD);
        for (psb_epk e = from; e < to - near; e++)
            s -= (conjugate ? CONJ(l.val[e]) : l.val[e]) * y[l.idx[e]];
        if (near)
            s -= (conjugate ? CONJ(l.val[to - 1]) : l.val[to - 1]) * before;
        before = unit ? s : s / (conjugate ? CONJ(diagonal) : diagonal);
        y[i] = before;
    }
}

/* Lines hi-1 .. lo of an upper triangle, downwards. */
PSB_INLINE void upper_lines(const struct solve *q, int unit, int conjugate, int chained, psb_ipk lo,
                            psb_ipk hi)
{
    const struct X(compressed) l = *q->l;
    const T *x = q->x, *d = q->d;
    T *y = q->y, before = 0;
    for (psb_ipk i = hi - 1; i >= lo; i--) {
        psb_epk from, to;
        const T diagonal = split_line(&l, 1, unit, i, &from, &to);
        const int near = chained && i < hi - 1 && from < to && l.idx[from] == i + 1;
        T s = d ? d[i] * x[i] : x[i];
        __builtin_prefetch(l.val + from - AHEAD);
        __builtin_prefetch(l.idx + from - AHEAD);
        for (psb_epk e = to - 1; e >= from + near; e--)
            s -= (conjugate ? CONJ(l.val[e]) : l.val[e]) * y[l.idx[e]];
        if (near)
            s -= (conjugate ? CONJ(l.val[from]) : l.val[from]) * before;
        before = unit ? s : s / (conjugate ? CONJ(diagonal) : diagonal);
        y[i] = before;
    }
}

PSB_INLINE void lines_as(const struct solve *q, int unit, int conjugate, int chained, psb_ipk lo, psb_ipk hi)
{
    if (q->t.upper)
        upper_lines(q, unit, conjugate, chained, lo, hi);
    else
        lower_lines(q, unit, conjugate, chained, lo, hi);
}

PSB_INLINE void lines(const struct solve *q, int conjugate, psb_ipk lo, psb_ipk hi)
{
    const int unit = q->t.unit, chained = q->plan->chained;
    if (unit && chained)
        lines_as(q, 1, conjugate, 1, lo, hi);
    else if (unit)
        lines_as(q, 1, conjugate, 0, lo, hi);
    else if (chained)
        lines_as(q, 0, conjugate, 1, lo, hi);
    else
        lines_as(q, 0, conjugate, 0, lo, hi);
}

/* --- gathering, several columns ------------------------------------------------------------------------- */

/* Line i: the sums have the same order as for one column. */
static void line_of_columns(const struct solve *q, psb_ipk i)
{
    const struct X(compressed) *l = q->l;
    const psb_ipk k = q->k;
    psb_epk from, to;
    T diagonal = split_line(l, q->t.upper, q->t.unit, i, &from, &to), *yi = q->y + (psb_epk)i * k;
    diagonal = q->t.conjugate ? CONJ(diagonal) : diagonal;
    for (psb_ipk c = 0; c < k; c++)
        yi[c] = q->d ? q->d[i] * q->x[(psb_epk)i * k + c] : q->x[(psb_epk)i * k + c];
    for (psb_epk n = 0; n < to - from; n++) {
        const psb_epk e = q->t.upper ? to - 1 - n : from + n;
        const T v = q->t.conjugate ? CONJ(l->val[e]) : l->val[e], *yj = q->y + (psb_epk)l->idx[e] * k;
        for (psb_ipk c = 0; c < k; c++)
            yi[c] -= v * yj[c];
    }
    for (psb_ipk c = 0; c < k && !q->t.unit; c++)
        yi[c] /= diagonal;
}

/* Lines lo .. hi-1, which wait for no other that is not solved. */
static void gather(const struct solve *q, psb_ipk lo, psb_ipk hi)
{
    if (q->k != 1)
        for (psb_ipk n = 0; n < hi - lo; n++)
            line_of_columns(q, q->t.upper ? hi - 1 - n : lo + n);
    else if (CPLX && q->t.conjugate)
        lines(q, 1, lo, hi);
    else
        lines(q, 0, lo, hi);
}

/* --- levels --------------------------------------------------------------------------------------------- */

/* The share of thread t in the blocks of a step. */
static void solve_step(void *job, int step, int t, int p)
{
    const struct solve *q = job;
    const struct psb_solve_plan *plan = q->plan;
    psb_epk from, to;
    if (plan->serial[step] && t > 0)
        return;
    psb_thread_range(plan->step[step + 1] - plan->step[step], t, plan->serial[step] ? 1 : p, &from, &to);
    for (psb_epk b = plan->step[step] + from; b < plan->step[step] + to; b++)
        gather(q, plan->block[b].lo, plan->block[b].hi);
}

/* --- scattering ----------------------------------------------------------------------------------------- */

/* y_j = y_j - entry times y_i for the entries of line i, whose y_i is divided by the diagonal first. */
static void scatter_line(const struct solve *q, psb_ipk i)
{
    const struct X(compressed) *l = q->l;
    const psb_ipk k = q->k;
    psb_epk from, to;
    T diagonal = split_line(l, q->t.upper, q->t.unit, i, &from, &to), *yi = q->y + (psb_epk)i * k;
    diagonal = q->t.conjugate ? CONJ(diagonal) : diagonal;
    for (psb_ipk c = 0; c < k && !q->t.unit; c++)
        yi[c] /= diagonal;
    for (psb_epk e = from; e < to; e++) {
        const T v = q->t.conjugate ? CONJ(l->val[e]) : l->val[e];
        T *yj = q->y + (psb_epk)l->idx[e] * k;
        for (psb_ipk c = 0; c < k; c++)
            yj[c] -= v * yi[c];
    }
}

/* All lines of one column.  chained: the y of the next line stays in a register, as in lower_lines. */
PSB_INLINE void scatter_column(const struct solve *q, int upper, int conjugate, int chained)
{
    const struct X(compressed) l = *q->l;
    const psb_ipk n = l.n, step = upper ? 1 : -1;
    T *y = q->y, next = 0;
    int kept = 0;
    for (psb_ipk p = 0, i = upper ? 0 : n - 1; p < n; p++, i += step) {
        psb_epk from, to;
        const T diagonal = split_line(&l, upper, q->t.unit, i, &from, &to);
        T yi = chained && kept ? next : y[i];
        if (!q->t.unit)
            yi /= conjugate ? CONJ(diagonal) : diagonal;
        y[i] = yi;
        kept = chained && from < to && l.idx[upper ? from : to - 1] == i + step;
        if (kept) {
            const psb_epk e = upper ? from++ : --to;
            next = y[i + step] - (conjugate ? CONJ(l.val[e]) : l.val[e]) * yi;
        }
        __builtin_prefetch(upper ? l.val + to + AHEAD : l.val + from - AHEAD);
        __builtin_prefetch(upper ? l.idx + to + AHEAD : l.idx + from - AHEAD);
        for (psb_epk e = from; e < to; e++)
            y[l.idx[e]] -= (conjugate ? CONJ(l.val[e]) : l.val[e]) * yi;
    }
}

PSB_INLINE void scatter_column_as(const struct solve *q, int conjugate)
{
    if (q->t.upper && q->plan->chained)
        scatter_column(q, 1, conjugate, 1);
    else if (q->t.upper)
        scatter_column(q, 1, conjugate, 0);
    else if (q->plan->chained)
        scatter_column(q, 0, conjugate, 1);
    else
        scatter_column(q, 0, conjugate, 0);
}

static void scatter(const struct solve *q)
{
    const psb_ipk n = q->l->n, k = q->k;
    for (psb_ipk i = 0; i < n && (q->d || q->x != q->y); i++)
        for (psb_epk c = (psb_epk)i * k; c < ((psb_epk)i + 1) * k; c++)
            q->y[c] = q->d ? q->d[i] * q->x[c] : q->x[c];
    if (k == 1 && CPLX && q->t.conjugate)
        scatter_column_as(q, 1);
    else if (k == 1)
        scatter_column_as(q, 0);
    for (psb_ipk p = 0; p < n && k != 1; p++)
        scatter_line(q, q->t.upper ? p : n - 1 - p);
}

/* --- the plan ------------------------------------------------------------------------------------------- */

/* Cut the lines, in the order of a solve, into blocks, and find the level of each: a block begins where a
 * line needs none of the block before, if that has at least SHORTEST lines, or where that has LONGEST. */
enum { SHORTEST = 32, LONGEST = 4096 };

/* The largest position, below that of line i, of a line that line i needs, or -1; positions count in the
 * order of a solve. */
static psb_ipk nearest(const struct X(compressed) *l, int upper, psb_ipk i)
{
    if (upper) {
        for (psb_epk e = l->ptr[i]; e < l->ptr[i + 1]; e++)
            if (l->idx[e] > i)
                return l->n - 1 - l->idx[e];
    } else {
        for (psb_epk e = l->ptr[i + 1] - 1; e >= l->ptr[i]; e--)
            if (l->idx[e] < i)
                return l->idx[e];
    }
    return -1;
}

/* block_of[position] = its block; returns the number of blocks. */
static psb_ipk cut(const struct X(compressed) *l, int upper, psb_ipk *block_of)
{
    psb_ipk blocks = 0, start = 0;
    for (psb_ipk p = 0; p < l->n; p++) {
        const int apart = nearest(l, upper, upper ? l->n - 1 - p : p) < start;
        if (p > start && ((apart && p - start >= SHORTEST) || p - start >= LONGEST)) {
            start = p;
            blocks++;
        }
        block_of[p] = blocks;
    }
    return l->n > 0 ? blocks + 1 : 0;
}

/* level[b] = the length of the longest chain of blocks that block b needs; returns the number of levels. */
static psb_ipk find_levels(const struct X(compressed) *l, int upper, const psb_ipk *block_of, psb_ipk *level)
{
    psb_ipk levels = 0;
    for (psb_ipk p = 0; p < l->n; p++) {
        const psb_ipk i = upper ? l->n - 1 - p : p, b = block_of[p];
        if (p == 0 || block_of[p - 1] != b)
            level[b] = 0;
        for (psb_epk e = l->ptr[i]; e < l->ptr[i + 1]; e++) {
            const psb_ipk other = block_of[upper ? l->n - 1 - l->idx[e] : l->idx[e]];
            if (other != b && level[other] >= level[b])
                level[b] = level[other] + 1;
        }
        levels = level[b] >= levels ? level[b] + 1 : levels;
    }
    return levels;
}

static psb_err make_levels(const struct X(compressed) *l, int upper, struct psb_solve_plan *plan)
{
    psb_ipk *block_of, *level = NULL;
    PSB_TRY(psb_alloc(&block_of, (size_t)l->n, sizeof *block_of, "blocks of a triangle"));
    const psb_ipk blocks = cut(l, upper, block_of);
    psb_err e = psb_alloc(&level, (size_t)blocks, sizeof *level, "levels of a triangle");
    if (e == PSB_OK) {
        const psb_ipk levels = find_levels(l, upper, block_of, level);
        e = psb_solve_plan_steps(plan, l->n, upper, blocks, block_of, levels, level, l->ptr[l->n] + l->n);
    }
    psb_free(level);
    psb_free(block_of);
    return e;
}

/* Do most lines, 7 of 8, need the line before? */
static unsigned char is_chained(const struct X(compressed) *l, int upper)
{
    psb_ipk near = 0;
    for (psb_ipk i = 0; i < l->n; i++)
        near += nearest(l, upper, i) == (upper ? l->n - 1 - i : i) - 1;
    return near >= l->n - l->n / 8;
}

static psb_err check_pattern(const struct X(compressed) *l, struct X(triangle) t)
{
    for (psb_ipk i = 0; i < l->n; i++)
        PSB_TRY(check_line(l, t, i));
    return PSB_OK;
}

psb_err X(compressed_check_triangle)(const struct X(compressed) *l, struct X(triangle) t)
{
    PSB_TRY(check_pattern(l, t));
    return PSB_PASS(t.unit ? PSB_OK : check_diagonal(l, t));
}

/* Make a new plan for a's pattern, which is checked. */
static psb_err new_plan(struct X(mat) *a, const struct X(compressed) *l, struct X(triangle) t,
                        unsigned long at)
{
    PSB_TRY(check_pattern(l, t));
    psb_solve_plan_free(a->solve);
    a->solve = NULL;
    PSB_TRY(psb_alloc_zero(&a->solve, 1, sizeof *a->solve, "plan of a triangular solve"));
    a->solve->at = at;
    a->solve->upper = (unsigned char)t.upper;
    a->solve->unit = (unsigned char)t.unit;
    a->solve->chained = is_chained(l, t.upper);
    a->solve->threads = 1;
    return PSB_OK;
}

/* See that a has a plan: checked once for a pattern, and once for its values; levels are found if threads
 * will use them. */
static psb_err need_plan(struct X(mat) *a, const struct X(compressed) *l, struct X(triangle) t,
                         unsigned long at, unsigned long values_at, int threads)
{
    const struct psb_solve_plan *p = a->solve;
    if (!p || p->at != at || p->upper != t.upper || p->unit != t.unit)
        PSB_TRY(new_plan(a, l, t, at));
    if (!t.unit && !(a->solve->has_values && a->solve->values_at == values_at)) {
        PSB_TRY(check_diagonal(l, t));
        a->solve->has_values = 1;
        a->solve->values_at = values_at;
    }
    return threads > 1 && !a->solve->has_levels ? make_levels(l, t.upper, a->solve) : PSB_OK;
}

psb_err X(compressed_solve)(struct X(mat) *a, const struct X(compressed) *l, struct X(triangle) t,
                            const unsigned long at[2], psb_ipk k, const T *x, const T *d, T *y)
{
    const int threads = t.transposed ? 1 : psb_threads(l->n + l->ptr[l->n]);
    PSB_TRY(need_plan(a, l, t, at[0], at[1], threads));
    struct solve q = { .l = l, .t = t, .plan = a->solve, .k = k, .x = x, .d = d, .y = y };
    if (t.transposed)
        scatter(&q);
    else if (threads > 1 && a->solve->threads > 1)
        psb_team_steps(a->solve->threads, a->solve->steps, solve_step, &q);
    else
        gather(&q, 0, l->n);
    return PSB_OK;
}
