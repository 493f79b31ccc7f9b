/* host_problem.c -- room: test/kernel.  A matrix to be timed, x, and what A x has to be. */
#include "psb_ext.h"
#include "psb_util.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "host_spmv.h"

static int is_generated(const char *what)
{
    return !strchr(what, '/') && strchr(what, ':');
}

/* lap7:100, or a file's name without directory and ending. */
static void set_name(struct problem *p, const char *what)
{
    const char *last = strrchr(what, '/');
    const char *begin = last ? last + 1 : what, *end = strstr(begin, ".mtx");
    int n = end ? (int)(end - begin) : (int)strlen(begin);
    snprintf(p->name, sizeof p->name, "%.*s", n, begin);
}

static void share(struct problem *p, psb_lpk m, psb_lpk n)
{
    p->m = m;
    p->n = n;
    p->row0 = m * p->me / p->np;
    p->col0 = n * p->me / p->np;
    p->rows = (psb_ipk)(m * (p->me + 1) / p->np - p->row0);
    p->cols = (psb_ipk)(n * (p->me + 1) / p->np - p->col0);
}

/* All rows of a file, or those of this process of a generated matrix. */
static void read_entries(struct problem *p, const char *what, struct X(triplets) *t)
{
    struct psb_gen g;
    psb_desc *rows;
    if (!is_generated(what)) {
        good(X(mm_read)(what, NULL, NULL, t), what);
        share(p, t->m, t->n);
        return;
    }
    good(psb_gen_parse(what, &g), what);
    share(p, g.m, g.m);
    good(psb_cdall_nl(&rows, p->ctxt, p->rows), what);
    good(X(generate)(&g, rows, NULL, NULL, t), what);
    psb_cdfree(rows);
}

static void take_entries(struct problem *p, const struct X(triplets) *t)
{
    struct X(mat) *a;
    psb_epk n = 0;
    good(X(mat_new)(&X(coo_mold).mat, p->rows, (psb_ipk)p->n, 0, &a), p->name);
    p->a = (struct X(coo_mat) *)a;
    good(X(coo_reserve)(p->a, t->nnz), p->name);
    for (psb_epk k = 0; k < t->nnz; k++)
        if (t->ia[k] >= p->row0 && t->ia[k] < p->row0 + p->rows) {
            p->a->ia[n] = (psb_ipk)(t->ia[k] - p->row0);
            p->a->ja[n] = (psb_ipk)t->ja[k];
            p->a->val[n++] = t->val[k];
        }
    a->nnz = n;
    good(X(coo_fix)(p->a, PSB_DUPL_ADD), p->name);
    p->nnz = a->nnz;
    MPI_Allreduce(MPI_IN_PLACE, &p->nnz, 1, MPI_INT64_T, MPI_SUM, psb_comm_of(p->ctxt));
}

/* Element k of x, between 1 and 2, exact in single precision. */
static double x_at(psb_lpk k)
{
    return 1 + (double)(k % 17) / 16;
}

static void add_entries(struct problem *p)
{
    const struct X(coo_mat) *a = p->a;
    const int all = p->np == 1;
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        const psb_ipk i = a->ia[k], j = a->ja[k];
        const double v = a->val[k];
        p->right[ONE][i] += v * x_at(j);
        p->bound[0][i] += 2 * fabs(v);
        if (!all)
            continue;
        p->right[TRANSPOSED][j] += v * x_at(i);
        p->bound[1][j] += 2 * fabs(v);
        for (int c = 0; c < COLUMNS; c++)
            p->right[MANY][(size_t)i * COLUMNS + (size_t)c] += v * x_at((psb_lpk)j * COLUMNS + c);
    }
}

/* From sums of at least |a| |x| to what two sums of n such products may differ by, in any order; products
 * below the normal numbers lose a step of those. */
static void bound(double *sum, psb_ipk n, const psb_ipk *of, psb_epk nnz)
{
    const double step = sizeof(R) == sizeof(float) ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    psb_ipk *count;
    good(psb_alloc_zero(&count, (size_t)n, sizeof *count, "counts"), "bounds");
    for (psb_epk k = 0; k < nnz; k++)
        count[of[k]]++;
    for (psb_ipk i = 0; i < n; i++)
        sum[i] = (count[i] + 8) * (double)EPS * sum[i] + count[i] * step;
    psb_free(count);
}

static void set_right(struct problem *p)
{
    const struct X(coo_mat) *a = p->a;
    const size_t rows = (size_t)p->rows, cols = (size_t)p->n, all = p->np == 1;
    good(psb_alloc_zero(&p->right[ONE], rows, sizeof(double), "results"), p->name);
    good(psb_alloc_zero(&p->right[TRANSPOSED], all * cols, sizeof(double), "results"), p->name);
    good(psb_alloc_zero(&p->right[MANY], all * rows * COLUMNS, sizeof(double), "results"), p->name);
    good(psb_alloc_zero(&p->bound[0], rows, sizeof(double), "bounds"), p->name);
    good(psb_alloc_zero(&p->bound[1], all * cols, sizeof(double), "bounds"), p->name);
    add_entries(p);
    bound(p->bound[0], p->rows, a->ia, a->mat.nnz);
    if (all)
        bound(p->bound[1], (psb_ipk)p->n, a->ja, a->mat.nnz);
}

void problem_load(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    struct X(triplets) t;
    *p = (struct problem){ .ctxt = ctxt };
    psb_info(ctxt, &p->me, &p->np);
    set_name(p, what);
    read_entries(p, what, &t);
    take_entries(p, &t);
    X(triplets_free)(&t);
    size_t most = (size_t)(p->rows > p->cols ? p->rows : p->cols) * COLUMNS;
    good(psb_alloc(&p->x, most, sizeof *p->x, "x"), what);
    good(psb_alloc_zero(&p->y, most, sizeof *p->y, "y"), what);
    for (size_t k = 0; k < most; k++)
        p->x[k] = (T)x_at(p->col0 + (psb_lpk)k);
    set_right(p);
}

void problem_free(struct problem *p)
{
    X(mat_free)(&p->a->mat);
    psb_free(p->x);
    psb_free(p->y);
    for (int w = 0; w < WAYS; w++)
        psb_free(p->right[w]);
    psb_free(p->bound[0]);
    psb_free(p->bound[1]);
}

double problem_error(const struct problem *p, enum way w)
{
    const double *most = p->bound[w == TRANSPOSED];
    const size_t each = w == MANY ? COLUMNS : 1, n = (size_t)(w == TRANSPOSED ? p->n : p->rows) * each;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = fabs((double)p->y[i] - p->right[w][i]);
        const double error = off == 0 ? 0 : off / most[i / each];
        worst = fmax(worst, isnan(error) ? INFINITY : error);
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(p->ctxt));
    return worst;
}
