/* ovrl.c -- base/vect: values of rows with several owners, combined. */
#include "vect.h"
#include "channel.h"
#include "ctxt.h"
#include "desc.h"
#include <string.h>
#include "psb_type.h"

static psb_err check_ovrl(const struct X(vect) *x, enum psb_ovrl op)
{
    PSB_CHECK(op == PSB_OVRL_NONE || op == PSB_OVRL_SUM || op == PSB_OVRL_AVG || op == PSB_OVRL_SQRT ||
                  op == PSB_OVRL_ZERO,
              PSB_EARG, "argument op is %d; expected one of enum psb_ovrl", (int)op);
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    return X(vect_check_idle)(x);
}

/* --- rows with several owners --------------------------------------------------------------------------- */

/* The device on which the rows of x are exchanged and combined; NULL: the host. */
static const struct psb_device *place_of_shared(const struct X(vect) *x)
{
    const struct psb_device *on = psb_channel_device(x->desc->overlap.plan.channel);
    return on && x->v.on == on && on->X(vec)->join_owners ? on : NULL;
}

/* The shared rows of x, in lists on the host; the values of x for change there. */
static psb_err open_on_host(struct X(vect) *x, enum psb_ovrl op, struct X(vec_owners) *t)
{
    const struct psb_overlap *s = &x->desc->overlap;
    *t = (struct X(vec_owners)){
        .op = op, .n = s->n, .k = x->ncols, .loc = s->loc, .start = s->start, .place = s->place
    };
    return psb_dual_update(&x->v, PSB_HOST, &t->x);
}

/* As open_on_host, on the device of x. */
static psb_err open_on_device(struct X(vect) *x, enum psb_ovrl op, struct X(vec_owners) *t)
{
    struct psb_overlap *s = &x->desc->overlap;
    const psb_ipk *lists;
    if (!s->lists.valid) {
        const size_t n = (size_t)s->n, pairs = (size_t)s->start[n];
        psb_ipk *p;
        psb_dual_free(&s->lists);
        PSB_TRY(psb_dual_init(&s->lists, 2 * n + 1 + pairs, sizeof *p, x->v.on, "shared rows"));
        PSB_TRY(psb_dual_write(&s->lists, PSB_HOST, &p));
        memcpy(p, s->loc, n * sizeof *p);
        memcpy(p + n, s->start, (n + 1) * sizeof *p);
        memcpy(p + 2 * n + 1, s->place, pairs * sizeof *p);
    }
    PSB_TRY(psb_dual_move(&s->lists, x->v.on));
    PSB_TRY(psb_dual_move(&s->plan.idx, x->v.on));
    PSB_TRY(psb_dual_read(&s->lists, PSB_DEV, &lists));
    *t = (struct X(vec_owners)){ .op = op,
                                 .n = s->n,
                                 .k = x->ncols,
                                 .loc = lists,
                                 .start = lists + s->n,
                                 .place = lists + 2 * (size_t)s->n + 1 };
    return psb_dual_update(&x->v, PSB_DEV, &t->x);
}

static psb_err send_shared(struct X(vect) *x, enum psb_ovrl op, struct X(vec_owners) *t)
{
    struct psb_channel *c = x->desc->overlap.plan.channel;
    struct psb_outgoing_rows out = { .on = place_of_shared(x),
                                     .row = (size_t)x->ncols * sizeof(T),
                                     .gather = X(gather_rows) };
    PSB_TRY((out.on ? open_on_device : open_on_host)(x, op, t));
    out.from = t->x;
    if (!psb_channel_reaches(c, out.on)) {
        const struct psb_halo *h = &x->desc->overlap.plan;
        const psb_ipk *idx;
        T *to;
        PSB_TRY(psb_channel_staging(h->channel, PSB_HOST, true, &to));
        PSB_TRY(psb_dual_read(&h->idx, PSB_HOST, &idx));
        PSB_TRY(X(vec_host).gth(psb_neighbour_rows(&h->send), idx, t->k, t->x, to));
        PSB_TRY(psb_channel_upload(h->channel, &out));
    }
    return psb_channel_start(c, &out, c, NULL);
}

/* A channel is there wherever rows have several owners. */
static psb_err among_owners(struct X(vect) *x, enum psb_ovrl op, psb_err err)
{
    struct psb_channel *c = x->desc->overlap.plan.channel;
    struct X(vec_owners) t;
    void *landed;
    psb_err e = err == PSB_OK ? send_shared(x, op, &t) : err;
    if (e != PSB_OK) {
        psb_halo_refuse(x->desc->ctxt, &x->desc->overlap.plan);
        return e;
    }
    PSB_TRY(psb_channel_finish(c, c, &landed));
    const struct psb_halo *h = &x->desc->overlap.plan;
    const struct psb_device *on = place_of_shared(x);
    const size_t bytes = (size_t)psb_neighbour_rows(&h->recv) * (size_t)t.k * sizeof(T);
    if (!on) {
        PSB_TRY(psb_channel_download(h->channel, landed, bytes, "shared rows", &t.in));
        return X(vec_host).join_owners(&t);
    }
    t.in = landed;
    return on->X(vec)->join_owners(&t);
}

/* --- replicated rows ------------------------------------------------------------------------------------ */

/* Every process owns every row. */
static psb_err among_all(struct X(vect) *x, enum psb_ovrl op, psb_err err)
{
    const psb_desc *d = x->desc;
    T *p = NULL;
    psb_err e = err == PSB_OK ? psb_dual_update(&x->v, PSB_HOST, &p) : err;
    PSB_TRY(psb_agree(d->ctxt, e));
    psb_epk n = (psb_epk)d->map->nrow * x->ncols;
    PSB_TRY(psb_sum(d->ctxt, n, p, -1));
    const R f = PSB_OWNERS_FACTOR(R, op, d->map->np, d->map->me == 0);
    for (psb_epk i = 0; i < n; i++)
        p[i] = f == 0 ? 0 : p[i] * f;
    return PSB_OK;
}

psb_err X(ovrl)(struct X(vect) *x, enum psb_ovrl op)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(psb_check_ctxt(x->desc->ctxt));
    psb_err e = check_ovrl(x, op);
    if (x->desc->map->replicated)
        return PSB_PASS(op == PSB_OVRL_NONE ? e : among_all(x, op, e));
    if (op == PSB_OVRL_NONE || x->desc->overlap.n == 0)
        return PSB_PASS(e);
    return PSB_PASS(among_owners(x, op, e));
}

void X(ovrl_refuse)(psb_desc *d, psb_err e)
{
    if (d->map->replicated)
        (void)!psb_agree(d->ctxt, e);
    else if (d->overlap.n)
        psb_halo_refuse(d->ctxt, &d->overlap.plan);
}
