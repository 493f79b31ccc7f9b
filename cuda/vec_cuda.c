/* vec_cuda.c -- room: cuda.  Vector operations on a GPU. */
#include "vec_cuda.h"
#include "doors.h"
#include "gpu.h"
#include "psb_type.h"

static psb_err fill(psb_epk n, T a, T *x)
{
    return psb_gpu_ok(X(fill_dev)(n, &a, x, psb_gpu_stream()), "fill");
}

static psb_err axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    return psb_gpu_ok(X(axpby_dev)(n, &alpha, x, &beta, y, psb_gpu_stream()), "axpby");
}

/* A sum that a launch left in the scratch, brought to the host. */
static psb_err fetch(int launched, double sum[2], const char *cause)
{
    const struct psb_gpu_scratch *s = psb_gpu_scratch();
    PSB_TRY(psb_gpu_ok(launched, cause));
    PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, 2 * sizeof *sum, cause));
    sum[0] = s->host[0];
    sum[1] = s->host[1];
    return PSB_OK;
}

/* A column at a time. */
static psb_err dot(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    const struct psb_gpu_scratch *s = psb_gpu_scratch();
    for (int j = 0; j < k; j++)
        PSB_TRY(fetch(X(dot_dev)(n, k, x + j, y + j, s->partial, s->sum, psb_gpu_stream()), sum + 2 * j,
                      "scalar: dot"));
    return PSB_OK;
}

static psb_err sumsq(psb_ipk n, int k, const T *x, double *sum)
{
    const struct psb_gpu_scratch *s = psb_gpu_scratch();
    for (int j = 0; j < k; j++) {
        double parts[2];
        PSB_TRY(
            fetch(X(sumsq_dev)(n, k, x + j, s->partial, s->sum, psb_gpu_stream()), parts, "scalar: nrm2"));
        sum[j] = parts[0];
    }
    return PSB_OK;
}

static psb_err gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    return psb_gpu_ok(X(gth_dev)(n, idx, k, x, buf, psb_gpu_stream()), "gather");
}

static psb_err sct(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    return psb_gpu_ok(X(sct_dev)(n, idx, k, buf, y, psb_gpu_stream()), "scatter");
}

/* What is missing the host computes. */
const struct X(vec_ops) X(vec_cuda) = {
    .fill = fill,
    .axpby = axpby,
    .dot = dot,
    .sumsq = sumsq,
    .gth = gth,
    .sct = sct,
};
