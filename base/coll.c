/* coll.c -- room: base.  Collective calls, in one or in two phases.
 *
 * Each begins with a slot that every process fills: what it calls, with what arguments, whether it has
 * failed, and its elements if they are few.  Slots are merged pairwise (recursive doubling), so that everyone
 * knows the verdict of all, and a short call is over.  What is longer goes over its own route afterwards;
 * where a process failed, its words do. */
#include "ctxt.h"
#include "merge.h"
#include "psb_alloc.h"
#include <stdio.h>
#include <string.h>

struct args {
    int32_t call, kind, root, unused;
    int64_t n;
};

struct slot {
    struct args args;                      /* of the lowest process of those merged, */
    struct args other;                     /* and of the lowest that differs from it, */
    int32_t rank, differs, failed, unused; /* their ranks, and the lowest that failed; -1: none */
    double data[8];
};

struct news {
    int code;
    char text[400];
};

/* --- routes ------------------------------------------------------------------------------------------- */

/* What comes in belongs below, or above what is here, or replaces it. */
enum how { LOWER, UPPER, WHOLE };

/* One step of a process: send to `to`, receive from `from`; -1: nobody. */
struct hop {
    int to, from;
    enum how how;
};

struct route {
    int (*steps)(const psb_ctxt *c);
    struct hop (*hop)(const psb_ctxt *c, int root, int step);
};

/* Rounds that double up to at least n. */
static int doublings(int n)
{
    int k = 0;
    while (n > 1 << k)
        k++;
    return k;
}

/* All to all, by pairs at distance 1, 2, 4, ...  The first 2 * spare processes pair up before, so that
 * `places` are left, a power of two; the lower of those pairs get the result at the end. */
static int merging_steps(const psb_ctxt *c)
{
    return doublings(c->places) + (c->size > c->places ? 2 : 0);
}

static struct hop merging_hop(const psb_ctxt *c, int root, int step)
{
    int me = c->rank, spare = c->size - c->places, paired = me < 2 * spare, lower = paired && me % 2 == 0;
    (void)root;
    if (spare && step == 0)
        return lower ? (struct hop){ me + 1, -1, WHOLE } : (struct hop){ -1, paired ? me - 1 : -1, LOWER };
    if (spare && step == merging_steps(c) - 1)
        return lower ? (struct hop){ -1, me + 1, WHOLE } : (struct hop){ paired ? me - 1 : -1, -1, WHOLE };
    if (lower)
        return (struct hop){ -1, -1, WHOLE };
    int place = paired ? me / 2 : me - spare, peer = place ^ 1 << (step - (spare > 0));
    int rank = peer < spare ? 2 * peer + 1 : peer + spare;
    return (struct hop){ rank, rank, rank < me ? LOWER : UPPER };
}

/* From the root to all, along a binomial tree. */
static int doubling_steps(const psb_ctxt *c)
{
    return doublings(c->size);
}

static struct hop spreading_hop(const psb_ctxt *c, int root, int step)
{
    int np = c->size, far = 1 << step, place = (c->rank - root + np) % np;
    if (place < far)
        return (struct hop){ place + far < np ? (place + far + root) % np : -1, -1, WHOLE };
    return (struct hop){ -1, place < 2 * far ? (place - far + root) % np : -1, WHOLE };
}

/* From each to those above, at distance 1, 2, 4, ... */
static struct hop scanning_hop(const psb_ctxt *c, int root, int step)
{
    int far = 1 << step, me = c->rank;
    (void)root;
    return (struct hop){ me + far < c->size ? me + far : -1, me - far >= 0 ? me - far : -1, LOWER };
}

static const struct route merging = { merging_steps, merging_hop };
static const struct route spreading = { doubling_steps, spreading_hop };
static const struct route scanning = { doubling_steps, scanning_hop };

/* --- requests ----------------------------------------------------------------------------------------- */

enum stage { COMPARING, TELLING, MOVING, DONE };

struct psb_request {
    psb_ctxt *c;
    struct psb_request *next;
    struct args args;
    psb_err mine; /* what went wrong here before anything was sent */
    int mpi;      /* what went wrong in MPI, */
    const char *mpi_call;
    enum stage stage;
    int tag, begun; /* by psb_..._start, so psb_wait frees it */
    void *x;
    size_t bytes; /* of x */

    /* the route of this stage: where it is, what it sends, where it receives */
    const struct route *route;
    int root, step;
    struct hop hop;
    char *out, *in;
    size_t length, piece;
    MPI_Request one[2], *pending;
    int npending;

    struct slot slot, came;
    struct news news;
    void *heap; /* acc, part, before; many */
    char *acc, *part, *before;
    int some_before; /* of a scan: anything arrived */
    MPI_Request *many;
};

static int is_scan(const struct psb_request *r)
{
    return r->args.call == PSB_CALL_SCAN || r->args.call == PSB_CALL_EXSCAN;
}

/* Do the elements travel in the slot? */
static int is_short(const struct psb_request *r)
{
    return !is_scan(r) && r->bytes <= sizeof r->slot.data;
}

static psb_merge *merge_of(const struct args *a)
{
    int scan = a->call == PSB_CALL_SCAN || a->call == PSB_CALL_EXSCAN;
    return psb_merge_of(scan ? PSB_SUM : a->call, a->kind);
}

/* --- slots -------------------------------------------------------------------------------------------- */

static int alike(const struct args *a, const struct args *b)
{
    return a->call == b->call && a->kind == b->kind && a->root == b->root && a->n == b->n;
}

static void merge_heads(struct slot *to, const struct slot *lower, const struct slot *upper)
{
    struct slot s = *lower;
    if (s.failed < 0)
        s.failed = upper->failed;
    if (s.differs < 0 && !alike(&s.args, &upper->args)) {
        s.differs = upper->rank;
        s.other = upper->args;
    } else if (s.differs < 0) {
        s.differs = upper->differs;
        s.other = upper->other;
    }
    *to = s;
}

static void merge_slots(struct psb_request *r, const struct slot *lower, const struct slot *upper)
{
    struct slot s;
    merge_heads(&s, lower, upper);
    if (s.failed < 0 && s.differs < 0 && is_short(r)) {
        psb_merge *merge = merge_of(&r->args);
        if (merge)
            merge((size_t)r->args.n, s.data, lower->data, upper->data);
        else if (r->args.root >= upper->rank) /* a broadcast: whose data are the root's */
            memcpy(s.data, upper->data, sizeof s.data);
    }
    r->slot = s;
}

/* The elements, as they go into a reduction: a norm is that of what one process has. */
static void load(const struct psb_request *r, void *to)
{
    if (r->bytes)
        memcpy(to, r->x, r->bytes);
    if (r->args.call == PSB_NRM2)
        psb_moduli(r->args.kind, (size_t)r->args.n, to);
}

static void fill_slot(struct psb_request *r)
{
    memset(&r->slot, 0, sizeof r->slot); /* gaps travel too */
    r->slot.args = r->args;
    r->slot.rank = r->c->rank;
    r->slot.differs = -1;
    r->slot.failed = r->mine != PSB_OK ? r->c->rank : -1;
    int sends = r->args.call != PSB_CALL_BCAST || r->args.root == r->c->rank;
    if (r->mine == PSB_OK && is_short(r) && sends)
        load(r, r->slot.data);
}

/* --- steps -------------------------------------------------------------------------------------------- */

static int mpi_ok(struct psb_request *r, int code, const char *call)
{
    if (code == MPI_SUCCESS)
        return 1;
    r->mpi = code;
    r->mpi_call = call;
    r->stage = DONE;
    return 0;
}

/* The messages of this step.  What replaces what is here is received there. */
static void post(struct psb_request *r)
{
    psb_ctxt *c = r->c;
    struct hop h = r->hop = r->route->hop(c, r->root, r->step);
    size_t piece = r->piece, n = (r->length + piece - 1) / piece;
    char *in = h.how == WHOLE ? r->out : r->in;
    r->npending = 0;
    for (size_t k = 0; k < n && h.from >= 0; k++) {
        int len = (int)(k + 1 < n ? piece : r->length - k * piece);
        int code = MPI_Irecv(in + k * piece, len, MPI_BYTE, h.from, r->tag, c->inner,
                             &r->pending[r->npending]);
        if (!mpi_ok(r, code, "MPI_Irecv"))
            return;
        r->npending++;
    }
    for (size_t k = 0; k < n && h.to >= 0; k++) {
        int len = (int)(k + 1 < n ? piece : r->length - k * piece);
        int code = MPI_Isend(r->out + k * piece, len, MPI_BYTE, h.to, r->tag, c->inner,
                             &r->pending[r->npending]);
        if (!mpi_ok(r, code, "MPI_Isend"))
            return;
        r->npending++;
    }
    if (h.to >= 0)
        psb_count(c, n, r->length);
}

static void begin(struct psb_request *r, enum stage stage, const struct route *route, int root)
{
    r->stage = stage;
    r->route = route;
    r->root = root;
    r->step = 0;
    r->npending = 0;
    if (route->steps(r->c) > 0)
        post(r);
}

/* Has everything of this step arrived, and left? */
static int landed(struct psb_request *r, int block)
{
    int yes = 1, code = MPI_SUCCESS;
    if (r->npending && block)
        code = MPI_Waitall(r->npending, r->pending, MPI_STATUSES_IGNORE);
    else if (r->npending)
        code = MPI_Testall(r->npending, r->pending, &yes, MPI_STATUSES_IGNORE);
    return mpi_ok(r, code, "MPI_Waitall") && yes;
}

static void absorb_scan(struct psb_request *r, psb_merge *sum)
{
    size_t n = (size_t)r->args.n;
    if (r->some_before)
        sum(n, r->before, r->part, r->before);
    else
        memcpy(r->before, r->part, r->bytes);
    r->some_before = 1;
    sum(n, r->acc, r->part, r->acc);
}

/* Make one of what is here and what came. */
static void absorb(struct psb_request *r)
{
    size_t n = (size_t)r->args.n;
    if (r->hop.from < 0 || r->hop.how == WHOLE)
        return;
    int below = r->hop.how == LOWER;
    if (r->stage == COMPARING)
        merge_slots(r, below ? &r->came : &r->slot, below ? &r->slot : &r->came);
    else if (is_scan(r))
        absorb_scan(r, merge_of(&r->args));
    else
        merge_of (&r->args)(n, r->acc, below ? r->part : r->acc, below ? r->acc : r->part);
}

static void compare(struct psb_request *r)
{
    r->pending = r->one;
    r->out = (char *)&r->slot;
    r->in = (char *)&r->came;
    r->length = r->piece = sizeof r->slot;
    begin(r, COMPARING, &merging, 0);
}

static void tell(struct psb_request *r)
{
    r->out = (char *)&r->news;
    r->length = r->piece = sizeof r->news;
    begin(r, TELLING, &spreading, r->slot.failed);
}

static void move(struct psb_request *r)
{
    int bcast = r->args.call == PSB_CALL_BCAST;
    r->pending = r->many ? r->many : r->one;
    r->out = bcast ? r->x : r->acc;
    r->in = r->part;
    r->length = r->bytes;
    r->piece = psb_piece();
    if (!bcast)
        load(r, r->acc);
    begin(r, MOVING, bcast ? &spreading : is_scan(r) ? &scanning : &merging, r->args.root);
}

static void next_stage(struct psb_request *r)
{
    if (r->stage == COMPARING && r->slot.failed >= 0)
        tell(r);
    else if (r->stage == COMPARING && r->slot.differs < 0 && r->bytes && !is_short(r))
        move(r);
    else
        r->stage = DONE;
}

/* As far as it goes, or to the end. */
static void advance(struct psb_request *r, int block)
{
    while (r->stage != DONE && landed(r, block)) {
        int steps = r->route->steps(r->c);
        if (r->step < steps) {
            absorb(r);
            r->npending = 0;
            if (++r->step < steps)
                post(r);
        } else {
            next_stage(r);
        }
    }
}

void psb_progress(psb_ctxt *c)
{
    for (struct psb_request *r = c->active; r; r = r->next)
        advance(r, 0);
}

/* --- from the arguments to the result ------------------------------------------------------------------- */

psb_err psb_check_array(int kind, psb_epk n, const void *x, size_t *bytes)
{
    const struct psb_kind_info *k = psb_kind_info(kind);
    PSB_CHECK(k, PSB_EARG, "argument kind is %d; expected 0 <= kind < %d", kind, PSB_NKINDS);
    PSB_CHECK(n >= 0 && n <= (psb_epk)(PTRDIFF_MAX / (psb_epk)k->size), PSB_EARG,
              "argument n is %" PRId64 "; expected 0 <= n <= %" PRId64, n,
              (psb_epk)(PTRDIFF_MAX / (psb_epk)k->size));
    PSB_CHECK(x || n == 0, PSB_EARG, "argument x is NULL; expected %" PRId64 " elements", n);
    *bytes = (size_t)n * k->size;
    return PSB_OK;
}

static psb_err check_args(const struct psb_request *r)
{
    static const char *const named[PSB_NOPS] = {
        "sum", "maximum", "minimum", "element of largest modulus", "element of smallest modulus", "norm"
    };
    const struct args *a = &r->args;
    int least = a->call == PSB_CALL_BCAST ? 0 : -1;
    PSB_CHECK(a->root >= least && a->root < r->c->size, PSB_EARG,
              "argument root is %d; expected %d <= root < %d", a->root, least, r->c->size);
    PSB_CHECK(a->call >= 0, PSB_EARG, "argument op is %d; expected 0 <= op < %d", a->call, PSB_NOPS);
    if (a->call < PSB_NOPS || is_scan(r)) {
        int op = is_scan(r) ? PSB_SUM : a->call;
        PSB_CHECK(merge_of(a), PSB_EARG, "argument x is of type %s; there is no %s of those",
                  psb_kind_info(a->kind)->name, named[op]);
    }
    return PSB_OK;
}

/* Room for what is too long for a slot. */
static psb_err make_room(struct psb_request *r)
{
    size_t arrays = r->args.call == PSB_CALL_BCAST ? 0 : is_scan(r) ? 3 : 2;
    size_t n = psb_pieces(r->bytes), requests = n > 1 ? 2 * n * sizeof *r->many : 0;
    if (r->bytes == 0 || is_short(r) || (arrays == 0 && requests == 0))
        return PSB_OK;
    size_t each = (r->bytes + 63) / 64 * 64; /* cache lines */
    PSB_CHECK(each <= (PTRDIFF_MAX - requests) / 3, PSB_ENOMEM, "no memory for a reduction of %zu bytes",
              r->bytes);
    PSB_TRY(psb_alloc(&r->heap, arrays * each + requests, 1, "elements of a collective call"));
    r->acc = r->heap;
    r->part = r->acc + each;
    r->before = r->part + each;
    if (requests)
        r->many = (MPI_Request *)(r->acc + arrays * each);
    return PSB_OK;
}

static psb_err prepare(struct psb_request *r)
{
    if (r->args.call >= PSB_CALL_GATHER) /* has been done, and nothing moves */
        return PSB_OK;
    PSB_TRY(psb_check_array(r->args.kind, r->args.n, r->x, &r->bytes));
    PSB_TRY(check_args(r));
    return make_room(r);
}

int psb_next_tag(psb_ctxt *c)
{
    return PSB_TAGS + (int)(c->calls++ % PSB_TAGS);
}

/* Every process comes here, whatever is wrong; `mine` is what it knows to be wrong by now. */
static void start(struct psb_request *r, psb_err mine)
{
    r->mine = mine != PSB_OK ? mine : prepare(r);
    if (r->mine != PSB_OK) {
        r->news.code = (int)r->mine;
        snprintf(r->news.text, sizeof r->news.text, "%s", psb_errmsg());
    }
    r->tag = psb_next_tag(r->c);
    r->next = r->c->active;
    r->c->active = r;
    fill_slot(r);
    compare(r);
}

static psb_err say_differs(const struct slot *s)
{
    static const char *const calls[PSB_NCALLS] = { "psb_sum",    "psb_max",      "psb_min",
                                                   "psb_amx",    "psb_amn",      "psb_nrm2",
                                                   "psb_bcast",  "psb_scan_sum", "psb_exscan_sum",
                                                   "psb_gather", "psb_gatherv",  "psb_agree" };
    const struct args *a = &s->args, *b = &s->other;
    if (a->call != b->call)
        return PSB_FAIL(PSB_EARG, "process %d calls %s and process %d %s; expected the same call", s->rank,
                        calls[a->call], s->differs, calls[b->call]);
    if (a->kind != b->kind)
        return PSB_FAIL(PSB_EARG,
                        "argument x is of type %s on process %d and %s on process %d; expected one type",
                        psb_kind_info(a->kind)->name, s->rank, psb_kind_info(b->kind)->name, s->differs);
    if (a->n != b->n)
        return PSB_FAIL(PSB_EARG,
                        "argument n is %" PRId64 " on process %d and %" PRId64
                        " on process %d; expected one value",
                        a->n, s->rank, b->n, s->differs);
    return PSB_FAIL(PSB_EARG, "argument root is %d on process %d and %d on process %d; expected one value",
                    a->root, s->rank, b->root, s->differs);
}

static void deliver_scan(struct psb_request *r)
{
    size_t n = (size_t)r->args.n;
    if (r->args.call == PSB_CALL_SCAN && r->some_before)
        merge_of (&r->args)(n, r->x, r->before, r->x);
    else if (r->args.call == PSB_CALL_EXSCAN && r->some_before)
        memcpy(r->x, r->before, r->bytes);
    else if (r->args.call == PSB_CALL_EXSCAN)
        memset(r->x, 0, r->bytes);
}

static void deliver(struct psb_request *r)
{
    int bcast = r->args.call == PSB_CALL_BCAST, mine = r->args.root == r->c->rank;
    if (r->bytes == 0)
        return;
    if (is_scan(r))
        deliver_scan(r);
    else if (bcast ? is_short(r) && !mine : r->args.root < 0 || mine)
        memcpy(r->x, is_short(r) ? (const void *)r->slot.data : r->acc, r->bytes);
}

static psb_err verdict(struct psb_request *r)
{
    if (r->mpi != MPI_SUCCESS)
        return psb_mpi_fail(r->mpi, r->mpi_call);
    if (r->mine != PSB_OK)
        return r->mine;
    if (r->slot.failed >= 0)
        return PSB_FAIL((psb_err)r->news.code, "on process %d: %s", r->slot.failed, r->news.text);
    if (r->slot.differs >= 0)
        return say_differs(&r->slot);
    deliver(r);
    return PSB_OK;
}

static psb_err finish(struct psb_request *r)
{
    struct psb_request **p = &r->c->active;
    while (r->stage != DONE)
        if (r->c->active == r && !r->next)
            advance(r, 1);
        else
            psb_progress(r->c);
    while (*p != r)
        p = &(*p)->next;
    *p = r->next;
    psb_err e = verdict(r);
    psb_free(r->heap);
    return e;
}

static psb_err run(struct psb_request r, psb_err mine)
{
    PSB_TRY(psb_check_ctxt(r.c));
    start(&r, mine);
    return finish(&r);
}

/* Without a request this process takes part all the same, as one that failed. */
static psb_err launch(struct psb_request made, psb_request **req)
{
    psb_request *r = NULL;
    PSB_TRY(psb_check_ctxt(made.c));
    psb_err e = req ? psb_alloc(&r, 1, sizeof *r, "request")
                    : PSB_FAIL(PSB_EARG, "argument req is NULL; expected where to store the request");
    if (e != PSB_OK)
        return run(made, e);
    *r = made;
    start(r, PSB_OK);
    *req = r;
    return PSB_OK;
}

psb_err psb_wait(psb_request **req)
{
    PSB_CHECK(req && *req, PSB_EARG, "argument %s is NULL; expected what psb_..._start gave",
              req ? "*req" : "req");
    psb_request *r = *req;
    PSB_TRY(psb_check_ctxt(r->c));
    *req = NULL;
    psb_err e = finish(r);
    psb_free(r);
    return e;
}

psb_err psb_test(psb_request *req, int *done)
{
    PSB_CHECK(req, PSB_EARG, "argument req is NULL; expected what psb_..._start gave");
    PSB_CHECK(done, PSB_EARG, "argument done is NULL; expected where to store the answer");
    PSB_TRY(psb_check_ctxt(req->c));
    psb_progress(req->c);
    *done = req->stage == DONE;
    return PSB_OK;
}

/* --- the calls ---------------------------------------------------------------------------------------- */

static struct psb_request request(psb_ctxt *c, int call, int kind, psb_epk n, void *x, int root)
{
    return (struct psb_request){ .c = c, .args = { call, kind, root, 0, n }, .x = x };
}

/* A reduction; an `op` there is none of is refused in time. */
static struct psb_request reduction(psb_ctxt *c, int op, int kind, psb_epk n, void *x, int root)
{
    return request(c, op >= 0 && op < PSB_NOPS ? op : -1, kind, n, x, root);
}

psb_err psb_any_reduce(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, int root)
{
    return run(reduction(c, (int)op, (int)kind, n, x, root), PSB_OK);
}

psb_err psb_any_reduce_start(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, int root,
                             psb_request **req)
{
    return launch(reduction(c, (int)op, (int)kind, n, x, root), req);
}

static struct psb_request scan(psb_ctxt *c, int exclusive, int kind, psb_epk n, void *x)
{
    return request(c, exclusive ? PSB_CALL_EXSCAN : PSB_CALL_SCAN, kind, n, x, -1);
}

psb_err psb_any_scan(psb_ctxt *c, int exclusive, enum psb_kind kind, psb_epk n, void *x)
{
    return run(scan(c, exclusive, (int)kind, n, x), PSB_OK);
}

psb_err psb_any_scan_start(psb_ctxt *c, int exclusive, enum psb_kind kind, psb_epk n, void *x,
                           psb_request **req)
{
    return launch(scan(c, exclusive, (int)kind, n, x), req);
}

psb_err psb_any_bcast(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, int root)
{
    return run(request(c, PSB_CALL_BCAST, (int)kind, n, x, root), PSB_OK);
}

psb_err psb_any_bcast_start(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, int root, psb_request **req)
{
    return launch(request(c, PSB_CALL_BCAST, (int)kind, n, x, root), req);
}

psb_err psb_sum_ordered(psb_ctxt *c, int n, double *x)
{
    return psb_any_reduce(c, PSB_SUM, PSB_KIND_d, n, x, -1);
}

psb_err psb_compare(psb_ctxt *c, enum psb_call call, int kind, psb_epk n, int root, psb_err mine)
{
    return run(request(c, (int)call, kind, n, NULL, root), mine);
}

psb_err psb_agree(psb_ctxt *c, psb_err mine)
{
    return psb_compare(c, PSB_CALL_AGREE, 0, 0, -1, mine);
}
