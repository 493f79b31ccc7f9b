/* coll.c -- base/par: collective calls: arguments and results. */
#include "coll.h"
#include "errcall.h"
#include "pieces.h"
#include "psb_alloc.h"
#include "request.h"
#include "tuning.h"
#include "psb_trace.h"
#include <stdio.h>
#include <string.h>

/* --- arguments ----------------------------------------------------------------------------------------- */

/* Memory that messages to a missing process may still use: a list, whose links are in the first bytes. */
static void *left_over;

static psb_err prepare_request(struct psb_request *r)
{
    if (r->args.call >= PSB_CALL_GATHER) /* its arguments have been checked, and it moves no elements here */
        return PSB_OK;
    PSB_TRY(psb_check_array(r->args.kind, r->args.n, r->x, &r->bytes));
    static const char *const named[PSB_NOPS] = {
        "sum", "maximum", "minimum", "element of largest modulus", "element of smallest modulus", "norm"
    };
    const struct psb_args *a = &r->args;
    int least = a->call == PSB_CALL_BCAST ? 0 : -1;
    PSB_CHECK(a->root >= least && a->root < r->c->size, PSB_EARG,
              "argument root is %d; expected %d <= root < %d", a->root, least, r->c->size);
    PSB_CHECK(a->call >= 0, PSB_EARG, "argument op is %d; expected 0 <= op < %d", a->call, PSB_NOPS);
    if (a->call < PSB_NOPS || psb_is_scan(r)) {
        int op = psb_is_scan(r) ? PSB_SUM : a->call;
        PSB_CHECK(psb_request_merge(r), PSB_EARG,
                  "argument x is of type %s; there is no %s of those; expected another type",
                  psb_kind_info(a->kind)->name, named[op]);
    }
    /* Allocate memory for elements that do not fit in the slot. */
    size_t arrays = r->args.call == PSB_CALL_BCAST ? 0 : psb_is_scan(r) ? 3 : 2;
    size_t n = psb_pieces(r->bytes), requests = n > 1 ? 2 * n * sizeof *r->many : 0;
    if (r->bytes == 0 || psb_is_short(r) || (arrays == 0 && requests == 0))
        return PSB_OK;
    size_t each = (r->bytes + LINE - 1) / LINE * LINE;
    PSB_CHECK(each <= (PTRDIFF_MAX - LINE - requests) / 3, PSB_ENOMEM,
              "no memory for a reduction of %zu bytes", r->bytes);
    const size_t all = LINE + arrays * each + requests;
    r->kept = r->c->elements && all <= PSB_KEPT;
    if (r->kept) {
        r->heap = r->c->elements;
        r->c->elements = NULL;
    } else {
        PSB_TRY(psb_alloc(&r->heap, all, 1, "elements of a collective call"));
    }
    r->acc = (char *)r->heap + LINE;
    r->part = r->acc + each;
    r->before = r->part + each;
    if (requests)
        r->many = (MPI_Request *)(r->acc + arrays * each);
    return PSB_OK;
}

/* Every process calls this, also one that has failed with error `err`. */
static void start_request(struct psb_request *r, psb_err err)
{
    r->err = err != PSB_OK ? err : prepare_request(r);
    if (r->err != PSB_OK) {
        r->failure.code = (int)r->err;
        snprintf(r->failure.text, sizeof r->failure.text, "%s", psb_errtext());
        snprintf(r->failure.call, sizeof r->failure.call, "%s", psb_errcall());
    }
    r->begun = MPI_Wtime();
    r->tag = psb_next_tag(r->c);
    r->next = r->c->active;
    r->c->active = r;
    psb_request_begin(r);
}

static const char *name_of(int call)
{
    static const char *const names[PSB_NCALLS] = {
        [PSB_SUM] = "psb_sum",
        [PSB_MAX] = "psb_max",
        [PSB_MIN] = "psb_min",
        [PSB_AMX] = "psb_amx",
        [PSB_AMN] = "psb_amn",
        [PSB_NRM2] = "psb_nrm2",
        [PSB_CALL_BCAST] = "psb_bcast",
        [PSB_CALL_SCAN] = "psb_scan_sum",
        [PSB_CALL_EXSCAN] = "psb_exscan_sum",
        [PSB_CALL_GATHER] = "psb_gather",
        [PSB_CALL_GATHERV] = "psb_gatherv",
        [PSB_CALL_SCATTER] = "psb_scatter",
        [PSB_CALL_AGREE] = "psb_agree",
    };
    return call < 0 ? "psb_any_reduce" : names[call];
}

static psb_err differs_error(const struct psb_slot *s)
{
    const struct psb_args *a = &s->args, *b = &s->other;
    const char *call = name_of(a->call);
    char text[2][24];
    if (a->call != b->call)
        return psb_fail(PSB_EARG, __FILE__, call,
                        "process %d calls %s and process %d %s; expected the same call", s->rank, call,
                        s->differs, name_of(b->call));
    if (a->kind != b->kind)
        return psb_fail(PSB_EARG, __FILE__, call,
                        "argument x is of type %s on process %d and %s on process %d; expected one type",
                        psb_kind_info(a->kind)->name, s->rank, psb_kind_info(b->kind)->name, s->differs);
    snprintf(text[0], sizeof text[0], "%" PRId64, a->n != b->n ? a->n : a->root);
    snprintf(text[1], sizeof text[1], "%" PRId64, a->n != b->n ? b->n : b->root);
    return psb_fail(PSB_EARG, __FILE__, call,
                    "argument %s is %s on process %d and %s on process %d; expected one value",
                    a->n != b->n ? "n" : "root", text[0], s->rank, text[1], s->differs);
}

/* Store the result in x. */
static void deliver(struct psb_request *r)
{
    const bool on_root = r->args.root == r->c->rank, all = r->args.root < 0;
    if (r->bytes == 0)
        return;
    if (r->args.call == PSB_CALL_SCAN && r->some_before)
        psb_request_merge(r)((size_t)r->args.n, r->x, r->before, r->x);
    else if (r->args.call == PSB_CALL_EXSCAN && r->some_before)
        memcpy(r->x, r->before, r->bytes);
    else if (r->args.call == PSB_CALL_EXSCAN)
        memset(r->x, 0, r->bytes);
    else if (!psb_is_scan(r) &&
             (r->args.call == PSB_CALL_BCAST ? psb_is_short(r) && !on_root : all || on_root))
        memcpy(r->x, psb_is_short(r) ? (const void *)r->slot.data : r->acc, r->bytes);
}

/* The result of a call that is complete. */
static psb_err result_of(struct psb_request *r)
{
    if (r->mpi != MPI_SUCCESS)
        return psb_mpi_fail(r->mpi, r->mpi_call);
    if (r->over || (r->limited && psb_is_one_missing(r->c)))
        return psb_fail(PSB_EMPI, __FILE__, name_of(r->args.call),
                        "process %d did not come to the sum within %g seconds (PSB_HALO_TIMEOUT)",
                        r->c->lost - 1, r->c->seconds);
    const int failed = psb_failed_one(&r->slot);
    /* An agreement is about the error of another call. */
    const bool names_call = r->args.call == PSB_CALL_AGREE && strncmp(r->failure.call, "psb_", 4) == 0;
    if (failed >= 0 && (int)r->err != r->failure.code)
        return psb_fail((psb_err)r->failure.code, __FILE__,
                        names_call ? r->failure.call : name_of(r->args.call), "on process %d: %s", failed,
                        r->failure.text);
    if (r->err != PSB_OK)
        return r->err;
    if (r->slot.differs >= 0)
        return differs_error(&r->slot);
    deliver(r);
    return PSB_OK;
}

static psb_err finish_request(struct psb_request *r)
{
    struct psb_request **p = &r->c->active;
    while (r->stage != DONE)
        if ((r->c->active == r && !r->next) || psb_request_is_in_vain(r))
            psb_request_advance(r, true);
        else
            psb_progress(r->c);
    while (*p != r)
        p = &(*p)->next;
    *p = r->next;
    psb_err e = result_of(r);
    if (r->over && r->heap) {
        *(void **)r->heap = left_over;
        left_over = r->heap;
    } else if (r->kept) {
        r->c->elements = r->heap;
    } else {
        psb_free(r->heap);
    }
    return e;
}

static psb_err run_request(struct psb_request r, psb_err err)
{
    PSB_TRY(psb_check_ctxt(r.c));
    start_request(&r, err);
    return finish_request(&r);
}

/* *r = memory for a request, the spare one of the context if it is free. */
static psb_err take_memory(psb_ctxt *c, psb_request **r)
{
    *r = c->spare;
    c->spare = NULL;
    return *r ? PSB_OK : psb_alloc(r, 1, sizeof **r, "request");
}

/* If there is no memory for the request, this process takes part as one that has failed. */
static psb_err launch_request(struct psb_request made, psb_request **req)
{
    psb_request *r = NULL;
    PSB_TRY(psb_check_ctxt(made.c));
    psb_err e = req ? take_memory(made.c, &r)
                    : PSB_FAIL(PSB_EARG, "argument req is NULL; expected where to store the request");
    if (e != PSB_OK)
        return run_request(made, e);
    *r = made;
    start_request(r, PSB_OK);
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
    psb_err e = finish_request(r);
    psb_free(r->c->spare);
    r->c->spare = r;
    return PSB_PASS(e);
}

psb_err psb_test(psb_request *req, int *done)
{
    PSB_NEED(req, "what psb_..._start gave");
    PSB_NEED(done, "where to store the answer");
    PSB_TRY(psb_check_ctxt(req->c));
    psb_progress(req->c);
    *done = req->stage == DONE;
    return PSB_OK;
}

/* --- the calls ----------------------------------------------------------------------------------------- */

static struct psb_request request(psb_ctxt *c, int call, int kind, psb_epk n, void *x, int root)
{
    return (struct psb_request){ .c = c, .args = { call, kind, root, 0, n }, .x = x };
}

/* A reduction; an invalid op becomes -1, which check_args refuses. */
static struct psb_request reduction(psb_ctxt *c, int op, int kind, psb_epk n, void *x, int root, bool limited)
{
    struct psb_request r = request(c, op >= 0 && op < PSB_NOPS ? op : -1, kind, n, x, root);
    r.limited = limited;
    return r;
}

psb_err psb_any_reduce(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, int root)
{
    struct psb_request r = reduction(c, (int)op, (int)kind, n, x, root, false);
    return psb_passed(run_request(r, PSB_OK), name_of(r.args.call));
}

psb_err psb_any_reduce_start(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, int root,
                             psb_request **req)
{
    struct psb_request r = reduction(c, (int)op, (int)kind, n, x, root, false);
    return psb_passed(launch_request(r, req), name_of(r.args.call));
}

psb_err psb_any_scan(psb_ctxt *c, int exclusive, enum psb_kind kind, psb_epk n, void *x)
{
    struct psb_request r = request(c, exclusive ? PSB_CALL_EXSCAN : PSB_CALL_SCAN, (int)kind, n, x, -1);
    return psb_passed(run_request(r, PSB_OK), name_of(r.args.call));
}

psb_err psb_any_scan_start(psb_ctxt *c, int exclusive, enum psb_kind kind, psb_epk n, void *x,
                           psb_request **req)
{
    struct psb_request r = request(c, exclusive ? PSB_CALL_EXSCAN : PSB_CALL_SCAN, (int)kind, n, x, -1);
    return psb_passed(launch_request(r, req), name_of(r.args.call));
}

psb_err psb_any_bcast(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, int root)
{
    return PSB_PASS(run_request(request(c, PSB_CALL_BCAST, (int)kind, n, x, root), PSB_OK));
}

psb_err psb_any_bcast_start(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, int root, psb_request **req)
{
    return PSB_PASS(launch_request(request(c, PSB_CALL_BCAST, (int)kind, n, x, root), req));
}

psb_err psb_reduce(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, psb_err err)
{
    return PSB_PASS(c ? run_request(reduction(c, (int)op, (int)kind, n, x, -1, false), err) : err);
}

psb_err psb_reduce_in_time(psb_ctxt *c, enum psb_op op, enum psb_kind kind, psb_epk n, void *x, psb_err err)
{
    if (!c)
        return PSB_PASS(err);
    const struct psb_range range = psb_range_begin(NULL, "sums", "of processes");
    err = run_request(reduction(c, (int)op, (int)kind, n, x, -1, true), err);
    psb_range_end(&range);
    return PSB_PASS(err);
}

psb_err psb_sum_in_time_start(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x, psb_request **req)
{
    psb_request *r = NULL;
    PSB_TRY(psb_check_ctxt(c));
    PSB_TRY(take_memory(c, &r));
    *r = reduction(c, PSB_SUM, (int)kind, n, x, -1, true);
    start_request(r, PSB_OK);
    *req = r;
    return PSB_OK;
}

/* --- agreements ---------------------------------------------------------------------------------------- */

psb_err psb_agree_call(psb_ctxt *c, enum psb_call call, int kind, psb_epk n, int root, psb_err err)
{
    return PSB_PASS(run_request(request(c, (int)call, kind, n, NULL, root), err));
}

/* The error of an agreement keeps the name of the call that failed. */
psb_err psb_agree_on(psb_ctxt *c, psb_epk n, int root, psb_err err)
{
    PSB_TRY(psb_check_ctxt(c));
    return psb_passed(run_request(request(c, PSB_CALL_AGREE, 0, n, NULL, root), err), "");
}

psb_err psb_agree(psb_ctxt *c, psb_err err)
{
    PSB_TRY(psb_check_ctxt(c));
    return psb_passed(psb_agree_on(c, 0, -1, err), "");
}
