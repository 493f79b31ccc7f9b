/* prec_inside.t.h -- linsolve: what preconditioners share.
 *
 * A preconditioner is an object with a constant table of operations, as a matrix is: a file for each kind,
 * and one line in prec_types.h. */
#ifndef PREC_INSIDE_T_H
#define PREC_INSIDE_T_H
#include "spmat.h"
#define PSB_TEMPLATE "prec_across.t.h"
#include "psb_each_type.h"

struct X(prec_ops) {
    /* Make what applying needs in p->data, for matrix op; p->options are checked.  NULL: nothing.
     * Collective. */
    psb_err (*build)(struct X(prec) *p, const struct X(operator) *op);
    /* As build, for new values in the same pattern; NULL: free, then build.  On error p is as it was.
     * Collective. */
    psb_err (*renew)(struct X(prec) *p, const struct X(operator) *op);
    /* y = op(M)^-1 x; different vectors on a's descriptor.  Collective if M exchanges halos. */
    psb_err (*apply)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans);
    /* x = op(M)^-1 r, or x + op(M)^-1 r if `add`; then r = r - op(A) times what was added, unless `last`,
     * after which r is undefined.  NULL: by apply.  Collective as apply. */
    psb_err (*sweep)(const struct X(prec) *p, struct X(vect) *r, struct X(vect) *x, bool add, bool last,
                     char trans);
    /* GS, SSOR: X(prec_smooth). */
    psb_err (*smooth)(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                      const struct X(vect) *b, struct X(vect) *x);
    /* An argument of apply, to vectors of k columns, is wrong on this process, error e: take part in what the
     * others wait for, so that they fail too.  NULL: nothing. */
    void (*decline)(const struct X(prec) *p, int k, char trans, psb_err e);
    /* As psb_?_spmv_settle, for exchanges on descriptors other than p->desc.  NULL: nothing.  Local. */
    void (*settle)(const struct X(prec) *p);
    /* The bytes of p->data here.  NULL: 0. */
    size_t (*bytes)(const struct X(prec) *p);
    /* Write lines about p->data to `to`, on process 0.  NULL: none.  Collective. */
    psb_err (*view)(const struct X(prec) *p, FILE *to);
    /* Free p->data.  NULL: nothing. */
    void (*free)(struct X(prec) *p);
    bool entries; /* built of the entries of the matrix op->a */
};

extern const struct X(prec_ops) X(prec_none);

struct X(prec) {
    unsigned mark; /* see psb_handle.h */
    struct psb_prec_options options;
    const struct X(prec_ops) *ops;
    psb_desc *desc;             /* of the matrix it was built for; NULL before */
    const struct X(mat) *asked; /* the mold passed to psb_precbld; NULL: by the matrix */
    const struct X(mat) *mold;  /* of factors and inverses, during a build */
    struct psb_vmold where;     /* of its vectors */
    void *data;                 /* of the type */
    bool collective;            /* processes agree on errors in each application */
    struct X(prec_calls) calls; /* USER: the caller's functions, and their data */
    void *caller;
    const struct psb_colour_order *order; /* GS, SSOR: the rows of the matrix are in it, or NULL */
    const struct X(prec) *inner;     /* CHEBYSHEV, NEUMANN: in place of the diagonal, or NULL */
    const struct X(nullspace) *near; /* AMG: the near-null space, or NULL */
    psb_err (*coarsen)(void *, int, const struct X(spmat) *, struct X(spmat) **, struct X(spmat) **);
    void *coarsen_data; /* AMG: the caller's function that makes levels, or NULL, and its data */
};

/* Create *x, an assembled vector of k columns on a descriptor, where p's vectors are.  Collective. */
PSB_MUST_CHECK psb_err X(prec_vect)(const struct X(prec) *p, psb_desc *desc, int k, struct X(vect) **x);

/* Create *p with options of any type.  Local. */
PSB_MUST_CHECK psb_err X(prec_make)(struct X(prec) **p, const struct psb_prec_options *o);

/* Check that a is assembled, with columns distributed as its rows; that v, argument `name`, is an assembled
 * vector on desc, the descriptor `whose`.  Local. */
PSB_MUST_CHECK psb_err X(prec_check_matrix)(const struct X(spmat) *a);
PSB_MUST_CHECK psb_err X(prec_check_vector)(const struct X(vect) *v, const char *name, const psb_desc *desc,
                                            const char *whose);

/* The inverse diagonal of a matrix; copies of it in each column of a vector, and their conjugates, are made
 * when they are first used. */
struct X(inverse_diagonal) {
    struct X(vect) *inv;
    struct X(vect) *wide[2]; /* for op N and T; for op C */
};

/* Set q, which is empty, for p's matrix op; l1: the moduli of the entries in halo columns are added to the
 * diagonal, in its direction.  PSB_EPIVOT, naming the row, for an element that is 0 or not finite.  After an
 * error the caller frees q.  Collective. */
PSB_MUST_CHECK psb_err X(inverse_diagonal_bld)(const struct X(prec) *p, const struct X(operator) *op, bool l1,
                                               struct X(inverse_diagonal) *q);
/* *v = op of the inverse diagonal in k columns; q keeps it.  Collective. */
PSB_MUST_CHECK psb_err X(inverse_diagonal_columns)(const struct X(prec) *p, struct X(inverse_diagonal) *q,
                                                   int k, char trans, struct X(vect) **v);
/* The inverse diagonal that p multiplies by, one column; NULL if p is of another kind.  Local. */
const struct X(vect) *X(prec_diagonal)(const struct X(prec) *p);
/* The estimate of the largest eigenvalue of D^-1 A that p, a Chebyshev polynomial, has made; 0 for another
 * p.  Local. */
double X(prec_largest)(const struct X(prec) *p);
/* As X(prec_decline_work) for these columns. */
bool X(inverse_diagonal_decline)(const struct X(prec) *p, const struct X(inverse_diagonal) *q, int k,
                                 char trans, psb_err e);
size_t X(inverse_diagonal_bytes)(const struct X(inverse_diagonal) *q);
void X(inverse_diagonal_free)(struct X(inverse_diagonal) *q);

/* Set the owned elements of each column of w to those of v, of one column on the same rows, or to their
 * conjugates, and the halo to 0.  Local. */
PSB_MUST_CHECK psb_err X(spread_vector)(const struct X(vect) *v, bool conjugate, struct X(vect) *w);

/* Set the elements of the rows that this process owns of v to random numbers in [-1, 1), one for all columns,
 * which depend on the global row plus shift >= 0 alone; where v is, if its rows follow each other.  What the
 * halo holds then is undefined.  Local. */
PSB_MUST_CHECK psb_err X(set_random)(struct X(vect) *v, psb_lpk shift);

/* x = the result of `sweeps` sweeps of p, of type GS or SSOR and built for A, from x for A x = b: a smoother.
 * b and x are different vectors on p->desc with as many columns.  Collective. */
PSB_MUST_CHECK psb_err X(prec_smooth)(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                                      const struct X(vect) *b, struct X(vect) *x);

/* Divide v by its norm, which is stored in *norm; a norm <= least divides nothing and becomes 0.  Subtract
 * from v[m] its parts in v[0..m), which are orthonormal, `times` times (once leaves rounding errors of the
 * size of what is subtracted), and add the coefficients to h[0..m), unless h is NULL.  Collective. */
PSB_MUST_CHECK psb_err X(normalise_vector)(struct X(vect) *v, R least, R *norm);
PSB_MUST_CHECK psb_err X(orthogonalise_vector)(int m, struct X(vect) *const *v, int times, T *h);

/* If the others make *x anew, for k columns, they learn of error e here: return true.  Collective then. */
bool X(prec_decline_work)(const struct X(prec) *p, int k, const struct X(vect) *x, psb_err e);

/* PSB_ENOTIMPL if rows here have several owners, whose blocks would give different results.  Local. */
PSB_MUST_CHECK psb_err X(prec_check_owners)(const struct X(prec) *p);

/* Return e, or `later` if e is PSB_OK.  In a sequence of steps with messages a process that fails goes on, so
 * that the others do not wait for it, and returns its first error. */
static inline psb_err X(first_error)(psb_err e, psb_err later)
{
    return e != PSB_OK ? e : later;
}
#endif
