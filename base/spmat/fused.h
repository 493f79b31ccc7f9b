/* fused.h -- base/spmat: the epilogue of a product or of a vector: its arguments, its arrays, and
 * where its dot products go.  Typed sources include this after psb_type.h and operands.h. */
#ifndef PSB_FUSED_H
#define PSB_FUSED_H

enum { PSB_MOST_OPERANDS = 4 + 2 * PSB_MOST_DOTS };

/* An opened epilogue: its vectors, each once (y, z, u, d, the factors of dot products), and its arrays.  sum:
 * this process's parts of the dot products, if they are on the host; else they are on the device, complete in
 * the scalars (done) or in the staging memory of the channel for sums.  divided: the ratios are computed with
 * the sums. */
struct fused {
    struct operand o[PSB_MOST_OPERANDS];
    int n;
    struct opened w;
    struct X(vec_epilogue) t;
    double sum[2 * PSB_MOST_DOTS];
    int stays, done, divided;
};

/* Check e and dots for y, which is assembled and has one column; x, unless it is NULL, is not y.  Local. */
PSB_MUST_CHECK psb_err X(fused_check)(const struct X(vect) *x, const struct X(vect) *y,
                                      const struct X(epilogue) *e, const T *dots);

/* Open y for `use` and the vectors of e, of whose dot products the first ndots are computed, and choose where
 * the parts of this process go.  dots: as in psb_spmv_fused.  Local. */
PSB_MUST_CHECK psb_err X(fused_open)(struct fused *f, const struct X(vect) *y, enum psb_use use,
                                     const struct X(epilogue) *e, int ndots, const T *dots);

/* Compute e after y is complete.  If rows have several owners, dot products are computed one by one.  Local.
 */
PSB_MUST_CHECK psb_err X(fused_follow)(struct fused *f, const struct X(vect) *y, const struct X(epilogue) *e,
                                       const T *dots);

/* Sum the dot products over the processes of d (NULL if no argument has a descriptor), and store them in
 * dots, or in e->to if dots is NULL.  err: the result so far; e may then be NULL.  Collective. */
PSB_MUST_CHECK psb_err X(fused_sum)(struct fused *f, psb_desc *d, const struct X(epilogue) *e, T *dots,
                                    psb_err err);

/* Are e's dot products stored in scalars on the device of y, where the parts of this process stay? */
int X(fused_stays)(const struct X(vect) *y, const struct X(epilogue) *e, const T *dots);

/* Does this process count all its rows in sums over all processes? */
static inline int fused_counts_all(const struct X(vect) *y)
{
    return !psb_desc_overlap(y->desc)->counted;
}
#endif
