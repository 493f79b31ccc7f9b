/* psb_scalar.h -- base/core: the four scalar types, by their letters s, d, c and z, and the integers
 * psb_ipk and psb_lpk, i and l.  Complex scalars are std::complex in C++, and float _Complex and double
 * _Complex, which have the same layout, in C. */
#ifndef PSB_SCALAR_H
#define PSB_SCALAR_H
#include "psb_int.h"
#ifdef __cplusplus
#include <complex>
#endif
#define PSB_CAT_(a, b) a##b
#define PSB_CAT(a, b)  PSB_CAT_(a, b)

/* the scalar type */
#define PSB_SCALAR_s float
#define PSB_SCALAR_d double
#ifdef __cplusplus
#define PSB_SCALAR_c std::complex<float>
#define PSB_SCALAR_z std::complex<double>
#else
#define PSB_SCALAR_c float _Complex
#define PSB_SCALAR_z double _Complex
#endif
#define PSB_SCALAR_i psb_ipk
#define PSB_SCALAR_l psb_lpk
/* its real type */
#define PSB_REAL_i psb_ipk
#define PSB_REAL_l psb_lpk
#define PSB_REAL_s float
#define PSB_REAL_d double
#define PSB_REAL_c float
#define PSB_REAL_z double
/* Conjugate, modulus, real and imaginary part, a value made of two parts, of which a real type drops the
 * second; psb_names.h includes the headers of these functions. */
#define PSB_CONJ_s(a)      (a)
#define PSB_CONJ_d(a)      (a)
#define PSB_CONJ_c(a)      conjf(a)
#define PSB_CONJ_z(a)      conj(a)
#define PSB_ABS_s(a)       fabsf(a)
#define PSB_ABS_d(a)       fabs(a)
#define PSB_ABS_c(a)       cabsf(a)
#define PSB_ABS_z(a)       cabs(a)
#define PSB_RE_s(a)        (a)
#define PSB_RE_d(a)        (a)
#define PSB_RE_c(a)        crealf(a)
#define PSB_RE_z(a)        creal(a)
#define PSB_IM_s(a)        ((void)(a), 0.0f)
#define PSB_IM_d(a)        ((void)(a), 0.0)
#define PSB_IM_c(a)        cimagf(a)
#define PSB_IM_z(a)        cimag(a)
#define PSB_MAKE_s(re, im) ((void)(im), (float)(re))
#define PSB_MAKE_d(re, im) ((void)(im), (double)(re))
#define PSB_MAKE_c(re, im) PSB_PAIR((float)(re), (float)(im))
#define PSB_MAKE_z(re, im) PSB_PAIR((double)(re), (double)(im))
/* the letter of the scalar of single precision */
#define PSB_SINGLE_s s
#define PSB_SINGLE_d s
#define PSB_SINGLE_c c
#define PSB_SINGLE_z c
#define PSB_SINGLE_i i
#define PSB_SINGLE_l l
/* whether it is complex; its size in bytes, for #if; epsilon and largest value of its real type; its letter;
 * its MPI type */
#define PSB_CPLX_s   0
#define PSB_CPLX_d   0
#define PSB_CPLX_c   1
#define PSB_CPLX_z   1
#define PSB_BYTES_s  4
#define PSB_BYTES_d  8
#define PSB_BYTES_c  8
#define PSB_BYTES_z  16
#define PSB_EPS_s    FLT_EPSILON
#define PSB_EPS_d    DBL_EPSILON
#define PSB_EPS_c    FLT_EPSILON
#define PSB_EPS_z    DBL_EPSILON
#define PSB_MAX_s    FLT_MAX
#define PSB_MAX_d    DBL_MAX
#define PSB_MAX_c    FLT_MAX
#define PSB_MAX_z    DBL_MAX
#define PSB_LETTER_s 's'
#define PSB_LETTER_d 'd'
#define PSB_LETTER_c 'c'
#define PSB_LETTER_z 'z'
#define PSB_MPI_i    MPI_INT32_T
#define PSB_MPI_l    MPI_INT64_T
#define PSB_MPI_s    MPI_FLOAT
#define PSB_MPI_d    MPI_DOUBLE
#define PSB_MPI_c    MPI_C_FLOAT_COMPLEX
#define PSB_MPI_z    MPI_C_DOUBLE_COMPLEX
/* The complex number of two parts, both float or both double.  CMPLX is missing with clang before 15. */
#ifdef __GNUC__
#define PSB_PAIR(re, im) __builtin_complex(re, im)
#else
#define PSB_PAIR(re, im) _Generic((re), float : CMPLXF(re, im), default : CMPLX(re, im))
#endif
#endif
