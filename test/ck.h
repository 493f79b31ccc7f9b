/* ck.h -- test: common parts of all suites: random numbers, assertions about errors, running. */
#ifndef CK_H
#define CK_H
#include <check.h>
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include "psb_cuda_format.h"
#include "psb_rsb_format.h"
#include "spmat.h"
#include "psb_testing.h"

/* A variable declared with one of the following owns what it holds, which is freed at the end of its scope:
 * HEAP T *x = malloc(n); DESC *d = NULL; DUAL a = ...; and MAT, COO, VECT, SPMAT of sample.h, DISTRIBUTED of
 * distributed.h. */
#define OWNER(release) __attribute__((cleanup(release)))
#define HEAP           OWNER(ck_free)
#define DESC           OWNER(ck_free_desc) psb_desc
#define DUAL           OWNER(psb_dual_free) struct psb_dual
void ck_free(void *where); /* the address of the variable */
void ck_free_desc(psb_desc **desc);

/* Missing with clang before 15 and in old C libraries. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#ifndef CMPLXF
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#endif

/* Check records every assertion that holds, to report where a forked test died.  These tests are not forked
 * and make millions of assertions; recording them took half of the time. */
#define _mark_point(file, line) ((void)0)

/* Random numbers, the same on every machine: splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *r);
int rng_below(struct rng *r, int n); /* 0 .. n-1 */
double rng_real(struct rng *r);      /* -1 <= x < 1 */

/* The call succeeds; the call fails with this code and a message that contains the text made, as by printf,
 * from a format and its arguments. */
#define OK(call)               ck_ok((call), #call, __FILE__, __LINE__)
#define FAILS(call, code, ...) ck_fails((call), (code), #call, __FILE__, __LINE__, __VA_ARGS__)
void ck_ok(psb_err e, const char *call, const char *file, int line);
void ck_fails(psb_err e, psb_err code, const char *call, const char *file, int line, const char *fmt, ...);

/* Collect what is written to stderr from the first call to the second, which returns it, at most 4000 bytes.
 */
void ck_stderr_begin(void);
const char *ck_stderr_end(void);

/* Return the number of allocations since psb_alloc_fail_at(CK_NEVER), and stop counting. */
enum { CK_NEVER = 10000 };
long ck_allocations(void);

/* The step of a loop over n matrices, `for (int k = n - 1; k >= 0; k -= ck_step(n))`.  It is 1 unless the
 * environment has CHECK_ZOO=N: then every N-th matrix from the last on is tried, and at least four.  Loops
 * over formats, kernels, operations and factors always run in full. */
int ck_step(int n);

/* A test, to be added to a test case; _i is the turn of a loop test. */
#define TEST(name) START_TEST(name)

/* Add tests to c, by name; loop tests with turns 0 to n - 1.  With CHECK_SLICE=K/N in the environment only
 * turns K, K + N, ... are added; N runs with K = 0 to N - 1 cover all.  Of sampled tests only turns 0,
 * ck_step(n), 2 ck_step(n), ... are added. */
#define ck_add_tests(c, ...)         ck_add((c), 1, 0, (const TTest *const[]){ __VA_ARGS__, NULL })
#define ck_add_loop_tests(c, n, ...) ck_add((c), (n), 1, (const TTest *const[]){ __VA_ARGS__, NULL })
#define ck_add_sampled_tests(c, n, ...) \
    ck_add((c), (n), ck_step(n), (const TTest *const[]){ __VA_ARGS__, NULL })
void ck_add(TCase *c, int n, int step, const TTest *const *tests); /* step 0: without a loop */

/* Initialise MPI with MPI_THREAD_FUNNELED, so that kernels may use threads.  Memory that MPI leaks is not
 * reported. */
void ck_mpi_init(void);

/* Make a context, and call psb_rsb_init and psb_cuda_init; without a GPU the fake device is used unless
 * PSB_DEVICE says otherwise.  CK_GRAIN in the environment is the number of elements from which on threads
 * share work. */
PSB_MUST_CHECK psb_err ck_init(psb_ctxt **ctxt);

/* End what ck_init and ck_mpi_init began; return the exit status of a program with `failed` failed tests. */
int ck_end(psb_ctxt *ctxt, int failed);

/* Make "," the decimal point until setlocale(LC_NUMERIC, "C").  Returns false, and says so, if the C library
 * cannot. */
bool ck_decimal_comma(void);

/* Add a test case to s; the timeout of each test is CK_DEFAULT_TIMEOUT seconds, or 60. */
TCase *ck_tcase(Suite *s, const char *name);

/* Run a suite in this process, since neither MPI nor CUDA survives a fork; return the number of failed tests.
 * In a build with LeakSanitizer the program ends if there is a leak. */
int ck_run(Suite *s);
#endif
