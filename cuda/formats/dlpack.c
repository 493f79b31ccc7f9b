/* dlpack.c -- cuda/formats: vectors as tensors of DLPack, and tensors as vectors. */
#include "gpu_formats.h"
#include "coll.h"
#include "per_device.h"
#include "psb_dlpack.h"
#include "vect.h"
#include "psb_type.h"

enum { DL_CODE = sizeof(T) == sizeof(R) ? PSB_DL_FLOAT : PSB_DL_COMPLEX, DL_BITS = 8 * sizeof(T) };

/* Where memory of device `on` is, NULL: of the host, for DLPack. */
static psb_err dl_device(const struct psb_device *on, int32_t *type, int32_t *id)
{
    int device = 0;
    *type = !on ? PSB_DL_CPU : on->kind == PSB_DEVICE_CUDA ? PSB_DL_CUDA : PSB_DL_EXT;
    if (*type == PSB_DL_CUDA)
        PSB_TRY(psb_cuda_getDevice(&device));
    *id = device;
    return PSB_OK;
}

/* --- vectors as tensors --------------------------------------------------------------------------------- */

/* Both kinds of tensors with their shape and strides, in one block. */
struct dl_export {
    union {
        struct psb_dl_managed plain;
        struct psb_dl_versioned versioned;
    } is;
    int64_t shape[2], strides[2];
};

static void delete_plain(struct psb_dl_managed *t)
{
    psb_free(t->context);
}

static void delete_versioned(struct psb_dl_versioned *t)
{
    psb_free(t->context);
}

/* *d = a block with the description *t of x. */
static psb_err describe(struct X(vect) *x, int read_only, struct dl_export **d, struct psb_dl_tensor *t)
{
    const enum psb_side s = x->v.on ? PSB_DEV : PSB_HOST;
    T *p;
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    PSB_TRY(X(vect_check_idle)(x));
    *t = (struct psb_dl_tensor){ .ndim = x->ncols > 1 ? 2 : 1, .code = DL_CODE, .bits = DL_BITS, .lanes = 1 };
    PSB_TRY(dl_device(x->v.on, &t->device_type, &t->device_id));
    PSB_TRY(psb_alloc_zero(d, 1, sizeof **d, "tensor"));
    const psb_err e = read_only ? psb_dual_read(&x->v, s, &p) : psb_dual_update(&x->v, s, &p);
    if (e != PSB_OK) {
        psb_free(*d);
        return e;
    }
    t->data = p;
    t->shape = (*d)->shape;
    t->strides = (*d)->strides;
    t->shape[0] = X(vect_owned)(x);
    t->shape[1] = t->strides[0] = x->ncols;
    t->strides[1] = 1;
    return PSB_OK;
}

psb_err X(vect_dlpack)(struct X(vect) *x, struct psb_dl_managed **t)
{
    struct dl_export *d;
    struct psb_dl_tensor tensor;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED(t, "where to store the tensor");
    PSB_TRY(describe(x, false, &d, &tensor));
    d->is.plain = (struct psb_dl_managed){ tensor, d, delete_plain };
    *t = &d->is.plain;
    return PSB_OK;
}

psb_err X(vect_dlpack_versioned)(struct X(vect) *x, int read_only, struct psb_dl_versioned **t)
{
    struct dl_export *d;
    struct psb_dl_tensor tensor;
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED(t, "where to store the tensor");
    PSB_TRY(describe(x, read_only, &d, &tensor));
    d->is.versioned =
        (struct psb_dl_versioned){ 1, 0, d, delete_versioned, read_only ? PSB_DL_READ_ONLY : 0, tensor };
    *t = &d->is.versioned;
    return PSB_OK;
}

/* --- tensors as vectors --------------------------------------------------------------------------------- */

static psb_err check_tensor(const struct psb_dl_tensor *t)
{
    const struct psb_device *on = psb_cuda_device();
    int32_t type = PSB_DL_CPU, id = 0;
    PSB_CHECK(t->code == DL_CODE && t->bits == DL_BITS && t->lanes == 1, PSB_EARG,
              "argument t has elements of code %d, %d bits, %d lanes; expected code %d, %d bits, 1 lane",
              t->code, t->bits, t->lanes, DL_CODE, DL_BITS);
    PSB_CHECK((t->ndim == 1 || t->ndim == 2) && t->shape, PSB_EARG,
              "argument t has %d dimensions; expected 1 or 2, and their sizes", (int)t->ndim);
    const int64_t n = t->shape[0], k = t->ndim == 2 ? t->shape[1] : 1;
    PSB_CHECK(n >= 0 && k >= 1 && k <= INT32_MAX && n <= INT64_MAX / k, PSB_EARG,
              "argument t is %" PRId64 " x %" PRId64 "; expected rows >= 0, and at least one column", n, k);
    PSB_CHECK(
        !t->strides || ((t->strides[0] == k || n <= 1) && (t->ndim == 1 || t->strides[1] == 1 || k == 1)),
        PSB_EARG,
        "argument t has strides %" PRId64 " and %" PRId64 "; expected %" PRId64 " and 1, compact by rows",
        t->strides[0], t->ndim == 2 ? t->strides[1] : 1, k);
    const size_t size = t->device_type == PSB_DL_CPU ? sizeof(R) : sizeof(T);
    PSB_CHECK(((uintptr_t)t->data + t->byte_offset) % size == 0, PSB_EARG,
              "argument t begins at byte %" PRIu64 " of %p; expected a multiple of %zu", t->byte_offset,
              t->data, size);
    if (on)
        PSB_TRY(dl_device(on, &type, &id));
    PSB_CHECK(t->device_type == PSB_DL_CPU || (on && t->device_type == type && t->device_id == id), PSB_EARG,
              "argument t is on device %d of kind %d of DLPack; expected the host, kind 1, or %s",
              (int)t->device_id, (int)t->device_type,
              on ? "the device in use" : "psb_cuda_init with a device before");
    return PSB_OK;
}

/* Free t by its deleter, for gefree. */
static void release_plain(void *held)
{
    struct psb_dl_managed *t = held;
    if (t->deleter)
        t->deleter(t);
}

static void release_versioned(void *held)
{
    struct psb_dl_versioned *t = held;
    if (t->deleter)
        t->deleter(t);
}

/* t NULL: after the error err.  Collective. */
static psb_err vector_of(struct X(vect) **x, psb_desc *desc, const struct psb_dl_tensor *t, psb_err err,
                         void (*release)(void *), void *held)
{
    PSB_NEED_HANDLE(desc, "a descriptor");
    PSB_THEN(err, check_tensor(t));
    PSB_TRY(psb_agree(psb_cd_ctxt(desc), err));
    const int64_t n = t->shape[0], k = t->ndim == 2 ? t->shape[1] : 1;
    const struct psb_vmold *mold = t->device_type == PSB_DL_CPU ? &psb_vect_host : &psb_vect_cuda;
    T *data = (T *)(void *)((char *)t->data + t->byte_offset);
    PSB_TRY(X(ge_wrap)(x, desc, (int)k, mold, n * k, data));
    (*x)->release = release;
    (*x)->held = held;
    return PSB_OK;
}

psb_err X(ge_dlpack)(struct X(vect) **x, psb_desc *desc, struct psb_dl_managed *t)
{
    const psb_err e = t ? PSB_OK : PSB_FAIL(PSB_EARG, "argument t is NULL; expected a tensor");
    return PSB_PASS(vector_of(x, desc, t ? &t->tensor : NULL, e, release_plain, t));
}

psb_err X(ge_dlpack_versioned)(struct X(vect) **x, psb_desc *desc, struct psb_dl_versioned *t)
{
    psb_err e = t ? PSB_OK : PSB_FAIL(PSB_EARG, "argument t is NULL; expected a tensor");
    if (t && t->major != 1)
        e = PSB_FAIL(PSB_EARG, "argument t has version %d.%d of DLPack; expected 1.x", (int)t->major,
                     (int)t->minor);
    else if (t && (t->flags & PSB_DL_READ_ONLY))
        e = PSB_FAIL(PSB_EARG, "argument t is read only; expected a tensor that may be written");
    return PSB_PASS(vector_of(x, desc, t ? &t->tensor : NULL, e, release_versioned, t));
}
