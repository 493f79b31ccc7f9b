/* solve_plan.c -- base/mat: the order in which threads solve a triangle. */
#include "solve_plan.h"
#include "psb_alloc.h"
#include "psb_threads.h"

void psb_solve_plan_free(struct psb_solve_plan *plan)
{
    if (!plan)
        return;
    psb_free(plan->step);
    psb_free(plan->serial);
    psb_free(plan->block);
    psb_free(plan);
}

static psb_err alloc_steps(struct psb_solve_plan *plan, psb_ipk blocks, psb_ipk levels)
{
    PSB_TRY(psb_resize(&plan->step, (size_t)levels + 1, sizeof *plan->step, "steps of a solve"));
    PSB_TRY(psb_resize(&plan->serial, (size_t)levels, sizeof *plan->serial, "steps of a solve"));
    return psb_resize(&plan->block, (size_t)blocks, sizeof *plan->block, "blocks of a solve");
}

/* step[l] .. step[l + 1] - 1 = the blocks of level l, in the order of the solve. */
static void sort_blocks(struct psb_solve_plan *plan, psb_ipk n, int upper, psb_ipk blocks,
                        const psb_ipk *block_of, psb_ipk levels, const psb_ipk *level)
{
    psb_ipk *step = plan->step;
    for (psb_ipk l = 0; l <= levels; l++)
        step[l] = 0;
    for (psb_ipk b = 0; b < blocks; b++)
        step[level[b] + 1]++;
    for (psb_ipk l = 0; l < levels; l++)
        step[l + 1] += step[l];
    for (psb_ipk from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && block_of[to] == block_of[from]; to++)
            ;
        const psb_ipk at = step[level[block_of[from]]]++;
        plan->block[at].lo = upper ? n - to : from;
        plan->block[at].hi = upper ? n - from : to;
    }
    for (psb_ipk l = levels; l > 0; l--)
        step[l] = step[l - 1];
    step[0] = 0;
}

/* Merge consecutive levels of few lines, on which threads would mostly wait, into serial steps. */
static void merge_short(struct psb_solve_plan *plan, psb_ipk levels, psb_epk work_per_line)
{
    int steps = 0;
    for (psb_ipk l = 0; l < levels; l++) {
        const psb_ipk first = plan->step[l], end = plan->step[l + 1];
        psb_epk lines = 0;
        for (psb_ipk b = first; b < end; b++)
            lines += plan->block[b].hi - plan->block[b].lo;
        const int is_short = end - first < 2 || psb_threads(4 * lines * work_per_line) < 2;
        if (steps > 0 && is_short && plan->serial[steps - 1])
            continue; /* its blocks follow those of the step */
        plan->step[steps] = first;
        plan->serial[steps++] = (unsigned char)is_short;
    }
    plan->step[steps] = plan->step[levels];
    plan->steps = steps;
}

psb_err psb_solve_plan_steps(struct psb_solve_plan *plan, psb_ipk n, int upper, psb_ipk blocks,
                             const psb_ipk *block_of, psb_ipk levels, const psb_ipk *level, psb_epk work)
{
    PSB_TRY(alloc_steps(plan, blocks, levels));
    sort_blocks(plan, n, upper, blocks, block_of, levels, level);
    merge_short(plan, levels, n > 0 ? work / n : 0);
    plan->threads = psb_threads(levels > 0 ? work / levels : 0);
    plan->has_levels = 1;
    return PSB_OK;
}

static _Thread_local struct psb_row_names names;

struct psb_row_names psb_name_rows(struct psb_row_names by)
{
    const struct psb_row_names was = names;
    names = by;
    return was;
}

psb_lpk psb_row_number(psb_ipk l)
{
    return names.number ? names.number(names.of, l) : l;
}
