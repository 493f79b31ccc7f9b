/* psb_auto.t.h -- ext: AUTO and TUNED, molds that choose a format for a matrix.  A matrix converted with one
 * of them has the chosen format, and the name of that format.
 *
 * AUTO chooses by bytes alone, so alike on every machine: the first format of its rule that takes at most
 * `times` the bytes of CSR.  TUNED times the registered formats of the same kind, of the host or of the
 * device, that take at most `near` times the bytes of the lightest one, or no more than CSR: it converts,
 * multiplies for `seconds`, and chooses the fastest.  Its choice, and the order of summation, may differ from
 * run to run. PSB_LOG=formats prints the bytes, the times and the choice.  Each process of a distributed
 * matrix chooses for its own part; nothing is collective. */
struct X(auto_offer) {
    const struct X(mat) *mold;
    double times; /* of the bytes of CSR; the last offer of a rule has INFINITY */
};

struct X(auto_mat) {
    struct X(mat) mat;
    const struct X(auto_offer) *rule; /* formats of a device: without one, AUTO's rule */
    double near;                      /* 0: no trial, the rule decides */
    double seconds;                   /* of a trial, which has at least two products */
};
extern const struct X(auto_mat) X(auto_mold);  /* DIA, HDIA: 1; SELL: 1.2; CSR */
extern const struct X(auto_mat) X(tuned_mold); /* near 1.5, 2 ms */

/* The slot `choose` of molds with this struct. */
PSB_MUST_CHECK psb_err X(auto_choose)(const struct X(mat) *mold, struct X(mat) *a,
                                      const struct X(mat) **chosen);
