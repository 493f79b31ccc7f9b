/* arena.cuh -- room: cuda/kernels.  Memory for the steps of a computation: see struct psb_step_room. */
#ifndef PSB_ARENA_CUH
#define PSB_ARENA_CUH
#include <stddef.h>
#include "psb_int.h"

/* Allocates from the memory of a step; without memory it only adds up sizes. */
namespace
{
struct arena {
    char *at;
    size_t used;

    template <class V>
    V *allocate(psb_epk n)
    {
        V *p = at ? (V *)(at + used) : nullptr;
        used += ((size_t)n * sizeof(V) + 255) / 256 * 256;
        return p;
    }
};
} // namespace

/* Bits of the number n. */
static inline int bits_of(psb_epk n)
{
    int bits = 0;
    for (; n > 0; n /= 2)
        bits++;
    return bits;
}
#endif
