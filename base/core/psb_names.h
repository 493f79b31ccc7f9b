/* psb_names.h -- room: base/core.  Names that depend on the scalar type.  PSB_NOW is its letter,
 * s, d, c or z; the macros at the end expand by the value of PSB_NOW where they are used. */
#ifndef PSB_NAMES_H
#define PSB_NAMES_H
#include <complex.h>
#include <float.h>
#include <math.h>
#define PSB_CAT_(a, b) a##b
#define PSB_CAT(a, b)  PSB_CAT_(a, b)

/* the scalar type */
#define PSB_SCALAR_s float
#define PSB_SCALAR_d double
#define PSB_SCALAR_c float _Complex
#define PSB_SCALAR_z double _Complex
/* its real type */
#define PSB_REAL_s float
#define PSB_REAL_d double
#define PSB_REAL_c float
#define PSB_REAL_z double
/* conjugate, modulus, real and imaginary part, value made of two parts (a real type drops the second) */
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
#define PSB_MAKE_c(re, im) CMPLXF((float)(re), (float)(im))
#define PSB_MAKE_z(re, im) CMPLX((double)(re), (double)(im))
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
#define PSB_MPI_s    MPI_FLOAT
#define PSB_MPI_d    MPI_DOUBLE
#define PSB_MPI_c    MPI_C_FLOAT_COMPLEX
#define PSB_MPI_z    MPI_C_DOUBLE_COMPLEX
/* for clang before 15 and old C libraries */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#ifndef CMPLXF
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#endif
#endif
#define X(name) PSB_CAT(PSB_CAT(psb_, PSB_NOW), _##name)
#define T       PSB_CAT(PSB_SCALAR_, PSB_NOW)
#define R       PSB_CAT(PSB_REAL_, PSB_NOW)
#define CONJ    PSB_CAT(PSB_CONJ_, PSB_NOW)
#define ABS     PSB_CAT(PSB_ABS_, PSB_NOW)
#define RE      PSB_CAT(PSB_RE_, PSB_NOW)
#define IM      PSB_CAT(PSB_IM_, PSB_NOW)
#define MAKE    PSB_CAT(PSB_MAKE_, PSB_NOW)
#define CPLX    PSB_CAT(PSB_CPLX_, PSB_NOW)
#define BYTES   PSB_CAT(PSB_BYTES_, PSB_NOW)
#define EPS     PSB_CAT(PSB_EPS_, PSB_NOW)
#define TMAX    PSB_CAT(PSB_MAX_, PSB_NOW)
#define LETTER  PSB_CAT(PSB_LETTER_, PSB_NOW)
#define TMPI    PSB_CAT(PSB_MPI_, PSB_NOW)
