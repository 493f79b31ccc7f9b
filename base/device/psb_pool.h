/* psb_pool.h -- base/device: memory of devices that is kept for later arrays. */
#ifndef PSB_POOL_H
#define PSB_POOL_H
#include <stddef.h>
#include "psb_lang.h"
PSB_BEGIN_C

/* Device memory of freed vectors and matrices serves later ones of the same size; the oldest is freed when
 * more than the limit would be kept.  All of it is freed when the device has no memory for an array, when the
 * device is closed, and when the last context ends.
 *
 * psb_pool_limit: keep at most `bytes` bytes on this process from now on, 0: none; return the limit before.
 * The environment variable PSB_POOL_BYTES sets it when the device is chosen, else it is 4 GiB.
 * psb_pool_trim: free memory until at most `most` bytes are kept; return the number of bytes kept.  Local. */
size_t psb_pool_limit(size_t bytes);
size_t psb_pool_trim(size_t most);
PSB_END_C
#endif
