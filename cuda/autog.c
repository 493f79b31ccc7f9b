/* autog.c -- room: cuda.  The format of the device that suits a matrix best; what each of them foresees. */
#include "psb_cuda.h"
#include "psb_type.h"

/* Times of 40 matrices of 50 million entries on an H200 are within 15 percent of what is said here, in those
 * formats that are near the best (docs/performance.md). */

static psb_err of_host(const struct X(mat) *mold, struct X(mat) *a, const struct X(lines) *rows,
                       struct psb_forecast *f)
{
    PSB_TRY(mold->ops->forecast(a, rows, f));
    f->drag = 1.07;
    f->ns = 0;
    return PSB_OK;
}

/* A row costs beside its entries. */
psb_err X(csrg_forecast)(struct X(mat) *a, const struct X(lines) *rows, struct psb_forecast *f)
{
    const double row = 0.003;
    PSB_TRY(of_host(&X(csr_mold).mat, a, rows, f));
    f->ns = row * rows->n;
    return PSB_OK;
}

/* What is padded is not read, but a warp waits for its longest row; where x is met at random, CSRG is better.
 */
psb_err X(hlg_forecast)(struct X(mat) *a, const struct X(lines) *rows, struct psb_forecast *f)
{
    const double skipped = 0.66, scattered = 1.5;
    PSB_TRY(of_host(&X(hll_mold).mat, a, rows, f));
    const double padding = (f->places - (double)rows->ptr[rows->n]) * (sizeof(T) + sizeof(psb_ipk));
    if (f->bytes > 0)
        f->drag *= 1 - skipped * padding / f->bytes;
    if (psb_rows_are_scattered(rows->n, rows->ptr, rows->idx))
        f->drag *= scattered;
    return PSB_OK;
}

psb_err X(hdiag_forecast)(struct X(mat) *a, const struct X(lines) *rows, struct psb_forecast *f)
{
    return of_host(&X(hdia_mold).mat, a, rows, f);
}

/* Blocks that are large enough to share their index; others have no kernel made for them. */
psb_err X(bsrg_forecast)(struct X(mat) *a, const struct X(lines) *rows, struct psb_forecast *f)
{
    const double index = 1.3, large = 1.4, small = 2.5;
    PSB_TRY(of_host(&X(bsr_mold).mat, a, rows, f));
    f->drag = f->bytes <= f->places * (sizeof(T) + index) ? large : small;
    return PSB_OK;
}

static const struct X(mat_ops) ops = {
    .super = &X(auto_mold).mat,
    .fmt = "AUTOG",
    .size = sizeof(struct X(auto_mat)),
    .choose = X(auto_choose),
};

const struct X(auto_mat) X(autog_mold) = { .mat.ops = &ops, .mirrors = 1 };
