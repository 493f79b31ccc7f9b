/* kernels_cuda.c -- room: cuda.  The kernels of formats on a GPU. */
#include "vec_cuda.h"
#include "doors.h"
#include "gpu.h"
#include "psb_type.h"

static psb_err ell_csmm(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const T *val,
                        psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_gpu_ok(X(ell_csmm_dev)(nrows, ld, irn, ja, val, k, &alpha, x, &beta, y, psb_gpu_stream()),
                      "ELG product");
}

const struct X(kernels) X(kernels_cuda) = { .ell_csmm = ell_csmm };
