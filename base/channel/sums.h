/* sums.h -- base/channel: sums over all processes that stay on devices: each process sends its part to
 * all others, and each adds all parts in rank order. */
#ifndef PSB_SUMS_H
#define PSB_SUMS_H
#include "channel.h"
#include "psb_vec_ops.h"

/* A sum over processes has two numbers, its real and imaginary part; a process passes at most PSB_MOST_DOTS
 * sums at a time. */
enum { PSB_SUMS_ROW = 2 * PSB_MOST_DOTS };

/* Make the channel for sums of scalars of d on device `on` (NULL: host), if there are several processes, one
 * of them has a device, and there is none yet; err: the error of this process.  Without a channel sums
 * are made by messages, through the host.  PSB_EARG, PSB_EDEVICE as from psb_channel_make.  Collective. */
PSB_MUST_CHECK psb_err psb_sums_make(psb_desc *d, const struct psb_device *on, psb_err err);

/* The channel for sums of d, the same on all processes; NULL if there is none.  Local. */
struct psb_channel *psb_sums_channel(psb_desc *d);

/* Exchange the parts in the staging memory of the channel (psb_channel_staging).  *mine: this process's,
 * *landed: those of the others in rank order, PSB_SUMS_ROW numbers each, on the device, valid until the next
 * exchange.  x NULL: the exchange is made; else x->by tells whether it is left to a kernel of the caller, as
 * by psb_channel_prepare.  err: an earlier error of this process: then the others learn that it
 * failed. Errors as from psb_channel_finish.  Collective. */
PSB_MUST_CHECK psb_err psb_sums_exchange(struct psb_channel *c, psb_err err, const double **mine,
                                         const double **landed, struct psb_exchange *x);
#endif
