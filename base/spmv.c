/* spmv.c -- room: base.  The distributed product, messages under the local work. */
#include "psb_base.h"
#include "psb_type.h"

/* One product while it runs: arrays on side s. */
struct job {
    enum psb_side s;
    char trans;
    const struct X(vec_ops) *ops;
    const T *x;
    T *y, *part;
    const psb_ipk *bnd;
};

static psb_err check_vector(const struct X(vect) *v, const psb_desc *d, const char *name)
{
    PSB_CHECK(v, PSB_EARG, "argument %s is NULL; expected a vector", name);
    PSB_CHECK(v->desc == d, PSB_EARG, "argument %s lies on another descriptor than the matrix asks for",
              name);
    PSB_CHECK(v->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before", name);
    return PSB_OK;
}

static psb_err check(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y, char trans)
{
    PSB_CHECK(a, PSB_EARG, "argument a is NULL; expected a matrix");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    PSB_CHECK(trans == 'N' || trans == 'T' || trans == 'C', PSB_EARG,
              "argument trans is '%c'; expected 'N', 'T' or 'C'", trans);
    PSB_TRY(check_vector(x, trans == 'N' ? a->col : a->row, "x"));
    PSB_TRY(check_vector(y, trans == 'N' ? a->row : a->col, "y"));
    PSB_CHECK(x != y, PSB_EARG, "arguments x and y are the same vector; expected two");
    return PSB_OK;
}

static psb_err open_arrays(struct job *j, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y)
{
    PSB_TRY(psb_dual_read(&x->v, j->s, &j->x));
    PSB_TRY(X(vect_open)(y, j->s, beta == 0, &j->y));
    PSB_TRY(psb_dual_read(&a->bnd, j->s, &j->bnd));
    return psb_dual_write(&a->part, j->s, &j->part);
}

/* y = alpha A x + beta y: the columns owned here while the halo of x is on its way, then the others. */
static psb_err forward(const struct job *j, T alpha, struct X(spmat) *a, struct X(vect) *x, T beta,
                       psb_err before)
{
    PSB_TRY(X(halo_start)(x, j->s, 'N', before));
    psb_err e = X(mat_mv_on)(j->s, alpha, a->ad, j->x, beta, j->y, 'N');
    psb_err f = X(halo_end)(x, j->s, 'N');
    PSB_TRY(e);
    PSB_TRY(f);
    const T *halo = j->x + psb_cd_local_rows(a->col);
    PSB_TRY(X(mat_mv_on)(j->s, alpha, a->ah, halo, 0, j->part, 'N'));
    return j->ops->sct(a->ah->nrows, j->bnd, j->part, j->y);
}

/* What belongs to others: alpha op(ah) x, op transposed, into the halo of y. */
static psb_err for_others(const struct job *j, T alpha, struct X(spmat) *a)
{
    T *halo = j->y + psb_cd_local_rows(a->col);
    PSB_TRY(j->ops->gth(a->ah->nrows, j->bnd, j->x, j->part));
    return X(mat_mv_on)(j->s, alpha, a->ah, j->part, 0, halo, j->trans);
}

/* y = alpha op(A) x + beta y, op transposed: what belongs to others first, the rest while it travels. */
static psb_err backward(const struct job *j, T alpha, struct X(spmat) *a, T beta, struct X(vect) *y,
                        psb_err before)
{
    PSB_TRY(X(halo_start)(y, j->s, 'T', before == PSB_OK ? for_others(j, alpha, a) : before));
    psb_err e = X(mat_mv_on)(j->s, alpha, a->ad, j->x, beta, j->y, j->trans);
    psb_err f = X(halo_end)(y, j->s, 'T');
    return e != PSB_OK ? e : f;
}

/* This process cannot take part: its neighbours are told, where A and its descriptors say who they are. */
static psb_err decline(T alpha, const struct X(spmat) *a, char trans, psb_err e)
{
    if (alpha != 0 && a && a->state == PSB_ASSEMBLED)
        X(halo_refuse)(a->col, trans == 'T' || trans == 'C' ? 'T' : 'N');
    return e;
}

psb_err X(spmv)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y, char trans)
{
    psb_err e = check(a, x, y, trans);
    if (e != PSB_OK)
        return decline(alpha, a, trans, e);
    enum psb_side s = X(mat_side)(a->ad, trans, x, y);
    struct job j = { .s = s, .trans = trans, .ops = X(vec)(s, a->ad->on) };
    e = open_arrays(&j, a, x, beta, y);
    if (alpha == 0) /* and nothing is exchanged */
        return e != PSB_OK ? e : X(mat_mv_on)(s, 0, a->ad, j.x, beta, j.y, trans);
    return trans == 'N' ? forward(&j, alpha, a, x, beta, e) : backward(&j, alpha, a, beta, y, e);
}
