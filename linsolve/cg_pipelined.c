/* cg_pipelined.c -- room: linsolve.  CG whose one reduction overlaps with the product and the preconditioner.
 * Source: Ghysels and Vanroose, "Hiding global synchronization latency in the preconditioned conjugate
 * gradient algorithm", Parallel Comput. 40, 2014.  Four vectors follow by recurrence, so that the residual
 * drifts from the true one more than that of CG; a restart from x mends that. */
#include "psb_linsolve.h"
#include "coll.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* U = M^-1 RES, W = A U, M = M^-1 W, N = A M, Q = A P, V = M^-1 Q, Z = A V */
enum { RES, U, W, M, N, P, Q, V, Z, VECTORS };

/* Sum the products of RES, U and W over all processes, and compute M and N meanwhile. */
static psb_err sum_and_multiply(struct X(kr) *s, struct X(vect) **v, struct X(kr_cg_scalars) *c)
{
    struct X(vect) *const left[] = { v[RES], v[U], v[RES] }, *const right[] = { v[U], v[W], v[RES] };
    psb_request *request = NULL;
    X(kr_note)(s, X(gedots_local)(3, left, right, c->ru));
    if (s->failed == PSB_OK)
        X(kr_note)(s, psb_sum_in_time_start(s->ctxt, PSB_KIND_OF(c->ru), 3 * (psb_epk)s->k, c->ru, &request));
    PSB_TRY(X(kr_prec)(s, v[W], v[M], 'N'));
    X(kr_note)(s, X(spmv)(1, s->a, v[M], 0, v[N], 'N'));
    return request ? psb_wait(&request) : X(kr_tell)(s);
}

/* RES, U and W for x. */
static psb_err begin(struct X(kr) *s, struct X(vect) **v)
{
    PSB_TRY(X(kr_residual)(s, v[RES]));
    PSB_TRY(X(kr_prec)(s, v[RES], v[U], 'N'));
    X(kr_note)(s, X(spmv)(1, s->a, v[U], 0, v[W], 'N'));
    return PSB_OK;
}

static psb_err advance(struct X(kr) *s, struct X(vect) **v, const struct X(kr_cg_scalars) *c)
{
    PSB_TRY(X(kr_advance)(s, v[U], c->beta, v[P], c->alpha, s->x));
    PSB_TRY(X(kr_advance)(s, v[W], c->beta, v[Q], c->minus, v[RES]));
    PSB_TRY(X(kr_advance)(s, v[M], c->beta, v[V], c->minus, v[U]));
    return X(kr_advance)(s, v[N], c->beta, v[Z], c->minus, v[W]);
}

psb_err X(kr_cg_pipelined)(struct X(kr) *s)
{
    struct X(vect) *v[VECTORS];
    struct X(kr_cg_scalars) c;
    int go;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_new_cg)(s, &c));
    PSB_TRY(begin(s, v));
    PSB_TRY(sum_and_multiply(s, v, &c));
    PSB_TRY(X(kr_norms)(s, v[RES], c.rr, s->value));
    PSB_TRY(X(kr_begin)(s, v[RES], s->value, &go));
    while (go) {
        X(kr_next_cg)(s, &c);
        PSB_TRY(advance(s, v, &c));
        PSB_TRY(sum_and_multiply(s, v, &c));
        PSB_TRY(X(kr_norms)(s, v[RES], c.rr, s->value));
        PSB_TRY(X(kr_test)(s, v[RES], s->value, &go));
    }
    return PSB_OK;
}
