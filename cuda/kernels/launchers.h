/* launchers.h -- room: cuda/kernels.  All launchers, which C calls and CUDA implements; included by both. */
#ifndef PSB_LAUNCHERS_H
#define PSB_LAUNCHERS_H
#include "stored.h"
#include "dev_arrays.h"
#include "convert.h"
#include "triangle.h"
#include "ldu.h"
#include "psb_lang.h"
#include <stddef.h>

/* The element-wise operations and the reductions over rows: see psb_vec_ops.t.h. */
enum psb_each {
    PSB_EACH_FILL,
    PSB_EACH_AXPBYZ,
    PSB_EACH_UPD_XYZ,
    PSB_EACH_MLT,
    PSB_EACH_DIV,
    PSB_EACH_RATIO, /* 0 where the divisor is 0 */
    PSB_EACH_INV,
    PSB_EACH_ABS,
    PSB_EACH_CMP,
    PSB_EACH_ADDCONST,
    PSB_EACH_MASK
};
enum psb_over {
    PSB_OVER_DOT,
    PSB_OVER_SUMSQ,
    PSB_OVER_WSUMSQ,
    PSB_OVER_WSUMSQ_WHERE, /* z is not 0 */
    PSB_OVER_ASUM,
    PSB_OVER_AMAX,
    PSB_OVER_MIN,
    PSB_OVER_MINQUOTIENT
};

/* See kernels.t.h. */
PSB_BEGIN_C
int psb_csr_deltas_dev(const struct psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found,
                       void *stream);
PSB_END_C

#define PSB_TEMPLATE "vec_launchers.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "format_launchers.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "wide_launchers.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "convert_launchers.t.h"
#include "psb_each_type.h"
#endif
