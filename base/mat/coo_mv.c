/* coo_mv.c -- base/mat: products of COO. */
#include "config.h"
#include "psb_format.h"
#include "psb_threads.h"
#include "psb_team.h"
#include <stdatomic.h>
#include "psb_type.h"

/* y = beta y, rows lo .. hi-1. */
static void start_rows(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    for (psb_epk i = (psb_epk)lo * q->k; i < (psb_epk)hi * q->k && q->beta != 1; i++)
        q->y[i] = q->beta == 0 ? 0 : q->beta * q->y[i];
}

#define PSB_KERNELS "coo_kernels.t.h"
#include "psb_each_simd.h"

/* Threads share entries evenly, in whole rows. */
static psb_ipk first_row(const void *of, int t, int p)
{
    const struct X(coo_mat) *a = of;
    psb_epk e, end;
    psb_thread_range(a->mat.nnz, t, p, &e, &end);
    if (t == 0 || t == p)
        return t == 0 ? 0 : a->mat.nrows;
    return e == 0 ? 0 : a->ia[e - 1] + 1;
}

struct order_check {
    const struct X(coo_mat) *a;
    atomic_int disordered;
};

static void check_order_part(void *job, int t, int p)
{
    struct order_check *q = job;
    psb_epk e, end;
    int disordered = 0;
    psb_thread_range(q->a->mat.nnz - 1, t, p, &e, &end);
    for (; e < end; e++)
        disordered |= q->a->ia[e] > q->a->ia[e + 1];
    if (disordered)
        atomic_store(&q->disordered, 1);
}

/* Are the entries ordered by rows? */
static int is_by_rows(const struct X(coo_mat) *a)
{
    struct order_check q = { a, 0 };
    if (a->mat.nnz)
        psb_team(psb_threads(a->mat.nnz), check_order_part, &q);
    return !q.disordered;
}

struct X(product)
    X(coo_product)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans)
{
    static const struct X(product_kernels) kernels = { LEVELS(gather), LEVELS(gather_many), LEVELS(scatter),
                                                       LEVELS(scatter_many) };
    return (struct X(product)){ a, first_row, &kernels, k, alpha, x, beta, y, trans == 'C' };
}

psb_err X(coo_csmm)(const struct X(coo_mat) *a, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans)
{
    /* with one thread any order is correct */
    const int one = psb_threads(a->mat.nnz * k) > 1 && !is_by_rows(a);
    const struct X(product) q = X(coo_product)(a, k, alpha, x, beta, y, trans);
    return PSB_PASS(X(product_csmm)(&q, trans != 'N', one ? 0 : a->mat.nnz, a->mat.ncols));
}
