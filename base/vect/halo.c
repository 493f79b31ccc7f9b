/* halo.c -- base/vect: the halo exchange of a vector, in the channel of its descriptor. */
#include "vect.h"
#include "channel.h"
#include "ctxt.h"
#include "desc.h"
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

static struct exchange of_vector(const struct X(vect) *v, int kind)
{
    struct psb_halo *h = psb_desc_halo(v->desc);
    const int back = kind & PSB_BACK;
    return (struct exchange){ .h = h,
                              .on = kind & PSB_ON_DEV ? v->v.on : NULL,
                              .kind = kind,
                              .k = v->ncols,
                              .from = back ? &h->send : &h->recv,
                              .to = back ? &h->recv : &h->send };
}

static size_t bytes_of(const struct exchange *x, const struct psb_neighbours *p)
{
    return (size_t)psb_neighbour_rows(p) * (size_t)x->k * sizeof(T);
}

static struct psb_channel *channel_of(const struct X(vect) *v)
{
    return psb_desc_halo(v->desc)->channel;
}

/* --- the start ------------------------------------------------------------------------------------------ */

psb_err X(gather_rows)(const struct psb_device *on, psb_ipk n, const psb_ipk *idx, size_t row,
                       const void *from, void *to)
{
    const struct X(vec_ops) *ops = X(vec)(on ? PSB_DEV : PSB_HOST, on);
    return PSB_PASS(ops->gth(n, idx, (int)(row / sizeof(T)), from, to));
}

/* Open the arrays of x for reading, or, with `change`, to change some elements of v. */
static psb_err open_arrays(struct exchange *x, struct X(vect) *v, bool change)
{
    const enum psb_side s = x->on ? PSB_DEV : PSB_HOST;
    if (x->on)
        PSB_TRY(psb_dual_move(&x->h->idx, x->on));
    PSB_TRY(psb_dual_read(&x->h->idx, s, &x->idx));
    PSB_TRY(change ? psb_dual_update(&v->v, s, &x->owned) : psb_dual_read(&v->v, s, &x->owned));
    x->halo = x->owned + (size_t)psb_cd_local_rows(v->desc) * (size_t)x->k;
    return PSB_OK;
}

/* Copy the rows to send, packed, to memory of the host at `to`; if x is on a device, `packed` is memory of it
 * for them. */
static psb_err pack_rows(const struct exchange *x, T *packed, T *to)
{
    const int forth = x->to == &x->h->send;
    T *const at = x->on ? packed : to;
    const T *from = forth ? at : x->halo;
    if (forth)
        PSB_TRY(
            X(gather_rows)(x->on, psb_neighbour_rows(x->to), x->idx, (size_t)x->k * sizeof(T), x->owned, at));
    if (x->on)
        return psb_get(x->on, to, from, bytes_of(x, x->to), "halo sent");
    if (from != to)
        memcpy(to, from, bytes_of(x, x->to));
    return PSB_OK;
}

/* The channel does not reach the memory of x: copy the rows to send through the host. */
static psb_err stage_halo(const struct exchange *x, struct psb_outgoing_rows *out)
{
    T *to, *packed = NULL;
    PSB_TRY(psb_channel_staging(x->h->channel, PSB_HOST, true, &to));
    if (x->on)
        PSB_TRY(psb_channel_buffer(x->h->channel, x->on, &packed));
    PSB_TRY(pack_rows(x, packed, to));
    return psb_channel_upload(x->h->channel, out);
}

static bool is_near(const struct exchange *x)
{
    return psb_channel_reaches(x->h->channel, x->on);
}

/* What is sent: rows where they lie, if the channel reaches them. */
static psb_err find_rows(const struct exchange *x, struct psb_outgoing_rows *out)
{
    if (is_near(x)) {
        out->on = x->on;
        out->into = out->back ? NULL : x->halo;
        out->from = out->back ? x->halo : x->owned;
        return PSB_OK;
    }
    out->on = psb_channel_staging_device(x->h->channel);
    return psb_neighbour_rows(x->to) ? stage_halo(x, out) : PSB_OK;
}

static void complete_exchange(void *vector);

static psb_err start_exchange(struct exchange *x, struct X(vect) *v, psb_err err)
{
    struct psb_channel *c = x->h->channel;
    struct psb_outgoing_rows out = { .back = x->kind & PSB_BACK,
                                     .row = (size_t)x->k * sizeof(T),
                                     .gather = X(gather_rows) };
    psb_channel_land(c); /* it may still read the staging memory */
    psb_err e = err == PSB_OK ? open_arrays(x, v, 0) : err;
    PSB_THEN(e, find_rows(x, &out));
    PSB_THEN(e, psb_channel_start(c, &out, v, complete_exchange));
    if (e != PSB_OK)
        psb_channel_refuse(c);
    return e;
}

static bool in_flight(const struct X(vect) *v)
{
    return v->exchange != PSB_IDLE;
}

static psb_err begin_exchange(struct X(vect) *v, enum psb_side s, char trans, psb_err err)
{
    int kind = (trans == 'N' ? PSB_FORTH : PSB_BACK) | (s == PSB_DEV ? PSB_ON_DEV : PSB_ON_HOST);
    struct exchange x = of_vector(v, kind);
    PSB_TRY(psb_check_ctxt(v->desc->ctxt));
    psb_err e = err == PSB_OK ? X(vect_check_idle)(v) : err;
    if (x.h->channel)
        e = start_exchange(&x, v, e);
    PSB_TRY(e);
    v->kind = kind;
    v->exchange = x.h->channel ? PSB_UNDER_WAY : PSB_COMPLETED;
    v->landed = PSB_OK;
    return PSB_OK;
}

/* Begin a range; without neighbours and a profiler there is none, since clocks take time. */
static struct psb_range begin_range(const struct X(vect) *v, const char *what)
{
    return v->v.on || channel_of(v) ? psb_range_begin(v->v.on, "halo", what)
                                    : (struct psb_range){ .since = 0 };
}

/* The halo of a const vector may change: it is a cache of other processes' values. */
psb_err X(halo_begin)(const struct X(vect) *x, enum psb_side s, char trans, psb_err err)
{
    struct X(vect) *v = (struct X(vect) *)x;
    const struct psb_range range = begin_range(v, "start");
    psb_err e = begin_exchange(v, s, trans, err);
    psb_range_end(&range);
    v->since = e == PSB_OK && v->exchange == PSB_UNDER_WAY ? range.since : 0;
    return PSB_PASS(e);
}

/* --- the end -------------------------------------------------------------------------------------------- */

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

/* Copy the rows that landed to the host, and on to another device than the channel's; *in is where they lie.
 */
static psb_err download_landed(const struct exchange *x, const void *landed, const T **in)
{
    const size_t bytes = bytes_of(x, x->from);
    T *there;
    PSB_TRY(psb_channel_download(x->h->channel, landed, bytes, "halo received", in));
    if (!x->on)
        return PSB_OK;
    PSB_TRY(psb_channel_buffer(x->h->channel, x->on, &there));
    PSB_TRY(psb_put(x->on, there, *in, bytes, "halo received"));
    *in = there;
    return PSB_OK;
}

/* Store the rows at `in` in the halo of v, unless `in` is NULL: they are there; or add them to the rows
 * owned. */
static psb_err store_from(struct exchange *x, struct X(vect) *v, const T *in)
{
    const struct X(vec_ops) *ops = X(vec)(x->on ? PSB_DEV : PSB_HOST, x->on);
    PSB_TRY(open_arrays(x, v, 1));
    if (!in)
        return PSB_OK;
    return x->from == &x->h->send
               ? add_parts(x, ops, in)
               : ops->axpby((psb_epk)psb_neighbour_rows(x->from) * x->k, 1, in, 0, x->halo);
}

static psb_err store_landed(struct exchange *x, struct X(vect) *v, const void *landed)
{
    const T *in = landed;
    if (psb_neighbour_rows(x->from) == 0)
        return PSB_OK;
    if (!is_near(x))
        PSB_TRY(download_landed(x, landed, &in));
    return store_from(x, v, in);
}

/* Complete the exchange of a vector, as another one starts; its end returns the result. */
static void complete_exchange(void *vector)
{
    struct X(vect) *v = vector;
    struct exchange x = of_vector(v, v->kind);
    void *landed;
    v->exchange = PSB_COMPLETED;
    v->landed = psb_channel_finish(x.h->channel, v, &landed);
    if (v->landed == PSB_OK)
        v->landed = store_landed(&x, v, landed);
}

/* Complete the exchange of v.  With `at` the rows for its halo stay where they land on the device, *at; what
 * reads them waits as *wait says. */
static psb_err finish_exchange(struct X(vect) *v, const T **at, struct psb_awaited *wait)
{
    struct exchange x = of_vector(v, v->kind);
    const enum psb_exchange_state was = v->exchange;
    void *landed;
    v->exchange = PSB_IDLE;
    PSB_TRY(psb_check_ctxt(v->desc->ctxt));
    if (was == PSB_COMPLETED)
        return v->landed == PSB_OK ? PSB_OK
                                   : PSB_FAIL(v->landed, "the exchange failed as another one started");
    if (at && is_near(&x) && x.from == &x.h->recv) {
        PSB_TRY(psb_channel_hand_over(x.h->channel, v, &landed, wait));
        if (landed)
            *at = landed;
        return landed ? PSB_OK : store_landed(&x, v, NULL);
    }
    PSB_TRY(psb_channel_finish(x.h->channel, v, &landed));
    return store_landed(&x, v, landed);
}

void X(vect_abandon)(struct X(vect) *v)
{
    struct psb_awaited wait = { 0 };
    const T *at;
    if (!in_flight(v))
        return;
    psb_tell(psb_fail(PSB_ESTATE, __FILE__, "psb_gefree",
                      "a vector is freed while its halo is exchanged; expected psb_halo_end before"));
    if (finish_exchange(v, &at, &wait) == PSB_OK)
        (void)!psb_await(&wait);
}

void X(halo_refuse)(psb_desc *d)
{
    psb_halo_refuse(psb_cd_ctxt(d), psb_desc_halo(d));
}

psb_err X(halo_finish)(const struct X(vect) *x, const T **at, struct psb_awaited *wait)
{
    struct X(vect) *v = (struct X(vect) *)x;
    const struct psb_range range = begin_range(v, "end");
    psb_err e = finish_exchange(v, at, wait);
    psb_range_end(&range);
    psb_range_end(&(struct psb_range){ .of = "halo", .what = "under way", .since = v->since });
    return PSB_PASS(e);
}

/* --- for callers -------------------------------------------------------------------------------------- */

static psb_err check_halo(const struct X(vect) *x, char trans)
{
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    PSB_CHECK(trans == 'N' || trans == 'T', PSB_EARG, "argument trans is '%c'; expected 'N' or 'T'", trans);
    return PSB_OK;
}

psb_err X(halo_start)(struct X(vect) *x, char trans)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(X(vect_check_idle)(x)); /* fails here only; the exchange under way goes on */
    PSB_TRY(X(halo_begin)(x, X(vect_side)(x, x), trans == 'T' ? 'T' : 'N', check_halo(x, trans)));
    if (channel_of(x))
        psb_channel_send(channel_of(x));
    return PSB_OK;
}

psb_err X(halo_end)(struct X(vect) *x)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_CHECK(in_flight(x), PSB_ESTATE,
              "no exchange of the halo of x is under way; expected psb_halo_start before");
    return PSB_PASS(X(halo_finish)(x, NULL, NULL));
}

psb_err X(halo)(struct X(vect) *x, char trans)
{
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(X(halo_begin)(x, X(vect_side)(x, x), trans == 'T' ? 'T' : 'N', check_halo(x, trans)));
    return PSB_PASS(X(halo_finish)(x, NULL, NULL));
}
