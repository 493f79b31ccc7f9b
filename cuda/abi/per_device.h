/* per_device.h -- room: cuda/abi.  The tables of kernels of a format, one for each kind of device.  For typed
 * sources. */
#ifndef PSB_PER_DEVICE_H
#define PSB_PER_DEVICE_H
#include "config.h"
#include "psb_dual.h"

/* The address of something that exists only in builds with CUDA; NULL in others. */
#ifdef HAVE_CUDA
#define PSB_IF_CUDA(address) (address)
#else
#define PSB_IF_CUDA(address) NULL
#endif

/* Initializer of an array indexed by the kind of a psb_device: the addresses of X(NAME_fake) and
 * X(NAME_cuda). */
#define PSB_PER_DEVICE(name) \
    { \
        [PSB_DEVICE_FAKE] = &X(name##_fake), [PSB_DEVICE_CUDA] = PSB_IF_CUDA(&X(name##_cuda)) \
    }

/* The same of NAME_fake and NAME_cuda. */
#define PSB_PER_KIND(name) \
    { \
        [PSB_DEVICE_FAKE] = &name##_fake, [PSB_DEVICE_CUDA] = PSB_IF_CUDA(&name##_cuda) \
    }
#endif
