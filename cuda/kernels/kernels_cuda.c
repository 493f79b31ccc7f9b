/* kernels_cuda.c -- room: cuda/kernels.  The kernels of formats on a GPU. */
#include "kernels.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "gpu.h"
#include "vendor.h"
#include <string.h>
#include "psb_type.h"
#include "dev_epilogue.h"

static psb_err hll_csmm(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(hll_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "HLG product");
}

static psb_err packed_csmm(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(packed_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "HLGP product");
}

static psb_err csr_csmm(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(csr_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "CSRG product");
}

static psb_err csr_deltas(const struct psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found)
{
    return psb_cudart_ok(psb_csr_deltas_dev(a, base, delta, found, psb_cudart_stream()), "CSRG's columns");
}

static psb_err csr_add(const struct psb_csr_dev *a, T alpha, const T *x, const psb_ipk *rows, T *y)
{
    return psb_cudart_ok(X(csr_add_dev)(a, &alpha, x, rows, y, psb_cudart_stream()), "CSRG product");
}

static const struct psb_arrival *arrival_of(const struct psb_awaited *wait)
{
    return wait && wait->by ? &wait->job : NULL;
}

/* After the launch of a kernel that waits for *wait, and for the put of this process, unless there is nothing
 * to wait for.  If the launch failed, another kernel waits, so that the exchange comes to its end. */
static psb_err launched(int code, const struct psb_awaited *wait, const char *what)
{
    const psb_err e = psb_cudart_ok(code, what);
    if (e == PSB_OK)
        return arrival_of(wait) ? psb_cudart_joined(wait->job.counts) : PSB_OK;
    (void)!psb_await(wait);
    return e;
}

static psb_err csr_add_short(const struct psb_dev_compressed *a, T alpha, const T *x,
                             const struct psb_awaited *wait, const psb_ipk *rows, T *y)
{
    const int code = X(csr_add_short_dev)(a, &alpha, x, arrival_of(wait), rows, y, psb_cudart_stream());
    return launched(code, wait, "CSRG product");
}

static psb_err csr_vendor(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                          const T *x, T beta, T *y)
{
    return psb_vendor_csmm(plan, LETTER, a, k, &alpha, x, &beta, y);
}

static psb_err hdia_csmm(const struct psb_dev_diagonals *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(hdia_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "HDIAG product");
}

static psb_err bsr_csmm(const struct psb_dev_blocks *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(bsr_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "BSRG product");
}

static psb_err dns_csmm(const struct psb_dev_dense *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    return psb_cudart_ok(X(dns_csmm_dev)(a, k, &alpha, x, &beta, y, psb_cudart_stream()), "DNSG product");
}

static psb_err coo_add(const struct psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y)
{
    const size_t bytes = (size_t)PSB_GPU_PARTIALS * PSB_GPU_COLUMNS * 2 * sizeof(double);
    return psb_cudart_ok(
        X(coo_add_dev)(a, k, &alpha, x, y, psb_cudart_scratch()->partial, bytes, psb_cudart_stream()),
        "product of triplets");
}

/* --- with an epilogue --------------------------------------------------------------------------------- */

static psb_err hll_fused(const struct psb_hll_dev *a, T alpha, const T *x, T beta, T *y,
                         const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    return read_sums(X(hll_fused_dev)(a, &alpha, x, &beta, y, &d, psb_cudart_stream()), "fused HLG product",
                     t, sum);
}

static psb_err packed_fused(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                            const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    return read_sums(X(packed_fused_dev)(a, &alpha, x, &beta, y, &d, psb_cudart_stream()),
                     "fused HLGP product", t, sum);
}

static psb_err csr_fused(const struct psb_csr_dev *a, psb_ipk nrows, T alpha, const T *x, T beta, T *y,
                         const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    (void)nrows;
    return read_sums(X(csr_fused_dev)(a, &alpha, x, &beta, y, &d, psb_cudart_stream()), "fused CSRG product",
                     t, sum);
}

static psb_err hdia_fused(const struct psb_dev_diagonals *a, T alpha, const T *x, T beta, T *y,
                          const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    return read_sums(X(hdia_fused_dev)(a, &alpha, x, &beta, y, &d, psb_cudart_stream()),
                     "fused HDIAG product", t, sum);
}

static psb_err csr_add_fused(const struct psb_csr_dev *a, T alpha, const T *x, const psb_ipk *rows, T *y,
                             const struct X(vec_epilogue) *t, double *partial)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    return psb_cudart_ok(X(csr_add_fused_dev)(a, &alpha, x, rows, y, &d, psb_cudart_stream()),
                         "fused CSRG product");
}

static psb_err csr_add_short_fused(const struct psb_dev_compressed *a, T alpha, const T *x,
                                   const struct psb_awaited *wait, const psb_ipk *rows, T *y,
                                   const struct X(vec_epilogue) *t, double *partial)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, partial);
    const int code = X(csr_add_short_fused_dev)(a, &alpha, x, arrival_of(wait), rows, y, &d,
                                                psb_cudart_stream());
    return launched(code, wait, "fused CSRG product");
}

const struct X(hll_kernels) X(hll_kernels_cuda) = { .csmm = hll_csmm, .fused = hll_fused };
const struct X(packed_kernels) X(packed_kernels_cuda) = { .csmm = packed_csmm, .fused = packed_fused };
const struct X(csr_kernels) X(csr_kernels_cuda) = {
    .deltas = csr_deltas,
    .csmm = csr_csmm,
    .fused = csr_fused,
    .add = csr_add,
    .add_fused = csr_add_fused,
    .add_short = csr_add_short,
    .add_short_fused = csr_add_short_fused,
    .vendor = csr_vendor,
};
const struct X(hdia_kernels) X(hdia_kernels_cuda) = { .csmm = hdia_csmm, .fused = hdia_fused };
const struct X(bsr_kernels) X(bsr_kernels_cuda) = { .csmm = bsr_csmm };
const struct X(dns_kernels) X(dns_kernels_cuda) = { .csmm = dns_csmm };
const struct X(coo_kernels) X(coo_kernels_cuda) = { .add = coo_add };
