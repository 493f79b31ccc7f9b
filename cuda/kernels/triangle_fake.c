/* triangle_fake.c -- cuda/kernels: triangular solves in plain C, for the fake device: the reference
 * for those in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "psb_type.h"

/* Set *from, *to to the entries off the diagonal of the row at place p, and return the sum of those on it. */
static T split_row(const struct psb_dev_triangle *a, psb_ipk p, psb_epk *from, psb_epk *to)
{
    const T *val = a->val;
    T diagonal = 0;
    *from = a->irp[a->order[p]];
    *to = a->irp[a->order[p] + 1];
    while (!a->unit && *from < *to && a->column[a->upper ? *from : *to - 1] == p)
        diagonal += val[a->upper ? (*from)++ : --*to];
    return diagonal;
}

static psb_err diagonal(const struct psb_dev_triangle *a, psb_epk *found)
{
    psb_epk from, to;
    found[0] = -1;
    for (psb_ipk p = 0; p < a->n; p++)
        if (split_row(a, p, &from, &to) == 0 && (found[0] < 0 || a->order[p] < found[0]))
            found[0] = a->order[p];
    return PSB_OK;
}

/* Column c of the solution of the row at place p; w: the solution so far, by places. */
static T solve_row(const struct psb_dev_triangle *a, const struct X(solve_args) *q, psb_ipk p, psb_ipk c,
                   const T *w)
{
    const psb_ipk i = a->order[p];
    const T *val = a->val, x = q->x[(psb_epk)i * q->k + c];
    psb_epk from, to;
    const T d = split_row(a, p, &from, &to);
    T s = q->right ? q->right[i] * x : x;
    for (psb_epk n = 0; n < to - from; n++) {
        const psb_epk e = a->upper ? to - 1 - n : from + n;
        s -= val[e] * w[(psb_epk)a->column[e] * q->k + c];
    }
    return a->unit ? s : s / d;
}

/* *y = alpha (left s) + beta *y */
static void put_solution(const struct X(solve_args) *q, psb_ipk i, T s, T *y)
{
    T v = q->left ? q->left[i] * s : s;
    v = q->alpha == 1 ? v : q->alpha * v;
    *y = q->beta == 0 ? v : v + q->beta * *y;
}

static psb_err solve(const struct psb_dev_triangle *a, const struct X(solve_args) *q)
{
    T *w = (T *)((char *)a->work + PSB_SOLVE_HEAD);
    for (psb_ipk p = 0; p < a->n; p++)
        for (psb_ipk c = 0; c < q->k; c++) {
            const psb_epk at = (psb_epk)p * q->k + c;
            w[at] = solve_row(a, q, p, c, w);
            put_solution(q, a->order[p], w[at], &q->y[(psb_epk)a->order[p] * q->k + c]);
        }
    return PSB_OK;
}

const struct X(triangle_kernels) X(triangle_kernels_fake) = { .diagonal = diagonal, .solve = solve };
