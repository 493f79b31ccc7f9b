/* krylov_inside.t.h -- linsolve: what the Krylov methods share: the state of a solve, its vectors, scalars
 * and steps.
 *
 * A solve has k columns, each a system of its own.  A method works on all columns at once, with one
 * coefficient for each; the coefficients of a column that has ended are 0, so that its x does not change.  A
 * method begins with the residual of x, calls X(kr_test) at the end of each iteration, and returns when that
 * says so; if the last column ends within an iteration, the rest of it changes nothing.  Each vector is like
 * x, each array of scalars has k elements unless stated otherwise. */
#ifndef KRYLOV_INSIDE_T_H
#define KRYLOV_INSIDE_T_H
#include "kr_column.h"
#include "vect.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"
#include "quotient.t.h"

/* An orthonormal basis. */
struct X(nullspace) {
    unsigned mark; /* see psb_handle.h */
    psb_desc *desc;
    int n;
    struct X(vect) **v; /* on the host */
    int unknowns;       /* of a node: the dimension of rigid bodies, else 1 */
};

/* y = alpha x + beta y, one alpha and beta for each column; minus: with the negative of alpha; NULL stands
 * for ones. */
struct X(kr_sum) {
    const T *alpha;
    bool minus;
    const struct X(vect) *x;
    const T *beta;
    struct X(vect) *y;
};

struct X(kr_device);

struct X(kr) {
    const struct X(operator) *op;
    const struct X(prec) *p; /* NULL: none */
    const struct psb_solve_options *o;
    psb_ctxt *ctxt;
    const struct X(nullspace) *left, *right; /* of A^H and of A; both NULL if there is none */
    struct X(vect) **null;                   /* their vectors in k columns, then space for as many pointers */
    const struct X(vect) *b;
    struct X(vect) *x;
    int k;                  /* columns */
    int it;                 /* iterations made */
    psb_err failed;         /* the first error of this process, see X(kr_note) */
    bool quiet;             /* errors that follow from it are not recorded */
    struct X(vect) *former; /* x before the last run */
    struct X(kr_sum) later; /* a sum that the next sums include; y NULL: none */
    bool on_device;         /* this run's coefficients are on the device of the vectors */
    struct X(vect) *r;      /* the residual of x between runs */
    bool in_units;          /* the units of b and x are chosen, on all processes */
    bool host_only;         /* coefficients stay on the host for the rest of the solve */
    bool scaled;            /* x is in another unit than the caller's, here */
    bool knows_norm_a;
    double norm_a; /* the infinity norm of A, for PSB_STOP_BACKWARD */

    /* What is kept from one solve to the next, until X(kr_close). */
    struct psb_kr_column *col;
    double *value;          /* workspace of the criterion: k values */
    R *norm;                /* workspace: 2 k norms */
    T *factor;              /* workspace: 2 k factors */
    bool null_filled;       /* `null` has the bases */
    T *null_c;              /* workspace of projections: two factors for each vector of `null` and column */
    T *coefficient;         /* workspace of sums: 2 k coefficients */
    struct X(vect) **pool;  /* vectors that methods have asked for, used again by the next run */
    struct X(vect) **shadow; /* orthonormal random vectors, each in k equal columns */
    int nshadow;
    int npool, taken, kept; /* taken now; taken outside of the method */
    struct psb_kr_array *arrays; /* the same for arrays */
    int narrays, given;          /* given: now */
    struct psb_kr_step *steps;   /* [iteration k + column] */
    size_t nsteps;               /* that have memory */
    struct X(kr_device) *device; /* of runs on a device; NULL: none so far */
};

/* Solve for b and x with the op, p, o and ctxt of s, and the memory that s has; after an error it has none.
 * The caller frees it by X(kr_close).  Collective. */
PSB_MUST_CHECK psb_err X(kr_solve)(struct X(kr) *s, const struct X(vect) *b, struct X(vect) *x,
                                   struct psb_solve_result *res);
/* Free the memory of s.  Local. */
void X(kr_close)(struct X(kr) *s);

/* A method, which starts at s->x.  Collective. */
typedef psb_err X(kr_method)(struct X(kr) *s);
#define PSB_KR_METHOD(method, name, function) X(kr_method) X(function);
#include "kr_methods.h"
#undef PSB_KR_METHOD

/* Note an error of this process that others do not know of, or PSB_OK.  A process that failed goes on,
 * through the same messages, so that nobody waits for it, until the next reduction or agreement returns the
 * error on all; errors that follow from the first are not recorded.  Functions below that return nothing note
 * their errors.  Local. */
void X(kr_note)(struct X(kr) *s, psb_err e);
/* Record errors again: to be called before each reduction or agreement that may tell the error.  Local. */
void X(kr_speak)(struct X(kr) *s);
/* Before a reduction of the method: take part in it as a process that failed if this one has, and return the
 * error, as the reduction does on the others; else PSB_OK. */
PSB_MUST_CHECK psb_err X(kr_tell)(struct X(kr) *s);
/* Note e, and agree on the errors of all processes.  Collective. */
PSB_MUST_CHECK psb_err X(kr_agree)(struct X(kr) *s, psb_err e);
/* The epilogue of n dot products, without a sum. */
struct X(epilogue) X(kr_epilogue)(int n, struct X(vect) *const *left, struct X(vect) *const *right);
/* psb_gedots for a method.  Collective. */
PSB_MUST_CHECK psb_err X(kr_dots)(struct X(kr) *s, int n, struct X(vect) *const *x, struct X(vect) *const *y,
                                  T *dots);

/* v[0..n) = vectors for the method, with any values.  Collective; here and below without messages, if an
 * earlier run has needed as many. */
PSB_MUST_CHECK psb_err X(kr_vectors)(struct X(kr) *s, int n, struct X(vect) **v);
/* Store in the pointer at `out` the address of n elements of `size` bytes, all 0, which stay
 * until the end of the run.  _scalars: *c = n arrays of k scalars each, one after the other.  Collective. */
PSB_MUST_CHECK psb_err X(kr_array)(struct X(kr) *s, void *out, size_t n, size_t size);
PSB_MUST_CHECK psb_err X(kr_scalars)(struct X(kr) *s, int n, T **c);

/* Agree on err, and that n, in errors `what`, is the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(agree_on_count)(psb_ctxt *ctxt, int n, const char *what, psb_err err);
/* Are the null spaces of s, if there are some, live?  Local. */
PSB_MUST_CHECK psb_err X(kr_check_nullspace)(const struct X(kr) *s);
/* After the other members of s: replace s->b by its projection, if there is a null space.  y = its projection
 * on what is orthogonal to the right null space, or the left one.  Collective. */
PSB_MUST_CHECK psb_err X(kr_open_nullspace)(struct X(kr) *s);
void X(kr_project)(struct X(kr) *s, bool right, struct X(vect) *y);
/* Does X(kr_prec) do more than copy? */
static inline bool X(kr_has_prec)(const struct X(kr) *s)
{
    return s->p || s->right;
}
/* Is M 1 by what is known of it? */
static inline bool X(kr_has_identity)(const struct X(kr) *s)
{
    return !s->right && (!s->p || s->p->ops == &X(prec_none));
}

/* c[0..n) = coefficients: n arrays of k scalars, all 0, one after the other.  On a device (s->on_device) each
 * is one scalar of its memory, and the host does not know the values: methods that ask for coefficients pass
 * them to the functions below and never look at them.  The first call of a run decides where it is made.
 * Collective. */
PSB_MUST_CHECK psb_err X(kr_coefficients)(struct X(kr) *s, int n, T **c);

/* r = b - A x.  y = op(A) x.  y = op(M)^-1 x.  Collective. */
void X(kr_residual)(struct X(kr) *s, struct X(vect) *r);
void X(kr_product)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op);
void X(kr_prec)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op);
/* w = A v, then dots[i k .. i k + k) = the dot products of left[i] and right[i], which may be v and w, for i
 * < n <= PSB_MOST_DOTS; in one reduction.  Collective. */
PSB_MUST_CHECK psb_err X(kr_product_dots)(struct X(kr) *s, struct X(vect) *v, struct X(vect) *w, int n,
                                          struct X(vect) *const *left, struct X(vect) *const *right, T *dots);
/* y = y - alpha x, then z = M^-1 y, unless z is NULL, then n dot products as above; one pass if k is 1 and M
 * diagonal.  z may be y if X(kr_has_identity).  Collective if n > 0. */
PSB_MUST_CHECK psb_err X(kr_subtract_dots)(struct X(kr) *s, const T *alpha, const struct X(vect) *x,
                                           struct X(vect) *y, struct X(vect) *z, int n,
                                           struct X(vect) *const *left, struct X(vect) *const *right,
                                           T *dots);

/* n <= PSB_MOST_SUMS sums, one after the other, in one pass if k is 1.  Local. */
void X(kr_sums)(struct X(kr) *s, int n, const struct X(kr_sum) *sum);
/* x = x + alpha p, now or, before the others, with the next X(kr_sums); until then alpha and p stay as they
 * are. Local. */
void X(kr_later)(struct X(kr) *s, const T *alpha, const struct X(vect) *p);

/* y = alpha x + beta y, one alpha and beta for each column; NULL stands for ones.  Local. */
void X(kr_axpby)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, const T *beta, struct X(vect) *y);
/* The same with the negatives of alpha and beta 1: y = y - alpha x.  Local. */
void X(kr_subtract)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, struct X(vect) *y);
/* y = beta y + alpha[0] x[0] + ... + alpha[m-1] x[m-1], one factor for each x[i] and column: element (i, j)
 * at i k + j; for one column in one pass.  beta NULL: ones; else m > 0.  Local. */
void X(kr_add_all)(struct X(kr) *s, int m, const T *alpha, struct X(vect) *const *x, const T *beta,
                   struct X(vect) *y);
/* The same with the negatives of alpha and beta 1; minus: space for as many.  Local. */
void X(kr_subtract_all)(struct X(kr) *s, int m, const T *alpha, struct X(vect) *const *x, T *minus,
                        struct X(vect) *y);
/* y = x + beta y, then z = z + gamma y, one beta and gamma for each column; different vectors.  Local. */
void X(kr_advance)(struct X(kr) *s, const struct X(vect) *x, const T *beta, struct X(vect) *y, const T *gamma,
                   struct X(vect) *z);

/* Return the number of vectors or directions that a method keeps: option restart, `otherwise` if that is 0,
 * but no more than the iterations left, or a million. */
int X(kr_kept)(const struct X(kr) *s, int otherwise);

/* q = num / den for the active columns and 0 for the others.  A column whose den is 0 ends with PSB_BREAKDOWN
 * and the text `what`, one whose den or quotient is not finite with KR_OUT_OF_RANGE; its q is 0.  what NULL:
 * q is 0 if den is 0, and the column does not end.  q may be num or den.  Local, with the same result on all
 * processes. */
void X(kr_ratio)(struct X(kr) *s, const T *num, const T *den, T *q, const char *what);
/* Why a column ends if products of its vectors leave the range of T. */
#define KR_OUT_OF_RANGE "a scalar product is out of the range of the type; scale the system"

/* to = a.  to = -a.  to = a b.  to = a - b to. */
void X(kr_copy)(struct X(kr) *s, const T *a, T *to);
void X(kr_negate)(struct X(kr) *s, const T *a, T *to);
void X(kr_multiply)(struct X(kr) *s, const T *a, const T *b, T *to);
void X(kr_less_product)(struct X(kr) *s, const T *a, const T *b, T *to);

/* End the active columns whose d, a product of a Hermitian form, is not a positive number, with
 * PSB_BREAKDOWN. */
void X(kr_need_positive)(struct X(kr) *s, const T *d, const char *what);
/* End column j with this outcome and text. */
void X(kr_end)(struct X(kr) *s, int j, enum psb_outcome outcome, const char *why);

/* Keep the estimates of the columns as those of iteration s->it.  Keep the coefficients of CG's next step, x
 * + alpha p, p = z + beta times the p before.  Local. */
void X(kr_keep_estimates)(struct X(kr) *s);
void X(kr_keep_step)(struct X(kr) *s, const T *alpha, const T *beta);

/* norm[0..k) = the 2-norms of r, from rr, its dot products with itself, or anew if rr is NULL or has
 * overflowed or underflowed.  Collective. */
PSB_MUST_CHECK psb_err X(kr_norms)(struct X(kr) *s, const struct X(vect) *r, const T *rr, double *norm);

/* value[0..k) = the criterion's value for the residual r, whose 2-norms are norm[0..k) (NULL: computed if
 * needed).  Collective. */
PSB_MUST_CHECK psb_err X(kr_values)(struct X(kr) *s, const struct X(vect) *r, const double *norm,
                                    double *value);

/* The state of column j, and the limits that end it.  Take over the state of column j, and its end. */
struct psb_column X(kr_column)(const struct X(kr) *s, int j);
void X(kr_take_column)(struct X(kr) *s, int j, const struct psb_column *c);
/* The end of iteration s->it, or of the `first` test of a run: keep the estimates, report them.  go: a column
 * is active.  Local. */
void X(kr_close_iteration)(struct X(kr) *s, bool first, bool go);

/* Count an iteration, unless r is the `first` residual of a run, and apply the stopping criterion to r, whose
 * 2-norms are norm[0..k) (NULL: computed if they are needed).  Columns end that satisfy it, diverge, or have
 * made itmax iterations.  *go = whether a column is active.  Collective. */
PSB_MUST_CHECK psb_err X(kr_test)(struct X(kr) *s, const struct X(vect) *r, const double *norm, bool first,
                                  bool *go);
/* The same, where rr has the dot products of r with itself.  Collective. */
PSB_MUST_CHECK psb_err X(kr_test_square)(struct X(kr) *s, const struct X(vect) *r, const T *rr, bool first,
                                         bool *go);
/* dots[0..k) = the dot products of x and y, and [k..2k) those of r with itself, in one reduction; then
 * X(kr_test) for r.  Collective. */
PSB_MUST_CHECK psb_err X(kr_dot_and_test)(struct X(kr) *s, struct X(vect) *x, struct X(vect) *y,
                                          struct X(vect) *r, T *dots, bool first, bool *go);

/* The coefficients of CG with one reduction, where u = M^-1 r, w = A u, q = A p: products (the first three
 * are one array), the former r.u, the steps along p and their negatives. */
enum { KR_RU, KR_UW, KR_RR, KR_PQ, KR_OLD, KR_ALPHA, KR_MINUS, KR_BETA, KR_CG };
/* The coefficients of the next step from ru and uw: beta = ru / old, alpha = ru / pq = -minus. */
void X(kr_next_cg)(struct X(kr) *s, T *const *c);
#endif
