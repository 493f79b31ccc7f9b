/* per_device.h -- room: cuda/abi.  A format's tables of kernels, one for each kind of device.  For typed sources. */
#ifndef PSB_PER_DEVICE_H
#define PSB_PER_DEVICE_H
#include "config.h"
#include "psb_dual.h"

/* The address of what only a build with CUDA has; NULL in others. */
#ifdef HAVE_CUDA
#define PSB_IF_CUDA(address) (address)
#else
#define PSB_IF_CUDA(address) NULL
#endif

/* Initialise an array, indexed by psb_device's kind, with the addresses of X(NAME_fake) and X(NAME_cuda). */
#define PSB_PER_DEVICE(name) \
    { [PSB_DEVICE_FAKE] = &X(name##_fake), [PSB_DEVICE_CUDA] = PSB_IF_CUDA(&X(name##_cuda)) }
#endif
