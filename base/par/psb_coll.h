/* psb_coll.h -- base/par: collective and point-to-point communication of numbers, logicals and
 * strings.
 *
 * Every call here is collective except psb_snd, psb_rcv and psb_test.  The element type is the type of *x,
 * one of those below.  The call and its arguments n and root must be the same on all processes.  If they
 * differ, or if a process fails (an argument is invalid, or it has no memory), all processes return the
 * error, x is unchanged, and the next call works.  Root -1 stands for all processes.
 *
 * Floating-point reductions use an order that depends only on the number of processes: first neighbours in
 * rank order, then neighbouring pairs, and so on.  All processes get the same bits, in every run.  Method:
 * recursive doubling; Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
 * MPICH", 2005.
 *
 * A process sends ceil(log2 np) messages, and as many again, of n elements, if x has more than 64 bytes; in
 * that case it needs memory for 2 n elements, 3 n for a scan, none for a broadcast; a context keeps 16 KiB. */
#ifndef PSB_COLL_H
#define PSB_COLL_H
#include "psb_ctxt.h"
#include "psb_lang.h"
#include "psb_scalar.h"
PSB_BEGIN_C

/* psb_ipk, psb_lpk (and long long), float, double, float complex, double complex, bool, char, size_t, int8_t,
 * int16_t. */
enum psb_kind {
    PSB_KIND_i,
    PSB_KIND_l,
    PSB_KIND_s,
    PSB_KIND_d,
    PSB_KIND_c,
    PSB_KIND_z,
    PSB_KIND_b,
    PSB_KIND_h,
    PSB_KIND_u,
    PSB_KIND_i1,
    PSB_KIND_i2,
    PSB_NKINDS
};

/* clang-format off */
/* The types of elements and their kinds, besides bool. */
#define PSB_KIND_TYPES(K) \
    K(int, i) K(long, l) K(long long, l) K(unsigned long, u) K(unsigned long long, u) K(signed char, i1) K(short, i2) \
    K(float, s) K(double, d) K(PSB_SCALAR_c, c) K(PSB_SCALAR_z, z) K(char, h)

/* The kind of the elements that x points to. */
#ifdef __cplusplus
extern "C++" {
#define PSB_KIND_CASE(type, kind) constexpr enum psb_kind psb_kind_of(const type *) { return PSB_KIND_##kind; }
PSB_KIND_TYPES(PSB_KIND_CASE)
PSB_KIND_CASE(bool, b)
}
#define PSB_KIND_OF(x) psb_kind_of(x)
#else
#define PSB_KIND_CASE(type, kind) type: PSB_KIND_##kind,
#define PSB_KIND_OF(x)            _Generic(*(x), PSB_KIND_TYPES(PSB_KIND_CASE) _Bool: PSB_KIND_b)
#endif
/* clang-format on */

/* Reductions of elements a, b of two processes. */
enum psb_op {
    PSB_SUM,  /* integers wrap around; not for bool, char */
    PSB_MAX,  /* bool: or; NaN if one is NaN; not for complex, char */
    PSB_MIN,  /* bool: and; NaN if one is NaN; not for complex, char */
    PSB_AMX,  /* the element of largest modulus, with its sign; of several, that of the lowest process */
    PSB_AMN,  /* the same for the smallest modulus; both NaN if one is NaN, and not for bool, char */
    PSB_NRM2, /* sqrt(a^2 + b^2) without overflow; NaN if one is NaN; float and double only */
    PSB_NOPS
};

/* --- the calls ----------------------------------------------------------------------------------------- */

/* Replace x[0..n), n >= 0, on process `root` by the elementwise sum (psb_max: maximum, ...) over all
 * processes; on the other processes x is unchanged.  Root -1: on all.  Collective. */
#define psb_sum(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_SUM, PSB_KIND_OF(x), n, x, root)
#define psb_max(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_MAX, PSB_KIND_OF(x), n, x, root)
#define psb_min(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_MIN, PSB_KIND_OF(x), n, x, root)
#define psb_amx(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_AMX, PSB_KIND_OF(x), n, x, root)
#define psb_amn(ctxt, n, x, root)  psb_any_reduce(ctxt, PSB_AMN, PSB_KIND_OF(x), n, x, root)
#define psb_nrm2(ctxt, n, x, root) psb_any_reduce(ctxt, PSB_NRM2, PSB_KIND_OF(x), n, x, root)

/* Replace x[0..n) by the sum over processes 0 .. me (psb_exscan_sum: 0 .. me - 1, which is 0 on process 0).
 * Collective. */
#define psb_scan_sum(ctxt, n, x)   psb_any_scan(ctxt, 0, PSB_KIND_OF(x), n, x)
#define psb_exscan_sum(ctxt, n, x) psb_any_scan(ctxt, 1, PSB_KIND_OF(x), n, x)

/* Copy x[0..n) of process `root`, 0 <= root < np, to all processes.  For a string, n is the size of the
 * buffer, which must hold the terminating 0.  Collective. */
#define psb_bcast(ctxt, n, x, root) psb_any_bcast(ctxt, PSB_KIND_OF(x), n, x, root)

/* The same in two phases: psb_..._start returns at once, and x must be neither read nor written until
 * psb_wait. psb_wait returns the errors of the arguments, on all processes.  A context has memory for
 * one request; if a process has none for a further one, its _start waits for the other processes, fails, and
 * leaves *req unchanged, and psb_wait fails on the others.  Collective. */
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

/* psb_gather(ctxt, n, x, all, root): copy x[0..n) of every process, in rank order, to all[0..np*n) of process
 * `root` (-1: of all processes).  On the other processes `all` is not accessed and may be NULL.  x and `all`
 * do not overlap.  Process root receives np messages.  psb_gather with three arguments gathers a vector.
 * Collective. */
#define psb_gather_5(ctxt, n, x, all, root) psb_any_gather(ctxt, PSB_KIND_OF(x), n, x, all, root)

/* The same with count[r] elements from process r; n == count[me].  count[0..np) is read only where `all` is
 * written, and may be NULL on the other processes.  Collective. */
#define psb_gatherv(ctxt, n, x, all, count, root) \
    psb_any_gatherv(ctxt, PSB_KIND_OF(x), n, x, all, count, root)

/* Send x[0..n) to process `dest`, which calls psb_rcv before or after; x is copied, and the call does not
 * wait. 0 <= tag < PSB_TAGS.  Messages to one process with one tag arrive in order.  If this fails with dest
 * and tag in range, the receiver fails too.  Local. */
#define psb_snd(ctxt, n, x, dest, tag) psb_any_snd(ctxt, PSB_KIND_OF(x), n, x, dest, tag)

/* Wait for the message of process `source` with that tag, n elements of x's type.  If the message has another
 * length or type, or if n or x is invalid, this fails, the message is dropped, and x is unchanged.  Local. */
#define psb_rcv(ctxt, n, x, source, tag) psb_any_rcv(ctxt, PSB_KIND_OF(x), n, x, source, tag)

/* The number of tags of psb_snd. */
enum { PSB_TAGS = 16384 };

/* --- the functions behind the macros ------------------------------------------------------------------- */

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

/* Wait for the call started with *req.  On return x holds the result; in any case *req is NULL and the
 * request is freed.  Several calls may be in progress, and may be waited for in any order that is the same on
 * all processes.  Collective. */
PSB_MUST_CHECK psb_err psb_wait(psb_request **req);

/* Advance all calls that have been started, as every collective call does, and store in *done whether
 * psb_wait on req would return at once.  Local. */
PSB_MUST_CHECK psb_err psb_test(psb_request *req, int *done);

PSB_END_C
#endif
