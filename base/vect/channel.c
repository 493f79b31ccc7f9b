/* channel.c -- room: base/vect.  Exchanges in a channel, by any transport. */
#include "channel_inside.h"
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
    for (int dir = 0; dir < PSB_DIRS; dir++)
        if (c->peer[dir])
            c->on->free(c->peer[dir]);
    if (c->counts)
        c->on->free(c->counts);
    if (c->on && c->status)
        c->on->free_host(c->status);
    else
        psb_free(c->status);
    (c->broken ? psb_shared_lose : psb_shared_give)(c->block); /* a late neighbour may still store into it */
    psb_dual_free(&c->staging);
    psb_free(c->rank);
    psb_free(c->far);
    psb_free(c);
}

const struct psb_device *psb_channel_device(const struct psb_channel *c)
{
    return c->on;
}

int psb_channel_reaches(const struct psb_channel *c, const struct psb_device *on)
{
    return on == c->on || (!on && c->by->by_mpi);
}

psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, int write, void *p)
{
    return PSB_PASS(write ? psb_dual_write(&c->staging, s, p) : psb_dual_read(&c->staging, s, p));
}

const struct psb_device *psb_channel_staging_device(const struct psb_channel *c)
{
    return psb_channel_reaches(c, NULL) ? NULL : c->on;
}

psb_err psb_channel_upload(struct psb_channel *c, struct psb_outgoing_rows *out)
{
    out->packed = 1;
    out->on = psb_channel_staging_device(c);
    return PSB_PASS(psb_channel_staging(c, out->on ? PSB_DEV : PSB_HOST, 0, &out->from));
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

int psb_channel_is_open(const struct psb_channel *c)
{
    return !c->block || c->block->p;
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

static psb_err check_start(const struct psb_channel *c, const struct psb_outgoing_rows *out)
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
    PSB_TRY(check_start(c, out));
    PSB_TRY(c->by->put(c, out, 0));
    c->vector = vector;
    c->complete = complete;
    return PSB_OK;
}

psb_err psb_channel_prepare(struct psb_channel *c, const struct psb_outgoing_rows *out, void **landed,
                            struct psb_exchange *x)
{
    x->by = NULL;
    if (!c->by->outgoing || *(volatile int *)c->status)
        return PSB_OK;
    PSB_TRY(check_start(c, out));
    PSB_TRY(c->by->outgoing(c, out, 0, &x->put));
    c->by->arrival(c, c->status, &x->arrival);
    c->started++;
    x->by = c->on->onesided;
    *landed = c->landed = psb_landing(c);
    return PSB_OK;
}

void psb_channel_break(struct psb_channel *c)
{
    c->broken = 1;
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

static psb_err end(struct psb_channel *c, const void *vector, void **landed)
{
    PSB_CHECK(c->vector == vector, PSB_ESTATE, "no exchange of the vector is under way in the halo channel");
    c->vector = NULL;
    *landed = c->landed;
    return PSB_OK;
}

psb_err psb_channel_finish(struct psb_channel *c, const void *vector, void **landed)
{
    PSB_TRY(end(c, vector, landed));
    PSB_TRY(c->by->arrive(c, c->status));
    return PSB_PASS(psb_channel_check(c));
}

psb_err psb_channel_hand_over(struct psb_channel *c, const void *vector, void **landed,
                              struct psb_awaited *wait)
{
    if (!c->by->arrival || *(volatile int *)c->status)
        return PSB_PASS(psb_channel_finish(c, vector, landed));
    PSB_TRY(end(c, vector, landed));
    wait->by = c->on->onesided;
    c->by->arrival(c, c->status, &wait->job);
    return PSB_OK;
}

/* The neighbours of a broken channel wait in vain, or for what was sent before. */
void psb_channel_refuse(struct psb_channel *c)
{
    psb_channel_land(c);
    if (!psb_channel_is_open(c) && !c->by->by_mpi)
        return;
    if (c->by->put(c, &(struct psb_outgoing_rows){ .from = NULL }, 1) == PSB_OK && !c->broken)
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
