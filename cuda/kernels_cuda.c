/* kernels_cuda.c -- room: cuda.  The kernels of formats on a GPU. */
#include "vec_cuda.h"
#include "doors.h"
#include "gpu.h"
#include "vendor.h"
#include "psb_type.h"

static psb_err hll_csmm(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_gpu_ok(X(hll_csmm_dev)(a, k, &alpha, x, &beta, y, psb_gpu_stream()), "HLG product");
}

static psb_err csr_csmm(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_gpu_ok(X(csr_csmm_dev)(a, k, &alpha, x, &beta, y, psb_gpu_stream()), "CSRG product");
}

static psb_err csr_vendor(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                          const T *x, T beta, T *y)
{
    return psb_vendor_csmm(plan, LETTER, a, k, &alpha, x, &beta, y);
}

const struct X(kernels) X(kernels_cuda) = {
    .hll_csmm = hll_csmm,
    .csr_csmm = csr_csmm,
    .csr_vendor = csr_vendor,
};
