/* psb_types.h -- cbind: types of PSBLAS's C interface. */
#ifndef PSB_TYPES_H_
#define PSB_TYPES_H_
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <complex>
#else
#include <complex.h>
#endif

typedef int32_t psb_m_t;
typedef int32_t psb_i_t; /* a local index */
typedef int64_t psb_l_t; /* a global index */
typedef int64_t psb_e_t;
typedef float psb_s_t;
typedef double psb_d_t;
#ifdef __cplusplus
typedef std::complex<float> psb_c_t;
typedef std::complex<double> psb_z_t;
#else
typedef float _Complex psb_c_t;
typedef double _Complex psb_z_t;
#endif

/* Other names of the same types. */
typedef psb_m_t psb_c_m_t;
typedef psb_i_t psb_c_i_t;
typedef psb_l_t psb_c_l_t;
typedef psb_e_t psb_c_e_t;
typedef psb_s_t psb_c_s_t;
typedef psb_d_t psb_c_d_t;
typedef psb_c_t psb_c_c_t;
typedef psb_z_t psb_c_z_t;

/* Declarations of C functions in C++. */
#ifndef __cplusplus
#define PSB_C_BEGIN
#define PSB_C_END
#elif defined(__clang__) /* std::complex is returned by C functions */
#define PSB_C_BEGIN \
    _Pragma("clang diagnostic push") \
        _Pragma("clang diagnostic ignored \"-Wreturn-type-c-linkage\"") extern "C" \
    {
#define PSB_C_END \
    } \
    _Pragma("clang diagnostic pop")
#else
#define PSB_C_BEGIN extern "C" {
#define PSB_C_END   }
#endif
#endif
