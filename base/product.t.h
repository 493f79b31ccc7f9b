/* product.t.h -- room: base.  What the products of host formats have in common: threads that share the rows.
 * For formats: what is given is right, and is not checked. */

/* y = alpha op(A) x + beta y, k columns, as all threads are told of it. */
struct X(product) {
    const void *of; /* the format's arrays */
    psb_ipk k;
    T alpha, beta;
    const T *x;
    T *y;
    int conjugate;
    psb_ipk (*first)(const void *of, int t, int p); /* the first row of thread t of p; for t == p the end */
    void (*gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi); /* op N: y of rows lo .. hi-1 */
    void (*scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y); /* else: y += what these add */
};

/* Gather; `work` is how many entries are multiplied. */
void X(product_gather)(const struct X(product) *q, psb_epk work);

/* Scatter to a y of `size` elements.  PSB_ENOMEM for what several threads need, y as it was. */
PSB_MUST_CHECK psb_err X(product_scatter)(const struct X(product) *q, psb_epk work, psb_epk size);
