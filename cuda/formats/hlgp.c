/* hlgp.c -- cuda/formats: HLGP: HLL with packed columns on the device, and optionally values in single
 * precision. */
#include "gpu_formats.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>
#include "per_device.h"
#include "psb_type.h"

static psb_err check_mold(const struct X(hlgp_mat) *a)
{
    PSB_CHECK(a->hll.sort <= 1, PSB_EARG, "the mold's sort is %d; expected 0 or 1", a->hll.sort);
    PSB_CHECK(a->narrow == 0 || a->narrow == 1, PSB_EARG, "the mold's narrow is %d; expected 0 or 1",
              a->narrow);
    return PSB_OK;
}

static psb_err build(struct X(mat) *a, const struct X(compressed) *rows)
{
    PSB_TRY(check_mold((const struct X(hlgp_mat) *)a));
    return X(hll_mold).mat.ops->storage.build(a, rows);
}

static void hlgp_clear(struct X(mat) *a_)
{
    struct X(hlgp_mat) *a = (struct X(hlgp_mat) *)a_;
    psb_packed_free(&a->packed);
    psb_dual_free(&a->val);
}

/* --- device arrays in addition to those of HLL ------------------------------------------------------ */

static psb_err open_host(struct X(hlgp_mat) *a, struct psb_unpacked *q)
{
    q->m = a->mat.nrows;
    q->rows = a->hll.rows;
    PSB_TRY(psb_dual_read(&a->hll.off, PSB_HOST, &q->off));
    PSB_TRY(psb_dual_read(&a->hll.irn, PSB_HOST, &q->irn));
    return psb_dual_read(&a->hll.ja, PSB_HOST, &q->ja);
}

/* Copies values from HLL to slots, of either precision. */
struct moving {
    struct psb_unpacked q;
    const struct psb_strip *strip;
    const struct psb_strip_slot *slot;
    const psb_ipk *left;
    const T *from;
    T *to;
    X(narrow) *to_narrow;
};

static void move_row(const struct moving *m, const struct psb_strip *s, psb_ipk i)
{
    const psb_ipk lane = i % PSB_STRIP;
    psb_epk at = psb_unpacked_first(&m->q, i);
    struct psb_row_walk w = { m->slot + s->first, m->left + s->first + s->slots[0], lane, s->slots[0], 0 };
    for (psb_ipk k = 0; k < m->q.irn[i]; k++, at += m->q.rows) {
        const psb_epk to = (s->first + psb_row_walk_slot(&w, m->q.ja[at])) * PSB_STRIP + lane;
        if (m->to_narrow)
            m->to_narrow[to] = (X(narrow))m->from[at];
        else
            m->to[to] = m->from[at];
    }
}

/* Fill whole strips; values of lanes without an entry are 0. */
static void move_part(void *job, int t, int p)
{
    const struct moving *m = job;
    const size_t size = m->to_narrow ? sizeof(X(narrow)) : sizeof(T);
    char *all = m->to_narrow ? (char *)m->to_narrow : (char *)m->to;
    psb_epk h, end;
    psb_thread_range(((psb_epk)m->q.m + PSB_STRIP - 1) / PSB_STRIP, t, p, &h, &end);
    for (; h < end; h++) {
        const struct psb_strip *s = &m->strip[h];
        const psb_epk slots = (psb_epk)s->slots[0] + s->slots[1] + s->slots[2] + s->slots[3];
        memset(all + (size_t)(s->first * PSB_STRIP) * size, 0, (size_t)(slots * PSB_STRIP) * size);
        for (psb_epk i = h * PSB_STRIP; i < m->q.m && i < (h + 1) * PSB_STRIP; i++)
            move_row(m, s, (psb_ipk)i);
    }
}

static int is_narrow(const struct X(hlgp_mat) *a)
{
    return a->narrow && sizeof(T) > sizeof(X(narrow));
}

static psb_err move_values(struct X(hlgp_mat) *a, const struct psb_unpacked *q)
{
    struct moving m = { .q = *q };
    const size_t n = (size_t)psb_packed_slots(&a->packed) * PSB_STRIP;
    PSB_TRY(psb_dual_read(&a->packed.strip, PSB_HOST, &m.strip));
    PSB_TRY(psb_dual_read(&a->packed.slot, PSB_HOST, &m.slot));
    PSB_TRY(psb_dual_read(&a->packed.left, PSB_HOST, &m.left));
    PSB_TRY(psb_dual_read(&a->hll.val, PSB_HOST, &m.from));
    psb_dual_free(&a->val);
    PSB_TRY(psb_dual_init(&a->val, n, is_narrow(a) ? sizeof(X(narrow)) : sizeof(T), a->mat.on,
                          "values of packed columns"));
    PSB_TRY(is_narrow(a) ? psb_dual_write(&a->val, PSB_HOST, &m.to_narrow)
                         : psb_dual_write(&a->val, PSB_HOST, &m.to));
    psb_team(psb_threads(a->mat.nnz), move_part, &m);
    a->values_at = a->hll.val.changes;
    return PSB_OK;
}

static psb_err hlgp_make(struct X(hlgp_mat) *a)
{
    struct psb_unpacked q;
    if (a->packed_at == a->hll.ja.changes && a->values_at == a->hll.val.changes)
        return PSB_OK;
    PSB_TRY(open_host(a, &q));
    if (a->packed_at != a->hll.ja.changes) {
        psb_packed_free(&a->packed);
        PSB_TRY(psb_pack(&q, a->mat.on, &a->packed));
        a->packed_at = a->hll.ja.changes;
    }
    return move_values(a, &q);
}

static psb_err hlgp_open(struct X(hlgp_mat) *a, struct psb_packed_dev *d)
{
    d->m = a->mat.nrows;
    d->narrow = is_narrow(a);
    PSB_TRY(hlgp_make(a));
    d->moved = psb_moved_of(a->mat.nrows, a->mat.ncols, sizeof(T),
                            a->packed.bytes.bytes + a->packed.slot.bytes + a->val.bytes);
    PSB_TRY(psb_dual_read(&a->packed.strip, PSB_DEV, &d->strip));
    PSB_TRY(psb_dual_read(&a->packed.slot, PSB_DEV, &d->slot));
    PSB_TRY(psb_dual_read(&a->packed.bytes, PSB_DEV, &d->bytes));
    return psb_dual_read(&a->val, PSB_DEV, &d->val);
}

static psb_err hlgp_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_packed_dev d = { 0 };
    PSB_TRY(hlgp_open((struct X(hlgp_mat) *)a, &d));
    return PSB_KERNELS(X(packed_kernels), a->on)->csmm(&d, k, alpha, x, beta, y);
}

static psb_err hlgp_csmv_fused(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                               const struct X(vec_epilogue) *t, double *sum)
{
    struct psb_packed_dev d = { 0 };
    double *partial;
    PSB_TRY(hlgp_open((struct X(hlgp_mat) *)a, &d));
    PSB_TRY(X(epilogue_scratch)(t, a, a->nrows / SUMMED_ROWS + 1, &partial));
    return PSB_KERNELS(X(packed_kernels), a->on)->fused(&d, alpha, x, beta, y, t, partial, sum);
}

static const struct X(mat_dev_ops) hlgp_dev = {
    .device = psb_cuda_device,
    .clear = hlgp_clear,
    .csmm = hlgp_csmm,
    .csmv_fused = hlgp_csmv_fused,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
};

static const struct X(mat_ops) hlgp_ops = {
    .super = &X(hll_mold).mat,
    .fmt = "HLGP",
    .size = sizeof(struct X(hlgp_mat)),
    .storage.build = build,
    .dev = &hlgp_dev,
};

const struct X(hlgp_mat) X(hlgp_mold) = { .hll = { .mat.ops = &hlgp_ops, .hack = 32, .limit = 2 } };
