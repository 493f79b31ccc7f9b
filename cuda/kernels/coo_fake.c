/* coo_fake.c -- cuda/kernels: the steps of triplets in plain C, for the fake device: the reference for the
 * steps in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "stencil.h"
#include <string.h>
#include "psb_type.h"

static psb_err copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return PSB_OK;
}

static psb_err row_begins(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off)
{
    X(compressed_count)(m, nz, ia, off);
    return PSB_OK;
}

/* --- orders ----------------------------------------------------------------------------------------- */

/* Sort keys of entries: places, or rows, then columns. */
struct keys {
    const psb_epk *place;
    const psb_ipk *ia, *ja;
};

static bool has_larger_place(const struct keys *q, psb_epk k, psb_epk l)
{
    return q->place[k] > q->place[l];
}

static bool is_behind(const struct keys *q, psb_epk k, psb_epk l)
{
    return q->ia[k] > q->ia[l] || (q->ia[k] == q->ia[l] && q->ja[k] > q->ja[l]);
}

/* Merge runs of w entries, then of 2 w, and so on: a stable sort. */
static psb_err sort_by(psb_epk n, psb_epk *to, bool (*after)(const struct keys *, psb_epk, psb_epk),
                       const struct keys *q)
{
    psb_epk *other;
    PSB_TRY(psb_alloc(&other, (size_t)n, sizeof *other, "order"));
    for (psb_epk k = 0; k < n; k++)
        to[k] = k;
    for (psb_epk w = 1; w < n; w *= 2) {
        for (psb_epk lo = 0; lo < n; lo += 2 * w) {
            const psb_epk mid = lo + w < n ? lo + w : n, hi = mid + w < n ? mid + w : n;
            for (psb_epk a = lo, b = mid, at = lo; at < hi; at++)
                other[at] = b == hi || (a < mid && !after(q, to[a], to[b])) ? to[a++] : to[b++];
        }
        memcpy(to, other, (size_t)n * sizeof *to);
    }
    psb_free(other);
    return PSB_OK;
}

static psb_err order_by_place(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *to)
{
    (void)below;
    return sort_by(nz, to, has_larger_place, &(struct keys){ .place = place });
}

static psb_err order(const struct psb_dev_triplets *e, psb_ipk m, psb_ipk n, psb_epk *to)
{
    (void)m, (void)n;
    return sort_by(e->nz, to, is_behind, &(struct keys){ .ia = e->ia, .ja = e->ja });
}

static psb_err disorder(const struct psb_dev_triplets *e, psb_epk *found)
{
    const struct keys q = { .ia = e->ia, .ja = e->ja };
    found[0] = found[1] = 0;
    for (psb_epk k = 1; k < e->nz; k++)
        found[0] += is_behind(&q, k - 1, k);
    return PSB_OK;
}

/* --- COO -------------------------------------------------------------------------------------------- */

static psb_epk nth(const psb_epk *by, psb_epk k)
{
    return by ? by[k] : k;
}

static void put_triplet(const struct psb_new_triplets *to, psb_epk k, const struct psb_dev_triplets *e,
                        psb_epk from, T v)
{
    to->ia[k] = e->ia[from];
    to->ja[k] = e->ja[from];
    ((T *)to->val)[k] = v;
}

static psb_err gather(const struct psb_dev_triplets *e, const psb_epk *by, const struct psb_new_triplets *to)
{
    for (psb_epk k = 0; k < e->nz; k++)
        put_triplet(to, k, e, by[k], ((const T *)e->val)[by[k]]);
    return PSB_OK;
}

static psb_err distinct(const struct psb_dev_triplets *e, const psb_epk *by, psb_epk *place, psb_epk *found)
{
    const struct keys q = { .ia = e->ia, .ja = e->ja };
    place[0] = 0;
    for (psb_epk k = 0; k < e->nz; k++)
        place[k + 1] = place[k] + (k == 0 || is_behind(&q, nth(by, k), nth(by, k - 1)));
    found[0] = place[e->nz];
    found[1] = 0;
    return PSB_OK;
}

static psb_err merge(const struct psb_dev_triplets *e, const psb_epk *by, const psb_epk *place, int overwrite,
                     const struct psb_new_triplets *to)
{
    for (psb_epk k = 0; k < e->nz; k++) {
        const psb_epk from = nth(by, k), at = place[k + 1] - 1;
        const T v = ((const T *)e->val)[from], before = ((const T *)to->val)[at];
        put_triplet(to, at, e, from, place[k] == place[k + 1] && !overwrite ? before + v : v);
    }
    return PSB_OK;
}

/* --- entries by global indices ----------------------------------------------------------------------- */

static psb_err split(const struct psb_own_block *q)
{
    q->found[0] = -1;
    q->found[1] = 0;
    for (psb_epk k = 0; k < q->nz; k++) {
        const psb_lpk i = q->ia[k] - q->base, j = q->ja[k] - q->base;
        const bool inside = i >= 0 && i < q->rows && j >= 0 && j < q->cols;
        const bool own = i >= q->first_row && i - q->first_row < q->m && j >= q->first_col &&
                         j - q->first_col < q->n;
        if (!inside && q->found[0] < 0)
            q->found[0] = k;
        q->i[k] = own ? (psb_ipk)(i - q->first_row) : q->m;
        q->j[k] = own ? (psb_ipk)(j - q->first_col) : 0;
        q->found[1] += !own;
    }
    return PSB_OK;
}

static psb_err take(const struct psb_taken *q)
{
    for (psb_epk k = 0; k < q->n; k++) {
        q->to_i[k] = q->ia[q->list[k]];
        q->to_j[k] = q->ja[q->list[k]];
        ((T *)q->to_val)[k] = ((const T *)q->val)[q->list[k]];
    }
    return PSB_OK;
}

static psb_err refill(const struct psb_refill *q, void *to_)
{
    T *to = to_;
    for (psb_epk k = 0; k < q->n; k++) {
        const psb_epk e = nth(q->order, k), at = q->place[k + 1] - 1;
        const T v = e < q->nz ? ((const T *)q->val)[e] : ((const T *)q->more)[e - q->nz];
        to[at] = q->place[k] == q->place[k + 1] && !q->overwrite ? to[at] + v : v;
    }
    return PSB_OK;
}

static psb_err stencil(const struct psb_stencil *s, const struct psb_dev_compressed *a)
{
    for (psb_ipk i = 0; i <= s->m; i++) {
        psb_epk k = a->off[i] = psb_stencil_begin(s, i);
        for (int q = 0; q < PSB_NEIGHBOURS && i < s->m; q++) {
            const psb_ipk j = psb_stencil_column(s, q, i);
            if (j < 0)
                continue;
            a->ja[k] = j;
            ((T *)a->val)[k++] = MAKE(s->re[q], s->im[q]);
        }
    }
    return PSB_OK;
}

/* --- the table ------------------------------------------------------------------------------------------ */

const struct X(coo_steps) X(coo_steps_fake) = {
    .copy = copy,
    .row_begins = row_begins,
    .disorder = disorder,
    .order = order,
    .order_by_place = order_by_place,
    .distinct = distinct,
    .merge = merge,
    .gather = gather,
    .split = split,
    .take = take,
    .refill = refill,
    .stencil = stencil,
    .locality = X(locality_fake),
};
