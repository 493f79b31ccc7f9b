/* channel_parts.h -- room: base/vect.  The parts of lsa and nccl that other transports use.
 *
 * The block of a channel by both holds the two landing buffers, then psb_lsa_bytes for flags, and from byte
 * c->packed on psb_mail_bytes for messages. */
#ifndef PSB_CHANNEL_PARTS_H
#define PSB_CHANNEL_PARTS_H
#include "channel_inside.h"

/* The bytes for flags. */
size_t psb_lsa_bytes(const struct psb_channel *c);

/* Connect c with its neighbours, for puts and arrivals by lsa; its block gets `more` bytes after the landing
 * buffers.  If c->packed is set, a neighbour that is out of reach is no obstacle: c->far tells which, the
 * same on both sides, and a put packs the rows for it.  *why is agreed on.  Collective. */
PSB_MUST_CHECK psb_err psb_lsa_connect(struct psb_channel *c, psb_ctxt *ctxt, size_t more,
                                       enum psb_obstacle *why);

/* The bytes for messages: the packed rows first. */
size_t psb_mail_bytes(const struct psb_channel *c);

/* Make c->mail for messages to the neighbours in c->far, and try it out.  *why: what hinders this process so
 * far; then it is agreed on.  Collective. */
PSB_MUST_CHECK psb_err psb_mail_open(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why);

/* PSB_OK if c can exchange messages now.  Called before anything of an exchange is sent. */
PSB_MUST_CHECK psb_err psb_mail_check(const struct psb_channel *c);

/* Exchange the rows that lie packed at `at` with the far neighbours, or tell them that this process failed.
 * c->started counts the exchange already.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_mail_send(struct psb_channel *c, const struct psb_outgoing_rows *out,
                                     const char *at, int failed);
#endif
