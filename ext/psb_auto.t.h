/* psb_auto.t.h -- room: ext.  AUTO and TUNED: molds that choose the best format for a matrix.  A matrix
 * converted with one of them has the chosen format, and the name of that format.
 *
 * Every registered host format that can forecast the cost of a product does so from the rows of the matrix:
 * bytes moved, and time in the core.  AUTO chooses the least forecast.  TUNED tries the formats whose
 * forecast is near the least: it converts, multiplies a few times, and chooses the fastest; so its choice,
 * and the order of summation, may differ from run to run.  PSB_LOG=formats prints the forecasts, the
 * measurements, the choice and the reason.  Each process of a distributed matrix chooses for its own part;
 * nothing is collective. */
struct X(auto_mat) {
    struct X(mat) mat;
    double near;    /* try formats whose forecast is at most this many times the least; 0: try none */
    double seconds; /* time that a trial repeats the product, at least twice, after its conversion */
    int mirrors;    /* 1: choose among the formats of a device, if there is one; these are not tried */
};
extern const struct X(auto_mat) X(auto_mold);  /* near 0 */
extern const struct X(auto_mat) X(tuned_mold); /* near 2, 2 ms */

/* The slot `choose` of AUTO and TUNED, for other molds that choose a format. */
PSB_MUST_CHECK psb_err X(auto_choose)(const struct X(mat) *mold, struct X(mat) *a,
                                      const struct X(mat) **chosen);
