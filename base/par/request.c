/* request.c -- room: base/par.  The way of a collective call.
 *
 * It begins with a slot that every process fills: what it calls, with what arguments, whether it has failed,
 * and its elements if they are few.  Slots are merged pairwise (recursive doubling), so that everyone knows
 * the verdict of all, and a short call is over.  What is longer goes over a route of its own afterwards;
 * where a process failed, its words do. */
#include "request.h"
#include <string.h>

/* --- routes -------------------------------------------------------------------------------------------- */

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

static struct psb_hop merging_hop(const psb_ctxt *c, int root, int step)
{
    int me = c->rank, spare = c->size - c->places, paired = me < 2 * spare, lower = paired && me % 2 == 0;
    (void)root;
    if (spare && step == 0)
        return lower ? (struct psb_hop){ me + 1, -1, WHOLE }
                     : (struct psb_hop){ -1, paired ? me - 1 : -1, LOWER };
    if (spare && step == merging_steps(c) - 1)
        return lower ? (struct psb_hop){ -1, me + 1, WHOLE }
                     : (struct psb_hop){ paired ? me - 1 : -1, -1, WHOLE };
    if (lower)
        return (struct psb_hop){ -1, -1, WHOLE };
    int place = paired ? me / 2 : me - spare, peer = place ^ 1 << (step - (spare > 0));
    int rank = peer < spare ? 2 * peer + 1 : peer + spare;
    return (struct psb_hop){ rank, rank, rank < me ? LOWER : UPPER };
}

/* From the root to all, along a binomial tree. */
static int doubling_steps(const psb_ctxt *c)
{
    return doublings(c->size);
}

static struct psb_hop spreading_hop(const psb_ctxt *c, int root, int step)
{
    int np = c->size, far = 1 << step, place = (c->rank - root + np) % np;
    if (place < far)
        return (struct psb_hop){ place + far < np ? (place + far + root) % np : -1, -1, WHOLE };
    return (struct psb_hop){ -1, place < 2 * far ? (place - far + root) % np : -1, WHOLE };
}

/* From each to those above, at distance 1, 2, 4, ... */
static struct psb_hop scanning_hop(const psb_ctxt *c, int root, int step)
{
    int far = 1 << step, me = c->rank;
    (void)root;
    return (struct psb_hop){ me + far < c->size ? me + far : -1, me - far >= 0 ? me - far : -1, LOWER };
}

static const struct psb_route merging = { merging_steps, merging_hop };
static const struct psb_route spreading = { doubling_steps, spreading_hop };
static const struct psb_route scanning = { doubling_steps, scanning_hop };

/* --- questions ----------------------------------------------------------------------------------------- */

int psb_is_scan(const struct psb_request *r)
{
    return r->args.call == PSB_CALL_SCAN || r->args.call == PSB_CALL_EXSCAN;
}

/* Do the elements travel in the slot? */
int psb_is_short(const struct psb_request *r)
{
    return !psb_is_scan(r) && r->bytes <= sizeof r->slot.data;
}

psb_merge *psb_request_merge(const struct psb_request *r)
{
    return psb_merge_of(psb_is_scan(r) ? PSB_SUM : r->args.call, r->args.kind);
}

/* --- slots --------------------------------------------------------------------------------------------- */

static int alike(const struct psb_args *a, const struct psb_args *b)
{
    return a->call == b->call && a->kind == b->kind && a->root == b->root && a->n == b->n;
}

static void merge_heads(struct psb_slot *to, const struct psb_slot *lower, const struct psb_slot *upper)
{
    struct psb_slot s = *lower;
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

static void merge_slots(struct psb_request *r, const struct psb_slot *lower, const struct psb_slot *upper)
{
    struct psb_slot s;
    merge_heads(&s, lower, upper);
    if (s.failed < 0 && s.differs < 0 && psb_is_short(r)) {
        psb_merge *merge = psb_request_merge(r);
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
    if (r->mine == PSB_OK && psb_is_short(r) && sends)
        load(r, r->slot.data);
}

/* --- steps --------------------------------------------------------------------------------------------- */

static int mpi_ok(struct psb_request *r, int code, const char *call)
{
    if (code == MPI_SUCCESS)
        return 1;
    r->mpi = code;
    r->mpi_call = call;
    r->stage = DONE;
    return 0;
}

/* Send, or receive, `length` bytes in pieces; nothing where `peer` is nobody. */
static int post_pieces(struct psb_request *r, char *p, int peer, int sends)
{
    MPI_Comm comm = r->c->inner;
    for (size_t at = 0; at < r->length && peer >= 0; at += r->piece) {
        MPI_Request *req = &r->pending[r->npending];
        int len = (int)(r->length - at < r->piece ? r->length - at : r->piece);
        int code = sends ? MPI_Isend(p + at, len, MPI_BYTE, peer, r->tag, comm, req)
                         : MPI_Irecv(p + at, len, MPI_BYTE, peer, r->tag, comm, req);
        if (!mpi_ok(r, code, sends ? "MPI_Isend" : "MPI_Irecv"))
            return 0;
        r->npending++;
        psb_count(r->c, sends != 0, sends ? (size_t)len : 0);
    }
    return 1;
}

/* The messages of this step.  What replaces what is here is received there. */
static void post(struct psb_request *r)
{
    struct psb_hop h = r->hop = r->route->hop(r->c, r->root, r->step);
    r->npending = 0;
    if (post_pieces(r, h.how == WHOLE ? r->out : r->in, h.from, 0))
        post_pieces(r, r->out, h.to, 1);
}

static void begin(struct psb_request *r, enum psb_stage stage, const struct psb_route *route, int root)
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
    else if (psb_is_scan(r))
        absorb_scan(r, psb_request_merge(r));
    else
        psb_request_merge(r)(n, r->acc, below ? r->part : r->acc, below ? r->acc : r->part);
}

void psb_request_begin(struct psb_request *r)
{
    fill_slot(r);
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
    begin(r, MOVING, bcast ? &spreading : psb_is_scan(r) ? &scanning : &merging, r->args.root);
}

static void next_stage(struct psb_request *r)
{
    if (r->stage == COMPARING && r->slot.failed >= 0)
        tell(r);
    else if (r->stage == COMPARING && r->slot.differs < 0 && r->bytes && !psb_is_short(r))
        move(r);
    else
        r->stage = DONE;
}

/* As far as it goes, or to the end. */
void psb_request_advance(struct psb_request *r, int block)
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
        psb_request_advance(r, 0);
}
