/* pattern_term.h -- base/core: the term of an entry in the sum that tells patterns apart: the same on the
 * host and, in CUDA, on a device.  PSB_EVERYWHERE: how it is declared. */
#ifndef PSB_PATTERN_TERM_H
#define PSB_PATTERN_TERM_H
#include "psb_int.h"
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

/* Method: Stafford's mixer, as in Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014. */
PSB_EVERYWHERE uint64_t psb_pattern_term(psb_ipk i, psb_ipk j)
{
    uint64_t x = (((uint64_t)(uint32_t)i << 32 | (uint32_t)j) + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}
#endif
