/* merge.c -- base/par: element types of collective calls, and their reductions. */
#include "merge.h"
#include <stdbool.h>
#include "psb_names.h"

/* psb_coll.h selects the kind by the standard types, all of which differ. */
_Static_assert(sizeof(long) == sizeof(psb_lpk) && sizeof(long long) == sizeof(psb_lpk) &&
                   sizeof(size_t) == sizeof(psb_lpk) && sizeof(int) == sizeof(psb_ipk),
               "int has 32 bits; long, long long and size_t have 64");

/* Integers and logicals, in addition to the four scalars of psb_names.h.  The modulus of an integer is
 * unsigned, since that of the least integer overflows its type. */
#define PSB_SCALAR_b  bool
#define PSB_SCALAR_u  size_t
#define PSB_SCALAR_i1 int8_t
#define PSB_SCALAR_i2 int16_t
#define PSB_ABS_i(a)  ((a) < 0 ? 0 - (uint64_t)(a) : (uint64_t)(a))
#define PSB_ABS_l(a)  PSB_ABS_i(a)
#define PSB_ABS_u(a)  (a)
#define PSB_ABS_i1(a) PSB_ABS_i(a)
#define PSB_ABS_i2(a) PSB_ABS_i(a)
#define PSB_CPLX_i    0
#define PSB_CPLX_l    0
#define PSB_CPLX_b    0
#define PSB_CPLX_u    0
#define PSB_CPLX_i1   0
#define PSB_CPLX_i2   0

#define FLOATING      PSB_CAT(FLOATING_, PSB_NOW)
#define FLOATING_s    1
#define FLOATING_d    1
#define LOGICAL       PSB_CAT(LOGICAL_, PSB_NOW)
#define LOGICAL_b     1
#define PLUS          PSB_CAT(PLUS_, PSB_NOW)
#define PLUS_i(a, b)  (int32_t)((uint32_t)(a) + (uint32_t)(b))
#define PLUS_l(a, b)  (int64_t)((uint64_t)(a) + (uint64_t)(b))
#define PLUS_u(a, b)  ((a) + (b))
#define PLUS_i1(a, b) (int8_t)(uint8_t)((a) + (b))
#define PLUS_i2(a, b) (int16_t)(uint16_t)((a) + (b))
#define PLUS_s(a, b)  ((a) + (b))
#define PLUS_d(a, b)  ((a) + (b))
#define PLUS_c(a, b)  ((a) + (b))
#define PLUS_z(a, b)  ((a) + (b))
#define IS_NAN        PSB_CAT(IS_NAN_, PSB_NOW)
#define IS_NAN_i(a)   0
#define IS_NAN_l(a)   0
#define IS_NAN_b(a)   0
#define IS_NAN_u(a)   0
#define IS_NAN_i1(a)  0
#define IS_NAN_i2(a)  0
#define IS_NAN_s(a)   isnan(a)
#define IS_NAN_d(a)   isnan(a)
#define IS_NAN_c(a)   (isnan(crealf(a)) || isnan(cimagf(a)))
#define IS_NAN_z(a)   (isnan(creal(a)) || isnan(cimag(a)))

#define PSB_NOW i
#include "merge.t.h"
#undef PSB_NOW
#define PSB_NOW l
#include "merge.t.h"
#undef PSB_NOW
#define PSB_NOW b
#include "merge.t.h"
#undef PSB_NOW
#define PSB_NOW u
#include "merge.t.h"
#undef PSB_NOW
#define PSB_NOW i1
#include "merge.t.h"
#undef PSB_NOW
#define PSB_NOW i2
#include "merge.t.h"
#undef PSB_NOW
#define PSB_TEMPLATE "merge.t.h"
#include "psb_each_type.h"

static const struct psb_kind_info kinds[PSB_NKINDS] = {
    [PSB_KIND_i] = { "psb_ipk", sizeof(psb_ipk), psb_i_merges },
    [PSB_KIND_l] = { "psb_lpk", sizeof(psb_lpk), psb_l_merges },
    [PSB_KIND_s] = { "float", sizeof(float), psb_s_merges },
    [PSB_KIND_d] = { "double", sizeof(double), psb_d_merges },
    [PSB_KIND_c] = { "float complex", sizeof(float _Complex), psb_c_merges },
    [PSB_KIND_z] = { "double complex", sizeof(double _Complex), psb_z_merges },
    [PSB_KIND_b] = { "bool", sizeof(bool), psb_b_merges },
    [PSB_KIND_h] = { "char", 1, NULL },
    [PSB_KIND_u] = { "size_t", sizeof(size_t), psb_u_merges },
    [PSB_KIND_i1] = { "int8_t", sizeof(int8_t), psb_i1_merges },
    [PSB_KIND_i2] = { "int16_t", sizeof(int16_t), psb_i2_merges },
};

const struct psb_kind_info *psb_kind_info(int kind)
{
    return kind >= 0 && kind < PSB_NKINDS ? &kinds[kind] : NULL;
}

psb_merge *psb_merge_of(int op, int kind)
{
    const struct psb_kind_info *k = psb_kind_info(kind);
    return k && k->merge && op >= 0 && op < PSB_NOPS ? k->merge[op] : NULL;
}

void psb_moduli(int kind, size_t n, void *x)
{
    float *s = x;
    double *d = x;
    for (size_t i = 0; i < n && kind == PSB_KIND_s; i++)
        s[i] = fabsf(s[i]);
    for (size_t i = 0; i < n && kind == PSB_KIND_d; i++)
        d[i] = fabs(d[i]);
}

psb_err psb_check_array(int kind, psb_epk n, const void *x, size_t *bytes)
{
    const struct psb_kind_info *k = psb_kind_info(kind);
    PSB_CHECK(k, PSB_EARG, "argument kind is %d; expected 0 <= kind < %d", kind, PSB_NKINDS);
    PSB_CHECK(n >= 0 && n <= (psb_epk)(PTRDIFF_MAX / (psb_epk)k->size), PSB_EARG,
              "argument n is %" PRId64 "; expected 0 <= n <= %" PRId64, n,
              (psb_epk)(PTRDIFF_MAX / (psb_epk)k->size));
    PSB_CHECK(x || n == 0, PSB_EARG, "argument x is NULL; expected %" PRId64 " elements", n);
    *bytes = (size_t)n * k->size;
    return PSB_OK;
}
