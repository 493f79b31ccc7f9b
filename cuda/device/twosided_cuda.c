/* twosided_cuda.c -- room: cuda/device.  Messages between GPUs, by NCCL, on the stream beside the product.
 * The library is loaded at first use, so that programs also start without it; no call waits for longer than
 * its caller allows. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nccl.h>
#include <sched.h>
#include <string.h>
#include "gpu.h"
#include "psb_base.h"
#include "psb_twosided.h"

/* --- the library ---------------------------------------------------------------------------------------- */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define SONAME     "libnccl.so." TEXT(NCCL_MAJOR)

static struct {
    void *library;
    int tried;
#define CALL(name) __typeof__(&nccl##name) name;
#include "nccl_calls.h"
#undef CALL
} nccl;

/* Store the address of function `name` at `to`; its presence. */
static int find(const char *name, void *to)
{
    void *p = dlsym(nccl.library, name);
    memcpy(to, &p, sizeof p);
    return p != NULL;
}

static int find_all(void)
{
    int all = 1;
#define CALL(name) all &= find("nccl" #name, &nccl.name);
#include "nccl_calls.h"
#undef CALL
    return all;
}

static const char *obstacle(void)
{
    if (!nccl.tried) {
        nccl.tried = 1;
        nccl.library = dlopen(SONAME, RTLD_NOW);
        if (!nccl.library)
            nccl.library = dlopen(NCCL_DIR "/" SONAME, RTLD_NOW);
        if (nccl.library && !find_all())
            nccl.library = NULL;
    }
    return nccl.library ? NULL : SONAME " cannot be loaded, or is too old";
}

static psb_err ok(ncclResult_t code, const char *what)
{
    PSB_CHECK(code == ncclSuccess || code == ncclInProgress, PSB_EDEVICE, "%s: %s", what,
              nccl.GetErrorString(code));
    return PSB_OK;
}

#define NCCL(call) PSB_TRY(ok(nccl.call, "nccl" #call))

/* --- groups --------------------------------------------------------------------------------------------- */

/* An attribute of its communicator.  comm NULL: ended, since the GPU was closed or did not answer. */
struct group {
    ncclComm_t comm;
    struct group *next;
};

static struct group *groups;
static int key = MPI_KEYVAL_INVALID;

static void end(struct group *g)
{
    if (g->comm)
        (void)nccl.CommAbort(g->comm);
    g->comm = NULL;
}

void psb_nccl_close(void)
{
    for (struct group *g = groups; g; g = g->next)
        end(g);
}

static int delete_group(MPI_Comm comm, int k, void *attribute, void *extra)
{
    struct group *g = attribute, **at = &groups;
    (void)comm, (void)k, (void)extra;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    end(g);
    psb_free(g);
    return MPI_SUCCESS;
}

/* Wait until the last call has been taken up. */
static psb_err wait_for(struct group *g, double seconds)
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
    return ok(now, "NCCL");
}

/* Process 0 names the group; an error there reaches all. */
static psb_err share_name(MPI_Comm comm, int me, ncclUniqueId *id)
{
    struct {
        ncclUniqueId id;
        int named;
    } m = { .named = 0 };
    psb_err e = me == 0 ? ok(nccl.GetUniqueId(&m.id), "ncclGetUniqueId") : PSB_OK;
    m.named = e == PSB_OK;
    PSB_MPI(MPI_Bcast(&m, (int)sizeof m, MPI_BYTE, 0, comm));
    *id = m.id;
    return m.named ? PSB_OK : e != PSB_OK ? e : PSB_FAIL(PSB_EDEVICE, "process 0 has no name for the group");
}

static psb_err begin(struct group *g, MPI_Comm comm, double seconds)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    ncclUniqueId id;
    int me, np;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &np);
    config.blocking = 0;
    PSB_TRY(share_name(comm, me, &id));
    NCCL(CommInitRankConfig(&g->comm, np, id, me, &config));
    psb_err e = wait_for(g, seconds);
    if (e != PSB_OK)
        end(g);
    return e;
}

/* Make the group an attribute of comm. */
static psb_err attach(MPI_Comm comm, struct group **out)
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

static psb_err join(MPI_Comm comm, double seconds, void **group)
{
    struct group *g = NULL;
    int found = 0;
    if (key != MPI_KEYVAL_INVALID)
        PSB_MPI(MPI_Comm_get_attr(comm, key, &g, &found));
    if (!found)
        PSB_TRY(attach(comm, &g));
    if (!g->comm)
        PSB_TRY(begin(g, comm, seconds));
    *group = g;
    return PSB_OK;
}

/* --- messages ------------------------------------------------------------------------------------------- */

static psb_err post(const struct group *g, const struct psb_device_message *m, int n, cudaStream_t stream)
{
    for (int k = 0; k < n; k++) {
        if (m[k].out_bytes)
            NCCL(Send(m[k].out, m[k].out_bytes, ncclInt8, m[k].rank, g->comm, stream));
        if (m[k].in_bytes)
            NCCL(Recv(m[k].in, m[k].in_bytes, ncclInt8, m[k].rank, g->comm, stream));
    }
    return PSB_OK;
}

static psb_err exchange(void *group, const struct psb_device_message *m, int n, double seconds)
{
    struct group *g = group;
    void *side;
    PSB_CHECK(g->comm, PSB_ESTATE, "the GPU was closed after the vector was assembled");
    PSB_TRY(psb_cudart_fork(&psb_twosided_cuda, &side));
    NCCL(GroupStart());
    psb_err e = post(g, m, n, side);
    psb_err sent = ok(nccl.GroupEnd(), "ncclGroupEnd");
    PSB_TRY(e);
    PSB_TRY(sent);
    return wait_for(g, seconds);
}

const struct psb_twosided psb_twosided_cuda = {
    .name = "nccl",
    .obstacle = obstacle,
    .join = join,
    .exchange = exchange,
    .complete = psb_cudart_join,
};
