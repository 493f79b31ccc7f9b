/* handshake.h -- base/channel: neighbours agree on an exchange before they send rows that cannot be
 * refused.
 *
 * Each process announces to each neighbour what it is about to send, or that it failed.  A process that
 * receives an announcement in time confirms it; one that does not receive it in time tells the neighbour that
 * it no longer waits. Rows are sent where both have confirmed.  Messages carry the number of their exchange,
 * so that those of an earlier one are dropped. */
#ifndef PSB_HANDSHAKE_H
#define PSB_HANDSHAKE_H
#include "psb_err.h"
#include "psb_lang.h"
#include "psb_mpi.h"
PSB_BEGIN_C

struct psb_handshake;

/* The outcome with a neighbour: both send, the neighbour failed, or one of the two came too late. */
enum psb_outcome { PSB_AGREED, PSB_FAILED, PSB_LATE };

/* *h = handshakes with n neighbours of comm, which number their exchanges from `first` on, the same on all
 * processes; no other messages have this tag, but for some of lower numbers that nobody has received.  Local.
 */
PSB_MUST_CHECK psb_err psb_handshake_new(MPI_Comm comm, int tag, unsigned long long first, int n,
                                         const int *rank, struct psb_handshake **h);
void psb_handshake_free(struct psb_handshake *h);

/* outcome[j] = that with neighbour j, if this process is about to send `what` > 0, the same number as the
 * neighbours. A neighbour is late if its messages do not come within `seconds`.  Collective over neighbours.
 */
PSB_MUST_CHECK psb_err psb_handshake(struct psb_handshake *h, unsigned long long what, double seconds,
                                     enum psb_outcome *outcome);

/* Tell all neighbours that this process failed in this exchange; wait for nothing.  Collective over
 * neighbours. */
PSB_MUST_CHECK psb_err psb_handshake_refuse(struct psb_handshake *h);

PSB_END_C
#endif
