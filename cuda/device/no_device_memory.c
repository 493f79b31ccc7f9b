/* no_device_memory.c -- cuda/device: the error for device memory that is exhausted. */
#include "gpu.h"

psb_err psb_no_device_memory(const char *what, size_t bytes, size_t unused, size_t all)
{
    return PSB_FAIL(PSB_ENOMEM, "no device memory for %s: %zu bytes asked, %zu free of %zu", what, bytes,
                    unused, all);
}
