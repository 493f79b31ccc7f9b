/* check_desc.h -- test: common parts of the suites of descriptors: layouts, that is, which process
 * owns and uses which rows. */
#ifndef CHECK_DESC_H
#define CHECK_DESC_H
#include <complex.h>
#include "collective_checks.h"

enum { ROWS = 41 };

/* Distributions of rows; from FRINGES on some rows have several owners. */
enum distribution {
    EVEN,        /* equal blocks */
    FIRST_EMPTY, /* blocks; none on process 0 */
    ONE_HAS_ALL, /* one process owns all */
    RUNS,        /* ascending, in runs, two runs per process */
    CYCLES,      /* ascending, cyclic */
    SHUFFLED,    /* random owners, random local order */
    NO_ROWS,     /* n == 0 */
    FRINGES,     /* blocks, overlapping by one row on both sides */
    SCATTERED,   /* random sets of owners, random local order */
    ALL_OF_ALL,  /* every process owns all rows, each in a different order */
    ONE_ROW,     /* blocks; all processes own row 3 */
    LAST_MORE,   /* none on process 0; the last process owns all rows, the others some */
    DISTRIBUTIONS
};

/* A layout, the same on all processes; global indices from 0. */
struct layout {
    int n;
    int nl[PROCS], row[PROCS][ROWS]; /* the number of rows of each process, and the rows in local order */
    int owns[PROCS][ROWS];
    int uses[PROCS][ROWS]; /* columns in the pattern of the owned rows */
};

struct layout layout(enum distribution distribution);
/* The same owners, with local rows in ascending order. */
struct layout ascending_rows(const struct layout *p);
/* Owners by the layout at arg, highest rank first: an argument of psb_cdall_parts. */
int owners_by_layout(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg);

/* Return whether row i of the test matrix has an entry in column j, and its value: small integers, so that
 * sums are exact. */
int entry(int i, int j);
double _Complex value(int i, int j);
/* Element i of the test vector, a small integer. */
double _Complex element(int i);

int lowest(const struct layout *p, int row);
int owners_of(const struct layout *p, int row);

/* Set g to the halo of process r, ordered by lowest owner, then by index; return its length. */
int halo_of(const struct layout *p, int r, int *g);

/* The rows of this process as arguments of psb_cdall_vl. */
void rows_here(const struct layout *p, psb_lpk *vl);

/* Make a descriptor of this layout, which must suit this way of saying who owns what, with the call for that
 * way or with psb_cdall.  Collective. */
enum way { BY_NL, BY_VL, BY_LIDX, BY_VG, BY_REPL, BY_PARTS, WAYS };
psb_err make_desc(psb_desc **d, const struct layout *p, enum way way, bool general);

/* build_desc makes a descriptor of this layout in state BUILD with psb_cdall_vl; use_pattern inserts the
 * columns of the whole pattern.  Collective. */
psb_desc *build_desc(const struct layout *p);
void use_pattern(psb_desc *d, const struct layout *p);
/* The same with the pattern inserted, assembled. */
psb_desc *assembled(const struct layout *p);

/* check_exchange: a halo exchange on d gives the right values.  check_assembled: the numbers, lists and
 * volumes of d are those of the layout.  Collective. */
void check_exchange(psb_desc *d, const struct layout *p);
void check_assembled(psb_desc *d, const struct layout *p);

/* Make a vector on d whose element g is element(g), also in the halo if `halo`. */
psb_zvect *vector(psb_desc *d, int halo);

/* Make the test matrix on d; d is assembled if in BUILD. */
psb_zspmat *matrix(psb_desc *d, const struct layout *p);

/* Make every allocation of a collective call fail in turn, on process 0 alone, on process 1, on the last: the
 * call fails on all processes, and then succeeds. */
struct walk {
    psb_err (*call)(void *arg);
    void (*undo)(void *arg);  /* after success */
    void (*still)(void *arg); /* after an error: check that everything is intact */
    void *arg;
    const char *name;
};
void walk(const struct walk *w);

/* Test cases: rows with several owners; growing halos. */
void add_overlap(Suite *s);
void add_growth(Suite *s);
/* Wrong arguments on one process, and messages with indices from 1. */
void add_wrong_on_one(TCase *c);
/* Wrong arguments of psb_cdall, and of every call on all processes. */
void add_wrong_on_all(TCase *c);
/* Allocations that fail in turn. */
void add_allocation_failures(TCase *c);
#endif
