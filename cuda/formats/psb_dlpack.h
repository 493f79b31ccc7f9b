/* psb_dlpack.h -- cuda: tensors of DLPack, the exchange format of array libraries.
 *
 * These structs have the layout of those of its specification
 * (https://dmlc.github.io/dlpack/latest/c_api.html, version 1): a DLManagedTensor * is cast to struct
 * psb_dl_managed *, a DLManagedTensorVersioned * to struct psb_dl_versioned *, and back. */
#ifndef PSB_DLPACK_H
#define PSB_DLPACK_H
#include "psb_base.h"
PSB_BEGIN_C

/* Kinds of devices, as kDLCPU, kDLCUDA and kDLExtDev, which is the fake device; codes of types, as kDLFloat
 * and kDLComplex; flags. */
enum { PSB_DL_CPU = 1, PSB_DL_CUDA = 2, PSB_DL_EXT = 12 };
enum { PSB_DL_FLOAT = 2, PSB_DL_COMPLEX = 5 };
enum { PSB_DL_READ_ONLY = 1 };

struct psb_dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits; /* of an element */
    uint16_t lanes;
    int64_t *shape, *strides; /* in elements; strides NULL: compact, the last index fastest */
    uint64_t byte_offset;     /* of the first element from data */
};

struct psb_dl_managed {
    struct psb_dl_tensor tensor;
    void *context;
    void (*deleter)(struct psb_dl_managed *self); /* may be NULL */
};

struct psb_dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct psb_dl_versioned *self);
    uint64_t flags;
    struct psb_dl_tensor tensor;
};

#define PSB_TEMPLATE "psb_dlpack.t.h"
#include "psb_each_type.h"

/* The calls of psb_dlpack.t.h for any scalar. */
#define psb_vect_dlpack(x, t)                      PSB_FRONT(x, vect, vect_dlpack)(x, t)
#define psb_vect_dlpack_versioned(x, read_only, t) PSB_FRONT(x, vect, vect_dlpack_versioned)(x, read_only, t)
#define psb_ge_dlpack(x, desc, t)                  PSB_FRONT_NEW(x, vect, ge_dlpack)(x, desc, t)
#define psb_ge_dlpack_versioned(x, desc, t)        PSB_FRONT_NEW(x, vect, ge_dlpack_versioned)(x, desc, t)
PSB_END_C
#endif
