/* psb_auto.t.h -- room: ext.  AUTO and TUNED: molds that stand for the format that suits a matrix best.  What is
 * converted with them has that format, and its name.
 *
 * Every registered format of the host that can foresee what a product costs does so, from the rows: bytes
 * moved, and time in the core.  AUTO takes the least.  TUNED tries those that come near: it converts,
 * multiplies a few times, and takes the fastest; so its choice, and the order that sums are made in, may
 * differ from run to run.  PSB_LOG=formats prints what was foreseen, what was measured, what was taken, and
 * why. Each process of a distributed matrix chooses for its own part; nothing is collective. */
struct X(auto_mat) {
    struct X(mat) mat;
    double near;    /* try what is foreseen to take no more than this many times the least; 0: try nothing */
    double seconds; /* that the products of a trial take, beside its conversion and two products at least */
    int mirrors;    /* 1: of the formats of a device, where there is one; these are not tried */
};
extern const struct X(auto_mat) X(auto_mold);  /* near 0 */
extern const struct X(auto_mat) X(tuned_mold); /* near 2, 2 ms */

/* The slot choose, for molds that choose elsewhere. */
PSB_MUST_CHECK psb_err X(auto_choose)(const struct X(mat) *mold, struct X(mat) *a,
                                      const struct X(mat) **chosen);
