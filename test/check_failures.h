/* check_failures.h -- test: the calls of suites "failures" and "ended", and what they work on. */
#ifndef CHECK_FAILURES_H
#define CHECK_FAILURES_H
#include "suites.h"
#include "psb_cuda.h"
#include "psb_util.h"
#include "solve_problem.h"

struct bench {
    struct problem p; /* two columns if the call asks for them */
    const struct X(mat) *mold;
    const struct psb_vmold *where;
    struct X(prec) *prec;
    struct X(vect) *y;
    struct X(scal) *scal;
    /* made by calls */
    psb_desc *desc;
    struct X(spmat) *a, *b;
    struct X(vect) *v, *w;
    struct X(scal) *s;
    struct X(mat) *all;
    psb_lpk *more;
    struct X(triplets) t, got;
};

/* A problem with this number of columns, on the device or not.  bench_free also frees what calls made. */
void bench_make(struct bench *b, bool on_device, int columns);
void bench_free(struct bench *b);
#define BENCH OWNER(bench_free) struct bench

/* agrees: all processes return the same code; else neighbours may learn of a failure later, or by its
 * effects. */
struct call {
    const char *name, *arg;
    psb_err (*run)(struct bench *b, const char *arg);
    void (*prepare)(struct bench *b, const char *arg);
    int columns, agrees;
};
extern const struct call failing_calls[];
extern const int nfailing_calls;

/* The call that prepares one with a preconditioner, `arg`. */
void built_prec(struct bench *b, const char *arg);
psb_err apply_prec(struct bench *b, const char *arg);

/* A file that calls write and read, and one in Harwell-Boeing format. */
extern char failing_path[60], failing_hb_path[300];
#endif
