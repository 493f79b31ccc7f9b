/* vec_host.c -- room: base.  Vector operations on the host. */
#include "psb_base.h"
#include "psb_type.h"

enum { BLOCK = 512 }; /* sums run over blocks, and blocks are summed: error grows with n / BLOCK */

static psb_err fill(psb_ipk n, T a, T *x)
{
    for (psb_ipk i = 0; i < n; i++)
        x[i] = a;
    return PSB_OK;
}

static psb_err axpby(psb_ipk n, T alpha, const T *x, T beta, T *y)
{
    if (alpha == 0 && beta == 0)
        return fill(n, 0, y);
    if (alpha == 0)
        for (psb_ipk i = 0; i < n && beta != 1; i++)
            y[i] = beta * y[i];
    else if (beta == 0)
        for (psb_ipk i = 0; i < n; i++)
            y[i] = alpha * x[i];
    else
        for (psb_ipk i = 0; i < n; i++)
            y[i] = alpha * x[i] + beta * y[i];
    return PSB_OK;
}

static psb_err dot(psb_ipk n, const T *x, const T *y, T *sum)
{
    T all = 0;
    for (psb_ipk b = 0; b < n; b += n - b < BLOCK ? n - b : BLOCK) {
        psb_ipk end = n - b < BLOCK ? n : b + BLOCK, i = b;
        T s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (; i + 3 < end; i += 4) {
            s0 += CONJ(x[i]) * y[i];
            s1 += CONJ(x[i + 1]) * y[i + 1];
            s2 += CONJ(x[i + 2]) * y[i + 2];
            s3 += CONJ(x[i + 3]) * y[i + 3];
        }
        for (; i < end; i++)
            s0 += CONJ(x[i]) * y[i];
        all += (s0 + s1) + (s2 + s3);
    }
    *sum = all;
    return PSB_OK;
}

static psb_err sumsq(psb_ipk n, const T *x, double *sum)
{
    double all = 0;
    for (psb_ipk b = 0; b < n; b += n - b < BLOCK ? n - b : BLOCK) {
        psb_ipk end = n - b < BLOCK ? n : b + BLOCK;
        double s = 0;
        for (psb_ipk i = b; i < end; i++) {
            double re = (double)RE(x[i]), im = (double)IM(x[i]);
            s += re * re + im * im;
        }
        all += s;
    }
    *sum = all;
    return PSB_OK;
}

static psb_err gth(psb_ipk n, const psb_ipk *idx, const T *x, T *buf)
{
    for (psb_ipk i = 0; i < n; i++)
        buf[i] = x[idx[i]];
    return PSB_OK;
}

static psb_err sct(psb_ipk n, const psb_ipk *idx, const T *buf, T *y)
{
    for (psb_ipk i = 0; i < n; i++)
        y[idx[i]] += buf[i];
    return PSB_OK;
}

const struct X(vec_ops) X(vec_host) = {
    .fill = fill,
    .axpby = axpby,
    .dot = dot,
    .sumsq = sumsq,
    .gth = gth,
    .sct = sct,
};
