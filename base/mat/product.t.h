/* product.t.h -- room: base/mat.  What the products of host formats have in common: threads that share the
 * rows. For formats: what is given is right, and is not checked. */

struct X(product);

/* Op N: y of rows lo .. hi-1. */
typedef void X(gathering)(const struct X(product) *q, psb_ipk lo, psb_ipk hi);

/* Op T, C: y += what rows lo .. hi-1 add. */
typedef void X(scattering)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y);

/* The kernels of a format, for one column and for many, at each level of vector instructions. */
struct X(product_kernels) {
    X(gathering) *gather[PSB_SIMD_LEVELS], *gather_many[PSB_SIMD_LEVELS];
    X(scattering) *scatter[PSB_SIMD_LEVELS], *scatter_many[PSB_SIMD_LEVELS];
};

/* y = alpha op(A) x + beta y, k columns, as all threads are told of it. */
struct X(product) {
    const void *of;                                 /* the format's arrays */
    psb_ipk (*first)(const void *of, int t, int p); /* the first row of thread t of p; for t == p the end */
    const struct X(product_kernels) *kernels;
    psb_ipk k;
    T alpha;
    const T *x;
    T beta, *y;
    int conjugate;
};

/* Gather, or (scatter) the other; `work` entries are multiplied by every column, of which y has `size`
 * elements.  PSB_ENOMEM for what several threads need to scatter, y as it was. */
PSB_MUST_CHECK psb_err X(product_csmm)(const struct X(product) *q, int scatter, psb_epk work, psb_epk size);

/* The same of the sum of n matrices, each of whose products is asked for with the same k, y and, but for
 * beta, factors: beta is that of the first, 1 of the others. */
PSB_MUST_CHECK psb_err X(products_csmm)(int n, const struct X(product) *q, int scatter, psb_epk work,
                                        psb_epk size);

/* A row, as the kernels that formats share see it: entry k < n is val[k * step], in column idx[k * step]. */
struct X(row) {
    const T *val;
    const psb_ipk *idx;
    psb_epk n, step;
};
