/* twosided_cuda.c -- cuda/device: messages between GPUs, by NCCL, on the stream beside the product.
 * The library is loaded at first use, so that programs also start without it; no call waits for longer than
 * its caller allows. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nccl.h>
#include <sched.h>
#include <string.h>
#include "gpu.h"
#include "coll.h"
#include "psb_alloc.h"
#include "psb_twosided.h"

/* --- the library ---------------------------------------------------------------------------------------- */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define SONAME     "libnccl.so." TEXT(NCCL_MAJOR)

static struct {
    void *library;
    bool tried;
#define CALL(name) __typeof__(&nccl##name) name;
#include "nccl_calls.h"
#undef CALL
} nccl;

/* Store the address of function `name` at `to`; its presence. */
static bool find_call(const char *name, void *to)
{
    void *p = dlsym(nccl.library, name);
    memcpy(to, &p, sizeof p);
    return p != NULL;
}

static bool find_calls(void)
{
    bool all = true;
#define CALL(name) all &= find_call("nccl" #name, &nccl.name);
#include "nccl_calls.h"
#undef CALL
    return all;
}

static const char *nccl_obstacle(void)
{
    if (!nccl.tried) {
        nccl.tried = true;
        nccl.library = dlopen(SONAME, RTLD_NOW);
        if (!nccl.library)
            nccl.library = dlopen(NCCL_DIR "/" SONAME, RTLD_NOW);
        if (nccl.library && !find_calls())
            nccl.library = NULL;
    }
    return nccl.library ? NULL : SONAME " cannot be loaded, or is too old";
}

int psb_nccl_version(void)
{
    int version = 0;
    if (!nccl_obstacle() && nccl.GetVersion(&version) != ncclSuccess)
        version = 0;
    return version;
}

static psb_err nccl_ok(ncclResult_t code, const char *what)
{
    PSB_CHECK(code == ncclSuccess || code == ncclInProgress, PSB_EDEVICE, "%s: %s", what,
              nccl.GetErrorString(code));
    return PSB_OK;
}

#define NCCL(call) PSB_TRY(nccl_ok(nccl.call, "nccl" #call))

/* --- groups --------------------------------------------------------------------------------------------- */

/* An attribute of its communicator.  comm NULL: ended, since the GPU was closed or messages did not come. */
struct group {
    ncclComm_t comm;
    bool pending;     /* have messages been launched since the host last waited for them? */
    bool lost;        /* have some not come, which no call has reported yet? */
    cudaEvent_t last; /* after the messages that were launched last */
    double seconds;   /* to wait for them */
    struct group *next;
};

static struct group *groups;
static int key = MPI_KEYVAL_INVALID;

static void end_group(struct group *g)
{
    if (g->comm)
        (void)nccl.CommAbort(g->comm);
    psb_cudart_unmark(g->last);
    g->comm = NULL;
    g->last = NULL;
    g->lost |= g->pending;
    g->pending = false;
}

void psb_nccl_close(void)
{
    for (struct group *g = groups; g; g = g->next) {
        end_group(g);
        g->lost = false;
    }
}

static int delete_group(MPI_Comm comm, int k, void *attribute, void *extra)
{
    struct group *g = attribute, **at = &groups;
    (void)comm, (void)k, (void)extra;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    end_group(g);
    psb_free(g);
    return MPI_SUCCESS;
}

/* --- waiting on the host -------------------------------------------------------------------------------- */

static void wait_for_messages(struct group *g)
{
    const double end_at = MPI_Wtime() + g->seconds;
    int code;
    while ((code = cudaEventQuery(g->last)) == cudaErrorNotReady && MPI_Wtime() <= end_at)
        sched_yield();
    if (code == cudaErrorNotReady)
        end_group(g);
    g->pending = false; /* another error is reported by the next call of CUDA, too */
    cudaGetLastError(); /* clear cudaErrorNotReady */
}

void psb_nccl_settle(void)
{
    for (struct group *g = groups; g; g = g->next)
        if (g->pending)
            wait_for_messages(g);
}

static psb_err report_loss(struct group *g)
{
    const bool lost = g->lost;
    g->lost = false;
    PSB_CHECK(!lost, PSB_EMPI, "messages between GPUs did not come within %g seconds, or their group ended",
              g->seconds);
    return PSB_OK;
}

psb_err psb_nccl_wait(void)
{
    psb_nccl_settle();
    for (struct group *g = groups; g; g = g->next)
        PSB_TRY(report_loss(g));
    return PSB_OK;
}

/* --- joining -------------------------------------------------------------------------------------------- */

/* Wait until the last call has been taken up. */
static psb_err wait_for(const struct group *g, double seconds)
{
    const double end_at = MPI_Wtime() + seconds;
    ncclResult_t now = ncclInProgress;
    while (now == ncclInProgress) {
        NCCL(CommGetAsyncError(g->comm, &now));
        if (now != ncclInProgress)
            break;
        PSB_CHECK(MPI_Wtime() < end_at, PSB_EMPI, "NCCL did not answer within %g seconds", seconds);
        sched_yield();
    }
    return nccl_ok(now, "NCCL");
}

/* Process 0 names the group; an error there reaches all. */
static psb_err share_name(MPI_Comm comm, int me, ncclUniqueId *id)
{
    struct {
        ncclUniqueId id;
        bool named;
    } m = { .named = false };
    psb_err e = me == 0 ? nccl_ok(nccl.GetUniqueId(&m.id), "ncclGetUniqueId") : PSB_OK;
    m.named = e == PSB_OK;
    PSB_MPI(MPI_Bcast(&m, (int)sizeof m, MPI_BYTE, 0, comm));
    *id = m.id;
    return m.named ? PSB_OK : e != PSB_OK ? e : PSB_FAIL(PSB_EDEVICE, "process 0 has no name for the group");
}

static psb_err create_group(struct group *g, MPI_Comm comm, double seconds)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    ncclUniqueId id;
    int me, np;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &np);
    config.blocking = 0;
    PSB_TRY(share_name(comm, me, &id));
    NCCL(CommInitRankConfig(&g->comm, np, id, me, &config));
    PSB_TRY(psb_cudart_ok(cudaEventCreateWithFlags(&g->last, cudaEventDisableTiming), "event"));
    return wait_for(g, seconds);
}

/* Make the group an attribute of comm. */
static psb_err attach_group(MPI_Comm comm, struct group **out)
{
    struct group *g;
    if (key == MPI_KEYVAL_INVALID)
        PSB_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_group, &key, NULL));
    PSB_TRY(psb_alloc_zero(&g, 1, sizeof *g, "group of GPUs"));
    g->next = groups;
    groups = g;
    *out = g;
    PSB_MPI(MPI_Comm_set_attr(comm, key, g));
    return PSB_OK;
}

/* The group of comm, which may have ended. */
static psb_err find_or_attach(MPI_Comm comm, struct group **out)
{
    int found = 0;
    if (key != MPI_KEYVAL_INVALID)
        PSB_MPI(MPI_Comm_get_attr(comm, key, out, &found));
    return found ? PSB_OK : attach_group(comm, out);
}

/* All processes go on together: with the group that each has, or, if it has ended on one, with a new one. */
static psb_err nccl_join(MPI_Comm comm, double seconds, void **group)
{
    struct group *g = NULL;
    psb_err e = find_or_attach(comm, &g);
    psb_nccl_settle(); /* a loss is reported later */
    int all[2] = { e == PSB_OK, e == PSB_OK && g->comm };
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, comm));
    PSB_TRY(e);
    PSB_CHECK(all[0], PSB_EDEVICE, "another process cannot join a group of GPUs");
    *group = g;
    if (all[1])
        return PSB_OK;
    end_group(g);
    e = create_group(g, comm, seconds);
    if (e != PSB_OK)
        end_group(g);
    return e;
}

/* --- messages ------------------------------------------------------------------------------------------- */

static psb_err launch_each(const struct group *g, const struct psb_device_message *m, int n,
                           cudaStream_t stream)
{
    for (int k = 0; k < n; k++) {
        if (m[k].out_bytes)
            NCCL(Send(m[k].out, m[k].out_bytes, ncclInt8, m[k].rank, g->comm, stream));
        if (m[k].in_bytes)
            NCCL(Recv(m[k].in, m[k].in_bytes, ncclInt8, m[k].rank, g->comm, stream));
    }
    return PSB_OK;
}

/* Launch the messages on `stream`. */
static psb_err launch_messages(const struct group *g, const struct psb_device_message *m, int n,
                               double seconds, cudaStream_t stream)
{
    NCCL(GroupStart());
    psb_err e = launch_each(g, m, n, stream);
    psb_err sent = nccl_ok(nccl.GroupEnd(), "ncclGroupEnd");
    PSB_TRY(e);
    PSB_TRY(sent);
    return wait_for(g, seconds);
}

static psb_err nccl_exchange(void *group, const struct psb_device_message *m, int n, double seconds)
{
    struct group *g = group;
    void *side;
    PSB_TRY(psb_cudart_fork(&psb_twosided_cuda, &side));
    psb_err e = launch_messages(g, m, n, seconds, side);
    if (e != PSB_OK) {
        end_group(g);
        g->lost = false; /* e reports it */
        return e;
    }
    g->pending = true;
    g->seconds = seconds;
    return psb_cudart_ok(cudaEventRecord(g->last, side), "event");
}

/* A captured exchange could not agree with the neighbours each time that its graph is launched. */
static psb_err nccl_check_open(const void *group)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    PSB_CHECK(((const struct group *)group)->comm, PSB_EMPI,
              "the GPU was closed, or messages between GPUs did not come before; expected a new descriptor");
    PSB_TRY(psb_cudart_ok(cudaStreamIsCapturing(psb_cudart_stream(), &status), "capture"));
    PSB_CHECK(status == cudaStreamCaptureStatusNone, PSB_ENOTIMPL,
              "messages by NCCL cannot be captured; expected exchanges by lsa in a graph");
    return PSB_OK;
}

static psb_err nccl_complete(void *group)
{
    PSB_TRY(report_loss(group));
    return psb_cudart_join();
}

const struct psb_twosided psb_twosided_cuda = {
    .name = "nccl",
    .obstacle = nccl_obstacle,
    .join = nccl_join,
    .check_open = nccl_check_open,
    .exchange = nccl_exchange,
    .complete = nccl_complete,
};
