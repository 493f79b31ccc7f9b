/* hll_mv.c -- room: ext.  Products of HLL. */
#include "psb_ext.h"
#include "config.h"
#include <string.h>
#include "psb_type.h"

/* Rows scattered together; elements from what is summed to what is fetched meanwhile; columns of x summed
 * together. */
enum { STRIP = 32, AHEAD = 512, CHUNK = 8 };

#define PSB_KERNELS "hll_kernels.t.h"
#include "psb_each_simd.h"

static psb_ipk first_row(const void *of, int t, int p)
{
    return psb_hacks_share(&((const struct X(hll_arrays) *)of)->g, t, p);
}

psb_err X(hll_csmm)(const struct X(hll_arrays) *s, psb_ipk ncols, psb_ipk k, T alpha, const T *x, T beta,
                    T *y, char trans)
{
    static void (*const gathers[][PSB_SIMD_LEVELS])(const struct X(product) *, psb_ipk,
                                                    psb_ipk) = { LEVELS(gather_many), LEVELS(gather) };
    static void (*const scatters[][PSB_SIMD_LEVELS])(const struct X(product) *, psb_ipk, psb_ipk,
                                                     T *) = { LEVELS(scatter_many), LEVELS(scatter) };
    const psb_epk work = s->g.off[s->g.n] * k;
    struct X(product) q = {
        .of = s, .k = k, .alpha = alpha, .beta = beta, .x = x, .y = y, .first = first_row
    };
    q.conjugate = trans == 'C';
    q.gather = gathers[k == 1][psb_simd()];
    q.scatter = scatters[k == 1][psb_simd()];
    if (trans != 'N')
        return X(product_scatter)(&q, work, (psb_epk)ncols * k);
    X(product_gather)(&q, work);
    return PSB_OK;
}
