/* kernels_fake.c -- room: cuda.  The kernels of formats in plain C: the reference for those in CUDA. */
#include "psb_cuda.h"
#include "psb_type.h"

static psb_err ell_csmv(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const T *val,
                        T alpha, const T *x, T beta, T *y)
{
    for (psb_ipk i = 0; i < nrows; i++) {
        T sum = 0;
        for (psb_ipk k = 0; k < irn[i]; k++)
            sum += val[i + k * ld] * x[ja[i + k * ld]];
        y[i] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i];
    }
    return PSB_OK;
}

const struct X(kernels) X(kernels_fake) = { .ell_csmv = ell_csmv };
