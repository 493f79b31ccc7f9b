/* autog.c -- cuda/formats: AUTOG and TUNEDG, which choose a format of the device. */
#include "gpu_formats.h"
#include <math.h>
#include "psb_type.h"

static const struct X(auto_offer) rule[] = {
    { &X(diag_mold).mat, 1 },
    { &X(hdiag_mold).mat, 1 },
    { &X(hlg_mold).mat, 1.1 },
    { &X(csrg_mold).mat, INFINITY },
};

/* For the columns of other processes. */
static const struct X(mat_dev_ops) autog_dev = { .device = psb_cuda_device, .transposed = &X(csrg_mold).mat };

static const struct X(mat_ops) autog_ops = {
    .super = &X(auto_mold).mat,
    .fmt = "AUTOG",
    .size = sizeof(struct X(auto_mat)),
    .storage.choose = X(auto_choose),
    .dev = &autog_dev,
};

static const struct X(mat_ops) tuned_ops = {
    .super = &X(auto_mold).mat,
    .fmt = "TUNEDG",
    .size = sizeof(struct X(auto_mat)),
    .storage.choose = X(auto_choose),
    .dev = &autog_dev,
};

const struct X(auto_mat) X(autog_mold) = { .mat.ops = &autog_ops, .rule = rule };
const struct X(auto_mat)
    X(tunedg_mold) = { .mat.ops = &tuned_ops, .rule = rule, .near = 1.5, .seconds = 2e-3 };
