/* ck.h -- room: test.  What every suite needs: random numbers, assertions about errors, a main. */
#ifndef CK_H
#define CK_H
#include <check.h>
#include <stdint.h>
#include "psb_base.h"

/* Check writes down each assertion that holds, to tell where a process died that it had forked.  Ours are not
 * forked, and have millions of them: half of all time was that. */
#define _mark_point(file, line) ((void)0)

/* Random numbers, the same on every machine.  Method: splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *r);
int rng_below(struct rng *r, int n); /* 0 .. n-1 */
double rng_real(struct rng *r);      /* -1 <= x < 1 */

/* The call succeeds; it fails with that code, and its message has that text in it. */
#define OK(call)              ck_ok((call), #call, __FILE__, __LINE__)
#define FAILS(call, code, in) ck_fails((call), (code), (in), #call, __FILE__, __LINE__)
void ck_ok(psb_err e, const char *call, const char *file, int line);
void ck_fails(psb_err e, psb_err code, const char *in, const char *call, const char *file, int line);

/* The allocations since psb_alloc_fail_at(CK_NEVER), which ends. */
enum { CK_NEVER = 10000 };
long ck_allocations(void);

/* A loop over n matrices goes `for (int k = n - 1; k >= 0; k -= ck_step(n))`.  The step is 1, so that all are
 * tried, unless the environment has CHECK_ZOO=N: then every N-th is, from the last on, and at least four are.
 * Formats, kernels, operations and factors are tried in full all the same. */
int ck_step(int n);

/* Add the loop test t, of n turns, to c.  With CHECK_SLICE=K/N in the environment every N-th turn is made,
 * from K on: N runs, K = 0 to N - 1, make all.  Of a sampled test only turns 0, ck_step(n), 2 ck_step(n), ...
 * are made. */
void ck_add_loop_test(TCase *c, const TTest *t, int n);
void ck_add_sampled_test(TCase *c, const TTest *t, int n);

/* MPI_Init, with threads in kernels (MPI_THREAD_FUNNELED); what it leaves behind, it leaks, not we. */
void ck_mpi_init(void);

/* A context, psb_rsb_init, and psb_cuda_init on it: with the fake device where there is no GPU and PSB_DEVICE
 * says nothing else.  Threads get a share of work from CK_GRAIN elements on, if that is in the environment.
 */
PSB_MUST_CHECK psb_err ck_init(psb_ctxt **ctxt);

/* A new test case of s, each of whose tests may take CK_DEFAULT_TIMEOUT seconds, or 60. */
TCase *ck_tcase(Suite *s, const char *name);

/* Run a suite in this process, since neither MPI nor CUDA survives a fork; returns how many tests failed.
 * In a build with LeakSanitizer it is asked then, and a leak ends the program. */
int ck_run(Suite *s);
#endif
