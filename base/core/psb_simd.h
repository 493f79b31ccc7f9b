/* psb_simd.h -- base/core: the level of vector instructions that host kernels use. */
#ifndef PSB_SIMD_H
#define PSB_SIMD_H
#include "psb_err.h"
#include "psb_lang.h"
#include <stdint.h>
#include <string.h>
PSB_BEGIN_C

/* A function that is always inlined, so that arguments that are constant in the caller are constant in it. */
#ifdef __GNUC__
#define PSB_INLINE static inline __attribute__((always_inline))
#else
#define PSB_INLINE static inline
#endif

/* Return i in a way that hides its value from the compiler: a loop indexed by it is not compiled to gather
 * and scatter instructions, which are slower.  Local. */
PSB_INLINE int psb_one_by_one(int i)
{
#ifdef __GNUC__
    __asm__("" : "+r"(i));
#endif
    return i;
}

/* Two consecutive indices from idx on, none of them negative, by one load: the number of loads limits
 * products whose entries are in a cache.  psb_first_of and psb_second_of give them.  Local. */
PSB_INLINE uint64_t psb_two_indices(const int32_t *idx)
{
    uint64_t two;
    memcpy(&two, idx, sizeof two);
#ifdef __GNUC__
    __asm__("" : "+r"(two)); /* or the compiler might load them one by one */
#endif
    return two;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
PSB_INLINE uint32_t psb_first_of(uint64_t two)
{
    return (uint32_t)(two >> 32);
}
PSB_INLINE uint32_t psb_second_of(uint64_t two)
{
    return (uint32_t)two;
}
#else
PSB_INLINE uint32_t psb_first_of(uint64_t two)
{
    return (uint32_t)two;
}
PSB_INLINE uint32_t psb_second_of(uint64_t two)
{
    return (uint32_t)(two >> 32);
}
#endif

/* PSB_SIMD_PLAIN: the instructions that every processor of the architecture has. */
typedef enum psb_simd_level {
    PSB_SIMD_PLAIN,
    PSB_SIMD_AVX2,
    PSB_SIMD_AVX512,
    PSB_SIMD_LEVELS
} psb_simd_level;

/* Vendors of processors, on which kernels take different relative times. */
enum psb_cpu_vendor { PSB_CPU_INTEL, PSB_CPU_OTHER, PSB_CPU_VENDORS };

/* Return the vendor of this processor.  Local. */
enum psb_cpu_vendor psb_cpu_vendor(void);

/* Return the level in use: the widest that both the build and the processor support, unless the environment
 * variable PSB_SIMD names a lower one: plain, avx2, avx512.  Local. */
enum psb_simd_level psb_simd(void);

/* Return the name of level s, as in PSB_SIMD; "?" for an invalid one.  Local. */
const char *psb_simd_name(enum psb_simd_level s);

/* Use level s from now on.  PSB_EARG if s is invalid or not supported by this build or processor.  Local. */
PSB_MUST_CHECK psb_err psb_set_simd(enum psb_simd_level s);

/* Check that PSB_SIMD, if set, names a supported level; PSB_EARG if not.  Called by psb_init.  Local. */
PSB_MUST_CHECK psb_err psb_simd_check(void);
PSB_END_C
#endif
