/* autog.c -- room: cuda/formats.  AUTOG: choose the best device format; the forecasts of these formats. */
#include "gpu_formats.h"
#include <math.h>
#include "psb_type.h"

/* Measured times of 40 matrices of 50 million entries on an H200 are within 15 percent of these forecasts,
 * for formats near the best; if accesses to x are scattered, all formats are slower, up to 2.5 times. */

static psb_err of_host(const struct X(mat) *mold, struct X(mat) *a, const struct X(compressed) *rows,
                       struct psb_forecast *f)
{
    PSB_TRY(mold->ops->forecast(a, rows, f));
    f->stride_penalty = 1.07;
    f->ns = 0;
    return PSB_OK;
}

/* A row has a cost in addition to its entries. */
psb_err X(csrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const double row = 0.003;
    PSB_TRY(of_host(&X(csr_mold).mat, a, rows, f));
    f->ns = row * rows->n;
    return PSB_OK;
}

/* --- HLG ------------------------------------------------------------------------------------------------ */

static psb_epk length(const struct X(compressed) *rows, psb_ipk i)
{
    return rows->ptr[i + 1] - rows->ptr[i];
}

/* Number of entries of the longest row that a lane reads one after the other, less the mean, which all other
 * rows have read by then.  If rows are ragged, a warp shares the entries beyond PSB_HLL_SHORT. */
static double longest_wait(const struct X(mat) *a, psb_epk widest, int ragged)
{
    enum { WARP = 32 };
    if (ragged && widest > PSB_HLL_SHORT)
        widest = PSB_HLL_SHORT + (widest - PSB_HLL_SHORT) / WARP;
    return a->nrows > 0 ? (double)widest - (double)a->nnz / a->nrows : 0;
}

static psb_epk longest(const struct X(compressed) *rows)
{
    psb_epk most = 0;
    for (psb_ipk i = 0; i < rows->n; i++)
        most = length(rows, i) > most ? length(rows, i) : most;
    return most;
}

static double padding_of(const struct X(mat) *a, const struct psb_forecast *f)
{
    return a->nnz > 0 ? f->places / (double)a->nnz : 1;
}

/* Padding is not read, but a warp waits for its longest row, and at the end all wait for the longest: 1000 ns
 * per batch of four entries, which come from memory, as does x after them. */
void X(hlg_cost)(const struct X(mat) *a, psb_epk widest, struct psb_forecast *f)
{
    const double skipped = 0.66, entry = 250;
    if (f->bytes > 0)
        f->stride_penalty *= 1 - skipped * (f->places - (double)a->nnz) * (sizeof(T) + sizeof(psb_ipk)) /
                                     f->bytes;
    f->ns = entry * longest_wait(a, widest, psb_hll_is_ragged(padding_of(a, f)));
}

/* If accesses to x are scattered, CSRG is better, unless rows have so similar lengths that HLG, too, can keep
 * the cache for x. */
psb_err X(hlg_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const double scattered = 1.5;
    PSB_TRY(of_host(&X(hll_mold).mat, a, rows, f));
    X(hlg_cost)(a, longest(rows), f);
    if (!psb_hll_is_even(padding_of(a, f)) && psb_rows_are_scattered(rows->n, rows->ptr, rows->idx))
        f->stride_penalty *= scattered;
    return PSB_OK;
}

/* --- HYBG, diagonals, blocks ---------------------------------------------------------------------------- */

/* The entries beyond ELL need a kernel of their own, with some work per entry, and per row a sector of y read
 * and written again.  The columns of ELL are far apart. */
psb_err X(hybg_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const double far = 1.15, scattered = 1.5, entry = 0.004, row = 0.015;
    PSB_TRY(of_host(&X(hyb_mold).mat, a, rows, f));
    f->stride_penalty = far;
    if (psb_rows_are_scattered(rows->n, rows->ptr, rows->idx))
        f->stride_penalty *= scattered;
    const psb_epk most = ((struct X(hyb_mat) *)a)->most;
    for (psb_ipk i = 0; i < rows->n; i++)
        if (length(rows, i) > most)
            f->ns += row + entry * (double)(length(rows, i) - most);
    return PSB_OK;
}

/* A thread waits for each group of diagonals that it loads at once: the time of a matrix that is too small to
 * hide that behind the bytes of others. */
psb_err X(diag_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const double group = 1250, bytes_per_ns = 4200;
    PSB_TRY(of_host(&X(hdia_mold).mat, a, rows, f));
    const double diagonals = rows->n > 0 ? f->places / rows->n : 0;
    f->ns = fmax(0, group * ceil(diagonals / PSB_DIAGONALS_AT_ONCE(sizeof(T))) - f->bytes / bytes_per_ns);
    return PSB_OK;
}

/* Each hack first has to read the distances of its diagonals. */
psb_err X(hdiag_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    PSB_TRY(X(diag_forecast)(a, rows, f));
    f->stride_penalty = 1.1;
    return PSB_OK;
}

/* Blocks are large enough to share an index, or they do not pay off: single entries are CSR. */
psb_err X(bsrg_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const double index = 1.3, large = 1.4, small = 2.5;
    PSB_TRY(of_host(&X(bsr_mold).mat, a, rows, f));
    f->stride_penalty = f->bytes <= f->places * (sizeof(T) + index) ? large : small;
    return PSB_OK;
}

static const struct X(mat_ops) ops = {
    .super = &X(auto_mold).mat,
    .fmt = "AUTOG",
    .size = sizeof(struct X(auto_mat)),
    .choose = X(auto_choose),
};

const struct X(auto_mat) X(autog_mold) = { .mat.ops = &ops, .mirrors = 1 };
