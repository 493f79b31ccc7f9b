/* ldu_cuda.c -- room: cuda/kernels.  Incomplete factors on a GPU. */
#include "kernels.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "ldu_launch.h"
#include "gpu.h"
#include "psb_type.h"

static psb_err compare(const struct psb_dev_ldu *a)
{
    return psb_cudart_ok(psb_ldu_compare_dev(a, psb_cudart_stream()), "patterns of factors");
}

static psb_err values(const struct psb_dev_ldu *a)
{
    return psb_cudart_ok(X(ldu_values_dev)(a, psb_cudart_stream()), "values of factors");
}

static psb_err zero(size_t bytes, void *p)
{
    return psb_cudart_ok(psb_ldu_zero_dev(p, bytes, psb_cudart_stream()), "values of a sweep");
}

const struct X(ldu_kernels) X(ldu_kernels_cuda) = { .compare = compare, .values = values, .zero = zero };
