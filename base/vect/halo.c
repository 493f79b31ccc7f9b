/* halo.c -- room: base/vect.  The halo exchange of a vector: by messages, on the host or through pinned
 * memory, or by a channel. */
#include "psb_base.h"
#include "channel.h"
#include "desc.h"
#include "comm.h"
#include "psb_trace.h"
#include <string.h>
#include "psb_type.h"

/* One exchange: its arrays, on one side, and the neighbours it receives from and sends to. */
struct exchange {
    struct psb_halo *h;
    const struct psb_device *on; /* NULL on the host */
    int kind, k;
    const struct psb_neighbours *from, *to;
    T *owned, *halo;
    const psb_ipk *idx; /* the owned rows of the other side's halos */
};

static struct exchange which(psb_desc *d, int kind, const struct psb_device *on)
{
    struct psb_halo *h = psb_desc_halo(d);
    int back = kind & PSB_BACK;
    return (struct exchange){ .h = h,
                              .on = kind & PSB_ON_DEV ? on : NULL,
                              .kind = kind,
                              .from = back ? &h->send : &h->recv,
                              .to = back ? &h->recv : &h->send };
}

static struct exchange of_vector(const struct X(vect) *v, int kind)
{
    struct exchange x = which(v->desc, kind, v->v.on);
    x.k = v->ncols;
    return x;
}

static size_t bytes_of(const struct exchange *x, const struct psb_neighbours *p)
{
    return (size_t)psb_neighbour_rows(p) * (size_t)x->k * sizeof(T);
}

/* If nothing is received, x is opened for reading: both copies stay current. */
static psb_err open_arrays(struct exchange *x, struct X(vect) *v)
{
    enum psb_side s = x->on ? PSB_DEV : PSB_HOST;
    if (x->on)
        PSB_TRY(psb_dual_move(&x->h->idx, x->on));
    PSB_TRY(psb_dual_read(&x->h->idx, s, &x->idx));
    PSB_TRY(psb_neighbour_rows(x->from) ? psb_dual_update(&v->v, s, &x->owned)
                                        : psb_dual_read(&v->v, s, &x->owned));
    x->halo = x->owned + (size_t)psb_cd_local_rows(v->desc) * (size_t)x->k;
    return PSB_OK;
}

/* Pack the elements to send on the device, unless they are contiguous, and start their copy to the host,
 * unless MPI sends them from the device. */
static psb_err pack_dev(const struct exchange *x, struct psb_comm *c)
{
    const T *from = x->halo;
    if (x->to == &x->h->send && psb_neighbour_rows(x->to)) {
        PSB_TRY(x->on->X(vec)->gth(psb_neighbour_rows(x->to), x->idx, x->k, x->owned, c->dev));
        from = c->dev;
    }
    if (!c->direct && psb_neighbour_rows(x->to))
        PSB_TRY(psb_get_async(x->on, c->out, from, bytes_of(x, x->to), "halo sent"));
    return x->on->mark(&c->packed);
}

/* Pack the elements to send on the host, unless those for a neighbour are contiguous. */
static psb_err pack_host(const struct exchange *x, struct psb_comm *c)
{
    const psb_ipk *start = x->to->start;
    for (int k = 0; k < x->to->n; k++)
        if (c->run[k] < 0)
            PSB_TRY(X(vec_host).gth(start[k + 1] - start[k], x->idx + start[k], x->k, x->owned,
                                    (T *)c->out + (size_t)start[k] * (size_t)x->k));
    return PSB_OK;
}

static psb_err prepare(struct exchange *x, struct X(vect) *v)
{
    PSB_TRY(open_arrays(x, v));
    if (x->on)
        return pack_dev(x, v->comm);
    return x->to == &x->h->send ? pack_host(x, v->comm) : PSB_OK;
}

/* The halo is received and sent in place on the host, and on a device if messages are direct. */
static psb_err post(const struct exchange *x, struct X(vect) *v)
{
    struct psb_comm *c = v->comm;
    struct psb_transfer r = { .kind = x->kind, .from = x->from, .to = x->to, .in = c->in, .out = c->out };
    if (x->on && c->direct)
        r.in = r.out = c->dev;
    if (x->on && !c->direct)
        return psb_comm_begin(c, v->desc, &r);
    if (x->from == &x->h->recv)
        r.in = (char *)x->halo;
    else
        r.out = (char *)x->halo;
    if (!x->on && x->from == &x->h->recv)
        r.rows = (char *)x->owned;
    return psb_comm_begin(c, v->desc, &r);
}

/* This process failed with e: refuse the exchange. */
static psb_err refuse(const struct exchange *x, const psb_desc *d, psb_err e)
{
    if (x->h->channel)
        psb_channel_refuse(x->h->channel);
    else
        psb_comm_refuse(d, x->from, x->to);
    return e;
}

/* Add the elements received from the halos of neighbours, one neighbour after the other: a fixed order. */
static psb_err add_parts(const struct exchange *x, const struct X(vec_ops) *ops, const T *in)
{
    for (int k = 0; k < x->from->n; k++) {
        psb_ipk a = x->from->start[k];
        PSB_TRY(ops->scatter_add(x->from->start[k + 1] - a, x->idx + a, x->k, in + (size_t)a * (size_t)x->k,
                                 x->owned));
    }
    return PSB_OK;
}

/* --- through a channel ---------------------------------------------------------------------------------- */

static size_t row_of(const struct X(vect) *v)
{
    return (size_t)v->ncols * sizeof(T);
}

static struct psb_channel *channel_of(const struct X(vect) *v)
{
    return v->desc ? psb_desc_halo(v->desc)->channel : NULL;
}

/* Is x on the device of the channel, which can then access its arrays? */
static int is_near(const struct exchange *x)
{
    return x->on == psb_channel_device(x->h->channel);
}

/* Copy the rows to send from the host to the channel's device; *from is where they lie there. */
static psb_err upload(const struct exchange *x, struct psb_channel *c, const void **from)
{
    T *p;
    PSB_TRY(psb_channel_staging(c, PSB_HOST, 1, &p));
    if (x->to == &x->h->send)
        PSB_TRY(X(vec_host).gth(psb_neighbour_rows(x->to), x->idx, x->k, x->owned, p));
    else if (psb_neighbour_rows(x->to))
        memcpy(p, x->halo, bytes_of(x, x->to));
    return psb_channel_staging(c, PSB_DEV, 0, from);
}

/* Open the arrays of x for reading: on the host unless the channel can access them. */
static psb_err open_for_sending(struct exchange *x, const struct X(vect) *v)
{
    enum psb_side s = is_near(x) ? PSB_DEV : PSB_HOST;
    if (s == PSB_DEV)
        PSB_TRY(psb_dual_move(&x->h->idx, x->on));
    PSB_TRY(psb_dual_read(&x->h->idx, s, &x->idx));
    PSB_TRY(psb_dual_read(&v->v, s, &x->owned));
    x->halo = x->owned + (size_t)psb_cd_local_rows(v->desc) * (size_t)x->k;
    return PSB_OK;
}

static void complete(void *vector);

static psb_err begin_in_channel(struct exchange *x, struct X(vect) *v, psb_err before)
{
    struct psb_channel *c = channel_of(v);
    struct psb_outgoing_rows out = { .back = x->kind & PSB_BACK, .row = row_of(v) };
    psb_channel_land(c); /* it may still read the staging memory */
    psb_err e = before == PSB_OK ? open_for_sending(x, v) : before;
    if (e == PSB_OK && psb_neighbour_rows(x->to) > 0) {
        out.from = out.back ? x->halo : x->owned;
        out.packed = !is_near(x);
        if (out.packed)
            e = upload(x, c, &out.from);
    }
    if (e == PSB_OK)
        e = psb_channel_start(c, &out, v, complete);
    if (e != PSB_OK) {
        psb_channel_refuse(c);
        return e;
    }
    v->kind = x->kind;
    v->in_channel = PSB_UNDER_WAY;
    return PSB_OK;
}

/* Copy the rows that landed to the host, and on to another device than the channel's; *in is where they lie,
 * and *made, unless it is NULL, memory of that device. */
static psb_err download(const struct exchange *x, const void *landed, const T **in, void **made)
{
    const size_t bytes = bytes_of(x, x->from);
    PSB_TRY(psb_channel_download(x->h->channel, landed, bytes, "halo received", in));
    if (!x->on)
        return PSB_OK;
    PSB_TRY(x->on->alloc(made, bytes, "halo buffer"));
    PSB_TRY(psb_put(x->on, *made, *in, bytes, "halo received"));
    *in = *made;
    return PSB_OK;
}

/* Store the rows at `in` in the halo of v, or add them to the rows owned. */
static psb_err store_from(struct exchange *x, struct X(vect) *v, const T *in)
{
    const struct X(vec_ops) *ops = X(vec)(x->on ? PSB_DEV : PSB_HOST, x->on);
    PSB_TRY(open_arrays(x, v));
    return x->from == &x->h->send
               ? add_parts(x, ops, in)
               : ops->axpby((psb_epk)psb_neighbour_rows(x->from) * x->k, 1, in, 0, x->halo);
}

static psb_err store(struct exchange *x, struct X(vect) *v, const void *landed)
{
    const T *in = landed;
    void *made = NULL;
    if (psb_neighbour_rows(x->from) == 0)
        return PSB_OK;
    psb_err e = is_near(x) ? PSB_OK : download(x, landed, &in, &made);
    if (e == PSB_OK)
        e = store_from(x, v, in);
    if (made) {
        if (e == PSB_OK)
            e = x->on->sync();
        x->on->free(made);
    }
    return e;
}

/* Complete the exchange of a vector, as another one starts; its end returns the result. */
static void complete(void *vector)
{
    struct X(vect) *v = vector;
    struct exchange x = of_vector(v, v->kind);
    void *landed;
    v->in_channel = PSB_COMPLETED;
    v->landed = psb_channel_finish(x.h->channel, v, &landed);
    if (v->landed == PSB_OK)
        v->landed = store(&x, v, landed);
}

/* Complete the exchange of v.  With `at` the rows for its halo stay where they land on the device, *at; what
 * reads them waits as *wait says. */
static psb_err finish_in_channel(struct X(vect) *v, const T **at, struct psb_awaited *wait)
{
    struct exchange x = of_vector(v, v->kind);
    const enum psb_in_channel was = v->in_channel;
    void *landed;
    v->in_channel = PSB_NOT_IN_CHANNEL;
    if (was == PSB_COMPLETED)
        return v->landed == PSB_OK ? PSB_OK
                                   : PSB_FAIL(v->landed, "the exchange failed as another one started");
    if (at && is_near(&x) && x.from == &x.h->recv) {
        PSB_TRY(psb_channel_hand_over(x.h->channel, v, &landed, wait));
        *at = landed;
        return PSB_OK;
    }
    PSB_TRY(psb_channel_finish(x.h->channel, v, &landed));
    return store(&x, v, landed);
}

void X(vect_abandon)(struct X(vect) *v)
{
    struct psb_awaited wait = { 0 };
    const T *at;
    if (v->in_channel == PSB_NOT_IN_CHANNEL)
        return;
    (void)PSB_FAIL(PSB_ESTATE, "a vector is freed while its halo is exchanged; expected psb_halo_end before");
    if (finish_in_channel(v, &at, &wait) == PSB_OK)
        (void)!psb_await(&wait);
}

/* --- a start and an end --------------------------------------------------------------------------------- */

void X(halo_refuse)(psb_desc *d, char trans)
{
    struct exchange x = which(d, trans == 'N' ? PSB_FORTH : PSB_BACK, NULL);
    (void)refuse(&x, d, PSB_OK);
}

static int in_flight(const struct X(vect) *v)
{
    return v->in_channel != PSB_NOT_IN_CHANNEL || (v->comm && v->comm->flight != PSB_IDLE);
}

psb_err X(vect_check_idle)(const struct X(vect) *v)
{
    PSB_CHECK(!in_flight(v), PSB_ESTATE,
              "the halo of the vector is being exchanged; expected psb_halo_end before");
    return PSB_OK;
}

static psb_err begin(struct X(vect) *v, enum psb_side s, char trans, psb_err before)
{
    int kind = (trans == 'N' ? PSB_FORTH : PSB_BACK) | (s == PSB_DEV ? PSB_ON_DEV : PSB_ON_HOST);
    struct exchange x = of_vector(v, kind);
    psb_err e = before;
    if (e == PSB_OK)
        e = X(vect_check_idle)(v);
    if (x.h->channel)
        return begin_in_channel(&x, v, e);
    if (e == PSB_OK && v->comm->on)
        e = v->comm->on->wait(v->comm->landed);
    if (e == PSB_OK && psb_neighbour_rows(x.from) + psb_neighbour_rows(x.to) > 0)
        e = prepare(&x, v);
    if (e != PSB_OK)
        return refuse(&x, v->desc, e);
    if (!x.on)
        return post(&x, v);
    v->comm->kind = kind;
    v->comm->flight = PSB_PACKED; /* halo_finish sends when the packing is done */
    return PSB_OK;
}

/* The halo of a const vector may change: it is a cache of other processes' values. */
psb_err X(halo_begin)(const struct X(vect) *x, enum psb_side s, char trans, psb_err before)
{
    struct X(vect) *v = (struct X(vect) *)x;
    psb_range_begin(v->v.on, "halo", "start");
    psb_err e = begin(v, s, trans, before);
    psb_range_end(v->v.on);
    return PSB_PASS(e);
}

/* Send the elements that the device has packed. */
static psb_err post_packed(struct exchange *x, struct X(vect) *v)
{
    psb_err e = x->on ? x->on->wait(v->comm->packed) : PSB_OK;
    if (e == PSB_OK && x->on && v->comm->direct &&
        psb_neighbour_rows(x->from) + psb_neighbour_rows(x->to) > 0)
        e = open_arrays(x, v);
    v->comm->flight = PSB_IDLE;
    if (e != PSB_OK)
        return refuse(x, v->desc, e);
    return post(x, v);
}

/* Copy the elements received to the device, unless they are there: into the halo, or through a buffer to add
 * them to owned ones. */
static psb_err unpack_dev(const struct exchange *x, struct psb_comm *c)
{
    int to_halo = x->from == &x->h->recv;
    if (!c->direct)
        PSB_TRY(psb_put_async(x->on, to_halo ? (void *)x->halo : c->dev, c->in, bytes_of(x, x->from),
                              "halo received"));
    PSB_TRY(x->on->mark(&c->landed));
    return to_halo ? PSB_OK : add_parts(x, x->on->X(vec), c->dev);
}

static psb_err finish(struct X(vect) *v, const T **at, struct psb_awaited *wait)
{
    if (v->in_channel != PSB_NOT_IN_CHANNEL)
        return finish_in_channel(v, at, wait);
    struct psb_comm *c = v->comm;
    struct exchange x = of_vector(v, c->kind);
    if (c->flight == PSB_PACKED)
        PSB_TRY(post_packed(&x, v));
    PSB_TRY(psb_comm_finish(c, x.from));
    if (psb_neighbour_rows(x.from) == 0)
        return PSB_OK;
    PSB_TRY(open_arrays(&x, v));
    if (x.on)
        return unpack_dev(&x, c);
    return x.from == &x.h->send ? add_parts(&x, &X(vec_host), c->in) : PSB_OK;
}

psb_err X(halo_finish)(const struct X(vect) *x, const T **at, struct psb_awaited *wait)
{
    struct X(vect) *v = (struct X(vect) *)x;
    psb_range_begin(v->v.on, "halo", "end");
    psb_err e = finish(v, at, wait);
    psb_range_end(v->v.on);
    return PSB_PASS(e);
}

/* --- for callers -------------------------------------------------------------------------------------- */

static psb_err check_distributed(const struct X(vect) *x)
{
    PSB_CHECK(psb_is_live(x) && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              psb_is_live(x) ? "local" : psb_handle_state(x));
    return PSB_OK;
}

static psb_err check(const struct X(vect) *x, char trans)
{
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    PSB_CHECK(trans == 'N' || trans == 'T', PSB_EARG, "argument trans is '%c'; expected 'N' or 'T'", trans);
    return PSB_OK;
}

psb_err X(halo_start)(struct X(vect) *x, char trans)
{
    PSB_TRY(check_distributed(x));
    PSB_TRY(X(vect_check_idle)(x)); /* fails here only; the exchange under way goes on */
    PSB_TRY(X(halo_begin)(x, X(vect_side)(x, x), trans == 'T' ? 'T' : 'N', check(x, trans)));
    if (x->in_channel != PSB_NOT_IN_CHANNEL || x->comm->flight == PSB_POSTED)
        return PSB_OK;
    struct exchange now = of_vector(x, x->comm->kind);
    return PSB_PASS(post_packed(&now, x)); /* messages must be sent in the order of the starts */
}

psb_err X(halo_end)(struct X(vect) *x)
{
    PSB_TRY(check_distributed(x));
    PSB_CHECK(in_flight(x), PSB_ESTATE,
              "no exchange of the halo of x is under way; expected psb_halo_start before");
    return PSB_PASS(X(halo_finish)(x, NULL, NULL));
}

psb_err X(halo)(struct X(vect) *x, char trans)
{
    PSB_TRY(check_distributed(x));
    PSB_TRY(X(halo_begin)(x, X(vect_side)(x, x), trans == 'T' ? 'T' : 'N', check(x, trans)));
    return PSB_PASS(X(halo_finish)(x, NULL, NULL));
}
