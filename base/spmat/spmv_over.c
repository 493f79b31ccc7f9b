/* spmv_over.c -- base/spmat: the transposed product where rows or columns have several owners. */
#include "psb_base.h"
#include "desc.h"
#include <string.h>
#include "psb_type.h"

int X(spmv_has_overlap)(const struct X(spmat) *a)
{
    return a->row->overlap.counted || a->row->map->replicated || a->col->overlap.n || a->col->map->replicated;
}

/* A copy of x with 0 in the rows that another owner counts. */
static psb_err counted_once(const struct X(vect) *x, struct X(vect) **once)
{
    const struct psb_overlap *s = &x->desc->overlap;
    const T *from;
    T *to;
    size_t k = (size_t)x->ncols;
    PSB_TRY(X(vect_clone)(x, once));
    if (!s->counted)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &from));
    PSB_TRY(psb_dual_update(&(*once)->v, PSB_HOST, &to));
    memset(to, 0, (size_t)x->desc->map->nrow * k * sizeof *to);
    for (psb_ipk i = 0; i < s->ncounted; i++)
        memcpy(to + (size_t)s->counted[i] * k, from + (size_t)s->counted[i] * k, k * sizeof *to);
    return PSB_OK;
}

/* t = alpha op(A) x, each entry of A counted once: each owner of a column computes a partial sum, which
 * psb_ovrl adds.  A process that failed tells the others in both exchanges. */
static psb_err partial_product(T alpha, const struct X(spmat) *a, struct X(vect) *once, struct X(vect) *t,
                               char trans, int update, psb_err err)
{
    psb_err e = err;
    if (e == PSB_OK)
        e = X(spmv_plain)(alpha, a, once, 0, t, trans, update);
    else if (update && alpha != 0)
        X(halo_refuse)(a->col);
    if (e == PSB_OK)
        return X(ovrl)(t, PSB_OVRL_SUM);
    X(ovrl_refuse)(a->col, e);
    return e;
}

psb_err X(spmv_over)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                     char trans, int update)
{
    struct X(vect) *once = NULL, *t = NULL;
    psb_err e = counted_once(x, &once);
    if (!update) /* local: each owner keeps its partial sum */
        e = e == PSB_OK ? X(spmv_plain)(alpha, a, once, beta, y, trans, 0) : e;
    if (!update) {
        X(gefree)(once);
        return PSB_PASS(e);
    }
    PSB_THEN(e, X(vect_clone)(y, &t));
    e = partial_product(alpha, a, once, t, trans, update, e);
    PSB_THEN(e, X(geaxpby)(1, t, beta, y));
    X(gefree)(once);
    X(gefree)(t);
    return PSB_PASS(e);
}
