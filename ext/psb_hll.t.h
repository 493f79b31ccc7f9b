/* psb_hll.t.h -- ext: hacked ELLPACK: hacks of `rows` rows, each padded to the length of its longest
 * row and stored by columns.  Entry k of row i, k < irn[i], is element off[i/rows] + i%rows + k*rows; padding
 * has index 0 and value 0.  The last hack is stored in full, too.
 *
 * If the mold's `sort` is set, the rows of each window of `sort` rows are stored longest first, and i above
 * is the rank of a row, i.e. its position in storage: row[i] is the row of rank i, rank[row[i]] = i
 * (SELL-C-sigma; Kreutzer, Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput. 36, 2014). */
struct X(hll_mat) {
    struct X(mat) mat;
    psb_ipk hack; /* rows of a hack; 0: a single hack, rounded up to whole cache lines */
    psb_ipk sort; /* rows of a window; 0 or 1: rows are not sorted */
    double limit; /* refuse more than 1 MiB and this many times the bytes of CSR; 0: no limit */
    psb_epk rows;
    psb_ipk nhacks;
    struct psb_dual off;       /* psb_epk, nhacks + 1 */
    struct psb_dual irn;       /* psb_ipk, nrows: entries of each row */
    struct psb_dual ja;        /* psb_ipk, off[nhacks] */
    struct psb_dual val;       /* T, off[nhacks] */
    struct psb_dual row, rank; /* psb_ipk, nrows each, or none if rows are not sorted */
};
extern const struct X(hll_mat) X(hll_mold); /* hack 32, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(hll_arrays) {
    struct psb_hacks g;
    bool full; /* the rows of each hack have the same length; only rows beyond the last are padding */
    psb_ipk *irn, *ja;
    T *val;
    psb_ipk *row, *rank; /* NULL if rows are not sorted */
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

/* Elements per row in hack h. */
static inline psb_epk X(hll_width)(const struct X(hll_arrays) *s, psb_epk h)
{
    return (s->g.off[h + 1] - s->g.off[h]) / s->g.rows;
}

/* Stored entries of a row if a has at most one hack (ELL), else 0. */
static inline int X(ell_width)(const struct X(hll_mat) *a)
{
    if (a->nhacks != 1 || a->rows == 0)
        return 0;
    return (int)(a->ja.bytes / sizeof(psb_ipk) / (size_t)a->rows);
}

/* y = alpha op(A) x + beta y for k columns; A has ncols columns. */
PSB_MUST_CHECK psb_err X(hll_csmm)(const struct X(hll_arrays) *s, psb_ipk ncols, psb_ipk k, T alpha,
                                   const T *x, T beta, T *y, char trans);

/* The same product as a struct for psb_product.t.h. */
struct X(product)
    X(hll_product)(const struct X(hll_arrays) *s, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans);

/* *s = the arrays of a, to be read. */
PSB_MUST_CHECK psb_err X(hll_open)(struct X(mat) *a, struct X(hll_arrays) *s);

/* For a build on a device.  hll_lay_out: set the sizes and register hacks, lengths and ranks, allocated at
 * their first write.  hll_check: PSB_EPADDING if `size` elements, with rows of up to `widest` entries,
 * are beyond the limit.  hll_register: register columns and values for `size` elements. */
PSB_MUST_CHECK psb_err X(hll_lay_out)(struct X(hll_mat) *a, struct psb_hacks *g);
PSB_MUST_CHECK psb_err X(hll_check)(const struct X(hll_mat) *a, psb_epk size, psb_epk widest);
PSB_MUST_CHECK psb_err X(hll_register)(struct X(hll_mat) *a, psb_epk size);
