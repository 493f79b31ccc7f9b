/* sp_solve.c -- base/spmat: flags of a distributed matrix, and the triangular solve, which relies on them. */
#include "spmat.h"
#include "columns.h"
#include "solve_plan.h"
#include "psb_type.h"

/* --- flags ---------------------------------------------------------------------------------------------- */

/* clang-format off */
#define SP_IS(flag) int X(sp_is_##flag)(const struct X(spmat) *a) { return a && X(mat_is_##flag)(a->ad); }
#define SP_SET(flag) psb_err X(sp_set_##flag)(struct X(spmat) *a, int yes) \
    { PSB_TRY(X(sp_check)(a, "a")); return PSB_PASS(X(mat_set_##flag)(a->ad, yes)); }
/* clang-format on */
SP_IS(triangle)
SP_IS(upper)
SP_IS(lower)
SP_IS(unit)
SP_IS(symmetric)
SP_SET(triangle)
SP_SET(upper)
SP_SET(lower)
SP_SET(unit)

psb_err X(sp_set_symmetric)(struct X(spmat) *a, int yes)
{
    PSB_TRY(X(sp_check)(a, "a"));
    a->ad->is.symmetric = yes != 0; /* the local part `ad` of a square matrix need not be square */
    return PSB_OK;
}

/* --- the solve ------------------------------------------------------------------------------------------ */

/* A triangle over the rows and columns owned here, without entries in halo columns. */
static psb_err check_triangle(const struct X(spmat) *t)
{
    const psb_ipk *bnd;
    PSB_TRY(X(sp_check)(t, "t"));
    PSB_CHECK(psb_cd_same_rows(t->row, t->col), PSB_EARG,
              "argument t has columns distributed in another way than its rows; expected the same way");
    PSB_CHECK(X(mat_is_triangle)(t->ad), PSB_EARG,
              "argument t is not marked as a triangle; expected psb_sp_set_triangle before");
    if (t->ah->nnz == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&t->bnd, PSB_HOST, &bnd));
    return PSB_FAIL(PSB_EARG,
                    "argument t is marked as a triangle, and row %" PRId64
                    " has an entry in a column owned elsewhere; expected entries in columns owned here",
                    psb_loc_to_glob(t->row, bnd[0]));
}

static psb_lpk global_row(const void *desc, psb_ipk l)
{
    return psb_loc_to_glob(desc, l);
}

psb_err X(spsm)(T alpha, const struct X(spmat) *t, const struct X(vect) *x, T beta, struct X(vect) *y,
                char trans, char scale, const struct X(vect) *d)
{
    PSB_TRY(check_triangle(t));
    PSB_TRY(X(check_trans)(trans));
    PSB_CHECK(scale == 'U' || scale == 'L' || scale == 'R', PSB_EARG,
              "argument scale is '%c'; expected 'U', 'L' or 'R'", scale);
    PSB_TRY(X(sp_check_side)(x, trans == 'N' ? t->row : t->col, "x"));
    PSB_TRY(X(sp_check_side)(y, trans == 'N' ? t->col : t->row, "y"));
    PSB_TRY(X(vect_check_idle)(y));
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    if (scale != 'U')
        PSB_TRY(X(sp_check_vect)(d, t->row, "d"));
    const struct psb_row_names was = psb_name_rows((struct psb_row_names){ global_row, t->row });
    psb_err e = X(mat_vect_sv)(alpha, t->ad, x, beta, y, trans, scale, d);
    psb_name_rows(was);
    return PSB_PASS(e);
}
