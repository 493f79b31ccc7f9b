/* minimal_format.c -- test: A format with only the mandatory slots. */
#include "minimal_format.h"

static void clear(struct X(mat) *a_)
{
    struct minimal_mat *a = (struct minimal_mat *)a_;
    psb_free(a->entry);
    a->entry = NULL;
}

static psb_err from_coo(struct X(mat) *a_, const struct X(coo_mat) *b)
{
    struct minimal_mat *a = (struct minimal_mat *)a_;
    PSB_TRY(psb_alloc(&a->entry, (size_t)a_->nnz, sizeof *a->entry, "MINIMAL entries"));
    for (psb_epk k = 0; k < a_->nnz; k++)
        a->entry[k] = (struct triplet){ b->ia[k], b->ja[k], b->val[k] };
    return PSB_OK;
}

static psb_err to_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    const struct minimal_mat *a = (const struct minimal_mat *)a_;
    PSB_TRY(X(coo_reserve)(b, a_->nnz));
    for (psb_epk k = 0; k < a_->nnz; k++) {
        b->ia[k] = a->entry[k].i;
        b->ja[k] = a->entry[k].j;
        b->val[k] = a->entry[k].v;
    }
    return PSB_OK;
}

static const struct X(mat_ops) ops = {
    .super = &X(root_mold),
    .fmt = "MINIMAL",
    .size = sizeof(struct minimal_mat),
    .storage = { .clear = clear, .from_coo = from_coo, .to_coo = to_coo },
};

const struct minimal_mat minimal_mold = { .mat.ops = &ops };
