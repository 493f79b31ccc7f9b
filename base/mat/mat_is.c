/* mat_is.c -- base/mat: properties of a matrix: queries and setters. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_type.h"

const char *X(mat_get_fmt)(const struct X(mat) *a)
{
    return a ? a->ops->fmt : "";
}

psb_ipk X(mat_get_nrows)(const struct X(mat) *a)
{
    return a ? a->nrows : 0;
}

psb_ipk X(mat_get_ncols)(const struct X(mat) *a)
{
    return a ? a->ncols : 0;
}

psb_epk X(mat_get_nzeros)(const struct X(mat) *a)
{
    return a ? a->nnz : 0;
}

/* --- order ------------------------------------------------------------------------------------------ */

enum psb_order X(mat_get_order)(const struct X(mat) *a)
{
    if (!a)
        return PSB_UNSORTED;
    PSB_WITH_SLOT(k, a, storage.order);
    return k->storage.order(a);
}

int X(mat_is_sorted)(const struct X(mat) *a)
{
    return X(mat_get_order)(a) != PSB_UNSORTED;
}

int X(mat_is_by_rows)(const struct X(mat) *a)
{
    return X(mat_get_order)(a) == PSB_BY_ROWS;
}

int X(mat_is_by_cols)(const struct X(mat) *a)
{
    return X(mat_get_order)(a) == PSB_BY_COLS;
}

/* Set the triplets of a to those of t, or of t transposed. */
static void set_triplets(struct X(coo_mat) *a, const struct X(coo_mat) *t, int transposed)
{
    for (psb_epk k = 0; k < t->mat.nnz; k++) {
        a->ia[k] = transposed ? t->ja[k] : t->ia[k];
        a->ja[k] = transposed ? t->ia[k] : t->ja[k];
        a->val[k] = t->val[k];
    }
}

psb_err X(mat_set_sorted)(struct X(mat) *a, enum psb_order wanted)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(wanted == PSB_BY_ROWS || wanted == PSB_BY_COLS, PSB_EARG,
              "argument order is %d; expected PSB_BY_ROWS or PSB_BY_COLS", (int)wanted);
    if (X(mat_get_order)(a) == wanted)
        return PSB_OK;
    PSB_CHECK(a->ops == X(coo_mold).mat.ops, PSB_EARG,
              "argument order is %s; %s has its own; expected that one",
              wanted == PSB_BY_ROWS ? "PSB_BY_ROWS" : "PSB_BY_COLS", a->ops->fmt);
    struct X(coo_mat) *t, *u;
    PSB_TRY(X(mat_as_coo)(a, &t));
    psb_err e = wanted == PSB_BY_COLS ? X(coo_transposed)(t, &u) : PSB_OK;
    if (e == PSB_OK)
        set_triplets((struct X(coo_mat) *)a, wanted == PSB_BY_COLS ? u : t, wanted == PSB_BY_COLS);
    if (e == PSB_OK && wanted == PSB_BY_COLS)
        X(mat_free)(&u->mat);
    X(mat_free)(&t->mat);
    return PSB_PASS(e);
}

/* --- flags ------------------------------------------------------------------------------------------ */

int X(mat_is_null)(const struct X(mat) *a)
{
    return !a || a->is.state == PSB_MAT_NULL;
}

int X(mat_is_bld)(const struct X(mat) *a)
{
    return a && a->is.state == PSB_MAT_BLD;
}

int X(mat_is_asb)(const struct X(mat) *a)
{
    return a && a->is.state == PSB_MAT_ASB;
}

int X(mat_is_upd)(const struct X(mat) *a)
{
    return a && a->is.state == PSB_MAT_UPD;
}

psb_err X(mat_set_state)(struct X(mat) *a, enum psb_mat_state state)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK((int)state >= PSB_MAT_NULL && state <= PSB_MAT_UPD, PSB_EARG,
              "argument state is %d; expected one of enum psb_mat_state", (int)state);
    PSB_CHECK(state != PSB_MAT_BLD || a->ops == X(coo_mold).mat.ops, PSB_EARG,
              "argument state is PSB_MAT_BLD; %s accepts no new entries, COO does; expected another state",
              a->ops->fmt);
    a->is.state = state;
    return PSB_OK;
}

int X(mat_is_triangle)(const struct X(mat) *a)
{
    return a && a->is.triangle;
}

int X(mat_is_upper)(const struct X(mat) *a)
{
    return a && a->is.triangle && a->is.upper;
}

int X(mat_is_lower)(const struct X(mat) *a)
{
    return a && a->is.triangle && !a->is.upper;
}

int X(mat_is_unit)(const struct X(mat) *a)
{
    return a && a->is.unit;
}

int X(mat_is_symmetric)(const struct X(mat) *a)
{
    return a && a->is.symmetric;
}

psb_err X(mat_set_triangle)(struct X(mat) *a, int yes)
{
    PSB_NEED_HANDLE(a, "a matrix");
    a->is.triangle = yes != 0;
    return PSB_OK;
}

psb_err X(mat_set_upper)(struct X(mat) *a, int yes)
{
    PSB_NEED_HANDLE(a, "a matrix");
    a->is.upper = yes != 0;
    return PSB_OK;
}

psb_err X(mat_set_lower)(struct X(mat) *a, int yes)
{
    return PSB_PASS(X(mat_set_upper)(a, !yes));
}

psb_err X(mat_set_unit)(struct X(mat) *a, int yes)
{
    PSB_NEED_HANDLE(a, "a matrix");
    a->is.unit = yes != 0;
    return PSB_OK;
}

psb_err X(mat_set_symmetric)(struct X(mat) *a, int yes)
{
    PSB_NEED_HANDLE(a, "a matrix");
    if (yes)
        NEED_SQUARE(a);
    a->is.symmetric = yes != 0;
    return PSB_OK;
}

/* --- sides ------------------------------------------------------------------------------------------ */

/* Are all arrays current on these sides? */
static int current(const struct X(mat) *a, unsigned sides)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    for (int n = X(mat_arrays)(a, list); n > 0; n--)
        if ((list[n - 1]->valid & sides) != sides)
            return 0;
    return 1;
}

int X(mat_is_host)(const struct X(mat) *a)
{
    return a && (!a->on || current(a, PSB_HOST));
}

int X(mat_is_dev)(const struct X(mat) *a)
{
    return a && a->on && current(a, PSB_DEV);
}

int X(mat_is_sync)(const struct X(mat) *a)
{
    return a && (!a->on || current(a, PSB_HOST | PSB_DEV));
}

psb_err X(mat_sync)(const struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    void *p;
    PSB_NEED_HANDLE(a, "a matrix");
    for (int n = a->on ? X(mat_arrays)(a, list) : 0; n > 0; n--) {
        PSB_TRY(psb_dual_read(list[n - 1], PSB_HOST, &p));
        PSB_TRY(psb_dual_read(list[n - 1], PSB_DEV, &p));
    }
    return PSB_OK;
}
