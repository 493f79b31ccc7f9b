/* convert_fake.c -- cuda/kernels: the steps of conversions between formats in plain C, for the fake device:
 * the reference for the steps in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "locality.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

enum { LONGEST = 1023, WORD = 64 };

/* --- rows ------------------------------------------------------------------------------------------- */

/* The n entries of a row, from `at` on, `step` apart. */
struct line {
    psb_epk at, n, step;
};

static struct line line_of(const struct psb_dev_compressed *l, psb_epk i)
{
    if (l->rows == 0)
        return (struct line){ l->off[i], l->off[i + 1] - l->off[i], 1 };
    const psb_epk r = l->rank ? l->rank[i] : i;
    return (struct line){ l->off[r / l->rows] + r % l->rows, l->irn[r], l->rows };
}

/* --- HLL ------------------------------------------------------------------------------------------------ */

static psb_epk length(const struct psb_dev_compressed *l, psb_epk i)
{
    const psb_epk n = l->off[i + 1] - l->off[i];
    return n < LONGEST ? n : LONGEST;
}

/* Insertion sort of each window by decreasing length; equal lengths keep their order. */
static psb_err ranks(const struct psb_dev_compressed *from, psb_ipk window,
                     const struct psb_dev_compressed *a)
{
    const psb_epk m = a->m;
    for (psb_epk w = 0; w < m; w += window) {
        const psb_epk end = w + window < m ? w + window : m;
        for (psb_epk r = w, at; r < end; r++) {
            for (at = r; at > w && length(from, a->row[at - 1]) < length(from, r); at--)
                a->row[at] = a->row[at - 1];
            a->row[at] = (psb_ipk)r;
        }
    }
    for (psb_epk r = 0; r < m; r++)
        a->rank[a->row[r]] = (psb_ipk)r;
    return PSB_OK;
}

static psb_err measure(const struct psb_dev_compressed *from, psb_ipk most,
                       const struct psb_dev_compressed *a, psb_epk *found)
{
    psb_epk widest = 0;
    a->off[0] = 0;
    for (psb_ipk h = 0; h < a->nhacks; h++) {
        psb_epk width = 0;
        for (psb_epk r = h * a->rows; r < a->m && r < (h + 1) * a->rows; r++) {
            const psb_epk i = a->row ? a->row[r] : r, n = from->off[i + 1] - from->off[i];
            a->irn[r] = n < most ? (psb_ipk)n : most;
            width = a->irn[r] > width ? a->irn[r] : width;
        }
        widest = width > widest ? width : widest;
        a->off[h + 1] = a->off[h] + width * a->rows;
    }
    found[0] = a->off[a->nhacks];
    found[1] = widest;
    return PSB_OK;
}

static psb_err fill(const struct psb_dev_compressed *from, psb_epk widest, const struct psb_dev_compressed *a)
{
    T *val = a->val;
    (void)widest;
    for (psb_epk h = 0; h < a->nhacks; h++)
        for (psb_epk p = a->off[h]; p < a->off[h + 1]; p++) {
            const psb_epk r = h * a->rows + (p - a->off[h]) % a->rows, k = (p - a->off[h]) / a->rows;
            const bool is = r < a->m && k < a->irn[r];
            const psb_epk at = is ? from->off[a->row ? a->row[r] : r] + k : 0;
            a->ja[p] = is ? from->ja[at] : 0;
            val[p] = is ? ((const T *)from->val)[at] : 0;
        }
    return PSB_OK;
}

/* --- HYB ------------------------------------------------------------------------------------------------ */

static psb_err rest(const struct psb_dev_compressed *from, const psb_epk *off,
                    const struct psb_new_triplets *to)
{
    for (psb_ipk i = 0; i < from->m; i++)
        for (psb_epk p = from->off[i] + off[i + 1] - off[i]; p < from->off[i + 1]; p++) {
            to->ia[p - off[i + 1]] = i;
            to->ja[p - off[i + 1]] = from->ja[p];
            ((T *)to->val)[p - off[i + 1]] = ((const T *)from->val)[p];
        }
    return PSB_OK;
}

static psb_err add_rest(const struct psb_dev_triplets *t, const psb_epk *off,
                        const struct psb_dev_compressed *to)
{
    for (psb_epk i = 0; i <= to->m; i++)
        to->off[i] += off[i];
    for (psb_epk e = 0; e < t->nz; e++) {
        const psb_epk p = e + off[t->ia[e] + 1];
        to->ja[p] = t->ja[e];
        ((T *)to->val)[p] = ((const T *)t->val)[e];
    }
    return PSB_OK;
}

/* --- CSR ------------------------------------------------------------------------------------------------ */

static bool has(const struct psb_dev_hdia *a, psb_epk d, psb_epk at)
{
    return a->bits[d * a->words + at / WORD] >> at % WORD & 1;
}

static psb_err row_lengths(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to)
{
    to->off[0] = 0;
    for (psb_ipk i = 0; i < to->m; i++)
        to->off[i + 1] = to->off[i] + line_of(a, i).n;
    return PSB_OK;
}

static psb_err hdia_row_lengths(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to)
{
    to->off[0] = 0;
    for (psb_ipk i = 0; i < to->m; i++) {
        to->off[i + 1] = to->off[i];
        for (psb_epk d = a->off[i / a->rows]; d < a->off[i / a->rows + 1]; d++)
            to->off[i + 1] += has(a, d, i % a->rows);
    }
    return PSB_OK;
}

static psb_err to_csr(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to)
{
    for (psb_ipk i = 0; i < to->m; i++) {
        const struct line l = line_of(a, i);
        psb_epk k = to->off[i];
        for (psb_epk n = 0, p = l.at; n < l.n; n++, k++, p += l.step) {
            to->ja[k] = a->ja[p];
            ((T *)to->val)[k] = ((const T *)a->val)[p];
        }
    }
    return PSB_OK;
}

static psb_err hdia_to_csr(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to)
{
    for (psb_ipk i = 0; i < to->m; i++) {
        const psb_epk h = i / a->rows, at = i % a->rows;
        psb_epk k = to->off[i];
        for (psb_epk d = a->off[h]; d < a->off[h + 1]; d++)
            if (has(a, d, at)) {
                to->ja[k] = i + a->dist[d];
                ((T *)to->val)[k++] = ((const T *)a->val)[d * a->rows + at];
            }
    }
    return PSB_OK;
}

/* --- locality ------------------------------------------------------------------------------------------- */

psb_err X(locality_fake)(const struct psb_dev_compressed *a, psb_epk *found)
{
    struct psb_dev_compressed l = *a;
    struct psb_locality s = { 0 };
    l.rank = NULL; /* rows in storage order */
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk from = psb_group(l.m, g);
        for (psb_ipk i = from; i < l.m && i - from < PSB_GROUP_ROWS; i++) {
            const struct line r = line_of(&l, i);
            psb_locality_row(&s, r.n, r.step, l.ja + r.at);
        }
        psb_locality_group(&s);
    }
    found[0] = s.entries;
    found[1] = s.sectors;
    found[2] = s.reach;
    return PSB_OK;
}

/* --- HDIA ----------------------------------------------------------------------------------------------- */

/* Rank of entry k, from 0, among the duplicates of its row. */
static psb_epk rank_of(const struct psb_dev_compressed *b, psb_epk i, psb_epk k)
{
    psb_epk r = 0;
    while (k - r > b->off[i] && b->ja[k - r - 1] == b->ja[k])
        r++;
    return r;
}

/* Does row i have r + 1 or more entries on the diagonal of distance `dist`? */
static bool has_diagonal(const struct psb_dev_compressed *b, psb_epk i, psb_epk dist, psb_epk r)
{
    const psb_epk n = b->off[i + 1] - b->off[i], j = i + dist;
    const psb_ipk *ja = b->ja + b->off[i];
    const psb_epk k = j < 0 ? n : psb_first_from(ja, 1, n, (psb_ipk)j) + r;
    return k < n && ja[k] == j;
}

/* Does the previous row of the same hack lack an entry on the diagonal of entry k of row i, with rank r? */
static bool is_new(const struct psb_dev_compressed *b, const struct psb_dev_hdia *a, psb_epk i, psb_epk k,
                   psb_epk r)
{
    return i % a->rows == 0 || !has_diagonal(b, i - 1, b->ja[k] - i, r);
}

static psb_err hdia_count(const struct psb_dev_compressed *b, const struct psb_dev_hdia *a, psb_epk *place,
                          psb_epk *found)
{
    found[1] = 0;
    place[0] = 0;
    for (psb_epk i = 0; i < b->m; i++) {
        place[i + 1] = place[i];
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk r = rank_of(b, i, k);
            place[i + 1] += is_new(b, a, i, k, r);
            found[1] = r + 1 > found[1] ? r + 1 : found[1];
        }
    }
    found[0] = place[b->m];
    return PSB_OK;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static psb_err hdia_collect(const struct psb_dev_compressed *b, const struct psb_dev_hdia *a, psb_epk *place,
                            const struct psb_hdia_keys *q, psb_epk *found)
{
    (void)place;
    psb_epk n = 0, distinct = 0;
    for (psb_epk i = 0; i < b->m; i++)
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk r = rank_of(b, i, k), hack = i / a->rows, dist = b->ja[k] - i + a->m;
            if (is_new(b, a, i, k, r))
                q->key[n++] = (((uint64_t)hack << q->dist_bits | (uint64_t)dist) << q->rank_bits) |
                              (uint64_t)r;
        }
    if (n > 0)
        qsort(q->key, (size_t)n, sizeof *q->key, ascending);
    for (psb_epk k = 0; k < n; k++)
        if (k == 0 || q->key[k] != q->key[k - 1])
            q->key[distinct++] = q->key[k];
    found[0] = distinct;
    found[1] = 0;
    return PSB_OK;
}

static psb_err hdia_list(const struct psb_hdia_keys *q, const struct psb_dev_hdia *a)
{
    const uint64_t mask = (UINT64_C(1) << q->dist_bits) - 1;
    psb_epk d = 0;
    for (psb_epk h = 0; h < a->nhacks; h++) {
        a->off[h] = d;
        for (; d < q->n && (psb_epk)(q->key[d] >> (q->dist_bits + q->rank_bits)) == h; d++)
            a->dist[d] = (psb_ipk)((psb_epk)(q->key[d] >> q->rank_bits & mask) - a->m);
    }
    a->off[a->nhacks] = d;
    return PSB_OK;
}

static psb_epk entries_of(const struct psb_dev_hdia *a, psb_epk d)
{
    psb_epk n = 0;
    for (psb_epk at = 0; at < a->rows; at++)
        n += has(a, d, at);
    return n;
}

/* Number of rows of hack h whose entry on the diagonal is within the matrix. */
static psb_epk within(const struct psb_dev_hdia *a, psb_epk h, psb_epk dist)
{
    psb_epk n = 0;
    for (psb_epk i = h * a->rows; i < a->m && i < (h + 1) * a->rows; i++)
        n += i + dist >= 0 && i + dist < a->n;
    return n;
}

/* Set zeros and gaps from bits and values. */
static void find_zeros_and_gaps(const struct psb_dev_hdia *a)
{
    const T *val = a->val;
    for (psb_epk h = 0; h < a->nhacks; h++)
        for (psb_epk d = a->off[h]; d < a->off[h + 1]; d++) {
            a->zeros[d] = 0;
            for (psb_epk at = 0; at < a->rows; at++)
                a->zeros[d] += has(a, d, at) && val[d * a->rows + at] == 0;
            a->gaps[d] = entries_of(a, d) == within(a, h, a->dist[d]) ? PSB_NO_GAPS
                         : a->zeros[d]                                ? PSB_GAPS_BY_BITS
                                                                      : PSB_ZEROS_ARE_GAPS;
        }
}

/* The first diagonal of the hack of row i whose distance is not below `dist`, or the end of the hack. */
static psb_epk diagonal_of(const struct psb_dev_hdia *a, psb_epk i, psb_epk dist)
{
    const psb_epk from = a->off[i / a->rows], end = a->off[i / a->rows + 1];
    return from + psb_first_from(a->dist + from, 1, end - from, (psb_ipk)dist);
}

static psb_err hdia_fill(const struct psb_dev_compressed *b, const struct psb_dev_hdia *a)
{
    T *val = a->val;
    memset(a->bits, 0, (size_t)(a->diagonals * a->words) * sizeof *a->bits);
    memset(a->val, 0, (size_t)(a->diagonals * a->rows) * sizeof *val);
    for (psb_epk i = 0; i < b->m; i++)
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk d = diagonal_of(a, i, b->ja[k] - i) + rank_of(b, i, k), at = i % a->rows;
            a->bits[d * a->words + at / WORD] |= UINT64_C(1) << at % WORD;
            val[d * a->rows + at] = ((const T *)b->val)[k];
        }
    find_zeros_and_gaps(a);
    return PSB_OK;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* The index in val of entry (i, j), the first of its duplicates; -1 if there is none. */
static psb_epk compressed_place(const struct psb_dev_compressed *a, psb_ipk i, psb_ipk j)
{
    const struct line l = line_of(a, i);
    const psb_epk k = psb_first_from(a->ja + l.at, l.step, l.n, j), p = l.at + k * l.step;
    return k < l.n && a->ja[p] == j ? p : -1;
}

static psb_epk hdia_place(const struct psb_dev_hdia *a, psb_ipk i, psb_ipk j)
{
    const psb_epk d = diagonal_of(a, i, j - i);
    const bool is = d < a->off[i / a->rows + 1] && a->dist[d] == j - i && has(a, d, i % a->rows);
    return is ? d * a->rows + i % a->rows : -1;
}

/* Set `found` from the places. */
static void set_found(const struct psb_find *q)
{
    q->found[0] = -1;
    q->found[1] = 0;
    for (psb_epk k = 0; k < q->nz; k++) {
        if (q->place[k] < 0 && q->found[0] < 0)
            q->found[0] = k;
        q->found[1] |= k > 0 && q->place[k] <= q->place[k - 1];
    }
}

static psb_err compressed_find(const struct psb_dev_compressed *a, const struct psb_find *q)
{
    for (psb_epk k = 0; k < q->nz; k++)
        q->place[k] = compressed_place(a, q->ia[k], q->ja[k]);
    set_found(q);
    return PSB_OK;
}

static psb_err hdia_find(const struct psb_dev_hdia *a, const struct psb_find *q)
{
    for (psb_epk k = 0; k < q->nz; k++)
        q->place[k] = hdia_place(a, q->ia[k], q->ja[k]);
    set_found(q);
    return PSB_OK;
}

static void put_values(const struct psb_placed *q, T *to)
{
    for (psb_epk e = 0; e < q->nz; e++) {
        const psb_epk k = q->order ? q->order[e] : e;
        X(put_value)(to + q->place[k], ((const T *)q->val)[k],
                     q->overwrite ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD);
    }
}

static psb_err compressed_put(const struct psb_dev_compressed *a, const struct psb_placed *q)
{
    put_values(q, a->val);
    return PSB_OK;
}

static psb_err hdia_put(const struct psb_dev_hdia *a, const struct psb_placed *q)
{
    put_values(q, a->val);
    find_zeros_and_gaps(a);
    return PSB_OK;
}

static T sum_of_line(const struct psb_dev_compressed *l, psb_ipk i, T sum)
{
    const struct line r = line_of(l, i);
    for (psb_epk k = psb_first_from(l->ja + r.at, r.step, r.n, i), p = r.at + k * r.step;
         k < r.n && l->ja[p] == i; k++, p += r.step)
        sum += ((const T *)l->val)[p];
    return sum;
}

static T sum_of_diagonals(const struct psb_dev_hdia *a, psb_ipk i, T sum)
{
    for (psb_epk d = diagonal_of(a, i, 0); d < a->off[i / a->rows + 1] && a->dist[d] == 0; d++)
        if (has(a, d, i % a->rows))
            sum += ((const T *)a->val)[d * a->rows + i % a->rows];
    return sum;
}

static psb_err compressed_diagonal(const struct psb_dev_compressed *a, const struct psb_diagonal *q)
{
    for (psb_ipk i = 0; i < q->n; i++)
        ((T *)q->d)[i] = sum_of_line(a, i, q->ones);
    return PSB_OK;
}

static psb_err hdia_diagonal(const struct psb_dev_hdia *a, const struct psb_diagonal *q)
{
    for (psb_ipk i = 0; i < q->n; i++)
        ((T *)q->d)[i] = sum_of_diagonals(a, i, q->ones);
    return PSB_OK;
}

static void scale_one(const struct psb_factors *q, psb_ipk i, psb_ipk j, T *v)
{
    *v = q->left    ? ((const T *)q->left)[i] * *v
         : q->right ? *v * ((const T *)q->right)[j]
                    : *(const T *)q->by * *v;
}

static psb_err compressed_scale(const struct psb_dev_compressed *a, const struct psb_factors *q)
{
    for (psb_ipk i = 0; i < a->m; i++) {
        const struct line l = line_of(a, i);
        for (psb_epk k = 0, p = l.at; k < l.n; k++, p += l.step)
            scale_one(q, i, a->ja[p], (T *)a->val + p);
    }
    return PSB_OK;
}

static psb_err hdia_scale(const struct psb_dev_hdia *a, const struct psb_factors *q)
{
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk d = a->off[i / a->rows]; d < a->off[i / a->rows + 1]; d++)
            if (has(a, d, i % a->rows))
                scale_one(q, i, i + a->dist[d], (T *)a->val + d * a->rows + i % a->rows);
    find_zeros_and_gaps(a);
    return PSB_OK;
}

static psb_err compressed_zero(const struct psb_dev_compressed *a, size_t bytes)
{
    memset(a->val, 0, bytes);
    return PSB_OK;
}

static psb_err hdia_zero(const struct psb_dev_hdia *a, size_t bytes)
{
    memset(a->val, 0, bytes);
    find_zeros_and_gaps(a);
    return PSB_OK;
}

/* --- BSR ------------------------------------------------------------------------------------------------ */

static psb_err bsr_keys(const struct psb_dev_compressed *b, const struct psb_dev_bsr *a, psb_ipk *ia,
                        psb_ipk *ja, psb_epk *found)
{
    found[0] = found[1] = 0;
    for (psb_ipk i = 0; i < b->m; i++)
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk r = rank_of(b, i, k);
            ia[k] = i / a->r;
            ja[k] = (psb_ipk)(b->ja[k] / a->c * a->ranks + r);
            found[0] = r + 1 > found[0] ? r + 1 : found[0];
        }
    return PSB_OK;
}

/* The row of value `at` of a block of block row h, and the column from the first of the block. */
static void value_at(const struct psb_dev_bsr *a, psb_epk h, psb_ipk at, psb_epk *i, psb_epk *j)
{
    *i = h * a->r + (a->by_cols ? at % a->r : at / a->c);
    *j = a->by_cols ? at / a->r : at % a->c;
}

static psb_err bsr_fill(const struct psb_dev_compressed *b, const psb_ipk *key, const struct psb_dev_bsr *a)
{
    const psb_epk size = a->r * a->c, bytes = (size + 7) / 8;
    for (psb_epk h = 0; h < a->n; h++)
        for (psb_epk q = a->off[h]; q < a->off[h + 1]; q++) {
            a->ja[q] = key[q] / a->ranks;
            if (!a->full)
                memset(a->bits + q * bytes, 0, (size_t)bytes);
            for (psb_ipk at = 0; at < size; at++) {
                psb_epk i, j, p;
                value_at(a, h, at, &i, &j);
                j += (psb_epk)a->ja[q] * a->c;
                p = i < b->m ? compressed_place(b, (psb_ipk)i, (psb_ipk)j) : -1;
                p = p < 0 ? p : p + key[q] % a->ranks;
                const bool is = p >= 0 && p < b->off[i + 1] && b->ja[p] == j;
                ((T *)a->val)[q * size + at] = is ? ((const T *)b->val)[p] : 0;
                if (is && !a->full)
                    a->bits[q * bytes + at / 8] |= (unsigned char)(1 << at % 8);
            }
        }
    return PSB_OK;
}

/* The place in a->val of column j of row i in block q, or -1. */
static psb_epk bsr_place(const struct psb_dev_bsr *a, psb_ipk i, psb_epk q, psb_ipk j)
{
    const psb_epk at = a->by_cols ? j * a->r + i % a->r : i % a->r * a->c + j, size = a->r * a->c;
    return a->full || a->bits[q * ((size + 7) / 8) + at / 8] >> at % 8 & 1 ? q * size + at : -1;
}

static psb_err bsr_row_lengths(const struct psb_dev_bsr *a, const struct psb_dev_compressed *to)
{
    to->off[0] = 0;
    for (psb_ipk i = 0; i < to->m; i++) {
        to->off[i + 1] = to->off[i];
        for (psb_epk q = a->off[i / a->r]; q < a->off[i / a->r + 1] && a->ja[q] >= 0; q++)
            for (psb_ipk j = 0; j < a->c; j++)
                to->off[i + 1] += bsr_place(a, i, q, j) >= 0;
    }
    return PSB_OK;
}

/* Blocks of one column have duplicates. */
static psb_err bsr_to_csr(const struct psb_dev_bsr *a, const struct psb_dev_compressed *to)
{
    for (psb_ipk i = 0; i < to->m; i++) {
        const psb_epk end = a->off[i / a->r + 1];
        psb_epk k = to->off[i];
        for (psb_epk q = a->off[i / a->r], next; q < end && a->ja[q] >= 0; q = next) {
            for (next = q + 1; next < end && a->ja[next] == a->ja[q]; next++)
                ;
            for (psb_ipk j = 0; j < a->c; j++)
                for (psb_epk d = q, p; d < next; d++)
                    if ((p = bsr_place(a, i, d, j)) >= 0) {
                        to->ja[k] = a->ja[d] * a->c + j;
                        ((T *)to->val)[k++] = ((const T *)a->val)[p];
                    }
        }
    }
    return PSB_OK;
}

/* --- tables ----------------------------------------------------------------------------------------- */

const struct X(compressed_steps) X(compressed_steps_fake) = {
    .find = compressed_find,
    .put = compressed_put,
    .diagonal = compressed_diagonal,
    .scale = compressed_scale,
    .zero = compressed_zero,
};

const struct X(hll_steps) X(hll_steps_fake) = {
    .ranks = ranks,
    .measure = measure,
    .fill = fill,
    .row_lengths = row_lengths,
    .to_csr = to_csr,
    .rest = rest,
    .add_rest = add_rest,
};

const struct X(hdia_steps) X(hdia_steps_fake) = {
    .count = hdia_count,
    .collect = hdia_collect,
    .list = hdia_list,
    .fill = hdia_fill,
    .row_lengths = hdia_row_lengths,
    .to_csr = hdia_to_csr,
    .find = hdia_find,
    .put = hdia_put,
    .diagonal = hdia_diagonal,
    .scale = hdia_scale,
    .zero = hdia_zero,
};

const struct X(bsr_steps) X(bsr_steps_fake) = {
    .keys = bsr_keys,
    .fill = bsr_fill,
    .row_lengths = bsr_row_lengths,
    .to_csr = bsr_to_csr,
};
