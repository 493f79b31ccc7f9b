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
struct X(hll_arrays) {
    struct psb_hacks g;
    psb_ipk *irn, *ja;
    T *val;
};

/* Where the first entry of row i stands. */
static inline psb_epk X(hll_first)(const struct X(hll_arrays) *s, psb_ipk i)
{
    return s->g.off[i / s->g.rows] + i % s->g.rows;
}

/* Entries that each row of hack h has room for. */
static inline psb_epk X(hll_width)(const struct X(hll_arrays) *s, psb_epk h)
{
    return (s->g.off[h + 1] - s->g.off[h]) / s->g.rows;
}

/* y = alpha op(A) x + beta y, k columns; A has ncols columns. */
PSB_MUST_CHECK psb_err X(hll_csmm)(const struct X(hll_arrays) *s, psb_ipk ncols, psb_ipk k, T alpha,
                                   const T *x, T beta, T *y, char trans);
