/* arena.cuh -- cuda/kernels: device memory for the steps of a computation. */
#ifndef PSB_ARENA_CUH
#define PSB_ARENA_CUH
#include <stddef.h>
#include "gpu.h"
#include "psb_int.h"

/* Allocates arrays from the memory of a step; if `at` is NULL, it only adds up their sizes. */
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

/* Call step(arena &) twice: without memory, which adds up the sizes of the arrays it needs and launches
 * nothing; then with that memory, which is kept for later steps.  It returns a cudaError_t; `what` names it in errors. */
template <class F>
static psb_err with_memory(const char *what, F step)
{
    arena sizes = { nullptr, 0 };
    void *own = nullptr;
    PSB_TRY(psb_cudart_ok(step(sizes), what));
    PSB_TRY(psb_device_take(&psb_device_cuda, &own, sizes.used, what));
    arena d = { (char *)own, 0 };
    const psb_err e = psb_cudart_ok(step(d), what);
    psb_device_give(&psb_device_cuda, own, sizes.used);
    return e;
}
#endif
