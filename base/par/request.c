/* request.c -- base/par: the stages and messages of a collective call.
 *
 * Every process fills a slot: the call, its arguments, whether the process has failed, and the elements if
 * they fit.  Slots are merged pairwise (recursive doubling), after which every process knows whether all
 * calls agree and whether a process failed, and a call whose elements fit in the slot is complete.  Longer
 * arrays are then sent in a second stage, on a route of their own; if a process failed, its error message is
 * sent instead. */
#include "request.h"
#include "pieces.h"
#include <stdio.h>
#include <string.h>

/* --- routes -------------------------------------------------------------------------------------------- */

/* ceil(log2 n) */
static int doublings(int n)
{
    int k = 0;
    while (n > 1 << k)
        k++;
    return k;
}

/* Recursive doubling: all processes exchange with partners at distance 1, 2, 4, ...  The first 2 * spare
 * processes form pairs first, of which the upper process takes part, so that `places` processes are left, a
 * power of two; the lower process of a pair gets the result in the last step. */
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

/* Broadcast from the root along a binomial tree. */
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

/* Scan: every process sends to the ones above at distance 1, 2, 4, ... */
static struct psb_hop scanning_hop(const psb_ctxt *c, int root, int step)
{
    int far = 1 << step, me = c->rank;
    (void)root;
    return (struct psb_hop){ me + far < c->size ? me + far : -1, me - far >= 0 ? me - far : -1, LOWER };
}

static const struct psb_route merging = { merging_steps, merging_hop };
static const struct psb_route spreading = { doubling_steps, spreading_hop };
static const struct psb_route scanning = { doubling_steps, scanning_hop };

/* --- properties ---------------------------------------------------------------------------------------- */

bool psb_is_scan(const struct psb_request *r)
{
    return r->args.call == PSB_CALL_SCAN || r->args.call == PSB_CALL_EXSCAN;
}

bool psb_is_short(const struct psb_request *r)
{
    return !psb_is_scan(r) && r->bytes <= sizeof r->slot.data;
}

psb_merge *psb_request_merge(const struct psb_request *r)
{
    return psb_merge_of(psb_is_scan(r) ? PSB_SUM : r->args.call, r->args.kind);
}

int psb_failed_one(const struct psb_slot *s)
{
    return s->failed < 0 ? -1 : s->failed % PSB_CUT_OFF;
}

/* --- slots --------------------------------------------------------------------------------------------- */

static void merge_heads(struct psb_slot *to, const struct psb_slot *lower, const struct psb_slot *upper)
{
    struct psb_slot s = *lower;
    const struct psb_args *a = &s.args, *b = &upper->args;
    const bool alike = a->call == b->call && a->kind == b->kind && a->root == b->root && a->n == b->n;
    if (s.failed < 0 || (upper->failed >= 0 && upper->failed < s.failed))
        s.failed = upper->failed;
    if (s.differs < 0 && !alike) {
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
    if (psb_failed_one(&s) < 0 && s.differs < 0 && psb_is_short(r)) {
        psb_merge *merge = psb_request_merge(r);
        if (merge)
            merge((size_t)r->args.n, s.data, lower->data, upper->data);
        else if (r->args.root >= upper->rank) /* a broadcast, and the root is among the upper processes */
            memcpy(s.data, upper->data, sizeof s.data);
    }
    r->slot = s;
}

/* Copy the elements to `to`, as input of the reduction: for a norm, their absolute values. */
static void load_elements(const struct psb_request *r, void *to)
{
    if (r->bytes)
        memcpy(to, r->x, r->bytes);
    if (r->args.call == PSB_NRM2)
        psb_moduli(r->args.kind, (size_t)r->args.n, to);
}

/* --- steps --------------------------------------------------------------------------------------------- */

static bool mpi_ok(struct psb_request *r, int code, const char *call)
{
    if (code == MPI_SUCCESS)
        return true;
    r->mpi = code;
    r->mpi_call = call;
    r->stage = DONE;
    return false;
}

/* Post the sends or receives of `length` bytes in pieces; none if peer is -1. */
static bool post_pieces(struct psb_request *r, char *p, int peer, bool sends)
{
    MPI_Comm comm = r->c->inner;
    for (size_t at = 0; at < r->length && peer >= 0; at += r->piece) {
        MPI_Request *req = &r->pending[r->npending];
        int len = (int)(r->length - at < r->piece ? r->length - at : r->piece);
        int code = sends ? MPI_Isend(p + at, len, MPI_BYTE, peer, r->tag, comm, req)
                         : MPI_Irecv(p + at, len, MPI_BYTE, peer, r->tag, comm, req);
        if (!mpi_ok(r, code, sends ? "MPI_Isend" : "MPI_Irecv"))
            return false;
        r->npending++;
        psb_count(r->c, sends, sends ? (size_t)len : 0);
    }
    return true;
}

/* Post the messages of this step.  A message that replaces what is here is received in its place. */
static void post_step(struct psb_request *r)
{
    struct psb_hop h = r->hop = r->route->hop(r->c, r->root, r->step);
    r->npending = 0;
    const bool ok = post_pieces(r, h.how == WHOLE ? r->out : r->in, h.from, false);
    r->receives = r->npending;
    if (ok)
        post_pieces(r, r->out, h.to, true);
}

/* Tell all others that process `missing` did not come. */
static void tell_missing(psb_ctxt *c, int missing)
{
    c->lost = missing + 1;
    for (int p = 0; p < c->size; p++) {
        MPI_Request sent;
        if (p != c->rank &&
            MPI_Isend(&c->lost, 1, MPI_INT, p, PSB_TAG_MISSING, c->comm, &sent) == MPI_SUCCESS)
            MPI_Request_free(&sent); /* a process that hangs may never receive it */
    }
}

/* A process waits longer in later steps, so that the partners of one that is late hear of it first. */
bool psb_request_is_in_vain(struct psb_request *r)
{
    psb_ctxt *c = r->c;
    const double waited = MPI_Wtime() - r->begun, limit = c->seconds > 0 ? c->seconds : PSB_HALO_SECONDS;
    const int from = r->hop.from >= 0 ? r->hop.from : r->hop.to;
    if (waited > 1 && psb_is_one_missing(c))
        return true;
    if (!r->limited || waited < limit + r->step * (limit < 8 ? 1 : limit / 8))
        return false;
    if (c->seconds > 0) {
        tell_missing(c, from);
    } else if (!c->waits_told) {
        c->waits_told = true;
        psb_log_line(PSB_LOGS_HINTS,
                     "process %d has waited in a sum for process %d, or one that it waits for, for %g "
                     "seconds (PSB_HALO_TIMEOUT=SECONDS makes that an error)",
                     c->rank, from, waited);
    }
    return c->lost != 0;
}

/* Wait no longer.  Messages that are sent are so short that MPI keeps them, or their memory is not freed. */
static void give_up(struct psb_request *r)
{
    for (int i = 0; i < r->npending; i++) {
        if (r->pending[i] == MPI_REQUEST_NULL)
            continue;
        if (i >= r->receives) {
            MPI_Request_free(&r->pending[i]);
            continue;
        }
        MPI_Cancel(&r->pending[i]);
        MPI_Wait(&r->pending[i], MPI_STATUS_IGNORE);
    }
    r->over = true;
    r->stage = DONE;
}

/* Are all messages of this step complete, or is it over? */
static bool step_done(struct psb_request *r, bool block)
{
    int yes = 1, code = MPI_SUCCESS;
    bool in_vain = false;
    if (r->npending && block && !r->limited && r->c->seconds <= 0)
        code = MPI_Waitall(r->npending, r->pending, MPI_STATUSES_IGNORE);
    else if (r->npending)
        do {
            code = MPI_Testall(r->npending, r->pending, &yes, MPI_STATUSES_IGNORE);
            in_vain = block && !yes && psb_request_is_in_vain(r);
        } while (block && code == MPI_SUCCESS && !yes && !in_vain);
    if (in_vain)
        give_up(r);
    return mpi_ok(r, code, "MPI_Waitall") && yes;
}

/* --- stages -------------------------------------------------------------------------------------------- */

/* Compare the arguments, and reduce the elements that fit in the slot. */
static void begin_comparing(struct psb_request *r)
{
    memset(&r->slot, 0, sizeof r->slot); /* padding is sent too */
    r->slot.args = r->args;
    r->slot.rank = r->c->rank;
    r->slot.differs = -1;
    r->slot.failed = r->err == PSB_OK ? -1 : r->c->rank + (r->err == PSB_EMPI ? PSB_CUT_OFF : 0);
    int sends = r->args.call != PSB_CALL_BCAST || r->args.root == r->c->rank;
    if (r->err == PSB_OK && psb_is_short(r) && sends)
        load_elements(r, r->slot.data);
    r->pending = r->one;
    r->out = (char *)&r->slot;
    r->in = (char *)&r->received;
    r->length = r->piece = sizeof r->slot;
    r->route = &merging;
    r->root = 0;
}

static void absorb_slot(struct psb_request *r, bool below)
{
    merge_slots(r, below ? &r->received : &r->slot, below ? &r->slot : &r->received);
}

static enum psb_stage after_comparing(const struct psb_request *r)
{
    if (psb_failed_one(&r->slot) >= 0)
        return TELLING;
    return r->slot.differs < 0 && r->bytes && !psb_is_short(r) ? MOVING : DONE;
}

/* Send the error of one process that failed to all. */
static void begin_telling(struct psb_request *r)
{
    r->out = (char *)&r->failure;
    r->length = r->piece = sizeof r->failure;
    r->route = &spreading;
    r->root = psb_failed_one(&r->slot);
}

/* Reduce or broadcast the elements that do not fit in the slot. */
static void begin_moving(struct psb_request *r)
{
    const int bcast = r->args.call == PSB_CALL_BCAST;
    r->pending = r->many ? r->many : r->one;
    r->out = bcast ? r->x : r->acc;
    r->in = r->part;
    r->length = r->bytes;
    r->piece = psb_piece();
    r->route = bcast ? &spreading : psb_is_scan(r) ? &scanning : &merging;
    r->root = r->args.root;
    if (!bcast)
        load_elements(r, r->acc);
}

static void absorb_elements(struct psb_request *r, bool below)
{
    psb_merge *const merge = psb_request_merge(r);
    const size_t n = (size_t)r->args.n;
    if (psb_is_scan(r)) {
        if (r->some_before)
            merge(n, r->before, r->part, r->before);
        else
            memcpy(r->before, r->part, r->bytes);
        r->some_before = true;
        merge(n, r->acc, r->part, r->acc);
    } else {
        merge(n, r->acc, below ? r->part : r->acc, below ? r->acc : r->part);
    }
}

static enum psb_stage after_last(const struct psb_request *r)
{
    (void)r;
    return DONE;
}

/* begin: sets the buffers, the route and its root.  absorb: merges what a hop received with what is here,
 * `below` if the sender is the lower of the two; a stage whose hops all replace what is here has none. */
static const struct {
    void (*begin)(struct psb_request *r);
    void (*absorb)(struct psb_request *r, bool below);
    enum psb_stage (*next)(const struct psb_request *r);
} stages[DONE] = {
    [COMPARING] = { begin_comparing, absorb_slot, after_comparing },
    [TELLING] = { begin_telling, NULL, after_last },
    [MOVING] = { begin_moving, absorb_elements, after_last },
};

static void enter_stage(struct psb_request *r, enum psb_stage stage)
{
    r->stage = stage;
    if (stage == DONE)
        return;
    r->step = 0;
    r->npending = 0;
    stages[stage].begin(r);
    if (r->route->steps(r->c) > 0)
        post_step(r);
}

void psb_request_begin(struct psb_request *r)
{
    enter_stage(r, COMPARING);
}

void psb_request_advance(struct psb_request *r, bool block)
{
    while (r->stage != DONE && step_done(r, block)) {
        const int steps = r->route->steps(r->c);
        if (r->step == steps) {
            enter_stage(r, stages[r->stage].next(r));
            continue;
        }
        if (r->hop.from >= 0 && r->hop.how != WHOLE)
            stages[r->stage].absorb(r, r->hop.how == LOWER);
        r->npending = 0;
        if (++r->step < steps)
            post_step(r);
    }
}

void psb_progress(psb_ctxt *c)
{
    for (struct psb_request *r = c->active; r; r = r->next)
        psb_request_advance(r, false);
}
