/* csrg_solve.c -- cuda/formats: CSRG: triangular solves on the device, and their plan. */
#include "gpu_formats.h"
#include "levels.h"
#include "per_device.h"
#include "psb_type.h"

/* The largest mean numbers of entries of short and medium rows. */
enum { SHORT = 4, MEDIUM = 32 };

/* A triangle whose pattern has been checked: at, values_at are the numbers of changes of the pattern, and of
 * the values whose diagonal has been checked. */
struct psb_dev_solve {
    unsigned long at, values_at;
    unsigned char upper, unit, has_values;
    /* psb_ipk: the order of rows, the place of each row in it, the place of each entry's column; and a T for
     * each row and column of x: see psb_dev_triangle */
    struct psb_dual order, work;
};

void X(csrg_solve_free)(struct X(csrg_mat) *a)
{
    struct psb_dev_solve *p = a->solve;
    a->solve = NULL;
    if (!p)
        return;
    psb_dual_free(&p->order);
    psb_dual_free(&p->work);
    psb_free(p);
}

size_t X(csrg_solve_bytes)(const struct X(csrg_mat) *a)
{
    const struct psb_dev_solve *p = a->solve;
    return p ? p->order.bytes + p->work.bytes : 0;
}

/* --- checks --------------------------------------------------------------------------------------------- */

/* The error of a triangle in which the device has found one, by the checks of the host. */
static psb_err refuse(struct X(csrg_mat) *a, int by_cols, psb_epk row)
{
    const struct X(triangle) t = { a->mat.is.upper, a->mat.is.unit, 0, 0, by_cols };
    struct X(compressed) l;
    PSB_TRY(X(compressed_open)(&a->mat, &l));
    PSB_TRY(X(compressed_check_triangle)(&l, t));
    return PSB_FAIL(PSB_EDEVICE, "the device finds an error in row %" PRId64 " of a triangle, the host none",
                    row);
}

static psb_err check_pattern(struct X(csrg_mat) *a, const struct psb_pattern *p, bool by_cols)
{
    const struct psb_device *on = a->mat.on;
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, psb_level_steps_of(on)->check(p, a->mat.is.upper, a->mat.is.unit, at), found);
    return found[0] < 0 ? PSB_OK : refuse(a, by_cols, found[0]);
}

static psb_err check_diagonal(struct X(csrg_mat) *a, const struct psb_dev_triangle *t, bool by_cols)
{
    const struct psb_device *on = a->mat.on;
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(triangle_kernels), on)->diagonal(t, at), found);
    return found[0] < 0 ? PSB_OK : refuse(a, by_cols, found[0]);
}

/* --- the plan ------------------------------------------------------------------------------------------- */

static psb_err fill_plan(struct X(csrg_mat) *a, const struct psb_pattern *l)
{
    const struct psb_level_steps *k = psb_level_steps_of(a->mat.on);
    const psb_epk n = l->n, all = 2 * n + a->mat.nnz;
    struct psb_dual *d = &a->solve->order;
    psb_ipk *order;
    PSB_TRY(X(move_on_device)(d, a->mat.on, all, sizeof *order, NULL, "order of a solve", &order));
    PSB_TRY(k->order(l, a->mat.is.upper, order, order + n));
    return k->rename(a->mat.nnz, l->ja, order + n, order + 2 * n);
}

/* Make a new plan for the pattern of a. */
static psb_err new_plan(struct X(csrg_mat) *a, unsigned long at, bool by_cols)
{
    struct psb_pattern l = { .n = a->mat.nrows };
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_DEV, &l.irp));
    PSB_TRY(psb_dual_read(&a->csr.ja, PSB_DEV, &l.ja));
    PSB_TRY(check_pattern(a, &l, by_cols));
    X(csrg_solve_free)(a);
    PSB_TRY(psb_alloc_zero(&a->solve, 1, sizeof *a->solve, "plan of a solve on the device"));
    *a->solve = (struct psb_dev_solve){ .at = at,
                                        .upper = (unsigned char)a->mat.is.upper,
                                        .unit = (unsigned char)a->mat.is.unit };
    const psb_err e = fill_plan(a, &l);
    if (e != PSB_OK)
        X(csrg_solve_free)(a);
    return e;
}

/* Memory for the solution of k columns. */
static psb_err need_work(struct X(csrg_mat) *a, psb_ipk k, void *out)
{
    struct psb_dual *work = &a->solve->work;
    const size_t bytes = PSB_SOLVE_HEAD + (size_t)a->mat.nrows * (size_t)k * sizeof(T);
    if (!work->dev || work->bytes < bytes) {
        psb_dual_free(work);
        PSB_TRY(psb_dual_init(work, bytes, 1, a->mat.on, "solution of a triangle"));
    }
    return psb_dual_write(work, PSB_DEV, out);
}

static int length_of_rows(const struct X(csrg_mat) *a)
{
    const psb_epk mean = (a->mat.nnz + a->mat.nrows - 1) / a->mat.nrows;
    if (psb_solve_choice.rows)
        return psb_solve_choice.rows;
    return mean <= SHORT ? PSB_ROWS_SHORT : mean <= MEDIUM ? PSB_ROWS_MEDIUM : PSB_ROWS_LONG;
}

static psb_err open_triangle(struct X(csrg_mat) *a, psb_ipk k, struct psb_dev_triangle *t)
{
    const struct psb_dev_solve *p = a->solve;
    *t = (struct psb_dev_triangle){ .n = a->mat.nrows, .upper = p->upper, .unit = p->unit };
    t->rows = length_of_rows(a);
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_DEV, &t->irp));
    PSB_TRY(psb_dual_read(&a->csr.val, PSB_DEV, &t->val));
    PSB_TRY(psb_dual_read(&p->order, PSB_DEV, &t->order));
    t->column = t->order + 2 * (size_t)t->n;
    return need_work(a, k, &t->work);
}

/* Make a new plan if a has none for its pattern. */
static psb_err need_order(struct X(csrg_mat) *a, bool by_cols)
{
    const unsigned long at = a->csr.irp.changes + a->csr.ja.changes;
    const struct psb_dev_solve *p = a->solve;
    if (p && p->at == at && p->upper == a->mat.is.upper && p->unit == a->mat.is.unit)
        return PSB_OK;
    return new_plan(a, at, by_cols);
}

psb_err X(csrg_rows_by_level)(struct X(csrg_mat) *a, const psb_ipk **order)
{
    PSB_TRY(need_order(a, 0));
    return psb_dual_read(&a->solve->order, PSB_DEV, order);
}

/* The triangle a with a plan: checked once for a pattern, and once for its values. */
static psb_err need_plan(struct X(csrg_mat) *a, psb_ipk k, int by_cols, struct psb_dev_triangle *t)
{
    const unsigned long values_at = a->csr.val.changes;
    PSB_TRY(need_order(a, by_cols));
    PSB_TRY(open_triangle(a, k, t));
    if (a->mat.is.unit || (a->solve->has_values && a->solve->values_at == values_at))
        return PSB_OK;
    PSB_TRY(check_diagonal(a, t, by_cols));
    a->solve->has_values = 1;
    a->solve->values_at = values_at;
    return PSB_OK;
}

/* --- the slot ------------------------------------------------------------------------------------------- */

psb_err X(csrg_cssm_dev)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char side,
                         const T *d, bool by_cols)
{
    struct psb_dev_triangle t;
    struct X(solve_args) q = { .k = k, .alpha = alpha, .beta = beta, .x = x, .y = y };
    q.left = side == 'L' ? d : NULL;
    q.right = side == 'R' ? d : NULL;
    PSB_TRY(need_plan((struct X(csrg_mat) *)a, k, by_cols, &t));
    return PSB_KERNELS(X(triangle_kernels), a->on)->solve(&t, &q);
}
