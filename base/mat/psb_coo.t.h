/* psb_coo.t.h -- base/mat: triplets: entry k is val[k] at row ia[k], column ja[k]; mat.nnz of them.
 * Matrices are assembled in this format, and every format converts to and from it. */
struct X(coo_mat) {
    struct X(mat) mat;
    psb_epk cap;
    psb_ipk *ia, *ja;
    T *val;
};
extern const struct X(coo_mat) X(coo_mold);

/* X(mat_made) for COO. */
static inline psb_err X(coo_made)(psb_err e, struct X(mat) *b, struct X(coo_mat) **a)
{
    struct X(mat) *made = NULL;
    e = X(mat_made)(e, b, &made);
    if (made)
        *a = (struct X(coo_mat) *)made;
    return e;
}

/* Return 1 if the entries are ordered by rows, and by columns within a row.  Local. */
int X(coo_ordered)(const struct X(coo_mat) *a);

/* Reserve memory for n entries; existing entries stay.  Local. */
PSB_MUST_CHECK psb_err X(coo_reserve)(struct X(coo_mat) *a, psb_epk n);

/* Append nz entries; indices are in range.  The capacity at least doubles when it grows.  On error a is
 * unchanged.  Local. */
PSB_MUST_CHECK psb_err X(coo_append)(struct X(coo_mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                     const T *val);

/* Create *t, the transpose of a, ordered; a is ordered.  Local. */
PSB_MUST_CHECK psb_err X(coo_transposed)(const struct X(coo_mat) *a, struct X(coo_mat) **t);

/* Order the entries by rows, then columns; merge duplicates as dupl says, in the order of insertion.  On
 * error (PSB_ENOMEM; PSB_EARG, naming a duplicate, for PSB_DUPL_ERROR) a is unchanged.  Local.  Method: if
 * the rows are not in order, as they are in most assemblies, a counting sort by rows; then each row is
 * sorted, a short one by insertion, a long one by merging. */
PSB_MUST_CHECK psb_err X(coo_fix)(struct X(coo_mat) *a, enum psb_dupl dupl);

/* As coo_fix with a valid dupl, but if there are duplicates and dupl is PSB_DUPL_ERROR, a is unchanged and
 * at[0], at[1] are the row and the column of one of them; otherwise at[0] is -1.  For callers that number
 * rows otherwise.  Local. */
PSB_MUST_CHECK psb_err X(coo_order)(struct X(coo_mat) *a, enum psb_dupl dupl, psb_ipk at[2]);

/* Merge: the first n entries of b, which has enough capacity, and the entries of t, both ordered, become the
 * entries of b, ordered; of equal ones those of b come first.  For formats: arguments are valid and not
 * checked. */
void X(coo_weave)(struct X(coo_mat) *b, psb_epk n, const struct X(coo_mat) *t);

/* Return the position of entry (i, j), of the first if it is stored twice, in `of`, an ordered struct
 * X(coo_mat); -1 if it is not stored.  For formats: arguments are valid and not checked. */
psb_epk X(coo_place)(void *of, psb_ipk i, psb_ipk j);

/* y = alpha op(A) x + beta y, k columns laid out as for csmm; by several threads if the entries are
 * ordered by rows.  PSB_ENOMEM, with y unchanged. */
PSB_MUST_CHECK psb_err X(coo_csmm)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y,
                                   char trans);

/* Return the arguments of that product for psb_product.t.h; the entries are ordered by rows. */
struct X(product)
    X(coo_product)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans);
