/* product.c -- base/mat: products of host formats with several threads. */
#include "psb_format.h"
#include "psb_team.h"
#include "psb_type.h"

struct running {
    const struct X(product) *q;
    int n, simd;
};

static void gather_part(void *job, int t, int p)
{
    const struct running *r = job;
    const struct X(product) *q = r->q;
    X(gathering) *const *gather = q->k == 1 ? q->kernels->gather : q->kernels->gather_many;
    gather[r->simd](q, q->first(q->of, t, p), q->first(q->of, t + 1, p));
}

static void scatter_part(void *job, int t, int p, T *y)
{
    const struct running *r = job;
    for (const struct X(product) *q = r->q; q < r->q + r->n; q++) {
        X(scattering) *const *scatter = q->k == 1 ? q->kernels->scatter : q->kernels->scatter_many;
        scatter[r->simd](q, q->first(q->of, t, p), q->first(q->of, t + 1, p), y);
    }
}

psb_err X(products_csmm)(int n, const struct X(product) *q, int scatter, psb_epk work, psb_epk size)
{
    struct running r = { q, n, psb_simd() };
    if (scatter)
        return PSB_PASS(X(add_up)(work * q->k, size * q->k, q->beta, q->y, scatter_part, &r));
    for (; r.q < q + n; r.q++)
        psb_team(psb_threads(work * q->k), gather_part, &r);
    return PSB_OK;
}

psb_err X(product_csmm)(const struct X(product) *q, int scatter, psb_epk work, psb_epk size)
{
    return PSB_PASS(X(products_csmm)(1, q, scatter, work, size));
}
