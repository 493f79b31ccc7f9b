/* kernels_fake.c -- cuda/kernels: kernels of formats in plain C: the reference for those in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "locality.h"
#include "vendor.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

/* y = alpha sum + beta y */
static void put_sum(T alpha, T sum, T beta, T *y)
{
    *y = beta == 0 ? alpha * sum : alpha * sum + beta * *y;
}

/* Column c of y = alpha (a row of n entries, `step` apart) x + beta y. */
static void put_row(psb_epk n, psb_epk step, const psb_ipk *ja, const T *val, psb_ipk k, T alpha, const T *x,
                    T beta, T *y)
{
    for (psb_ipk c = 0; c < k; c++) {
        T sum = 0;
        for (psb_epk l = 0; l < n; l++)
            sum += val[l * step] * x[(psb_epk)ja[l * step] * k + c];
        put_sum(alpha, sum, beta, &y[c]);
    }
}

static psb_err hll_csmm(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    const T *val = a->val;
    for (psb_epk r = 0; r < a->nrows; r++) {
        psb_epk i = a->row ? a->row[r] : r, at = a->off ? a->off[r / a->rows] + r % a->rows : r;
        put_row(a->irn[r], a->rows, a->ja + at, val + at, k, alpha, x, beta, y + i * k);
    }
    return PSB_OK;
}

/* The entry after the last one of the row that begins in entry i of tile t. */
static psb_epk row_end(const struct psb_csr_dev *a, const struct psb_tile *t, psb_epk i)
{
    enum { SHARE = PSB_TILE_SHARE(sizeof(T)) };
    const unsigned char *starts = a->starts + (t - a->tile) * PSB_TILE_THREADS(sizeof(T));
    const psb_epk skip = t->first % 4;
    do
        i++;
    while (!(starts[(i + skip) / SHARE] >> (i + skip) % SHARE & 1));
    return i;
}

/* --- deltas of columns --- */

static psb_err csr_deltas(const struct psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found)
{
    memset(delta, 0, PSB_DELTA_PLACE(a->ntiles, a->nnz) * sizeof *delta);
    found[0] = 0;
    for (psb_epk t = 0; t < a->ntiles; t++) {
        const psb_epk first = a->tile[t].first, n = a->tile[t + 1].first - first;
        uint16_t *to = delta + PSB_DELTA_PLACE(t, first) + first % 4;
        psb_ipk low;
        base[t] = psb_are_near(a->ja + first, n, &low) ? low : -1;
        for (psb_epk k = 0; k < n && base[t] >= 0; k++)
            to[k] = (uint16_t)(a->ja[first + k] - low);
        found[0] += base[t] >= 0 ? n : 0;
    }
    return PSB_OK;
}

/* The columns of tile t, which are in `unpacked` if they are stored as deltas. */
static const psb_ipk *columns_of(const struct psb_csr_dev *a, const struct psb_tile *t, psb_ipk *unpacked)
{
    const psb_epk number = t - a->tile, n = t[1].first - t->first;
    if (!a->base || a->base[number] < 0)
        return a->ja + t->first;
    const uint16_t *delta = a->delta + PSB_DELTA_PLACE(number, t->first) + t->first % 4;
    for (psb_epk k = 0; k < n; k++)
        unpacked[k] = a->base[number] + delta[k];
    return unpacked;
}

/* y of the rows of tile t, or its partial sums; t[1] is the next tile. */
static void put_tile(const struct psb_csr_dev *a, const struct psb_tile *t, psb_ipk k, T alpha, const T *x,
                     T beta, T *y)
{
    psb_ipk unpacked[PSB_TILE_CAPACITY(sizeof(T), PSB_TILES_COALESCED)];
    const psb_ipk *ja = columns_of(a, t, unpacked);
    const T *val = (const T *)a->val + t->first;
    const psb_epk n = t[1].first - t->first;
    if (t->part >= 0) {
        put_row(a->starts ? row_end(a, t, 0) : n, 1, ja, val, k, 1, x, 0,
                (T *)a->part + (psb_epk)t->part * k);
        return;
    }
    for (psb_ipk i = t->row; i < t[1].row; i++) {
        psb_epk from = a->begin[i], to = i + 1 < t[1].row ? a->begin[i + 1] : n;
        if (to > from && a->starts)
            to = row_end(a, t, from);
        put_row(to - from, 1, ja + from, val + from, k, alpha, x, beta, y + (psb_epk)i * k);
    }
}

static void put_split(const struct psb_csr_dev *a, const struct psb_split *s, psb_ipk k, T alpha, T beta,
                      T *y)
{
    const T *part = a->part;
    y += (psb_epk)s->row * k;
    for (psb_ipk c = 0; c < k; c++) {
        T sum = 0;
        for (psb_epk i = s->from; i < s->to; i++)
            sum += part[i * k + c];
        put_sum(alpha, sum, beta, &y[c]);
    }
}

static psb_err csr_csmm(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_epk t = 0; t < a->ntiles; t++)
        put_tile(a, a->tile + t, k, alpha, x, beta, y);
    for (psb_ipk s = 0; s < a->nsplit; s++)
        put_split(a, a->split + s, k, alpha, beta, y);
    return PSB_OK;
}

static psb_err csr_vendor(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                          const T *x, T beta, T *y)
{
    (void)plan, (void)a, (void)k, (void)alpha, (void)x, (void)beta, (void)y;
    return PSB_FAIL(
        PSB_ENOTIMPL,
        "the mold's vendor is 1, and the fake device has no cuSPARSE; expected 0, PSBC's kernels");
}

/* Row i times a column of x, entries only. */
static T diagonals_row(const struct psb_dev_diagonals *a, psb_ipk i, psb_ipk k, const T *x)
{
    const psb_epk h = i / a->rows, at = i % a->rows, words = (a->rows + 63) / 64;
    const T *val = a->val;
    T sum = 0;
    for (psb_epk d = a->off[h]; d < a->off[h + 1]; d++)
        if (a->bits[d * words + at / 64] >> at % 64 & 1)
            sum += val[d * a->rows + at] * x[(psb_epk)(i + a->dist[d]) * k];
    return sum;
}

static psb_err hdia_csmm(const struct psb_dev_diagonals *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_ipk c = 0; c < k; c++)
            put_sum(alpha, diagonals_row(a, i, k, x + c), beta, y + (psb_epk)i * k + c);
    return PSB_OK;
}

static T blocks_row(const struct psb_dev_blocks *a, psb_ipk i, psb_ipk k, const T *x)
{
    const psb_epk size = a->r * a->c, bytes = (size + 7) / 8, h = i / a->r;
    const T *val = a->val;
    T sum = 0;
    for (psb_epk b = a->off[h]; b < a->off[h + 1] && a->ja[b] >= 0; b++)
        for (psb_ipk j = 0; j < a->c; j++) {
            const psb_epk at = a->by_cols ? j * a->r + i % a->r : i % a->r * a->c + j;
            if (a->full || (a->bits[b * bytes + at / 8] >> at % 8 & 1))
                sum += val[b * size + at] * x[((psb_epk)a->ja[b] * a->c + j) * k];
        }
    return sum;
}

static psb_err bsr_csmm(const struct psb_dev_blocks *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_ipk c = 0; c < k; c++)
            put_sum(alpha, blocks_row(a, i, k, x + c), beta, y + (psb_epk)i * k + c);
    return PSB_OK;
}

static T dense_row(const struct psb_dev_dense *a, psb_ipk i, psb_ipk k, const T *x)
{
    const psb_epk words = ((psb_epk)a->n + 63) / 64;
    const T *val = a->val;
    T sum = 0;
    for (psb_epk r = i, end = (psb_epk)a->layers * a->m; r < end; r += a->m)
        for (psb_ipk j = 0; j < a->n; j++)
            if (a->bits[r * words + j / 64] >> j % 64 & 1)
                sum += val[r * a->n + j] * x[(psb_epk)j * k];
    return sum;
}

static psb_err dns_csmm(const struct psb_dev_dense *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_ipk c = 0; c < k; c++)
            put_sum(alpha, dense_row(a, i, k, x + c), beta, y + (psb_epk)i * k + c);
    return PSB_OK;
}

/* --- with an epilogue --------------------------------------------------------------------------------- */

static psb_err hll_fused(const struct psb_hll_dev *a, T alpha, const T *x, T beta, T *y,
                         const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    (void)partial;
    assert(!t->from); /* else fuses_from */
    PSB_TRY(hll_csmm(a, 1, alpha, x, beta, y));
    return X(vec_host).epilogue(a->nrows, y, t, sum);
}

/* *p = n zeros that stand for registers of a GPU: no allocation of the library, so that tests do not count
 * it. */
static psb_err new_registers(T **p, size_t n)
{
    *p = calloc(n + 1, sizeof **p);
    PSB_CHECK(*p, PSB_ENOMEM, "no memory for %zu registers", n);
    return PSB_OK;
}

/* The elements of a factor in the listed rows, gathered in `gathered`; what is added, if the factor is y. */
static const T *factor_of(const T *factor, const T *y, const T *added, psb_ipk m, const psb_ipk *rows,
                          T *gathered)
{
    for (psb_ipk i = 0; i < m && factor != y; i++)
        gathered[i] = factor[rows[i]];
    return factor == y ? added : gathered;
}

/* y[rows[i]] += added[i] for m rows, and the dot products of t (NULL: none), where a factor y is `added`. */
static psb_err add_rows(psb_ipk m, const T *added, const psb_ipk *rows, T *y, const struct X(vec_epilogue) *t)
{
    struct X(vec_epilogue) u = { .ndots = t ? t->ndots : 0 };
    T *gathered;
    PSB_TRY(new_registers(&gathered, (size_t)m * 2 * PSB_MOST_DOTS));
    for (int i = 0; i < u.ndots; i++) {
        u.left[i] = factor_of(t->left[i], y, added, m, rows, gathered + (size_t)m * (size_t)(2 * i));
        u.right[i] = factor_of(t->right[i], y, added, m, rows, gathered + (size_t)m * (size_t)(2 * i + 1));
    }
    u.stay = t ? t->stay : NULL;
    u.part = t ? t->part : PSB_SUM_WHOLE;
    psb_err e = X(vec_host).scatter_add(m, rows, 1, added, y);
    if (e == PSB_OK && t)
        e = X(vec_host).epilogue(m, added, &u, NULL);
    free(gathered);
    return e;
}

static psb_err csr_add(const struct psb_csr_dev *a, T alpha, const T *x, const psb_ipk *rows, T *y,
                       const struct X(vec_epilogue) *t, double *partial)
{
    (void)partial;
    const psb_ipk m = a->tile[a->ntiles].row;
    T *added;
    PSB_TRY(new_registers(&added, (size_t)m));
    psb_err e = csr_csmm(a, 1, alpha, x, 0, added);
    if (e == PSB_OK)
        e = add_rows(m, added, rows, y, t);
    free(added);
    return e;
}

static psb_err csr_add_short(const struct psb_dev_compressed *a, T alpha, const T *x,
                             const struct psb_awaited *wait, const psb_ipk *rows, T *y,
                             const struct X(vec_epilogue) *t, double *partial)
{
    (void)partial;
    T *added;
    PSB_TRY(psb_await(wait));
    PSB_TRY(new_registers(&added, (size_t)a->m));
    for (psb_ipk i = 0; i < a->m; i++)
        put_row(a->off[i + 1] - a->off[i], 1, a->ja + a->off[i], (const T *)a->val + a->off[i], 1, alpha, x,
                0, added + i);
    psb_err e = add_rows(a->m, added, rows, y, t);
    free(added);
    return e;
}

static psb_err csr_fused(const struct psb_csr_dev *a, T alpha, const T *x, T beta, T *y,
                         const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    (void)partial;
    assert(!t->from); /* else fuses_from */
    PSB_TRY(csr_csmm(a, 1, alpha, x, beta, y));
    return X(vec_host).epilogue(a->tile[a->ntiles].row, y, t, sum);
}

static psb_err hdia_fused(const struct psb_dev_diagonals *a, T alpha, const T *x, T beta, T *y,
                          const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    (void)partial;
    assert(!t->from); /* else fuses_from */
    PSB_TRY(hdia_csmm(a, 1, alpha, x, beta, y));
    return X(vec_host).epilogue(a->m, y, t, sum);
}

const struct X(hll_kernels) X(hll_kernels_fake) = { .csmm = hll_csmm, .fused = hll_fused };
const struct X(csr_kernels) X(csr_kernels_fake) = {
    .deltas = csr_deltas,
    .csmm = csr_csmm,
    .fused = csr_fused,
    .add = csr_add,
    .add_short = csr_add_short,
    .vendor = csr_vendor,
};
const struct X(hdia_kernels) X(hdia_kernels_fake) = { .csmm = hdia_csmm, .fused = hdia_fused };
const struct X(bsr_kernels) X(bsr_kernels_fake) = { .csmm = bsr_csmm };
const struct X(dns_kernels) X(dns_kernels_fake) = { .csmm = dns_csmm };
