/* comm.h -- room: base.  Buffers and messages of a halo exchange, whatever the scalar. */
#ifndef PSB_COMM_H
#define PSB_COMM_H
#include "psb_desc.h"
#include "psb_vmold.h"

/* Buffers of one vector's halo exchanges, made when it is assembled. */
struct psb_comm {
    const struct psb_device *on; /* the vector's; NULL: host alone */
    void *dev;                   /* packed there, */
    void *out, *in;              /* and brought here; pinned where a device is behind */
    MPI_Request *requests;       /* receives, then sends */
    MPI_Status *status;
    void *packed; /* event: out is filled */
    void *landed; /* event: in has been used up */
};

/* Buffers for exchanges either way, elements of `size` bytes, for a vector on `on` (may be NULL).  Local. */
PSB_MUST_CHECK psb_err psb_comm_new(struct psb_comm **c, const struct psb_halo *h, size_t size,
                                    const struct psb_device *on);

/* Receive the parts of `from` into `in`, send the parts of `to` out of `out`; nothing is waited for.
 * Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_comm_begin(struct psb_comm *c, const psb_desc *d, const struct psb_side_plan *from,
                                      void *in, const struct psb_side_plan *to, const void *out,
                                      MPI_Datatype t);

/* Instead of begin and finish, where this process failed: empty messages go out, and what comes in is
 * dropped, so that the neighbours fail too and nobody waits.  Collective over neighbours. */
void psb_comm_refuse(const psb_desc *d, const struct psb_side_plan *from, const struct psb_side_plan *to,
                     MPI_Datatype t);

/* Wait for all of it; an empty message where elements were due says that its sender failed. */
PSB_MUST_CHECK psb_err psb_comm_finish(struct psb_comm *c, const struct psb_side_plan *from,
                                       const struct psb_side_plan *to, MPI_Datatype t);

/* NULL is fine. */
void psb_comm_free(struct psb_comm *c);
#endif
