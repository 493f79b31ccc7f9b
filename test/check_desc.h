/* check_desc.h -- room: test.  What the suites of descriptors share: a picture of who owns and uses what. */
#ifndef CHECK_DESC_H
#define CHECK_DESC_H
#include <complex.h>
#include "collective_checks.h"

extern psb_ctxt *ctxt;
extern int me, np;

enum { ROWS = 41, PROCS = 8 };

/* How rows are dealt out; from FRINGES on some have several owners. */
enum how {
    EVEN,        /* blocks alike */
    FIRST_EMPTY, /* blocks, none for process 0 */
    ONE_HAS_ALL, /* one block */
    RUNS,        /* ascending, in runs, two a process */
    CYCLES,      /* ascending, one by one */
    SHUFFLED,    /* at random, in an order that is no order */
    NO_ROWS,     /* n == 0 */
    FRINGES,     /* blocks and the rows on both sides of each */
    SCATTERED,   /* each row owned by some, at random, in any order */
    ALL_OF_ALL,  /* all rows by all, each in its own order */
    ONE_ROW,     /* blocks, row 3 owned by all */
    LAST_MORE,   /* none for process 0; the last has all rows, others some of them */
    HOWS
};

/* The same on all processes; global numbers from 0. */
struct picture {
    int n;
    int nl[PROCS], row[PROCS][ROWS]; /* the rows of each process, in local order */
    int owns[PROCS][ROWS];
    int uses[PROCS][ROWS]; /* columns in the pattern of the rows owned */
};

struct picture picture(enum how how);

/* The pattern: does row i have an entry in column j?  Its value, small whole numbers, so sums are exact. */
int entry(int i, int j);
double _Complex value(int i, int j);
/* Element i of a vector, small whole numbers. */
double _Complex element(int i);

int lowest(const struct picture *p, int row);
int owners_of(const struct picture *p, int row);

/* The halo of process r: global numbers, by lowest owner and then ascending. */
int halo_of(const struct picture *p, int r, int *g);

/* A descriptor as in the picture, state BUILD, by psb_cdall_vl; with all of the pattern put in. Collective.
 */
psb_desc *drawn(const struct picture *p);
void use_pattern(psb_desc *d, const struct picture *p);
/* The same assembled. */
psb_desc *assembled(const struct picture *p);

/* A halo exchange on d brings the right values, and numbers, lists and volumes are those of the picture.
 * Collective. */
void exchange_works(psb_desc *d, const struct picture *p);
void check_assembled(psb_desc *d, const struct picture *p);

/* A vector on d, element g is element(g), halo too where `halo`. */
psb_zvect *vector(psb_desc *d, int halo);

/* A matrix on d with all of the pattern; d in BUILD is assembled. */
psb_zspmat *matrix(psb_desc *d, const struct picture *p);

/* Let every allocation of `call`, collective, fail in turn on process 0 alone, on 1, on the last: all get an
 * error, then all succeed. */
struct walk {
    psb_err (*call)(void *arg);
    void (*undo)(void *arg);  /* after success */
    void (*still)(void *arg); /* after an error: things are intact */
    void *arg;
    const char *name;
};
void walk(const struct walk *w);

void add_overlap(Suite *s);
void add_growth(Suite *s);
#endif
