/* host_problem.c -- test/kernel: the matrix to be timed, x, and the correct A x. */
#include "psb_ext.h"
#include "psb_util.h"
#include "psb_type.h"
#include "host_spmv.h"

static void share(struct problem *p, psb_lpk m, psb_lpk n)
{
    p->m = m;
    p->n = n;
    p->row0 = m * p->me / p->np;
    p->col0 = n * p->me / p->np;
    p->rows = (psb_ipk)(m * (p->me + 1) / p->np - p->row0);
    p->cols = (psb_ipk)(n * (p->me + 1) / p->np - p->col0);
}

static void set_right(struct problem *p)
{
    good(X(right_make)(&p->right[ONE], p->a, 1, 'N'), p->name);
    if (p->np > 1)
        return;
    good(X(right_make)(&p->right[TRANSPOSED], p->a, 1, 'T'), p->name);
    good(X(right_make)(&p->right[MANY], p->a, COLUMNS, 'N'), p->name);
}

void X(host_load)(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    struct X(triplets) t;
    *p = (struct problem){ .ctxt = ctxt };
    psb_info(ctxt, &p->me, &p->np);
    matrix_name(p->name, sizeof p->name, what);
    good(X(matrix_read)(ctxt, what, &t), what);
    share(p, t.m, t.n);
    good(X(matrix_from_rows)(&t, p->row0, p->rows, &p->a), what);
    X(triplets_free)(&t);
    p->nnz = p->a->mat.nnz;
    MPI_Allreduce(MPI_IN_PLACE, &p->nnz, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(ctxt));
    size_t most = (size_t)(p->rows > p->cols ? p->rows : p->cols) * COLUMNS;
    good(psb_alloc(&p->x, most, sizeof *p->x, "x"), what);
    good(psb_alloc_zero(&p->y, most, sizeof *p->y, "y"), what);
    for (size_t k = 0; k < most; k++)
        p->x[k] = X(x_at)(p->col0 + (psb_lpk)k);
    set_right(p);
}

void X(host_unload)(struct problem *p)
{
    X(mat_free)(&p->a->mat);
    psb_free(p->x);
    psb_free(p->y);
    for (int w = 0; w < WAYS; w++)
        X(right_free)(&p->right[w]);
}

double X(host_error)(const struct problem *p, enum way w)
{
    double worst = X(right_error)(&p->right[w], p->y);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(p->ctxt));
    return worst;
}
