/* ctxt.h -- room: base/par.  What a context is made of, for the files that send. */
#ifndef PSB_CTXT_INSIDE_H
#define PSB_CTXT_INSIDE_H
#include "psb_coll.h"

struct psb_ctxt {
    MPI_Comm comm;  /* the user's, the halo's and the exchange's */
    MPI_Comm inner; /* of coll.c, gather.c and p2p.c alone, so that tags of the user's are not met */
    int rank, size;
    int places;                 /* the largest power of two <= size */
    int phase;                  /* of the exchanges, so that two in a row cannot mix */
    unsigned calls;             /* collective calls so far: their tags */
    struct psb_request *active; /* what was started and has not been waited for */
    struct psb_letter *letters; /* sent by psb_snd and perhaps still on their way */
    struct psb_traffic traffic;
};

/* The context can be used: neither is it NULL nor MPI at its end. */
PSB_MUST_CHECK psb_err psb_check_ctxt(const psb_ctxt *c);

/* Tags on `inner`: the user's, then those of collective calls, in turn. */
int psb_next_tag(psb_ctxt *c);

/* The most bytes of one message, 1 <= bytes <= PSB_PIECE, what it is at first; longer ones go in pieces.
 * Returns what it was.  For tests. */
enum { PSB_PIECE = 1 << 24 };
size_t psb_set_piece(size_t bytes);
size_t psb_piece(void);

/* Where a piece may be received for nobody.  Open MPI 4 writes beyond what a long message is cut to. */
void *psb_nowhere(void);

/* How many pieces `bytes` make. */
size_t psb_pieces(size_t bytes);

/* Count n messages, together `bytes`. */
void psb_count(psb_ctxt *c, size_t n, size_t bytes);

/* Send, or receive, all pieces, and wait for them. */
PSB_MUST_CHECK psb_err psb_send_pieces(psb_ctxt *c, const void *p, size_t bytes, int to, int tag);
PSB_MUST_CHECK psb_err psb_recv_pieces(psb_ctxt *c, void *p, size_t bytes, int from, int tag);

/* n elements of `kind` from x can be sent; *bytes of them. */
PSB_MUST_CHECK psb_err psb_check_array(int kind, psb_epk n, const void *x, size_t *bytes);

/* A reduction for all, by a process that may have failed: if one has, all return its error, and x is as it
 * was; it need not know n. */
PSB_MUST_CHECK psb_err psb_reduce_or_fail(psb_ctxt *c, enum psb_op op, psb_epk n, double *x, psb_err mine);

/* A collective call that only compares arguments and agrees on `mine`: `call` from enum psb_call. */
enum psb_call {
    PSB_CALL_BCAST = PSB_NOPS, /* below: the reductions */
    PSB_CALL_SCAN,
    PSB_CALL_EXSCAN,
    PSB_CALL_GATHER,
    PSB_CALL_GATHERV,
    PSB_CALL_SCATTER, /* of a vector */
    PSB_CALL_AGREE,
    PSB_NCALLS
};
PSB_MUST_CHECK psb_err psb_compare(psb_ctxt *c, enum psb_call call, int kind, psb_epk n, int root,
                                   psb_err mine);

/* Move on whatever is under way. */
void psb_progress(psb_ctxt *c);

/* Wait for what psb_snd sent. */
void psb_letters_end(psb_ctxt *c);
#endif
