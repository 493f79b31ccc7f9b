/* world.h -- room: test.  A matrix and two vectors, dealt out over the processes in every way there is. */
#ifndef WORLD_H
#define WORLD_H
#include "sample.h"
#include "together.h"

/* How rows are dealt out: blocks alike, blocks of different sizes, none for the first, none for the last, all
 * for one, in turn, at random, and at random with a local order of its own. */
enum deal { EVEN, UNEVEN, FIRST_EMPTY, LAST_EMPTY, ONE_HAS_ALL, IN_TURN, RANDOM, SHUFFLED, DEALS };

enum { MOST = 64 }; /* rows, and columns */

extern psb_ctxt *ctxt;
extern int me, np;

/* The owner of each of n rows; the same on every process. */
void owners(enum deal deal, psb_ipk n, int *owner);

/* A descriptor of n rows, state BUILD.  Collective. */
PSB_MUST_CHECK psb_err deal_out(psb_desc **desc, enum deal deal, psb_ipk n);

/* What a test works on. */
struct world {
    enum deal deal;
    struct X(coo_mat) *s; /* the whole matrix */
    psb_desc *row, *col;
    struct X(spmat) *a;
    struct X(vect) *x, *y; /* x on col, y on row */
};

/* The matrix `kind`, m x n, in state BUILD, its rows dealt out one way and its columns another; square and
 * dealt out alike it has one descriptor.  Descriptors are assembled.  Collective. */
struct world world(enum sample_kind kind, psb_ipk m, psb_ipk n, enum deal row, enum deal col);
void world_free(struct world *w);

/* Every process inserts all entries of s: those of others' rows are to be dropped. */
psb_err insert_all(struct X(spmat) *a, const struct X(coo_mat) *s);

/* An assembled vector, its owned elements those of `all`, its halo NaN. */
struct X(vect) *spread(psb_desc *d, const T *all, const struct psb_vmold *where);
void load(struct X(vect) *x, const T *all);

/* Are the owned elements what they must be? */
void check_vector(struct X(vect) *y, const struct want *w, const char *what);

/* The product of the world's matrix on fresh vectors beside the oracle. */
void check_product(struct world *w, char trans, T alpha, T beta, const struct psb_vmold *where);
#endif
