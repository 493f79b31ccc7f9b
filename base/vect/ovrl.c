/* ovrl.c -- room: base/vect.  Values of rows with several owners, combined. */
#include "psb_base.h"
#include "comm.h"
#include "desc.h"
#include "psb_type.h"

static psb_err check(const struct X(vect) *x, enum psb_ovrl op)
{
    PSB_CHECK(op == PSB_OVRL_NONE || op == PSB_OVRL_SUM || op == PSB_OVRL_AVG || op == PSB_OVRL_SQRT ||
                  op == PSB_OVRL_ZERO,
              PSB_EARG, "argument op is %d; expected one of enum psb_ovrl", (int)op);
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    return X(vect_check_idle)(x);
}

/* The factor of the sum over n owners; `lowest`: this process is the lowest owner. */
static R factor(enum psb_ovrl op, psb_ipk n, int lowest)
{
    switch (op) {
    case PSB_OVRL_AVG:
        return 1 / (R)n;
    case PSB_OVRL_SQRT:
        return 1 / (R)sqrt((double)n);
    case PSB_OVRL_ZERO:
        return lowest ? 1 : 0;
    default:
        return 1;
    }
}

static void scale(T *x, int k, R f)
{
    for (int j = 0; j < k; j++)
        x[j] = f == 0 ? 0 : x[j] * f;
}

/* Sum one shared row of k elements over its owners, in rank order. */
static void add_up(const struct psb_overlap *s, psb_ipk i, int k, const T *in, T *x)
{
    for (int j = 0; j < k; j++) {
        T sum = 0;
        for (psb_ipk o = s->start[i]; o < s->start[i + 1]; o++)
            sum += s->place[o] < 0 ? x[j] : in[(size_t)s->place[o] * (size_t)k + (size_t)j];
        x[j] = sum;
    }
}

static void join(const psb_desc *d, enum psb_ovrl op, int k, const T *in, T *x)
{
    const struct psb_overlap *s = &d->overlap;
    for (psb_ipk i = 0; i < s->n; i++) {
        T *row = x + (size_t)s->loc[i] * (size_t)k;
        add_up(s, i, k, in, row);
        scale(row, k, factor(op, s->start[i + 1] - s->start[i], s->place[s->start[i]] < 0));
    }
}

/* Create the buffers of one exchange and pack the values of this process. */
static psb_err prepare(struct X(vect) *x, struct psb_comm **c, T **p)
{
    struct psb_halo *h = &x->desc->overlap.plan;
    const psb_ipk *idx;
    PSB_TRY(psb_dual_update(&x->v, PSB_HOST, p));
    PSB_TRY(psb_dual_read(&h->idx, PSB_HOST, &idx));
    PSB_TRY(psb_comm_new(c, h, x->ncols, sizeof(T), TMPI, NULL));
    return X(vec_host).gth(h->send.start[h->send.n], idx, x->ncols, *p, (*c)->out);
}

static psb_err swap(const struct psb_halo *h, struct psb_comm *c, const psb_desc *d)
{
    const struct psb_transfer r = {
        .kind = PSB_FORTH | PSB_ON_HOST, .from = &h->recv, .to = &h->send, .in = c->in, .out = c->out
    };
    PSB_TRY(psb_comm_begin(c, d, &r));
    return psb_comm_finish(c, &h->recv);
}

static psb_err among_owners(struct X(vect) *x, enum psb_ovrl op, psb_err before)
{
    const struct psb_halo *h = &x->desc->overlap.plan;
    struct psb_comm *c = NULL;
    T *p;
    psb_err e = before == PSB_OK ? prepare(x, &c, &p) : before;
    if (e != PSB_OK)
        psb_comm_refuse(x->desc, &h->recv, &h->send);
    else
        e = swap(h, c, x->desc);
    if (e == PSB_OK)
        join(x->desc, op, x->ncols, c->in, p);
    psb_comm_free(c);
    return e;
}

/* Every process owns every row. */
static psb_err among_all(struct X(vect) *x, enum psb_ovrl op, psb_err before)
{
    const psb_desc *d = x->desc;
    T *p = NULL;
    psb_err e = before == PSB_OK ? psb_dual_update(&x->v, PSB_HOST, &p) : before;
    PSB_TRY(psb_agree(d->ctxt, e));
    psb_epk n = (psb_epk)d->map.nrow * x->ncols;
    PSB_TRY(psb_sum(d->ctxt, n, p, -1));
    for (psb_epk i = 0; i < n; i++)
        scale(p + i, 1, factor(op, d->map.np, d->map.me == 0));
    return PSB_OK;
}

psb_err X(ovrl)(struct X(vect) *x, enum psb_ovrl op)
{
    PSB_CHECK(psb_is_live(x) && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              psb_is_live(x) ? "local" : psb_handle_state(x));
    psb_err e = check(x, op);
    if (x->desc->map.replicated)
        return PSB_PASS(op == PSB_OVRL_NONE ? e : among_all(x, op, e));
    if (op == PSB_OVRL_NONE || x->desc->overlap.n == 0)
        return PSB_PASS(e);
    return PSB_PASS(among_owners(x, op, e));
}

void X(ovrl_refuse)(psb_desc *d, psb_err e)
{
    const struct psb_halo *h = &d->overlap.plan;
    if (d->map.replicated)
        (void)!psb_agree(d->ctxt, e);
    else if (d->overlap.n)
        psb_comm_refuse(d, &h->recv, &h->send);
}
