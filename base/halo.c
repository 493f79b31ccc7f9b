/* halo.c -- room: base.  The halo exchange of a vector, on the host or through pinned memory. */
#include "psb_base.h"
#include "comm.h"
#include "psb_type.h"

/* What an exchange works with: the arrays on side s, and who sends what to whom for this op. */
struct exchange {
    struct psb_halo *h;
    const struct psb_device *on; /* NULL on the host */
    const struct psb_side_plan *from, *to;
    T *owned, *halo;
    const psb_ipk *idx; /* the owned elements of the other side's halos */
};

static psb_ipk total(const struct psb_side_plan *p)
{
    return p->start[p->n];
}

static struct exchange which(struct X(vect) *x, enum psb_side s, char trans)
{
    struct psb_halo *h = psb_desc_halo(x->desc);
    return (struct exchange){ .h = h,
                              .on = s == PSB_DEV ? x->v.on : NULL,
                              .from = trans == 'N' ? &h->recv : &h->send,
                              .to = trans == 'N' ? &h->send : &h->recv };
}

/* Nothing to receive: x stays as it is, on both sides. */
static psb_err open_arrays(struct exchange *x, struct X(vect) *v, enum psb_side s)
{
    if (x->on)
        PSB_TRY(psb_dual_move(&x->h->idx, x->on));
    PSB_TRY(psb_dual_read(&x->h->idx, s, &x->idx));
    PSB_TRY(total(x->from) ? psb_dual_update(&v->v, s, &x->owned) : psb_dual_read(&v->v, s, &x->owned));
    x->halo = x->owned + psb_cd_local_rows(v->desc);
    return PSB_OK;
}

/* On the device: what is to be sent, packed there where it is scattered, sets out for the host. */
static psb_err pack_dev(const struct exchange *x, struct psb_comm *c)
{
    size_t bytes = (size_t)total(x->to) * sizeof(T);
    const T *from = x->halo;
    if (x->to == &x->h->send) {
        PSB_TRY(x->on->X(vec)->gth(total(x->to), x->idx, x->owned, c->dev));
        from = c->dev;
    }
    PSB_TRY(psb_get_async(x->on, c->out, from, bytes, "halo sent"));
    return x->on->mark(&c->packed);
}

static psb_err prepare(struct exchange *x, struct X(vect) *v, enum psb_side s)
{
    PSB_TRY(open_arrays(x, v, s));
    if (x->on)
        return total(x->to) ? pack_dev(x, v->comm) : PSB_OK;
    return x->to == &x->h->send ? X(vec_host).gth(total(x->to), x->idx, x->owned, v->comm->out) : PSB_OK;
}

/* On the host the halo is sent from, and received to, where it lies. */
static psb_err begin(const struct exchange *x, struct X(vect) *v)
{
    struct psb_comm *c = v->comm;
    int plain = !x->on && c->failed == PSB_OK;
    void *in = plain && x->from == &x->h->recv ? (void *)x->halo : c->in;
    const void *out = plain && x->to == &x->h->recv ? (void *)x->halo : c->out;
    if (c->on)
        PSB_TRY(c->on->wait(c->landed));
    return psb_comm_begin(c, v->desc, x->from, in, x->to, out, TMPI);
}

psb_err X(halo_start)(struct X(vect) *v, enum psb_side s, char trans, psb_err before)
{
    struct exchange x = which(v, s, trans);
    if (total(x.from) + total(x.to) == 0)
        return before;
    struct psb_comm *c = v->comm;
    c->failed = before != PSB_OK ? before : prepare(&x, v, s);
    if (x.on && c->failed == PSB_OK)
        return PSB_OK; /* the messages go out in halo_end, when the packing is done */
    PSB_TRY(begin(&x, v));
    return c->failed;
}

/* What came from process k's halo is added here, one neighbour after the other: a fixed order. */
static psb_err add_parts(const struct exchange *x, const struct X(vec_ops) *ops, const T *in)
{
    for (int k = 0; k < x->from->n; k++) {
        psb_ipk a = x->from->start[k];
        PSB_TRY(ops->sct(x->from->start[k + 1] - a, x->idx + a, in + a, x->owned));
    }
    return PSB_OK;
}

/* What came in goes up to the device: into the halo, or through a buffer into the owned elements. */
static psb_err unpack_dev(const struct exchange *x, struct psb_comm *c)
{
    int to_halo = x->from == &x->h->recv;
    PSB_TRY(psb_put_async(x->on, to_halo ? (void *)x->halo : c->dev, c->in,
                          (size_t)total(x->from) * sizeof(T), "halo received"));
    PSB_TRY(x->on->mark(&c->landed));
    return to_halo ? PSB_OK : add_parts(x, x->on->X(vec), c->dev);
}

psb_err X(halo_end)(struct X(vect) *v, enum psb_side s, char trans)
{
    struct exchange x = which(v, s, trans);
    struct psb_comm *c = v->comm;
    if (total(x.from) + total(x.to) == 0)
        return PSB_OK;
    if (x.on && c->failed == PSB_OK) {
        c->failed = x.on->wait(c->packed);
        PSB_TRY(begin(&x, v));
    }
    PSB_TRY(psb_comm_finish(c, x.from, x.to, TMPI));
    PSB_TRY(c->failed);
    PSB_TRY(open_arrays(&x, v, s));
    if (x.on)
        return total(x.from) ? unpack_dev(&x, c) : PSB_OK;
    return x.from == &x.h->send ? add_parts(&x, &X(vec_host), c->in) : PSB_OK;
}

psb_err X(halo)(struct X(vect) *x, char trans)
{
    PSB_CHECK(x && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              x ? "local" : "NULL");
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    PSB_CHECK(trans == 'N' || trans == 'T', PSB_EARG, "argument trans is '%c'; expected 'N' or 'T'", trans);
    enum psb_side s = X(vect_side)(x, x);
    psb_err e = X(halo_start)(x, s, trans, PSB_OK);
    psb_err f = X(halo_end)(x, s, trans);
    return e != PSB_OK ? e : f;
}
