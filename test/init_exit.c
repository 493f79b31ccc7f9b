/* init_exit.c -- test: initialisation and exit of programs; init_exit.sh runs `init_exit MODE`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "psb_format.h"

/* Return 0 if the condition holds, else print it and return 1. */
static int expect(int yes, const char *what)
{
    if (!yes)
        printf("failed: %s; last error: %s\n", what, psb_errmsg());
    return !yes;
}

static int expect_error(psb_err e, psb_err code, const char *text)
{
    return expect(e == code && strstr(psb_errmsg(), text), text);
}

/* The library initialises MPI with the first context, finalises it with the last, which frees memory of
 * devices that is kept, and refuses a new start. */
static int library_owns_mpi(void)
{
    psb_ctxt *a = NULL, *b = NULL, *c = NULL;
    int level, ended, bad = 0;
    double x = 1;
    void *p = NULL;
    bad += expect(psb_init(&a) == PSB_OK && psb_init(&b) == PSB_OK, "psb_init");
    bad += expect(psb_device_take(&psb_device_fake, &p, 64, "an array") == PSB_OK, "memory of the device");
    psb_device_give(&psb_device_fake, p, 64);
    MPI_Query_thread(&level);
    bad += expect(level >= MPI_THREAD_FUNNELED, "threads");
    psb_exit(a);
    bad += expect(psb_sum(b, 1, &x, -1) == PSB_OK, "the second context works");
    bad += expect(psb_pool_trim(SIZE_MAX) == 64, "memory is kept");
    psb_exit(b);
    bad += expect(psb_pool_trim(SIZE_MAX) == 0, "no memory is kept");
    MPI_Finalized(&ended);
    bad += expect(ended, "MPI has ended");
    bad += expect_error(psb_init(&c), PSB_ESTATE, "MPI has been finalised and cannot begin again");
    bad += expect_error(psb_init_comm(&c, MPI_COMM_WORLD), PSB_ESTATE, "MPI is not running");
    return bad + expect(!c, "no context");
}

/* The caller initialises MPI with this thread level; psb_exit does not finalise it. */
static int caller_owns_mpi(int level)
{
    psb_ctxt *a = NULL;
    int ended, got, bad = 0;
    bad += expect_error(psb_init_comm(&a, MPI_COMM_WORLD), PSB_ESTATE, "MPI is not running");
    MPI_Init_thread(NULL, NULL, level, &got);
    bad += expect(psb_init(&a) == PSB_OK, "psb_init");
    bad += expect(got >= MPI_THREAD_FUNNELED || psb_threads((psb_epk)1 << 40) == 1, "one thread");
#ifdef _OPENMP
    bad += expect(got < MPI_THREAD_FUNNELED || psb_threads((psb_epk)1 << 40) == 3, "three threads");
#endif
    bad += expect(got == level, "the level that was asked for");
    psb_exit(a);
    MPI_Finalized(&ended);
    bad += expect(!ended, "MPI lives on");
    bad += expect(psb_init(&a) == PSB_OK, "psb_init again");
    psb_exit(a);
    MPI_Finalize();
    return bad;
}

/* A context of all processes and one of this process alone end, on process 0 the latter first; a log, which
 * PSB_LOG asks for, waits for nobody. */
static int contexts_end_in_any_order(void)
{
    psb_ctxt *all = NULL, *own = NULL;
    int me, bad = 0;
    double x = 1;
    MPI_Init(NULL, NULL);
    bad += expect(psb_init(&all) == PSB_OK && psb_init_comm(&own, MPI_COMM_SELF) == PSB_OK, "psb_init");
    bad += expect(psb_sum(all, 1, &x, -1) == PSB_OK, "psb_sum");
    psb_info(all, &me, NULL);
    psb_exit(me == 0 ? own : all);
    psb_exit(me == 0 ? all : own);
    MPI_Finalize();
    return bad;
}

/* The caller finalises MPI while a context exists. */
static int finalised_too_early(void)
{
    const char *text = "MPI has been finalised; expected this call before MPI_Finalize";
    psb_ctxt *a = NULL;
    psb_request *req = NULL;
    double x = 1, y;
    int bad = 0, rank;
    MPI_Init(NULL, NULL);
    bad += expect(psb_init(&a) == PSB_OK, "psb_init");
    MPI_Finalize();
    bad += expect_error(psb_barrier(a), PSB_ESTATE, text);
    bad += expect_error(psb_agree(a, PSB_OK), PSB_ESTATE, text);
    bad += expect_error(psb_sum(a, 1, &x, -1), PSB_ESTATE, text);
    bad += expect_error(psb_scan_sum(a, 1, &x), PSB_ESTATE, text);
    bad += expect_error(psb_bcast(a, 1, &x, 0), PSB_ESTATE, text);
    bad += expect_error(psb_sum_start(a, 1, &x, -1, &req), PSB_ESTATE, text);
    bad += expect_error(psb_gather(a, 1, &x, &y, -1), PSB_ESTATE, text);
    bad += expect_error(psb_snd(a, 1, &x, 0, 0), PSB_ESTATE, text);
    bad += expect_error(psb_rcv(a, 1, &x, 0, 0), PSB_ESTATE, text);
    psb_info(a, &rank, NULL);
    bad += expect(rank >= 0, "psb_info");
    psb_exit(a);
    return bad;
}

/* Process 1 fails or aborts while the others wait in a barrier. */
static int one_process_stops(const char *how)
{
    psb_ctxt *a = NULL;
    int me;
    if (psb_init(&a) != PSB_OK)
        return EXIT_FAILURE;
    psb_info(a, &me, NULL);
    if (strcmp(how, "erraction") == 0)
        psb_set_erraction(PSB_ACT_ABORT);
    if (me == 1 && strcmp(how, "erraction") == 0)
        return PSB_FAIL(PSB_EIO, "the matrix is burning");
    if (me == 1)
        psb_abort(strcmp(how, "abort") == 0 ? a : NULL, "the matrix is burning");
    return psb_barrier(a) == PSB_OK;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "ours") == 0)
        return library_owns_mpi();
    if (strcmp(mode, "single") == 0)
        return caller_owns_mpi(MPI_THREAD_SINGLE);
    if (strcmp(mode, "funneled") == 0)
        return caller_owns_mpi(MPI_THREAD_FUNNELED);
    if (strcmp(mode, "orders") == 0)
        return contexts_end_in_any_order();
    if (strcmp(mode, "early") == 0)
        return finalised_too_early();
    return one_process_stops(mode);
}
