/* psb_coll.h -- room: base/par.  Numbers, logicals and strings from process to process.
 *
 * Every call here is collective, but for psb_snd, psb_rcv and psb_test.  The type of x, one of those below,
 * chooses what is sent.  The arguments n and root and the call itself must be alike on all processes; where
 * they are not, or where one process fails (its arguments are wrong, it has no memory), all get the error, x
 * is as it was, and the next call works.  A root of -1 stands for all.
 *
 * Floating-point numbers are merged in an order that depends on the number of processes alone: neighbours in
 * rank order first, then neighbouring pairs, and so on.  So all get the same bits, in every run.  Method:
 * recursive doubling; Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
 * MPICH", 2005.
 *
 * A process sends log2 np messages, rounded up; as many again, of n elements, where x has more than 64 bytes,
 * and takes memory for 2 n elements then, 3 n for a scan, none for a broadcast. */
#ifndef PSB_COLL_H
#define PSB_COLL_H
#include "psb_ctxt.h"

/* psb_ipk, psb_lpk, float, double, float complex, double complex, bool, char. */
enum psb_kind {
    PSB_KIND_i,
    PSB_KIND_l,
    PSB_KIND_s,
    PSB_KIND_d,
    PSB_KIND_c,
    PSB_KIND_z,
    PSB_KIND_b,
    PSB_KIND_h,
    PSB_NKINDS
};

/* The kind of what x points to. */
/* clang-format off */
#define PSB_KIND_OF(x) \
    _Generic(*(x), int32_t: PSB_KIND_i, int64_t: PSB_KIND_l, float: PSB_KIND_s, double: PSB_KIND_d, \
        float _Complex: PSB_KIND_c, double _Complex: PSB_KIND_z, _Bool: PSB_KIND_b, char: PSB_KIND_h)
/* clang-format on */

/* How elements of two processes become one. */
enum psb_op {
    PSB_SUM,  /* integers wrap around; not for bool, char */
    PSB_MAX,  /* bool: or; NaN where one is; not for complex, char */
    PSB_MIN,  /* bool: and; NaN where one is; not for complex, char */
    PSB_AMX,  /* the one of largest modulus, with its sign, the lowest process's of several */
    PSB_AMN,  /* of smallest modulus; NaN where one is; neither is for bool, char */
    PSB_NRM2, /* the root of the sum of squares, in range where it is; NaN where one is; float and double */
    PSB_NOPS
};

/* --- the calls ----------------------------------------------------------------------------------------- */

/* x[0..n) becomes the sum (psb_max: the largest, ...) over all processes on process `root`, or on all.
 * n >= 0; where root is another process x stays.  Collective. */
#define psb_sum(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_SUM, PSB_KIND_OF(x), n, x, root)
#define psb_max(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_MAX, PSB_KIND_OF(x), n, x, root)
#define psb_min(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_MIN, PSB_KIND_OF(x), n, x, root)
#define psb_amx(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_AMX, PSB_KIND_OF(x), n, x, root)
#define psb_amn(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_AMN, PSB_KIND_OF(x), n, x, root)
#define psb_nrm2(ctxt, n, x, root) psb_any_reduce(ctxt, PSB_NRM2, PSB_KIND_OF(x), n, x, root)

/* x[0..n) becomes the sum over the processes up to this one, psb_exscan_sum: before this one, 0 on process 0.
 * Collective. */
#define psb_scan_sum(ctxt, n, x)   psb_any_scan(ctxt, 0, PSB_KIND_OF(x), n, x)
#define psb_exscan_sum(ctxt, n, x) psb_any_scan(ctxt, 1, PSB_KIND_OF(x), n, x)

/* x[0..n) of process `root`, 0 <= root < np, goes to all.  For a string n is the room there is, its closing 0
 * included.  Collective. */
#define psb_bcast(ctxt, n, x, root) psb_any_bcast(ctxt, PSB_KIND_OF(x), n, x, root)

/* The same in two phases: _start returns at once, and x must neither be read nor written until psb_wait.
 * What is wrong with the arguments psb_wait tells, on all processes.  Where there is no memory for the
 * request _start fails at once, *req is as it was, and psb_wait fails on the others.  Collective. */
/* clang-format off */
#define psb_sum_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_SUM, PSB_KIND_OF(x), n, x, root, req)
#define psb_max_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_MAX, PSB_KIND_OF(x), n, x, root, req)
#define psb_min_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_MIN, PSB_KIND_OF(x), n, x, root, req)
#define psb_amx_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_AMX, PSB_KIND_OF(x), n, x, root, req)
#define psb_amn_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_AMN, PSB_KIND_OF(x), n, x, root, req)
#define psb_nrm2_start(ctxt, n, x, root, req) psb_any_reduce_start(ctxt, PSB_NRM2, PSB_KIND_OF(x), n, x, root, req)
#define psb_scan_sum_start(ctxt, n, x, req) psb_any_scan_start(ctxt, 0, PSB_KIND_OF(x), n, x, req)
#define psb_exscan_sum_start(ctxt, n, x, req) psb_any_scan_start(ctxt, 1, PSB_KIND_OF(x), n, x, req)
#define psb_bcast_start(ctxt, n, x, root, req) psb_any_bcast_start(ctxt, PSB_KIND_OF(x), n, x, root, req)
/* clang-format on */

/* psb_gather(ctxt, n, x, all, root): x[0..n) of all, in rank order, into all[0..np*n) of process `root`, or
 * of all; elsewhere `all` may be NULL and is not touched.  x and all do not overlap.  Process root receives
 * np messages.  With three arguments it gathers a vector.  Collective. */
#define psb_gather_5(ctxt, n, x, all, root) psb_any_gather(ctxt, PSB_KIND_OF(x), n, x, all, root)

/* The same where process r gives count[r] elements; n == count[me].  count[0..np) is read where `all` is
 * written, elsewhere it may be NULL.  Collective. */
#define psb_gatherv(ctxt, n, x, all, count, root) \
    psb_any_gatherv(ctxt, PSB_KIND_OF(x), n, x, all, count, root)

/* Send x[0..n) to process `dest`, which has or will call psb_rcv; x is copied, and nothing is waited for.
 * 0 <= tag < PSB_TAGS; what goes to one process with one tag arrives in order.  Where this fails with dest
 * and tag in range, the receiver fails too.  Local. */
#define psb_snd(ctxt, n, x, dest, tag) psb_any_snd(ctxt, PSB_KIND_OF(x), n, x, dest, tag)

/* Wait for what process `source` sends with that tag, n elements of x's type; a message of another length or
 * type is an error, is lost, and leaves x as it was.  So is a message that a wrong n or x is to receive.
 * Local. */
#define psb_rcv(ctxt, n, x, source, tag) psb_any_rcv(ctxt, PSB_KIND_OF(x), n, x, source, tag)

enum { PSB_TAGS = 16384 };

/* --- what they stand for ------------------------------------------------------------------------------- */

typedef struct psb_request psb_request;

PSB_MUST_CHECK psb_err psb_any_reduce(psb_ctxt *ctxt, enum psb_op op, enum psb_kind kind, psb_epk n, void *x,
                                      int root);
PSB_MUST_CHECK psb_err psb_any_scan(psb_ctxt *ctxt, int exclusive, enum psb_kind kind, psb_epk n, void *x);
PSB_MUST_CHECK psb_err psb_any_bcast(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, void *x, int root);
PSB_MUST_CHECK psb_err psb_any_reduce_start(psb_ctxt *ctxt, enum psb_op op, enum psb_kind kind, psb_epk n,
                                            void *x, int root, psb_request **req);
PSB_MUST_CHECK psb_err psb_any_scan_start(psb_ctxt *ctxt, int exclusive, enum psb_kind kind, psb_epk n,
                                          void *x, psb_request **req);
PSB_MUST_CHECK psb_err psb_any_bcast_start(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, void *x, int root,
                                           psb_request **req);
PSB_MUST_CHECK psb_err psb_any_gather(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, const void *x, void *all,
                                      int root);
PSB_MUST_CHECK psb_err psb_any_gatherv(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, const void *x,
                                       void *all, const psb_epk *count, int root);
PSB_MUST_CHECK psb_err psb_any_snd(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, const void *x, int dest,
                                   int tag);
PSB_MUST_CHECK psb_err psb_any_rcv(psb_ctxt *ctxt, enum psb_kind kind, psb_epk n, void *x, int source,
                                   int tag);

/* End what was started: x holds the result, *req is NULL, and the request is freed, whatever is returned.
 * Several may be under way, and end in any order that is the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err psb_wait(psb_request **req);

/* Move on what was started, as psb_wait and every other call here do; *done: psb_wait will not wait.  Local.
 */
PSB_MUST_CHECK psb_err psb_test(psb_request *req, int *done);

#endif
