/* sp_select.c -- base/spmat: rows and columns of a distributed matrix by lists, which permute and
 * redistribute; the Kronecker product with a block. */
#include "spmat.h"
#include "columns.h"
#include "desc.h"
#include "psb_type.h"

/* --- lists ---------------------------------------------------------------------------------------------- */

/* In every row, of the n here, a one in the column of the list. */
static psb_err insert_ones(psb_ipk n, const psb_lpk *list, struct X(spmat) *s)
{
    const T one = 1;
    PSB_CHECK(list || n == 0, PSB_EARG, "a list of %d rows or columns is NULL; expected their indices", n);
    for (psb_ipk i = 0; i < n; i++) {
        const psb_lpk row = psb_loc_to_glob(s->row, i);
        PSB_TRY(X(spins)(1, &row, &list[i], &one, s));
    }
    return PSB_OK;
}

/* *s = the matrix of n rows here, on a descriptor of its own, that selects those rows in the list from the
 * rows of d.  Collective. */
static psb_err selection(const psb_desc *d, psb_ipk n, const psb_lpk *list, const struct X(mat) *mold,
                         struct X(spmat) **s)
{
    psb_desc *row = NULL, *col = NULL;
    PSB_TRY(psb_cdall_nl(&row, d->ctxt, n));
    psb_err e = psb_cdall_like(&col, d);
    PSB_THEN(e, X(spall2)(s, row, col, n));
    PSB_THEN(e, insert_ones(n, list, *s));
    e = psb_agree(d->ctxt, e);
    PSB_THEN(e, psb_cdasb(row));
    PSB_THEN(e, psb_cdasb(col));
    PSB_THEN(e, X(spasb)(*s, mold, PSB_DUPL_ADD));
    psb_cdfree(row); /* the matrix keeps them */
    psb_cdfree(col);
    return e;
}

/* *c = R A or A C^T, which a list selects, in the format of mold.  Collective. */
static psb_err select_by(const struct X(spmat) *a, bool rows, psb_ipk n, const psb_lpk *list,
                         const struct X(mat) *mold, struct X(spmat) **c)
{
    struct X(spmat) *s = NULL;
    const struct X(mat) *there = X(mat_dev)(a->ad)->transposed;
    psb_err e = selection(rows ? a->row : a->col, n, list, there ? there : &X(csr_mold).mat, &s);
    PSB_THEN(e, rows ? X(spgemm)(1, s, 'N', a, 'N', 0, NULL, NULL, mold, c)
                     : X(spgemm)(1, a, 'N', s, 'T', 0, NULL, NULL, mold, c));
    X(spfree)(s);
    return e;
}

static psb_err check_lists(const struct X(spmat) *a, psb_ipk m, psb_ipk n, struct X(spmat) *const *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    PSB_CHECK(m >= 0 || n >= 0, PSB_EARG, "arguments m and n are %d and %d; expected one list at least", m,
              n);
    return PSB_OK;
}

psb_err X(sp_csclip_list)(const struct X(spmat) *a, psb_ipk m, const psb_lpk *rows, psb_ipk n,
                          const psb_lpk *cols, struct X(spmat) **b)
{
    struct X(spmat) *some = NULL, *new = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_agree(a->row->ctxt, check_lists(a, m, n, b)));
    psb_err e = m < 0 ? PSB_OK : select_by(a, true, m, rows, n < 0 ? a->ad : NULL, &some);
    if (n >= 0)
        PSB_THEN(e, select_by(some ? some : a, false, n, cols, a->ad, &new));
    if (e == PSB_OK)
        *b = n < 0 ? some : new;
    if (e != PSB_OK || n >= 0)
        X(spfree)(some);
    return PSB_PASS(e);
}

/* --- Kronecker product ---------------------------------------------------------------------------------- */

/* *list = the k indices for each local number of d from `from` to before `to`. */
static psb_err list_indices(const psb_desc *d, psb_ipk from, psb_ipk to, psb_ipk k, psb_lpk **list)
{
    const psb_lpk base = psb_index_base();
    PSB_TRY(psb_alloc(list, (size_t)(to - from) * (size_t)k, sizeof **list, "indices of blocks"));
    psb_lpk *at = *list;
    for (psb_ipk l = from; l < to; l++)
        for (psb_ipk s = 0; s < k; s++)
            *at++ = (psb_loc_to_glob(d, l) - base) * k + s + base;
    return PSB_OK;
}

/* A descriptor, in state BUILD, with k rows for each row of d.  err: as in psb_agree.  Collective. */
static psb_err widen_rows(const psb_desc *d, psb_ipk k, psb_err err, psb_desc **new)
{
    const psb_ipk n = psb_cd_local_rows(d);
    psb_lpk *list = NULL;
    PSB_THEN(err, list_indices(d, 0, n, k, &list));
    psb_err e = psb_agree(d->ctxt, err);
    if (e == PSB_OK && psb_cd_is_replicated(d))
        e = psb_cdall_repl(new, d->ctxt, n * k);
    else if (e == PSB_OK)
        e = strcmp(psb_cd_kind(d), "block") == 0 ? psb_cdall_nl(new, d->ctxt, n * k)
                                                 : psb_cdall_vl(new, d->ctxt, n * k, list);
    psb_free(list);
    return e;
}

/* The same, assembled, also for the halo; *new is freed by the caller in any case.  Collective. */
static psb_err widen(const psb_desc *d, psb_ipk k, psb_err err, psb_desc **new)
{
    const psb_ipk n = psb_cd_local_rows(d), all = psb_cd_local_cols(d);
    psb_lpk *list = NULL;
    PSB_TRY(widen_rows(d, k, err, new));
    psb_err e = list_indices(d, n, all, k, &list);
    PSB_THEN(e, psb_cdins(*new, (psb_epk)(all - n) * k, NULL, list));
    psb_free(list);
    PSB_TRY(psb_agree(d->ctxt, e));
    return psb_cdasb(*new);
}

/* Put the columns of *h, the product over the halo of a, in the order that they have in the halo of col. */
static psb_err order_halo(const struct X(spmat) *a, psb_ipk l, const psb_desc *col, struct X(mat) **h)
{
    const psb_ipk own = psb_cd_local_rows(a->col), n = (*h)->ncols;
    psb_lpk *list;
    psb_ipk *from = NULL;
    struct X(mat) *new;
    PSB_TRY(list_indices(a->col, own, psb_cd_local_cols(a->col), l, &list));
    psb_err e = psb_alloc(&from, (size_t)n, sizeof *from, "columns of blocks");
    for (psb_ipk j = 0; j < n && e == PSB_OK; j++)
        from[psb_glob_to_loc(col, list[j]) - own * l] = j;
    PSB_THEN(e, X(mat_csclip_list)(*h, (*h)->nrows, NULL, n, from, &new));
    psb_free(list);
    psb_free(from);
    if (e == PSB_OK) {
        X(mat_free)(*h);
        *h = new;
    }
    return e;
}

/* The k boundary rows for each one of a. */
static psb_err widen_boundary(const struct X(spmat) *a, psb_ipk k, struct X(spmat) *new)
{
    const psb_ipk *bnd, n = a->ah->nrows;
    psb_ipk *rows;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(psb_alloc(&rows, (size_t)n * (size_t)k, sizeof *rows, "boundary rows"));
    for (psb_ipk i = 0; i < n * k; i++)
        rows[i] = bnd[i / k] * k + i % k;
    psb_err e = X(sp_boundary)(n * k, rows, new->ah->on, &new->bnd, &new->part);
    psb_free(rows);
    return e;
}

static psb_err kronecker_parts(const struct X(spmat) *a, psb_ipk k, psb_ipk l, const T *block, psb_desc *row,
                               psb_desc *col, struct X(spmat) **b)
{
    struct X(spmat) *new;
    PSB_TRY(X(sp_begin)(row, col, &new));
    psb_err e = X(mat_kron)(a->ad, k, l, block, &new->ad);
    PSB_THEN(e, X(mat_kron)(a->ah, k, l, block, &new->ah));
    PSB_THEN(e, order_halo(a, l, col, &new->ah));
    PSB_THEN(e, widen_boundary(a, k, new));
    if (e == PSB_OK) {
        X(sp_ready)(new);
        *b = new;
    } else {
        X(spfree)(new);
    }
    return e;
}

static psb_err check_kron(const struct X(spmat) *a, psb_ipk k, psb_ipk l, const T *block,
                          struct X(spmat) *const *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    PSB_NEED(block, "k * l elements");
    PSB_CHECK(k > 0 && l > 0, PSB_EARG, "arguments k and l are %d and %d; expected > 0", k, l);
    const psb_lpk m = (psb_lpk)psb_cd_local_rows(a->row) * k, n = (psb_lpk)psb_cd_local_cols(a->col) * l;
    PSB_CHECK(m <= INT32_MAX && n <= INT32_MAX, PSB_EARG,
              "the product has %" PRId64 " rows and %" PRId64 " columns here; expected less than 2^31", m, n);
    PSB_CHECK(psb_cd_global_rows(a->row) <= INT64_MAX / k && psb_cd_global_rows(a->col) <= INT64_MAX / l,
              PSB_EARG, "the product has 2^63 rows or columns or more; expected less");
    return PSB_OK;
}

psb_err X(sp_kron)(const struct X(spmat) *a, psb_ipk k, psb_ipk l, const T *block, struct X(spmat) **b)
{
    psb_desc *row = NULL, *col = NULL;
    struct X(spmat) *new = NULL;
    psb_lpk same[4] = { k, -(psb_lpk)k, l, -(psb_lpk)l };
    PSB_NEED_HANDLE(a, "a matrix");
    const bool one = a->row == a->col && k == l;
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_OF(same), 4, same, check_kron(a, k, l, block, b)));
    PSB_CHECK(same[0] == -same[1] && same[2] == -same[3], PSB_EARG,
              "arguments k and l are %d and %d here and others on another process; expected the same on all",
              k, l);
    psb_err e = widen(a->row, k, PSB_OK, &row);
    if (!one)
        PSB_THEN(e, widen(a->col, l, PSB_OK, &col));
    if (e == PSB_OK)
        e = psb_agree(a->row->ctxt, kronecker_parts(a, k, l, block, row, one ? row : col, &new));
    psb_cdfree(row); /* the matrix keeps them */
    psb_cdfree(col);
    if (e == PSB_OK)
        *b = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}
