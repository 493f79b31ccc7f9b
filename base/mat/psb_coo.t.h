/* psb_coo.t.h -- room: base/mat.  Triplets: entry k is val[k] at row ia[k], column ja[k]; mat.nnz of them.  The
 * format that matrices are assembled in, and that every other can reach. */
struct X(coo_mat) {
    struct X(mat) mat;
    psb_epk cap;
    psb_ipk *ia, *ja;
    T *val;
};
extern const struct X(coo_mat) X(coo_mold);

/* Are the entries ordered by rows, and by columns within?  Local. */
int X(coo_ordered)(const struct X(coo_mat) *a);

/* Reserve memory for n entries; existing entries stay.  Local. */
PSB_MUST_CHECK psb_err X(coo_reserve)(struct X(coo_mat) *a, psb_epk n);

/* Append nz entries; indices are in range.  The capacity at least doubles when it grows.  On error a is
 * unchanged.  Local. */
PSB_MUST_CHECK psb_err X(coo_append)(struct X(coo_mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                     const T *val);

/* A new *t, the entries of a transposed, in order; a is ordered.  Local. */
PSB_MUST_CHECK psb_err X(coo_transposed)(const struct X(coo_mat) *a, struct X(coo_mat) **t);

/* Order the entries by rows, then columns, equals merged as dupl says in the order they came.  On error
 * (memory, or PSB_DUPL_ERROR met an equal, which is named) a is as it was.  Local.  Method: rows that are in
 * order already, as they are in most assemblies, stay where they are, any others are put there by a counting
 * sort; then each row is sorted by insertion, or by merging where it is long. */
PSB_MUST_CHECK psb_err X(coo_fix)(struct X(coo_mat) *a, enum psb_dupl dupl);

/* Merge: the first n entries of b, which has enough capacity, and the entries of t, both ordered, become the
 * entries of b, ordered; among equals those of b come first.  For formats: arguments are valid and not
 * checked. */
void X(coo_weave)(struct X(coo_mat) *b, psb_epk n, const struct X(coo_mat) *t);

/* Position of entry (i, j), the first of duplicates, in `of`, an ordered struct X(coo_mat); -1 if it is not
 * stored.  For formats: arguments are valid and not checked. */
psb_epk X(coo_place)(void *of, psb_ipk i, psb_ipk j);

/* y = alpha op(A) x + beta y, k columns laid out as for csmm.  By several threads where the entries are
 * ordered by rows.  PSB_ENOMEM, y as it was. */
PSB_MUST_CHECK psb_err X(coo_csmm)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y,
                                   char trans);

/* What psb_product.t.h is told of that, where the entries are ordered by rows. */
struct X(product)
    X(coo_product)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans);
