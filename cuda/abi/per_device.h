/* per_device.h -- cuda/abi: the kinds of devices, and the tables of kernels that each has. */
#ifndef PSB_PER_DEVICE_H
#define PSB_PER_DEVICE_H
#include "config.h"
#include "psb_device.h"
#include "psb_scalar.h"

/* The member `kind` of a device: its place in the tables. */
enum { PSB_DEVICE_FAKE, PSB_DEVICE_CUDA };

/* The address of something that exists only in builds with CUDA; NULL in others. */
#ifdef HAVE_CUDA
#define PSB_IF_CUDA(address) (address)
#else
#define PSB_IF_CUDA(address) NULL
#endif

/* The table of the struct NAME for device `on`: NAME_fake, NAME_cuda. */
#define PSB_KERNELS(name, on) \
    ((const struct name *const[]){ &PSB_CAT(name, _fake), PSB_IF_CUDA(&PSB_CAT(name, _cuda)) }[(on)->kind])
#endif
