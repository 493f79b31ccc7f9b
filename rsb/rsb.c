/* rsb.c -- rsb: recursive sparse blocks, by LIBRSB. */
#include "psb_rsb_format.h"
#include "librsb.h"
#include <assert.h>
#include <string.h>
#include "psb_type.h"

enum { MOST_ROUNDS = 16 }; /* RSB_CONST_MAX_TUNING_ROUNDS */

static const struct X(mat_ops) rsb_ops;

static struct X(rsb_mat) *as_rsb(const struct X(mat) *a)
{
    assert(a->ops == &rsb_ops);
    return (struct X(rsb_mat) *)a;
}

static void rsb_clear(struct X(mat) *a_)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    if (a->held)
        psb_librsb_free(a->held);
    a->held = NULL;
    X(coo_mold).mat.ops->storage.clear(&a->more.mat);
}

static size_t rsb_bytes(const struct X(mat) *a_)
{
    const struct X(rsb_mat) *a = as_rsb(a_);
    return (a->held ? psb_librsb_bytes(a->held) : 0) + X(coo_mold).mat.ops->storage.bytes(&a->more.mat);
}

/* Set the number of threads of LIBRSB for work on n elements. */
static psb_err use_threads(const struct X(rsb_mat) *a, psb_epk n)
{
    int p = psb_threads(n);
    return psb_librsb_threads(a->best && a->best < p ? a->best : p);
}

/* --- build ------------------------------------------------------------------------------------------ */

static bool is_duplicate(const struct X(coo_mat) *b, psb_epk k)
{
    return k > 0 && b->ia[k] == b->ia[k - 1] && b->ja[k] == b->ja[k - 1];
}

/* Copy the first of equal entries of b to `first`, the others to `more`. */
static psb_err divide_entries(const struct X(coo_mat) *b, psb_epk repeated, struct X(coo_mat) *first,
                              struct X(coo_mat) *more)
{
    PSB_TRY(X(coo_reserve)(more, repeated));
    PSB_TRY(X(coo_reserve)(first, b->mat.nnz - repeated));
    for (psb_epk k = 0; k < b->mat.nnz; k++) {
        struct X(coo_mat) *to = is_duplicate(b, k) ? more : first;
        const psb_epk n = to->mat.nnz++;
        to->ia[n] = b->ia[k];
        to->ja[n] = b->ja[k];
        to->val[n] = b->val[k];
    }
    return PSB_OK;
}

/* Build LIBRSB's matrix from entries without duplicates. */
static psb_err make_held(struct X(rsb_mat) *a, const struct X(coo_mat) *b)
{
    if (b->mat.nnz == 0)
        return PSB_OK;
    a->best = a->threads;
    PSB_TRY(use_threads(a, b->mat.nnz));
    PSB_TRY(psb_librsb_make(LETTER, a->mat.nrows, a->mat.ncols, b->mat.nnz, b->ia, b->ja, b->val, &a->held));
    return a->rounds ? psb_librsb_tune(&a->held, a->rounds, &a->best) : PSB_OK;
}

static psb_err rsb_from_coo(struct X(mat) *a_, const struct X(coo_mat) *b)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    struct X(coo_mat) first = X(coo_mold);
    psb_epk repeated = 0;
    PSB_CHECK(a->rounds >= 0 && a->rounds <= MOST_ROUNDS, PSB_EARG,
              "the mold's rounds are %d; expected 0 <= rounds <= %d", a->rounds, MOST_ROUNDS);
    PSB_CHECK(a->threads >= 0, PSB_EARG,
              "the mold's threads are %d; expected > 0, or 0 for as many as there are", a->threads);
    PSB_TRY(psb_librsb_check(a_->ops->fmt, a_->nrows, a_->ncols, b->mat.nnz));
    a->more = X(coo_mold);
    a->more.mat.nrows = a_->nrows;
    a->more.mat.ncols = a_->ncols;
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        repeated += is_duplicate(b, k);
    if (repeated == 0)
        return make_held(a, b);
    psb_err e = divide_entries(b, repeated, &first, &a->more);
    PSB_THEN(e, make_held(a, &first));
    X(coo_mold).mat.ops->storage.clear(&first.mat);
    return e;
}

static psb_err rsb_copy(struct X(mat) *a_, struct X(mat) *b_)
{
    struct X(rsb_mat) *a = as_rsb(a_), *b = as_rsb(b_);
    PSB_TRY(psb_librsb_check(a_->ops->fmt, a_->nrows, a_->ncols, a_->nnz));
    a->best = b->best;
    a->more = X(coo_mold);
    a->more.mat = b->more.mat;
    if (b->more.mat.nnz)
        PSB_TRY(X(coo_mold).mat.ops->storage.from_coo(&a->more.mat, &b->more));
    return b->held ? psb_librsb_copy(LETTER, b->held, &a->held) : PSB_OK;
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_err rsb_to_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    const psb_epk n = a_->nnz - a->more.mat.nnz;
    PSB_TRY(X(coo_reserve)(b, a_->nnz));
    b->mat.nnz = n;
    if (a->held)
        PSB_TRY(psb_librsb_entries(a->held, b->ia, b->ja, b->val));
    PSB_TRY(X(coo_fix)(b, PSB_DUPL_ADD)); /* LIBRSB guarantees no order */
    PSB_TRY(X(coo_reserve)(b, a_->nnz));
    X(coo_weave)(b, n, &a->more);
    b->mat.nnz = a_->nnz;
    return PSB_OK;
}

static psb_err rsb_zero_vals(struct X(mat) *a_)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    const T zero = 0;
    if (a->held)
        PSB_TRY(psb_librsb_zero(a->held, &zero));
    for (psb_epk k = 0; k < a->more.mat.nnz; k++)
        a->more.val[k] = 0;
    return PSB_OK;
}

/* *lacks = the first of n <= PSB_FEW_ENTRIES entries that is not stored, or n. */
static psb_err find_missing(const struct X(rsb_mat) *a, int n, const psb_ipk *ia, const psb_ipk *ja,
                            int *lacks)
{
    T got[PSB_FEW_ENTRIES];
    bool all = false;
    int k = 0;
    if (a->held)
        PSB_TRY(psb_librsb_look(a->held, n, ia, ja, got, &all));
    for (; a->held && !all && k < n; k++) {
        bool one;
        PSB_TRY(psb_librsb_look(a->held, 1, ia + k, ja + k, got, &one));
        if (!one)
            break;
    }
    *lacks = all ? n : k;
    return PSB_OK;
}

static int few_of(psb_epk n)
{
    return n < PSB_FEW_ENTRIES ? (int)n : PSB_FEW_ENTRIES;
}

static psb_err rsb_csput(struct X(mat) *a_, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    for (psb_epk k = 0; k < nz; k += few_of(nz - k)) {
        int n = few_of(nz - k), lacks;
        PSB_TRY(find_missing(a, n, ia + k, ja + k, &lacks));
        PSB_CHECK(lacks == n, PSB_EARG, PSB_NO_ENTRY, k + lacks, ia[k + lacks], ja[k + lacks]);
    }
    for (psb_epk k = 0; k < nz && val; k += few_of(nz - k))
        PSB_TRY(psb_librsb_put(a->held, few_of(nz - k), ia + k, ja + k, val + k, dupl == PSB_DUPL_ADD));
    return PSB_OK;
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err rsb_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(rsb_mat) *a = as_rsb(a_);
    const psb_ipk most = a_->nrows > a_->ncols ? a_->nrows : a_->ncols;
    if ((psb_epk)most * k > INT32_MAX) /* offsets of LIBRSB have 32 bits */
        return X(root_mold).ops->products.csmm(alpha, a_, k, x, beta, y, trans);
    PSB_TRY(use_threads(a, a_->nnz * k));
    PSB_TRY(psb_librsb_csmm(a->held, k, &alpha, x, &beta, y, trans));
    if (a->more.mat.nnz == 0)
        return PSB_OK;
    return X(coo_mold).mat.ops->products.csmm(alpha, &a->more.mat, k, x, 1, y, trans);
}

static const struct X(mat_ops) rsb_ops = {
    .super = &X(root_mold),
    .fmt = "RSB",
    .size = sizeof(struct X(rsb_mat)),
    .storage = { .clear = rsb_clear,
                 .bytes = rsb_bytes,
                 .from_coo = rsb_from_coo,
                 .to_coo = rsb_to_coo,
                 .copy = rsb_copy },
    .entries = { .zero_vals = rsb_zero_vals, .csput = rsb_csput },
    .products.csmm = rsb_csmm,
};

const struct X(rsb_mat) X(rsb_mold) = { .mat.ops = &rsb_ops, .threads = 1 };
