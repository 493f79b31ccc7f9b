/* product.c -- room: base.  Products of host formats, by threads. */
#include "psb_base.h"
#include "psb_team.h"
#include "psb_type.h"

struct running {
    const struct X(product) *q;
    X(gathering) *gather;
    X(scattering) *scatter;
};

static void gather_part(void *job, int t, int p)
{
    const struct running *r = job;
    const struct X(product) *q = r->q;
    r->gather(q, q->first(q->of, t, p), q->first(q->of, t + 1, p));
}

static void scatter_part(void *job, int t, int p, T *y)
{
    const struct running *r = job;
    const struct X(product) *q = r->q;
    r->scatter(q, q->first(q->of, t, p), q->first(q->of, t + 1, p), y);
}

psb_err X(product_csmm)(const struct X(product) *q, int scatter, psb_epk work, psb_epk size)
{
    const struct X(product_kernels) *k = q->kernels;
    struct running r = { q, (q->k == 1 ? k->gather : k->gather_many)[psb_simd()],
                         (q->k == 1 ? k->scatter : k->scatter_many)[psb_simd()] };
    if (scatter)
        return X(add_up)(work * q->k, size * q->k, q->beta, q->y, scatter_part, &r);
    psb_team(psb_threads(work * q->k), gather_part, &r);
    return PSB_OK;
}
