/* mat.c -- cbind: matrices: handles, assembly, products. */
#include "cbind.h"
#include "env.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "cbind.t.h"
#include "refill.h"

/* --- boxes ---------------------------------------------------------------------------------------------- */

psb_err X(cbind_mat)(const C(spmat) * ah, const char *name, struct X(cbind_mat) **b)
{
    *b = ah ? ah->SPMAT : NULL;
    return *b && (*b)->what == IS_MATRIX ? PSB_OK : psb_cbind_empty(ah, name, "a matrix of psb_c_?spall");
}

/* The same for a distributed matrix. */
static psb_err open_distributed(const C(spmat) * ah, const char *name, struct X(spmat) **a)
{
    struct X(cbind_mat) *b;
    PSB_TRY(X(cbind_mat)(ah, name, &b));
    PSB_CHECK(b->a, PSB_EARG, "argument %s is a matrix of psb_c_?spgather; expected a distributed one", name);
    *a = b->a;
    return PSB_OK;
}

/* The same for a call that does not need the descriptor, but is given it. */
static psb_err open_matrix(const C(spmat) * ah, const psb_c_descriptor *cdh, const char *name,
                           struct X(spmat) **a)
{
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    return open_distributed(ah, name, a);
}

psb_err X(cbind_open_with)(const C(spmat) * ah, int m, C(vector) *const *h, struct X(spmat) **a,
                           struct X(vect) **v)
{
    PSB_TRY(open_distributed(ah, "ah", a));
    return X(cbind_open)((*a)->row, m, h, v);
}

void X(cbind_free_mat)(struct X(cbind_mat) *b)
{
    X(spfree)(b->a);
    X(mat_free)(b->whole);
    psb_free(b);
}

psb_err X(cbind_set_mat)(C(spmat) * ah, struct X(spmat) *a, struct X(mat) *whole)
{
    struct X(cbind_mat) *b;
    psb_err e = psb_alloc_zero(&b, 1, sizeof *b, "matrix");
    if (e != PSB_OK) {
        X(spfree)(a);
        X(mat_free)(whole);
        return e;
    }
    b->what = IS_MATRIX;
    b->a = a;
    b->whole = whole;
    ah->SPMAT = b;
    return PSB_OK;
}

C(spmat) * PSB_CAT(PSB_CAT(psb_c_new_, PSB_NOW), spmat)(void)
{
    return calloc(1, sizeof(C(spmat)));
}

psb_i_t C(spfree)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    (void)cdh;
    if (!mh || !mh->SPMAT)
        return PSB_ERR_ERROR;
    X(cbind_free_mat)(mh->SPMAT);
    mh->SPMAT = NULL;
    return 0;
}

/* --- allocation, insertion, assembly -------------------------------------------------------------------- */

static psb_err allocate_matrix_here(C(spmat) * mh, psb_desc *d, enum psb_remote_mode mode)
{
    struct X(spmat) *a = NULL;
    PSB_NEED(mh, "a handle of psb_c_new_?spmat");
    if (mh->SPMAT)
        return PSB_CBIND_HANDLE;
    PSB_TRY(X(spall)(&a, d, 0));
    psb_err e = X(sp_set_remote)(a, mode);
    if (e != PSB_OK) {
        X(spfree)(a);
        return e;
    }
    return X(cbind_set_mat)(mh, a, NULL);
}

/* The same on all processes, or on none. */
static psb_err allocate_matrix(C(spmat) * mh, const psb_c_descriptor *cdh, enum psb_remote_mode mode)
{
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    const psb_err mine = allocate_matrix_here(mh, d->d, mode);
    const psb_err e = psb_cbind_agree(psb_cd_ctxt(d->d), mine);
    if (e != PSB_OK && mine == PSB_OK)
        C(spfree)(mh, NULL);
    return e;
}

psb_i_t C(spall)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    return CODE(allocate_matrix(mh, cdh, PSB_REMOTE_DROP));
}

psb_i_t C(spall_remote)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    return CODE(allocate_matrix(mh, cdh, PSB_REMOTE_SEND));
}

/* Does PSBLAS look at entry (i, j)?  Not if an index is out of range, the row is dropped, or the column is
 * not in an assembled descriptor. */
static bool is_looked_at(const struct X(spmat) *a, psb_lpk i, psb_lpk j)
{
    if (!psb_cbind_in_range(a->row, i) || !psb_cbind_in_range(a->col, j))
        return false;
    if (!psb_is_owned(a->row, i))
        return a->remote;
    return psb_cd_state(a->col) == PSB_BUILD || psb_glob_to_loc(a->col, j) >= 0;
}

/* Insert without recording an error. */
static psb_err try_to_insert(psb_i_t nz, const psb_l_t *irw, const psb_l_t *icl, const T *val,
                             struct X(spmat) *a)
{
    return QUIETLY(X(spins)(nz, irw, icl, val, a));
}

/* Insert one entry after the other but those that PSBLAS ignores: also, in state UPDATE, one that is not
 * stored. */
static psb_err insert_each(psb_i_t nz, const psb_l_t *irw, const psb_l_t *icl, const T *val,
                           struct X(spmat) *a)
{
    for (psb_i_t k = 0; k < nz; k++) {
        if (!is_looked_at(a, irw[k], icl[k]))
            continue;
        const psb_err e = try_to_insert(1, irw + k, icl + k, val + k, a);
        if (e != PSB_OK && (e != PSB_EARG || a->state != PSB_UPDATE))
            return X(spins)(1, irw + k, icl + k, val + k, a); /* records the error */
    }
    return PSB_OK;
}

psb_i_t C(spins)(psb_i_t nz, const psb_l_t *irw, const psb_l_t *icl, const T *val, C(spmat) * mh,
                 psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    NEED_OK(open_matrix(mh, cdh, "mh", &a));
    const psb_err e = try_to_insert(nz, irw, icl, val, a);
    if (e == PSB_EARG && nz > 0 && irw && icl && val)
        return CODE(insert_each(nz, irw, icl, val, a));
    return CODE(e == PSB_OK ? e : X(spins)(nz, irw, icl, val, a)); /* records the error */
}

/* The mold of the format `afmt`, which blanks may follow, or NULL. */
static const struct X(mat) *mold_named(const char *afmt)
{
    char name[32];
    snprintf(name, sizeof name, "%s", afmt);
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--)
        name[n - 1] = '\0';
    psb_expect_errors(1);
    const struct X(mat) *mold = X(mat_by_name)(name);
    psb_expect_errors(0);
    return mold;
}

psb_err X(cbind_mold)(psb_ctxt *ctxt, const char *afmt, const struct X(mat) **mold)
{
    const char *by = afmt == psb_env("PSB_FORMAT") ? "the environment variable PSB_FORMAT" : "argument afmt";
    bool unknown = !(*mold = mold_named(afmt));
    PSB_TRY(psb_max(ctxt, 1, &unknown, -1));
    if (!unknown)
        return PSB_OK;
    PSB_TRY(psb_cbind_open_device(ctxt));
    *mold = mold_named(afmt);
    psb_err e = PSB_OK;
    if (!*mold)
        e = PSB_FAIL(PSB_EARG, "%s is \"%s\"; expected the name of a registered format, as CSR or HLL", by,
                     afmt);
    return psb_agree(ctxt, e);
}

static psb_err check_matrix_dupl(psb_i_t dupl)
{
    PSB_CHECK(dupl >= psb_dupl_add_ && dupl <= psb_dupl_def_, PSB_EARG,
              "argument dupl is %d; expected psb_dupl_def_, _add_, _ovwrt_ or _err_", dupl);
    return PSB_OK;
}

static psb_err assemble_matrix(const C(spmat) * mh, const psb_c_descriptor *cdh, const char *afmt,
                               psb_i_t dupl)
{
    static const enum psb_dupl how[] = { [psb_dupl_def_] = PSB_DUPL_ADD,
                                         [psb_dupl_add_] = PSB_DUPL_ADD,
                                         [psb_dupl_ovwrt_] = PSB_DUPL_OVERWRITE,
                                         [psb_dupl_err_] = PSB_DUPL_ERROR };
    struct X(spmat) *a = NULL;
    const struct X(mat) *mold = NULL;
    PSB_TRY(open_matrix(mh, cdh, "mh", &a));
    PSB_TRY(psb_agree(psb_cd_ctxt(a->row), check_matrix_dupl(dupl)));
    if (afmt || a->state == PSB_BUILD)
        PSB_TRY(X(cbind_mold)(psb_cd_ctxt(a->row), afmt ? afmt : psb_cbind_format(), &mold));
    if (a->state == PSB_ASSEMBLED)
        return mold ? X(spcnv)(a, mold) : PSB_OK;
    PSB_TRY(psb_cbind_assembled(a->row));
    return X(spasb)(a, mold, how[dupl]);
}

psb_i_t C(spasb)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    return CODE(assemble_matrix(mh, cdh, NULL, psb_dupl_def_));
}

psb_i_t C(spasb_opt)(C(spmat) * mh, psb_c_descriptor *cdh, const char *afmt, psb_i_t upd, psb_i_t dupl)
{
    (void)upd;
    return CODE(assemble_matrix(mh, cdh, afmt && *afmt ? afmt : psb_cbind_format(), dupl));
}

psb_i_t C(sprn)(C(spmat) * mh, psb_c_descriptor *cdh, bool clear)
{
    struct X(spmat) *a = NULL;
    NEED_OK(open_matrix(mh, cdh, "mh", &a));
    if (a->state != PSB_ASSEMBLED) /* open already */
        return 0;
    NEED_OK(X(sprn)(a, clear));
    return CODE(a->remote_mode == PSB_REMOTE_SEND ? X(sp_set_remote)(a, PSB_REMOTE_SEND) : PSB_OK);
}

psb_i_t C(copy_mat)(C(spmat) * ah, C(spmat) * bh, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL, *copy = NULL;
    NEED_OK(open_matrix(ah, cdh, "ah", &a));
    if (!bh || bh == ah)
        return CODE(PSB_FAIL(PSB_EARG, "argument bh is %s; expected another handle", bh ? "ah" : "NULL"));
    if (a->state != PSB_ASSEMBLED)
        return PSB_ERR_ERROR;
    NEED_OK(X(sp_clone)(a, &copy));
    if (bh->SPMAT)
        C(spfree)(bh, cdh);
    return CODE(X(cbind_set_mat)(bh, copy, NULL));
}

/* --- queries -------------------------------------------------------------------------------------------- */

psb_i_t C(mat_get_nrows)(C(spmat) * mh)
{
    const struct X(cbind_mat) *b = mh ? mh->SPMAT : NULL;
    if (!b)
        return 0;
    return b->whole ? b->whole->nrows : psb_cd_local_rows(b->a->row);
}

psb_i_t C(mat_get_ncols)(C(spmat) * mh)
{
    const struct X(cbind_mat) *b = mh ? mh->SPMAT : NULL;
    if (!b)
        return 0;
    return b->whole ? b->whole->ncols : psb_cd_local_cols(b->a->col);
}

/* The entries of a on all processes; those inserted so far if it is not assembled. */
static psb_err count_entries(const struct X(spmat) *a, psb_epk *nz)
{
    if (a->state == PSB_ASSEMBLED)
        return X(nnz)(a, nz);
    const bool build = a->state == PSB_BUILD;
    *nz = build ? a->build->mat.nnz + a->build_halo->mat.nnz : a->ad->nnz + a->ah->nnz;
    return psb_sum(psb_cd_ctxt(a->row), 1, nz, -1);
}

psb_l_t C(nnz)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    psb_epk nz = 0;
    psb_err e = open_matrix(mh, cdh, "mh", &a);
    if (e == PSB_CBIND_HANDLE)
        return 0;
    return CODE(e == PSB_OK ? count_entries(a, &nz) : e) == 0 ? nz : PSB_ERR_ERROR;
}

/* The value stored at global row i, which is owned here, and column j. */
static psb_err find_value(const struct X(spmat) *a, psb_lpk i, psb_lpk j, T *val)
{
    psb_epk nz = 0;
    psb_lpk *col = NULL;
    T *v = NULL;
    PSB_CHECK(psb_is_owned(a->row, i), PSB_EARG, "argument rowindex is %" PRId64 ", a row not owned here", i);
    const psb_ipk row = psb_glob_to_loc(a->row, i);
    *val = 0;
    PSB_TRY(X(sp_csget)(a, row, 0, NULL, NULL, NULL, &nz));
    psb_err e = psb_alloc(&col, (size_t)nz + 1, sizeof *col, "columns of a row");
    PSB_THEN(e, psb_alloc(&v, (size_t)nz + 1, sizeof *v, "values of a row"));
    PSB_THEN(e, X(sp_csget)(a, row, nz, NULL, col, v, &nz));
    for (psb_epk k = 0; e == PSB_OK && k < nz; k++)
        if (col[k] == j)
            *val = v[k];
    psb_free(col);
    psb_free(v);
    return e;
}

T C(matgetelem)(C(spmat) * ah, psb_l_t rowindex, psb_l_t colindex, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    T val = 0;
    psb_err e = open_matrix(ah, cdh, "ah", &a);
    return NUMBER(e == PSB_OK ? find_value(a, rowindex, colindex, &val) : e, val);
}

static bool is_in_state(const C(spmat) * mh, const psb_c_descriptor *cdh, enum psb_state state)
{
    const struct X(cbind_mat) *b = mh && cdh && cdh->descriptor ? mh->SPMAT : NULL;
    return b && b->a && b->a->state == state;
}

/* clang-format off */
#define IS_MAT(name, state) bool C(is_mat##name)(C(spmat) * mh, psb_c_descriptor *cdh) \
    { return is_in_state(mh, cdh, state); }
/* clang-format on */
IS_MAT(upd, PSB_UPDATE)
IS_MAT(asb, PSB_ASSEMBLED)
IS_MAT(bld, PSB_BUILD)

psb_i_t C(set_matupd)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    return C(sprn)(mh, cdh, false);
}

psb_i_t C(set_matasb)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    return C(spasb)(mh, cdh);
}

psb_i_t C(set_matbld)(C(spmat) * mh, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    NEED_OK(open_matrix(mh, cdh, "mh", &a));
    return a->state == PSB_BUILD ? 0 : PSB_ERR_ERROR;
}

/* --- products ------------------------------------------------------------------------------------------- */

/* v: the vectors of the handles h[0..1].  A process without a vector calls the product all the same, so that
 * its neighbours do not wait for it. */
static psb_err multiply(T alpha, const C(spmat) * ah, C(vector) *const *h, T beta,
                        const psb_c_descriptor *cdh, char trans, bool doswap, struct X(vect) **v)
{
    struct X(spmat) *a = NULL;
    struct X(vect) *copy = NULL;
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    psb_err e = X(cbind_open_with)(ah, 2, h, &a, v);
    if (e == PSB_OK && v[0] == v[1])
        e = psb_agree(psb_cd_ctxt(a->row), X(vect_clone)(v[0], &copy));
    if (e == PSB_OK) {
        e = X(spmv_opt)(alpha, a, copy ? copy : v[0], beta, v[1], trans, doswap);
        X(gefree)(copy);
    } else if (a) {
        (void)!QUIETLY(X(spmv_opt)(alpha, a, NULL, beta, NULL, trans, doswap));
    }
    return e;
}

psb_i_t C(spmm_opt)(T alpha, C(spmat) * ah, C(vector) * xh, T beta, C(vector) * yh, psb_c_descriptor *cdh,
                    char *trans, bool doswap)
{
    struct X(vect) *v[2] = { 0 };
    const psb_err e = multiply(alpha, ah, (C(vector) *[]){ xh, yh }, beta, cdh, psb_cbind_letter(trans),
                               doswap, v);
    return CLOSE(yh, v[1], e);
}

psb_i_t C(spmm)(T alpha, C(spmat) * ah, C(vector) * xh, T beta, C(vector) * yh, psb_c_descriptor *cdh)
{
    struct X(vect) *v[2] = { 0 };
    const psb_err e = multiply(alpha, ah, (C(vector) *[]){ xh, yh }, beta, cdh, 'N', true, v);
    return CLOSE(yh, v[1], e);
}

/* Store in ia and ja the places of the nz entries of `own`, and return on which sides of the diagonal they
 * are: bits BELOW, ABOVE. */
enum { BELOW = 1, ABOVE = 2 };
static psb_err find_sides(const struct X(mat) *own, psb_ipk *ia, psb_ipk *ja, unsigned *found)
{
    psb_epk nz = 0;
    PSB_TRY(X(mat_csget)(own, NULL, own->nnz, ia, ja, NULL, &nz));
    *found = 0;
    for (psb_epk k = 0; k < nz; k++)
        *found |= ia[k] > ja[k] ? BELOW : ia[k] < ja[k] ? ABOVE : 0;
    return PSB_OK;
}

/* Mark a as the triangle that its entries form, unless it is marked: PSBLAS's C interface has no call that
 * does. */
static psb_err find_triangle(struct X(spmat) *a)
{
    const struct X(mat) *own = NULL;
    psb_ipk *ia = NULL, *ja = NULL;
    unsigned found = 0;
    if (a->state != PSB_ASSEMBLED || X(sp_is_triangle)(a))
        return PSB_OK;
    PSB_TRY(X(sp_local)(a, &own, NULL, NULL));
    psb_err e = psb_alloc(&ia, (size_t)own->nnz + 1, sizeof *ia, "rows of a triangle");
    PSB_THEN(e, psb_alloc(&ja, (size_t)own->nnz + 1, sizeof *ja, "columns of a triangle"));
    PSB_THEN(e, find_sides(own, ia, ja, &found));
    psb_free(ia);
    psb_free(ja);
    PSB_TRY(e);
    PSB_CHECK(found != (BELOW | ABOVE), PSB_EARG,
              "the matrix has entries on both sides of the diagonal; expected a triangle");
    PSB_TRY(X(sp_set_triangle)(a, 1));
    return found == ABOVE ? X(sp_set_upper)(a, 1) : X(sp_set_lower)(a, 1);
}

psb_i_t C(spsm)(T alpha, C(spmat) * th, C(vector) * xh, T beta, C(vector) * yh, psb_c_descriptor *cdh)
{
    struct X(spmat) *t = NULL;
    struct X(vect) *v[2] = { 0 };
    struct psb_cbind_desc *d;
    NEED_OK(psb_cbind_desc(cdh, &d));
    NEED_OK(X(cbind_open_with)(th, HANDLES(xh, yh), &t, v));
    NEED_OK(find_triangle(t));
    return CLOSE(yh, v[1], X(spsm)(alpha, t, v[0], beta, v[1], 'N', 'U', NULL));
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Scale what has been inserted so far if a is not assembled. */
static psb_err scale_matrix(T alpha, struct X(spmat) *a)
{
    if (a->state == PSB_ASSEMBLED)
        return X(spscal)(alpha, a);
    const bool build = a->state == PSB_BUILD;
    PSB_TRY(X(mat_scal)(build ? &a->build->mat : a->refill->d, alpha));
    return X(mat_scal)(build ? &a->build_halo->mat : a->refill->h, alpha);
}

psb_i_t C(spscal)(T alpha, C(spmat) * ah, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    NEED_OK(open_matrix(ah, cdh, "ah", &a));
    return CODE(scale_matrix(alpha, a));
}

psb_i_t C(spscalpid)(T alpha, C(spmat) * ah, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    NEED_OK(open_matrix(ah, cdh, "ah", &a));
    return CODE(X(sp_scalpid)(alpha, a));
}

psb_i_t C(spaxpby)(T alpha, C(spmat) * ah, T beta, C(spmat) * bh, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL, *b = NULL;
    NEED_OK(open_matrix(ah, cdh, "ah", &a));
    NEED_OK(open_distributed(bh, "bh", &b));
    return CODE(X(spaxpby)(beta, b, alpha, a));
}

bool C(gecmpmat)(C(spmat) * ah, C(spmat) * bh, R tol, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL, *b = NULL;
    int equal = 0;
    psb_err e = open_matrix(ah, cdh, "ah", &a);
    PSB_THEN(e, open_distributed(bh, "bh", &b));
    return CODE(e == PSB_OK && tol >= 0 ? X(sp_cmp)(a, b, tol, &equal) : e) == 0 && equal;
}

bool C(gecmpmat_val)(C(spmat) * ah, T val, R tol, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    int equal = 0;
    psb_err e = open_matrix(ah, cdh, "ah", &a);
    return CODE(e == PSB_OK && tol >= 0 ? X(sp_cmpval)(a, val, tol, &equal) : e) == 0 && equal;
}
