/* psb_ctxt.h -- base/par: contexts: the processes that work together. */
#ifndef PSB_CTXT_H
#define PSB_CTXT_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
#include "psb_mpi.h"
PSB_BEGIN_C

typedef struct psb_ctxt psb_ctxt;

/* Create *ctxt, a context of all processes of MPI_COMM_WORLD.  MPI is initialised, with MPI_THREAD_FUNNELED,
 * unless the caller has done so; if MPI provides less, kernels use one thread.  Freed by psb_exit.  Several
 * contexts may exist at once and share processes.  If PSB_HALO_TIMEOUT is set, products of vectors, norms and
 * sums of solvers wait so many seconds for a process; then they, and all later calls on the context, return
 * PSB_EMPI, which names it.  PSB_EARG for a wrong value of it.  Collective. */
PSB_MUST_CHECK psb_err psb_init(psb_ctxt **ctxt);

/* The same for the processes of `comm`, an intracommunicator, which is duplicated.  Collective over comm. */
PSB_MUST_CHECK psb_err psb_init_comm(psb_ctxt **ctxt, MPI_Comm comm);

/* Free a context, and finalise MPI if psb_init initialised it and this is the last context.  Before the call,
 * all objects made on the context must have been freed, all requests waited for, and all messages received.
 * If the caller has finalised MPI, only memory is freed.  ctxt may be NULL, but must not have been freed.
 * Collective. */
void psb_exit(psb_ctxt *ctxt);

/* Print `why` to stderr and abort all processes of the context (ctxt NULL: of MPI_COMM_WORLD).  Local. */
void psb_abort(psb_ctxt *ctxt, const char *why);

/* Store the rank of this process, 0 <= *iam < *np, and the number of processes; both are -1 if ctxt is NULL.
 * iam or np may be NULL.  Local. */
void psb_info(const psb_ctxt *ctxt, int *iam, int *np);

/* Tags of the messages that the library sends on the communicator of psb_comm_of: callers may use any tag
 * but PSB_TAG_FIRST <= tag < PSB_TAG_END. */
enum psb_tag {
    PSB_TAG_FIRST = 100,
    PSB_TAG_EXCHANGE = PSB_TAG_FIRST, /* sparse exchanges, this tag and the next in turn */
    PSB_TAG_EXCHANGE_ODD,
    PSB_TAG_GATHER, /* psb_gather and psb_scatter of a vector */
    PSB_TAG_PRINT,
    PSB_TAG_HALO,
    PSB_TAG_INDICES, /* of a file of owners */
    PSB_TAG_TEXT,    /* of a Matrix Market file */
    PSB_TAG_MISSING, /* one process has waited in vain for another */
    PSB_TAG_END
};

/* Return the communicator of a context, for MPI calls of the caller with tags that are not reserved (see enum
 * psb_tag); MPI_COMM_NULL if ctxt is NULL.  Local. */
MPI_Comm psb_comm_of(const psb_ctxt *ctxt);

/* Wait until all processes have made this call.  Collective. */
PSB_MUST_CHECK psb_err psb_barrier(psb_ctxt *ctxt);

/* Return the seconds since a fixed time in the past.  To be called between psb_init and psb_exit.  Local. */
double psb_wtime(void);

/* Agree on an error: return PSB_OK if every process passes PSB_OK.  Otherwise all return the code of the
 * lowest process that failed by itself, not for lack of messages (PSB_EMPI); a process that did not fail with
 * this code records that message, and the name of the call that failed.  Collective. */
PSB_MUST_CHECK psb_err psb_agree(psb_ctxt *ctxt, psb_err err);

/* The same, and check that n and root, of any meaning, are the same on all processes; PSB_EARG with two
 * values that differ if not.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on(psb_ctxt *ctxt, psb_epk n, int root, psb_err err);

/* Return the messages and bytes that this process has sent on the context in collective calls, sparse
 * exchanges, halo exchanges and psb_snd, without barriers and reductions of MPI; 0 if ctxt is NULL.  Local.
 */
struct psb_traffic {
    long long messages, bytes;
};
struct psb_traffic psb_traffic(const psb_ctxt *ctxt);

/* Set these counts to 0; ctxt may be NULL.  Local. */
void psb_traffic_reset(psb_ctxt *ctxt);
PSB_END_C
#endif
