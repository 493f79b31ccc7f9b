/* channel.h -- base/channel: the halo exchanges of a descriptor, by one of several transports.
 *
 * A channel serves all vectors of a descriptor, on whichever side their values are.  Between devices the rows
 * of exchange e land in one of two buffers in turn.  Any two neighbours tell each other in every exchange,
 * with or without rows, that they take part or that they failed; so when a process has received exchange e,
 * its neighbours have used what it sent in exchange e - 1, and the buffer of e - 1 may be filled again. */
#ifndef PSB_CHANNEL_H
#define PSB_CHANNEL_H
#include "desc_inside.h"
#include "psb_onesided.h"
#include <stdbool.h>
#include "psb_transfer.h"

struct psb_channel;

/* If PSB_LOG contains "halo", print the transport of h on process 0.  Local. */
void psb_transport_log(psb_ctxt *ctxt, const struct psb_halo *h);

/* What a channel is for: processes that all lack a device; any processes; the same, but no channel unless
 * devices exchange the rows: h->transport is then "staged". */
enum psb_channel_kind { PSB_CHANNEL_HOSTS, PSB_CHANNEL_ANY, PSB_CHANNEL_DEVICES };

/* Make h->channel, in place of the one that h may have, for rows of up to `row` bytes of vectors on device
 * `on`, NULL where the process has none.  One process needs no channel.  h->transport and h->why say what was
 * chosen and why.  PSB_EARG if PSB_HALO is wrong or differs between processes, PSB_EDEVICE if it asks for a
 * transport that cannot be used, PSB_ENOMEM.  If some process has no device, or one without exchanges of its
 * own, MPI carries the rows, whatever PSB_HALO asks for; h->why says so.  Collective. */
PSB_MUST_CHECK psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row,
                                        const struct psb_device *on, enum psb_channel_kind kind);

/* Make the channel of h again, by its transport, for longer rows.  Collective. */
PSB_MUST_CHECK psb_err psb_channel_lengthen(psb_ctxt *ctxt, struct psb_halo *h, size_t row);

/* What is sent in an exchange: rows of `row` bytes at `from`, NULL for none, in memory of `on`, which the
 * channel must reach (psb_channel_reaches).  Unless back: row h->idx[i] of `from` for each i or, if packed,
 * row i; back: the rows of the halo, which start at `from`.  into: the rows received may be stored there, on
 * the same side, instead of a buffer of the channel; or NULL.  gather, unless packed or back: copy row idx[i]
 * of `from` to row i of `to`, 0 <= i < n, in memory of `on`; NULL for sums, where each idx[i] is 0. */
struct psb_outgoing_rows {
    bool back, packed;
    const struct psb_device *on;
    const void *from;
    size_t row;
    void *into;
    psb_err (*gather)(const struct psb_device *on, psb_ipk n, const psb_ipk *idx, size_t row,
                      const void *from, void *to);
};

/* Can the channel exchange rows in memory of device `on` (NULL: of the host)? */
bool psb_channel_reaches(const struct psb_channel *c, const struct psb_device *on);

/* The most rows of a message by MPI. */
enum { PSB_HALO_PIECE = 1 << 16 };

/* Start an exchange for a vector.  If another vector starts before psb_channel_finish, complete(vector) is
 * called first and calls it; NULL: none starts before.  Call psb_channel_land before: no exchange may be
 * under way.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_channel_start(struct psb_channel *c, const struct psb_outgoing_rows *out,
                                         void *vector, void (*complete)(void *vector));

/* Send what the start has left for later, if anything: what a device still packs.  Messages between two
 * processes are matched by their order, so this comes before a start in another channel; the end of the
 * exchange does it else. */
void psb_channel_send(struct psb_channel *c);

/* Complete the exchange that is under way, if any. */
void psb_channel_land(struct psb_channel *c);

/* End the exchange of the vector: *landed is where the rows received lie, on the side of those sent, valid
 * until the next start; NULL: they lie where psb_outgoing_rows.into said.  PSB_EMPI if a neighbour is known
 * to have failed, in this exchange or an earlier one; a GPU that is still at work reports it at a later call.
 * After a neighbour has not come in time the channel is broken: all later exchanges fail, here and at the
 * neighbours. */
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

/* Where the rows of the exchange that was started last land, in turn one of two places; NULL: where the caller
 * wants them, or c is NULL.  Local. */
const void *psb_channel_landed(const struct psb_channel *c);

/* Take part in an exchange as a process that failed: in the channel of h, or, if h has none, in messages by
 * MPI.  Collective over neighbours. */
void psb_channel_refuse(struct psb_channel *c);
void psb_halo_refuse(psb_ctxt *ctxt, const struct psb_halo *h);

/* Wait for the exchanges so far, and drop failures of neighbours that they have found and that the caller has
 * reported by other means; c may be NULL. */
void psb_channel_settle(struct psb_channel *c);

/* The device of the channel, NULL if it has none; the most bytes of a row; false if the device was closed
 * since, so that the channel can only be freed. */
const struct psb_device *psb_channel_device(const struct psb_channel *c);
size_t psb_channel_row(const struct psb_channel *c);
bool psb_channel_is_open(const struct psb_channel *c);

/* Free the channel of h if its device was closed; h then has none, and no transport.  Local. */
void psb_channel_drop_closed(struct psb_halo *h);

/* *p = memory on side s for rows that are copied between the host and the channel's device: to be overwritten
 * (write), or read. */
PSB_MUST_CHECK psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, bool write, void *p);

/* Where rows that were staged are sent from, and where those of the neighbours land then: the channel's
 * device, or NULL, the host, if the channel reaches that. */
const struct psb_device *psb_channel_staging_device(const struct psb_channel *c);

/* *p = memory, kept from one exchange to the next, for rows on device `on`, which the channel does not reach.
 */
PSB_MUST_CHECK psb_err psb_channel_buffer(struct psb_channel *c, const struct psb_device *on, void *p);

/* Send the rows that were packed in the staging memory on the host: set out->from, on and packed.  Local. */
PSB_MUST_CHECK psb_err psb_channel_upload(struct psb_channel *c, struct psb_outgoing_rows *out);

/* Copy the `bytes` bytes that landed on psb_channel_staging_device to the host, unless they are
 * there, and wait for them: they lie at *p; `cause` as for psb_get.  PSB_EMPI if a neighbour failed, as from
 * psb_channel_finish. */
PSB_MUST_CHECK psb_err psb_channel_download(struct psb_channel *c, const void *landed, size_t bytes,
                                            const char *cause, void *p);

/* Free the channel, and return its memory for reuse; NULL is fine. */
void psb_channel_free(struct psb_channel *c);
#endif
