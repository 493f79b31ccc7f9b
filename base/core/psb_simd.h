/* psb_simd.h -- room: base/core.  Which vector instructions the host kernels use. */
#ifndef PSB_SIMD_H
#define PSB_SIMD_H
#include "psb_err.h"

/* A function that is inlined wherever it is called, so that what is constant there is constant in it. */
#ifdef __GNUC__
#define PSB_INLINE static inline __attribute__((always_inline))
#else
#define PSB_INLINE static inline
#endif

/* Index i, as one that the compiler knows nothing of: the loop that it stands in is not made into gather and
 * scatter instructions, which are slower. */
PSB_INLINE int psb_one_by_one(int i)
{
#ifdef __GNUC__
    __asm__("" : "+r"(i));
#endif
    return i;
}

/* PLAIN is what every processor of the architecture has. */
enum psb_simd { PSB_SIMD_PLAIN, PSB_SIMD_AVX2, PSB_SIMD_AVX512, PSB_SIMD_LEVELS };

/* The level in use: the widest that this build has and the processor knows, unless the environment variable
 * PSB_SIMD asks for another: plain, avx2, avx512.  Local. */
enum psb_simd psb_simd(void);

/* Its name, as PSB_SIMD has it.  Local. */
const char *psb_simd_name(enum psb_simd s);

/* Use level s from now on.  PSB_EARG for one that there is not, or that this processor or build lacks. Local.
 */
PSB_MUST_CHECK psb_err psb_set_simd(enum psb_simd s);

/* Is what PSB_SIMD says a level that can be had?  psb_init asks.  Local. */
PSB_MUST_CHECK psb_err psb_simd_check(void);
#endif
