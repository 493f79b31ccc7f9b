/* psb_ctxt.h -- room: base/par.  The processes that work together. */
#ifndef PSB_CTXT_H
#define PSB_CTXT_H
#include "psb_err.h"
#include "psb_int.h"
#include <mpi.h>

typedef struct psb_ctxt psb_ctxt;

/* Make *ctxt of all processes of MPI_COMM_WORLD; initialises MPI, for MPI_THREAD_FUNNELED, only if nobody
 * has. Where MPI allows less, kernels use one thread.  Ended by psb_exit.  Several contexts may live at once,
 * with processes in common.  Collective. */
PSB_MUST_CHECK psb_err psb_init(psb_ctxt **ctxt);

/* The same of the processes of `comm`, no intercommunicator, which is duplicated.  Collective over comm. */
PSB_MUST_CHECK psb_err psb_init_comm(psb_ctxt **ctxt, MPI_Comm comm);

/* End a context; finalises MPI only if a psb_init initialised it and this is the last context.  Before, what
 * was made on the context must have been freed, what was started waited for, what was sent received.  Where
 * the caller has finalised MPI only memory is freed.  NULL is fine; twice the same is not.  Collective. */
void psb_exit(psb_ctxt *ctxt);

/* Stop all processes at once, with `why` on stderr; of MPI_COMM_WORLD where ctxt is NULL.  Local. */
void psb_abort(psb_ctxt *ctxt, const char *why);

/* Which process this is, 0 <= *iam < *np, and how many there are; -1, both, where ctxt is NULL.  Either may
 * be NULL.  Local. */
void psb_info(const psb_ctxt *ctxt, int *iam, int *np);

/* The communicator inside, for calls that MPI offers and we do not; tags 100 to 199 are ours.  MPI_COMM_NULL
 * where ctxt is NULL.  Local. */
MPI_Comm psb_comm_of(const psb_ctxt *ctxt);

/* Wait for all.  Collective. */
PSB_MUST_CHECK psb_err psb_barrier(psb_ctxt *ctxt);

/* Seconds since some moment in the past; between psb_init and psb_exit.  Local. */
double psb_wtime(void);

/* Agree on an error: where every process passes PSB_OK so does the result; else every process gets the
 * code of the lowest process that failed, one that failed its own, and its message.  Collective. */
PSB_MUST_CHECK psb_err psb_agree(psb_ctxt *ctxt, psb_err mine);

/* The same, and all processes pass one n and one root, whatever these mean to the caller; else PSB_EARG, with
 * the values of two that differ.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on(psb_ctxt *ctxt, psb_epk n, int root, psb_err mine);

/* Messages and bytes that this process has sent on the context in collective calls, sparse exchanges, halo
 * exchanges, and by psb_snd; barriers and what MPI reduces not counted.  Zero where ctxt is NULL.  Local. */
struct psb_traffic {
    long long messages, bytes;
};
struct psb_traffic psb_traffic(const psb_ctxt *ctxt);
void psb_traffic_reset(psb_ctxt *ctxt);

/* --- inside base ---------------------------------------------------------------------------------- */

struct psb_msg {
    int rank; /* where to, or where from */
    size_t bytes;
    void *data;
};

/* Send out[0..nout) and receive whatever others send here, without knowing what: *in[0..*nin), sorted by
 * rank, freed by psb_msgs_free.  An empty message is not sent; long ones travel in pieces.  Where this
 * process fails the others are not left waiting, nor told: psb_agree does.  Collective.  Method: the
 * non-blocking consensus of Hoefler, Siebert and Lumsdaine, "Scalable communication protocols for dynamic
 * sparse data exchange", PPoPP 2010. */
PSB_MUST_CHECK psb_err psb_exchange(psb_ctxt *ctxt, const struct psb_msg *out, int nout, struct psb_msg **in,
                                    int *nin);
void psb_msgs_free(struct psb_msg *m, int n);

/* clang-format off */
#define PSB_MPI(call) do { int m_ = (call); if (m_ != MPI_SUCCESS) return psb_mpi_fail(m_, #call); } while (0)
/* clang-format on */
psb_err psb_mpi_fail(int code, const char *call);
#endif
