/* ctxt.h -- base/par: the inside of a context. */
#ifndef PSB_CTXT_INSIDE_H
#define PSB_CTXT_INSIDE_H
#include "coll.h"
#include "psb_handle.h"

/* Bytes that a context keeps for the elements of collective calls: enough for the sums of solvers. */
enum { PSB_KEPT = 16384 };

struct psb_ctxt {
    unsigned mark;  /* see psb_handle.h */
    MPI_Comm comm;  /* used by the caller, and by the library with the tags of enum psb_tag */
    MPI_Comm inner; /* of collective calls and psb_snd: the library alone uses it */
    int rank, size;
    int places;                    /* the largest power of two <= size */
    int phase;                     /* 0 and 1 in turn: consecutive sparse exchanges have different tags */
    unsigned calls, channels;      /* collective calls and channels so far; their tags are made of it */
    struct psb_request *active;    /* collective calls started and not yet waited for */
    struct psb_request *spare;     /* memory of the next request, NULL while it is used */
    void *elements;                /* memory for PSB_KEPT bytes of a call, NULL while it is used */
    struct psb_outgoing *outgoing; /* messages of psb_snd that may still be in flight */
    void (*flush)(psb_ctxt *c);    /* waits for `outgoing`; NULL: there have been none */
    struct psb_traffic traffic;
    double seconds;  /* to wait for a process in a sum, PSB_HALO_TIMEOUT; 0: not set, no limit */
    int lost;        /* 1 + the rank of one that did not come, as this or another process found; 0: none */
    bool logs;       /* what PSB_LOG asks for is written when it ends */
    bool waits_told; /* a line has told that this process waits for a sum */
};

enum { PSB_HALO_SECONDS = 120 };

/* *seconds = PSB_HALO_TIMEOUT, or PSB_HALO_SECONDS.  PSB_EARG for a wrong value.  Local. */
PSB_MUST_CHECK psb_err psb_halo_seconds(double *seconds);

/* Take notice of a process that another one has waited for in vain, and return whether there is one.  Local.
 */
bool psb_is_one_missing(psb_ctxt *c);

/* Return the tag on `inner` of the next collective call, all tags >= PSB_TAGS in turn.  Local. */
int psb_next_tag(psb_ctxt *c);

/* Return a tag on `inner` that no later channel of the context has, but for the 1024th after it; to be called
 * on all processes.  Local. */
int psb_next_channel_tag(psb_ctxt *c);

/* Create the type of k consecutive elements of type t; freed by MPI_Type_free.  Local. */
PSB_MUST_CHECK psb_err psb_row_type(int k, MPI_Datatype t, MPI_Datatype *row);

/* Count n messages sent, `bytes` in total.  Local. */
void psb_count(psb_ctxt *c, size_t n, size_t bytes);
/* Open the file of the log, and tell on process 0 which file that PSB_LOG names for the end cannot be
 * written: when a context of all processes begins.  Local. */
void psb_log_at_start(const psb_ctxt *ctxt);

/* Write what PSB_LOG asks for, before a context of all processes ends, and forget it.  Collective. */
void psb_log_at_exit(psb_ctxt *ctxt);

/* Does MPI run: after MPI_Init and before MPI_Finalize?  Local. */
bool psb_mpi_runs(void);
#endif
