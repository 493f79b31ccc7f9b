/* psb_hll.t.h -- room: ext.  Hacked ELLPACK: hacks of `rows` rows each, every hack padded to the width of its
 * longest row and stored by columns.  Entry k of row i, k < irn[i], stands at
 * off[i/rows] + i%rows + k*rows; what is padded has index 0 and value 0.  The last hack is whole too.
 *
 * Where the mold says `sort`, the rows of each window of so many are stored longest first, and i above is
 * where a row is stored, its rank: row[i] is the row of that rank, rank[row[i]] = i (SELL-C-sigma; Kreutzer,
 * Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput. 36, 2014). */
struct X(hll_mat) {
    struct X(mat) mat;
    psb_ipk hack; /* rows of a hack; 0: all in one, rounded up to whole cache lines */
    psb_ipk sort; /* rows of a window; 0 or 1: rows stay where they are */
    double limit; /* refuse to take more than 1 MiB and this many times CSR; 0: no limit */
    psb_epk rows;
    psb_ipk nhacks;
    struct psb_dual off;       /* psb_epk, nhacks + 1 */
    struct psb_dual irn;       /* psb_ipk, nrows: entries of each row */
    struct psb_dual ja;        /* psb_ipk, off[nhacks] */
    struct psb_dual val;       /* T, off[nhacks] */
    struct psb_dual row, rank; /* psb_ipk, nrows each, or none where rows stay */
};
extern const struct X(hll_mat) X(hll_mold); /* hack 32, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(hll_arrays) {
    struct psb_hacks g;
    psb_ipk *irn, *ja;
    T *val;
    psb_ipk *row, *rank; /* NULL: rows stay where they are */
};

static inline psb_ipk X(hll_row)(const struct X(hll_arrays) *s, psb_ipk rank)
{
    return s->row ? s->row[rank] : rank;
}

static inline psb_ipk X(hll_rank)(const struct X(hll_arrays) *s, psb_ipk row)
{
    return s->rank ? s->rank[row] : row;
}

/* Position of the first entry of the row of rank i. */
static inline psb_epk X(hll_first)(const struct X(hll_arrays) *s, psb_ipk i)
{
    return s->g.off[i / s->g.rows] + i % s->g.rows;
}

/* Places per row in hack h. */
static inline psb_epk X(hll_width)(const struct X(hll_arrays) *s, psb_epk h)
{
    return (s->g.off[h + 1] - s->g.off[h]) / s->g.rows;
}

/* y = alpha op(A) x + beta y, k columns; A has ncols columns. */
PSB_MUST_CHECK psb_err X(hll_csmm)(const struct X(hll_arrays) *s, psb_ipk ncols, psb_ipk k, T alpha,
                                   const T *x, T beta, T *y, char trans);

/* The same product as a struct for psb_product.t.h. */
struct X(product)
    X(hll_product)(const struct X(hll_arrays) *s, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans);

/* *s = the arrays of a, to be read. */
PSB_MUST_CHECK psb_err X(hll_open)(struct X(mat) *a, struct X(hll_arrays) *s);

/* For a build on a device.  hll_lay_out: set the sizes and register hacks, lengths and ranks, allocated at
 * their first write.  hll_check: PSB_EPADDING if `size` places, with rows of up to `widest` entries, are
 * beyond the limit.  hll_room: register columns and values for `size` places. */
PSB_MUST_CHECK psb_err X(hll_lay_out)(struct X(hll_mat) *a, struct psb_hacks *g);
PSB_MUST_CHECK psb_err X(hll_check)(const struct X(hll_mat) *a, psb_epk size, psb_epk widest);
PSB_MUST_CHECK psb_err X(hll_room)(struct X(hll_mat) *a, psb_epk size);
