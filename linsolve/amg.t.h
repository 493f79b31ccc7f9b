/* amg.t.h -- linsolve: the parts of algebraic multigrid. */
#ifndef AMG_T_H
#define AMG_T_H
#include "operator_inside.t.h"
#include "prec_inside.t.h"

/* A prolongator is P = S P0, or P0, with neither: see amg_aggregate.c. */
struct X(amg_factors) {
    struct X(spmat) *s, *p0;
};

struct amg_level {
    const struct X(spmat) *a;
    struct X(spmat) *made;    /* a, but on the finest level */
    struct X(spmat) *rows;    /* a in CSR, for products of matrices; NULL: a is */
    struct X(prec) *smoother; /* NULL: solved by the inverse */
    struct X(spmat) *inverse;
    struct X(spmat) *p;        /* from the next level; NULL on the last */
    struct X(amg_factors) of;  /* p, or nothing */
    struct X(vect) *x, *r, *z; /* on a's columns: solution, residual, what is added to x */
    struct X(vect) *c;         /* on p's columns: the restricted residual, then what is prolonged */
    struct X(vect) *w;         /* on the inverse's columns */
    struct X(vect) *k[4]; /* cycles K and KCG: the residual, A c1, c2, A c2, where c1 and c2 are two cycles */
    T *dots;              /* and their scalars */
};

/* The phases of the setup: smoothers; aggregates and prolongators; the products P^H A P; conversions; the
 * inverse. */
enum amg_phase { AMG_SMOOTHERS, AMG_PROLONGATORS, AMG_PRODUCTS, AMG_CONVERSIONS, AMG_INVERSE, AMG_PHASES };

/* The near-null vectors of a level, m >= 1, by rows; rows first[k] .. first[k + 1] here are the unknowns of
 * node k; m 0: a constant vector, and nodes of one row.  single: all nodes have one row. */
struct X(amg_modes) {
    int m;
    psb_ipk nodes;
    psb_ipk *first;
    T *v;
    bool single;
};

struct amg {
    int n;
    struct amg_level *level;
    struct X(amg_modes) modes; /* of the level that is coarsened, while they are made */
    uint64_t print;            /* of the pattern of the finest level */
    double seconds[AMG_PHASES];
    int k; /* the columns of the vectors */
};

/* Vectors of k columns on all levels of p.  Collective. */
PSB_MUST_CHECK psb_err X(amg_vectors)(const struct X(prec) *p, int k);

/* Of p's data, after X(amg_vectors): y = op(M)^-1 x, trans: N or C.  A process that fails goes on through the
 * same exchanges.  Collective. */
PSB_MUST_CHECK psb_err X(amg_cycle)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y,
                                    char trans);

/* Create *p, the prolongator by smoothed aggregation, as o says, of the square matrix a, whose diagonal has
 * no 0, and what it is made of: theta >= 0 says which rows are coupled; omega: of the smoothing step, 4/3
 * divided by the largest eigenvalue of D^-1 A, or 0: P = P0, and `of` stays empty.  Its columns are the rows
 * of the next level; *p stays NULL if these are none, or more than 7/8 of those of a.  They are in CSR, on
 * the device of a if no process has entries in columns of others.  After an error the caller frees of.
 * X(amg_prolongator_again): the same for new values of a in the same pattern; p is a product of `of`.
 * Collective. */
PSB_MUST_CHECK psb_err X(amg_prolongator)(const struct X(spmat) *a, const struct psb_prec_options *o,
                                          double theta, R omega, struct X(amg_factors) *of,
                                          struct X(spmat) **p);
PSB_MUST_CHECK psb_err X(amg_prolongator_again)(const struct X(spmat) *a, R omega,
                                                const struct X(amg_factors) *of, struct X(spmat) *p);

/* Set of[i] to the aggregate of row i of a here, below 0 if it has none, and *n to their number; of has three
 * elements for each row, the others are workspace; no aggregate has rows of several processes.  Collective.
 */
PSB_MUST_CHECK psb_err X(amg_aggregates)(const struct X(spmat) *a, double theta, psb_lpk *of, psb_ipk *n);

/* Set of[i] to the aggregate of row i of a, 2^passes rows or fewer; below 0 if it has no entry but that of
 * the diagonal; *n: their number.  Columns from a->n on are no rows.  Local. */
PSB_MUST_CHECK psb_err X(amg_matching)(const struct X(compressed) *a, int passes, psb_lpk *of, psb_ipk *n);

/* Put rows of all processes together in aggregates: those that one process with all rows would make of s,
 * whose columns are those of d.  Create *coarse, of the aggregates whose root is here, with a halo; set of[i]
 * to the local number of the aggregate of row i there, below 0 if it has none; of has 3 s->m elements, the
 * others are workspace.  After an error the caller frees *coarse.  Collective. */
PSB_MUST_CHECK psb_err X(amg_coupled)(psb_desc *d, const struct X(compressed) *s, psb_lpk *of,
                                      psb_desc **coarse);

/* Create *coarse, of n rows here, the same on all processes if `fine` is replicated.  Collective. */
PSB_MUST_CHECK psb_err X(amg_new_rows)(const psb_desc *fine, psb_ipk n, psb_desc **coarse);

/* Has a level on coarse few enough rows to follow one on fine?  NULL has not.  Local. */
bool X(amg_is_next)(const psb_desc *fine, const psb_desc *coarse);

/* Set *q, which is empty, for the finest level of p.  Local. */
PSB_MUST_CHECK psb_err X(amg_modes_open)(const struct X(prec) *p, struct X(amg_modes) *q);
void X(amg_modes_free)(struct X(amg_modes) *q);

/* As amg_prolongator, with q's vectors in the range of the tentative prolongator; q becomes that of the next
 * level.  Collective. */
PSB_MUST_CHECK psb_err X(amg_modes_prolongator)(const struct X(spmat) *a, double theta, R omega,
                                                struct X(amg_modes) *q, struct X(spmat) **p);

/* PSB_EARG, PSB_ENOTIMPL unless p is of type AMG, applied in the precision of its matrix.  Local. */
PSB_MUST_CHECK psb_err X(amg_check_type)(const struct X(prec) *p);

/* Let the caller's function make *prolongator and *coarse, or one of them, or none: see
 * psb_prec_set_coarsening. Collective. */
PSB_MUST_CHECK psb_err X(amg_ask)(const struct X(prec) *p, int level, const struct X(spmat) *a,
                                  struct X(spmat) **prolongator, struct X(spmat) **coarse);

/* Create *new, in CSR, a matrix with the rows and entries of p and as many columns, which are owned by n
 * processes, 1 <= n: even parts in the order of p's columns.  Collective. */
PSB_MUST_CHECK psb_err X(amg_gather)(const struct X(spmat) *p, int n, struct X(spmat) **new);

/* Create *inv, in CSR, the inverse of a, which is square and small, on a new descriptor with a's rows; of a
 * singular matrix a generalised inverse G, of which A G A = A.  Each process computes it from the whole
 * matrix.  Collective. */
PSB_MUST_CHECK psb_err X(amg_inverse)(const struct X(spmat) *a, struct X(spmat) **inv);
#endif
