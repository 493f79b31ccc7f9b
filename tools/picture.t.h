/* picture.t.h -- tools: the picture of a matrix, for one scalar. */

struct X(coo_mat);

/* Add to *p the entries of a, ordered by rows; its rows and columns are the local numbers of `row` and `col`,
 * NULL: global numbers.  Local. */
void X(picture_add)(struct picture *p, const struct X(coo_mat) *a, const psb_desc *row, const psb_desc *col);

/* Create *p, complete on process 0, of an assembled matrix; the caller frees it with picture_free.
 * Collective. */
PSB_MUST_CHECK psb_err X(picture_of)(const struct X(spmat) *a, struct picture **p);
