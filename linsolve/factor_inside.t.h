/* factor_inside.t.h -- linsolve: what the kinds of incomplete factors share. */
#ifndef FACTOR_INSIDE_T_H
#define FACTOR_INSIDE_T_H
#include "vect.h"
#include "quotient.t.h"

struct X(factor) {
    unsigned mark; /* see psb_handle.h */
    struct psb_factor_options options;
    psb_ipk n;
    struct X(mat) *l, *u;           /* u is NULL for the kinds of Cholesky */
    struct X(mat) *one;             /* an empty unit triangle: the identity */
    struct X(vect) *inv, *conj_inv; /* the inverse of D, a local vector; its conjugate, or NULL */
    struct X(vect) *work[2];        /* of psb_?_factor_solve with sweeps; NULL until they are used */
    struct psb_vmold vmold;         /* of inv and work */
    struct X(vect) *next_inv;       /* the next values, or memory for them: of inv, */
    struct psb_dual next[2];        /* l and u; not allocated before the first renewal */
    psb_epk next_boosted;
    struct X(factor) *anew; /* the next factors, where not only values change; or NULL */
    uint64_t pattern;       /* hash of the pattern of A */
    psb_epk boosted;        /* pivots that were replaced */
};

/* psb_?_factor_renew in two steps: compute the new factors, and then, unless there was an error, take them.
 * Local. */
PSB_MUST_CHECK psb_err X(factor_prepare)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows);
void X(factor_take)(struct X(factor) *f);

/* Make the plans of the triangles for solves with op 'N', which the first solve would make else, where one
 * process may lack memory for them.  Local. */
PSB_MUST_CHECK psb_err X(factor_plan)(const struct X(factor) *f);

/* Factors in the making, on the host: L and U without their diagonals of ones, and the inverse of D. */
struct X(ldu) {
    struct X(compressed) a; /* the rows of A, ascending, each entry stored once */
    struct X(mat) *on_dev;  /* A in CSR on the device that computes the values; a.val is NULL.  Or NULL */
    uint64_t pattern;       /* for a device: see dev_ldu */
    const struct psb_factor_options *o;
    const psb_desc *rows; /* the numbers of rows in messages; or NULL */
    psb_ipk n;
    struct X(mat) *l, *u;              /* CSR; u is NULL for the kinds of Cholesky */
    struct X(compressed) lower, upper; /* the arrays of l and u, or values for their patterns */
    struct X(vect) *inverse;           /* the inverse of D, */
    T *inv;                            /* and its elements, to be written */
    psb_epk boosted;                   /* pivots that were replaced */
    const T *known, *known_inv; /* values of earlier rows: of u, or of l for the kinds of Cholesky; of inv */
    bool between;               /* this is a sweep before the last one: pivots are not checked */
};

/* A kind of factors: two phases. */
struct X(factor_kind) {
    /* Make l and u with their patterns; also with their values, and inv, if `values` is NULL. */
    psb_err (*pattern)(struct X(ldu) *f);
    /* Set the values of l and u, and inv. */
    psb_err (*values)(struct X(ldu) *f);
    bool on_dev; /* there is such a kind in `factor` of a device */
};
extern const struct X(factor_kind) X(factor_ilu0), X(factor_milu0), X(factor_iluk), X(factor_ilut),
    X(factor_ic0), X(factor_bilu0), X(factor_bic0);

/* --- patterns ------------------------------------------------------------------------------------------- */

/* Make l, and u unless `cholesky`, of nl and nu entries, and their arrays but for the contents.  Local. */
PSB_MUST_CHECK psb_err X(ldu_make)(struct X(ldu) *f, psb_epk nl, psb_epk nu, bool cholesky);
/* The pattern of A: the entries below its diagonal are those of L, those above it those of U.  PSB_EPIVOT,
 * naming the row, if one has no entry on the diagonal.  Local. */
PSB_MUST_CHECK psb_err X(ldu_pattern_of_a)(struct X(ldu) *f, bool cholesky);
/* The offset of the diagonal entry of row i, or of the first entry behind it. */
static inline psb_epk X(diagonal_of)(const struct X(compressed) *a, psb_ipk i)
{
    psb_epk k = a->ptr[i];
    while (k < a->ptr[i + 1] && a->idx[k] < i)
        k++;
    return k;
}

/* Rows whose number of entries is not known before they are made.  `with`: bits of enum growing_with. */
enum growing_with { GROWING_VALUES = 1, GROWING_LEVELS = 2 };
struct X(growing) {
    psb_epk *ptr, nnz, capacity;
    psb_ipk *idx;
    psb_ipk *level; /* of an entry: for ILU(k) */
    T *val;
    unsigned with;
};
/* Take memory for about nnz entries in n rows; for `more` entries of one more row.  On error the caller frees
 * what there is.  Local. */
PSB_MUST_CHECK psb_err X(growing_begin)(struct X(growing) *g, psb_ipk n, psb_epk nnz, unsigned with);
PSB_MUST_CHECK psb_err X(growing_need)(struct X(growing) *g, psb_epk more);
/* Make l and u of these rows, without u if it is NULL.  Local. */
PSB_MUST_CHECK psb_err X(growing_end)(const struct X(growing) *l, const struct X(growing) *u,
                                      struct X(ldu) *f);
void X(growing_free)(struct X(growing) *g);

/* The columns of a row as an ascending list: next[n] is the first one, next[j] follows j, and n is the end.
 * Insert j, at `from` or behind it, unless it is in the list; return j. */
static inline psb_ipk X(list_insert)(psb_ipk *next, psb_ipk from, psb_ipk j)
{
    while (next[from] < j)
        from = next[from];
    if (from != j && next[from] != j) {
        next[j] = next[from];
        next[from] = j;
    }
    return j;
}

/* Set the list to the columns of row i of A, those right of the diagonal only if `upper`, and i.  Local. */
void X(list_row)(const struct X(compressed) *a, psb_ipk i, bool upper, psb_ipk *next);

/* A row in the making: the list of its columns, and its elements, 0 in other columns. */
struct X(work_row) {
    psb_ipk n;
    psb_ipk *next;
    T *w;
    R *size; /* work space for moduli */
};
/* Allocate the arrays of n elements, w all 0.  On error the caller frees what there is.  Local. */
PSB_MUST_CHECK psb_err X(work_row_open)(struct X(work_row) *s, psb_ipk n);
void X(work_row_free)(struct X(work_row) *s);

/* The modulus of an element; NaN counts as infinite. */
static inline R X(modulus)(T v)
{
    const R size = ABS(v);
    return size == size ? size : (R)INFINITY;
}

/* Append to g the elements of the row in columns first <= c < end, times `factor`, that are not below `drop`:
 * the `most` largest of them, and of equal ones the first.  Local. */
PSB_MUST_CHECK psb_err X(keep_largest)(const struct X(work_row) *s, psb_ipk first, psb_ipk end, psb_epk most,
                                       R drop, T factor, struct X(growing) *g);

/* --- values --------------------------------------------------------------------------------------------- */

/* The values of ILU in a given pattern, and of incomplete Cholesky in a given pattern: slots `values`. */
PSB_MUST_CHECK psb_err X(ldu_values)(struct X(ldu) *f);
PSB_MUST_CHECK psb_err X(ldl_values)(struct X(ldu) *f);
/* Call pass(f, w), which computes all rows from `known` and `known_inv`, once with f's own values in their
 * place, or as often as the option `sweeps` says with those of the pass before.  w: n zeros, work space.
 * Local. */
PSB_MUST_CHECK psb_err X(ldu_passes)(struct X(ldu) *f, psb_err (*pass)(struct X(ldu) *f, T *w));
/* Set inv[i] to the inverse of pivot d of row i, or of what replaces it.  PSB_EPIVOT, naming the row, for a
 * pivot that is not finite, that is 0 and not replaced, or whose inverse overflows.  Local. */
PSB_MUST_CHECK psb_err X(ldu_pivot)(struct X(ldu) *f, psb_ipk i, T d);
/* The same, fast where no pivot is to be replaced and the inverse is finite and not 0. */
static inline psb_err X(ldu_invert)(struct X(ldu) *f, psb_ipk i, T d)
{
    const T inv = X(quotient)(1, d);
    const bool is_finite = inv - inv == 0;
    f->inv[i] = inv;
    return f->o->tiny == 0 && ((inv != 0 && is_finite) || f->between) ? PSB_OK : X(ldu_pivot)(f, i, d);
}
/* Is a pivot of modulus `size` to be replaced, in a row whose largest modulus is `most`?  *bound is the
 * modulus of its replacement. */
static inline bool X(ldu_is_tiny)(const struct X(ldu) *f, R size, R most, R *bound)
{
    *bound = (R)f->o->tiny * most;
    return *bound > 0 && size <= *bound;
}
/* The number of row i in messages. */
psb_lpk X(ldu_row)(const struct X(ldu) *f, psb_ipk i);
/* The largest modulus of n values; NaN if one is NaN. */
R X(largest_modulus)(psb_epk n, const T *val);

/* --- solves --------------------------------------------------------------------------------------------- */

/* *one = an empty unit triangle of n rows in the format of mold, the identity: products and solves with it
 * copy and scale the first n rows of vectors.  After an error too the caller frees *one.  Local. */
PSB_MUST_CHECK psb_err X(unit_identity)(psb_ipk n, const struct X(mat) *mold, struct X(mat) **one);
#endif
