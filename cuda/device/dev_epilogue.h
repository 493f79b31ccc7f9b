/* dev_epilogue.h -- room: cuda/device.  The epilogue of a product on a GPU.  For typed sources, after
 * psb_type.h. */
#ifndef PSB_DEV_EPILOGUE_H
#define PSB_DEV_EPILOGUE_H

static inline struct psb_dev_ratios dev_ratios(const struct X(vec_ratios) *r)
{
    struct psb_dev_ratios d = { .n = r->n };
    for (int i = 0; i < r->n; i++) {
        d.over[i] = r->over[i];
        d.under[i] = r->under[i];
        d.to[i] = r->to[i];
    }
    return d;
}

/* The epilogue *t in the form for kernels; *t must stay valid until the launch. */
static inline struct psb_dev_epilogue dev_epilogue(const struct X(vec_epilogue) *t, double *partial)
{
    struct psb_dev_epilogue d = { .gamma = &t->gamma.value,
                                  .delta = &t->delta.value,
                                  .gamma_by = t->gamma.by,
                                  .delta_by = t->delta.by,
                                  .z = t->z,
                                  .d = t->d,
                                  .u = t->u,
                                  .ndots = t->ndots };
    for (int i = 0; i < t->ndots; i++) {
        d.left[i] = t->left[i];
        d.right[i] = t->right[i];
        d.to[i] = t->to[i];
    }
    d.ratios = dev_ratios(&t->ratios);
    d.part = t->part;
    d.kept = t->kept;
    d.partial = partial;
    d.slice = psb_cudart_scratch()->slice;
    d.sum = t->stay ? t->stay : psb_cudart_scratch()->sum;
    d.arrived = psb_cudart_scratch()->arrived;
    return d;
}

/* Check `code`, returned by a launch, and wait for the sums of the dot products, if there are any and they do
 * not stay on the device. */
static inline psb_err read_sums(int code, const char *what, const struct X(vec_epilogue) *t, double *sum)
{
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    const size_t bytes = 2 * (size_t)t->ndots * sizeof *sum;
    PSB_TRY(psb_cudart_ok(code, what));
    if (bytes == 0 || t->stay || t->to[0])
        return PSB_OK;
    PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, bytes, "scalar: fused dot products"));
    memcpy(sum, s->host, bytes);
    return PSB_OK;
}
#endif
