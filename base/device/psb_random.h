/* psb_random.h -- base/device: a sequence of random numbers, the same on the host and, in CUDA, on a device.
 * PSB_EVERYWHERE: how these functions are declared. */
#ifndef PSB_RANDOM_H
#define PSB_RANDOM_H
#include <stdint.h>
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

/* Number g of the sequence: uniform in [-1, 1).  Source: Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014. */
PSB_EVERYWHERE double psb_random_number(uint64_t g)
{
    uint64_t z = (g + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}
#endif
