/* kernels_cuda.c -- room: cuda.  The kernels of formats on a GPU. */
#include "vec_cuda.h"
#include "doors.h"
#include "gpu.h"
#include "psb_type.h"

static psb_err ell_csmv(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const T *val,
                        T alpha, const T *x, T beta, T *y)
{
    return psb_gpu_ok(X(ell_csmv_dev)(nrows, ld, irn, ja, val, &alpha, x, &beta, y, psb_gpu_stream()),
                      "ELG product");
}

const struct X(kernels) X(kernels_cuda) = { .ell_csmv = ell_csmv };
