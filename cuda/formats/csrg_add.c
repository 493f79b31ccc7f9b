/* csrg_add.c -- cuda/formats: products of CSRG that are added to listed rows, as those over a halo. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

/* Few rows, all of them short: a thread can take a row. */
enum { SHORT_ROW = 16, FEW_ROWS = 1 << 17 };

/* The length of the longest row, known from the host's row pointers, until the pattern changes. */
static psb_err find_longest(struct X(csrg_mat) *a)
{
    const psb_epk *irp;
    if (a->longest > 0 && a->longest_at == a->csr.irp.changes)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_HOST, &irp));
    psb_epk most = 0;
    for (psb_ipk i = 0; i < a->mat.nrows; i++)
        most = irp[i + 1] - irp[i] > most ? irp[i + 1] - irp[i] : most;
    a->longest = most;
    a->longest_at = a->csr.irp.changes;
    return PSB_OK;
}

/* *is = 1 and *l = the arrays of a on the device if its rows are few and short, else *is = 0. */
static psb_err open_short(struct X(csrg_mat) *a, struct psb_dev_compressed *l, int *is)
{
    *is = 0;
    if (a->mat.nrows > FEW_ROWS)
        return PSB_OK;
    PSB_TRY(find_longest(a));
    *is = a->longest <= SHORT_ROW;
    return *is ? X(csr_on_device)(&a->csr, 0, l) : PSB_OK;
}

static psb_err add_by_tiles(T alpha, struct X(csrg_mat) *a, const T *x, const psb_ipk *rows, T *y,
                            const struct X(vec_epilogue) *t)
{
    struct psb_csr_dev d = { 0 };
    double *partial = NULL;
    PSB_TRY(X(csrg_open)(a, 1, &d));
    if (t)
        PSB_TRY(X(epilogue_scratch)(t, &a->mat, d.ntiles + d.nsplit, &partial));
    return PSB_KERNELS(X(csr_kernels), a->mat.on)->add(&d, alpha, x, rows, y, t, partial);
}

static psb_err add_short(T alpha, const struct X(csrg_mat) *a, const struct psb_dev_compressed *l, const T *x,
                         const struct psb_awaited *wait, const psb_ipk *rows, T *y,
                         const struct X(vec_epilogue) *t)
{
    double *partial = NULL;
    psb_err e = t ? X(epilogue_scratch)(t, &a->mat, a->mat.nrows / SUMMED_ROWS + 1, &partial) : PSB_OK;
    if (e != PSB_OK) {
        (void)!psb_await(wait);
        return e;
    }
    return PSB_KERNELS(X(csr_kernels), a->mat.on)->add_short(l, alpha, x, wait, rows, y, t, partial);
}

psb_err X(csrg_add_dev)(T alpha, struct X(mat) *a_, const T *x, const struct psb_awaited *wait,
                        const psb_ipk *rows, T *y, const struct X(vec_epilogue) *t)
{
    struct X(csrg_mat) *a = (struct X(csrg_mat) *)a_;
    struct psb_dev_compressed l;
    int is_short;
    psb_err e = open_short(a, &l, &is_short);
    if (e == PSB_OK && is_short)
        return PSB_PASS(add_short(alpha, a, &l, x, wait, rows, y, t));
    PSB_TRY(psb_await(wait));
    return PSB_PASS(e == PSB_OK ? add_by_tiles(alpha, a, x, rows, y, t) : e);
}
