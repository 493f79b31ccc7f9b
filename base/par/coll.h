/* coll.h -- base/par: collective calls inside the library.
 *
 * In these, `err` is the error of this process, PSB_OK if it has not failed: if any process has, all return
 * an error, as psb_agree says, and nothing else happens. */
#ifndef PSB_COLL_INSIDE_H
#define PSB_COLL_INSIDE_H
#include "psb_coll.h"
#include <stdbool.h>

/* What a process calls.  Numbers below PSB_NOPS are reductions, of enum psb_op. */
enum psb_call {
    PSB_CALL_BCAST = PSB_NOPS,
    PSB_CALL_SCAN,
    PSB_CALL_EXSCAN,
    PSB_CALL_GATHER,
    PSB_CALL_GATHERV,
    PSB_CALL_SCATTER, /* of a vector */
    PSB_CALL_AGREE,
    PSB_NCALLS
};

/* The rank of this process in c, and the number of processes.  Local. */
static inline int psb_rank_of(const psb_ctxt *c)
{
    int me;
    psb_info(c, &me, NULL);
    return me;
}
static inline int psb_np_of(const psb_ctxt *c)
{
    int np;
    psb_info(c, NULL, &np);
    return np;
}

/* Check that c is not NULL, freed, or without one of its processes, and MPI has not been finalised.  Local.
 */
PSB_MUST_CHECK psb_err psb_check_ctxt(const psb_ctxt *c);

/* psb_agree_on, for call `call`, which must be the same on all processes too, as must kind.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_call(psb_ctxt *c, enum psb_call call, int kind, psb_epk n, int root,
                                      psb_err err);

/* Reduce x[0..n) on all processes; a process that has failed need not know n.  c NULL: this process is the
 * only one.  Collective. */
PSB_MUST_CHECK psb_err psb_reduce(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x,
                                  psb_err err);

/* The same for computations on vectors, in which a process waits for the others for PSB_HALO_TIMEOUT seconds,
 * if that was set when the context was made: then PSB_EMPI names the one that did not come, and so do all
 * later calls on the context.  Collective. */
PSB_MUST_CHECK psb_err psb_reduce_in_time(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x,
                                          psb_err err);

/* psb_sum_start for a sum on all processes that is limited as above.  On error nothing has been started, and
 * the others wait for this process to join them by psb_reduce_in_time with the error.  Collective. */
PSB_MUST_CHECK psb_err psb_sum_in_time_start(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x,
                                             psb_request **req);

/* Advance all collective calls that have been started, without waiting.  Local. */
void psb_progress(psb_ctxt *c);

struct psb_msg {
    int rank; /* of the receiver, or of the sender */
    size_t bytes;
    void *data;
};

/* Sparse exchange: receivers do not know their senders.  Send out[0..nout), and store the messages received
 * in *in[0..*nin), sorted by sender and freed by psb_msgs_free.  Empty messages are not sent; long ones are
 * sent in pieces.  If this fails on a process the others neither wait for it nor fail: psb_agree must follow.
 * Collective.  Method: the non-blocking consensus of Hoefler, Siebert and Lumsdaine, "Scalable communication
 * protocols for dynamic sparse data exchange", PPoPP 2010. */
PSB_MUST_CHECK psb_err psb_exchange(psb_ctxt *ctxt, const struct psb_msg *out, int nout, struct psb_msg **in,
                                    int *nin);

/* Free m[0..n) and their data.  Local. */
void psb_msgs_free(struct psb_msg *m, int n);

/* clang-format off */
#define PSB_MPI(call) do { int m_ = (call); if (m_ != MPI_SUCCESS) return psb_mpi_fail(m_, #call); } while (0)
/* clang-format on */

/* Record and return PSB_EMPI for an MPI error code of `call`.  Local. */
psb_err psb_mpi_fail(int code, const char *call);
#endif
