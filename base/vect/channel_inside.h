/* channel_inside.h -- room: base/vect.  The members of a channel. */
#ifndef PSB_CHANNEL_INSIDE_H
#define PSB_CHANNEL_INSIDE_H
#include "channel.h"
#include "desc.h"
#include "shared_memory.h"

enum psb_direction { PSB_DIR_FORTH, PSB_DIR_BACK, PSB_DIRS };

struct psb_channel {
    const struct psb_device *on;
    const struct psb_halo *h;
    struct psb_shared_block
        *block;         /* two landing buffers of `stride` bytes, then the flags of the neighbours */
    size_t row, stride; /* row: the most bytes of one */
    int n;              /* neighbours that rows are received from or sent to */
    struct psb_peer *peer[PSB_DIRS];
    struct psb_channel_counts *counts;
    int *status;
    double seconds; /* to wait for a neighbour */
    unsigned started;
    void *vector; /* whose exchange is under way, or NULL */
    void (*complete)(void *vector);
    int broken; /* a neighbour did not come in time, or a put failed: counts may differ from the neighbours'
                 */
    struct psb_dual staging;
};

/* What the channel of h exchanges, for messages. */
static inline const char *psb_channel_what(const struct psb_halo *h)
{
    return h->what ? h->what : "halo rows";
}

/* The position of a rank among the neighbours s; s->n if it is not there. */
static inline int psb_position(const struct psb_neighbours *s, int rank)
{
    int k = 0;
    while (k < s->n && s->rank[k] != rank)
        k++;
    return k;
}
#endif
