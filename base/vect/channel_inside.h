/* channel_inside.h -- room: base/vect.  The members of a channel, and the table of a transport. */
#ifndef PSB_CHANNEL_INSIDE_H
#define PSB_CHANNEL_INSIDE_H
#include "channel.h"
#include "desc.h"
#include "shared_memory.h"

enum psb_direction { PSB_DIR_FORTH, PSB_DIR_BACK, PSB_DIRS };

/* Why a transport cannot be used, in the order of the steps that find it. */
enum psb_obstacle {
    PSB_NO_OBSTACLE,
    PSB_NOT_OFFERED,
    PSB_SAME_DEVICE,
    PSB_NO_MEMORY,
    PSB_OTHER_HOST,
    PSB_NOT_MAPPED,
    PSB_NO_GROUP,
    PSB_TRIAL_FAILED,
    PSB_ALL_NEAR,
    PSB_NONE_NEAR,
    PSB_OBSTACLES
};

/* What opens a channel: see psb_channel_make. */
struct psb_opening {
    psb_ctxt *ctxt;
    struct psb_halo *h;
    const struct psb_device *on;
    size_t row;
    double seconds;
    int hosts;  /* no process has a device */
    int forced; /* PSB_HALO asks for this transport, or a channel by it is made longer */
};

/* A transport: one table.  `open` is called on all processes or on none.  Either both of `outgoing` and
 * `arrival` are NULL, or neither is. */
struct psb_transport {
    const char *name;
    /* MPI carries the rows: from and to memory of the host as well, and straight to where the caller wants
     * them.  Else each process has a device, all different ones. */
    int by_mpi;
    /* Why this process cannot use it on the device, or NULL.  Local. */
    const char *(*refusal)(const struct psb_device *on);
    /* Make what c needs besides what psb_channel_make has made; *why is agreed on.  Collective. */
    psb_err (*open)(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why);
    /* Send the rows, or tell the neighbours that this process failed; set c->landed.  An error after
     * neighbours may have been told anything sets c->broken.  Collective over neighbours. */
    psb_err (*put)(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed);
    /* Send what `put` has left for later, as `arrive` does else.  NULL: it leaves nothing. */
    void (*send)(struct psb_channel *c);
    /* *job = what `put` does, for a kernel that stores the rows itself.  NULL: no kernel can. */
    psb_err (*outgoing)(const struct psb_channel *c, const struct psb_outgoing_rows *out, int failed,
                        struct psb_row_put *job);
    /* Let later kernels wait for the rows of the neighbours; a neighbour that failed sets *status; status
     * NULL: this process failed.  An error after which neighbours may wait in vain sets c->broken. */
    psb_err (*arrive)(struct psb_channel *c, int *status);
    /* *job = the arrival of `arrive`, for a kernel that waits itself.  NULL: no kernel can. */
    void (*arrival)(const struct psb_channel *c, int *status, struct psb_arrival *job);
    void (*close)(struct psb_channel *c);
};
extern const struct psb_transport psb_transport_lsa, psb_transport_mixed, psb_transport_nccl,
    psb_transport_mpi, psb_transport_staged;

struct psb_channel {
    const struct psb_transport *by;
    const struct psb_device *on; /* NULL: the host, for messages by MPI */
    int hosts;                   /* no process has a device */
    const struct psb_halo *h;
    struct psb_shared_block *block; /* on the device: two buffers of `stride` bytes, rows land in them in turn
                                     * unless MPI carries them, then what the transport needs; or NULL */
    size_t row, stride;             /* row: the most bytes of one */
    int n;                          /* neighbours that rows are received from or sent to */
    int *rank;                      /* theirs: first those received from */
    int *far;                       /* for each: do messages take rows to it?  else puts */
    size_t packed;                  /* byte of the block where rows for messages are packed; 0: for none */
    int *status;                    /* see psb_arrival */
    double seconds;                 /* to wait for a neighbour */
    unsigned started;               /* exchanges, if devices make them */
    void *landed; /* the rows of the exchange that was started last; NULL: where the caller wants them */
    void *vector; /* whose exchange is under way, or NULL */
    void (*complete)(void *vector);
    int broken; /* a neighbour did not come in time, or a put failed: counts may differ from the neighbours'
                 */
    struct psb_dual staging;
    struct psb_peer *peer[PSB_DIRS]; /* on the device, for puts */
    psb_ipk begin[PSB_DIRS];         /* see psb_row_put */
    struct psb_channel_counts *counts;
    struct psb_mail *mail;         /* for far neighbours */
    struct psb_messages *messages; /* by MPI */
    int forced;                    /* see psb_opening */
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

/* The landing buffer of the exchange that devices started last. */
static inline char *psb_landing(const struct psb_channel *c)
{
    return (char *)c->block->p + (c->started & 1) * c->stride;
}

/* The ranks of `first`, then those of `then` that are not among them; their number.  Local. */
int psb_ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank);

/* Agree on the largest obstacle of all processes.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on_obstacle(psb_ctxt *ctxt, enum psb_obstacle *why);

/* Take part in an exchange by messages of plan h, between processes without a device, as a process that
 * failed. Collective over neighbours. */
void psb_messages_refuse(psb_ctxt *ctxt, const struct psb_halo *h);

/* Take the block of c with `more` bytes after the landing buffers, and the counters, all 0.  Local. */
PSB_MUST_CHECK psb_err psb_channel_memory(struct psb_channel *c, size_t more);
#endif
