/* sums.c -- base/channel: sums over all processes that stay on devices. */
#include "sums.h"
#include "desc.h"
#include "coll.h"
#include "psb_alloc.h"
#include <string.h>

struct psb_channel *psb_sums_channel(psb_desc *d)
{
    return psb_desc_sums(d)->channel;
}

/* All ranks but `me`, each with one element. */
static psb_err list_others(struct psb_neighbours *s, int me, int np)
{
    PSB_TRY(psb_neighbours_alloc(s, np - 1));
    for (int k = 0; k < np - 1; k++) {
        s->rank[k] = k < me ? k : k + 1;
        s->start[k + 1] = k + 1;
    }
    return PSB_OK;
}

/* One row from each other process, and row 0 to each of them. */
static psb_err plan_sums(struct psb_halo *h, psb_ctxt *ctxt, const struct psb_device *on)
{
    int me, np;
    psb_ipk *idx;
    psb_info(ctxt, &me, &np);
    h->what = "sums";
    if (!h->recv.rank)
        PSB_TRY(list_others(&h->recv, me, np));
    if (!h->send.rank)
        PSB_TRY(list_others(&h->send, me, np));
    psb_dual_free(&h->idx);
    PSB_TRY(psb_dual_init(&h->idx, (size_t)np - 1, sizeof *idx, on, "sums"));
    h->idx.owner = PSB_OF_HALOS;
    PSB_TRY(psb_dual_write(&h->idx, PSB_HOST, &idx));
    memset(idx, 0, ((size_t)np - 1) * sizeof *idx);
    return PSB_OK;
}

/* Each exchange sends a whole row: give the elements that no sum uses a value, on the device. */
static psb_err clear_row(struct psb_channel *c)
{
    double *p;
    PSB_TRY(psb_channel_staging(c, PSB_HOST, true, &p));
    memset(p, 0, PSB_SUMS_ROW * sizeof *p);
    return psb_channel_staging(c, PSB_DEV, false, &p);
}

psb_err psb_sums_make(psb_desc *d, const struct psb_device *on, psb_err err)
{
    struct psb_halo *h = psb_desc_sums(d);
    psb_ctxt *ctxt = psb_cd_ctxt(d);
    bool device = on != NULL;
    const int np = psb_np_of(ctxt);
    PSB_TRY(psb_reduce(ctxt, PSB_MAX, PSB_KIND_b, 1, &device, err));
    if (np == 1 || !device)
        return PSB_OK;
    psb_channel_drop_closed(h);
    if (h->settled)
        return PSB_OK;
    PSB_TRY(psb_agree(ctxt, plan_sums(h, ctxt, on)));
    PSB_TRY(psb_channel_make(ctxt, h, PSB_SUMS_ROW * sizeof(double), on, PSB_CHANNEL_DEVICES));
    PSB_TRY(psb_agree(ctxt, h->channel ? clear_row(h->channel) : PSB_OK));
    h->settled = 1;
    psb_transport_log(ctxt, h);
    return PSB_OK;
}

/* Begin the exchange of *mine, or, unless x is NULL, leave it to a kernel if that can make it. */
static psb_err begin_sums(struct psb_channel *c, const double **mine, void **landed, struct psb_exchange *x)
{
    PSB_TRY(psb_channel_staging(c, PSB_DEV, false, mine));
    const struct psb_outgoing_rows out = { .on = psb_channel_device(c),
                                           .from = *mine,
                                           .row = PSB_SUMS_ROW * sizeof **mine };
    if (x)
        PSB_TRY(psb_channel_prepare(c, &out, landed, x));
    return x && x->by ? PSB_OK : psb_channel_start(c, &out, c, NULL);
}

psb_err psb_sums_exchange(struct psb_channel *c, psb_err err, const double **mine, const double **landed,
                          struct psb_exchange *x)
{
    void *to = NULL;
    psb_err e = err == PSB_OK ? begin_sums(c, mine, &to, x) : err;
    if (e != PSB_OK) {
        psb_channel_refuse(c);
        return PSB_PASS(e);
    }
    if (!x || !x->by)
        PSB_TRY(psb_channel_finish(c, c, &to));
    *landed = to;
    return PSB_OK;
}
