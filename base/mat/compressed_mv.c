/* compressed_mv.c -- base/mat: products of compressed rows or columns, called lines. */
#include "config.h"
#include <string.h>
#include "psb_format.h"
#include "tuning.h"
#include "psb_threads.h"
#include "psb_type.h"

/* Entries scattered between two prefetches; short lines computed at once if all of a group have one
 * length. */
enum { BLOCK = 8, AT_ONCE = 4 };

enum lengths { ANY_LENGTHS, MOSTLY_LONG };

/* Line i, for product_kernels.t.h. */
PSB_INLINE struct X(row) row_of(const void *of, psb_ipk i)
{
    const struct X(compressed) *l = of;
    const psb_epk from = l->ptr[i];
    return (struct X(row)){ l->val + from, l->idx + from, l->ptr[i + 1] - from, 1 };
}

#define PSB_KERNELS "compressed_kernels.t.h"
#include "psb_each_simd.h"

/* Threads share lines and entries evenly, both together.  Lines that are computed at once stay together,
 * since a compiler may round them differently from single ones. */
static psb_ipk first_of_thread(const void *of, int t, int p)
{
    const struct X(compressed) *l = of;
    return t < p ? psb_thread_start(l->ptr, l->n, t, p) / AT_ONCE * AT_ONCE : l->n;
}

void X(compressed_share)(const struct X(compressed) *l, int t, int p, psb_ipk *from, psb_ipk *to)
{
    *from = first_of_thread(l, t, p);
    *to = first_of_thread(l, t + 1, p);
}

psb_err X(compressed_csmm)(const struct X(compressed) *l, psb_ipk k, T alpha, const T *x, T beta, T *y,
                           int transposed, int conjugate)
{
    static const struct X(product_kernels) kernels = { LEVELS(gather), LEVELS(gather_many), LEVELS(scatter),
                                                       LEVELS(scatter_many) };
    const struct X(product) q = { l, first_of_thread, &kernels, k, alpha, x, beta, y, conjugate };
    return PSB_PASS(X(product_csmm)(&q, transposed, l->ptr[l->n], l->m));
}
