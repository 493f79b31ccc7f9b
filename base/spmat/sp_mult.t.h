/* sp_mult.t.h -- base/spmat: a product of distributed sparse matrices, on the host and by a device. */
#ifndef SP_MULT_T_H
#define SP_MULT_T_H

/* C = alpha op(A) op(B) + beta D, in the pattern of a mask: d and mask may be NULL. */
struct X(sp_operands) {
    T alpha, beta;
    const struct X(spmat) *a, *b, *d, *mask;
    char transa, transb;
};

/* The result here: its column descriptor, given or made; its pattern, if that is known; its rows. */
struct X(sp_product) {
    psb_desc *col;
    const struct X(compressed) *known;
    bool masked, values_alone; /* values_alone: known has the arrays of a matrix, to which new values go */
    struct X(mat) *rows;
    T *values;    /* in place of rows, if values_alone is set */
    bool ordered; /* columns have local numbers */
};

/* CSR on the device that has A and B and multiplies matrices, or NULL. */
const struct X(mat) *X(sp_mult_mold)(const struct X(sp_operands) *o);

/* Compute the product of operands that have been checked, on the host, or on that device what the host has
 * collected.  Collective, but for a later error. */
PSB_MUST_CHECK psb_err X(sp_multiply)(const struct X(sp_operands) *o, struct X(sp_product) *c);

/* Has a, which may be NULL, no entries in columns of other processes here? */
bool X(sp_is_near)(const struct X(spmat) *a);
/* Operands that are near, and no mask: let their device create *c, in the format of mold, NULL: CSR on the
 * device; or compute the values of c, in CSR there, in its pattern, which has been checked: false if it
 * declines, or fails: then the host does the work.  Local. */
bool X(spgemm_near)(const struct X(sp_operands) *o, const struct X(mat) *mold, struct X(mat) **c);
bool X(spgemm_near_again)(const struct X(sp_operands) *o, struct X(mat) *c);
#endif
