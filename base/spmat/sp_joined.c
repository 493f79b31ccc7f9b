/* sp_joined.c -- base/spmat: the rows of a distributed matrix as one matrix in CSR, and back. */
#include "spmat.h"
#include "columns.h"
#include <limits.h>
#include "psb_type.h"

/* --- two parts joined ----------------------------------------------------------------------------------- */

/* l[0] and l[1]: the two parts; l[2]: their rows together.  Row bnd[b] has row b of l[1]. */
struct joining {
    struct X(compressed) l[3];
    const psb_ipk *bnd;
};

static void copy_entries(const struct X(compressed) *from, psb_ipk i, psb_ipk shift,
                         const struct X(compressed) *to, psb_epk *at)
{
    for (psb_epk k = from->ptr[i]; k < from->ptr[i + 1]; k++, ++*at) {
        to->idx[*at] = from->idx[k] + shift;
        to->val[*at] = from->val[k];
    }
}

static void join_part(void *job, int t, int p)
{
    const struct joining *q = job;
    const psb_ipk near = q->l[0].m, nb = q->l[1].n;
    psb_epk i, to;
    psb_thread_range(q->l[0].n, t, p, &i, &to);
    psb_ipk b = (psb_ipk)psb_first_from(q->bnd, 1, nb, (psb_ipk)i);
    for (; i < to; i++) {
        psb_epk at = q->l[2].ptr[i];
        copy_entries(&q->l[0], (psb_ipk)i, 0, &q->l[2], &at);
        if (b < nb && q->bnd[b] == i)
            copy_entries(&q->l[1], b++, near, &q->l[2], &at);
    }
}

static void join_pointers(const struct joining *q)
{
    psb_epk *ptr = q->l[2].ptr;
    psb_ipk b = 0;
    ptr[0] = 0;
    for (psb_ipk i = 0; i < q->l[0].n; i++) {
        ptr[i + 1] = ptr[i] + q->l[0].ptr[i + 1] - q->l[0].ptr[i];
        if (b < q->l[1].n && q->bnd[b] == i) {
            ptr[i + 1] += q->l[1].ptr[b + 1] - q->l[1].ptr[b];
            b++;
        }
    }
}

static psb_err join_two(const struct X(spmat) *a, struct joining *q, struct X(mat) **made)
{
    const psb_epk nz = q->l[0].ptr[q->l[0].n] + q->l[1].ptr[q->l[1].n];
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &q->bnd));
    PSB_TRY(X(csr_make)(q->l[0].n, psb_cd_local_cols(a->col), nz, made, &q->l[2]));
    join_pointers(q);
    psb_team(psb_threads(nz), join_part, q);
    return PSB_OK;
}

psb_err X(sp_joined)(const struct X(spmat) *a, struct X(compressed) *l, struct X(mat) **made)
{
    struct X(mat) *near, *halo = NULL, *both = NULL;
    struct joining q;
    PSB_TRY(X(mat_full_rows)(a->ad, &q.l[0], &near));
    if (a->ah->nnz == 0) {
        *l = q.l[0];
        l->m = psb_cd_local_cols(a->col);
        *made = near;
        return PSB_OK;
    }
    psb_err e = X(mat_full_rows)(a->ah, &q.l[1], &halo);
    PSB_THEN(e, join_two(a, &q, &both));
    X(mat_free)(near);
    X(mat_free)(halo);
    if (e == PSB_OK) {
        *l = q.l[2];
        *made = both;
    }
    return PSB_PASS(e);
}

/* --- one split in two ----------------------------------------------------------------------------------- */

/* The rows of l[2] whose first near[i] - l[2].ptr[i] entries go to l[0], the others to l[1]. */
struct splitting {
    struct X(compressed) l[3];
    psb_epk *near; /* where the columns of others begin in a row */
    psb_ipk *bnd;
};

static void find_halo_part(void *job, int t, int p)
{
    const struct splitting *q = job;
    const struct X(compressed) *c = &q->l[2];
    psb_epk i, to;
    psb_thread_range(c->n, t, p, &i, &to);
    for (; i < to; i++)
        q->near[i] = c->ptr[i] + psb_first_from(c->idx + c->ptr[i], 1, c->ptr[i + 1] - c->ptr[i], q->l[0].m);
}

static void split_part(void *job, int t, int p)
{
    const struct splitting *q = job;
    const struct X(compressed) *c = &q->l[2];
    psb_epk i, to;
    psb_thread_range(c->n, t, p, &i, &to);
    psb_ipk b = (psb_ipk)psb_first_from(q->bnd, 1, q->l[1].n, (psb_ipk)i);
    for (; i < to; i++) {
        psb_epk at = q->l[0].ptr[i];
        for (psb_epk k = c->ptr[i]; k < q->near[i]; k++, at++) {
            q->l[0].idx[at] = c->idx[k];
            q->l[0].val[at] = c->val[k];
        }
        if (b == q->l[1].n || q->bnd[b] != i)
            continue;
        at = q->l[1].ptr[b++];
        for (psb_epk k = q->near[i]; k < c->ptr[i + 1]; k++, at++) {
            q->l[1].idx[at] = c->idx[k] - q->l[0].m;
            q->l[1].val[at] = c->val[k];
        }
    }
}

/* *rows = the number of rows with columns of others, *nz = the number of their entries there. */
static void count_halo_part(const struct splitting *q, psb_ipk *rows, psb_epk *nz)
{
    *rows = 0;
    *nz = 0;
    for (psb_ipk i = 0; i < q->l[2].n; i++) {
        const psb_epk far = q->l[2].ptr[i + 1] - q->near[i];
        *rows += far > 0;
        *nz += far;
    }
}

static void split_pointers(const struct splitting *q)
{
    psb_ipk b = 0;
    q->l[0].ptr[0] = q->l[1].ptr[0] = 0;
    for (psb_ipk i = 0; i < q->l[2].n; i++) {
        const psb_epk far = q->l[2].ptr[i + 1] - q->near[i];
        q->l[0].ptr[i + 1] = q->l[0].ptr[i] + q->near[i] - q->l[2].ptr[i];
        if (far == 0)
            continue;
        q->bnd[b++] = i;
        q->l[1].ptr[b] = q->l[1].ptr[b - 1] + far;
    }
}

/* The two parts in CSR, and q->bnd. */
static psb_err split_two(struct splitting *q, struct X(spmat) *new)
{
    const struct X(compressed) *c = &q->l[2];
    const psb_ipk n = q->l[0].m;
    psb_ipk rows;
    psb_epk far;
    PSB_TRY(psb_alloc(&q->near, (size_t)c->n, sizeof *q->near, "split rows"));
    psb_team(psb_threads(c->n), find_halo_part, q);
    count_halo_part(q, &rows, &far);
    PSB_TRY(psb_alloc(&q->bnd, (size_t)rows, sizeof *q->bnd, "boundary rows"));
    PSB_TRY(X(csr_make)(c->n, n, c->ptr[c->n] - far, &new->ad, &q->l[0]));
    PSB_TRY(X(csr_make)(rows, c->m - n, far, &new->ah, &q->l[1]));
    split_pointers(q);
    psb_team(psb_threads(c->ptr[c->n]), split_part, q);
    return PSB_OK;
}

/* *a, which is in CSR, in the format of mold; halo: as X(mat_convert_halo). */
static psb_err in_format(struct X(mat) **a, const struct X(mat) *mold, const struct X(mat) *halo_mold,
                         bool halo)
{
    struct X(mat) *new;
    const struct X(mat) *to = halo ? halo_mold : mold;
    if (to && to->ops == (*a)->ops)
        return PSB_OK;
    PSB_TRY(halo ? X(mat_convert_halo)(*a, mold, halo_mold, &new) : X(mat_convert)(*a, mold, &new));
    X(mat_free)(*a);
    *a = new;
    return PSB_OK;
}

/* The rows of `far`, in CSR, that have entries: q->bnd, and new->ah in CSR. */
static psb_err take_boundary(const struct X(mat) *far, struct splitting *q, struct X(spmat) *new)
{
    struct X(compressed) l;
    psb_ipk rows = 0, b = 0;
    PSB_TRY(X(compressed_open)(far, &l));
    for (psb_ipk i = 0; i < l.n; i++)
        rows += l.ptr[i] < l.ptr[i + 1];
    PSB_TRY(psb_alloc(&q->bnd, (size_t)rows, sizeof *q->bnd, "boundary rows"));
    PSB_TRY(X(csr_make)(rows, l.m, l.ptr[l.n], &new->ah, &q->l[1]));
    X(compressed_copy)(q->l[1].idx, l.idx, (size_t)l.ptr[l.n], sizeof *l.idx);
    X(compressed_copy)(q->l[1].val, l.val, (size_t)l.ptr[l.n], sizeof *l.val);
    q->l[1].ptr[0] = 0;
    for (psb_ipk i = 0; i < l.n; i++)
        if (l.ptr[i] < l.ptr[i + 1]) {
            q->bnd[b++] = i;
            q->l[1].ptr[b] = l.ptr[i + 1];
        }
    return PSB_OK;
}

/* The same as split_two by the device that has c: only the columns of others are copied to the host. */
static psb_err split_there(struct X(mat) *c, struct splitting *q, struct X(spmat) *new)
{
    const struct psb_cut near = { { 0, c->nrows, 0, q->l[0].m }, LONG_MIN, LONG_MAX, 1, 0 },
                         far = { { 0, c->nrows, q->l[0].m, c->ncols }, LONG_MIN, LONG_MAX, 1, 0 };
    struct X(mat) *halo = NULL;
    if (!PSB_DEVICE_DOES(c, cut))
        return PSB_ENOTIMPL;
    PSB_TRY(X(mat_dev)(c)->storage->cut(c, &far, NULL, &halo));
    psb_err e = take_boundary(halo, q, new);
    PSB_THEN(e, X(mat_dev)(c)->storage->cut(c, &near, NULL, &new->ad));
    X(mat_free)(halo);
    return e;
}

psb_err X(sp_split_csr)(struct X(mat) **c, psb_ipk n, const struct X(mat) *mold,
                        const struct X(mat) *halo_mold, struct X(spmat) *new)
{
    struct splitting q = { .l[0].m = n };
    psb_err e;
    if ((*c)->ncols == n) {
        struct X(compressed) none;
        e = X(csr_make)(0, 0, 0, &new->ah, &none);
        if (e == PSB_OK)
            none.ptr[0] = 0;
        new->ad = *c;
        *c = NULL;
    } else {
        e = split_there(*c, &q, new);
        if (e == PSB_ENOTIMPL) {
            X(sp_drop_parts)(new);
            psb_free(q.bnd);
            q.bnd = NULL;
            e = X(compressed_open)(*c, &q.l[2]);
            PSB_THEN(e, split_two(&q, new));
        }
    }
    PSB_THEN(e, in_format(&new->ad, mold, NULL, false));
    PSB_THEN(e, in_format(&new->ah, mold, halo_mold, true));
    PSB_THEN(e, X(sp_boundary)(new->ah->nrows, q.bnd, new->ah->on, &new->bnd, &new->part));
    psb_free(q.near);
    psb_free(q.bnd);
    return PSB_PASS(e);
}

/* --- patterns ------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

psb_err X(sp_fingerprint)(const struct X(spmat) *a, uint64_t *print)
{
    const psb_ipk *bnd;
    uint64_t own, halo, h = mix(mix(1, (uint64_t)a->ad->nrows), (uint64_t)a->ad->ncols);
    PSB_TRY(X(mat_pattern_sum)(a->ad, &own));
    h = mix(h, own);
    if (a->ah->nnz > 0) {
        PSB_TRY(X(mat_pattern_sum)(a->ah, &halo));
        h = mix(h, halo);
        PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
        for (psb_ipk i = 0; i < a->ah->nrows; i++)
            h = mix(h, (uint64_t)bnd[i]);
        for (psb_ipk j = psb_cd_local_rows(a->col); j < psb_cd_local_cols(a->col); j++)
            h = mix(h, (uint64_t)(psb_loc_to_glob(a->col, j) - psb_index_base()));
    }
    *print = h;
    return PSB_OK;
}
