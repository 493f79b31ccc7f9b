/* hll_mv.c -- ext: products of HLL. */
#include "psb_ext_format.h"
#include "config.h"
#include <string.h>
#include "psb_type.h"

/* Groups of rows, and rows of a transposed product, multiplied at once; rows of a hack of SELL. */
enum { GROUPS_AT_ONCE = 4, HLL_STRIP = 256, SLICE = 8 };

/* Row i, for product_kernels.t.h. */
PSB_INLINE struct X(row) row_of(const void *of, psb_ipk i)
{
    const struct X(hll_arrays) *s = of;
    const psb_ipk r = X(hll_rank)(s, i);
    const psb_epk first = X(hll_first)(s, r);
    return (struct X(row)){ s->val + first, s->ja + first, s->irn[r], s->g.rows };
}

#define PSB_KERNELS "hll_kernels.t.h"
#include "psb_each_simd.h"

static psb_ipk first_row_of_hacks(const void *of, int t, int p)
{
    return psb_hacks_first_row(&((const struct X(hll_arrays) *)of)->g, t, p);
}

struct X(product)
    X(hll_product)(const struct X(hll_arrays) *s, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans)
{
    static const struct X(product_kernels) kernels = { LEVELS(gather), LEVELS(gather_many), LEVELS(scatter),
                                                       LEVELS(scatter_many) };
    return (struct X(product)){ s, first_row_of_hacks, &kernels, k, alpha, x, beta, y, trans == 'C' };
}

psb_err X(hll_csmm)(const struct X(hll_arrays) *s, psb_ipk ncols, psb_ipk k, T alpha, const T *x, T beta,
                    T *y, char trans)
{
    const struct X(product) q = X(hll_product)(s, k, alpha, x, beta, y, trans);
    return X(product_csmm)(&q, trans != 'N', s->g.off[s->g.n], ncols);
}
