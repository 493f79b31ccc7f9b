/* csrng.c -- cuda/formats: CSRNG: CSRN on the device. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

/* Column c of row i of A x. */
static T narrow_row(const struct X(csrn_rows) *a, psb_ipk i, psb_ipk k, const T *x)
{
    T sum = 0;
    for (psb_epk p = a->ptr[i]; p < a->ptr[i + 1]; p++) {
        const T v = X(csrn_value)(a->val, p, a->stored, a->parts), w = x[(psb_epk)a->idx[p] * k];
        sum += a->parts == 1 ? RE(v) * w : v * w;
    }
    return sum;
}

static psb_err csrn_csmm_fake(const struct X(csrn_rows) *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_ipk i = 0; i < a->n; i++)
        for (psb_ipk c = 0; c < k; c++) {
            const T sum = alpha * narrow_row(a, i, k, x + c);
            T *to = y + (psb_epk)i * k + c;
            *to = beta == 0 ? sum : sum + beta * *to;
        }
    return PSB_OK;
}

const struct X(csrn_kernels) X(csrn_kernels_fake) = { .csmm = csrn_csmm_fake };

static psb_err csrng_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(csrn_rows) l;
    PSB_TRY(X(csrn_open)(a, PSB_DEV, &l));
    return PSB_KERNELS(X(csrn_kernels), a->on)->csmm(&l, k, alpha, x, beta, y);
}

static const struct X(mat_dev_ops) csrng_dev = {
    .device = psb_cuda_device,
    .csmm = csrng_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
};

static const struct X(mat_ops) csrng_ops = {
    .super = &X(csrn_mold).mat,
    .fmt = "CSRNG",
    .size = sizeof(struct X(csrn_mat)),
    .dev = &csrng_dev,
};

const struct X(csrn_mat) X(csrng_mold) = { .mat.ops = &csrng_ops, .most = INFINITY };

/* --- names of the kinds of numbers ---------------------------------------------------------------------- */

static psb_err csrng_kind(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen)
{
    static const struct X(csrn_mat) molds[] = {
        { .mat.ops = &csrng_ops, .values = PSB_VALUES_INT8, .most = INFINITY },
        { .mat.ops = &csrng_ops, .values = PSB_VALUES_HALF, .most = INFINITY },
        { .mat.ops = &csrng_ops, .values = PSB_VALUES_BFLOAT16, .most = INFINITY },
        { .mat.ops = &csrng_ops, .values = PSB_VALUES_SINGLE, .most = INFINITY },
    };
    (void)a;
    *chosen = &molds[((const struct X(csrn_mat) *)mold)->values - PSB_VALUES_INT8].mat;
    return PSB_OK;
}

enum { CSRNG_SIZE = sizeof(struct X(csrn_mat)) };
static const struct X(mat_ops) csrng_named[] = {
    { .super = &X(csrng_mold).mat, .fmt = "CSRNG-INT8", .size = CSRNG_SIZE, .storage.choose = csrng_kind },
    { .super = &X(csrng_mold).mat, .fmt = "CSRNG-HALF", .size = CSRNG_SIZE, .storage.choose = csrng_kind },
    { .super = &X(csrng_mold).mat,
      .fmt = "CSRNG-BFLOAT16",
      .size = CSRNG_SIZE,
      .storage.choose = csrng_kind },
    { .super = &X(csrng_mold).mat, .fmt = "CSRNG-SINGLE", .size = CSRNG_SIZE, .storage.choose = csrng_kind },
};
const struct X(csrn_mat) X(csrng_int8_mold) = { .mat.ops = &csrng_named[0], .values = PSB_VALUES_INT8 };
const struct X(csrn_mat) X(csrng_half_mold) = { .mat.ops = &csrng_named[1], .values = PSB_VALUES_HALF };
const struct X(csrn_mat)
    X(csrng_bfloat16_mold) = { .mat.ops = &csrng_named[2], .values = PSB_VALUES_BFLOAT16 };
const struct X(csrn_mat) X(csrng_single_mold) = { .mat.ops = &csrng_named[3], .values = PSB_VALUES_SINGLE };
