/* pattern_hash.h -- base/mat: the hash of a pattern: the same function for C and CUDA. */
#ifndef PSB_PATTERN_HASH_H
#define PSB_PATTERN_HASH_H
#include "psb_int.h"
#ifdef __CUDACC__
#define PSB_EITHER static __host__ __device__ __forceinline__
#else
#define PSB_EITHER static inline
#endif

/* The bits of a place, mixed.  The hash of a pattern is their sum; two patterns have the same with
 * probability 2^-64. */
PSB_EITHER uint64_t psb_mix_place(psb_ipk i, psb_ipk j)
{
    uint64_t v = ((uint64_t)i << 32 | (uint64_t)j) * 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
    return v ^ v >> 32;
}
#endif
