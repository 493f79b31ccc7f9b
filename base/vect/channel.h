/* channel.h -- room: base/vect.  The halo exchanges of a descriptor between devices, by one of several
 * transports.
 *
 * A channel serves all vectors of a descriptor, on whichever side their values are.  The rows of exchange e
 * land in one of two buffers in turn.  Any two neighbours tell each other in every exchange, with or without
 * rows, that they take part or that they failed; so when a process has received exchange e, its neighbours
 * have used what it sent in exchange e - 1, and the buffer of e - 1 may be filled again. */
#ifndef PSB_CHANNEL_H
#define PSB_CHANNEL_H
#include "psb_desc.h"
#include "psb_dual.h"
#include "psb_onesided.h"

struct psb_channel;

/* The values of PSB_HALO: a transport, or the best that can be used. */
enum psb_halo_wish {
    PSB_WISH_AUTO,
    PSB_WISH_LSA,
    PSB_WISH_MIXED,
    PSB_WISH_NCCL,
    PSB_WISH_MPI,
    PSB_WISH_STAGED,
    PSB_WISHES
};

/* *wish = what PSB_HALO asks for; PSB_EARG if it is wrong.  Local. */
PSB_MUST_CHECK psb_err psb_halo_wish(enum psb_halo_wish *wish);

/* Add "not NAME: REASON" to the reasons for the transport of h.  Local. */
void psb_halo_reason(struct psb_halo *h, const char *name, const char *reason);

/* If PSB_LOG contains "halo", print the transport of h on process 0.  Local. */
void psb_transport_log(psb_ctxt *ctxt, const struct psb_halo *h);

/* Make h->channel for rows of up to `row` bytes of vectors on device `on`, or of more than it was made for.
 * None is made if PSB_HALO, the devices or the places of processes forbid it; h->why then says why.
 * PSB_EARG if PSB_HALO is wrong or differs between processes, PSB_EDEVICE if it asks for a channel that the
 * devices do not allow.  Collective. */
PSB_MUST_CHECK psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row,
                                        const struct psb_device *on);

/* What is sent in an exchange: rows of `row` bytes at `from` on the device, NULL for none.  back 0: row
 * h->idx[i] of `from` for each i or, if packed, row i; back 1: the rows of the halo, which start at `from`.
 */
struct psb_outgoing_rows {
    int back, packed;
    const void *from;
    size_t row;
};

/* Start an exchange for a vector.  If another vector starts before psb_channel_finish, complete(vector) is
 * called first and calls it; NULL: none starts before.  Call psb_channel_land before: no exchange may be
 * under way.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_channel_start(struct psb_channel *c, const struct psb_outgoing_rows *out,
                                         void *vector, void (*complete)(void *vector));

/* Complete the exchange that is under way, if any. */
void psb_channel_land(struct psb_channel *c);

/* End the exchange of the vector: *landed is where the rows received lie on the device, valid until the next
 * start.  PSB_EMPI if a neighbour is known to have failed, in this exchange or an earlier one; a GPU that is
 * still at work reports it at a later call.  After a neighbour has not come in time the channel is broken:
 * all later exchanges fail, here and at the neighbours. */
PSB_MUST_CHECK psb_err psb_channel_finish(struct psb_channel *c, const void *vector, void **landed);

/* As psb_channel_finish, but the rows may still be on their way: what reads them waits as *wait says. */
PSB_MUST_CHECK psb_err psb_channel_hand_over(struct psb_channel *c, const void *vector, void **landed,
                                             struct psb_awaited *wait);

/* An exchange that a kernel makes: if the transport allows that, x->by is set, and *landed is where the rows
 * land; the caller launches the kernel, or calls psb_channel_break.  Else x->by is NULL and nothing has
 * begun.  No exchange may be under way.  Collective over neighbours if x->by is set. */
PSB_MUST_CHECK psb_err psb_channel_prepare(struct psb_channel *c, const struct psb_outgoing_rows *out,
                                           void **landed, struct psb_exchange *x);
void psb_channel_break(struct psb_channel *c);

/* The failure of a neighbour that the device has found by now, as from psb_channel_finish; c may be NULL. */
PSB_MUST_CHECK psb_err psb_channel_check(struct psb_channel *c);

/* Take part in an exchange as a process that failed. */
void psb_channel_refuse(struct psb_channel *c);

/* Wait for the exchanges so far, and drop failures of neighbours that they have found and that the caller has
 * reported by other means; c may be NULL. */
void psb_channel_settle(struct psb_channel *c);

/* The device of the channel; the most bytes of a row; 0 if the device was closed since, so that the channel
 * can only be freed. */
const struct psb_device *psb_channel_device(const struct psb_channel *c);
size_t psb_channel_row(const struct psb_channel *c);
int psb_channel_is_open(const struct psb_channel *c);

/* *p = memory on side s for rows that are copied between the host and the channel's device: to be overwritten
 * (write), or read. */
PSB_MUST_CHECK psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, int write, void *p);

/* Copy the `bytes` bytes at `landed` to the staging memory on the host, *p, and wait until they are there;
 * `cause` as for psb_get.  PSB_EMPI if a neighbour failed, as from psb_channel_finish. */
PSB_MUST_CHECK psb_err psb_channel_download(struct psb_channel *c, const void *landed, size_t bytes,
                                            const char *cause, void *p);

/* Free the channel, and return its memory for reuse; NULL is fine. */
void psb_channel_free(struct psb_channel *c);
#endif
