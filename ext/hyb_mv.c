/* hyb_mv.c -- room: ext.  Products of HYB's triplets, which are ordered by rows. */
#include "psb_ext.h"
#include "psb_team.h"
#include "psb_type.h"

enum { CHUNK = 8 }; /* columns that are summed together */

struct product {
    const struct X(coo_mat) *a;
    psb_ipk k;
    T alpha;
    const T *x;
    T *y;
    char trans;
};

/* sum[0..c) of entries e .. end-1, columns of x from `first` on; c is known where this is inlined. */
static inline void sum_run(const struct product *q, psb_epk e, psb_epk end, psb_ipk first, psb_ipk c,
                           T *restrict sum)
{
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (; e < end; e++) {
        const T v = q->a->val[e], *row = q->x + (psb_epk)q->a->ja[e] * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            sum[j] += v * row[j];
    }
}

/* y += alpha times the entries e .. end-1, which are of one row. */
static void add_run(const struct product *q, psb_epk e, psb_epk end)
{
    T sum[CHUNK], *y = q->y + (psb_epk)q->a->ia[e] * q->k;
    for (psb_ipk c = 0, w; c < q->k; c += w) {
        w = q->k - c < CHUNK ? q->k - c : CHUNK;
        if (w == 1)
            sum_run(q, e, end, c, 1, sum);
        else if (w == CHUNK)
            sum_run(q, e, end, c, CHUNK, sum);
        else
            sum_run(q, e, end, c, w, sum);
        for (psb_ipk j = 0; j < w; j++)
            y[c + j] += q->alpha * sum[j];
    }
}

/* Entry e, moved on to where a row begins. */
static psb_epk row_from(const struct X(coo_mat) *a, psb_epk e)
{
    if (e == 0 || e == a->mat.nnz)
        return e;
    return e + X(first_from)(a->ia + e, 1, a->mat.nnz - e, a->ia[e - 1] + 1);
}

/* A thread has whole rows. */
static void gather_part(void *job, int t, int p)
{
    const struct product *q = job;
    const psb_ipk *ia = q->a->ia;
    psb_epk e, end, last;
    psb_share(q->a->mat.nnz, t, p, &e, &last);
    for (e = row_from(q->a, e), last = row_from(q->a, last); e < last; e = end) {
        for (end = e + 1; end < last && ia[end] == ia[e]; end++)
            ;
        add_run(q, e, end);
    }
}

/* COO's own product, of a part of the entries. */
static void scatter_part(void *job, int t, int p, T *y)
{
    const struct product *q = job;
    struct X(coo_mat) part = *q->a;
    psb_epk e, end;
    psb_share(q->a->mat.nnz, t, p, &e, &end);
    part.mat.nnz = end - e;
    part.ia += e;
    part.ja += e;
    part.val += e;
    (void)part.mat.ops->csmm(q->alpha, &part.mat, q->k, q->x, 1, y, q->trans);
}

psb_err X(tail_csmm)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T *y, char trans)
{
    struct product q = { a, k, alpha, x, y, trans };
    if (trans != 'N')
        return X(add_up)(a->mat.nnz * k, (psb_epk)a->mat.ncols * k, 1, y, scatter_part, &q);
    psb_team(psb_threads(a->mat.nnz * k), gather_part, &q);
    return PSB_OK;
}
