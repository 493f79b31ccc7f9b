/* psb_csrn.t.h -- ext: CSRN: compressed rows whose values are stored in few bytes; vectors, products and sums
 * are in the scalar type, and every call sees the values as they are stored.  The entries of row i are those
 * for irp[i] <= k < irp[i+1]: column ja[k], and number k of val, or numbers 2 k and 2 k + 1, real and
 * imaginary part.  A complex matrix of real values stores their real parts: half the bytes, and half the
 * work.
 *
 * A finite value that would become infinite, and in PSB_VALUES_INT8 one that is not finite or beyond -128 to
 * 127 when it is rounded, is an error that names it (PSB_EARG).  So is the first of the values that lose more
 * than `most` times their modulus; the message says how many they are.
 *
 * A row is summed in storage order, each operation rounded, on the host, the fake device and a GPU alike: y
 * has the same bits, if op is N. */
struct X(csrn_mat) {
    struct X(mat) mat;
    enum psb_values values; /* the mold's: how numbers are stored */
    double most;            /* the mold's: >= 0 */
    enum psb_values stored; /* how they are stored: not PSB_VALUES_EXACT */
    int parts;              /* numbers of a value: 1 if all are real, else 2 */
    psb_epk rounded;        /* values that are not exactly those that were given */
    struct psb_dual irp;    /* psb_epk, nrows + 1 */
    struct psb_dual ja;     /* psb_ipk, nnz */
    struct psb_dual val;    /* parts * nnz numbers */
};
extern const struct X(csrn_mat) X(csrn_mold); /* PSB_VALUES_EXACT, most infinite */
/* CSRN with values of one kind, by name: CSRN-INT8, CSRN-HALF, CSRN-BFLOAT16, CSRN-SINGLE; most infinite. */
extern const struct X(csrn_mat) X(csrn_int8_mold), X(csrn_half_mold), X(csrn_bfloat16_mold),
    X(csrn_single_mold);

/* --- inside ext and cuda ------------------------------------------------------------------------------ */

/* The arrays of a on side s; n rows. */
struct X(csrn_rows) {
    psb_ipk n;
    const psb_epk *ptr;
    const psb_ipk *idx;
    const void *val;
    enum psb_values stored;
    int parts;
};
PSB_MUST_CHECK psb_err X(csrn_open)(struct X(mat) *a, enum psb_side s, struct X(csrn_rows) *l);

/* Value k of val. */
T X(csrn_value)(const void *val, psb_epk k, enum psb_values stored, int parts);
