/* mat_stencil.c -- base/mat: the matrix of a stencil, without triplets. */
#include "psb_format.h"
#include "psb_team.h"
#include "stencil.h"
#include "psb_type.h"

struct stencil_rows {
    const struct psb_stencil *s;
    struct X(compressed) l;
};

static void fill_stencil_part(void *job, int t, int p)
{
    const struct stencil_rows *q = job;
    const struct psb_stencil s = *q->s;
    const struct X(compressed) l = q->l;
    psb_epk i, to;
    psb_thread_range(s.m, t, p, &i, &to);
    psb_epk k = psb_stencil_begin(&s, (psb_ipk)i);
    for (; i < to; i++) {
        l.ptr[i] = k;
        for (int e = 0; e < PSB_NEIGHBOURS; e++) {
            const psb_ipk j = psb_stencil_column(&s, e, (psb_ipk)i);
            if (j < 0)
                continue;
            l.idx[k] = j;
            l.val[k++] = MAKE(s.re[e], s.im[e]);
        }
    }
    if (t == p - 1)
        l.ptr[s.m] = k;
}

/* *a = the rows in CSR, if the device of mold makes them; else NULL. */
static psb_err make_there(const struct psb_stencil *s, const struct X(mat) *mold, struct X(mat) **a)
{
    const struct X(mat) *csr = X(mat_halo_mold)(mold);
    const struct X(mat_dev_ops) *dev = X(mat_dev)(csr);
    struct X(mat) *new;
    *a = NULL;
    if (!dev->storage || !dev->storage->stencil || !dev->device())
        return PSB_OK;
    PSB_TRY(X(mat_new)(mold->ops == csr->ops ? mold : csr, s->m, s->m, psb_stencil_begin(s, s->m), &new));
    new->is.state = PSB_MAT_ASB;
    const psb_err e = X(mat_made)(dev->storage->stencil(new, s), new, a);
    return e == PSB_ENOTIMPL ? PSB_OK : e;
}

psb_err X(mat_stencil)(const struct psb_stencil *s, const struct X(mat) *mold, struct X(mat) **a)
{
    struct stencil_rows q = { .s = s };
    struct X(mat) *new;
    PSB_TRY(make_there(s, mold, &new));
    if (!new) {
        PSB_TRY(X(csr_make)(s->m, s->m, psb_stencil_begin(s, s->m), &new, &q.l));
        psb_team(psb_threads(new->nnz), fill_stencil_part, &q);
    }
    const psb_err e = X(mat_in_format)(&new, mold);
    return PSB_PASS(X(mat_made)(e, new, a));
}
