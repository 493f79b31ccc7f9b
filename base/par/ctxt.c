/* ctxt.c -- base/par: contexts: creation, end, properties. */
#include "ctxt.h"
#include "env.h"
#include "errcall.h"
#include "lines.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "psb_pool.h"
#include "psb_simd.h"
#include "psb_threads.h"
#include "request.h"
#include <stdio.h>
#include <stdlib.h>

static int alive;    /* number of contexts */
static bool logged;  /* there is one that writes the log: the first of all processes */
static int we_began; /* psb_init has initialised MPI, and psb_exit finalises it */

psb_err psb_mpi_fail(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    MPI_Error_string(code, text, &len);
    return PSB_FAIL(PSB_EMPI, "%s: %s", call, text);
}

bool psb_mpi_runs(void)
{
    int begun, ended;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

bool psb_is_one_missing(psb_ctxt *c)
{
    int here = 0;
    if (c->seconds > 0 && !c->lost)
        MPI_Iprobe(MPI_ANY_SOURCE, PSB_TAG_MISSING, c->comm, &here, MPI_STATUS_IGNORE);
    if (here)
        MPI_Recv(&c->lost, 1, MPI_INT, MPI_ANY_SOURCE, PSB_TAG_MISSING, c->comm, MPI_STATUS_IGNORE);
    return c->lost != 0;
}

psb_err psb_check_ctxt(const psb_ctxt *c)
{
    int ended;
    PSB_CHECK(c, PSB_EARG, "argument ctxt is NULL; expected a context");
    MPI_Finalized(&ended);
    PSB_CHECK(!ended, PSB_ESTATE, "MPI has been finalised; expected this call before MPI_Finalize");
    PSB_CHECK(psb_is_live(c), PSB_ESTATE, "the context is freed; expected this call before psb_exit");
    PSB_CHECK(!psb_is_one_missing((psb_ctxt *)c), PSB_EMPI,
              "process %d did not come to an earlier sum; expected a new context", c->lost - 1);
    return PSB_OK;
}

psb_err psb_halo_seconds(double *seconds)
{
    *seconds = PSB_HALO_SECONDS;
    return PSB_PASS(psb_env_real("PSB_HALO_TIMEOUT", "seconds", 86400, seconds));
}

/* --- creation ------------------------------------------------------------------------------------------ */

static psb_err duplicate_comm(psb_ctxt *c, MPI_Comm comm)
{
    PSB_MPI(MPI_Comm_dup(comm, &c->comm));
    MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN);
    PSB_MPI(MPI_Comm_dup(c->comm, &c->inner)); /* inherits the error handler */
    PSB_MPI(MPI_Comm_rank(c->comm, &c->rank));
    PSB_MPI(MPI_Comm_size(c->comm, &c->size));
    c->places = 1;
    while (c->places <= c->size / 2)
        c->places *= 2;
    return PSB_OK;
}

/* Communicators that may still get messages about a missing process are left to MPI_Finalize: a later
 * communicator could receive them. */
static void release_ctxt(psb_ctxt *c)
{
    if (!c)
        return;
    if (c->inner != MPI_COMM_NULL && c->seconds <= 0)
        MPI_Comm_free(&c->inner);
    if (c->comm != MPI_COMM_NULL && c->seconds <= 0)
        MPI_Comm_free(&c->comm);
    psb_free(c->spare);
    psb_free(c->elements);
    psb_retire(c, sizeof *c);
}

/* Agree on an error before there is a context, and a reduction of our own. */
static psb_err agree_without(MPI_Comm comm, psb_err err)
{
    int code = (int)err, most;
    PSB_MPI(MPI_Allreduce(&code, &most, 1, MPI_INT, MPI_MAX, comm));
    PSB_CHECK(code == most, (psb_err)most, "another process could not make its context");
    return err;
}

/* The number of this process among several, -1 if it is the only one. */
static int number_in_world(void)
{
    int n, number;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return n > 1 ? number : -1;
}

static bool is_of_world(const psb_ctxt *c)
{
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return c->size == n;
}

psb_err psb_init_comm(psb_ctxt **ctxt, MPI_Comm comm)
{
    psb_ctxt *c = NULL;
    int inter;
    PSB_CHECK(psb_mpi_runs(), PSB_ESTATE,
              "MPI is not running; expected this call between MPI_Init and MPI_Finalize");
    PSB_CHECK(comm != MPI_COMM_NULL, PSB_EARG, "argument comm is MPI_COMM_NULL; expected a communicator");
    PSB_MPI(MPI_Comm_test_inter(comm, &inter));
    PSB_CHECK(!inter, PSB_EARG, "argument comm is an intercommunicator; expected one of one group");
    psb_err e = PSB_OK;
    double seconds = 0;
    if (!ctxt)
        e = PSB_FAIL(PSB_EARG, "argument ctxt is NULL; expected where to store the context");
    PSB_THEN(e, psb_halo_seconds(&seconds));
    PSB_THEN(e, psb_simd_check());
    PSB_THEN(e, psb_alloc_zero(&c, 1, sizeof *c, "context"));
    PSB_THEN(e, psb_alloc(&c->spare, 1, sizeof *c->spare, "request"));
    PSB_THEN(e, psb_alloc(&c->elements, 1, PSB_KEPT, "elements of collective calls"));
    e = agree_without(comm, e);
    if (c)
        c->comm = c->inner = MPI_COMM_NULL;
    PSB_THEN(e, duplicate_comm(c, comm));
    if (e != PSB_OK) {
        release_ctxt(c);
        return PSB_PASS(e);
    }
    int level;
    c->seconds = psb_env("PSB_HALO_TIMEOUT") ? seconds : 0;
    MPI_Query_thread(&level);
    psb_threads_allow(level >= MPI_THREAD_FUNNELED);
    psb_err_process(number_in_world(), c->rank == 0);
    psb_log_read();
    if (c->rank == 0)
        psb_env_hints();
    c->logs = !logged && is_of_world(c);
    logged |= c->logs;
    if (c->logs)
        psb_log_at_start(c);
    alive++;
    *ctxt = c;
    return PSB_OK;
}

psb_err psb_init(psb_ctxt **ctxt)
{
    int begun, ended;
    MPI_Finalized(&ended);
    PSB_CHECK(!ended, PSB_ESTATE,
              "MPI has been finalised and cannot begin again; expected one psb_init to last");
    MPI_Initialized(&begun);
    if (!begun) {
        int got;
        PSB_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &got));
        we_began = 1;
    }
    return PSB_PASS(psb_init_comm(ctxt, MPI_COMM_WORLD));
}

/* --- end ----------------------------------------------------------------------------------------------- */

void psb_exit(psb_ctxt *ctxt)
{
    if (!psb_may_free(ctxt, __func__))
        return;
    if (--alive == 0)
        psb_pool_trim(0);
    if (!psb_mpi_runs()) {
        psb_free(ctxt->spare);
        psb_free(ctxt->elements);
        psb_retire(ctxt, sizeof *ctxt);
        return;
    }
    if (ctxt->flush)
        ctxt->flush(ctxt);
    if (ctxt->logs) {
        psb_log_at_exit(ctxt);
        logged = false;
    }
    release_ctxt(ctxt);
    if (alive == 0 && we_began) {
        we_began = 0;
        MPI_Finalize();
    }
}

void psb_abort(psb_ctxt *ctxt, const char *why)
{
    int me = ctxt ? ctxt->rank : 0;
    if (!ctxt && psb_mpi_runs())
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(stderr, "psb: process %d aborts: %s\n", me, why ? why : "");
    fflush(stderr);
    if (psb_mpi_runs())
        MPI_Abort(ctxt ? ctxt->comm : MPI_COMM_WORLD, EXIT_FAILURE);
    abort();
}

/* --- properties ---------------------------------------------------------------------------------------- */

void psb_info(const psb_ctxt *ctxt, int *iam, int *np)
{
    if (iam)
        *iam = psb_is_live(ctxt) ? ctxt->rank : -1;
    if (np)
        *np = psb_is_live(ctxt) ? ctxt->size : -1;
}

MPI_Comm psb_comm_of(const psb_ctxt *ctxt)
{
    return psb_is_live(ctxt) ? ctxt->comm : MPI_COMM_NULL;
}

psb_err psb_barrier(psb_ctxt *ctxt)
{
    PSB_TRY(psb_check_ctxt(ctxt));
    PSB_MPI(MPI_Barrier(ctxt->comm));
    return PSB_OK;
}

double psb_wtime(void)
{
    return MPI_Wtime();
}

/* --- tags and traffic ---------------------------------------------------------------------------------- */

/* Tags on `inner`: psb_snd has those below PSB_TAGS, then come those of collective calls, then of channels.
 */
enum { CHANNEL_TAGS = 1024, CALL_TAGS = PSB_TAGS - CHANNEL_TAGS };

int psb_next_tag(psb_ctxt *c)
{
    return PSB_TAGS + (int)(c->calls++ % CALL_TAGS);
}

int psb_next_channel_tag(psb_ctxt *c)
{
    return PSB_TAGS + CALL_TAGS + (int)(c->channels++ % CHANNEL_TAGS);
}

psb_err psb_row_type(int k, MPI_Datatype t, MPI_Datatype *row)
{
    PSB_MPI(MPI_Type_contiguous(k, t, row));
    PSB_MPI(MPI_Type_commit(row));
    return PSB_OK;
}

void psb_count(psb_ctxt *c, size_t n, size_t bytes)
{
    c->traffic.messages += (long long)n;
    c->traffic.bytes += (long long)bytes;
}

struct psb_traffic psb_traffic(const psb_ctxt *ctxt)
{
    return ctxt ? ctxt->traffic : (struct psb_traffic){ 0, 0 };
}

void psb_traffic_reset(psb_ctxt *ctxt)
{
    if (ctxt)
        ctxt->traffic = (struct psb_traffic){ 0, 0 };
}
