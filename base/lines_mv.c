/* lines_mv.c -- room: base.  Products of compressed lines. */
#include "config.h"
#include <string.h>
#include "psb_base.h"
#include "psb_threads.h"
#include "psb_type.h"

/* Entries that are added to a vector, columns of x that are multiplied, between two fetches; entries from
 * what is multiplied to what is fetched; entries that a line has on average where vectors are worth while. */
enum { BLOCK = 8, CHUNK = 8, AHEAD = 512, ENOUGH = 3 };

#define PSB_KERNELS "lines_kernels.t.h"
#include "psb_each_simd.h"

/* Lines and entries together are shared out evenly. */
static psb_ipk first_line(const void *of, int t, int p)
{
    const struct X(lines) *l = of;
    return psb_share_by(l->ptr, l->n, t, p);
}

void X(lines_share)(const struct X(lines) *l, int t, int p, psb_ipk *from, psb_ipk *to)
{
    *from = first_line(l, t, p);
    *to = first_line(l, t + 1, p);
}

void X(lines_gather)(const struct X(lines) *l, psb_ipk k, T alpha, const T *x, T beta, T *y, int conjugate)
{
    enum { FEW, ONE, MANY };
    static void (*const gathers[][PSB_SIMD_LEVELS])(const struct X(product) *, psb_ipk, psb_ipk) = {
        [FEW] = LEVELS(gather_short), [ONE] = LEVELS(gather), [MANY] = LEVELS(gather_many)
    };
    const int few = l->ptr[l->n] < ENOUGH * (psb_epk)l->n;
    struct X(product) q = { .of = l, .k = k, .alpha = alpha, .beta = beta, .x = x, .y = y };
    q.conjugate = conjugate;
    q.first = first_line;
    q.gather = gathers[k > 1 ? MANY : few ? FEW : ONE][psb_simd()];
    X(product_gather)(&q, l->ptr[l->n] * k);
}

psb_err X(lines_scatter)(const struct X(lines) *l, psb_ipk k, T alpha, const T *x, T beta, T *y,
                         int conjugate)
{
    static void (*const one[])(const struct X(product) *, psb_ipk, psb_ipk, T *) = LEVELS(scatter);
    static void (*const many[])(const struct X(product) *, psb_ipk, psb_ipk, T *) = LEVELS(scatter_many);
    struct X(product) q = { .of = l, .k = k, .alpha = alpha, .beta = beta, .x = x, .y = y };
    q.conjugate = conjugate;
    q.first = first_line;
    q.scatter = (k == 1 ? one : many)[psb_simd()];
    return X(product_scatter)(&q, l->ptr[l->n] * k, (psb_epk)l->m * k);
}
