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
    return p->n ? p->start[p->n] : 0; /* no plan yet: nothing */
}

static struct exchange which(psb_desc *d, const struct psb_device *on, char trans)
{
    struct psb_halo *h = psb_desc_halo(d);
    return (struct exchange){
        .h = h, .on = on, .from = trans == 'N' ? &h->recv : &h->send, .to = trans == 'N' ? &h->send : &h->recv
    };
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
    void *in = !x->on && x->from == &x->h->recv ? (void *)x->halo : c->in;
    const void *out = !x->on && x->to == &x->h->recv ? (void *)x->halo : c->out;
    return psb_comm_begin(c, v->desc, x->from, in, x->to, out, TMPI);
}

/* No exchange for this process, which failed with e. */
static psb_err refuse(const struct exchange *x, const psb_desc *d, psb_err e)
{
    psb_comm_refuse(d, x->from, x->to, TMPI);
    return e;
}

void X(halo_refuse)(psb_desc *d, char trans)
{
    struct exchange x = which(d, NULL, trans);
    refuse(&x, d, PSB_OK);
}

psb_err X(halo_start)(struct X(vect) *v, enum psb_side s, char trans, psb_err before)
{
    struct exchange x = which(v->desc, s == PSB_DEV ? v->v.on : NULL, trans);
    if (total(x.from) + total(x.to) == 0)
        return before;
    psb_err e = before;
    if (e == PSB_OK && v->comm->on)
        e = v->comm->on->wait(v->comm->landed);
    if (e == PSB_OK)
        e = prepare(&x, v, s);
    if (e != PSB_OK)
        return refuse(&x, v->desc, e);
    return x.on ? PSB_OK : begin(&x, v); /* from a device: in halo_end, when the packing is done */
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
    struct exchange x = which(v->desc, s == PSB_DEV ? v->v.on : NULL, trans);
    struct psb_comm *c = v->comm;
    if (total(x.from) + total(x.to) == 0)
        return PSB_OK;
    if (x.on) {
        psb_err e = x.on->wait(c->packed);
        if (e != PSB_OK)
            return refuse(&x, v->desc, e);
        PSB_TRY(begin(&x, v));
    }
    PSB_TRY(psb_comm_finish(c, x.from, x.to, TMPI));
    PSB_TRY(open_arrays(&x, v, s));
    if (x.on)
        return total(x.from) ? unpack_dev(&x, c) : PSB_OK;
    return x.from == &x.h->send ? add_parts(&x, &X(vec_host), c->in) : PSB_OK;
}

static psb_err check(const struct X(vect) *x, char trans)
{
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    PSB_CHECK(trans == 'N' || trans == 'T', PSB_EARG, "argument trans is '%c'; expected 'N' or 'T'", trans);
    return PSB_OK;
}

psb_err X(halo)(struct X(vect) *x, char trans)
{
    PSB_CHECK(x && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              x ? "local" : "NULL");
    enum psb_side s = X(vect_side)(x, x);
    PSB_TRY(X(halo_start)(x, s, trans == 'T' ? 'T' : 'N', check(x, trans)));
    return X(halo_end)(x, s, trans);
}
