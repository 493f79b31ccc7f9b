/* psb_each_simd.h -- base/core: include PSB_KERNELS once for each level of vector instructions.
 * L(name) is name_plain, name_avx2, name_avx512 in turn, and LEVELS(name) is an array of the three by enum
 * psb_simd. PSB_VECTOR is the size in bytes of a vector register of the level. */
#include "psb_simd.h"
#include "tuning.h"
#define L(name) PSB_CAT(name, PSB_LEVEL)

#define PSB_LEVEL  _plain
#define PSB_VECTOR 16
#include PSB_KERNELS
#undef PSB_LEVEL
#undef PSB_VECTOR
#undef LANES

#if defined(HAVE_X86_SIMD) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define PSB_LEVEL  _avx2
#define PSB_VECTOR 32
#include PSB_KERNELS
#undef PSB_LEVEL
#undef PSB_VECTOR
#undef LANES
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))), \
                             apply_to = function)
#define PSB_LEVEL  _avx512
#define PSB_VECTOR 64
#include PSB_KERNELS
#undef PSB_LEVEL
#undef PSB_VECTOR
#undef LANES
#pragma clang attribute pop
#elif defined(HAVE_X86_SIMD)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define PSB_LEVEL  _avx2
#define PSB_VECTOR 32
#include PSB_KERNELS
#undef PSB_LEVEL
#undef PSB_VECTOR
#undef LANES
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,prefer-vector-width=512")
#define PSB_LEVEL  _avx512
#define PSB_VECTOR 64
#include PSB_KERNELS
#undef PSB_LEVEL
#undef PSB_VECTOR
#undef LANES
#pragma GCC pop_options
#endif

/* clang-format off */
#ifdef HAVE_X86_SIMD
#define LEVELS(name) { name##_plain, name##_avx2, name##_avx512 }
#else
#define LEVELS(name) { name##_plain, name##_plain, name##_plain }
#endif
/* clang-format on */
#undef PSB_KERNELS
