/* spmv.c -- base/spmat: the distributed product; messages overlap with local work. */
#include "spmat.h"
#include "channel.h"
#include "desc.h"
#include "psb_trace.h"
#include <string.h>
#include "psb_type.h"

/* One product: its arrays, on side s. */
struct job {
    enum psb_side s;
    char trans;
    int k, update; /* columns; is the halo exchanged? */
    const struct X(vec_ops) *ops;
    const T *x;
    T *y, *part;
    const psb_ipk *bnd;
};

/* A vector on the rows needs no halo: its descriptor may be another one with the same rows. */
static psb_err check_rows(const struct X(spmat) *a, const struct X(vect) *v, const char *name)
{
    const int alike = psb_is_live(v) && psb_cd_same_rows(v->desc, a->row);
    return X(sp_check_side)(v, alike ? v->desc : a->row, name);
}

psb_err X(spmv_check)(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y, char trans)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "argument a is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_TRY(X(check_trans)(trans));
    PSB_TRY(trans == 'N' ? X(sp_check_side)(x, a->col, "x") : check_rows(a, x, "x"));
    PSB_TRY(trans == 'N' ? check_rows(a, y, "y") : X(sp_check_side)(y, a->col, "y"));
    PSB_CHECK(x != y, PSB_EARG, "arguments x and y are the same vector; expected two");
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    return PSB_OK;
}

/* Do some rows or columns have several owners, here or, if they are replicated, everywhere? */
static bool has_overlap(const struct X(spmat) *a)
{
    return a->row->overlap.counted || a->row->map->replicated || a->col->overlap.n || a->col->map->replicated;
}

/* Make space in part for k columns of the product of ah. */
static psb_err widen_part(struct psb_dual *part, psb_ipk rows, int k)
{
    size_t n = (size_t)rows * (size_t)k;
    if (part->bytes >= n * sizeof(T))
        return PSB_OK;
    const struct psb_device *on = part->on;
    psb_dual_free(part);
    return psb_dual_init(part, n, sizeof(T), on, "boundary product");
}

/* --- one product --------------------------------------------------------------------------------------- */

static psb_err open_arrays(struct job *j, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                           struct X(vect) *y)
{
    PSB_TRY(psb_dual_read(&x->v, j->s, &j->x));
    PSB_TRY(X(vect_open)(y, j->s, beta == 0, &j->y));
    PSB_TRY(psb_dual_read(&a->bnd, j->s, &j->bnd));
    struct psb_dual *part = (struct psb_dual *)&a->part; /* scratch: not part of the value of a */
    PSB_TRY(widen_part(part, a->ah->nrows, j->k));
    return psb_dual_write(part, j->s, &j->part);
}

static psb_err over_ad(const struct job *j, T alpha, const struct X(spmat) *a, T beta)
{
    return X(mat_mm_on)(j->s, alpha, a->ad, j->k, j->x, beta, j->y, j->trans);
}

static size_t owned_columns(const struct job *j, const struct X(spmat) *a)
{
    return (size_t)psb_cd_local_rows(a->col) * (size_t)j->k;
}

psb_err X(spmv_await)(const struct X(spmat) *a, struct psb_awaited *wait)
{
    const psb_err e = psb_await(wait);
    if (e != PSB_OK)
        psb_channel_break(psb_desc_halo(a->col)->channel);
    wait->by = NULL;
    return PSB_PASS(e);
}

/* If there are no columns owned here, their product may launch no kernel, and a kernel over the halo that
 * starts early would not wait for the end of earlier ones: wait apart. */
psb_err X(spmv_before_halo)(const struct X(spmat) *a, psb_err e, struct psb_awaited *wait)
{
    if (e == PSB_OK && a->ad->nnz > 0)
        return PSB_OK;
    const psb_err w = X(spmv_await)(a, wait);
    return PSB_PASS(e != PSB_OK ? e : w);
}

/* y = alpha A x + beta y: the columns owned here during the halo exchange of x, then the halo columns. */
static psb_err forward(const struct job *j, T alpha, const struct X(spmat) *a, const struct X(vect) *x,
                       T beta, psb_err err)
{
    PSB_TRY(j->update ? X(halo_begin)(x, j->s, 'N', err) : err);
    psb_err e = over_ad(j, alpha, a, beta);
    const T *halo = j->x + owned_columns(j, a);
    struct psb_awaited wait = { 0 };
    psb_err f = j->update ? X(halo_finish)(x, &halo, &wait) : PSB_OK;
    PSB_TRY(X(spmv_before_halo)(a, e != PSB_OK ? e : f, &wait));
    PSB_TRY(X(mat_mm_add)(j->s, alpha, a->ah, j->k, halo, &wait, j->bnd, j->y, j->part));
    return j->update ? psb_channel_check(psb_desc_halo(a->col)->channel) : PSB_OK;
}

/* Sums for rows owned elsewhere: alpha op(ah) x, op transposed, into the halo of y. */
static psb_err into_halo(const struct job *j, T alpha, const struct X(spmat) *a)
{
    PSB_TRY(j->ops->gth(a->ah->nrows, j->bnd, j->k, j->x, j->part));
    return X(mat_mm_on)(j->s, alpha, a->ah, j->k, j->part, 0, j->y + owned_columns(j, a), j->trans);
}

/* y = alpha op(A) x + beta y, op transposed: first the sums for other processes, the rest during their
 * exchange. */
static psb_err backward(const struct job *j, T alpha, const struct X(spmat) *a, T beta, struct X(vect) *y,
                        psb_err err)
{
    psb_err e = err == PSB_OK ? into_halo(j, alpha, a) : err;
    PSB_TRY(j->update ? X(halo_begin)(y, j->s, 'T', e) : e);
    e = over_ad(j, alpha, a, beta);
    psb_err f = j->update ? X(halo_finish)(y, NULL, NULL) : PSB_OK;
    return e != PSB_OK ? e : f;
}

/* The descriptor of the halo exchange: the column descriptor, else that of a vector; NULL if none is known.
 */
static psb_desc *halo_of(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y, int back)
{
    const struct X(vect) *v = back ? y : x;
    if (a && psb_cd_state(a->col) == PSB_ASSEMBLED)
        return a->col;
    return v && v->state == PSB_ASSEMBLED ? v->desc : NULL;
}

psb_err X(spmv_decline)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y,
                        char trans, psb_err e)
{
    int back = trans == 'T' || trans == 'C';
    psb_desc *d = halo_of(a, x, y, back);
    if (alpha != 0 && d)
        X(halo_refuse)(d);
    if (back && psb_is_live(a) && d && has_overlap(a))
        X(ovrl_refuse)(a->col, e);
    return PSB_PASS(e);
}

/* e: the result of opening the arrays. */
static psb_err run_product(const struct job *j, T alpha, const struct X(spmat) *a, const struct X(vect) *x,
                           T beta, struct X(vect) *y, psb_err e)
{
    if (alpha == 0) /* and nothing is exchanged */
        return e != PSB_OK ? e : over_ad(j, 0, a, beta);
    return j->trans == 'N' ? forward(j, alpha, a, x, beta, e) : backward(j, alpha, a, beta, y, e);
}

/* psb_spmv_opt, arguments checked, if each row and column here has one owner, or op is 'N'. */
static psb_err multiply_plain(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                              struct X(vect) *y, char trans, int halo_update)
{
    enum psb_side s = X(mat_side)(a->ad, trans, x, y);
    struct job j = {
        .s = s, .trans = trans, .k = x->ncols, .update = halo_update, .ops = X(vec)(s, a->ad->on)
    };
    const unsigned was = y->v.valid;
    psb_err e = run_product(&j, alpha, a, x, beta, y, open_arrays(&j, a, x, beta, y));
    if (e != PSB_OK)
        psb_dual_undo(&y->v, s, was);
    return PSB_PASS(e);
}

/* --- rows or columns with several owners ---------------------------------------------------------------- */

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
        e = multiply_plain(alpha, a, once, 0, t, trans, update);
    else if (update && alpha != 0)
        X(halo_refuse)(a->col);
    if (e == PSB_OK)
        return X(ovrl)(t, PSB_OVRL_SUM);
    X(ovrl_refuse)(a->col, e);
    return e;
}

/* The same for op transposed, if rows or columns here have several owners. */
static psb_err multiply_shared(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                               struct X(vect) *y, char trans, int update)
{
    struct X(vect) *once = NULL, *t = NULL;
    psb_err e = counted_once(x, &once);
    if (!update) { /* local: each owner keeps its partial sum */
        PSB_THEN(e, multiply_plain(alpha, a, once, beta, y, trans, 0));
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

/* --- the calls ------------------------------------------------------------------------------------------ */

psb_err X(spmv_opt)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                    char trans, int halo_update)
{
    const struct psb_range range = psb_range_begin(NULL, "psb_spmv", "");
    psb_err e = X(spmv_check)(a, x, y, trans);
    if (e != PSB_OK)
        return PSB_PASS(halo_update ? X(spmv_decline)(alpha, a, x, y, trans, e) : e);
    e = trans != 'N' && has_overlap(a) ? multiply_shared(alpha, a, x, beta, y, trans, halo_update)
                                       : multiply_plain(alpha, a, x, beta, y, trans, halo_update);
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_err X(spmv)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                char trans)
{
    return PSB_PASS(X(spmv_opt)(alpha, a, x, beta, y, trans, 1));
}

psb_err X(spmm)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                char trans)
{
    return PSB_PASS(X(spmv)(alpha, a, x, beta, y, trans));
}

psb_err X(spmm_opt)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                    char trans, int halo_update)
{
    return PSB_PASS(X(spmv_opt)(alpha, a, x, beta, y, trans, halo_update));
}
