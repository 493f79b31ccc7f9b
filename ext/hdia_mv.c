/* hdia_mv.c -- ext: products of HDIA. */
#include "psb_ext_format.h"
#include "config.h"
#include <string.h>
#include "psb_type.h"

/* Rows summed at once, of one column and of several; prefetch distance of x in rows. */
enum { DIAGONAL_STRIP = 128, MANY = 64, DIAGONALS_SOON = 16 };

#define PSB_KERNELS "hdia_kernels.t.h"
#include "psb_each_simd.h"

static psb_ipk first_row_of_diagonals(const void *of, int t, int p)
{
    return psb_hacks_first_row(&((const struct X(diagonals) *)of)->g, t, p);
}

/* First column of thread t of p, for the transposed product that gathers. */
static psb_ipk first_column(const void *of, int t, int p)
{
    psb_epk a, b;
    psb_thread_range(((const struct X(diagonals) *)of)->ncols, t, p, &a, &b);
    return (psb_ipk)a;
}

psb_err X(diagonals_csmm)(const struct X(diagonals) *s, psb_ipk k, T alpha, const T *x, T beta, T *y,
                          char trans)
{
    static const struct X(product_kernels) kernels = { LEVELS(gather), LEVELS(gather_many), LEVELS(scatter),
                                                       LEVELS(scatter_many) };
    static const struct X(product_kernels) transposed = { .gather = LEVELS(gather_transposed) };
    const int turns = trans != 'N' && s->g.n == 1 && k == 1;
    const struct X(product) q = { .of = s,
                                  .first = turns ? first_column : first_row_of_diagonals,
                                  .kernels = turns ? &transposed : &kernels,
                                  .k = k,
                                  .alpha = alpha,
                                  .x = x,
                                  .beta = beta,
                                  .y = y,
                                  .conjugate = trans == 'C' };
    return X(product_csmm)(&q, trans != 'N' && !turns, s->g.off[s->g.n] * s->g.rows, s->ncols);
}
