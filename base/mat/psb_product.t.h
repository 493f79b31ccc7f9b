/* psb_product.t.h -- base/mat: products of host formats, with the rows divided among threads.  For
 * formats: arguments are not checked. */

struct X(product);

/* Op N: compute y of rows lo .. hi-1. */
typedef void X(gathering)(const struct X(product) *q, psb_ipk lo, psb_ipk hi);

/* Op T, C: add the contributions of rows lo .. hi-1 to y. */
typedef void X(scattering)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y);

/* The kernels of a format, for one column and for many, at each level of vector instructions. */
struct X(product_kernels) {
    X(gathering) *gather[PSB_SIMD_LEVELS], *gather_many[PSB_SIMD_LEVELS];
    X(scattering) *scatter[PSB_SIMD_LEVELS], *scatter_many[PSB_SIMD_LEVELS];
};

/* The arguments of y = alpha op(A) x + beta y, k columns, shared by all threads. */
struct X(product) {
    const void *of; /* the arrays of the format */
    psb_ipk (*first)(const void *of, int t,
                     int p); /* the first row of thread t of p; t == p: the number of rows */
    const struct X(product_kernels) *kernels;
    psb_ipk k;
    T alpha;
    const T *x;
    T beta, *y;
    int conjugate;
};

/* Run the product: gather (op N) or, if `scatter`, scatter (op T, C).  `work` entries are multiplied per
 * column; a column of y has `size` elements.  PSB_ENOMEM if there is no memory for a scatter by several
 * threads; y is unchanged then. */
PSB_MUST_CHECK psb_err X(product_csmm)(const struct X(product) *q, int scatter, psb_epk work, psb_epk size);

/* The product of a sum of n matrices: all products have the same k, y and factors except beta, which is beta
 * for the first and 1 for the others. */
PSB_MUST_CHECK psb_err X(products_csmm)(int n, const struct X(product) *q, int scatter, psb_epk work,
                                        psb_epk size);

/* A row, the argument of kernels that several formats share: entry k < n is val[k * step], in column idx[k *
 * step]. */
struct X(row) {
    const T *val;
    const psb_ipk *idx;
    psb_epk n, step;
};
