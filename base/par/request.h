/* request.h -- room: base/par.  A collective call under way. */
#ifndef PSB_REQUEST_H
#define PSB_REQUEST_H
#include "ctxt.h"
#include "merge.h"

struct psb_args {
    int32_t call, kind, root, unused;
    int64_t n;
};

struct psb_slot {
    struct psb_args args;                  /* of the lowest process of those merged, */
    struct psb_args other;                 /* and of the lowest that differs from it, */
    int32_t rank, differs, failed, unused; /* their ranks, and the lowest that failed; -1: none */
    double data[8];
};

struct psb_news {
    int code;
    char text[400];
};

/* What comes in belongs below, or above what is here, or replaces it. */
enum psb_how { LOWER, UPPER, WHOLE };

/* One step of a process: send to `to`, receive from `from`; -1: nobody. */
struct psb_hop {
    int to, from;
    enum psb_how how;
};

struct psb_route {
    int (*steps)(const psb_ctxt *c);
    struct psb_hop (*hop)(const psb_ctxt *c, int root, int step);
};

enum psb_stage { COMPARING, TELLING, MOVING, DONE };

struct psb_request {
    psb_ctxt *c;
    struct psb_request *next;
    struct psb_args args;
    psb_err mine; /* what went wrong here before anything was sent */
    int mpi;      /* what went wrong in MPI, */
    const char *mpi_call;
    enum psb_stage stage;
    int tag;
    void *x;
    size_t bytes; /* of x */

    /* on the route of this stage */
    const struct psb_route *route;
    int root, step;
    struct psb_hop hop;
    char *out, *in; /* what it sends, where it receives */
    size_t length, piece;
    MPI_Request one[2], *pending;
    int npending;

    struct psb_slot slot, came;
    struct psb_news news;
    void *heap; /* acc, part, before; many */
    char *acc, *part, *before;
    int some_before; /* of a scan: anything arrived */
    MPI_Request *many;
};

/* Is it a scan?  Do its elements travel in the slot?  What merges them, NULL: nothing. */
int psb_is_scan(const struct psb_request *r);
int psb_is_short(const struct psb_request *r);
psb_merge *psb_request_merge(const struct psb_request *r);

/* Begin: c, args, mine, news, x, bytes, and room for what is not short are there. */
void psb_request_begin(struct psb_request *r);

/* Go on until it is DONE, or, without `block`, as far as it goes. */
void psb_request_advance(struct psb_request *r, int block);
#endif
