/* request.h -- base/par: a collective call in progress. */
#ifndef PSB_REQUEST_H
#define PSB_REQUEST_H
#include "coll.h"
#include "ctxt.h"
#include "merge.h"

enum { PSB_CUT_OFF = 1 << 30 };

/* What a process calls, and with which arguments. */
struct psb_args {
    int32_t call, kind, root, unused;
    int64_t n;
};

/* The state of some processes, merged into one. */
struct psb_slot {
    struct psb_args args;  /* of the lowest of these processes, */
    struct psb_args other; /* and of the lowest whose arguments differ from it */
    int32_t rank, differs; /* ranks of these two; differs -1: all agree */
    int32_t failed; /* the lowest rank that has failed by itself, else PSB_CUT_OFF + the lowest that failed
                       for lack of another's messages; -1: none */
    int32_t unused;
    double data[8]; /* the elements, if they fit */
};

/* The error that all return: of process psb_failed_one. */
struct psb_failure {
    int code;
    char call[64], text[400];
};

/* How data received are used: as those of lower ranks, of higher ranks, or in place of what is here. */
enum psb_how { LOWER, UPPER, WHOLE };

/* One step of a process: send to `to`, receive from `from`; -1: no message. */
struct psb_hop {
    int to, from;
    enum psb_how how;
};

/* A communication pattern: the number of steps, and the hop of this process in each step. */
struct psb_route {
    int (*steps)(const psb_ctxt *c);
    struct psb_hop (*hop)(const psb_ctxt *c, int root, int step);
};

/* Slots are merged; an error message is broadcast; elements are sent; complete. */
enum psb_stage { COMPARING, TELLING, MOVING, DONE };

struct psb_request {
    psb_ctxt *c;
    struct psb_request *next; /* in c->active */
    struct psb_args args;
    psb_err err;  /* the error of this process before the first message */
    bool limited; /* the wait for a process is limited, or told after a while */
    bool over;    /* it was in vain, here or on another process */
    double begun;
    int mpi; /* the code of a failed MPI call, and the call */
    const char *mpi_call;
    enum psb_stage stage;
    int tag;
    void *x;
    size_t bytes; /* of x */

    /* the current stage */
    const struct psb_route *route;
    int root, step;
    struct psb_hop hop;
    char *out, *in; /* send and receive buffers */
    size_t length, piece;
    MPI_Request one[2], *pending;
    int npending, receives; /* the receives come first */

    struct psb_slot slot, received; /* of the processes merged so far; received */
    struct psb_failure failure;
    void *heap;                /* the memory of acc, part, before and many */
    bool kept;                 /* heap is the context's */
    char *acc, *part, *before; /* elements reduced so far; received; of a scan: reduced over lower ranks */
    bool some_before;           /* of a scan: before has been set */
    MPI_Request *many;
};

/* Return the process whose error all return, -1 if none has failed.  Local. */
int psb_failed_one(const struct psb_slot *s);

/* Is the call a scan?  Local. */
bool psb_is_scan(const struct psb_request *r);

/* Do the elements fit in the slot?  Local. */
bool psb_is_short(const struct psb_request *r);

/* Return the function that reduces the elements, NULL if there is none.  Local. */
psb_merge *psb_request_merge(const struct psb_request *r);

/* Enter the first stage.  The caller has set c, args, err, failure, x, bytes, tag, and memory for elements
 * that do not fit in the slot.  Local. */
void psb_request_begin(struct psb_request *r);

/* Advance r until it is DONE (block), or as far as possible without waiting.  A process that waits too long
 * ends r, and tells all others, which end theirs.  Local. */
void psb_request_advance(struct psb_request *r, bool block);
/* Has r waited too long in this step, or has another process?  Local. */
bool psb_request_is_in_vain(struct psb_request *r);
#endif
