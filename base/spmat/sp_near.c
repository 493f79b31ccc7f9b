/* sp_near.c -- base/spmat: products of matrices that have no entries in columns of other processes, by the
 * device that has them: the bits are those of the host. */
#include "spmat.h"
#include "columns.h"
#include "psb_testing.h"
#include "psb_type.h"
#include "sp_mult.t.h"

bool X(sp_is_near)(const struct X(spmat) *a)
{
    return !a || a->ah->nnz == 0;
}

/* *f = alpha op(A); *made, which the caller frees, is NULL or *f. */
static psb_err device_factor(T alpha, const struct X(spmat) *a, char trans, struct X(mat) **made,
                             struct X(mat) **f)
{
    *f = a->ad;
    if (trans != 'N')
        PSB_TRY(X(mat_transposed)(a->ad, trans, f));
    if (alpha == 1)
        return PSB_OK;
    PSB_TRY(X(mat_clone)(*f, made));
    *f = *made;
    return X(mat_scal)(*made, alpha);
}

/* C = alpha op(A) op(B) + beta D, in the pattern of the mask; or, if c is in CSR on the device, its values
 * anew. */
static psb_err multiply_near(const struct X(sp_operands) *q, const struct X(mat) *mold, bool again,
                             struct X(mat) **c)
{
    struct X(mat) *made = NULL, *none = NULL, *sum = NULL, *part = NULL, *f, *g;
    psb_err e = device_factor(q->alpha, q->a, q->transa, &made, &f);
    PSB_THEN(e, device_factor(1, q->b, q->transb, &none, &g));
    const struct X(mat_dev_storage) *by = e == PSB_OK ? X(mat_dev)(f)->storage : NULL;
    if (again)
        PSB_THEN(e, by->spspmm_again(f, g, *c));
    else
        PSB_THEN(e, by->spspmm(f, g, q->d || q->mask ? NULL : mold, c));
    X(mat_free)(made);
    if (e == PSB_OK && q->d) {
        e = by->spaxpby(1, *c, q->beta, q->d->ad, q->mask ? NULL : mold, &sum);
        X(mat_free)(*c);
        *c = sum;
    }
    if (e == PSB_OK && q->mask) {
        e = by->masked(*c, q->mask->ad, mold, &part);
        X(mat_free)(*c);
        *c = part;
    }
    return e;
}

/* Can the device that has a do the work?  By a scale of 0 the host keeps what is not a number. */
static bool has_device(const struct X(sp_operands) *q)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(q->a->ad), *of_b = X(mat_dev)(q->b->ad);
    return dev->storage && dev->storage->spspmm && of_b->storage == dev->storage && dev->transposed &&
           of_b->transposed && q->alpha != 0 && !(q->d && q->beta == 0);
}

bool X(spgemm_near)(const struct X(sp_operands) *q, const struct X(mat) *mold, struct X(mat) **c)
{
    if (!has_device(q))
        return false;
    psb_expect_errors(1);
    const psb_err e = multiply_near(q, mold, false, c);
    psb_expect_errors(0);
    return e == PSB_OK;
}

bool X(spgemm_near_again)(const struct X(sp_operands) *q, struct X(mat) *c)
{
    if (!has_device(q) || q->d || q->mask)
        return false;
    psb_expect_errors(1);
    const psb_err e = multiply_near(q, NULL, true, &c);
    psb_expect_errors(0);
    return e == PSB_OK;
}

psb_err X(sp_of_near)(psb_desc *row, psb_desc *col, struct X(mat) **c, const struct X(mat) *mold,
                      const struct X(mat) *halo_mold, struct X(spmat) **a)
{
    struct X(spmat) *new;
    PSB_TRY(X(sp_begin)(row, col, &new));
    psb_err e = X(sp_split_csr)(c, psb_cd_local_rows(col), mold, halo_mold, new);
    if (e != PSB_OK) {
        X(spfree)(new);
        return PSB_PASS(e);
    }
    X(sp_ready)(new);
    *a = new;
    return PSB_OK;
}
