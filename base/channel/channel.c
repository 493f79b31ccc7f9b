/* channel.c -- base/channel: exchanges in a channel, by any transport. */
#include "transport.h"
#include "ctxt.h"
#include "psb_alloc.h"
#include <string.h>

void psb_channel_free(struct psb_channel *c)
{
    if (!c)
        return;
    if (c->on)
        c->on->drain(); /* kernels may still use the memory */
    c->by->close(c);
    if (c->on && c->status)
        c->on->free_host(c->status);
    else
        psb_free(c->status);
    (c->broken ? psb_shared_lose : psb_shared_give)(c->block); /* a late neighbour may still store into it */
    psb_dual_free(&c->staging);
    psb_dual_free(&c->buffer);
    psb_free(c->rank);
    psb_free(c);
}

const struct psb_device *psb_channel_device(const struct psb_channel *c)
{
    return c->on;
}

bool psb_channel_reaches(const struct psb_channel *c, const struct psb_device *on)
{
    return on == c->on || (!on && c->by->by_mpi);
}

psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, bool write, void *p)
{
    return PSB_PASS(write ? psb_dual_write(&c->staging, s, p) : psb_dual_read(&c->staging, s, p));
}

psb_err psb_channel_buffer(struct psb_channel *c, const struct psb_device *on, void *p)
{
    if (c->buffer.on != on) {
        psb_dual_free(&c->buffer);
        PSB_TRY(psb_dual_init(&c->buffer, c->staging.bytes, 1, on, "halo buffer"));
        c->buffer.owner = PSB_OF_HALOS;
    }
    return PSB_PASS(psb_dual_write(&c->buffer, PSB_DEV, p));
}

const struct psb_device *psb_channel_staging_device(const struct psb_channel *c)
{
    return psb_channel_reaches(c, NULL) ? NULL : c->on;
}

psb_err psb_channel_upload(struct psb_channel *c, struct psb_outgoing_rows *out)
{
    out->packed = true;
    out->on = psb_channel_staging_device(c);
    return PSB_PASS(psb_channel_staging(c, out->on ? PSB_DEV : PSB_HOST, false, &out->from));
}

psb_err psb_channel_download(struct psb_channel *c, const void *landed, size_t bytes, const char *cause,
                             void *p)
{
    if (psb_channel_reaches(c, NULL)) {
        memcpy(p, &landed, sizeof landed);
        return PSB_OK;
    }
    PSB_TRY(psb_dual_write(&c->staging, PSB_HOST, p));
    PSB_TRY(psb_get(c->on, c->staging.host, landed, bytes, cause));
    return PSB_PASS(psb_channel_check(c)); /* the copy has waited for the neighbours */
}

size_t psb_channel_row(const struct psb_channel *c)
{
    return c->row;
}

bool psb_channel_is_open(const struct psb_channel *c)
{
    return !c->block || c->block->p;
}

const void *psb_channel_landed(const struct psb_channel *c)
{
    return c ? c->landed : NULL;
}

psb_err psb_channel_check(struct psb_channel *c)
{
    const int status = c ? *(volatile int *)c->status : 0;
    if (status == 0)
        return PSB_OK;
    *c->status = 0;
    c->broken |= status < 0;
    if (status > 0)
        return PSB_FAIL(PSB_EMPI, "process %d sent no %s, now or before: it failed", c->rank[status - 1],
                        psb_channel_what(c->h));
    PSB_CHECK(-status <= c->n, PSB_EMPI,
              "the %s of this process were not sent within %g seconds (PSB_HALO_TIMEOUT)",
              psb_channel_what(c->h), c->seconds);
    return PSB_FAIL(PSB_EMPI, "process %d sent no %s within %g seconds (PSB_HALO_TIMEOUT)",
                    c->rank[-status - 1], psb_channel_what(c->h), c->seconds);
}

void psb_channel_settle(struct psb_channel *c)
{
    if (!c)
        return;
    if (c->on)
        c->broken |= c->on->sync() != PSB_OK;
    c->broken |= *(volatile int *)c->status < 0;
    *(volatile int *)c->status = 0;
}

static psb_err check_outgoing(const struct psb_channel *c, const struct psb_outgoing_rows *out)
{
    PSB_CHECK(out->row <= c->row, PSB_ESTATE, "a halo row has %zu bytes; expected at most %zu", out->row,
              c->row);
    PSB_CHECK(!out->on || psb_channel_is_open(c), PSB_ESTATE,
              "the device was closed after the vector was assembled; expected vectors that are made later");
    PSB_CHECK(!c->broken, PSB_EMPI,
              "an earlier exchange did not come to its end; expected a new descriptor for further ones");
    return PSB_OK;
}

psb_err psb_channel_start(struct psb_channel *c, const struct psb_outgoing_rows *out, void *vector,
                          void (*complete)(void *vector))
{
    PSB_TRY(check_outgoing(c, out));
    PSB_TRY(c->by->put(c, out, false));
    c->vector = vector;
    c->complete = complete;
    return PSB_OK;
}

psb_err psb_channel_prepare(struct psb_channel *c, const struct psb_outgoing_rows *out, void **landed,
                            struct psb_exchange *x)
{
    x->by = NULL;
    if (!c->by->prepare || *(volatile int *)c->status)
        return PSB_OK;
    PSB_TRY(check_outgoing(c, out));
    PSB_TRY(c->by->prepare(c, out, x));
    *landed = c->landed;
    return PSB_OK;
}

void psb_channel_break(struct psb_channel *c)
{
    c->broken = true;
}

void psb_channel_send(struct psb_channel *c)
{
    if (c->vector && c->by->send)
        c->by->send(c);
}

void psb_channel_land(struct psb_channel *c)
{
    if (c->vector && c->complete)
        c->complete(c->vector);
}

static psb_err end_exchange(struct psb_channel *c, const void *vector, void **landed)
{
    PSB_CHECK(c->vector == vector, PSB_ESTATE, "no exchange of the vector is under way in the halo channel");
    c->vector = NULL;
    *landed = c->landed;
    return PSB_OK;
}

psb_err psb_channel_finish(struct psb_channel *c, const void *vector, void **landed)
{
    PSB_TRY(end_exchange(c, vector, landed));
    PSB_TRY(c->by->arrive(c, c->status));
    return PSB_PASS(psb_channel_check(c));
}

psb_err psb_channel_hand_over(struct psb_channel *c, const void *vector, void **landed,
                              struct psb_awaited *wait)
{
    if (!c->by->await || *(volatile int *)c->status)
        return PSB_PASS(psb_channel_finish(c, vector, landed));
    PSB_TRY(end_exchange(c, vector, landed));
    c->by->await(c, wait);
    return PSB_OK;
}

/* The neighbours of a broken channel wait in vain, or for what was sent before. */
void psb_channel_refuse(struct psb_channel *c)
{
    psb_channel_land(c);
    if (!psb_channel_is_open(c) && !c->by->by_mpi)
        return;
    if (c->by->put(c, &(struct psb_outgoing_rows){ .from = NULL }, true) == PSB_OK && !c->broken)
        (void)!c->by->arrive(c, NULL);
}

void psb_halo_refuse(psb_ctxt *ctxt, const struct psb_halo *h)
{
    psb_expect_errors(1);
    const psb_err e = psb_check_ctxt(ctxt);
    psb_expect_errors(0);
    if (e != PSB_OK) /* nobody waits */
        return;
    if (h->channel)
        psb_channel_refuse(h->channel);
    else
        psb_messages_refuse(ctxt, h);
}
