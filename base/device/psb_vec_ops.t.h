/* psb_vec_ops.t.h -- base/device: vector operations on the host or on a device, one table for each.
 *
 * Every n is >= 0, every pointer points to memory of the table's side, and arrays do not overlap unless
 * stated otherwise.  An array of k columns is stored by rows, element (i, j) at i k + j; elementwise
 * operations get n = rows times columns.  Every table has the first four functions; others may be NULL in the
 * table of a device, and are then computed on the host. */

/* A factor: value, multiplied by the scalar at `by` on the table's side, unless it is NULL. */
struct X(vec_factor) {
    T value;
    const T *by;
};

/* Steps on scalars, and on a column (NULL: one that has not ended), all on the table's side, one after the
 * other: see enum psb_step_kind.  b, to: NULL if the step has none; to may be a or b. */
struct X(vec_step) {
    enum psb_step_kind kind;
    const T *a, *b;
    T *to;
    const char *what;
};
struct X(vec_steps) {
    int n; /* at most PSB_MOST_STEPS */
    struct psb_column *column;
    struct X(vec_step) step[PSB_MOST_STEPS];
};

/* z = alpha x + beta y, elementwise. */
struct X(vec_axpby) {
    struct X(vec_factor) alpha, beta;
    const T *x, *y;
    T *z;
};

/* The epilogue of a product y of one column: z = gamma y + delta z, unless z is NULL; then u = d z, or d y
 * without z, elementwise, unless u is NULL; then the dot products of left[i] and right[i], which may be any
 * arrays, among them y, the updated z, and u.  A vector with factor 0 is not used.  Dot product i is
 * stored in to[i] if to[0] is not NULL, and then the steps are done; else its real and imaginary part in
 * stay[2i] and stay[2i+1] if `stay` is not NULL; else it is returned to the host.  `to` and `stay` are on the
 * table's side; with them a device does not wait.  A part that is not PSB_SUM_WHOLE has `stay`, which is
 * complete after the last one, and until then *kept belongs to the table.  Of a product: from: y before it,
 * NULL: y; drop: y need not be stored. */
struct X(vec_epilogue) {
    struct X(vec_factor) gamma, delta;
    T *z;
    const T *d, *from;
    T *u;
    bool drop;
    int ndots; /* at most PSB_MOST_DOTS */
    const T *left[PSB_MOST_DOTS], *right[PSB_MOST_DOTS];
    T *to[PSB_MOST_DOTS];
    struct X(vec_steps) steps;
    double *stay;
    enum psb_sum_part part;
    struct psb_kept_sums *kept;
    struct psb_dual *scratch; /* of fused kernels: see psb_mat.t.h */
};

/* Sums over processes: to[i], i < n, is the sum of entry i of the first `before` rows at `others`, of `mine`,
 * and of the other rows, `count` in all, in this order.  An entry has two numbers, its real and imaginary
 * part; a row has `width` numbers.  First the exchange is made: it sends `mine` to all others, whose parts
 * arrive at `others`.  Last, the steps are done. */
struct X(vec_totals) {
    int n, before, count, width;
    const double *mine, *others;
    T *to[PSB_MOST_DOTS];
    struct X(vec_steps) steps;
    struct psb_exchange exchange;
};

/* Rows with several owners, of k columns: row loc[i] of x, i < n, becomes what `op` says of the values of its
 * owners, added in their order.  Owner o, start[i] <= o < start[i+1], has row place[o] of `in`; where
 * place[o] is -1 it is this process, which has row loc[i] of x.  Rows loc[i] are distinct. */
struct X(vec_owners) {
    enum psb_ovrl op;
    psb_ipk n;
    int k;
    const psb_ipk *loc, *start, *place;
    const T *in;
    T *x;
};

/* Operation `kind` on val[k] and y[idx[k] - base], 0 <= k < n, or on y[k] if idx is NULL.  len: the elements
 * of y. */
struct X(vec_sparse) {
    enum psb_sparse_kind kind;
    psb_ipk n, len;
    int base;
    const psb_ipk *idx;
    T a, s, *val, *y;
};

struct X(vec_ops) {
    /* x = a */
    psb_err (*fill)(psb_epk n, T a, T *x);
    /* y = alpha x + beta y; x is not read if alpha == 0, y is not read if beta == 0; x may be y */
    psb_err (*axpby)(psb_epk n, T alpha, const T *x, T beta, T *y);
    /* Gather k columns: row i of buf = row idx[i] of x, i < n. */
    psb_err (*gth)(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf);
    /* Add k columns: row idx[i] of y += row i of buf, i < n; the indices are distinct. */
    psb_err (*scatter_add)(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y);

    /* Set k columns: row idx[i] of y = beta times itself plus row i of buf, i < n; the indices are distinct;
     * y is not read if beta == 0 */
    psb_err (*scatter)(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T beta, T *y);

    /* Elementwise operations: the last array is the output, and may be any of the inputs.
     * z = alpha x + beta y; a vector with factor 0 is not read */
    psb_err (*axpbyz)(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z);
    /* y = alpha x + beta y, then z = gamma y + delta z; a vector with factor 0 is not read; the three are
     * distinct */
    psb_err (*upd_xyz)(psb_epk n, T alpha, T beta, T gamma, T delta, const T *x, T *y, T *z);
    /* the m sums, m <= PSB_MOST_SUMS, element by element one after the other in one pass: a sum may read what
     * an earlier one has written; a vector with factor 0 is not used */
    psb_err (*axpbys)(psb_epk n, int m, const struct X(vec_axpby) *sum);
    /* column by column, n rows of k: y_j = alpha[j] x_j + beta[j] y_j; a column with factor 0 is not read;
     * beta NULL: all 0; x may be y */
    psb_err (*axpby_cols)(psb_ipk n, int k, const T *alpha, const T *x, const T *beta, T *y);
    /* y = x times factor[j], column by column, from and to the scalar of single precision */
    psb_err (*narrow)(psb_ipk n, int k, const R *factor, const T *x,
                      PSB_CAT(PSB_SCALAR_, PSB_CAT(PSB_SINGLE_, PSB_NOW)) * y);
    psb_err (*widen)(psb_ipk n, int k, const R *factor,
                     const PSB_CAT(PSB_SCALAR_, PSB_CAT(PSB_SINGLE_, PSB_NOW)) * x, T *y);
    /* row i of x = number `from` + i of psb_random.h, in all k columns */
    psb_err (*random)(psb_ipk n, int k, psb_lpk from, T *x);
    /* y = beta y, then y += alpha[0] x[0], then y += alpha[1] x[1], and so on, in one pass; the m arrays
     * x[i], m <= PSB_MOST_VECTORS, are not y; an array with factor 0 is not read */
    psb_err (*maxpby)(psb_epk n, int m, const T *alpha, const T *const *x, T beta, T *y);
    /* y = x c + beta y for n rows of k <= PSB_MOST_BLOCK columns; c, on the host, has k x k elements by rows;
     * x is not y; y is not read if beta == 0 */
    psb_err (*block_axpy)(psb_ipk n, int k, const T *x, const T *c, T beta, T *y);
    /* z = alpha x y + beta z; z is not read if beta == 0 */
    psb_err (*mlt)(psb_epk n, T alpha, const T *x, const T *y, T beta, T *z);
    /* z = x / y; y = 1 / x; y = |x| */
    psb_err (*div)(psb_epk n, const T *x, const T *y, T *z);
    psb_err (*inv)(psb_epk n, const T *x, T *y);
    psb_err (*abs)(psb_epk n, const T *x, T *y);
    /* z = 1 if |x| >= c, else 0 */
    psb_err (*cmp)(psb_epk n, R c, const T *x, T *z);
    /* z = x + b */
    psb_err (*addconst)(psb_epk n, T b, const T *x, T *z);
    /* m = 1 if x violates the constraint c (see psb_mask), else 0; only real parts count */
    psb_err (*mask)(psb_epk n, const T *c, const T *x, T *m);

    /* the rows with several owners */
    psb_err (*join_owners)(const struct X(vec_owners) *t);

    /* Banded systems, see psb_band_solve; there are some.  *bad, on the host: s n + i for the first pivot
     * that is 0, in row i of system s, or -1 */
    psb_err (*band)(const struct psb_band *b, const T *const *diag, T *x, psb_epk *bad);

    /* *wrong, on the host: the first index of the list that is not in the dense vector, or -1; *order, if
     * there is none: what the list is; only ascending or any, unless `distinct` */
    psb_err (*sparse_check)(const struct psb_sparse *v, bool distinct, psb_epk *wrong,
                            enum psb_sparse_order *order);
    /* an operation, for k ascending; on a device for distinct indices, or where y does not change */
    psb_err (*sparse)(const struct X(vec_sparse) *q);

    /* y = x, m x n elements, or the conjugates of x.  A device that has one of the next four has all. */
    psb_err (*lay)(psb_epk m, psb_epk n, bool conjugate, const T *x, struct psb_places from, T *y,
                   struct psb_places to);
    /* Y = alpha A X + beta Y for each matrix of the batch, k columns, over q->over; see psb_mat_spmm */
    psb_err (*spmm)(const struct psb_row_products *q, T alpha, const T *val, const T *x, T beta, T *y);
    /* Solve op(A) X = Y, k columns, in place; *bad, on the host: b m + i for the first row i of a matrix b
     * that has an entry outside of the triangle or no diagonal, or -1 */
    psb_err (*spsm)(const struct psb_row_products *q, const T *val, T *y, psb_epk *bad);
    /* entry (i, j) = alpha times the sum over c < k of element c of row i of x and of row j of y, plus beta
     * times itself; columns of x and y are neighbours */
    psb_err (*sddmm)(const struct psb_row_products *q, T alpha, const T *x, const T *y, T beta, T *val);

    /* Reductions over n rows for each of k columns; the results are doubles on the host.  The order of a sum
     * depends only on n and k.  A NaN in a column makes its result NaN.
     * sum[2j], sum[2j+1]: real and imaginary part of the sum of conj(x) y; x may be y */
    psb_err (*dot)(psb_ipk n, int k, const T *x, const T *y, double *sum);
    /* sum[2i], sum[2i+1]: the dot product of x[i] and y, i < m <= PSB_MOST_VECTORS, in one pass; one column;
     * x[i] may be y */
    psb_err (*dots)(psb_ipk n, int m, const T *const *x, const T *y, double *sum);
    /* sum[2e], sum[2e+1], e = i k + j: the dot product of column i of x and column j of y; x may be y */
    psb_err (*gram)(psb_ipk n, int k, const T *x, const T *y, double *sum);
    /* sum[j]: the sum of |x|^2; of |x w|^2 over the rows with id != 0 (id NULL: all rows) */
    psb_err (*sumsq)(psb_ipk n, int k, const T *x, double *sum);
    psb_err (*wsumsq)(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum);
    /* res[j]: the sum of |x|; the largest |x|, 0 if n == 0; the least Re x, infinity if n == 0; the least
     * Re x / Re y over the rows with y != 0, infinity if there is none */
    psb_err (*asum)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*amax)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*min)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*minquotient)(psb_ipk n, int k, const T *x, const T *y, double *res);

    /* The epilogue t of y, n rows of one column, in one pass; sum[2d], sum[2d+1]: dot product d, as from dot
     */
    psb_err (*epilogue)(psb_ipk n, const T *y, const struct X(vec_epilogue) *t, double *sum);

    /* Scalars on the table's side: sums over processes; steps, without waiting. */
    psb_err (*totals)(const struct X(vec_totals) *t);
    psb_err (*steps)(const struct X(vec_steps) *s);
};
extern const struct X(vec_ops) X(vec_host);

/* Return the operations for arrays on side s; for PSB_DEV those of device `on`.  Local. */
static inline const struct X(vec_ops) *X(vec)(enum psb_side s, const struct psb_device *on)
{
    return s == PSB_DEV ? on->X(vec) : &X(vec_host);
}
