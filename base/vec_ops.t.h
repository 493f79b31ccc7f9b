/* vec_ops.t.h -- room: base.  Operations on arrays that lie on one side, one table a side.
 * Every n is >= 0, every pointer lies where the table works, and nothing overlaps unless said. */
struct X(vec_ops) {
    /* x = a */
    psb_err (*fill)(psb_ipk n, T a, T *x);
    /* y = alpha x + beta y; alpha == 0 does not read x, beta == 0 does not read y; x may be y */
    psb_err (*axpby)(psb_ipk n, T alpha, const T *x, T beta, T *y);
    /* *sum = sum of conj(x) y, on the host, always summed in the same order; x may be y */
    psb_err (*dot)(psb_ipk n, const T *x, const T *y, T *sum);
    /* *sum = sum of |x|^2, on the host, always summed in the same order */
    psb_err (*sumsq)(psb_ipk n, const T *x, double *sum);
    /* buf[i] = x[idx[i]] */
    psb_err (*gth)(psb_ipk n, const psb_ipk *idx, const T *x, T *buf);
    /* y[idx[i]] += buf[i]; no index twice */
    psb_err (*sct)(psb_ipk n, const psb_ipk *idx, const T *buf, T *y);
};
extern const struct X(vec_ops) X(vec_host);
