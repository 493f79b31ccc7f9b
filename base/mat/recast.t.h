/* recast.t.h -- base/mat: psb_?_mat_from_?, for recast.c: from the scalar whose letter is PSB_FROM. */
#define FROM(name) PSB_CAT(PSB_CAT(psb_, PSB_FROM), _##name)
#define PART(name) PSB_CAT(PSB_CAT(PSB_, name), PSB_FROM)

/* The entries t with the scalar T. */
static psb_err PSB_CAT(recast_, PSB_FROM)(const struct FROM(coo_mat) * t, struct X(coo_mat) *to)
{
    for (psb_epk k = 0; k < t->mat.nnz; k++) {
        const double re = (double)PART(RE_)(t->val[k]), im = (double)PART(IM_)(t->val[k]);
        const T v = MAKE(re, im);
        PSB_CHECK(CPLX || im == 0, PSB_EARG, "row %d, column %d is %g %g; expected a real number", t->ia[k],
                  t->ja[k], re, im);
        PSB_CHECK(isfinite(RE(v)) == isfinite(re) && isfinite(IM(v)) == (isfinite(im) || !CPLX), PSB_EARG,
                  "row %d, column %d is %g %g; expected a number in the range of single precision", t->ia[k],
                  t->ja[k], re, im);
        to->ia[k] = t->ia[k];
        to->ja[k] = t->ja[k];
        to->val[k] = v;
    }
    to->mat.nnz = t->mat.nnz;
    to->mat.is = t->mat.is;
    return PSB_OK;
}

psb_err PSB_CAT(X(mat_from_), PSB_FROM)(const struct FROM(mat) * a, const struct X(mat) *mold,
                                        struct X(mat) **b)
{
    struct FROM(coo_mat) * t;
    struct X(mat) *made = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(X(optional_mold)(mold));
    PSB_TRY(FROM(mat_as_coo)(a, &t));
    psb_err e = X(mat_all)(a->nrows, a->ncols, t->mat.nnz, &made);
    PSB_THEN(e, PSB_CAT(recast_, PSB_FROM)(t, (struct X(coo_mat) *)made));
    PSB_THEN(e, X(mat_cscnv)(&made, mold ? mold : &X(csr_mold).mat));
    FROM(mat_free)(&t->mat);
    return PSB_PASS(X(mat_made)(e, made, b));
}
#undef FROM
#undef PART
#undef PSB_FROM
