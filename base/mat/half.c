/* half.c -- base/mat: a symmetric or Hermitian matrix from its half. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_type.h"

/* Check the entries t of a half of the triangle that the flags of `half` name. */
static psb_err check_half(const struct X(mat) *half, const struct X(coo_mat) *t, enum psb_symmetry symmetry)
{
    const bool upper = half->is.upper;
    for (psb_epk k = 0; k < t->mat.nnz; k++) {
        const psb_ipk i = t->ia[k], j = t->ja[k];
        PSB_CHECK(upper ? j >= i : j <= i, PSB_EARG,
                  "argument half has an entry in row %d, column %d; expected entries on and %s the diagonal, "
                  "as its flags say",
                  i, j, upper ? "above" : "below");
        PSB_CHECK(i != j || symmetry == PSB_SYMMETRIC || IM(t->val[k]) == 0, PSB_EARG,
                  "argument half has the entry %g %g in row %d of the diagonal; expected a real number in a "
                  "Hermitian matrix",
                  (double)RE(t->val[k]), (double)IM(t->val[k]), i);
    }
    return PSB_OK;
}

/* Add the other half to t. */
static psb_err add_mirror_images(struct X(coo_mat) *t, enum psb_symmetry symmetry)
{
    const psb_epk n = t->mat.nnz;
    psb_epk to = n;
    PSB_TRY(X(coo_reserve)(t, 2 * n));
    for (psb_epk k = 0; k < n; k++)
        if (t->ia[k] != t->ja[k]) {
            t->ia[to] = t->ja[k];
            t->ja[to] = t->ia[k];
            t->val[to++] = symmetry == PSB_HERMITIAN ? CONJ(t->val[k]) : t->val[k];
        }
    t->mat.nnz = to;
    return X(mat_set_sorted)(&t->mat, PSB_BY_ROWS);
}

psb_err X(mat_from_half)(const struct X(mat) *half, enum psb_symmetry symmetry, const struct X(mat) *mold,
                         struct X(mat) **a)
{
    struct X(coo_mat) *t;
    PSB_NEED_HANDLE(half, "a matrix");
    PSB_NEED(a, "where to store the matrix");
    PSB_TRY(X(optional_mold)(mold));
    PSB_CHECK(symmetry == PSB_SYMMETRIC || symmetry == PSB_HERMITIAN, PSB_EARG,
              "argument symmetry is %d; expected PSB_SYMMETRIC or PSB_HERMITIAN", (int)symmetry);
    NEED_SQUARE(half);
    PSB_CHECK(half->is.triangle, PSB_EARG,
              "argument half is not marked as a triangle; expected psb_?_mat_set_triangle before");
    PSB_TRY(X(mat_entries)(half, 0, half->nrows, &t));
    struct X(mat) *made = &t->mat;
    psb_err e = check_half(half, t, symmetry);
    PSB_THEN(e, add_mirror_images(t, symmetry));
    made->is = (struct psb_mat_flags){ .state = PSB_MAT_ASB,
                                       .symmetric = symmetry == PSB_SYMMETRIC || !CPLX };
    PSB_THEN(e, X(mat_cscnv)(&made, mold ? mold : &X(csr_mold).mat));
    return PSB_PASS(X(mat_made)(e, made, a));
}
