/* minres.c -- room: linsolve.  MINRES for Hermitian matrices with a Hermitian positive definite preconditioner
 * M.  The method minimises the M^-1-norm of the residual; the residual itself comes from a recurrence of one
 * vector.  Source: Paige and Saunders, "Solution of sparse indefinite systems of linear equations", SIAM J.
 * Numer. Anal. 12, 1975. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* Q, Q_OLD: Lanczos vectors times their beta; Z, Z_NEW: M^-1 Q, before and after a step; AZ = A Z; D, D_OLD:
 * directions of x. */
enum { RES, Q, Q_OLD, Z, Z_NEW, AZ, D, D_OLD, VECTORS };

/* All but dots are real numbers. */
struct scalars {
    T *dots;                   /* of two reductions: z.Az; q.z and the square of the first residual's norm */
    T *beta, *old;             /* the M^-1-norm of Q, of Q_OLD */
    T *cosine, *sine;          /* the last reflection */
    T *above, *epsilon;        /* what it leaves of the next column, and of the one after that */
    T *rest;                   /* the M^-1-norm of the residual, with a sign */
    T *of_q, *of_q_old, *of_z; /* coefficients of sums */
    T *of_d, *of_d_old, *phi;
};
enum { SCALARS = 15 };

static psb_err new_scalars(struct X(kr) *s, struct scalars *c)
{
    T *p, **rest[] = { &c->beta, &c->old,  &c->cosine,   &c->sine, &c->above, &c->epsilon, &c->rest,
                       &c->of_q, &c->of_q_old, &c->of_z, &c->of_d, &c->of_d_old, &c->phi };
    PSB_TRY(X(kr_scalars)(s, SCALARS, &p));
    c->dots = p;
    for (int i = 0; i < SCALARS - 2; i++)
        *rest[i] = p + (i + 2) * s->k;
    return PSB_OK;
}
