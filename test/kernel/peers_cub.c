/* peers_cub.c -- test/kernel: CUB: y = A x in CSR by the merge path. */
#include "psb_cuda_format.h"
#include <stdint.h>
#include "psb_type.h"
#include "spmv.h"
#include "peers_gpu.h"
#include "peers_cub.h"

static struct cub_product product_of(const struct problem *p)
{
    return (struct cub_product){
        p->rows, p->cols, (int)p->nnz, X(device_rows).dev_irp, X(device_rows).dev_ja, X(device_rows).dev_val,
        p->dx,   p->dy
    };
}

/* a: the buffer, of as many bytes as CUB asked for */
static psb_err product(const struct problem *p, void *a, enum way w)
{
    const struct cub_product q = product_of(p);
    size_t bytes = SIZE_MAX;
    (void)w;
    return X(cuda_error)(cub_spmv(&q, LETTER, a, &bytes, psb_cuda_stream()), "CUB");
}

static psb_err make(const struct problem *p, struct runner *r)
{
    const struct cub_product q = product_of(p);
    size_t bytes = 0;
    PSB_TRY(X(cuda_error)(cub_spmv(&q, LETTER, NULL, &bytes, psb_cuda_stream()), "CUB"));
    return X(cuda_error)(cudaMalloc(&r->a, bytes ? bytes : 1), "buffer");
}

static void release(void *a)
{
    cudaFree(a);
}

static const struct kind cub = { "CUB", 1U << ONE, true, make, product, release };

void X(enter_cub)(struct field *f, const struct problem *p)
{
    if (opt.trans == 'N' && opt.columns == 1)
        X(enter)(f, p, opt.peers, (struct runner){ .name = "CUB", .kind = &cub });
}
