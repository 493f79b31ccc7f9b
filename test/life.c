/* life.c -- room: test.  Beginnings and ends of programs, for life.sh: life MODE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_base.h"

/* Says what it expected and did not find. */
static int expect(int yes, const char *what)
{
    if (!yes)
        printf("not so: %s; last error: %s\n", what, psb_errmsg());
    return !yes;
}

static int says(psb_err e, psb_err code, const char *text)
{
    return expect(e == code && strstr(psb_errmsg(), text), text);
}

/* MPI begins and ends with the contexts, and cannot begin again. */
static int ours(void)
{
    psb_ctxt *a = NULL, *b = NULL, *c = NULL;
    int level, ended, bad = 0;
    double x = 1;
    bad += expect(psb_init(&a) == PSB_OK && psb_init(&b) == PSB_OK, "psb_init");
    MPI_Query_thread(&level);
    bad += expect(level >= MPI_THREAD_FUNNELED, "threads");
    psb_exit(a);
    bad += expect(psb_sum(b, 1, &x, -1) == PSB_OK, "the second context works");
    psb_exit(b);
    MPI_Finalized(&ended);
    bad += expect(ended, "MPI has ended");
    bad += says(psb_init(&c), PSB_ESTATE, "MPI has been finalised and cannot begin again");
    bad += says(psb_init_comm(&c, MPI_COMM_WORLD), PSB_ESTATE, "MPI is not running");
    return bad + expect(!c, "no context");
}

/* The caller's MPI, with as many threads as `level` says; it lives on. */
static int theirs(int level)
{
    psb_ctxt *a = NULL;
    int ended, got, bad = 0;
    bad += says(psb_init_comm(&a, MPI_COMM_WORLD), PSB_ESTATE, "MPI is not running");
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

/* The caller ends MPI too early. */
static int early(void)
{
    const char *text = "MPI has been finalised; expected this call before MPI_Finalize";
    psb_ctxt *a = NULL;
    psb_request *req = NULL;
    double x = 1, y;
    int bad = 0, rank;
    MPI_Init(NULL, NULL);
    bad += expect(psb_init(&a) == PSB_OK, "psb_init");
    MPI_Finalize();
    bad += says(psb_barrier(a), PSB_ESTATE, text);
    bad += says(psb_agree(a, PSB_OK), PSB_ESTATE, text);
    bad += says(psb_sum(a, 1, &x, -1), PSB_ESTATE, text);
    bad += says(psb_scan_sum(a, 1, &x), PSB_ESTATE, text);
    bad += says(psb_bcast(a, 1, &x, 0), PSB_ESTATE, text);
    bad += says(psb_sum_start(a, 1, &x, -1, &req), PSB_ESTATE, text);
    bad += says(psb_gather(a, 1, &x, &y, -1), PSB_ESTATE, text);
    bad += says(psb_snd(a, 1, &x, 0, 0), PSB_ESTATE, text);
    bad += says(psb_rcv(a, 1, &x, 0, 0), PSB_ESTATE, text);
    psb_info(a, &rank, NULL);
    bad += expect(rank >= 0, "psb_info");
    psb_exit(a);
    return bad;
}

/* Process 1 is wrong, or gives up, while the others wait. */
static int stops(const char *how)
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
        return ours();
    if (strcmp(mode, "single") == 0)
        return theirs(MPI_THREAD_SINGLE);
    if (strcmp(mode, "funneled") == 0)
        return theirs(MPI_THREAD_FUNNELED);
    if (strcmp(mode, "early") == 0)
        return early();
    return stops(mode);
}
