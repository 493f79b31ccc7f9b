/* sp_two.c -- base/spmat: sum and comparison of two distributed matrices, or of one with a value. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include <string.h>
#include "psb_type.h"

/* The local rows of both; after an error there is nothing to free. */
static psb_err rows_of_two(const struct X(spmat) *a, const struct X(spmat) *b, struct X(coo_mat) **c)
{
    PSB_TRY(X(sp_rows)(a, &c[0]));
    psb_err e = X(sp_rows)(b, &c[1]);
    if (e != PSB_OK) {
        X(mat_free)(&c[0]->mat);
        c[0] = NULL;
    }
    return e;
}

static void free_two(struct X(coo_mat) **c)
{
    X(mat_free)(&c[0]->mat);
    X(mat_free)(&c[1]->mat);
}

static bool same_sizes(const struct X(spmat) *a, const struct X(spmat) *b)
{
    return psb_cd_global_rows(a->row) == psb_cd_global_rows(b->row) &&
           psb_cd_global_rows(a->col) == psb_cd_global_rows(b->col);
}

/* Renumber the columns of c from local numbers of d to those of cols. */
static psb_err renumber(struct X(coo_mat) *c, const psb_desc *d, struct psb_columns *cols)
{
    for (psb_epk k = 0; k < c->mat.nnz; k++)
        PSB_TRY(psb_columns_add(cols, psb_loc_to_glob(d, c->ja[k]) - psb_index_base(), &c->ja[k]));
    return X(coo_fix)(c, PSB_DUPL_ADD);
}

/* --- sum ------------------------------------------------------------------------------------------------ */

static psb_err check_sum(const struct X(spmat) *a, const struct X(spmat) *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(X(sp_check)(b, "b"));
    PSB_CHECK(same_sizes(a, b), PSB_EARG,
              "argument a is %" PRId64 " x %" PRId64 "; expected %" PRId64 " x %" PRId64 ", as b is",
              psb_cd_global_rows(a->row), psb_cd_global_rows(a->col), psb_cd_global_rows(b->row),
              psb_cd_global_rows(b->col));
    PSB_CHECK(psb_cd_same_rows(a->row, b->row) && psb_cd_same_rows(a->col, b->col), PSB_EARG,
              "argument a is distributed in another way than b; expected the same way");
    return PSB_OK;
}

/* The flags that hold for alpha A + beta B. */
static struct psb_mat_flags flags_of_sum(const struct psb_mat_flags *a, struct psb_mat_flags b)
{
    b.unit = 0;
    b.triangle = b.triangle && a->triangle && a->upper == b.upper;
    b.symmetric = b.symmetric && a->symmetric;
    return b;
}

/* The halo part of alpha A + beta B, and an empty part over owned columns. */
static psb_err add_halo(T alpha, const struct X(spmat) *a, T beta, const struct X(spmat) *b,
                        struct X(spmat) *new)
{
    struct X(coo_mat) *c[2] = { NULL, NULL };
    struct X(mat) *sum = NULL;
    psb_err e = X(sp_halo_entries)(a, &c[0]);
    PSB_THEN(e, X(sp_halo_entries)(b, &c[1]));
    PSB_THEN(e, X(mat_spaxpby)(alpha, &c[0]->mat, beta, &c[1]->mat, &X(coo_mold).mat, &sum));
    PSB_THEN(e, X(sp_split)((struct X(coo_mat) *)sum, b->ad->ncols, &X(csr_mold).mat, b->ah, new));
    for (int i = 0; i < 2; i++)
        X(mat_free)((struct X(mat) *)c[i]);
    X(mat_free)(sum);
    return e;
}

static psb_err add(T alpha, const struct X(spmat) *a, T beta, const struct X(spmat) *b, struct X(spmat) *new)
{
    struct X(mat) *sum;
    PSB_TRY(add_halo(alpha, a, beta, b, new));
    PSB_TRY(X(mat_spaxpby)(alpha, a->ad, beta, b->ad, b->ad, &sum));
    X(mat_free)(new->ad);
    new->ad = sum;
    sum->is = flags_of_sum(&a->ad->is, b->ad->is);
    return PSB_OK;
}

/* *new = alpha A + beta B where the columns of a have another halo: on those of b, if it is enough.
 * Collective. */
static psb_err add_columns(T alpha, const struct X(spmat) *a, T beta, const struct X(spmat) *b,
                           struct X(spmat) **new)
{
    struct X(coo_mat) *c[2] = { NULL };
    struct X(mat) *sum = NULL;
    struct psb_columns cols = { .d = b->col };
    psb_err e = rows_of_two(a, b, c);
    PSB_THEN(e, renumber(c[0], a->col, &cols));
    if (e == PSB_OK) {
        c[0]->mat.ncols = c[1]->mat.ncols = psb_columns_count(&cols);
        e = X(mat_spaxpby)(alpha, &c[0]->mat, beta, &c[1]->mat, &X(coo_mold).mat, &sum);
    }
    e = X(sp_distribute)(b->row, (struct X(coo_mat) *)sum, &cols, b->col, b->ad, b->ah, e, new);
    if (e == PSB_OK)
        (*new)->ad->is = flags_of_sum(&a->ad->is, b->ad->is);
    X(mat_free)((struct X(mat) *)c[0]);
    X(mat_free)((struct X(mat) *)c[1]);
    X(mat_free)(sum);
    psb_columns_free(&cols);
    return e;
}

/* b = new, on its column descriptor, also for rows if b has one for both; new is freed. */
static void move_columns(struct X(spmat) *b, struct X(spmat) *new)
{
    psb_desc *const row = b->row, *const col = b->col;
    if (row == col) {
        b->row = new->row;
        new->row = row;
    }
    b->col = new->col;
    new->col = col;
    X(sp_drop_coo_plan)(b);
    X(sp_move_parts)(b, new);
    new->ad = new->ah = NULL;
    new->bnd = new->part = (struct psb_dual){ 0 };
    X(spfree)(new);
}

/* How a process can add A and B: the values alone, in place; both parts of B anew; on other columns. */
enum way { VALUES, PARTS, COLUMNS };

/* Do both have their entries in columns of others in the same rows? */
static bool same_boundary(const struct X(spmat) *a, const struct X(spmat) *b)
{
    const psb_ipk *x, *y, n = a->ah->nrows;
    psb_expect_errors(1);
    psb_err e = psb_dual_read(&a->bnd, PSB_HOST, &x);
    PSB_THEN(e, psb_dual_read(&b->bnd, PSB_HOST, &y));
    psb_expect_errors(0);
    return e == PSB_OK && n == b->ah->nrows && (n == 0 || memcmp(x, y, (size_t)n * sizeof *x) == 0);
}

static enum way way_to_add(const struct X(spmat) *a, const struct X(spmat) *b)
{
    if (a->col != b->col)
        return COLUMNS;
    return X(mat_adds_values)(a->ad, b->ad) && X(mat_adds_values)(a->ah, b->ah) && same_boundary(a, b)
               ? VALUES
               : PARTS;
}

static psb_err add_in_place(T alpha, const struct X(spmat) *a, T beta, struct X(spmat) *b)
{
    X(sp_drop_coo_plan)(b);
    PSB_TRY(X(mat_add_values)(alpha, a->ad, beta, b->ad));
    PSB_TRY(X(mat_add_values)(alpha, a->ah, beta, b->ah));
    b->ad->is = flags_of_sum(&a->ad->is, b->ad->is);
    return PSB_OK;
}

psb_err X(spaxpby)(T alpha, const struct X(spmat) *a, T beta, struct X(spmat) *b)
{
    struct X(spmat) new = { 0 }, *other = NULL;
    if (!psb_is_live(b)) {
        psb_err e = PSB_FAIL(PSB_EARG, "argument b is %s; expected a matrix", psb_handle_state(b));
        return PSB_PASS(psb_is_live(a) ? psb_agree(a->row->ctxt, e) : e);
    }
    psb_err e = check_sum(a, b);
    int way = e == PSB_OK ? (int)way_to_add(a, b) : 0;
    PSB_TRY(psb_reduce(b->row->ctxt, PSB_MAX, PSB_KIND_i, 1, &way, e));
    if (way == VALUES)
        return PSB_PASS(psb_agree(b->row->ctxt, add_in_place(alpha, a, beta, b)));
    if (way == PARTS)
        return PSB_PASS(X(sp_exchange_pattern)(b, &new, add(alpha, a, beta, b, &new)));
    PSB_TRY(add_columns(alpha, a, beta, b, &other));
    move_columns(b, other);
    return PSB_OK;
}

/* --- comparison ----------------------------------------------------------------------------------------- */

static psb_err check_comparison(const struct X(spmat) *a, const struct X(spmat) *b, R tol, const int *equal)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(X(sp_check)(b, "b"));
    PSB_CHECK(tol >= 0, PSB_EARG, "argument tol is %g; expected >= 0", (double)tol);
    PSB_NEED(equal, "where to store the answer");
    PSB_CHECK(!same_sizes(a, b) || (psb_cd_same_rows(a->row, b->row) && psb_cd_same_rows(a->col, b->col)),
              PSB_EARG, "argument b is distributed in another way than a; expected the same way");
    return PSB_OK;
}

/* at = row and column of the first element here that differs; -1 if there is none. */
static psb_err compare(const struct X(spmat) *a, const struct X(spmat) *b, R tol, psb_lpk at[2])
{
    struct X(coo_mat) *c[2];
    psb_ipk here[2] = { -1, -1 };
    struct psb_columns cols = { .d = a->col };
    PSB_TRY(rows_of_two(a, b, c));
    psb_err e = a->col == b->col ? PSB_OK : renumber(c[1], b->col, &cols);
    c[0]->mat.ncols = c[1]->mat.ncols = psb_columns_count(&cols);
    PSB_THEN(e, X(mat_first_difference)(&c[0]->mat, &c[1]->mat, tol, here));
    at[0] = here[0] < 0 ? -1 : psb_loc_to_glob(a->row, here[0]);
    at[1] = here[0] < 0 ? -1 : psb_columns_global(&cols, here[1]) + psb_index_base();
    free_two(c);
    psb_columns_free(&cols);
    return e;
}

psb_err X(sp_cmp)(const struct X(spmat) *a, const struct X(spmat) *b, R tol, int *equal)
{
    psb_lpk at[2] = { 0 };
    PSB_CHECK(psb_is_live(a) || psb_is_live(b), PSB_EARG, "argument a is %s; expected a matrix",
              psb_handle_state(a));
    psb_err e = check_comparison(a, b, tol, equal);
    if (e == PSB_OK && same_sizes(a, b))
        e = compare(a, b, tol, at);
    bool all = at[0] < 0;
    PSB_TRY(psb_reduce((psb_is_live(a) ? a : b)->row->ctxt, PSB_MIN, PSB_KIND_b, 1, &all, e));
    *equal = all;
    return PSB_OK;
}

psb_err X(sp_first_difference)(const struct X(spmat) *a, const struct X(spmat) *b, R tol, psb_lpk at[2])
{
    psb_ctxt *ctxt = a->row->ctxt;
    psb_lpk here[2], none = INT64_MAX;
    psb_err e = check_comparison(a, b, tol, &(int){ 0 });
    PSB_THEN(e, compare(a, b, tol, here));
    PSB_TRY(psb_agree(ctxt, e));
    at[0] = here[0] < 0 ? none : here[0];
    PSB_TRY(psb_min(ctxt, 1, &at[0], -1));
    at[1] = here[0] == at[0] ? here[1] : none;
    PSB_TRY(psb_min(ctxt, 1, &at[1], -1));
    if (at[0] == none)
        at[0] = at[1] = -1;
    return PSB_OK;
}

static psb_err check_values(const struct X(spmat) *a, T v, R tol, int *equal, bool *here)
{
    int own = 0, halo = 0;
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(equal, "where to store the answer");
    PSB_TRY(X(mat_cmpval)(a->ad, v, tol, &own));
    PSB_TRY(X(mat_cmpval)(a->ah, v, tol, &halo));
    *here = own && halo;
    return PSB_OK;
}

psb_err X(sp_cmpval)(const struct X(spmat) *a, T v, R tol, int *equal)
{
    bool all = false;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_values(a, v, tol, equal, &all);
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MIN, PSB_KIND_b, 1, &all, e));
    *equal = all;
    return PSB_OK;
}
