/* sprn_runs.c -- base/spmat: the fast path of a refill: complete rows inserted in stored order. */
#include "spmat.h"
#include <string.h>
#include "psb_type.h"
#include "refill.h"

int X(refill_is_csr)(const struct X(refill) *r)
{
    return r->d->ops == X(csr_mold).mat.ops;
}

void X(refill_clear_row)(struct X(refill) *r, const psb_epk *irp, psb_ipk i, T *val)
{
    if (r->old && r->old[i])
        memset(val + irp[i], 0, (size_t)(irp[i + 1] - irp[i]) * sizeof *val);
    if (r->old)
        r->old[i] = 0;
}

int X(refill_open_rows)(const struct X(spmat) *a, const struct X(refill) *r, struct stored_rows *rows)
{
    struct X(csr_mat) *d = (struct X(csr_mat) *)r->d;
    if (!X(refill_is_csr)(r) || !a->col->map->one_run)
        return 0;
    rows->first = a->col->map->lo + psb_index_base();
    return psb_dual_read(&d->irp, PSB_HOST, &rows->irp) == PSB_OK &&
           psb_dual_read(&d->ja, PSB_HOST, &rows->ja) == PSB_OK;
}

/* The number of entries from k on that are those of local row i, all of them, in stored order; else 0. */
static inline psb_epk as_stored(const struct stored_rows *rows, psb_ipk i, psb_epk nz, psb_epk k,
                                const psb_lpk *ia, const psb_lpk *ja)
{
    const psb_ipk *stored = rows->ja + rows->irp[i];
    psb_epk n = rows->irp[i + 1] - rows->irp[i];
    uint64_t differ = 0;
    if (n > nz - k || (n < nz - k && ia[k + n] == ia[k]))
        return 0;
    for (psb_epk t = 0; t < n; t++)
        differ |= (uint64_t)(ia[k + t] ^ ia[k]) |
                  (((uint64_t)ja[k + t] - (uint64_t)rows->first) ^ (uint64_t)stored[t]);
    return differ ? 0 : n;
}

/* Add row i, which is entries k .. k+n-1, to the last run, or to a new one. */
static psb_err push_row(struct X(refill) *r, psb_ipk i, psb_epk k, psb_epk n)
{
    struct row_run *last = r->nrun ? &r->run[r->nrun - 1] : NULL;
    if (last && i == last->i + last->m && k == last->k + last->n) {
        last->n += n;
        last->m++;
        return PSB_OK;
    }
    if (r->nrun == r->runs) {
        psb_epk cap = r->runs + r->runs / 2 + PSB_FIRST_CAPACITY;
        PSB_TRY(psb_resize(&r->run, (size_t)cap, sizeof *r->run, "refill"));
        r->runs = cap;
    }
    r->run[r->nrun++] = (struct row_run){ k, n, i, 1 };
    return PSB_OK;
}

psb_err X(refill_find_runs)(const struct X(spmat) *a, struct X(refill) *r, const struct stored_rows *rows,
                            psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, psb_epk *k)
{
    const struct psb_map *const map = a->row->map;
    while (*k < nz) {
        psb_ipk i = psb_map_g2l(map, psb_from_0(ia[*k]));
        psb_epk n = i < 0 ? 0 : as_stored(rows, i, nz, *k, ia, ja);
        if (n == 0)
            return PSB_OK;
        PSB_TRY(push_row(r, i, *k, n));
        *k += n;
    }
    return PSB_OK;
}

static void add_values(psb_epk n, const T *from, T *restrict to)
{
    for (psb_epk k = 0; k < n; k++)
        to[k] += from[k];
}

static int all_old(const struct X(refill) *r, const struct row_run *q)
{
    return r->old && !memchr(r->old + q->i, 0, (size_t)q->m);
}

psb_err X(refill_put_runs)(struct X(refill) *r, const T *val, enum psb_dupl how)
{
    struct X(csr_mat) *d = (struct X(csr_mat) *)r->d;
    const psb_epk *irp;
    T *to;
    if (r->nrun == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&d->irp, PSB_HOST, &irp));
    PSB_TRY(psb_dual_update(&d->val, PSB_HOST, &to));
    for (psb_epk q = 0; q < r->nrun; q++) {
        const struct row_run *run = &r->run[q];
        const T *from = val + run->k;
        T *at = to + irp[run->i];
        if (how == PSB_DUPL_OVERWRITE || all_old(r, run))
            memcpy(at, from, (size_t)run->n * sizeof *at);
        else {
            for (psb_ipk i = run->i; i < run->i + run->m; i++)
                X(refill_clear_row)(r, irp, i, to);
            add_values(run->n, from, at);
        }
        if (r->old)
            memset(r->old + run->i, 0, (size_t)run->m);
    }
    return PSB_OK;
}
