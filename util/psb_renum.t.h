/* psb_renum.t.h -- util: matrices whose rows and columns are renumbered alike.
 *
 * alg, without case: "rcm" (psb_order_rcm), "nd" (psb_order_nd), "none" or "id" (no change); PSB_EARG for
 * another.  After an error matrices and outputs are as they were. */

/* Move entry (i, j) of a square matrix of one process to (perm[i], perm[j]), perm by alg; the format stays.
 * perm: NULL, or an array of as many elements as rows, in which perm is stored.  a is not marked as a
 * triangle afterwards.  PSB_EARG, PSB_ENOMEM; PSB_ENOTIMPL: "nd" without METIS; PSB_EPADDING.  Local. */
PSB_MUST_CHECK psb_err X(mat_renum)(const char *alg, struct X(mat) *a, psb_ipk *perm);

/* Create *b, the matrix a with another local order of the rows owned on each process, by alg for the entries
 * in columns owned here: on a new assembled descriptor (psb_?_sp_row_desc), of its rows and columns, which
 * is freed with *b and the vectors on it.  Global indices, owners and formats stay.  psb_vects_like makes
 * vectors for *b, psb_vect_renum moves elements to them and back.  PSB_EARG unless columns are distributed
 * as the rows are; PSB_ENOTIMPL as psb_cdren and psb_mat_renum; PSB_EPADDING.  Collective. */
PSB_MUST_CHECK psb_err X(sp_renum)(const char *alg, const struct X(spmat) *a, struct X(spmat) **b);

/* As sp_renum by a given order: local row i becomes local row perm[i], 0 <= i < local rows; for instance from
 * psb_order_colours.  Collective. */
PSB_MUST_CHECK psb_err X(sp_renum_by)(const psb_ipk *perm, const struct X(spmat) *a, struct X(spmat) **b);
