/* hll.t.h -- room: ext.  Hacked ELLPACK: hacks of `rows` rows each, every hack padded to the width of its
 * longest row and stored by columns.  Entry k of row i, k < irn[i], stands at
 * off[i/rows] + i%rows + k*rows; what is padded has index 0 and value 0.  The last hack is whole too. */
struct X(hll_mat) {
    struct X(mat) mat;
    psb_ipk hack; /* rows of a hack; 0: all in one, rounded up to whole cache lines */
    double limit; /* refuse to take more than this many times the bytes of CSR; 0: no limit */
    psb_epk rows;
    psb_ipk nhacks;
    struct psb_dual off; /* psb_epk, nhacks + 1 */
    struct psb_dual irn; /* psb_ipk, nrows: entries of each row */
    struct psb_dual ja;  /* psb_ipk, off[nhacks] */
    struct psb_dual val; /* T, off[nhacks] */
};
extern const struct X(hll_mat) X(hll_mold); /* hack 32, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(hacks) {
    psb_ipk m, n; /* rows, hacks */
    psb_epk rows; /* of a hack */
    psb_epk *off;
    psb_ipk *irn, *ja;
    T *val;
};

/* The first row of thread t of p: whole hacks, evenly by what is stored; of a single hack, whole strips. */
psb_ipk X(hacks_share)(const struct X(hacks) *s, int t, int p);

/* y = alpha op(A) x + beta y, k columns; A has ncols columns. */
PSB_MUST_CHECK psb_err X(hacks_csmm)(const struct X(hacks) *s, psb_ipk ncols, psb_ipk k, T alpha, const T *x,
                                     T beta, T *y, char trans);

/* Rows of a strip that begins at row `at` of a hack, `left` rows before the end. */
static inline psb_ipk X(hacks_strip)(const struct X(hacks) *s, psb_epk at, psb_ipk left)
{
    psb_epk n = s->rows - at < left ? s->rows - at : left;
    return n < PSB_HLL_STRIP ? (psb_ipk)n : PSB_HLL_STRIP;
}
