/* cg_pipelined.c -- linsolve: CG whose one reduction overlaps with the product and the preconditioner.
 * Source: Ghysels and Vanroose, "Hiding global synchronization latency in the preconditioned conjugate
 * gradient algorithm", Parallel Comput. 40, 2014.  Four vectors follow by recurrence, so that the residual
 * drifts from the true one more than that of CG; a restart from x mends that. */
#include "psb_linsolve.h"
#include "base_inside.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* Sum the products r.u, u.w and r.r over all processes, and compute m = M^-1 w and n = A m meanwhile. */
static psb_err sum_and_multiply(struct X(kr) *s, struct X(vect) *r, struct X(vect) *u, struct X(vect) *w,
                                struct X(vect) *m, struct X(vect) *n, T *dots)
{
    struct X(vect) *const left[] = { r, u, r }, *const right[] = { u, w, r };
    psb_request *request = NULL;
    if (s->right || s->op->calls.collective || (s->p && s->p->collective)) { /* their sums must not overlap */
        PSB_TRY(X(kr_dots)(s, 3, left, right, dots));
        X(kr_prec)(s, w, m, 'N');
        X(kr_product)(s, m, n, 'N');
        return PSB_OK;
    }
    X(kr_note)(s, X(gedots_local)(3, left, right, dots));
    if (s->failed == PSB_OK)
        X(kr_note)(s, psb_sum_in_time_start(s->ctxt, PSB_KIND_OF(dots), 3 * (psb_epk)s->k, dots, &request));
    X(kr_prec)(s, w, m, 'N');
    X(kr_product)(s, m, n, 'N');
    return request ? psb_wait(&request) : X(kr_tell)(s);
}

psb_err X(kr_cg_pipelined)(struct X(kr) *s)
{
    /* U = M^-1 RES, W = A U, M = M^-1 W, N = A M, Q = A P, V = M^-1 Q, Z = A V */
    enum { RES, U, W, M, N, P, Q, V, Z, VECTORS };
    struct X(vect) *v[VECTORS];
    T *of_all, *c[KR_CG];
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, KR_CG, &of_all));
    for (int i = 0; i < KR_CG; i++)
        c[i] = of_all + i * s->k;
    X(kr_residual)(s, v[RES]);
    X(kr_prec)(s, v[RES], v[U], 'N');
    X(kr_product)(s, v[U], v[W], 'N');
    for (bool go, first = true;; first = false) {
        PSB_TRY(sum_and_multiply(s, v[RES], v[U], v[W], v[M], v[N], c[KR_RU]));
        PSB_TRY(X(kr_test_square)(s, v[RES], c[KR_RR], first, &go));
        if (!go)
            return PSB_OK;
        X(kr_next_cg)(s, c);
        X(kr_advance)(s, v[U], c[KR_BETA], v[P], c[KR_ALPHA], s->x);
        X(kr_advance)(s, v[W], c[KR_BETA], v[Q], c[KR_MINUS], v[RES]);
        X(kr_advance)(s, v[M], c[KR_BETA], v[V], c[KR_MINUS], v[U]);
        X(kr_advance)(s, v[N], c[KR_BETA], v[Z], c[KR_MINUS], v[W]);
    }
}
