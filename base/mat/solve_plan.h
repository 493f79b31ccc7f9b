/* solve_plan.h -- base/mat: the order in which threads solve a triangle. */
#ifndef PSB_SOLVE_PLAN_H
#define PSB_SOLVE_PLAN_H
#include "psb_err.h"
#include "psb_int.h"

/* The pattern of a triangle, checked, and its steps: the blocks of consecutive lines step[s] <= b < step[s +
 * 1] need only blocks of steps before, and, in a serial step, earlier ones of the same step. */
struct psb_solve_plan {
    unsigned long at;        /* changes of the pattern when the plan was made */
    unsigned long values_at; /* changes of the values when the diagonal was checked last */
    unsigned char upper, unit, has_values, has_levels;
    unsigned char chained; /* most lines need the line before */
    int threads;           /* that have enough to do, 1 if levels are short */
    int steps;
    psb_ipk *step;
    unsigned char *serial;
    struct {
        psb_ipk lo, hi;
    } * block;
};

/* Set the steps of *plan: n lines, upper or lower, in blocks, each with its level < levels; block_of[p] is
 * the block of the line that is p-th in the order of a solve; work: numbers that the whole solve reads.  Runs
 * of short levels are one serial step. */
PSB_MUST_CHECK psb_err psb_solve_plan_steps(struct psb_solve_plan *plan, psb_ipk n, int upper, psb_ipk blocks,
                                            const psb_ipk *block_of, psb_ipk levels, const psb_ipk *level,
                                            psb_epk work);

/* Free a plan; NULL is fine. */
void psb_solve_plan_free(struct psb_solve_plan *plan);

/* The numbers of rows in messages: number(of, l) for local row l, or l itself if `number` is NULL. */
struct psb_row_names {
    psb_lpk (*number)(const void *of, psb_ipk l);
    const void *of;
};

/* Let solves on this thread name rows so, and return how they did before; the number of a row.  Local. */
struct psb_row_names psb_name_rows(struct psb_row_names by);
psb_lpk psb_row_number(psb_ipk l);
#endif
