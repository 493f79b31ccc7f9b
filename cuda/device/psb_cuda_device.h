/* psb_cuda_device.h -- cuda/device: the device in use.  Part of psb_cuda.h. */
#ifndef PSB_CUDA_DEVICE_H
#define PSB_CUDA_DEVICE_H
#include "psb_int.h"
#include "psb_vmold.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* The device in use; NULL if there is none, or before psb_cuda_init.  Local. */
const struct psb_device *psb_cuda_device(void);

/* The mold of vectors that have a second copy on the device. */
extern const struct psb_vmold psb_vect_cuda;

/* The device for tests: its memory is host memory at other addresses. */
extern const struct psb_device psb_device_fake;

/* Limit the memory of the fake device to `bytes`, as the environment variable PSB_FAKE_BYTES does when the
 * device is chosen; 0: no limit.  Existing arrays count, and stay; memory that is kept for later ones is
 * freed.  Local. */
void psb_cuda_fake_limit(size_t bytes);
PSB_END_C
#endif
