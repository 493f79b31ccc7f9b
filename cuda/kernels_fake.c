/* kernels_fake.c -- room: cuda.  The kernels of formats in plain C: the reference for those in CUDA. */
#include "psb_cuda.h"
#include "psb_type.h"

/* Column c of y = alpha (a row of n entries, `step` apart) x + beta y. */
static void put_row(psb_ipk n, psb_epk step, const psb_ipk *ja, const T *val, psb_ipk k, T alpha, const T *x,
                    T beta, T *y)
{
    for (psb_ipk c = 0; c < k; c++) {
        T sum = 0;
        for (psb_ipk l = 0; l < n; l++)
            sum += val[l * step] * x[(psb_epk)ja[l * step] * k + c];
        y[c] = beta == 0 ? alpha * sum : alpha * sum + beta * y[c];
    }
}

static psb_err ell_csmm(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const T *val,
                        psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_epk i = 0; i < nrows; i++)
        put_row(irn[i], ld, ja + i, val + i, k, alpha, x, beta, y + i * k);
    return PSB_OK;
}

const struct X(kernels) X(kernels_fake) = { .ell_csmm = ell_csmm };
