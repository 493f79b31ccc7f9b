/* vec_ops.t.h -- room: base/device.  Operations on arrays that lie on one side, one table a side.
 *
 * Every n is >= 0, every pointer lies where the table works, and nothing overlaps unless said.  An array of k
 * columns lies by rows, element (i, j) at i k + j; what goes element by element sees n = rows times columns.
 * Every table has the first four; a device may lack others (NULL): the host computes instead. */
/* What follows a product y, one column: z = gamma y + delta z, unless z is NULL, and the dot products of left
 * and right, any arrays, y and z as they are then among them. */
struct X(tail) {
    T gamma, delta; /* 0 does not read its vector */
    T *z;
    int ndots; /* at most PSB_MOST_DOTS */
    const T *left[PSB_MOST_DOTS], *right[PSB_MOST_DOTS];
    struct psb_dual *room; /* for products that follow through with it: see mat.t.h */
};

struct X(vec_ops) {
    /* x = a */
    psb_err (*fill)(psb_epk n, T a, T *x);
    /* y = alpha x + beta y; alpha == 0 does not read x, beta == 0 does not read y; x may be y */
    psb_err (*axpby)(psb_epk n, T alpha, const T *x, T beta, T *y);
    /* Row i of buf is row idx[i] of x, k columns. */
    psb_err (*gth)(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf);
    /* Row idx[i] of y += row i of buf, k columns; no index twice. */
    psb_err (*scatter_add)(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y);

    /* Element by element; the last array is written, and may be any of the others.
     * z = alpha x + beta y; a factor 0 does not read its vector */
    psb_err (*axpbyz)(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z);
    /* y = alpha x + beta y, then z = gamma y + delta z; a factor 0 does not read its vector; the three are
     * different */
    psb_err (*upd_xyz)(psb_epk n, T alpha, T beta, T gamma, T delta, const T *x, T *y, T *z);
    /* z = alpha x y + beta z; beta == 0 does not read z */
    psb_err (*mlt)(psb_epk n, T alpha, const T *x, const T *y, T beta, T *z);
    /* z = x / y; y = 1 / x; y = |x| */
    psb_err (*div)(psb_epk n, const T *x, const T *y, T *z);
    psb_err (*inv)(psb_epk n, const T *x, T *y);
    psb_err (*abs)(psb_epk n, const T *x, T *y);
    /* z = 1 where |x| >= c, else 0 */
    psb_err (*cmp)(psb_epk n, R c, const T *x, T *z);
    /* z = x + b */
    psb_err (*addconst)(psb_epk n, T b, const T *x, T *z);
    /* m = 1 where x breaks the constraint c (see psb_mask), else 0; real parts are looked at */
    psb_err (*mask)(psb_epk n, const T *c, const T *x, T *m);

    /* Over the n rows of each of k columns; the results, in double, lie on the host.  A sum is made in an
     * order that depends on n and k alone; NaN comes out where a NaN went in.
     * sum[2j], sum[2j+1]: real and imaginary part of the sum of conj(x) y; x may be y */
    psb_err (*dot)(psb_ipk n, int k, const T *x, const T *y, double *sum);
    /* sum[j]: of |x|^2; of |x w|^2 over the rows where id, unless it is NULL, is not 0 */
    psb_err (*sumsq)(psb_ipk n, int k, const T *x, double *sum);
    psb_err (*wsumsq)(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum);
    /* res[j]: the sum of |x|; the largest |x|, 0 for no rows; the least Re x, infinity for no rows; the least
     * Re x / Re y where y != 0, infinity where there is none */
    psb_err (*asum)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*amax)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*min)(psb_ipk n, int k, const T *x, double *res);
    psb_err (*minquotient)(psb_ipk n, int k, const T *x, const T *y, double *res);

    /* The tail of y, n rows of one column, in one pass; sum[2i], sum[2i+1] as those of dot, of product i */
    psb_err (*epilogue)(psb_ipk n, const T *y, const struct X(tail) *t, double *sum);
};
extern const struct X(vec_ops) X(vec_host);
