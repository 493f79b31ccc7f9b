/* comm.h -- room: base/vect.  Buffers and messages of a halo exchange, for any scalar type.
 *
 * Requests are persistent: created at the first exchange of a kind and restarted at each later one.  All
 * exchanges on a context have one tag: messages between two processes are matched by their order, so
 * exchanges must be started in the same order on all processes, as MPI requires of non-blocking collectives.
 */
#ifndef PSB_COMM_H
#define PSB_COMM_H
#include "psb_desc.h"
#include "psb_vmold.h"

/* The kind of an exchange: on host or device arrays, from owners to halos (FORTH) or from halos to owners
 * (BACK). */
enum psb_way { PSB_ON_HOST = 0, PSB_ON_DEV = 1, PSB_FORTH = 0, PSB_BACK = 2, PSB_KINDS = 4 };

/* The progress of an exchange. */
enum psb_flight { PSB_IDLE, PSB_PACKED, PSB_POSTED };

/* Buffers and requests of one vector's halo exchanges, made when it is assembled. */
struct psb_comm {
    const struct psb_device *on; /* of the vector; NULL: host only */
    int direct;                  /* MPI sends from the device and receives in it */
    MPI_Datatype row;            /* a row of the vector */
    int k;                       /* scalars in a row */
    int n;                       /* messages received and sent */
    void *dev;                   /* rows on the device: packed, or direct and received for owned ones */
    void *out, *in;         /* rows sent and received, on the host; pinned if the vector is on a device */
    psb_ipk *run;           /* for each neighbour sent to: the first of consecutive rows, or -1 */
    MPI_Request *requests;  /* for each of PSB_KINDS kinds: receives, then sends */
    void *at[PSB_KINDS][2]; /* where the requests of a kind receive and send; NULL: no requests */
    MPI_Status *status;
    void *packed; /* event: out is filled */
    void *landed; /* event: in has been copied to the device */
    enum psb_flight flight;
    int kind; /* of the exchange in flight */
};

/* Create the buffers for exchanges in both directions, of rows of k scalars of type t and `size` bytes, for a
 * vector on device `on` (may be NULL).  Local. */
PSB_MUST_CHECK psb_err psb_comm_new(struct psb_comm **c, struct psb_halo *h, int k, size_t size,
                                    MPI_Datatype t, const struct psb_device *on);

/* Choose how messages carry the rows of vectors on devices, `on` here (NULL: none): directly, h->direct, if
 * PSB_HALO and MPI allow it on all processes, else through the host.  Sets h->transport and h->why.
 * PSB_EDEVICE if PSB_HALO asks for mpi, which cannot be used.  Collective. */
PSB_MUST_CHECK psb_err psb_comm_choose(psb_ctxt *ctxt, struct psb_halo *h, const struct psb_device *on);

/* The arrays of an exchange: the elements of `from` are received in `in`, those of `to` are sent from `out`;
 * or, for a neighbour k with run[k] != -1, if `rows` is not NULL, from row run[k] of `rows`. */
struct psb_transfer {
    int kind;
    const struct psb_neighbours *from, *to;
    char *in, *out, *rows;
};

/* Start the receives and sends of r, without waiting.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_comm_begin(struct psb_comm *c, const psb_desc *d, const struct psb_transfer *r);

/* Replace begin and finish on a process that failed: send empty messages and drop those received, so that the
 * neighbours fail too and no process waits.  Collective over neighbours. */
void psb_comm_refuse(const psb_desc *d, const struct psb_neighbours *from, const struct psb_neighbours *to);

/* Wait for all messages of the exchange; PSB_EMPI if a message is shorter than expected: its sender failed.
 */
PSB_MUST_CHECK psb_err psb_comm_finish(struct psb_comm *c, const struct psb_neighbours *from);

/* Free c; NULL is fine.  If an exchange is in flight, record an error and wait for it first. */
void psb_comm_free(struct psb_comm *c);

/* Create the type of k consecutive elements of type t; freed by MPI_Type_free. */
PSB_MUST_CHECK psb_err psb_row_type(int k, MPI_Datatype t, MPI_Datatype *row);
#endif
