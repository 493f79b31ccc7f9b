/* channel.c -- room: base/vect.  Exchanges in a channel. */
#include "channel_inside.h"
#include "psb_alloc.h"

void psb_channel_free(struct psb_channel *c)
{
    if (!c)
        return;
    if (c->on) {
        (void)!c->on->sync(); /* kernels may still use the memory */
        for (int dir = 0; dir < PSB_DIRS; dir++)
            if (c->peer[dir])
                c->on->free(c->peer[dir]);
        if (c->counts)
            c->on->free(c->counts);
        if (c->status)
            c->on->free_host(c->status);
    }
    psb_shared_give(c->block);
    psb_dual_free(&c->staging);
    psb_free(c);
}

const struct psb_device *psb_channel_device(const struct psb_channel *c)
{
    return c->on;
}

psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, int write, void *p)
{
    return PSB_PASS(write ? psb_dual_write(&c->staging, s, p) : psb_dual_read(&c->staging, s, p));
}

int psb_channel_serves(const struct psb_channel *c, const void *of)
{
    return c->of == of;
}

/* Report a failure that the device has found. */
static psb_err look(struct psb_channel *c)
{
    const int status = *(volatile int *)c->status;
    if (status == 0)
        return PSB_OK;
    *c->status = 0;
    int k = (status > 0 ? status : -status) - 1, rank = k < c->h->recv.n ? c->h->recv.rank[k] : -1;
    for (int s = 0, j = c->h->recv.n; rank < 0 && s < c->h->send.n; s++)
        if (psb_position(&c->h->recv, c->h->send.rank[s]) == c->h->recv.n && j++ == k)
            rank = c->h->send.rank[s];
    if (status > 0)
        return PSB_FAIL(PSB_EMPI, "process %d sent no halo rows: it failed", rank);
    return PSB_FAIL(PSB_EMPI, "process %d sent no halo rows within %g seconds (PSB_HALO_TIMEOUT)", rank,
                    c->seconds);
}

void psb_channel_settle(struct psb_channel *c)
{
    if (c && c->on->sync() == PSB_OK)
        *c->status = 0;
}

static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    const int dir = out->back ? PSB_DIR_BACK : PSB_DIR_FORTH;
    struct psb_row_put job = { .peer = c->peer[dir],
                               .n = c->n,
                               .rows = out->from && !failed ? psb_total(out->back ? &c->h->recv : &c->h->send)
                                                            : 0,
                               .row = out->row,
                               .from = out->from,
                               .failed = failed,
                               .counts = c->counts };
    if (!out->back && !out->packed && job.rows)
        PSB_TRY(psb_dual_read(&c->h->idx, PSB_DEV, &job.idx));
    c->started++;
    return c->on->onesided->put(&job);
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    struct psb_arrival job = { .flag = (const unsigned *)(void *)((char *)c->block->p + 2 * c->stride),
                               .n = c->n,
                               .seconds = c->seconds,
                               .counts = c->counts,
                               .status = status };
    c->of = NULL;
    return c->on->onesided->arrive(&job);
}

psb_err psb_channel_start(struct psb_channel *c, const struct psb_outgoing_rows *out, void *of,
                          psb_err (*land)(void *of))
{
    PSB_CHECK(out->row <= c->row, PSB_ESTATE, "a halo row has %zu bytes; expected at most %zu", out->row,
              c->row);
    if (c->of)
        PSB_TRY(c->land((void *)c->of));
    PSB_TRY(put(c, out, 0));
    c->of = of;
    c->land = land;
    return PSB_OK;
}

psb_err psb_channel_finish(struct psb_channel *c, const void *of, void **landed)
{
    PSB_CHECK(c->of == of, PSB_ESTATE, "no exchange of the vector is under way in the halo channel");
    *landed = (char *)c->block->p + (c->started & 1) * c->stride;
    PSB_TRY(arrive(c, c->status));
    return PSB_PASS(look(c));
}

void psb_channel_refuse(struct psb_channel *c)
{
    if (c->of)
        (void)!c->land((void *)c->of);
    if (put(c, &(struct psb_outgoing_rows){ .from = NULL }, 1) == PSB_OK)
        (void)!arrive(c, NULL);
}
