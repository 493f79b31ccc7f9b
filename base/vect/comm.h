/* comm.h -- room: base/vect.  Buffers and messages of a halo exchange, whatever the scalar.
 *
 * Requests are persistent: made at the first exchange of their kind, started again at each that follows.  All
 * exchanges on a context have one tag: what is on its way between two processes is told apart by its order,
 * so exchanges must be started in the same order everywhere, as MPI asks of its non-blocking collectives. */
#ifndef PSB_COMM_H
#define PSB_COMM_H
#include "psb_desc.h"
#include "psb_vmold.h"

/* Which array the messages of an exchange start and end in, and which way they go. */
enum psb_way { PSB_ON_HOST = 0, PSB_ON_DEV = 1, PSB_FORTH = 0, PSB_BACK = 2, PSB_KINDS = 4 };

/* How far an exchange has come. */
enum psb_flight { PSB_IDLE, PSB_PACKED, PSB_POSTED };

/* Buffers and requests of one vector's halo exchanges, made when it is assembled. */
struct psb_comm {
    const struct psb_device *on; /* the vector's; NULL: host alone */
    MPI_Datatype row;            /* a row of the vector */
    int k;                       /* scalars in it */
    int n;                       /* messages, in and out */
    void *dev;                   /* packed there, */
    void *out, *in;              /* and brought here; pinned where a device is behind */
    psb_ipk *run;                /* of each neighbour sent to: the first of rows that lie together, or -1 */
    MPI_Request *requests;       /* PSB_KINDS times receives, then sends */
    void *at[PSB_KINDS][2];      /* where those of a kind receive and send; NULL: there are none */
    MPI_Status *status;
    void *packed; /* event: out is filled */
    void *landed; /* event: in has been used up */
    enum psb_flight flight;
    int kind; /* of the exchange in flight */
};

/* Buffers for exchanges either way, rows of k scalars of type t and `size` bytes, for a vector on `on` (may
 * be NULL).  Local. */
PSB_MUST_CHECK psb_err psb_comm_new(struct psb_comm **c, struct psb_halo *h, int k, size_t size,
                                    MPI_Datatype t, const struct psb_device *on);

/* Where an exchange receives and sends: the parts of `from` arrive in `in`, those of `to` leave from `out`,
 * or, where run[k] of neighbour k is not -1 and `rows` is not NULL, from that row of `rows`. */
struct psb_transfer {
    int kind;
    const struct psb_neighbours *from, *to;
    char *in, *out, *rows;
};

/* Receive and send rows of c; nothing is waited for.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_comm_begin(struct psb_comm *c, const psb_desc *d, const struct psb_transfer *r);

/* Instead of begin and finish, where this process failed: empty messages go out, and what comes in is
 * dropped, so that the neighbours fail too and nobody waits.  Collective over neighbours. */
void psb_comm_refuse(const psb_desc *d, const struct psb_neighbours *from, const struct psb_neighbours *to);

/* Wait for all of it; an empty message where elements were due says that its sender failed. */
PSB_MUST_CHECK psb_err psb_comm_finish(struct psb_comm *c, const struct psb_neighbours *from);

/* Waits for an exchange in flight, which is an error that is recorded.  NULL is fine. */
void psb_comm_free(struct psb_comm *c);

/* The type of k elements of type t that lie together; freed by MPI_Type_free. */
PSB_MUST_CHECK psb_err psb_row_type(int k, MPI_Datatype t, MPI_Datatype *row);
#endif
